"""Every chart of every lesson and of the lab on a board that shows what it can, by its name."""

import importlib
import inspect
import math
import pkgutil
from dataclasses import replace
from functools import cache

import numpy as np

from svmlab import Dataset, Linear, Problem, make_dataset, regularization_path, solve
from svmlab.generalisation import ErrorMap, Estimate
from svmlab.lab import lessons
from svmlab.lab.bench.tabs import errors
from svmlab.lab.bench.tabs.errors import compared_classifiers
from svmlab.lab.charts import error_map, rows
from svmlab.lab.lessons.duality import (
    gap,
    hulls,
    keep,
    none,
    parts,
    primal,
    programs,
    saddle,
    weights,
)
from svmlab.lab.lessons.duality import offset as dual_offset_chart
from svmlab.lab.lessons.duality import sum as sum_step
from svmlab.lab.lessons.duality.ascent import ascent
from svmlab.lab.lessons.duality.versions import turn
from svmlab.lab.lessons.extensions import LESSON as EXTENSIONS
from svmlab.lab.lessons.generalisation import LESSON as GENERALISATION
from svmlab.lab.lessons.kernels import LESSON as KERNELS
from svmlab.lab.lessons.kernels import coordinates, count
from svmlab.lab.lessons.losses import LESSON as LOSSES
from svmlab.lab.lessons.margin import perceptron, scaling, shake
from svmlab.lab.lessons.margin import turn as margin_turn
from svmlab.lab.lessons.pegasos import LESSON as PEGASOS
from svmlab.lab.lessons.soft import hard as soft_hard
from svmlab.lab.lessons.soft import multipliers, objective, offset, price, slack
from svmlab.lab.lessons.soft.along import sample_path
from svmlab.lab.lessons.soft.carriers import own_offsets
from svmlab.lab.lessons.soft.plane import landscape, section, window
from svmlab.lab.session.lab import Lab
from svmlab.plot import palette as palettes
from svmlab.statements.values import residuals
from tests.lessons import LESSONS, stage_of

PALETTES = {
    "light": palettes.LIGHT,
    "dark": palettes.DARK,
    "projector": palettes.PROJECTOR,
    "projector, dark": palettes.PROJECTOR_DARK,
}


@cache
def hard():
    return solve(Problem(make_dataset("separable", 8, 0.1, 26), Linear(), math.inf))


@cache
def soft():
    problem = Problem(make_dataset("overlapping", 40))
    return solve(problem), sample_path(regularization_path(problem), 1e-3, 1e3)


def a_gap(palette):
    return gap.gap(ascent(hard().problem), hard().objective, palette)


def held_out_errors(palette, **settings):
    lab = Lab(hard=True, **settings)
    compared = compared_classifiers(lab)
    error = (
        np.add.outer(
            np.abs(np.arange(len(compared.values)) - 3), np.abs(np.arange(len(compared.regularisation_values)) - 11)
        )
        / 30
    )
    map_of_errors = ErrorMap(error, 0.2 * error + 0.02, 0.5 * error, 0)
    return errors.figure(lab, compared, map_of_errors, (Estimate(0.0825, 0.014), 0.05), palette)


def errors_along_the_price(palette):
    return held_out_errors(palette, face="lambda")


def errors_as_a_map(palette):
    return held_out_errors(palette, kernel="gaussian")


def a_strip_of_b(palette):
    data = hard().problem.data
    return dual_offset_chart.dots(np.linspace(-1, 1, 8), data.y, data.ids, hard().free, 0.25, 3, True, palette)


def some_weights(palette):
    data, alpha = hard().problem.data, hard().alpha
    return weights.weights(alpha, 0.5 * alpha, 2 * alpha, data.y, data.ids, np.arange(4), 2, palette)


def a_ray(palette):
    return none.ray(2.0, 0.0, 7.0, 5.0, 10.0, palette)


def a_matrix(palette):
    return programs.heat(hard().problem.qp("dual").P, [str(i) for i in range(8)], 2, True, palette)


def some_sums(palette):
    return sum_step.balance((0.25, 0.25), None, palette)


def a_thinning(palette):
    return keep.thinning(np.r_[np.ones(9), 1.3], 8, 3, palette)


def a_turn(palette):
    rotation = turn(hard().problem.data, True, hard().w)
    return primal.margin_and_length(rotation, 30.0, 0.5, palette)


def a_plane_of_w(palette):
    rotation = turn(hard().problem.data, True, hard().w)
    return primal.plane_of_w(rotation, np.asarray(hard().w), 1.2 * np.asarray(hard().w), palette)


def some_directions(palette):
    angle = np.arange(0.0, 361.0)
    margin = np.cos(np.radians(angle)) - 0.5
    return margin_turn.directions(angle, margin, (90.0, -0.5), (0.0, 0.5), palette)


def some_orders(palette):
    return perceptron.orders(np.array([2, 5]), np.array([0.4, 0.9]), 37.4, 1, palette)


def some_rows(palette):
    data = Dataset(np.zeros((4, 2)), [1, -1, 1, -1])
    return rows.rows_chart(
        np.array([2.0, -0.5, 1.0, 1.0]), data, 1, {0.0: "solid", 1.0: "dash"}, "y f", ("+", "−"), palette
    )


def a_scaling(palette):
    return scaling.both_margins(0.25, 0.7, 1.0, palette)


def a_shake(palette):
    return shake.crossings(np.array([1.0, 1.0, 1.3, 2.0]), 0.9, 0, 1.6, palette)


def of(lesson, key, **picks):
    """The chart of a step on its own board."""

    def make(palette):
        stage = own(lesson.page, key)
        return lesson.step(key).chart(replace(stage, palette=palette, picks={**stage.picks, **picks})).figure

    return make


@cache
def own(page, key):
    """A step on its own board, whose results are made once for all palettes."""
    lesson = next(each for each in LESSONS if each.page == page)
    return stage_of(lesson, lesson.step(key).board())


def a_plane(palette):
    solution, sampled_path = soft()
    w_path = (sampled_path.alpha * solution.problem.data.y) @ solution.problem.data.X
    ground, slack_penalty = landscape(solution.problem, *window(w_path)), solution.objective - 0.5 * solution.norm_w**2
    return objective.plane_of_w(ground, 1.0, solution.w, slack_penalty, w_path, 0.97 * solution.w, False, palette)


def a_section(palette):
    return objective.cut(section(soft()[0].problem, soft()[0].w, 0.4, 1.0), (0.5, 0.2), palette)


def some_shares(palette):
    return price.norm_and_slack(soft()[1], 1.0, palette)


def some_numbers(palette):
    return price.counts(soft()[1], 1.0, palette)


def a_front(palette):
    return price.trade_off(soft()[1], (soft()[0].norm_w, float(soft()[0].xi.sum())), 40.0, palette)


def all_multipliers(palette):
    return multipliers.multipliers(soft()[1], soft()[0].problem.data, 1.0, 3, False, palette)


def both_values(palette):
    solution, sampled_path = soft()
    here = (solution.objective, solution.dual_objective)
    return multipliers.both_objectives(sampled_path, sampled_path.slack, 1.0, here, palette)


def a_shrunk_machine(palette):
    return price.scaled_errors(soft()[0].norm_w, soft()[0].margins, palette)


def steep_slacks(palette):
    data = soft()[0].problem.data
    return objective.slope_bars(data, 0.7 * np.hypot(*data.X.T), 3, palette)


def counted_errors(palette):
    solution = soft()[0]
    return slack.losses(solution.problem.data, solution.margins, solution.margins <= 0, 3, palette)


def a_threshold(palette):
    return soft_hard.near_threshold(soft()[1], 2.0, 1.0, palette)


def a_hinge(palette):
    solution = soft()[0]
    return slack.slack_over_distance(solution.problem.data, solution.margins, solution.xi, solution.norm_w, 3, palette)


def some_offsets(palette):
    solution, each = soft()[0], own_offsets(soft()[0])
    return offset.offsets(solution.problem.data, each, (-1.0, 1.0), float(each.each.mean()), 3, palette)


def some_shares_of_a_hull(palette):
    solution = soft()[0]
    data, total = solution.problem.data, 0.5 * solution.alpha.sum()
    few = np.flatnonzero(solution.support)[:14]
    return hulls.shares(solution.alpha / total, data.y, data.ids, few, 1.0 / total, 3, palette)


def a_lemma(palette):
    return sum_step.lemma(1e-4, palette)


def some_parts(palette):
    data, t = soft()[0].problem.data, np.linspace(0.0, 1.0, 11)
    kkt_residuals = [residuals(data.X, data.y, 1.0, np.array([1.0, k]), 0.1, np.full(data.m, 0.5)) for k in t]
    return parts.parts(t, kkt_residuals, 0.4, palette)


def a_saddle(palette):
    return saddle.surface(1.4, 0.6, 1.6, 2.0, palette)


def both_answers(palette):
    return saddle.answers(1.4, 0.6, 1.6, 2.0, palette)


def all_margins(palette):
    solution = hard()
    return scaling.all_margins(solution.margins, 1 / solution.norm_w, solution.problem.data, 3, 2.0, palette)


def a_gram_matrix(palette):
    x = np.array([-3.0, -1.0, 0.0, 1.0])
    K = (1 + np.outer(x, x)) ** 2
    G = K - np.outer(x, x)
    return coordinates.gram(K, G, G, ["−3", "−1", "0", "1"], np.arange(1, 5), 2, (1, 3), palette)


def a_tree(palette):
    return count.tree(2, 2, True, palette)


def a_staircase(palette):
    ranks = {d: np.minimum(np.arange(1, 13), most) for d, most in ((1, 3), (2, 6), (3, 10))}
    return count.rank(ranks, {1: 3, 2: 6, 3: 10}, 2, 7, palette)


def costs_of_a_kernel(palette):
    d = np.array([1.0, 10.0, 100.0])
    return count.costs(d, d + 1, (d + 2) * (d + 1) / 2, d**2 + d + 1, palette)


SHOWN = {
    "duality.gap.gap": a_gap,
    "duality.hulls.shares": some_shares_of_a_hull,
    "duality.keep.thinning": a_thinning,
    "duality.sum.lemma": a_lemma,
    "duality.programs.heat": a_matrix,
    "duality.offset.dots": a_strip_of_b,
    "duality.parts.parts": some_parts,
    "duality.none.ray": a_ray,
    "duality.saddle.answers": both_answers,
    "duality.saddle.surface": a_saddle,
    "duality.sum.balance": some_sums,
    "duality.primal.plane_of_w": a_plane_of_w,
    "duality.primal.margin_and_length": a_turn,
    "duality.weights.weights": some_weights,
    "extensions.rest.decisions": of(EXTENSIONS, "rest"),
    "extensions.nobody.bars_at_u": of(EXTENSIONS, "nobody"),
    "extensions.nobody.shares": of(EXTENSIONS, "nobody", zones="shares"),
    "extensions.middle.section": of(EXTENSIONS, "middle"),
    "extensions.edge.multiplier_bars": of(EXTENSIONS, "edge"),
    "extensions.tube_chart.losses": of(EXTENSIONS, "tube", beside="street"),
    "extensions.curve.cubic_chart": of(EXTENSIONS, "curve", bent="ways"),
    "extensions.curve.error_chart": of(EXTENSIONS, "curve"),
    "extensions.flat.path_chart": of(EXTENSIONS, "flat"),
    "extensions.flat.slope_chart": of(EXTENSIONS, "flat", growing="outlier"),
    "generalisation.carry.under": of(GENERALISATION, "carry"),
    "generalisation.carry.with_more": of(GENERALISATION, "carry", carried="points"),
    "generalisation.fewer.counts": of(GENERALISATION, "fewer"),
    "generalisation.enough.excess_over_size": of(GENERALISATION, "enough", room="noise"),
    "generalisation.unseen.error_chart": of(GENERALISATION, "unseen"),
    "generalisation.forbid.steps": of(GENERALISATION, "forbid"),
    "generalisation.vc_margin.staircase": of(GENERALISATION, "vc-margin"),
    "generalisation.width.validation": of(GENERALISATION, "width"),
    "generalisation.leave_one_out.counted_points": of(GENERALISATION, "leave-one-out"),
    "kernels.anything.digits": of(KERNELS, "anything", widths="digits"),
    "kernels.anything.margins": of(KERNELS, "anything"),
    "kernels.coordinates.gram": a_gram_matrix,
    "kernels.count.costs": costs_of_a_kernel,
    "kernels.count.rank": a_staircase,
    "kernels.count.tree": a_tree,
    "kernels.psd.eigenvalues": of(KERNELS, "psd"),
    "kernels.series.errors": of(KERNELS, "series", features="random"),
    "kernels.series.squares": of(KERNELS, "series", features="terms"),
    "kernels.series.sums": of(KERNELS, "series"),
    "kernels.representer.along": of(KERNELS, "representer"),
    "kernels.construct.eigenvalue_rows": of(KERNELS, "construct"),
    "kernels.similarity.term_chart": of(KERNELS, "similarity"),
    "losses.recipe.pairs": of(LOSSES, "recipe"),
    "losses.errors.terraced": of(LOSSES, "errors"),
    "losses.restless.errors": of(LOSSES, "restless", restless="errors"),
    "losses.restless.lengths": of(LOSSES, "restless"),
    "losses.over_t_chart.over_t": of(LOSSES, "curves"),
    "losses.far.pulls": of(LOSSES, "far"),
    "losses.balls.ball_on_contours": of(LOSSES, "balls"),
    "losses.kink.balance": of(LOSSES, "kink", touch="all"),
    "losses.kink.hinge_and_line": of(LOSSES, "kink"),
    "losses.down.field": of(LOSSES, "down"),
    "losses.valleys.plane": of(LOSSES, "valleys"),
    "losses.valleys.section": of(LOSSES, "valleys", valleyview="along"),
    "margin.turn.directions": some_directions,
    "margin.perceptron.orders": some_orders,
    "charts.rows.rows_chart": some_rows,
    "charts.error_map.error_curve": errors_along_the_price,
    "charts.error_map.heat_map": errors_as_a_map,
    "margin.scaling.all_margins": all_margins,
    "margin.scaling.both_margins": a_scaling,
    "margin.shake.crossings": a_shake,
    "pegasos.certificate.certificates": of(PEGASOS, "certificate"),
    "pegasos.chance.shares": of(PEGASOS, "chance"),
    "pegasos.comparator.against": of(PEGASOS, "comparator"),
    "pegasos.convergence.convergence": of(PEGASOS, "convergence"),
    "pegasos.cost.over_points": of(PEGASOS, "cost"),
    "pegasos.kernel.coefficients": of(PEGASOS, "kernel"),
    "pegasos.stochastic.over_steps": of(PEGASOS, "stochastic"),
    "pegasos.batch.over_steps": of(PEGASOS, "batch"),
    "pegasos.gradients.over_steps": of(PEGASOS, "gradients"),
    "pegasos.step.lengths": of(PEGASOS, "step"),
    "pegasos.pushes.coefficients": of(PEGASOS, "pushes"),
    "pegasos.rates.two_rates": of(PEGASOS, "rates"),
    "pegasos.regret.regret": of(PEGASOS, "regret"),
    "pegasos.returned.three": of(PEGASOS, "returned"),
    "pegasos.theta.loop": of(PEGASOS, "theta", theta="loop"),
    "pegasos.theta.over_steps": of(PEGASOS, "theta"),
    "soft.hard.near_threshold": a_threshold,
    "soft.multipliers.both_objectives": both_values,
    "soft.multipliers.multipliers": all_multipliers,
    "soft.objective.plane_of_w": a_plane,
    "soft.objective.cut": a_section,
    "soft.objective.slope_bars": steep_slacks,
    "soft.offset.offsets": some_offsets,
    "soft.price.counts": some_numbers,
    "soft.price.trade_off": a_front,
    "soft.price.norm_and_slack": some_shares,
    "soft.price.scaled_errors": a_shrunk_machine,
    "soft.slack.losses": counted_errors,
    "soft.slack.slack_over_distance": a_hinge,
}


def builders():
    """Every function that makes a figure of a lesson, or of the lab, by its name."""
    prefix, kit = lessons.__name__ + ".", (rows.__name__, error_map.__name__)
    builder_of = {}
    for module in (*(each.name for each in pkgutil.walk_packages(lessons.__path__, prefix)), *kit):
        for name, function in inspect.getmembers(importlib.import_module(module), inspect.isfunction):
            own = function.__module__ == module and not name.startswith("_")
            if own and str(inspect.signature(function).return_annotation).endswith("Figure"):
                builder_of[f"{module.removeprefix(prefix).removeprefix('svmlab.lab.')}.{name}"] = function
    return builder_of

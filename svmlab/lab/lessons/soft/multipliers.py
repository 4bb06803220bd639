"""The multiplier of every point along C, in straight pieces that join, and the primal and dual objectives (S1, S11)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.data import Dataset
from svmlab.lab.charts.marks import add_rule, mark_current, points
from svmlab.lab.lessons.soft.along import PathSamples
from svmlab.lab.lessons.soft.walk import SMALL_C, breakpoints, marked, play_C, sampled_path, sampled_path_or_none
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import select_point, set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, NONZERO_W, PRODUCT, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Op, Part, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plot.frame import empty_chart, log_axis
from svmlab.plot.labels import Label, axis_name, place_labels
from svmlab.plot.palette import Palette
from svmlab.solvers.bias import best_biases

VIEWS = {"plain": N_("αᵢ against C"), "shares": N_("αᵢ/C"), "values": N_("primal and dual")}
SAYS = {
    "plain": N_(
        "Each line is the multiplier $\\alpha_i$ of one point, and the thick one is that of the selected point. "
        "On the dashed line, $\\alpha_i = C$, so the point has slack or lies on its margin line."
    ),
    "shares": N_(
        "Each line is $\\alpha_i/C$ of one point. The division by $C$ and the logarithmic axis make the straight "
        "pieces of $\\alpha_i$ look curved. The value is 1 while the point has slack."
    ),
    "values": N_(
        "For the $C$ of the board, the lines are the primal objective of each $w$ along the path (pink) and the dual "
        "objective of each feasible $\\alpha$ (green). They meet at the optimum."
    ),
}


def objectives(stage: Stage) -> tuple[float, float]:
    """Return the primal objective of w and b with their slack, and the dual objective of alpha."""
    solution, problem = stage.solution, stage.solution.problem
    slack, signed = np.maximum(0.0, 1.0 - solution.margins), solution.alpha * problem.data.y
    size = 0.5 * float(signed @ problem.gram @ signed)
    return 0.5 * solution.norm_w**2 + problem.C * float(slack.sum()), float(solution.alpha.sum()) - size


def gap(stage: Stage) -> float:
    """Return the duality gap, 0 where it is only rounding."""
    primal, dual = objectives(stage)
    return abs(primal - dual) if abs(primal - dual) > 1e-9 * primal else 0.0


def smallest_slack(stage: Stage) -> Array:
    """Return the slack of each w along C with its best b (k,).

    Where b is not unique along the path, not every choice is optimal at the C of the board.
    """
    samples, y = sampled_path(stage).samples, stage.data.y
    f = samples.margins * y
    if not stage.lab.bias:
        return samples.slack
    return np.maximum(0.0, 1.0 - y * (f + best_biases(f, y)[:, None])).sum(1)


def current_row(stage: Stage) -> int | None:
    """Return the row of the selected point or, once the answer is shown, of the first free support vector."""
    free = stage.solution.free
    if stage.selected_row is None and stage.shown and free.any():
        return int(free.argmax())
    return stage.selected_row


def draw(stage: Stage) -> Data:
    """Mark the current point, and the breakpoints on the slider with the answer."""
    row = current_row(stage)
    slider = breakpoints(stage) if stage.shown else marked(stage, np.zeros(0))
    return slider | ({} if row is None else {"selected": stage.lab.points[row].id})


def current_alpha(stage: Stage) -> float:
    """Return the multiplier of the current point."""
    row = current_row(stage)
    assert row is not None
    return float(stage.solution.alpha[row])


def current_id(stage: Stage) -> str:
    """Return the number of the current point."""
    row = current_row(stage)
    return "–" if row is None else str(stage.lab.points[row].id)


COUNTS = (
    Measure(
        "α = 0",
        lambda stage: str(int((~stage.solution.support).sum())),
        N_("the number of points with the multiplier 0"),
    ),
    Measure(
        "0 < α < C",
        lambda stage: str(int(stage.solution.free.sum())),
        N_("the number of free support vectors, which lie on their margin line"),
    ),
    Measure("α = C", lambda stage: str(int(stage.solution.at_bound.sum())), N_("the number of points at the bound C")),
)
CURRENT = (
    Measure(N_("point"), current_id, N_("the number of the point with the thick line")),
    Measure("αᵢ", current_alpha, N_("its multiplier")),
    Measure("αᵢ/C", lambda stage: current_alpha(stage) / stage.solution.problem.C, N_("its multiplier divided by C")),
)
OBJECTIVES = (
    Measure(N_("primal"), lambda stage: objectives(stage)[0], N_("the primal objective ½‖w‖² + C Σ ξ of the SVM")),
    Measure(N_("dual"), lambda stage: objectives(stage)[1], N_("the dual objective of its multipliers")),
    Measure(N_("gap"), gap, N_("the difference of both")),
)


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return the multiplier of the current point, or how many are 0, free or at the bound, or both objectives."""
    measures = COUNTS if current_row(stage) is None else CURRENT
    return [measure.reading(stage) for measure in (OBJECTIVES if stage.pick("pulls") == "values" else measures)]


def chart(stage: Stage) -> Chart:
    """Return every multiplier along C, where a click on a mark selects its point, or both objectives along C."""
    samples = sampled_path(stage).samples
    if stage.pick("pulls") == "values":
        return Chart(both_objectives(samples, smallest_slack(stage), stage.lab.C, objectives(stage), stage.palette))
    shares = stage.pick("pulls") == "shares"
    row = current_row(stage)
    current = None if row is None else stage.lab.points[row].id
    figure = multipliers(samples, stage.data, stage.lab.C, current, shares, stage.palette)
    return Chart(figure, on_click=select_point)


def largest_slack(stage: Stage) -> Op:
    """Select the point with the largest slack."""
    return select_point(stage.lab.points[int(stage.solution.xi.argmax())].id)


def formula(stage: Stage) -> str:
    """Return the dual, with the constraint of the bias if there is one."""
    constraint = r",\ \ y^\top\alpha=0" if stage.lab.bias else ""
    limits = rf"\quad\text{{s.t.}}\quad 0\le\alpha_i\le C{constraint}"
    return rf"\max_\alpha\ \sum_i\alpha_i-\tfrac12\,\alpha^\top Q\,\alpha {limits}"


def says(stage: Stage) -> str:
    """Return what the axes and marks of the view are, and what to see."""
    view = stage.pick("pulls")
    return _(SAYS[view])


def verdict(stage: Stage) -> str:
    """Return the answer, with the number of breakpoints if the path is known."""
    known = sampled_path_or_none(stage)
    if known is None:
        return _(
            "Continuous and piecewise linear. Between breakpoints, the multipliers solve equations that are "
            "linear in C."
        )
    words = _(
        "Continuous and piecewise linear. Between breakpoints (here {n}), the multipliers solve equations linear in C."
    )
    return words.format(n=len(known.path.C))


def more(stage: Stage) -> Sequence[Part]:
    """Return the proof, weak duality along the path, and what can be clicked."""
    feasible = (
        _("$0 \\le \\alpha_i \\le C$ and $\\sum_i \\alpha_i y_i = 0$")
        if stage.lab.bias
        else _("$0 \\le \\alpha_i \\le C$")
    )
    return [
        _(
            "**Why the pieces are straight.** In the formula, $Q_{ij} = y_i y_j k(x_i, x_j)$. In the dual, slack adds "
            "only the condition that no multiplier is above $C$. Between two breakpoints, the same points have "
            "$\\alpha_i = 0$, $\\alpha_i = C$ or a free multiplier ($0 < \\alpha_i < C$). The free ones solve linear "
            "equations whose right side is linear in $C$. So they are linear in $C$, and so is $w = \\sum_i \\alpha_i "
            "y_i x_i$. Where the optimal multipliers are not unique, the chart shows one continuous choice."
        ),
        _(
            "**Primal and dual.** The path contains an optimal $w$ and $\\alpha$ for every $C'$. At the $C$ of the "
            "board, the dual objective of each feasible $\\alpha$ is at most the primal objective of each $w$. "
            "Feasible means {feasible}, which can exclude an $\\alpha$ with $C' > C$. Both are equal for $C' = C$. "
            "Each $w$ has its best $b$ here."
        ).format(feasible=feasible),
        _(
            "**Lecture notes.** Gambosi's slides state that “the only difference wrt the linearly separable case is "
            "given by constraints $0 \\le \\lambda_i$ transformed into in $0 \\le \\lambda_i \\le C$”, where "
            "$\\lambda_i$ is their letter for $\\alpha_i$."
        ),
        _("**Selecting.** You can click a mark in the chart or a point on the board to follow its multiplier."),
    ]


def multipliers(
    samples: PathSamples, data: Dataset, C: float, selected: int | None, shares: bool, palette: Palette
) -> go.Figure:
    """Draw alpha_i of every point over C, where its pieces are straight, or the share alpha_i/C over log C.

    At the present C every point is a mark that can be clicked (customdata: its id); `selected` (an id) is drawn strong.
    """
    figure = empty_chart(palette, "", "αᵢ/C" if shares else "αᵢ", height=150)
    keep = np.ones(len(samples.C), bool) if shares else samples.C <= 2.05 * C
    at, alpha = samples.C[keep], samples.alpha[keep]
    if not shares:
        at, alpha = np.r_[0.0, at], np.vstack([np.zeros(data.m), alpha])
    values = alpha / at[:, None] if shares else alpha
    top = 1.0 if shares else max(float(values.max()), 1e-12)
    for sign in (1.0, -1.0):
        xs, ys, who = _joined(at, values, data, np.flatnonzero(data.y == sign))
        _line(figure, xs, ys, who, f"{sign:+g}", palette.pen(palette.class_colour(sign), 1.3), 0.5)
    row = np.flatnonzero(data.ids == selected) if selected is not None else np.zeros(0, np.intp)
    if len(row):
        who = np.full(len(at), float(data.ids[row[0]]))
        _line(figure, at, values[:, row[0]], who, "selected", palette.pen(palette.accent, 4), 1.0)
    _marks(figure, samples, data, C, shares, selected, palette)
    add_rule(figure, palette, palette.accent, "dot", x=C)
    figure.update_yaxes(range=[-0.06 * top, 1.08 * top], nticks=4)
    if shares:
        lo, hi = math.log10(samples.C[0]), math.log10(samples.C[-1])
        figure.update_xaxes(**log_axis(lo, hi)).update_yaxes(tickvals=[0, 1])
        return place_labels(figure, palette, [axis_name(figure, "C", palette)])
    last = float(at[-1])
    figure.update_xaxes(range=[0, last])
    edge = min(last, top)
    bound = go.Scatter(x=np.array([0, edge]), y=np.array([0, edge]), mode="lines", name="bound", hoverinfo="skip")
    figure.add_trace(bound.update(line=palette.pen(palette.quiet, 1.5, "dash")))
    side = "right" if edge == last else "above right"
    return place_labels(
        figure, palette, [Label("αᵢ = C", edge, edge, palette.quiet, side), axis_name(figure, "C", palette)]
    )


def both_objectives(
    samples: PathSamples, slack: Array, C: float, current: tuple[float, float], palette: Palette
) -> go.Figure:
    """Draw, for the constant C, the primal objective of each w along the path and the dual objective of its alpha.

    slack (k,): the total slack of each w with its best b. The dual objective is drawn only where alpha is feasible.
    current: both objectives at the optimum for C.
    """
    figure = empty_chart(palette, height=150)
    size, feasible = 0.5 * samples.norm_w**2, samples.C <= C
    primal, dual = size + C * slack, (samples.alpha.sum(1) - size)[feasible]
    curves = (
        (
            _("primal"),
            np.r_[samples.C[feasible], C, samples.C[~feasible]],
            np.r_[primal[feasible], current[0], primal[~feasible]],
            palette.other,
        ),
        (_("dual"), np.r_[samples.C[feasible], C], np.r_[dual, current[1]], palette.accent),
    )
    for name, x, y, colour in curves:
        trace = go.Scatter(x=x, y=y, name=name, mode="lines", line=palette.pen(colour))
        figure.add_trace(trace.update(hovertemplate=f"{name} %{{y:.6g}}<br>C′ = %{{x:.5g}}<extra></extra>"))
    mark_current(figure, palette, C, current[0])
    lo, hi = math.log10(samples.C[0]), math.log10(samples.C[-1])
    top = 2.2 * current[0]
    figure.update_xaxes(**log_axis(lo, hi)).update_yaxes(range=[0.0, top], nticks=4)
    at, inside = curves[0][1:3], curves[0][2] <= top
    ends = (
        Label(_("primal"), math.log10(at[0][inside][-1]), float(at[1][inside][-1]), palette.other, "below right"),
        Label(_("dual"), math.log10(max(C, samples.C[0])), 0.5 * current[1], palette.accent, "right"),
        axis_name(figure, "C′", palette),
    )
    return place_labels(figure, palette, ends, backed=True)


def _line(figure: go.Figure, x: Array, y: Array, who: Array, name: str, pen: dict[str, object], opacity: float) -> None:
    hover = f"{_('point {id}').format(id='%{customdata}')}<br>%{{y:.6g}}<br>C = %{{x:.5g}}<extra></extra>"
    figure.add_trace(
        go.Scatter(x=x, y=y, customdata=who, mode="lines", name=name, opacity=opacity, line=pen, hovertemplate=hover)
    )


def _marks(
    figure: go.Figure,
    samples: PathSamples,
    data: Dataset,
    C: float,
    shares: bool,
    selected: int | None,
    palette: Palette,
) -> None:
    """Add a mark for every point at the present C. Alpha is linear between the samples."""
    i = int(np.clip(np.searchsorted(samples.C, C), 1, len(samples.C) - 1))
    t = (C - samples.C[i - 1]) / (samples.C[i] - samples.C[i - 1])
    alpha = np.clip((1 - t) * samples.alpha[i - 1] + t * samples.alpha[i], 0.0, C)
    hover = f"{_('point {id}').format(id='%{customdata[0]}')}<br>α = %{{customdata[1]:.6g}}<extra></extra>"
    x, y, custom = np.full(data.m, C), alpha / C if shares else alpha, np.stack([data.ids, alpha], 1)
    figure.add_trace(points(palette, x, y, data.y, custom, data.ids == selected, name="now", hover=hover, edge=2))


def _joined(at: Array, values: Array, data: Dataset, rows: Index) -> tuple[Array, Array, Array]:
    """Return the lines of some points as one trace with gaps.

    Vertices on a straight line between their neighbours are left out.
    """
    xs, ys, who = list[Array](), list[Array](), list[Array]()
    share = (at[1:-1] - at[:-2]) / (at[2:] - at[:-2])
    for i in rows:
        v = values[:, i]
        bend = v[1:-1] - v[:-2] - share * (v[2:] - v[:-2])
        keep = np.r_[True, np.abs(bend) > 1e-9 * max(float(v.max()), 1e-12), True]
        xs += [at[keep], np.array([np.nan])]
        ys += [v[keep], np.array([np.nan])]
        who.append(np.full(int(keep.sum()) + 1, data.ids[i]))
    if not xs:
        return np.zeros(0), np.zeros(0), np.zeros(0)
    return np.concatenate(xs), np.concatenate(ys), np.concatenate(who)


MULTIPLIERS = Step(
    key="multipliers",
    title=N_("Multipliers as functions of C"),
    situation=N_(
        "Each point has a multiplier $\\alpha_i$ (dual variable). If the functional margin $y f(x)$ is above 1, then "
        "$\\alpha_i = 0$. If it is below 1, then $\\alpha_i = C$. On the margin line, where $y f(x) = 1$, $\\alpha_i$ "
        "is between 0 and $C$. For each $C > 0$, the dual problem is solved again."
    ),
    question=N_("What does the multiplier $\\alpha_i$ of a point look like as a function of $C$?"),
    choices=(
        right(N_("Continuous and piecewise linear")),
        wrong(
            N_("Continuous and smooth, without corners"),
            N_(
                "On a logarithmic axis for C, the pieces look curved. On a linear axis, they are straight and "
                "meet in corners."
            ),
        ),
        wrong(
            N_("With jumps where the point reaches its margin line"),
            N_("The point changes its group there. However, at this C its multiplier is still exactly C or exactly 0."),
        ),
    ),
    verdict=verdict,
    board=preset("overlapping", size=24, noise=0.3, seed=2),
    needs=(BOTH_CLASSES, SOFT, PRODUCT, SOLVED, NONZERO_W),
    deeper=True,
    introduces=("path",),
    draw=draw,
    play=lambda stage: play_C(stage, SMALL_C),
    rests_on_answer=lambda stage: bool(stage.solution.free.any() and stage.solution.at_bound.any()),
    numbers=numbers,
    picks=(Pick("pulls", N_("View"), tuple(VIEWS), "plain", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=formula,
    more=more,
    tries=(
        Try(N_("Largest slack"), largest_slack),
        Try(N_("C = 10"), set_machine(face="C", value=10.0)),
        Try(N_("Gaussian moons"), board=preset("moons", size=30, kernel="gaussian", sigma=0.7)),
    ),
    shows=("S1", "S11", "T1"),
)

"""What the steps on the tube and on its edge say is true of the board that they stand on."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from html import unescape

import numpy as np
import pytest

from svmlab.binary.expansion import Evaluation
from svmlab.lab.frame import glossary_popups
from svmlab.lab.glossary.letters import letters
from svmlab.lab.lessons.extensions import LESSON, edge, programs, tube
from svmlab.lab.lessons.extensions.boards import values
from svmlab.lab.lessons.extensions.tube_chart import groups
from svmlab.lab.session.cache import Cache
from svmlab.lab.session.state import History, apply
from svmlab.plot.palette import LIGHT
from svmlab.regression import Tube, TubeCategory, Values, solve
from tests.lessons import stage_of

TUBE, EDGE = LESSON.step("tube"), LESSON.step("edge")
X15 = np.linspace(-3, 3, 15)
Y15 = 0.7 * X15 + 0.5 + 0.4 * np.random.default_rng(2).standard_normal(15)
TEN = [(-3, -1.6), (-2.4, -1.1), (-1.8, -1.2), (-1.1, 0.2), (-0.4, 0.1), (0.3, 0.9), (0.9, 0.5), (1.7, 1.9)]
TEN += [(2.3, 1.4), (3, 2.6)]
BOARDS = {
    "tube": values(TEN, eps=0.4, value=10.0, selected=2)(),
    "edge": values(np.column_stack([X15, Y15]).tolist(), eps=0.3, value=1.0, selected=2)(),
}
NO_WIDTH = replace(BOARDS["tube"], eps=0.0)


def at(step, lab=None, shown=True, **picks):
    lab = BOARDS.get(step.key, step.board()) if lab is None else lab
    stage = stage_of(LESSON, lab, shown)
    return replace(stage, picks={**stage.picks, **picks})


def tried(step, label, lab=None):
    """The board after something was tried."""
    each = next(each for each in step.tries if each.label == label)
    if each.board is not None:
        return each.board()
    stage = at(step, lab)
    return apply(History(stage.lab), each.op(stage) if callable(each.op) else each.op).present


def read(step, stage):
    return {reading.name: reading.exact for reading in step.readings(stage)}


def with_settings(C, eps):
    lab = BOARDS["edge"]
    return edge.solved_with(C, eps, at(EDGE, lab))["lab"]


def number(step, stage, name):
    return float(read(step, stage)[name])


def moved(lab, row, dy):
    points = tuple(p._replace(y=p.y + dy) if i == row else p for i, p in enumerate(lab.points))
    return replace(lab, points=points)


# the tube


def test_moving_a_point_inside_the_tube_does_not_move_the_line():
    stage = at(TUBE)
    row = tube.selected_row(stage)
    assert stage.fit.categories[row] is TubeCategory.INSIDE
    for _again in range(2):
        lab = tried(TUBE, "Move inside", stage.lab)
        other = at(TUBE, lab)
        assert lab.points[row].y != stage.lab.points[row].y
        assert lab.selected == lab.points[row].id
        assert other.fit.categories[row] is TubeCategory.INSIDE
        assert np.sign(other.fit.residuals[row]) == -np.sign(stage.fit.residuals[row])
        assert other.fit.w == pytest.approx(stage.fit.w, abs=1e-12)
        assert other.fit.b == pytest.approx(stage.fit.b, abs=1e-12)
        assert number(TUBE, other, "loss") == number(TUBE, other, "change of f") == 0
        stage = other


def test_outside_the_tube_the_point_changes_f_and_inside_it_does_not():
    before = at(TUBE)
    lab = tried(TUBE, "Move outside")
    stage = at(TUBE, lab)
    assert stage.fit.categories[tube.selected_row(stage)] is TubeCategory.OUTSIDE
    assert number(TUBE, stage, "loss") > 0
    assert number(TUBE, stage, "change of f") > 0.1
    assert abs(number(TUBE, stage, "w") - number(TUBE, before, "w")) > 0.01
    farther = at(TUBE, tried(TUBE, "Move outside", lab))
    row = tube.selected_row(stage)
    assert np.sign(farther.fit.residuals[row]) == -np.sign(stage.fit.residuals[row])
    back = at(TUBE, tried(TUBE, "Move inside", lab))
    assert number(TUBE, back, "w") == pytest.approx(number(TUBE, before, "w"), abs=1e-12)


@pytest.mark.parametrize("row", range(10))
def test_removing_a_point_changes_f_exactly_if_it_is_not_inside(row):
    lab = replace(BOARDS["tube"], selected=row + 1)
    stage = at(TUBE, lab)
    rest = np.arange(10) != row
    data = stage.fit.problem.data
    alone = solve(replace(stage.fit.problem, data=Values(data.X[rest], data.y[rest])), "dual-qp")
    apart = float(np.abs(alone.decision(data.X) - stage.fit.decision(data.X)).max())
    assert number(TUBE, stage, "change of f") == pytest.approx(apart, abs=1e-6)
    assert (apart < 1e-6) == (stage.fit.categories[row] is TubeCategory.INSIDE)


def test_two_points_have_the_known_line_and_objective():
    lab = tried(TUBE, "Two points")
    stage = at(TUBE, lab)
    assert (lab.C, lab.eps) == (1000.0, 0.25)
    assert number(TUBE, stage, "w") == pytest.approx(0.5, abs=1e-12)
    assert stage.fit.b == pytest.approx(0.25, abs=1e-12)
    for fit in programs.both_programs(stage):
        assert (fit.objective, fit.dual_objective) == pytest.approx((0.125, 0.125), abs=1e-9)
        assert fit.alpha == pytest.approx([0, 0.5], abs=1e-9)
        assert fit.alpha_star == pytest.approx([0.5, 0], abs=1e-9)
    assert TUBE.more(stage)[0].count("0.125") == 2


def test_every_point_lies_on_the_curve_and_a_click_selects_it():
    stage = at(TUBE, beside="street")
    figure = TUBE.chart(stage).figure
    curve, street, points = (next(t for t in figure.data if t.name == name) for name in ("tube", "hinge", "points"))
    eps = stage.lab.eps
    assert points.y == pytest.approx(np.interp(points.x, curve.x, curve.y), abs=1e-9)
    assert points.y == pytest.approx(np.maximum(0, np.abs(points.x) - eps), abs=1e-9)
    r = np.linspace(street.x[0], street.x[-1], 50)
    street_loss, loss = np.interp(r, street.x, street.y), np.maximum(0, np.abs(r) - eps)
    within = np.abs(r) < eps
    assert (street_loss[within] > 0).all()
    assert not loss[within].any()
    assert eps * np.maximum(0, 1 - r / eps) == pytest.approx(street_loss)  # the hinge of f = r/eps
    assert TUBE.chart(stage).on_click(points.customdata[3]) == {"op": "select", "id": 4}
    assert "hinge" not in [t.name for t in TUBE.chart(at(TUBE)).figure.data]


def test_in_a_narrow_tube_no_words_overlap():
    figure = TUBE.chart(at(TUBE, moved(replace(BOARDS["tube"], eps=0.1), 1, 4000))).figure
    assert figure.layout.xaxis.ticktext == ("±ε",)
    assert [note.text for note in figure.layout.annotations] == ["\u2003y − f", "loss > 0", "loss > 0"]


def test_the_line_without_the_point_is_drawn_and_the_residual_is_upright():
    stage = at(TUBE, tried(TUBE, "Move outside"))
    dashed, residual = TUBE.draw(stage)["overlay"]
    row = tube.selected_row(stage)
    assert dashed["style"] == "accent dashed"
    x, y = np.reshape(dashed["pts"], (-1, 2)).T
    other = tube.fit_without(stage)
    assert other.problem.data.m == 9
    assert y == pytest.approx(other.decision(x[:, None]), abs=1e-4)
    (x0, y0), (x1, y1) = np.reshape(residual["pts"], (2, 2))
    assert x0 == x1
    assert y1 - y0 == pytest.approx(stage.fit.residuals[row], abs=2e-4)
    assert TUBE.draw(at(TUBE, shown=False)) == {}


def test_the_animation_moves_the_point_inside_the_tube_only():
    stage = at(TUBE)
    play = TUBE.play(stage)
    row = next(i for i, p in enumerate(stage.lab.points) if p.id == play["point"])
    x, y = play["from"]
    assert x == stage.lab.points[row].x / 1000
    assert abs(y - stage.fit.decision(np.array([[x]]))[0]) < stage.lab.eps
    assert TUBE.play(at(TUBE, tried(TUBE, "Move outside"))) is None


def test_the_words_say_that_b_is_not_unique():
    lab = values([(-2, 0), (-1, 0.1), (1, 0), (2, 0.3)], eps=1.0, selected=2)()
    stage = at(TUBE, lab)
    assert stage.fit.b_interval[0] < stage.fit.b_interval[1]
    assert "from" in TUBE.says(at(TUBE, replace(lab, selected=4)))


def test_a_single_point_has_no_line_without_it():
    stage = at(TUBE, values([(1, 1)], eps=0.3)())
    assert [reading.name for reading in TUBE.readings(stage)] == ["w", "loss"]
    assert len(TUBE.draw(stage)["overlay"]) == 1


def test_with_infinitely_many_features_the_curve_is_drawn_without_the_primal_program():
    lab = replace(BOARDS["tube"], kernel="gaussian", sigma=0.7)
    stage = at(TUBE, lab)
    assert TUBE.first_unmet_need(stage) is None
    assert "‖w‖" in read(TUBE, stage)
    assert len(TUBE.draw(stage)["overlay"][0]["pts"]) > 100
    assert not any("Primal and dual" in part for part in TUBE.more(stage))
    assert programs.kkt_violation(*edge.primal_and_dual(at(EDGE, lab))) < 1e-6


@pytest.mark.parametrize("step", [TUBE, EDGE])
def test_a_tube_without_width_does_not_meet_the_needs(step):
    lacking = step.first_unmet_need(at(step, NO_WIDTH))
    assert lacking is tube.WIDE
    assert step.first_unmet_need(at(step, replace(NO_WIDTH, **lacking.settings))) is None


# its edge


def test_the_programs_of_many_points_are_solved_in_the_background_and_not_while_points_move():
    rng = np.random.default_rng(3)
    lab = values(rng.uniform(-3, 3, (programs.FEW + 10, 2)).tolist(), eps=0.3)()
    stage = at(EDGE, lab)
    assert programs.kkt_violation(*edge.primal_and_dual(stage)) < 1e-6
    primal, dual = edge.primal_and_dual(stage)
    assert (primal.status[:6], dual.status[:4]) == ("primal", "dual")
    for waiting in (replace(stage, moving=True, cache=Cache()), replace(stage, request_work=None, cache=Cache())):
        assert edge.primal_and_dual(waiting) is None
        assert EDGE.chart(waiting).figure.data[0].y == pytest.approx(
            waiting.fit.beta[np.argsort(lab.regression_problem.data.X[:, 0])]
        )
        assert not any("Primal and dual" in part for part in EDGE.more(waiting) + TUBE.more(waiting))
        assert len(TUBE.readings(waiting)) == 3


@pytest.mark.parametrize("key", ["tube", "edge", "flat", "curve"])
def test_letters_have_their_meaning_in_regression(key):
    step = LESSON.step(key)
    stage = at(step)
    tex = step.formula if isinstance(step.formula, str) else step.formula(stage)
    named = {term.symbol: term.key for term in letters(tex, step.letters)}
    assert "label" in {term.key for term in letters("y_i")}
    assert named.get("y", "value-to-be-told") == "value-to-be-told"
    assert named.get("w", "slope") == "slope"
    assert ("α*" in named) == (r"\alpha_i^*" in tex)
    assert (
        json.loads(unescape(re.search('data-letters="(.*)"', glossary_popups.own_letters_html(step.letters))[1]))
        == step.letters
    )


def test_the_steps_lend_measured_flowers_of_which_two_lie_on_an_edge():
    for step in (TUBE, EDGE, LESSON.step("flat")):
        fit = at(step, step.board()).fit
        categories = Counter(fit.categories)
        assert categories == {TubeCategory.INSIDE: 8, TubeCategory.EDGE_FREE: 2, TubeCategory.OUTSIDE: 5}
        assert fit.w == pytest.approx([5 / 11])
    assert edge.group(at(EDGE, EDGE.board())) == edge.ON_AN_EDGE


SETTINGS = [(1, 0.3, 1.5166976, 7), (0.1, 0.1, 0.5396403, 13), (10, 0.6, 4.7724232, 4)]  # C, eps, objective, N


@pytest.mark.parametrize(("C", "eps", "value", "count"), SETTINGS)
def test_three_settings_have_their_objectives_and_numbers_of_support_vectors(C, eps, value, count):
    exact = Tube(Values(X15[:, None], Y15), C=C, eps=eps)
    for method in ("exact", "primal-qp", "dual-qp"):
        fit = solve(exact, method)
        assert (fit.objective, fit.dual_objective) == pytest.approx((value, value), abs=1e-7)
        assert fit.support.sum() == count
    stage = at(EDGE, with_settings(C, eps))  # on a board places are whole thousandths
    assert (stage.lab.C, stage.lab.eps) == (C, eps)
    assert stage.fit.objective == pytest.approx(value, rel=3e-3)
    assert number(EDGE, stage, "support vectors") == count
    assert number(EDGE, stage, "Σ (α − α*)") == 0
    assert programs.kkt_violation(*edge.primal_and_dual(stage)) < 1e-9
    assert stage.fit.categories[edge.selected_row(stage)] is TubeCategory.EDGE_FREE
    assert 0 < abs(number(EDGE, stage, "α − α*")) < C


@pytest.mark.parametrize(("C", "eps"), [setting[:2] for setting in SETTINGS])
def test_each_bar_has_a_height_that_the_kkt_conditions_allow_for_its_colour(C, eps):
    stage = at(EDGE, with_settings(C, eps))
    bars, dots = EDGE.chart(stage).figure.data
    C = stage.lab.C
    colour = dict(zip((LIGHT.quiet, LIGHT.accent, LIGHT.other), range(3), strict=True))
    place = np.array([colour[each] for each in bars.marker.color])
    size = np.abs(bars.y)
    assert size[place == 0] == pytest.approx(0, abs=1e-9)
    assert size[place == 2] == pytest.approx(C, abs=1e-9)
    assert ((size[place == 1] > 0) & (size[place == 1] < C)).all()
    assert np.array_equal(dots.y, bars.y)
    ids, r = np.transpose(bars.customdata)
    assert np.array_equal(np.sign(bars.y[place > 0]), np.sign(r[place > 0]))
    x = {p.id: p.x for p in stage.lab.points}
    assert [x[id_] for id_ in ids] == sorted(x.values())
    assert EDGE.chart(stage).on_click(ids[2]) == {"op": "select", "id": int(ids[2])}


def test_a_wrong_multiplier_or_residual_violates_the_kkt_conditions():
    stage = at(EDGE)
    primal, dual = edge.primal_and_dual(stage)
    assert (primal.status[:6], dual.status[:4]) == ("primal", "dual")
    assert programs.kkt_violation(primal, dual) == 0
    for row in np.flatnonzero(groups(dual) != 1):
        spoilt = np.array(dual.alpha)
        spoilt[row] += -1e-3 if dual.beta[row] > 0 else 1e-3
        assert programs.kkt_violation(primal, replace(dual, alpha=spoilt)) == pytest.approx(1e-3)
    assert programs.kkt_violation(replace(primal, b=primal.b + 1e-2, evaluation=Evaluation(w=primal.w)), dual) > 1e-3


@pytest.mark.parametrize(
    ("r", "lowest", "highest"), [(0, 0, 0), (0.3, 0, 2), (-0.3, -2, 0), (0.31, 2, 2), (-0.31, -2, -2), (0.29, 0, 0)]
)
def test_a_residual_bounds_the_multiplier(r, lowest, highest):
    lo, hi = programs.multiplier_bounds(np.array([r]), 0.3, 2.0, 1e-9)
    assert (lo[0], hi[0]) == (lowest, highest)


def test_a_point_that_is_pushed_in_stays_on_the_edge_until_its_multiplier_is_0():
    stage, seen = at(EDGE), []
    row = edge.selected_row(stage)
    for _again in range(3):
        seen.append((stage.fit.categories[row], abs(stage.fit.beta[row])))
        stage = at(EDGE, tried(EDGE, "Push it in", stage.lab))
        assert stage.selected_row == row
    places, sizes = zip(*seen, strict=True)
    assert places == (TubeCategory.EDGE_FREE, TubeCategory.EDGE_FREE, TubeCategory.INSIDE)
    assert sizes[0] > 0.9 > 0.1 > sizes[1] > sizes[2] == 0


@pytest.mark.parametrize(("row", "dy", "word"), [(0, 0, "inside"), (1, 0, "the edge follows it"), (3, 0, "outside")])
def test_the_words_say_where_the_circled_point_lies(row, dy, word):
    lab = replace(BOARDS["edge"], selected=row + 1)
    assert word in EDGE.says(at(EDGE, lab))


@pytest.mark.parametrize(("row", "direction"), [(3, -1), (0, 1), (0, -1)])
def test_the_line_stays_while_a_point_stays_outside_or_inside(row, direction):
    lab = BOARDS["edge"]
    fit = at(EDGE).fit
    room = 500 if fit.categories[row] is TubeCategory.OUTSIDE else int(1000 * (lab.eps - abs(fit.residuals[row]))) - 20
    other = at(EDGE, moved(lab, row, direction * room)).fit
    assert other.w == pytest.approx(fit.w, abs=1e-12)
    assert other.b == pytest.approx(fit.b, abs=1e-12)


def test_a_point_is_circled_before_show_even_if_none_is_selected():
    lab = replace(BOARDS["edge"], selected=None)
    for shown in (False, True):
        stage = at(EDGE, lab, shown)
        assert stage.fit.categories[edge.selected_row(stage)] is TubeCategory.EDGE_FREE
        drawn = EDGE.draw(stage)
        assert drawn["selected"] == lab.points[edge.selected_row(stage)].id
        assert bool(drawn["overlay"]) == shown


def test_the_animation_moves_the_point_from_the_line_to_the_edge():
    stage = at(EDGE)
    play = EDGE.play(stage)
    start = moved(stage.lab, 1, round(1000 * play["from"][1]) - stage.lab.points[1].y)
    assert at(EDGE, start).fit.categories[1] is TubeCategory.INSIDE
    assert EDGE.play(at(EDGE, replace(stage.lab, selected=1))) is None


def test_without_a_bias_the_multipliers_need_not_add_up_to_0():
    stage = at(EDGE, replace(BOARDS["edge"], bias=False))
    assert number(EDGE, stage, "Σ (α − α*)") != 0
    assert programs.kkt_violation(*edge.primal_and_dual(stage)) < 1e-6


def test_a_wide_horizontal_tube_has_no_support_vectors():
    stage = at(EDGE, replace(BOARDS["edge"], eps=4.0))
    assert "horizontal" in EDGE.says(stage)
    assert not EDGE.chart(stage).figure.data[0].y.any()


def test_if_the_multipliers_are_not_unique_the_bars_are_those_of_the_board():
    stage = at(EDGE, values([(0, 0), (1, 1), (1, 1)], eps=0.25, value=5.0)())
    assert stage.fit.alpha_unique is False
    assert EDGE.chart(stage).figure.data[0].y == pytest.approx([-0.5, 0.25, 0.25])
    assert "several choices of multipliers" in EDGE.more(stage)[-1]


def test_if_C_is_much_larger_the_bars_fill_the_chart_and_the_words_say_so():
    figure = EDGE.chart(at(EDGE, tried(TUBE, "Two points"))).figure
    assert figure.layout.yaxis.range[1] < 1
    assert any("outside the chart" in note.text for note in figure.layout.annotations)


@pytest.mark.parametrize("y", [0.1, 0.3])
def test_a_point_inside_moves_the_drawn_line_but_not_w_if_b_is_not_unique(y):
    board = values([(-1, -1.5), (1, 1.5), (0, y), (0, -0.2)], eps=0.5, value=0.1, selected=3)()
    stage = at(EDGE, board)
    assert stage.fit.w == pytest.approx([0.2])
    assert stage.fit.b == pytest.approx(0.5 * (y - 0.2))
    assert "$w$ does not change" in EDGE.says_text(stage)


def test_the_edge_need_not_follow_a_point_with_the_multiplier_0():
    board = values([(0, 0), (1, 1.25), (2, 2)], eps=0.25, value=1000.0, selected=2)()
    stage = at(EDGE, board)
    assert edge.group(stage) == edge.ON_AN_EDGE
    assert edge.multiplier(stage) == 0
    assert "The circled point has the multiplier 0." in EDGE.says_text(stage)
    lower = values([(0, 0), (1, 1.2), (2, 2)], eps=0.25, value=1000.0, selected=2)()
    assert at(EDGE, lower).fit.decision(np.array([[1.0]])) == pytest.approx(1.0)

"""What the steps on the tube and on its edge say is true of the board that they stand on."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape

import numpy as np
import pytest

from svmlab.lab.charts.palette import LIGHT
from svmlab.lab.frame import glossary_popups
from svmlab.lab.glossary.letters import letters
from svmlab.lab.lessons.extensions import LESSON, edge, programs, tube
from svmlab.lab.lessons.extensions.boards import values
from svmlab.lab.lessons.extensions.tube_chart import groups
from svmlab.lab.session.cache import Cache
from svmlab.lab.session.state import History, apply
from svmlab.regression import Place, Tube, Values, solve
from tests.lessons import stage_of

TUBE, EDGE = LESSON.step("tube"), LESSON.step("edge")
X15 = np.linspace(-3, 3, 15)
Y15 = 0.7 * X15 + 0.5 + 0.4 * np.random.default_rng(2).standard_normal(15)
NOWHERE = replace(TUBE.board(), eps=0.0)


def at(step, lab=None, shown=True, **picks):
    stage = stage_of(LESSON, step.board() if lab is None else lab, shown)
    return replace(stage, picks={**stage.picks, **picks})


def tried(step, label, lab=None):
    """The board after something was tried."""
    each = next(each for each in step.tries if each.label == label)
    if each.board is not None:
        return each.board()
    stage = at(step, lab)
    return apply(History(stage.lab), each.op(stage) if callable(each.op) else each.op).present


def told(step, stage):
    return {reading.name: reading.exact for reading in step.numbers(stage)}


def number(step, stage, name):
    return float(told(step, stage)[name])


def moved(lab, row, dy):
    points = tuple(p._replace(y=p.y + dy) if i == row else p for i, p in enumerate(lab.points))
    return replace(lab, points=points)


# the tube


def test_a_point_that_moves_inside_the_tube_moves_nothing():
    stage = at(TUBE)
    row = tube.chosen(stage)
    assert stage.fit.categories[row] is Place.INSIDE
    for _again in range(2):
        lab = tried(TUBE, "Put inside", stage.lab)
        other = at(TUBE, lab)
        assert lab.points[row].y != stage.lab.points[row].y
        assert lab.selected == lab.points[row].id
        assert other.fit.categories[row] is Place.INSIDE
        assert np.sign(other.fit.residuals[row]) == -np.sign(stage.fit.residuals[row])
        for name in ("w", "b"):
            assert number(TUBE, other, name) == pytest.approx(number(TUBE, stage, name), abs=1e-12)
        assert number(TUBE, other, "its ξ") == number(TUBE, other, "moves f by") == 0
        stage = other


def test_across_the_edge_it_is_felt_and_comes_back():
    before = at(TUBE)
    lab = tried(TUBE, "Put outside")
    stage = at(TUBE, lab)
    assert stage.fit.categories[tube.chosen(stage)] is Place.OUTSIDE
    assert number(TUBE, stage, "its ξ") > 0
    assert number(TUBE, stage, "moves f by") > 0.1
    assert abs(number(TUBE, stage, "w") - number(TUBE, before, "w")) > 0.01
    farther = at(TUBE, tried(TUBE, "Put outside", lab))
    row = tube.chosen(stage)
    assert np.sign(farther.fit.residuals[row]) == -np.sign(stage.fit.residuals[row])
    back = at(TUBE, tried(TUBE, "Put inside", lab))
    assert number(TUBE, back, "w") == pytest.approx(number(TUBE, before, "w"), abs=1e-12)


@pytest.mark.parametrize("row", range(10))
def test_a_point_is_felt_just_where_it_is_not_inside(row):
    lab = replace(TUBE.board(), selected=row + 1)
    stage = at(TUBE, lab)
    rest = np.arange(10) != row
    data = stage.fit.problem.data
    alone = solve(replace(stage.fit.problem, data=Values(data.X[rest], data.y[rest])), "dual-qp")
    apart = float(np.abs(alone.decision(data.X) - stage.fit.decision(data.X)).max())
    assert number(TUBE, stage, "moves f by") == pytest.approx(apart, abs=1e-6)
    assert (apart < 1e-6) == (stage.fit.categories[row] is Place.INSIDE)


def test_two_points_have_the_line_and_the_value_that_are_told():
    lab = tried(TUBE, "Two points")
    stage = at(TUBE, lab)
    assert (lab.C, lab.eps) == (1000.0, 0.25)
    assert number(TUBE, stage, "w") == pytest.approx(0.5, abs=1e-12)
    assert number(TUBE, stage, "b") == pytest.approx(0.25, abs=1e-12)
    for fit in programs.answers(stage):
        assert (fit.objective, fit.dual_objective) == pytest.approx((0.125, 0.125), abs=1e-9)
        assert fit.alpha == pytest.approx([0, 0.5], abs=1e-9)
        assert fit.alpha_star == pytest.approx([0.5, 0], abs=1e-9)
    assert TUBE.more(stage)[0].count("0.125") == 2


def test_every_point_lies_on_the_curve_and_a_click_selects_it():
    stage = at(TUBE, beside="street")
    figure = TUBE.chart(stage).figure
    curve, street, points = (next(t for t in figure.data if t.name == name) for name in ("tube", "street", "points"))
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
    assert "street" not in [t.name for t in TUBE.chart(at(TUBE)).figure.data]


def test_in_a_narrow_tube_no_words_are_on_top_of_each_other():
    figure = TUBE.chart(at(TUBE, moved(replace(TUBE.board(), eps=0.1), 1, 4000))).figure
    assert figure.layout.xaxis.ticktext == ("±ε",)
    assert [note.text for note in figure.layout.annotations] == ["\u2003y − f", "pays", "pays"]


def test_the_line_without_the_point_is_drawn_and_the_residual_is_upright():
    stage = at(TUBE, tried(TUBE, "Put outside"))
    dashed, residual = TUBE.draw(stage)["overlay"]
    row = tube.chosen(stage)
    assert dashed["style"] == "accent dashed"
    x, y = np.reshape(dashed["pts"], (-1, 2)).T
    other = tube.without(stage)
    assert other.problem.data.m == 9
    assert y == pytest.approx(other.decision(x[:, None]), abs=1e-4)
    (x0, y0), (x1, y1) = np.reshape(residual["pts"], (2, 2))
    assert x0 == x1
    assert y1 - y0 == pytest.approx(stage.fit.residuals[row], abs=2e-4)
    assert TUBE.draw(at(TUBE, shown=False)) == {}


def test_what_plays_comes_through_the_tube_alone():
    stage = at(TUBE)
    play = TUBE.play(stage)
    row = next(i for i, p in enumerate(stage.lab.points) if p.id == play["point"])
    x, y = play["from"]
    assert x == stage.lab.points[row].x / 1000
    assert abs(y - stage.fit.decision(np.array([[x]]))[0]) < stage.lab.eps
    assert TUBE.play(at(TUBE, tried(TUBE, "Put outside"))) is None


def test_where_b_is_open_the_words_say_so():
    lab = values([(-2, 0), (-1, 0.1), (1, 0), (2, 0.3)], eps=1.0, selected=2)()
    stage = at(TUBE, lab)
    assert stage.fit.b_interval[0] < stage.fit.b_interval[1]
    assert "from" in TUBE.says(at(TUBE, replace(lab, selected=4)))


def test_alone_a_point_has_nothing_to_be_compared_with():
    stage = at(TUBE, values([(1, 1)], eps=0.3)())
    assert [reading.name for reading in TUBE.numbers(stage)] == ["w", "b", "its ξ"]
    assert len(TUBE.draw(stage)["overlay"]) == 1


def test_with_a_kernel_of_endless_features_the_curve_is_drawn_and_the_two_programs_are_left_out():
    lab = replace(TUBE.board(), kernel="gaussian", sigma=0.7)
    stage = at(TUBE, lab)
    assert TUBE.first_unmet_need(stage) is None
    assert "|w|" in told(TUBE, stage)
    assert len(TUBE.draw(stage)["overlay"][0]["pts"]) > 100
    assert not any("Two ways" in part for part in TUBE.more(stage))
    assert number(EDGE, at(EDGE, lab), "two ways differ by") < 1e-6


@pytest.mark.parametrize("step", [TUBE, EDGE])
def test_a_tube_without_width_gets_one(step):
    lacking = step.first_unmet_need(at(step, NOWHERE))
    assert lacking is tube.WIDE
    assert step.first_unmet_need(at(step, replace(NOWHERE, **lacking.settings))) is None


# its edge


def test_the_programs_of_many_points_are_waited_for_and_not_while_they_move():
    rng = np.random.default_rng(3)
    lab = values(rng.uniform(-3, 3, (programs.FEW + 10, 2)).tolist(), eps=0.3)()
    stage = at(EDGE, lab)
    assert number(EDGE, stage, "two ways differ by") < 1e-6
    primal, dual = edge.ways(stage)
    assert (primal.status[:6], dual.status[:4]) == ("primal", "dual")
    for waiting in (replace(stage, moving=True, cache=Cache()), replace(stage, request_work=None, cache=Cache())):
        assert told(EDGE, waiting)["two ways differ by"] == "…"
        assert EDGE.chart(waiting).figure.data[0].y == pytest.approx(
            waiting.fit.beta[np.argsort(lab.regression_problem.data.X[:, 0])]
        )
        assert not any("Two ways" in part for part in EDGE.more(waiting) + TUBE.more(waiting))
        assert len(TUBE.numbers(waiting)) == 4


@pytest.mark.parametrize("key", ["tube", "edge", "eps", "curve"])
def test_letters_stand_for_what_they_are_where_values_are_told(key):
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


def test_both_steps_lend_the_points_of_the_draw():
    rows = list(zip(np.rint(1000 * X15).tolist(), np.rint(1000 * Y15).tolist(), strict=True))
    for step in (EDGE, LESSON.step("eps")):
        assert [(p.x, p.y) for p in step.board().points] == rows


BRIEF = [("", 1, 0.3, 1.5166976, 7), ("C 0.1, ε 0.1", 0.1, 0.1, 0.5396403, 13), ("C 10, ε 0.6", 10, 0.6, 4.7724232, 4)]


@pytest.mark.parametrize(("label", "C", "eps", "value", "carriers"), BRIEF)
def test_the_three_machines_have_the_values_and_the_support_vectors_that_are_told(label, C, eps, value, carriers):
    exact = Tube(Values(X15[:, None], Y15), C=C, eps=eps)
    for method in ("exact", "primal-qp", "dual-qp"):
        fit = solve(exact, method)
        assert (fit.objective, fit.dual_objective) == pytest.approx((value, value), abs=1e-7)
        assert fit.support.sum() == carriers
    stage = at(EDGE, tried(EDGE, label) if label else None)  # on a board places are whole thousandths
    assert (stage.lab.C, stage.lab.eps) == (C, eps)
    assert stage.fit.objective == pytest.approx(value, rel=3e-3)
    assert number(EDGE, stage, "support vectors") == carriers
    assert number(EDGE, stage, "Σ (α − α*)") == 0
    assert number(EDGE, stage, "two ways differ by") < 1e-9
    assert stage.fit.categories[edge.chosen(stage)] is Place.EDGE_FREE
    assert 0 < abs(number(EDGE, stage, "its α − α*")) < C


@pytest.mark.parametrize("label", [label for label, *_rest in BRIEF])
def test_bars_keep_to_what_their_colours_ask_for(label):
    stage = at(EDGE, tried(EDGE, label) if label else None)
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


def test_the_two_ways_part_where_either_is_wrong():
    stage = at(EDGE)
    primal, dual = edge.ways(stage)
    assert (primal.status[:6], dual.status[:4]) == ("primal", "dual")
    assert programs.misfit(primal, dual) == 0
    for row in np.flatnonzero(groups(dual) != 1):
        spoilt = np.array(dual.alpha)
        spoilt[row] += -1e-3 if dual.beta[row] > 0 else 1e-3
        assert programs.misfit(primal, replace(dual, alpha=spoilt)) == pytest.approx(1e-3)
    assert programs.misfit(replace(primal, b=primal.b + 1e-2, explicit_w=primal.w), dual) > 1e-3


@pytest.mark.parametrize(
    ("r", "least", "most"), [(0, 0, 0), (0.3, 0, 2), (-0.3, -2, 0), (0.31, 2, 2), (-0.31, -2, -2), (0.29, 0, 0)]
)
def test_a_residual_asks_for_a_multiplier(r, least, most):
    lo, hi = programs.asked(np.array([r]), 0.3, 2.0, 1e-9)
    assert (lo[0], hi[0]) == (least, most)


def test_pushed_in_a_point_stays_on_the_edge_with_another_multiplier_and_then_is_inside():
    stage, seen = at(EDGE), []
    row = edge.chosen(stage)
    for _again in range(3):
        seen.append((stage.fit.categories[row], abs(stage.fit.beta[row])))
        stage = at(EDGE, tried(EDGE, "Push it in", stage.lab))
        assert stage.selected_row == row
    places, sizes = zip(*seen, strict=True)
    assert places == (Place.EDGE_FREE, Place.EDGE_FREE, Place.INSIDE)
    assert sizes[0] > 0.9 > 0.1 > sizes[1] > sizes[2] == 0


@pytest.mark.parametrize(("row", "dy", "word"), [(0, 0, "inside"), (1, 0, "edge goes along"), (3, 0, "outside")])
def test_the_words_are_about_the_place_of_the_marked_point(row, dy, word):
    lab = replace(EDGE.board(), selected=row + 1)
    assert word in EDGE.says(at(EDGE, lab))


@pytest.mark.parametrize(("row", "way"), [(3, -1), (0, 1), (0, -1)])
def test_a_point_outside_moves_nothing_when_it_goes_farther_and_one_inside_before_it_is_at_an_edge(row, way):
    lab = EDGE.board()
    fit = at(EDGE).fit
    room = 500 if fit.categories[row] is Place.OUTSIDE else int(1000 * (lab.eps - abs(fit.residuals[row]))) - 20
    other = at(EDGE, moved(lab, row, way * room)).fit
    assert other.w == pytest.approx(fit.w, abs=1e-12)
    assert other.b == pytest.approx(fit.b, abs=1e-12)


def test_a_point_is_marked_before_it_is_shown_and_none_need_be_selected():
    lab = replace(EDGE.board(), selected=None)
    for shown in (False, True):
        stage = at(EDGE, lab, shown)
        assert stage.fit.categories[edge.chosen(stage)] is Place.EDGE_FREE
        drawn = EDGE.draw(stage)
        assert drawn["selected"] == lab.points[edge.chosen(stage)].id
        assert bool(drawn["overlay"]) == shown


def test_what_plays_comes_from_the_line_to_the_edge():
    stage = at(EDGE)
    play = EDGE.play(stage)
    start = moved(stage.lab, 1, round(1000 * play["from"][1]) - stage.lab.points[1].y)
    assert at(EDGE, start).fit.categories[1] is Place.INSIDE
    assert EDGE.play(at(EDGE, replace(stage.lab, selected=1))) is None


def test_without_an_offset_the_multipliers_need_not_balance():
    stage = at(EDGE, replace(EDGE.board(), bias=False))
    assert number(EDGE, stage, "Σ (α − α*)") != 0
    assert number(EDGE, stage, "two ways differ by") < 1e-6


def test_a_level_tube_is_held_by_no_point():
    stage = at(EDGE, replace(EDGE.board(), eps=4.0))
    assert "level" in EDGE.says(stage)
    assert not EDGE.chart(stage).figure.data[0].y.any()


def test_where_the_load_can_be_shared_the_bars_are_those_of_the_board():
    stage = at(EDGE, values([(0, 0), (1, 1), (1, 1)], eps=0.25, value=5.0)())
    assert stage.fit.alpha_unique is False
    assert EDGE.chart(stage).figure.data[0].y == pytest.approx([-0.5, 0.25, 0.25])
    assert "several ways" in EDGE.more(stage)[-1]


def test_where_C_is_far_above_the_bars_fill_the_chart_and_the_words_say_so():
    figure = EDGE.chart(at(EDGE, tried(TUBE, "Two points"))).figure
    assert figure.layout.yaxis.range[1] < 1
    assert any("far above" in note.text for note in figure.layout.annotations)

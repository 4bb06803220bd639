"""What the step on the sample size and the dimension says is true of its board."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from svmlab.generalisation import enough_points, risk_bound, risk_lambda
from svmlab.lab.lessons.generalisation import LESSON
from svmlab.lab.lessons.generalisation.enough import FLOOR, measured, radius, solved
from svmlab.lab.teach.boards import board_of_points
from tests.lessons import DoneAtOnce, stage_of

STEP = LESSON.step("enough")
ASK = DoneAtOnce()


def at(board=None, room="turned", shown=True, **dials):
    stage = stage_of(LESSON, board or STEP.board(), shown, ASK)
    return replace(stage, picks={**stage.picks, "room": room}, dials=dials)


def numbers_by_name(stage):
    return {reading.name: reading.text for reading in STEP.readings(stage)}


def traces(stage):
    return {trace.name: trace for trace in STEP.chart(stage).figure.data}


def test_the_board_is_a_draw_within_the_unit_disc():
    stage = at()
    assert stage.data.m == 80
    assert radius(stage) == pytest.approx(1, abs=1e-12)
    assert stage.lab.view == 1.5


def test_the_calculator():
    assert numbers_by_name(at()) == {"R": "1", "sufficient m": "356", "in the chosen space": "356, R = 1"}
    circle = board_of_points([(1, 0, 1), (0, 1, 1), (-1, 0, -1), (0, -0.5, -1)], bias=False)()
    assert numbers_by_name(at(circle, excess=0.1))["sufficient m"] == "3\u00a0200"
    assert numbers_by_name(at(circle, excess=0.1, norm=4.0))["sufficient m"] == "12\u00a0800"
    wide_board = board_of_points([(2, 0, 1), (0, 1, 1), (-1, 0, -1), (0, -0.5, -1)], bias=False)()
    assert numbers_by_name(at(wide_board, excess=0.1))["sufficient m"] == "12\u00a0800"
    assert enough_points(0.1) == 3200


@pytest.mark.one_in(3)
@pytest.mark.parametrize("room", ["plane", "turned", "noise"])
def test_the_means_stay_below_the_bound_and_above_a_twentieth_of_it(room):
    stage = at(room=room)
    for measurement, r in zip(measured(stage), (1.0, math.sqrt(1 + 98 * 0.09)), strict=False):
        long = r if room == "noise" else 1.0
        bound = np.array([risk_bound(m, long, 2.0) for m in measurement.m])
        assert measurement.m == (20, 80, 320)
        assert (measurement.mean < bound).all()
        assert (measurement.mean > bound / 20).all(), "the control fails"


def test_the_numbers_in_the_plane():
    (plane,) = measured(at(room="plane"))
    assert plane.mean == pytest.approx([0.112, 0.059, 0.028], abs=0.01)
    assert plane.bound == pytest.approx([1.265, 0.632, 0.316], abs=5e-4)
    part = next(part for part in STEP.more(at(room="plane")) if part.startswith("**Two computations"))
    for number in ("1.265", "0.6325", "0.3162"):
        assert number in part


def test_turned_nothing_moves_and_with_noise_all_does():
    plane, turned = measured(at())
    assert turned.excess == pytest.approx(plane.excess, abs=1e-8)
    one, other = (trace.y for trace in STEP.chart(at()).figure.data if trace.name == "bound bound")
    assert (one == other).all()
    plane, noisy = measured(at(room="noise"))
    assert (noisy.mean > 2 * plane.mean).all()
    seen = traces(at(room="noise"))
    ratio = seen["bound 100 d"].y / seen["bound plane"].y
    assert ratio == pytest.approx(math.sqrt(1 + 98 * 0.09))
    assert numbers_by_name(at(room="noise"))["in the chosen space"] == "3\u00a0492, R = 3.13"
    assert "by its square, 9.82." in STEP.says(at(room="noise"))


def test_the_ring_is_where_the_bound_comes_down_to_eps():
    for eps in (0.1, 0.3, 1.0):
        ring = traces(at(room="plane", excess=eps))["enough bound"]
        (m,), (y,) = ring.x, ring.y
        assert y == eps
        assert risk_bound(m, radius(at()), 2.0) <= eps < risk_bound(m - 1, radius(at()), 2.0)


def test_every_draw_is_in_the_chart_with_its_own_excess():
    stage = at(room="plane")
    dots = traces(stage)["samples bound"]
    (plane,) = measured(stage)
    assert np.sort(dots.customdata[:, 1]) == pytest.approx(np.sort(plane.excess.ravel()))
    assert (dots.y == np.maximum(dots.customdata[:, 1], FLOOR)).all()
    assert traces(stage)["mean bound"].customdata == pytest.approx(plane.mean)


def test_below_the_best_stands_at_the_foot():
    stage = at(room="plane", norm=1.0)
    (plane,) = measured(stage)
    assert plane.excess.min() < 0  # w may be longer than B
    dots = traces(stage)["samples bound"]
    assert dots.y.min() == FLOOR
    assert dots.customdata[:, 1].min() < 0


def test_only_R_times_B_matters():
    """Twice as far out with half of B, the draws are the same."""
    lab = STEP.board()
    twice = replace(lab, points=tuple(p._replace(x=2 * p.x, y=2 * p.y) for p in lab.points), view=3.0)
    one, other = at(room="plane", norm=2.0), at(twice, room="plane", norm=1.0)
    assert measured(one)[0].excess == pytest.approx(measured(other)[0].excess)
    assert numbers_by_name(one)["sufficient m"] == numbers_by_name(other)["sufficient m"]


def test_the_svm_on_the_board_is_that_of_the_bound():
    stage = at()
    own = solved(stage)
    assert own.problem.lam == pytest.approx(2 * risk_lambda(80, radius(stage), 2.0))
    assert not own.problem.bias
    drawn = STEP.drawn(stage)
    assert drawn["lines"]["zero"]
    assert drawn["slack"] == []
    assert drawn["message"] is None
    assert [slider["key"] for slider in drawn["sliders"]] == ["excess", "norm"]
    assert STEP.drawn(at(norm=4.0))["lines"] != drawn["lines"]


def test_before_it_is_shown_there_is_a_circle_and_its_radius():
    drawn = STEP.drawn(at(shown=False))
    disc, arrow = drawn["overlay"]
    assert disc["pts"][2] == pytest.approx(radius(at()), abs=1e-3)
    assert np.hypot(*arrow["pts"][2:]) == pytest.approx(disc["pts"][2], abs=1e-3)
    assert drawn["lines"] is None
    assert drawn["sliders"] == []


def test_a_point_at_two_doubles_R():
    stage = at(next(each.board for each in STEP.tries if each.board)())
    assert radius(stage) == pytest.approx(2, abs=1e-12)
    assert numbers_by_name(stage)["R"] == "2"
    assert numbers_by_name(replace(stage, dials={"excess": 0.1}))["sufficient m"] == "12\u00a0800"


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("ball", "excess"), [(2.0, 0.3), (4.0, 0.05), (0.5, 0.1)])
def test_one_point_fewer_is_not_sufficient(ball, excess):
    words = next(part for part in STEP.more(at(norm=ball, excess=excess)) if "one fewer" in part)
    allowed, one_fewer = (
        float(words.split(mark)[1].split(",")[0].rstrip(".")) for mark in ("bound is ", "fewer it is ")
    )
    assert allowed <= excess < one_fewer


def test_points_at_the_origin_have_no_length():
    stage = at(board_of_points([(0, 0, 1), (0, 0, -1)], bias=False)())
    assert "radius R" in STEP.first_unmet_need(stage).why


def test_a_hand_that_drags_waits_for_nothing():
    stage = replace(at(), dragging=True, moving=True, request_work=None)
    assert STEP.drawn(stage)["lines"]
    assert len(STEP.readings(stage)) == 3

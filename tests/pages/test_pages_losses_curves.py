"""What the step on the curves of the losses says is true of the board that it stands on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from svmlab.lab.lessons.losses import LESSON
from svmlab.lab.lessons.losses.curves import (
    COMPARED_AT,
    bounds,
    crosses,
    curve_value,
    functional_margins,
    moving_row,
    smallest_curvature,
    smallest_difference,
)
from svmlab.lab.lessons.losses.over_t_chart import HI
from svmlab.lab.session.state import History, apply
from svmlab.lab.teach.boards import board_of_points
from svmlab.losses import LOSSES
from tests.lessons import stage_of

STEP = LESSON.step("curves")
ABOVE = {"squared", "logistic", "exponential", "hinge"}


def at(name="hinge", board=None):
    stage = stage_of(LESSON, board or STEP.board())
    return replace(stage, picks={**stage.picks, "curve": name})


def dots(stage):
    return next(trace for trace in STEP.chart(stage).figure.data if trace.name == "points")


@pytest.mark.parametrize("name", LOSSES)
def test_on_the_grid_a_curve_is_below_the_step_exactly_where_that_is_said(name):
    assert bounds(name) == (name in ABOVE)
    assert (smallest_difference(name, COMPARED_AT) >= 0) == bounds(name)
    assert smallest_difference(name, COMPARED_AT) <= smallest_difference(name, functional_margins(at()))
    assert (r"\nleq" in STEP.formula(at(name))) == (name not in ABOVE)


def test_the_controls_are_below_the_step():
    half = np.array([-0.5])
    assert curve_value("perceptron", half)[0] == 0.5
    assert curve_value("sigmoid", half)[0] == pytest.approx(0.622, abs=5e-4)
    assert smallest_difference("perceptron", COMPARED_AT) == -1
    assert smallest_difference("sigmoid", COMPARED_AT) == -0.5
    assert 0 in COMPARED_AT


def test_the_bound_is_tight_at_0():
    assert [float(curve_value(name, np.zeros(1))[0]) for name in sorted(ABOVE)] == pytest.approx([1.0] * 4)
    assert curve_value("logistic", np.ones(1))[0] == pytest.approx(np.log2(1 + np.exp(-1)))


def test_on_each_side_the_sigmoid_loss_differs_by_less_than_a_half():
    wrong, right = (
        curve_value("sigmoid", COMPARED_AT[COMPARED_AT <= 0]),
        curve_value("sigmoid", COMPARED_AT[COMPARED_AT >= 0]),
    )
    assert wrong.min() == right.max() == 0.5
    assert np.ptp(wrong) < 0.5
    assert np.ptp(right) < 0.5


def test_the_sigmoid_alone_bends_downward():
    assert {name for name in LOSSES if smallest_curvature(name) < 0} == {"sigmoid"}
    assert smallest_curvature("sigmoid") == pytest.approx(-np.sqrt(3) / 18, abs=1e-4)
    assert any("not convex" in part for part in STEP.more(at("sigmoid")))
    assert not any("not convex" in part for part in STEP.more(at("hinge")))


@pytest.mark.parametrize("name", LOSSES)
def test_the_numbers_are_those_of_the_board(name):
    stage = at(name)
    errors, total, smallest = (float(reading.exact) for reading in STEP.readings(stage))
    assert errors == sum(stage.solution.margins < 0) == 2
    assert total == pytest.approx(curve_value(name, stage.solution.margins).sum())
    assert smallest == pytest.approx(smallest_difference(name, COMPARED_AT))
    assert name not in ABOVE or errors <= total


def test_dots_lie_on_the_curve_and_those_farther_out_at_the_edge_as_arrowheads():
    stage = at("squared")
    dot_trace, t = dots(stage), functional_margins(stage)
    outside = t > HI
    assert outside.any()
    assert not outside.all()
    assert (dot_trace.x[outside] == HI).all()
    assert set(dot_trace.marker.symbol[outside]) == {"triangle-right"}
    inside = ~outside & (curve_value("squared", t) < 4)
    assert dot_trace.y[inside] == pytest.approx((1 - t[inside]) ** 2)
    assert dot_trace.customdata[:, 1] == pytest.approx(t)
    said = [note.text for note in STEP.chart(stage).figure.layout.annotations]
    assert f"{int(outside.sum())} farther" in said


def test_a_click_on_a_dot_selects_its_point():
    stage = at()
    chart = STEP.chart(stage)
    op = chart.on_click(dots(stage).customdata[3, 0])
    chosen = apply(History(stage.lab), op).present
    assert chosen.selected == stage.data.ids[3]
    ringed = dots(at(board=chosen)).marker.size
    assert ringed.argmax() == 3


def test_a_point_that_crosses_the_line_moves_its_dot_over_0():
    stage = at()
    op = crosses(stage)
    row = [point.id for point in stage.lab.points].index(op["id"])
    after = at(board=apply(History(stage.lab), op).present)
    assert functional_margins(stage)[row] > 0 >= functional_margins(after)[row]


def test_what_comes_from_its_own_side_is_the_worst_point_or_the_selected():
    stage = at()
    assert functional_margins(stage)[moving_row(stage)] == functional_margins(stage).min() < 0
    play = STEP.play(stage)
    home = apply(History(stage.lab), {"op": "move", "id": play["point"], "x": play["from"][0], "y": play["from"][1]})
    assert functional_margins(at(board=home.present))[moving_row(stage)] > 0
    assert moving_row(at(board=replace(stage.lab, selected=5))) == 4


def test_errors_far_out_stand_at_the_top_and_at_the_left():
    rows = [(x, y / 2, int(x)) for x in (-1, 1) for y in range(-4, 5)]
    stage = at("exponential", board_of_points([*rows, (2.5, 0, -1), (6, 0, -1)], value=100.0)())
    dot_trace = dots(stage)
    assert functional_margins(stage)[-2:] == pytest.approx([-2.5, -6.0])
    assert list(dot_trace.marker.symbol[-2:]) == ["triangle-up", "triangle-left"]
    assert list(dot_trace.y[-2:]) == [4, 4]
    said = [note.text for note in STEP.chart(stage).figure.layout.annotations]
    assert "2 higher" in said


def test_the_rings_are_the_training_errors_and_the_verdict_counts_them():
    stage = at()
    rings = [item["pts"][:2] for item in STEP.drawn(stage)["overlay"]]
    assert rings == stage.data.X[functional_margins(stage) <= 0].tolist()
    assert STEP.drawn(replace(stage, shown=False)) == {}
    assert STEP.verdict_text(stage).endswith("Its sum 4.64 is at least the number of errors, 2.")

"""What the step on the kink of the hinge says and draws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from svmlab.lab.lessons.losses import LESSON
from svmlab.lab.session import state
from svmlab.lab.session.state import History
from svmlab.lab.teach.boards import board_of_points, preset
from tests.lessons import stage_of

STEP = LESSON.step("kink")


def at(board=None, touch="one", **dials):
    stage = stage_of(LESSON, board or STEP.board())
    return replace(stage, dials=dials, picks={**stage.picks, "touch": touch})


def tried(number, stage):
    """The stage after a Try: a dial is turned, or another point is selected."""
    op = STEP.tries[number].op(stage)
    if op["op"] == "dial":
        return replace(stage, dials={**stage.dials, **op["values"]})
    return replace(stage, lab=state.apply(History(stage.lab), op).present)


def read(stage):
    return {reading.name: reading.text for reading in STEP.numbers(stage)}


def trace(stage, name):
    return next(each for each in STEP.chart(stage).figure.data if each.name == name)


def of_class(label):
    lab = STEP.board()
    return replace(lab, selected=next(p.id for p in lab.points if p.label == label))


@pytest.mark.parametrize(("label", "interval"), [(1, "[−1, 0]"), (-1, "[0, 1]")])
def test_at_the_kink_the_class_decides_the_interval(label, interval):
    stage = at(of_class(label))
    assert read(stage)["subgradients"] == interval
    assert read(stage)["above the graph by"] == "0"
    assert np.isnan(trace(stage, "above").y).all()


@pytest.mark.parametrize("label", [1, -1])
def test_a_line_that_is_too_steep_turns_pink_on_one_side(label):
    stage = tried(0, at(of_class(label)))
    pink, black = trace(stage, "above"), trace(stage, "line")
    assert pink.line.color == stage.palette.other
    cut = pink.x[np.isfinite(pink.y)]
    assert len(cut) > 100
    assert (label * cut < 1).all()
    assert (label * black.x[np.isfinite(black.y)] >= 1 - 0.011).all()
    assert read(stage)["above the graph by"] == "0.2"


@pytest.mark.parametrize(("label", "slopes"), [(1, ["−1.05", "0.05", "−1.05"]), (-1, ["1.05", "−0.05", "1.05"])])
def test_just_outside_is_tried_on_both_ends_in_turn(label, slopes):
    stage, tried_slopes = at(of_class(label)), []
    for _each in slopes:
        stage = tried(0, stage)
        tried_slopes.append(read(stage)["slope s"])
        assert np.isfinite(trace(stage, "above").y).any()
    assert tried_slopes == slopes


def test_a_line_that_rises_at_the_kink_turns_pink_beyond_it():
    stage = at(of_class(1), slopeP=0.05)
    pink = trace(stage, "above")
    assert (pink.x[np.isfinite(pink.y)] > 1).all()
    assert np.isfinite(pink.y).any()


@pytest.mark.parametrize(("label", "slope"), [(1, "−1"), (-1, "1")])
def test_off_the_kink_one_slope_is_left(label, slope):
    stage = tried(1, at(of_class(label)))
    assert read(stage)["subgradients"] == slope
    assert "the only subgradient" in STEP.says(stage)
    assert np.isfinite(trace(stage, "above").y).any()


def test_how_far_a_line_is_above_the_hinge_is_read_at_its_kink():
    off = at(of_class(1), kinkP=0.4, slopeP=-0.5)
    assert read(off)["above the graph by"] == "0.3"


def test_the_other_class_mirrors_the_line():
    stage = at()
    other = tried(2, stage)
    assert (read(stage)["slope s"], read(other)["slope s"]) == ("−0.5", "0.5")
    assert [[slider["value"] for slider in STEP.draw(each)["sliders"]] for each in (stage, other)] == [
        [-0.5, 1],
        [0.5, -1],
    ]
    back = tried(2, other)
    assert back.data.y[back.selected_row] == 1


def test_the_place_of_the_line_is_on_the_board():
    stage = at(of_class(1), kinkP=0.4)
    _circle, line, *_vector = STEP.draw(stage)["overlay"]
    ends = np.array(line["pts"]).reshape(-1, 2)
    np.testing.assert_allclose(stage.solution.decision(ends), 0.4, atol=1e-3)
    assert [slider["key"] for slider in STEP.draw(stage)["sliders"]] == ["slopeP", "kinkP"]


def test_all_slopes_are_shown_and_balance():
    stage = at(touch="all")
    said = read(stage)
    assert said["Σ s"] == "0"
    assert said["w"] == said["−C Σ s x"]
    bars, free = trace(stage, "slopes"), trace(stage, "free")
    assert len(bars.y) == stage.data.m
    assert len(free.y) == stage.solution.free.sum() == 3
    assert ((np.abs(free.y) > 0) & (np.abs(free.y) < 1)).all()
    assert bars.y.sum() == pytest.approx(0, abs=1e-12)
    assert "sliders" not in STEP.draw(stage)
    assert r"\sum_i s_i=0" in STEP.formula(stage)


def test_without_b_the_slopes_need_not_add_to_0():
    board = preset("overlapping", size=24, noise=0.3, seed=1, bias=False)()
    stage = at(board, touch="all")
    said = read(stage)
    assert said["w"] == said["−C Σ s x"]
    assert said["Σ s"] != "0"
    assert r"\sum_i s_i=0" not in STEP.formula(stage)
    assert "need not be 0" in STEP.more(stage)[1]


def test_where_all_points_are_in_sight_a_line_to_try_brings_the_one_point():
    assert STEP.tries[0].op(at(touch="all")) == {"op": "pick", "values": {"touch": "one"}}
    assert STEP.tries[2].op(at(touch="all"))["op"] == "select"


def test_the_sign_of_the_slides_is_given_with_its_numbers():
    sign = next(part for part in STEP.more(at()) if part.startswith("**A sign"))
    assert "0 ≥ 2" in sign
    assert "0 ≥ 0" in sign


def test_twins_of_both_classes_have_a_hinge_though_there_is_no_line():
    board = board_of_points([(1, 1, 1), (1, 1, -1), (-1, 0, 1), (-1, 0, -1)])()
    stage = at(board)
    assert STEP.first_unmet_need(stage) is None
    assert [item["kind"] for item in STEP.draw(stage)["overlay"]] == ["disc", "line", "arrow"]
    assert read(at(board, touch="all"))["w"] == "(0, 0)"
    STEP.chart(stage)
    STEP.chart(at(board, touch="all"))


@pytest.mark.parametrize("label", [1, -1])
def test_the_arrow_is_in_the_segment_of_the_subgradients_or_pink(label):
    for slope, style in ((-1.0, "accent"), (-0.5, "accent"), (-1.05, "witness-line"), (0.05, "witness-line")):
        stage = at(of_class(label), **{"slopeP" if label > 0 else "slopeN": label * slope})
        *_rest, segment, arrow = STEP.draw(stage)["overlay"]
        x = stage.data.X[stage.selected_row]
        assert arrow["pts"][2:] == pytest.approx(-label * slope * x, abs=1e-3)
        assert arrow["style"] == style
        ends = np.reshape(segment["pts"], (2, 2))
        assert sorted(np.linalg.norm(ends, axis=1)) == pytest.approx([0, np.linalg.norm(x)], abs=1e-3)

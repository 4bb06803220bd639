"""What the step on leaving one out says is true of the board that it stands on."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from svmlab import Dataset, solve
from svmlab.generalisation import leave_one_out
from svmlab.lab.lessons.generalisation import LESSON
from svmlab.lab.lessons.generalisation import leave as module
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.stage import Working
from tests.lessons import stage_of

STEP = LESSON.step("leave")
COUNTS = {"": (3, 6, 6), "σ = 0.5, C = 10": (1, 14, 19), "σ = 0.2": (7, 19, 23), "Hard margin": (0, 3, 3)}
CONTROLS = {"": (0, None), "σ = 0.5, C = 10": (None, 0)}  # training errors, points with slack


def board(label=""):
    return next((each.board() for each in STEP.tries if each.label == label), None) or STEP.board()


def at(label="", **changes):
    return stage_of(LESSON, replace(board(label), **changes))


def cells(stage):
    """How many cells each bar has, by its name."""
    return {trace.name: len(trace.x) for trace in STEP.chart(stage).figure.data}


@pytest.mark.parametrize("label", COUNTS)
def test_the_bars_are_those_of_the_brief_and_in_their_order(label):
    stage = at(label)
    bars = list(cells(stage).values())
    assert tuple(bars) == COUNTS[label]
    assert bars == sorted(bars)
    wrong = [item for item in STEP.draw(stage)["overlay"] if item["style"] == "witness-line"]
    assert len(wrong) == COUNTS[label][0]
    assert STEP.answer(stage) == 0


@pytest.mark.parametrize("label", CONTROLS)
def test_neither_training_errors_nor_slack_bound_the_leave_one_out_error(label):
    told = {reading.name: float(reading.exact) for reading in STEP.numbers(at(label))}
    for value, name in zip(CONTROLS[label], ("training errors", "points with slack"), strict=True):
        assert value is None or told[name] == value


@pytest.mark.parametrize("label", COUNTS)
def test_every_cell_stands_where_its_point_does_in_the_other_bars(label):
    places = {}
    for trace in STEP.chart(at(label)).figure.data:
        for (id_, *_row), base in zip(trace.customdata, trace.base, strict=True):
            assert places.setdefault(int(id_), float(base)) == float(base)
    assert len(set(places.values())) == len(places)


def test_a_click_on_a_cell_selects_its_point():
    stage = at()
    trace = STEP.chart(stage).figure.data[0]
    op = STEP.chart(stage).on_click(trace.customdata[0][0])
    assert op == {"op": "select", "id": int(trace.customdata[0][0])}
    assert op["id"] in [point.id for point in stage.lab.points]


@pytest.mark.parametrize("row", [0, 5, 17, 23])
def test_the_chosen_point_is_judged_by_the_machine_of_the_others(row):
    lab = board()
    stage = at(selected=lab.points[row].id)
    told = {reading.name: float(reading.exact) for reading in STEP.numbers(stage)}
    data, rest = lab.data, np.arange(24) != row
    alone = solve(replace(lab.problem, data=Dataset(data.X[rest], data.y[rest])), method="dual-qp")
    assert told["left out"] == pytest.approx(float(data.y[row] * alone.decision(data.X[[row]])[0]), abs=1e-5)
    assert told["its y f"] == pytest.approx(float(solve(lab.problem).margins[row]))
    if not solve(lab.problem).support[row]:
        assert told["left out"] == pytest.approx(told["its y f"])


def test_the_dashed_line_is_that_of_the_others_and_stays_when_the_point_is_dragged():
    lab = board()
    before = at(selected=lab.points[12].id)
    moved = [p._replace(x=p.x + 300, y=p.y - 200) if p.id == lab.points[12].id else p for p in lab.points]
    after = stage_of(LESSON, replace(lab, points=tuple(moved), selected=lab.points[12].id))

    def dashed(stage):
        return [item["pts"] for item in STEP.draw(stage)["overlay"] if item["style"] == "accent dashed"]

    assert dashed(before)
    assert dashed(before) == dashed(after)


def test_without_a_click_the_point_that_goes_most_wrong_is_left_out():
    stage = at()
    found = leave_one_out(stage.lab.problem)
    assert module.chosen(stage) == int((found.y * found.f).argmin())
    hard = at("Hard margin")
    assert module.chosen(hard) == int(hard.solution.alpha.argmax())


def test_the_point_that_plays_comes_from_its_own_class():
    stage = at()
    play = STEP.play(stage)
    point = next(p for p in stage.lab.points if p.id == play["point"])
    start = next(p for p in stage.lab.points if [p.x / 1000, p.y / 1000] == play["from"])
    assert start.label == point.label
    assert start.id != point.id


def test_while_it_is_worked_on_the_first_bar_waits(monkeypatch):
    def busy(stage):
        raise Working(None)

    monkeypatch.setattr(module, "left_out", busy)
    stage = at()
    assert list(cells(stage).values()) == [0, 6, 6]
    assert [item["style"] for item in STEP.draw(stage)["overlay"]] == ["accent dashed", "accent"]
    assert any("…" in note.text for note in STEP.chart(stage).figure.layout.annotations)


def test_where_b_may_be_chosen_the_words_say_so():
    """Two labels that just balance: all alpha are C, and the middle of b's interval goes against a point that pulls
    little."""
    lab = replace(board_of_points(((-1, 2, -1), (-1, -1, 1), (1, -1, -1)))(), kernel="gaussian", sigma=5.0, value=0.001)
    stage = stage_of(LESSON, lab)
    assert STEP.first_unmet_need(stage) is None
    assert module.left_out(stage).wrong[0]
    assert not module.pulling(stage)[0]
    assert "interval" in STEP.says(stage)
    assert any("A condition" in part for part in STEP.more(stage))


def test_the_words_under_it_tell_the_counts():
    two_ways, *_rest = STEP.more(at("σ = 0.2"))
    assert "7 of 24" in two_ways
    assert "19 points" in two_ways
    assert "23 are" in two_ways
    assert math.isclose(module.reach_squared(at("σ = 0.2").lab.problem), 1.0, abs_tol=1e-9)

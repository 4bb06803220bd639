"""What the step on seen and unseen points says is true of the board that it stands on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from svmlab.generalisation import PresetSource, flipped
from svmlab.lab.lessons.generalisation import LESSON
from svmlab.lab.lessons.generalisation.unseen import found, origin, shares
from svmlab.lab.session.point_source import with_sample
from svmlab.lab.session.state import History, Lab, apply
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.stage import Working
from tests.lessons import stage_of

STEP = LESSON.step("unseen")


def at(board=None, shown=True):
    return stage_of(LESSON, board or STEP.board(), shown)


def after(op, lab=None):
    """The board after an operation of the step."""
    return apply(History(lab or STEP.board()), op).present


def tried(label, stage):
    op = next(each.op for each in STEP.tries if each.label == label)
    return after(op(stage) if callable(op) else op, stage.lab)


def ringed(stage):
    """Which of the dots are the board."""
    dots = next(trace for trace in STEP.chart(stage).figure.data if trace.name == "draws")
    return np.flatnonzero(dots.marker.size > dots.marker.size.min()).tolist()


def said(stage):
    return {reading.name: reading.text for reading in STEP.numbers(stage)}


def test_on_twenty_points_the_seen_go_wrong_less_often():
    stage = at()
    assert (origin(stage).source, len(stage.lab.points)) == (flipped(0.1), 20)
    assert STEP.answer(stage) == 0
    assert STEP.verdict_text(stage) == "smaller: 0.136 against 0.183, the means of 40 draws."


def test_on_three_hundred_points_no_gap_is_left():
    stage = at(tried("m = 300", at()))
    assert len(stage.lab.points) == 300
    assert STEP.answer(stage) == 1
    assert STEP.verdict_text(stage) == "the same, as far as 40 draws can tell: 0.137 and 0.136 on average."


def test_more_flips_and_a_narrow_gaussian_widen_the_gap():
    flips = at(tried("η = 0.3", at()))
    assert origin(flips).source == flipped(0.3)
    assert STEP.verdict_text(flips) == "smaller: 0.3 against 0.402, the means of 40 draws."
    narrow = at(tried("Gaussian, σ = 0.1", at()))
    assert STEP.verdict_text(narrow).startswith("smaller: 0 against 0.47")
    assert "±" in said(narrow)["true error"]


def test_the_board_is_the_draw_that_its_dot_says():
    stage = at()
    figure = STEP.chart(stage).figure
    dots = next(trace for trace in figure.data if trace.name == "draws")
    here = origin(stage).seed
    train, true, _error = shares(stage)
    assert (dots.x[here], dots.y[here]) == (train, true)
    assert ringed(stage) == [here]


@pytest.mark.parametrize("board", [STEP.board, preset("moons", size=30, seed=2, kernel="gaussian", sigma=0.5)])
def test_a_click_on_a_dot_brings_its_draw(board):
    stage = at(board())
    chart = STEP.chart(stage)
    dots = next(trace for trace in chart.figure.data if trace.name == "draws")
    for number in (0, 11, 39):
        there = at(after(chart.on_click(dots.customdata[number]), stage.lab))
        train, true, _error = shares(there)
        assert (train, true) == (dots.x[number], dots.y[number])
        assert (origin(there).seed, origin(there).moved_count) == (number, 0)
        assert there.lab.kernel_function == stage.lab.kernel_function
        assert found(there).gap == found(stage).gap


def test_unseen_points_are_drawn_once_shown_and_those_that_go_wrong_are_counted():
    stage = at()
    assert "overlay" not in STEP.draw(at(shown=False))
    assert list(said(at(shown=False))) == ["wrong of the seen"]
    assert STEP.draw(at(shown=False))["message"] is STEP.draw(stage)["message"] is None
    items = STEP.draw(stage)["overlay"]
    count = dict.fromkeys(("missed", "fresh"), 0)
    for item in items:
        count["missed" if "missed" in item["style"] else "fresh"] += len(item["pts"]) // 2
    assert sum(count.values()) == 400
    assert said(stage)["of 400 unseen"].startswith(f"{count['missed']}/400")
    for item in items:
        X = np.reshape(item["pts"], (-1, 2))
        y = 1.0 if "plus" in item["style"] else -1.0
        assert ((y * stage.solution.decision(X) <= 0) == ("missed" in item["style"])).all()


def test_the_unseen_are_near_the_true_error():
    stage = at()
    share = int(said(stage)["of 400 unseen"].split("/")[0]) / 400
    true = shares(stage)[1]
    assert abs(share - true) < 3 * np.sqrt(true * (1 - true) / 400)


def test_points_of_ones_own_are_told_that_nobody_knows_their_like():
    own = board_of_points([(x, y, 1 if x + y > 0 else -1) for x in (-2, -1, 1, 2) for y in (-1.5, -0.5, 1)])()
    lacking = STEP.first_unmet_need(at(own))
    assert lacking is not None
    assert "distribution of these points is unknown" in lacking.why


def test_a_preset_that_still_stands_is_its_own_source():
    stage = at(preset("circles", size=60, kernel="gaussian", sigma=0.1)())
    assert STEP.first_unmet_need(stage) is None
    assert origin(stage).source == PresetSource("circles", 0.1)
    assert STEP.answer(stage) == 0
    assert any("From the preset" in part for part in STEP.more(stage))
    assert not any("fair coin" in part for part in STEP.more(stage))
    assert [a.text for a in STEP.chart(stage).figure.layout.annotations if "least" in a.text] == []


def test_where_errors_are_rare_on_both_sides_it_is_the_same():
    assert STEP.answer(at(preset("separable", size=200, value=100.0)())) == 1


def test_a_point_that_is_dragged_is_told_and_the_draws_stay():
    stage = at()
    first = stage.lab.points[0]
    moved = at(after({"op": "move", "id": first.id, "x": 3.0, "y": -3.0}))
    assert STEP.first_unmet_need(moved) is None
    assert origin(moved).moved_count == 1
    assert "by hand: 1." in STEP.says(moved)
    assert "by hand" not in STEP.says(stage)
    assert STEP.verdict_text(moved) == STEP.verdict_text(stage)
    assert ringed(moved) == []
    assert said(moved) != said(stage)


def test_a_board_without_its_first_point_is_no_draw_and_without_its_last_one_is():
    lab = STEP.board()
    first, last = (at(replace(lab, points=points)) for points in (lab.points[1:], lab.points[:-1]))
    assert (origin(first).moved_count, ringed(first)) == (1, [])
    assert (origin(last).moved_count, ringed(last)) == (0, [origin(last).seed])


def test_a_line_that_has_seen_nothing_has_no_gap_but_chance():
    part = next(part for part in STEP.more(at()) if part.startswith("**It comes"))
    share, error = (float(part.split("it has ")[1].split(" ± ")[0]), float(part.split(" ± ")[1].split(" ")[0]))
    assert abs(share - flipped(0.1).bayes_error) < 2 * error


def test_the_two_ways_agree():
    stage = at(with_sample(Lab(value=1.0), flipped(0.1), 60, 0))
    part = next(part for part in STEP.more(stage) if part.startswith("**Two ways"))
    exact = float(part.split("$ = ")[1].split(". Of")[0])
    share, error = (float(each) for each in part.split("points ")[1].split(" go")[0].split(" ± "))
    assert exact == pytest.approx(shares(stage)[1], abs=1e-5)
    assert abs(exact - share) < 3.5 * error


def test_a_hand_that_drags_waits_for_no_draws():
    stage = replace(at(), dragging=True, request_work=None)
    assert STEP.draw(stage)["overlay"]
    assert len(STEP.numbers(stage)) == 3
    with pytest.raises(Working):
        STEP.answer(stage)

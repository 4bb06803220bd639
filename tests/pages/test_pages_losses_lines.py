"""What the steps on counting errors and on the perceptron without separability say is true of the board that they stand
on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from svmlab import Linear, Problem, solve
from svmlab.lab.lessons.losses import LESSON
from svmlab.lab.lessons.losses.fewest import fewest
from svmlab.lab.session import inbox
from svmlab.lab.session.state import History
from svmlab.lab.session.tab import Session
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.plane.geometry import Line
from tests.lessons import stage_of

SIX = ((1, 0, 1), (2, 1, 1), (2, -1, 1), (-1, 0, -1), (-2, 1, -1), (-2, -1, -1))
FAR = board_of_points((*SIX, (5, 0, -1), (5, 0.5, -1)), value=1.0)
ERRORS, RESTLESS = LESSON.step("errors"), LESSON.step("restless")


def at(step, board=None, **picks):
    """A step shown on its own board or another."""
    stage = stage_of(LESSON, board or step.board())
    return replace(stage, picks={**stage.picks, **picks})


def numbers_by_name(step, stage):
    """The numbers under the verdict, by their names."""
    return {reading.name: float(reading.exact) for reading in step.readings(stage)}


def tried(step, label):
    return next(each for each in step.tries if each.label == label).board()


def wrong(line, data):
    return int((data.y * (data.X @ line.w + line.b) <= 0).sum())


# counting


def test_on_two_far_points_the_svm_has_three_errors_and_the_best_line_two():
    stage = at(ERRORS, FAR())
    assert stage.lab.points == tried(ERRORS, "w = 0").points
    for C in (0.1, 1.0, 10.0, 1000.0):
        stage = at(ERRORS, FAR() if C == 1.0 else replace(FAR(), value=C))
        assert numbers_by_name(ERRORS, stage) == {"your errors": 2, "minimum": 2, "errors of the SVM": 3}
        assert ERRORS.answer(stage) == 3
    assert ERRORS.verdict_text(stage) == (
        "For none of them. The minimum is 2, but the SVM makes 3, 3, 3 and 3 errors. It minimises another loss."
    )


def test_on_the_corners_the_best_line_has_five_errors_and_the_svm_six_to_ten():
    counts = set()
    for C in (0.1, 1.0, 10.0, 1000.0):
        readings = numbers_by_name(ERRORS, at(ERRORS, replace(tried(ERRORS, "XOR"), value=C)))
        assert readings["minimum"] == 5
        counts.add(readings["errors of the SVM"])
    assert counts == {6, 10}
    assert ERRORS.answer(at(ERRORS, tried(ERRORS, "XOR"))) == 3


def test_its_own_board_has_a_line_of_the_svm_that_is_not_the_best():
    stage = at(ERRORS)
    assert stage.solution.norm_w > 0.4
    assert (ERRORS.answer(stage), numbers_by_name(ERRORS, stage)["minimum"]) == (3, 1)
    assert [int((solve(Problem(stage.data, Linear(), C)).margins <= 1e-9).sum()) for C in (0.1, 1, 10, 1000)] == [
        3,
        5,
        3,
        3,
    ]


def test_on_separable_points_the_svm_agrees():
    stage = at(ERRORS, tried(ERRORS, "Separable"))
    assert ERRORS.answer(stage) == 0
    assert numbers_by_name(ERRORS, stage)["minimum"] == 0


def test_where_a_large_c_is_needed_it_is_said():
    stage = at(ERRORS, board_of_points(((0, 0, 1), (1, 0, 1), (3, 0, 1), (4, 0, 1), (-0.2, 0, -1)), value=1.0)())
    assert ERRORS.answer(stage) == 1
    assert "C = 1000" in ERRORS.verdict_text(stage)


def test_the_best_line_needs_no_gap_that_only_rounding_leaves():
    stage = at(
        ERRORS, board_of_points((*SIX, (4.4, 2.6, -1), (4.3, 1.1, -1)), value=1.0)()
    )  # (4.3, 1.1), (1, 0), (-2, -1)
    minimiser = fewest(stage)
    line = Line(minimiser.w, minimiser.b)
    assert wrong(line, stage.data) == minimiser.errors == 1
    assert np.abs(line.margins(stage.data.X, stage.data.y)).min() > 0.1


def test_the_line_placed_by_hand_is_counted_and_ringed():
    stage = replace(at(ERRORS, FAR()), hand=((0.0, 3.0), (0.0, -3.0)))
    assert numbers_by_name(ERRORS, stage)["your errors"] == wrong(Line.through(*stage.hand), stage.data) == 2
    rings = [item for item in ERRORS.draw(stage)["overlay"] if item["kind"] == "disc"]
    assert sorted(item["pts"][:2] for item in rings) == [[5, 0], [5, 0.5]]


def test_before_it_is_shown_nothing_of_the_svm_or_the_best_line_is_seen():
    stage = replace(at(ERRORS), shown=False)
    drawn = ERRORS.draw(stage)
    assert drawn["lines"] is None
    assert drawn["shade"] is None
    assert {item["kind"] for item in drawn["overlay"]} == {"disc"}
    assert list(numbers_by_name(ERRORS, stage)) == ["your errors"]


def test_a_click_on_the_map_puts_the_line_there_with_as_many_errors():
    session = Session(History(ERRORS.board()))
    for board in (ERRORS.board(), tried(ERRORS, "XOR")):
        stage = at(ERRORS, board)
        chart = ERRORS.chart(stage)
        places = next(trace for trace in chart.figure.data if trace.name == "places")
        for index, count in places.customdata[::37].tolist():
            inbox.do(session, chart.on_click(index), strict=True)
            hand = session.lessons.inputs["hand"]
            placed_ = replace(stage, hand=(tuple(hand["a"]), tuple(hand["b"])))
            assert numbers_by_name(ERRORS, placed_)["your errors"] == count


def test_the_best_line_is_dashed_where_there_is_one():
    alone = board_of_points(
        ((0, 0, 1), (1, 0, 1), (2, 0, 1), (1, 0, -1)), value=1.0
    )()  # no line beats calling all points +
    for board, drawn in ((ERRORS.board(), True), (alone, False)):
        stage = at(ERRORS, board)
        assert any(item["style"] == "accent dashed" for item in ERRORS.draw(stage)["overlay"]) == drawn


def test_as_printed_the_right_points_are_counted_and_the_best_line_is_turned_round():
    board = tried(ERRORS, "Separable")
    right, printed = at(ERRORS, board), at(ERRORS, board, counted="printed")
    readings = numbers_by_name(ERRORS, printed)
    assert readings["the slides' sum"] == board.data.m - readings["your errors"]
    assert readings["best reversed"] == 0
    assert ERRORS.draw(printed)["shade"] != ERRORS.draw(right)["shade"]
    marks = {t.name: t for t in ERRORS.chart(printed).figure.data}
    grey, turned = marks["errors"], marks["best reversed"]
    counted = grey.z[np.abs(grey.y - turned.y[0]).argmin(), np.abs(grey.x - turned.x[0]).argmin()]
    assert counted == 0  # every point is wrong there


def test_a_drag_of_many_points_does_not_wait_for_the_count():
    stage = replace(at(ERRORS, preset("overlapping", size=60, noise=0.2, seed=1)()), dragging=True, request_work=None)
    assert "shade" in ERRORS.draw(stage)
    assert "minimum" not in numbers_by_name(ERRORS, stage)
    assert "best" not in {trace.name for trace in ERRORS.chart(stage).figure.data}


# without an end


def test_on_the_corners_it_never_ends_and_stays_within_two():
    stage = at(RESTLESS)
    assert RESTLESS.answer(stage) == 1
    assert numbers_by_name(RESTLESS, stage) == {"mistakes": 400, "largest ‖(w, b)‖": 2, "errors in the pocket": 1}
    assert "After mistake 4" in RESTLESS.says(stage)
    assert not stage.situation.separation.separable


@pytest.mark.parametrize("label", ["Overlapping", "Rings"])
def test_elsewhere_it_wanders_and_the_pocket_is_left_again(label):
    stage = at(RESTLESS, tried(RESTLESS, label), restless="errors")
    assert RESTLESS.answer(stage) == 1
    assert any(part.startswith("**The pocket.") for part in RESTLESS.more(stage))
    lines = {trace.name: trace.y for trace in RESTLESS.chart(stage).figure.data if trace.name}
    assert (np.minimum.accumulate(lines["present"]) == lines["pocket"]).all()
    assert lines["present"][-1] > lines["pocket"][-1]


def test_with_one_corner_moved_it_stops():
    stage = at(RESTLESS, tried(RESTLESS, "One corner moved"))
    assert RESTLESS.answer(stage) == 0
    assert RESTLESS.verdict_text(stage) == (
        "It stops at a line with the fewest training errors, which is 0. The number of mistakes is 11."
    )
    assert numbers_by_name(RESTLESS, stage)["errors in the pocket"] == 0


def test_a_narrow_gap_is_not_called_endless():
    stage = at(RESTLESS, board_of_points(((7, 7, 1), (7, 6.999, -1), (-7, -7, 1), (-7, -7.001, -1)))())
    assert RESTLESS.answer(stage) == 0
    assert "more than 400" in RESTLESS.verdict_text(stage)


def test_the_film_shows_each_of_the_first_mistakes_and_the_end():
    stage = at(RESTLESS)
    frames = RESTLESS.draw(stage)["film"]["frames"]
    assert [each["ring"] for each in frames[:6]] == [1, 2, 3, 4, 1, 2]
    assert "400" in frames[-1]["caption"]
    assert RESTLESS.draw(replace(stage, shown=False)).get("film") is None


def test_a_line_has_one_colour_on_the_board_and_in_the_chart():
    stage = at(RESTLESS, tried(RESTLESS, "Overlapping"), restless="errors")
    last = RESTLESS.draw(stage)["film"]["frames"][-1]
    assert [item["style"] for item in last["items"]] == ["accent"] * 2 + ["witness-line dashed"] * 2
    assert "(dashed)" in last["caption"]
    for pick, name in (("errors", "present"), ("length", "(w, b)")):
        figure = RESTLESS.chart(replace(stage, picks={**stage.picks, "restless": pick})).figure
        assert next(trace for trace in figure.data if trace.name == name).line.color == stage.palette.other
        assert stage.palette.other not in [shape.line.color for shape in figure.layout.shapes]


def test_the_film_opens_at_its_end_and_a_moving_hand_sees_that_alone():
    stage = at(RESTLESS)
    film, moving = (RESTLESS.draw(each)["film"] for each in (stage, replace(stage, dragging=True)))
    assert film["at"] == len(film["frames"]) - 1
    assert moving["frames"] == film["frames"][-1:]
    assert moving["key"] != film["key"], "the board counts its frames anew"


def test_its_loss_is_least_at_zero_where_nothing_is_learned():
    loss = next(part for part in RESTLESS.more(at(RESTLESS)) if part.startswith("**Its loss"))
    assert "all 4 points" in loss
    assert "has the loss 3." in loss  # w = (-1, 1), b = 1 has one point wrong, with y f = -3

"""The step on feature maps: its words, its answer, and the picture above, which follows the board."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from svmlab import Linear, Problem, solve
from svmlab.kernels.features import Lift
from svmlab.lab.lessons.kernels import LESSON
from svmlab.lab.lessons.kernels.lift import LIFT, OFF_MIDDLE, lift_of, nested, raised_svm
from svmlab.lab.session.lab import Lab, with_preset
from svmlab.lab.session.state import apply, initial_history
from svmlab.lab.session.tab import Session
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.open_lesson import OpenLesson
from tests.lessons import stage_of

CIRCLES = LIFT.tries[0].board


def stage(lab, height="square"):
    default_stage = stage_of(LESSON, lab)
    return replace(default_stage, picks={**default_stage.picks, "height": height})


def read(lab, height="square"):
    return {reading.name: reading.text for reading in LIFT.numbers(stage(lab, height))}


def test_the_numbers_are_those_of_the_svm_up_there():
    assert read(LIFT.board()) == {"margin": "0.78", "thresholds": "−1.33, 1.33", "errors": "0/12"}
    assert read(LIFT.board(), "norm") == {"margin": "0.3", "thresholds": "−1.3, 1.3", "errors": "0/12"}
    assert read(LIFT.board(), "cube") == {"margin": "–", "errors": "6/12"}
    circles = stage(CIRCLES())
    exact = solve(Problem(Lift().raised(circles.data), Linear(), 10.0))
    assert raised_svm(circles).geometric_margin == pytest.approx(exact.geometric_margin, abs=1e-12)
    assert read(CIRCLES())["errors"] == "0/40"


def test_off_the_middle_the_line_is_tilted_and_a_cube_helps_too():
    assert read(OFF_MIDDLE())["errors"] == read(OFF_MIDDLE(), "cube")["errors"] == "0/11"
    assert "number of training errors is 0" in LIFT.says_text(stage(OFF_MIDDLE(), "cube"))
    assert "number of training errors is 6" in LIFT.says_text(stage(LIFT.board(), "cube"))
    assert "Not every feature map helps" in LIFT.says_text(stage(LIFT.board(), "cube"))
    assert "Not every feature map helps" not in LIFT.says_text(stage(OFF_MIDDLE(), "cube"))


def test_two_thresholds_and_a_circle_are_named_only_where_there_are():
    assert "above the two thresholds" in LIFT.says_text(stage(LIFT.board()))
    assert "above the circle" in LIFT.says_text(stage(CIRCLES()))
    few = [(x, 0, -1) for x in (-3, -2, -1, 1, 2, 3, 3.3, 3.5)] + [(0, 0, 1)]
    lonely = stage(board_of_points(few, value=0.01)())
    assert "number of thresholds" in LIFT.says_text(lonely)
    plane = board_of_points([(0.3, 0.2, 1), *((x, y, -1) for x in (-2, 2) for y in (-2, -1, 1, 2))], value=0.001)
    assert "no circle" in LIFT.says_text(stage(plane()))


def test_what_happens_is_found_on_the_board():
    among = LIFT.board()
    among = replace(among, points=(*among.points[:-1], among.points[-1]._replace(x=0, y=0)))
    apart = board_of_points([(-2, 0, -1), (-1, 0.5, -1), (1, 0, 1), (2, -0.5, 1)])()
    happens = [LIFT.answer(stage(lab)) for lab in (LIFT.board(), CIRCLES(), OFF_MIDDLE(), among, apart)]
    assert happens == [1, 1, 1, 2, 0]
    assert LIFT.first_unmet_need(stage(among)) is None, "a point may be dragged among the others"


def test_it_asks_about_points_inside_others_alone():
    for lab, inside in ((LIFT.board(), True), (CIRCLES(), True), (OFF_MIDDLE(), True)):
        assert nested(stage(lab)) is inside
    for name in ("overlapping", "separable", "xor", "moons"):
        assert not nested(stage(with_preset(replace(Lab(), preset=name, size=40)))), name


def test_the_situation_tells_its_story_on_its_own_board_alone():
    assert "medicine" in LIFT.situation_text(stage(LIFT.board()))
    assert "(x, x^2)" in LIFT.situation_text(stage(OFF_MIDDLE()))
    assert "(x_1, x_2" in LIFT.situation_text(stage(CIRCLES()))


def test_every_picture_of_the_socket_brings_what_stands_above():
    session = Session(initial_history())
    session.lessons.open_steps[LESSON.page] = LIFT.key
    place = OpenLesson(session, LESSON)
    place.prepare_board()
    overlay, history = place.step_overlay(LIFT), session.history
    assert overlay(history, {}) == {**overlay(history, {}), "message": None, "legend": None}
    assert "space" not in overlay(history, {}), "nothing is drawn before it is shown"
    shown = replace(overlay, stage=replace(overlay.stage, shown=True))
    first = shown(history, {})["space"]
    moved = apply(history, {"op": "move", "id": 10, "x": 2.0, "y": 0.4, "live": True})
    space = shown(moved, {})["space"]
    assert space["plane"] != first["plane"]
    stage_ = replace(stage(moved.present), moving=True)
    assert space == LIFT.chart(stage_).as_json
    a, b, c, d = space["plane"]
    assert (a, b) == pytest.approx((raised_svm(stage_).w[0], 0), abs=1e-9)
    xs = sorted(line[0] for line in space["shadow"])
    np.testing.assert_allclose([a * x + c * x * x + d for x in xs], 0, atol=1e-3)
    assert lift_of(stage_).flat


def test_what_is_seen_is_said_in_words():
    assert LIFT.chart(stage(LIFT.board())).description == (
        "12 points, each at the height x² above the board. The boundary is a plane. The number of training errors is "
        "0. On the line, its thresholds are −1.33, 1.33."
    )
    assert LIFT.chart(stage(LIFT.board(), "cube")).description.endswith("There is no boundary, because w = 0.")

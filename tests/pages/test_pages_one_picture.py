"""What a drag shows past the page is what the page shows, on every board: of every task, and under every step."""

import json
from dataclasses import replace

import pytest

from svmlab.lab.board import board_data, drag_socket
from svmlab.lab.board.board_picture import Additions, drawn_or_message
from svmlab.lab.session import inbox, share
from svmlab.lab.session.controls import BINARY, CLASSES, VALUES
from svmlab.lab.session.lab import Lab, with_preset, with_valid_labels
from svmlab.lab.session.lesson_state import Answer
from svmlab.lab.session.state import History, initial_history
from svmlab.lab.session.svm_settings import SvmSettings
from svmlab.lab.session.tab import Session
from svmlab.lab.teach.open_lesson import OpenLesson, overlay_of
from svmlab.lab.teach.step import Data, Lesson, Step
from tests.lessons import LESSONS

STEPS = [(lesson, step) for lesson in LESSONS for step in lesson.steps]


def dragged_point(session: Session) -> list[dict]:
    """A point on its way by a tenth."""
    point = session.lab.points[-1]
    return [{"op": "move", "id": point.id, "x": point.x / 1000 + 0.1, "y": point.y / 1000 - 0.1, "live": True}]


def differences(session: Session, ops: list[dict], added: Additions, second: bool = False) -> list[str]:
    """The parts of the picture in which the drag socket and the page differ after the same operations."""
    before = share.encode(session.lab)
    inbox.receive(session, {"boot": session.boot, "seq": session.ack + 1, "board": session.boards.shown, "ops": ops})
    points = [[p.id, p.x / 1000, p.y / 1000, p.label] for p in session.lab.points]
    others = [op for op in ops if op["op"] != "move"]
    asked = {"share": before, "ops": [{"op": "points", "points": points}, *others], "second": second}
    drawn = json.loads(drag_socket.draw(json.dumps(asked), None, session)[0])
    page = json.loads(json.dumps(board_data(session, added=added)))
    if second:
        page["second"] = {name: page["second"][name] for name in drawn["second"]}
    return [name for name, value in drawn.items() if page[name] != value]


@pytest.mark.parametrize("hidden", [(), ("kernel", "price")])
@pytest.mark.parametrize("unseen", [False, True])
@pytest.mark.parametrize("pair", [False, True])
def test_on_the_page_lab(hidden, unseen, pair):
    lab = with_preset(replace(Lab(), preset="overlapping", size=30, unseen=unseen))
    session = Session(History(replace(lab, second=SvmSettings(kernel="gaussian") if pair else None)))
    session.link = replace(session.link, hidden=hidden)
    added = Additions(test_points=True, second=pair)
    assert differences(session, dragged_point(session), added, second=pair) == []
    assert differences(session, [{"op": "set", "values": {"value": 0.5}, "live": True}], added, second=pair) == []


@pytest.mark.parametrize("task", [BINARY, CLASSES, VALUES])
def test_on_a_board_of_every_task(task):
    session = Session(History(with_valid_labels(with_preset(replace(Lab(), size=20, task=task)))), page="extensions")
    assert differences(session, dragged_point(session), Additions()) == []


def opened(lesson: Lesson, step: Step, shown: bool) -> OpenLesson:
    """A step as its page leaves it for the drag socket."""
    session = Session(initial_history(), page=lesson.page)
    place = OpenLesson(session, lesson)
    session.lessons.open_steps[lesson.page] = step.key
    session.lessons.answers[place.step_name(step)] = Answer(None, shown)
    place.prepare_board()
    session.lessons.step_overlay, session.lessons.lab_to_draw = place.step_overlay(step), lesson.lab_to_draw
    return place


def drawn(place: OpenLesson, step: Step) -> Data:
    """What the page lets the step draw. No long work is begun."""
    return drawn_or_message(lambda: overlay_of(step, replace(place.stage(step), request_work=None)))


def drags(place: OpenLesson, step: Step) -> list[list[dict]]:
    """A point that is dragged, and each slider and marked position of the step."""
    drag_ops, picture = [dragged_point(place.session)], drawn(place, step)
    for slider in picture.get("sliders", []):
        at = 0.25 * slider["lo"] + 0.75 * slider["hi"]
        value = at if slider.get("linear") else 10**at
        drag_ops.append([{"op": slider.get("op", "set"), "values": {slider["key"]: value}, "live": True}])
    if picture.get("probe"):
        drag_ops.append([{"op": "dial", "values": {picture["probe"][axis]: 0.5 for axis in "xy"}, "live": True}])
    return drag_ops


@pytest.mark.one_in(6)
@pytest.mark.parametrize(("lesson", "step"), STEPS, ids=[f"{lesson.page}.{step.key}" for lesson, step in STEPS])
def test_under_every_step(lesson: Lesson, step: Step) -> None:
    for shown in (False, True):
        for number in range(len(drags(opened(lesson, step, shown), step))):
            place = opened(lesson, step, shown)
            ops = drags(place, step)[number]
            added = Additions(lab_to_draw=lesson.lab_to_draw, step_part=lambda *_board, at=place: drawn(at, step))
            assert differences(place.session, ops, added) == [], (shown, ops)

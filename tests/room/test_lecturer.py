"""What a lecturer's tab may do, and what it publishes."""

import json
from dataclasses import replace

import pytest

from svmlab.lab.lessons.extensions import LESSON as EXTENSIONS
from svmlab.lab.lessons.margin import LESSON as MARGIN
from svmlab.lab.room import keys, lecturer, live_room
from svmlab.lab.room.live_room import LiveRoom
from svmlab.lab.room.room import Stop
from svmlab.lab.session import link, share
from svmlab.lab.session.controls import CLASSES
from svmlab.lab.session.lab import Lab, Point
from svmlab.lab.session.lesson_state import Answer
from svmlab.lab.session.state import History
from svmlab.lab.session.tab import LedRoom, Session
from svmlab.lab.teach.lesson import _Page
from svmlab.lab.teach.open_lesson import OpenLesson

CODE, NOW = "K7Q4", 1_800_000_000.0
LAB = Lab(points=(Point(1, 1000, 1000, 1), Point(2, -1000, -1000, -1)))


@pytest.fixture
def session(monkeypatch):
    monkeypatch.setattr(keys, "secret", lambda: b"s" * 32)
    return Session(History(LAB))


@pytest.fixture
def published(monkeypatch):
    """What is published, as (code, name of what is called, arguments), in place of an event loop."""
    said = []

    class Recorder:
        def __getattr__(self, name):
            return lambda *given: said.append((name, *given))

    monkeypatch.setattr(live_room, "soon", lambda code, key, act: act(Recorder()))
    return said


def handle(session, event):
    return lecturer.handle(session, event, lambda: NOW)


def test_a_tab_leads_the_room_whose_key_it_has(session, monkeypatch):
    live_room.ROOMS["AAAA"] = LiveRoom("AAAA")
    codes = iter(("AAAA", "BBBB", "BBBB", *("CCCC",) * 10))
    monkeypatch.setattr(keys, "new_code", lambda: next(codes))
    try:
        offered = dict(handle(session, {"open": True})["offered"])
    finally:
        del live_room.ROOMS["AAAA"]
    assert set(offered) == {"BBBB", "CCCC"}, "a room that is open is offered to nobody else"
    assert handle(session, {"lead": "BBBB", "key": offered["CCCC"], "address": None}) == {"refused": "BBBB"}
    assert session.room is None
    assert handle(session, {"lead": "BBBB", "key": offered["BBBB"], "address": "?s=1"}) == {}
    assert session.room == LedRoom("BBBB", offered["BBBB"], "?s=1")
    handle(session, {"close": "CCCC"})
    assert session.room is not None
    handle(session, {"close": "BBBB"})
    assert session.room is None


@pytest.mark.parametrize("event", [None, 3, "x", [], {}, {"lead": 3}, {"lead": "O0I1", "key": "x"}, {"close": None}])
def test_any_other_message_does_nothing(session, event):
    assert handle(session, event) == {}
    assert session.room is None


def test_a_tab_without_a_room_publishes_nothing(session, published):
    lecturer.publish_stop(session, Stop("lab", "Lab"), 1)
    lecturer.publish_board(session, {"view": 1.0})
    assert published == []


def test_a_tab_publishes_where_it_is_with_the_board_alone_as_a_link(session, published):
    session.room = LedRoom(CODE, "key")
    lecturer.publish_stop(session, Stop("margin.slide", "Distance", link="margin?step=slide"), 2)
    lecturer.publish_board(
        session, {"view": 1.0, "caption": {"lines": ["secret"]}, "marks": {"fill": [1], "values": [[3]]}}
    )
    stop = Stop("margin.slide", "Distance", link="margin?step=slide", board_link=f"lab?s={share.encode(LAB)}")
    assert published == [
        ("publish_stop", stop, 2),
        ("publish_board", {"view": 1.0, "marks": {"fill": [1]}}, False),
    ]
    session.boards.own = History(replace(LAB, task=CLASSES, points=(Point(1, 0, 0, 2), Point(2, 9, 9, 3))))
    lecturer.publish_stop(session, Stop("lab", "Lab"))
    assert published[-1][1].board_link == "", "only its step can show a board of several classes"


def test_a_session_that_replaces_a_lost_one_waits_for_its_board(session, published):
    session.room = LedRoom(CODE, "key", "?s=1somethingelse")
    lecturer.publish_board(session, {"view": 1.0})
    assert published == [], "it has another board than the browser"
    session.ack = 1
    lecturer.publish_board(session, {"view": 1.0})
    assert len(published) == 1, "the board has come with the first message"
    same = Session(History(LAB))
    same.room = LedRoom(CODE, "key", "?" + link.query_string(link.location_of(same)))
    lecturer.publish_board(same, {"view": 1.0})
    assert len(published) == 2
    same.boards.own = History(replace(LAB, view=4.0))
    lecturer.publish_board(same, {"view": 4.0})
    assert len(published) == 3, "it waits once"


def test_the_frame_of_a_film_is_a_part_of_the_picture(session, published):
    session.room = LedRoom(CODE, "key")
    frames = [{"items": [{"kind": "line", "pts": [i]}]} for i in range(3)]
    data = {"overlay": [{"kind": "disc", "pts": [9]}], "film": {"key": "k", "at": 0, "frames": frames}}
    for place, shown in (
        (None, 0),
        ({"key": "k", "at": 1}, 1),
        ({"key": None, "at": 99}, 2),
        ({"key": "x", "at": 1}, 0),
    ):
        lecturer.publish_board(session, data | {"filmPlace": place})
        assert [item["pts"] for item in published[-1][1]["overlay"]] == [[9], [shown]]


def test_a_drag_goes_to_the_room_of_its_tab_while_it_is_there(monkeypatch):
    room = LiveRoom(CODE)
    room.key = "its key"
    heard = []
    monkeypatch.setattr(room, "publish_drag", lambda *given: heard.append(given))
    publish = lecturer._publisher_of_drags(CODE, "its key")
    publish("request", "picture")
    live_room.ROOMS[CODE] = room
    lecturer._publisher_of_drags(CODE, "another key")("request", "of another")
    publish("request", json.dumps({}))
    del live_room.ROOMS[CODE]
    assert heard == [("request", "{}")]


@pytest.mark.parametrize(
    ("lesson", "step", "board"), [(MARGIN, "slide", "lab?s="), (EXTENSIONS, "rest", "extensions?step=rest&only=board&")]
)
def test_members_get_the_board_alone_until_the_answer_to_its_question_is_shown(session, published, lesson, step, board):
    session.room, session.page = LedRoom(CODE, "key"), lesson.page
    session.lessons.open_steps[lesson.page] = step
    state = OpenLesson(session, lesson)
    state.prepare_board()
    for shown, expected in ((False, board), (True, f"{lesson.page}?step={step}")):
        session.lessons.answers[state.open_name] = Answer(None, shown)
        _Page(state)._publish(state.step, "title")
        _name, stop, right = published[-1]
        assert (right is not None) is shown
        assert stop.link.startswith(expected)
        assert "only=" not in stop.link or not shown
        assert stop.board_link.startswith(board)

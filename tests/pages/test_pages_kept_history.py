"""Undo and redo after a reload: the browser keeps the steps as a text and brings them back to the same board."""

import base64
import json
import zlib
from dataclasses import replace

import pytest

from svmlab.lab.session import inbox, kept_history, share
from svmlab.lab.session.lab import Lab, Point
from svmlab.lab.session.state import History, apply, initial_history, same_content
from svmlab.lab.session.tab import Session

START = History(Lab(points=(Point(1, 1000, 500, 1), Point(2, -1000, 0, -1), Point(7, 0, -2000, 1)), selected=7))
DEEDS = (
    {"op": "delete", "ids": [1]},
    {"op": "add", "id": 12, "x": 1, "y": 1, "label": -1},
    {"op": "set", "values": {"kernel": "gaussian", "value": 3.0}},
    {"op": "clear"},
    {"op": "undo"},
    {"op": "undo"},
)


def edited() -> History:
    history = START
    for deed in DEEDS:
        history = apply(history, deed)
    return history


def reloaded(history: History, text: str | None = None) -> Session:
    """A new session that opens the address of a history, and the message that the browser then sends."""
    link = share.encode(history.present)
    session = Session(History(share.decode(link), touched=True))
    text = kept_history.encode(history) if text is None else text
    inbox.do(session, {"op": "history", "share": link, "text": text})
    return session


def test_every_step_of_undo_and_redo_comes_back_after_a_reload():
    before, after = edited(), reloaded(edited()).history
    assert [len(after.past), len(after.future)] == [2, 2]
    for ours, theirs in zip((*before.past, *before.future), (*after.past, *after.future), strict=True):
        assert [p[1:] for p in ours.points] == [p[1:] for p in theirs.points]
        assert ours.undoable_settings == theirs.undoable_settings
    # A point has one id in all steps, so undo keeps it selected.
    selected = apply(after, {"op": "select", "id": 2}).present
    undone = apply(replace(after, present=selected), {"op": "undo"}).present
    assert {p[1:] for p in undone.points if p.id == 2} == {p[1:] for p in selected.points if p.id == 2}
    assert kept_history.encode(after) == kept_history.encode(reloaded(after).history)


def test_what_was_done_before_the_message_arrived_stays_a_step():
    history, link = edited(), share.encode(edited().present)
    session = Session(History(share.decode(link)))
    session.history = apply(session.history, {"op": "clear"})
    inbox.do(session, {"op": "history", "share": link, "text": kept_history.encode(history)})
    assert len(session.history.past) == 3
    assert not session.history.future
    assert same_content(apply(session.history, {"op": "undo"}).present, share.decode(link))


def packed(content: object) -> str:
    return base64.b64encode(zlib.compress(json.dumps(content).encode())).decode()


LINK = share.encode(START.present)
DAMAGED = (
    *(5, "x" * 10**6, [[], 5], [[5], []], [[[]], []], {"a": 1}, [[[[]]], []], [[["9abc"]], []], [[[LINK, [1]]], []]),
    *([[[LINK, [1, 1, 2]]], []], [[[LINK, [[], 2, 3]]], []], [[[LINK, 1, 2]], []]),
    [[[share.encode(Lab(task="values"))]], []],
)
CORRUPT = ("", "?", "eJwDAAAAAAE=", "é", kept_history.encode(edited())[:-9], *map(packed, DAMAGED))


@pytest.mark.parametrize("text", CORRUPT, ids=range(len(CORRUPT)))
def test_a_text_that_cannot_be_read_changes_nothing_and_says_nothing(text):
    session = reloaded(START, text)
    assert session.history == History(share.decode(LINK), touched=True)


def test_the_steps_of_another_board_are_left_out():
    session = Session(initial_history())
    before = session.history
    inbox.do(session, {"op": "history", "share": LINK, "text": kept_history.encode(edited())})
    assert session.history is before


def test_the_text_has_at_most_thirty_steps_and_is_sent_unless_something_moves():
    history = START
    for value in range(1, 40):
        history = apply(history, {"op": "set", "values": {"value": float(value)}})
    session = Session(history)
    text = inbox.wire_data(session)["history"]
    assert [lab.value for lab in reloaded(history, text).history.past] == list(range(9, 39))
    assert inbox.wire_data(Session(START))["history"] == ""
    session.history = apply(history, {"op": "move", "id": 1, "x": 0, "y": 0, "live": True})
    assert inbox.wire_data(session)["history"] is None

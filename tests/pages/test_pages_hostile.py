"""Hostile input of every kind: nothing but a message comes of it, and the points are there or one undo away."""

import base64
import json
import math
import random
import zlib
from contextlib import suppress

import pytest

from svmlab import BadInput
from svmlab.lab.board import board_data, component
from svmlab.lab.session import inbox, share
from svmlab.lab.session.controls import CONTROLS, EDGE, MAX_POINTS
from svmlab.lab.session.inbox import MALFORMED
from svmlab.lab.session.lab import Lab, Point
from svmlab.lab.session.link import history_from_link
from svmlab.lab.session.operations import accept, open_file
from svmlab.lab.session.state import History, apply
from svmlab.lab.session.tab import Session

CASES = 400  # of each kind; the same functions have been run with tens of thousands
DEEP = []
for _ in range(5000):
    DEEP = [DEEP]
JUNK = [
    None,
    True,
    False,
    0,
    1,
    -1,
    7,
    2**31,
    2**53,
    10**400,
    0.5,
    -0.0,
    1e308,
    5e-324,
    math.nan,
    math.inf,
    -math.inf,
    "",
    "1",
    "x",
    "label",
    "nan",
    "\x00",
    "\ud800",
    "\u202e",
    "<b>**$",
    "é" * 3000,
    [],
    {},
    [[]],
    [1, 2],
    {"op": "clear"},
    {"a": {"b": []}},
    DEEP,
]
GOOD = Lab(points=tuple(Point(i, 300 * i - 1500, (i * i * 97) % 3000 - 1500, 1 if i % 2 else -1) for i in range(1, 9)))
LINK = share.encode(GOOD)
ROWS = [[p.id, p.x / 1000, p.y / 1000, p.label] for p in GOOD.points]
PLACE = f"step=exists&choice=2&shown=1&c=2&pick.many=9&line=0,1,1,0&film=3&select=2&pin=value:2&b={LINK}"
OPS = [
    {"op": "add", "id": 99, "x": 0.5, "y": -0.5, "label": 1},
    {"op": "move", "id": 3, "x": 1, "y": 2, "live": True},
    {"op": "move", "id": 4, "x": -1, "y": 2, "live": False},
    {"op": "delete", "ids": [2, 5]},
    {"op": "clear"},
    {"op": "points", "points": ROWS, "live": False},
    {"op": "points", "points": ROWS[:3], "live": True},
    {"op": "select", "id": 3},
    {"op": "label", "label": -1},
    {"op": "view", "half": 2},
    {"op": "project", "on": True},
    {"op": "undo"},
    {"op": "redo"},
    {"op": "action", "id": "preset"},
    {"op": "set", "values": {"value": 2.0, "kernel": "gaussian"}, "live": True},
    {"op": "set", "values": {"hard": True}},
    {"op": "preset", "values": {"preset": "xor", "size": 8}},
    {"op": "load", "lab": {}},
    {"op": "restore", "share": LINK, "points": ROWS},
    {"op": "restore", "share": "7" + LINK, "points": ROWS},
    {"op": "file", "name": "a.csv", "text": GOOD.data.to_csv()},
    {"op": "file", "name": "a.json", "text": GOOD.data.to_json()},
    {"op": "film", "key": "k", "at": 3},
    {"op": "hand", "a": [0, 1], "b": [1, 0], "live": True},
    {"op": "dial", "values": {"c": 2, "angle": 30}, "live": False},
    {"op": "restore", "share": f"{PLACE}&s={LINK}", "points": ROWS},
    {"op": "share", "full": True},
    {"op": "given"},
]


def spoilt(value, rng):
    """`value` with something in it exchanged, left out, doubled or put a level deeper."""
    if isinstance(value, dict | list) and value and rng.random() < 0.85:
        copy = value.copy()
        key = rng.choice(list(copy)) if isinstance(copy, dict) else rng.randrange(len(copy))
        if rng.random() < 0.15:
            del copy[key]
        elif isinstance(copy, list) and rng.random() < 0.15:
            copy.append(copy[key])
        else:
            copy[key] = spoilt(copy[key], rng)
        return copy
    if isinstance(value, str) and rng.random() < 0.6:
        return scribbled(value, rng)
    return [value] if rng.random() < 0.1 else rng.choice(JUNK)


def scribbled(words, rng):
    """`words` with some letters changed, left out or put in."""
    letters = list(words)
    for _ in range(rng.randint(1, 5)):
        at = rng.randrange(len(letters) + 1)
        new = rng.choice(
            [
                "",
                "nan",
                "1e999",
                "-1",
                ",",
                ";",
                "\n",
                "\r",
                '"',
                "\x00",
                "\ud800",
                "\ufeff",
                "{",
                "[" * 9,
                "]",
                "null",
                ":",
                "9" * 30,
                "_",
                "=",
                "é",
                "7",
            ]
        )
        letters[at : at + rng.randint(0, 2)] = new
    return "".join(letters)


def sound(lab):
    """A Lab that everything else can count on."""
    assert len(lab.points) <= MAX_POINTS
    assert len({p.id for p in lab.points}) == len(lab.points)
    for p in lab.points:
        assert [type(v) for v in p] == [int] * 4
        assert abs(p.x) <= EDGE
        assert abs(p.y) <= EDGE
        assert abs(p.label) == 1
    for key, control in CONTROLS.items():
        value = getattr(lab, key)
        assert type(value) is control.kind
        assert control.check(value) == value
    assert lab.selected is None or lab.selected in {p.id for p in lab.points}
    assert share.decode(share.encode(lab)).undoable_settings == lab.undoable_settings


def points_survive(before, after):
    """Whether the points from before are still there, or one undo or redo away."""
    candidates = [after.before_drag or after.present, *after.past[-1:], *after.future[:1]]
    return (before.before_drag or before.present).points in [lab.points for lab in candidates]


def messages(n, seed=0):
    """Hostile messages to a session."""
    rng, session = random.Random(seed), Session(History(GOOD), page="margin")
    session.show_board("margin.hand", GOOD)
    for i in range(n):
        session.show_board(rng.choice([None, "margin.hand"]))
        ops = [rng.choice(OPS) if rng.random() < 0.2 else spoilt(rng.choice(OPS), rng)]
        message = {"boot": session.boot, "seq": session.ack + 1, "ops": ops}
        if rng.random() < 0.3:
            message["board"] = rng.choice([None, "margin.hand", "margin.exists", *JUNK])
        if rng.random() < 0.1:
            message = spoilt(message, rng)
        before = session.history
        inbox.receive(session, message)
        restored = isinstance(ops[0], dict) and ops[0].get("op") == "restore"
        assert restored or points_survive(before, session.history), message
        sound(session.lab)
        assert len(session.history.note or "") < 500
        data = board_data(session) if i % 20 == 0 else inbox.wire_data(session)
        json.dumps(data, allow_nan=False)
        if session.draft is not None and rng.random() < 0.5:
            with suppress(BadInput):
                accept(session)
        if len(session.lab.points) < 4 or len(session.history.past) > 150:
            session.history = History(GOOD)
    return session


def operations(n, seed=1):
    """Hostile operations on a history: what they raise is what a session expects, and they change nothing in place."""
    rng = random.Random(seed)
    history = History(GOOD)
    for _ in range(n):
        with suppress(BadInput, *MALFORMED):
            after = apply(history, spoilt(rng.choice(OPS), rng) | {})
            assert points_survive(history, after)
            sound(after.present)
            history = after if len(after.past) < 20 and len(after.present.points) > 3 else History(GOOD)
    assert len(GOOD.points) == 8


def files(n, seed=2):
    """Hostile files, dropped on the board or uploaded."""
    rng, session = random.Random(seed), Session(History(GOOD))
    tables = [GOOD.data.to_csv(), "x;y;class\n1;2;a\n3;4;b\n", "0.5,1.2,red\n1,2,blue\n", "label,0,1\n1,90,2\n-1,3,4\n"]
    values = [json.loads(GOOD.data.to_json()), [{"x": 1, "y": 2, "label": 1}, {"x": 3, "y": 4, "label": 0}]]
    for _ in range(n):
        content = scribbled(rng.choice([*tables, *map(json.dumps, values)]), rng)
        if rng.random() < 0.3:
            with suppress(RecursionError):
                content = json.dumps(spoilt(rng.choice(values), rng))
        if rng.random() < 0.4:
            content = content.encode(rng.choice(["utf-8", "utf-16", "latin-1"]), rng.choice(["replace", "ignore"]))
        before = session.history
        open_file(session, rng.choice(["a.csv", "a.json", "A.JSON", "x" * 999, "\ud800.csv", "", "\n.json"]), content)
        assert session.draft is not None or 0 < len(session.history.note) < 500
        assert points_survive(before, session.history)
        sound(session.lab)
        if session.draft is not None:
            session.draft.name.encode()
            with suppress(BadInput):
                accept(session)
            assert points_survive(before, session.history)
            sound(session.lab)
        session.history = History(GOOD)


def forged(settings, packed, rng):
    """A link whose check sum is right, whatever stands in it."""
    raw = json.dumps(settings).encode()
    body = len(raw).to_bytes(2, "big") + raw + rng.randrange(310).to_bytes(2, "big") + packed
    return "1" + base64.urlsafe_b64encode(zlib.crc32(body).to_bytes(4, "big") + body).decode().rstrip("=")


def links(n, seed=3):
    """Hostile links: scribbled ones, and forged ones with a right check sum."""
    rng = random.Random(seed)
    for _ in range(n):
        link = scribbled(LINK, rng)
        if rng.random() < 0.6:
            settings = {
                key: rng.choice([control.default, *JUNK[:-1]])
                for key, control in CONTROLS.items()
                if rng.random() < 0.15
            }
            link = forged(
                settings if rng.random() < 0.9 else rng.choice(JUNK[:-1]), rng.randbytes(rng.randrange(40)), rng
            )
        history = history_from_link(link, ROWS)
        sound(history.present)
        if history.unread_link is not None:
            assert (history.unread_link, history.present.points) == (link, GOOD.points)
            assert history_from_link(link).present == Lab()
            assert 0 < len(history.note) < 500


def values(n, seed=4):
    """Hostile values of every control."""
    rng = random.Random(seed)
    for _ in range(n):
        control, value = (
            rng.choice(list(CONTROLS.values())),
            rng.choice([*JUNK, 10**5000, 1j, object(), b"x", rng.uniform(-9, 9)]),
        )
        with suppress(BadInput):
            assert type(control.check(value)) is control.kind


def texts(n, seed=5):
    """Hostile events, before Streamlit has read them."""
    rng = random.Random(seed)
    good = json.dumps([{"event": "event", "value": {"boot": "b", "seq": 1, "ops": OPS}}])
    for _ in range(n):
        text = (
            scribbled(good, rng)
            if rng.random() < 0.7
            else "[" * rng.randrange(6000) + "9" * rng.randrange(6000) + "]" * rng.randrange(6000)
        )
        events = component.read_events(text)
        assert events is None or isinstance(events, list)
        json.dumps(events)


@pytest.mark.parametrize("attack", [messages, operations, files, links, values, texts])
def test_nothing_but_messages_comes_of_it_and_the_points_are_never_lost(attack):
    attack(CASES)

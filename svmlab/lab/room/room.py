"""The room itself: what everybody knows and what each member has said, as a frozen value.

`apply` returns the room after one message. It knows no clock, no socket and no Streamlit. It never raises, because a
message that makes no sense, or that its sender may not send, changes nothing.

The right answer is not in a room before it is shown, because the server says it together with "show".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from svmlab.core.rich_text import Node, is_rich_text

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # without 0 and O, 1 and I
CODE = re.compile(f"[{ALPHABET}]{{4}}")
MAX_MEMBERS, MAX_ROUNDS, MAX_CHOICES = 1000, 32, 12
MAX_TITLE, MAX_LINK, MAX_VERSION = 200, 16_000, 2**40
PULSES = ("lost", "slower", "faster")
PULSE_S = 120.0  # seconds for which a pulse counts
ID = re.compile(r"[a-z0-9]{4,24}")
KEY = re.compile(r"[\w.-]{1,80}")

Role = Literal["member", "lecturer", "server"]
Message = Mapping[str, Any]  # {kind, by, role, ...}
MALFORMED = (AttributeError, IndexError, KeyError, OverflowError, RecursionError, TypeError, ValueError)


@dataclass(frozen=True)
class Stop:
    """Where the lecturer is: what is shown beside the board.

    key: the step as "page.step", or the page. question, verdict: as rich text, empty where there is none. choices:
    what can be asked, as rich text. link: the address, relative to that of the app, at which the same step and board
    open. board_link: the same for the board alone, which gives no answer away.
    """

    key: str = ""
    title: str = ""
    question: tuple[Node, ...] = ()
    choices: tuple[tuple[Node, ...], ...] = ()
    verdict: tuple[Node, ...] = ()
    link: str = ""
    board_link: str = ""


@dataclass(frozen=True)
class Round:
    """One question that was asked once. `key` is that of its stop, so two rounds of one question stand side by side."""

    id: str
    key: str
    question: tuple[Node, ...]
    choices: tuple[tuple[Node, ...], ...]
    is_open: bool = True
    has_bars: bool = False  # whether members see how many chose what
    right: int | None = None  # only once it is shown


@dataclass(frozen=True)
class Room:
    """Everything about a room. led: whether its lecturer has been here since this process began. n: its version.

    votes: the choice by round and member. pulse: what each member has tapped, and at which time in seconds.
    """

    code: str
    led: bool = False
    n: int = 0
    stop: Stop = Stop()
    rounds: tuple[Round, ...] = ()
    votes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    pulse: Mapping[str, tuple[str, float]] = field(default_factory=dict)

    @property
    def last_round(self) -> Round | None:
        """Return the question that was asked last."""
        return self.rounds[-1] if self.rounds else None

    def round(self, id_: object) -> Round | None:
        """Return the round of this id."""
        return next((each for each in self.rounds if each.id == id_), None)

    def counts(self, asked: Round) -> list[int]:
        """Return how many members chose each of the choices."""
        found = Counter(self.votes.get(asked.id, {}).values())
        return [found[i] for i in range(len(asked.choices))]


def apply(room: Room, message: Message) -> Room:
    """Return the room after a message {kind, by, role, ...}.

    by: the member who sends it. role: what its sender is, which the server knows and no message says.
    """
    try:
        rules = RULES[message["role"]]
        return rules[message["kind"]](room, message) if message["kind"] in rules else room
    except MALFORMED:
        return room


# What members say.


def _back(room: Room, message: Message) -> Room:
    """Count votes that a member says again after the server has lost them, and whose seals the server has checked.

    A round that nobody here knows yet may come back with the lecturer, so votes for it wait.
    """
    for id_, choice in list(message["votes"].items())[-MAX_ROUNDS:]:
        known, others = room.round(id_), room.votes.get(id_, {})
        if not ID.fullmatch(id_) or (known is None and (room.led or (not others and len(room.votes) >= MAX_ROUNDS))):
            continue
        if message["by"] not in others:
            room = _with_vote(room, id_, len(known.choices) if known else MAX_CHOICES, message["by"], choice)
    return room


def _vote(room: Room, message: Message) -> Room:
    asked = room.round(message["round"])
    if asked is None or not asked.is_open:
        return room
    return _with_vote(room, asked.id, len(asked.choices), message["by"], message["choice"])


def _with_vote(room: Room, id_: str, choices: int, by: str, choice: Any) -> Room:
    votes = room.votes.get(id_, {})
    if type(choice) is not int or not 0 <= choice < choices or (by not in votes and len(votes) >= MAX_MEMBERS):
        return room
    return room if votes.get(by) == choice else replace(room, votes={**room.votes, id_: {**votes, by: choice}})


def _pulse(room: Room, message: Message) -> Room:
    """Note what a member taps, and forget what was tapped too long ago."""
    if message["is"] not in PULSES:
        return room
    present = {by: each for by, each in room.pulse.items() if message["at"] - each[1] < PULSE_S}
    if message["by"] not in present and len(present) >= MAX_MEMBERS:
        return room
    return replace(room, pulse={**present, message["by"]: (message["is"], message["at"])})


# What the lecturer says.


def _lead(room: Room, message: Message) -> Room:
    """Bring back what the lecturer's browser has kept, if this process does not know it.

    A stop that this process knows is newer. One bad round does not drop the others.
    """
    if room.led:
        return room
    rounds = tuple(each for said in message["rounds"][-MAX_ROUNDS:] if (each := _read_round(said)) is not None)
    known = {each.id: room.votes[each.id] for each in rounds if each.id in room.votes}
    version = message["n"] if type(message["n"]) is int and 0 <= message["n"] <= MAX_VERSION else 0
    stop = room.stop if room.stop.key else _read_stop(message["stop"]) or room.stop
    return replace(room, led=True, n=max(room.n, version) + 1, stop=stop, rounds=rounds, votes=known)


def _ask(room: Room, message: Message) -> Room:
    """Ask the question of the present stop. Every earlier round is closed."""
    stop, id_ = room.stop, message["id"]
    if not stop.choices or message["key"] != stop.key or not ID.fullmatch(id_) or room.round(id_):
        return room
    earlier = tuple(replace(each, is_open=False) for each in room.rounds)
    rounds = (*earlier, Round(id_, stop.key, stop.question, stop.choices))[-MAX_ROUNDS:]
    kept = {each.id: room.votes[each.id] for each in rounds if each.id in room.votes}
    return replace(room, n=room.n + 1, rounds=rounds, votes=kept)


def _close(room: Room, message: Message) -> Room:
    return _with_last(room, message["id"], is_open=False)


def _bars(room: Room, message: Message) -> Room:
    return _with_last(room, message["id"], is_open=False, has_bars=True)


def _with_last(room: Room, id_: object, **changes: Any) -> Room:
    """Return the room with a change of the last round, if that is the round that the lecturer means."""
    last = room.last_round
    if last is None or last.id != id_ or replace(last, **changes) == last:
        return room
    return replace(room, n=room.n + 1, rounds=(*room.rounds[:-1], replace(last, **changes)))


# What the server says, when the lecturer's page has changed.


def _stop(room: Room, message: Message) -> Room:
    stop = message["stop"]
    return room if stop == room.stop else replace(room, n=room.n + 1, stop=stop)


def _show(room: Room, message: Message) -> Room:
    """Show the right answer of the last round, if it asked this question. The round is closed with it."""
    last, right = room.last_round, message["right"]
    if last is None or last.key != message["key"] or not 0 <= right < len(last.choices) or last.right is not None:
        return room
    return _with_last(room, last.id, is_open=False, has_bars=True, right=right)


Rule = Callable[[Room, Message], Room]
OF_MEMBERS: Mapping[str, Rule] = {"back": _back, "vote": _vote, "pulse": _pulse}
RULES: Mapping[str, Mapping[str, Rule]] = {
    "member": OF_MEMBERS,
    "lecturer": {"lead": _lead, "ask": _ask, "close": _close, "bars": _bars},
    "server": {"stop": _stop, "show": _show},
}


# From JSON and to JSON.


def _read_stop(said: Any) -> Stop | None:
    """Return the stop that a browser has kept, or None if it is none."""
    try:
        title, link, board_link = (str(said[name]) for name in ("title", "link", "board_link"))
        question, choices, verdict = said["question"], said["choices"], said["verdict"]
        fits = len(title) <= MAX_TITLE and len(link) <= MAX_LINK and len(board_link) <= MAX_LINK
        trees = (question, verdict, *choices)
        if (
            not fits
            or not KEY.fullmatch(said["key"])
            or len(choices) > MAX_CHOICES
            or not all(map(is_rich_text, trees))
        ):
            return None
        return Stop(said["key"], title, tuple(question), tuple(map(tuple, choices)), tuple(verdict), link, board_link)
    except MALFORMED:
        return None


def _read_round(said: Any) -> Round | None:
    """Return the round that a browser has kept, or None if it is none."""
    try:
        question, choices, right = said["question"], said["choices"], said["right"]
        fits = ID.fullmatch(said["id"]) and KEY.fullmatch(said["key"]) and 1 <= len(choices) <= MAX_CHOICES
        if not fits or not all(map(is_rich_text, (question, *choices))):
            return None
        known = type(right) is int and 0 <= right < len(choices)
        is_open, has_bars = said["is_open"] is True, said["has_bars"] is True
        read = Round(said["id"], said["key"], tuple(question), tuple(map(tuple, choices)), is_open, has_bars)
        return replace(read, right=right if known else None)
    except MALFORMED:
        return None


def member_view(room: Room) -> dict[str, Any]:
    """Return what every member is told, beside the picture of the board.

    It contains the bars once the lecturer shows them, and the answer once it is shown.
    """
    stop, last = room.stop, room.last_round
    asked = None
    if last is not None and last.key == stop.key:
        earlier = [each for each in room.rounds[:-1] if each.key == last.key][-1:]
        asked = {
            "id": last.id,
            "question": last.question,
            "choices": last.choices,
            "open": last.is_open,
            "bars": [room.counts(each) for each in (*earlier, last)] if last.has_bars else None,
            "right": last.right,
        }
    link = stop.board_link if last is not None and last.is_open else stop.link
    return {
        "n": room.n,
        "led": room.led,
        "title": stop.title,
        "question": stop.question,
        "verdict": stop.verdict,
        "link": link,
        "asked": asked,
    }


def kept_view(room: Room) -> dict[str, Any]:
    """Return what the lecturer's browser keeps, to bring the room back where a process has lost it."""
    return {"n": room.n, "stop": asdict(room.stop), "rounds": [asdict(each) for each in room.rounds]}


def count_view(room: Room, members: int, now: float) -> dict[str, Any]:
    """Return what the lecturer is told of the votes: both rounds of a question that was asked twice.

    members: how many browsers are here. now: the time in seconds, by which a pulse fades.
    """
    last = room.last_round
    same = [each for each in room.rounds if last and each.key == last.key][-2:]
    pulse = Counter(what for what, at in room.pulse.values() if now - at < PULSE_S)
    return {
        "members": members,
        "votes": sum(room.counts(last)) if last else 0,
        "rounds": [room.counts(each) for each in same],
        "pulse": {name: pulse[name] for name in PULSES if pulse[name]},
    }

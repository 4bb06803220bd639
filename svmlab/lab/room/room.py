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
from svmlab.lab.room.places import MAX_MEMBERS, with_place
from svmlab.lab.room.task import MAX_HANDED, SEAL, Handed, Task, read_task, with_hand_in

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # without 0 and O, 1 and I
CODE = re.compile(f"[{ALPHABET}]{{4}}")
MAX_ROUNDS, MAX_CHOICES = 32, 12
MAX_TITLE, MAX_LINK, MAX_VERSION = 200, 16_000, 2**40
MAX_SKETCHES = 40  # in one message
PULSES = ("lost", "slower", "faster")
PULSE_S = 120.0  # seconds for which a pulse counts
ID = re.compile(r"[a-z0-9]{4,24}")
KEY = re.compile(r"[\w.-]{1,80}")

Role = Literal["member", "assistant", "lecturer", "server"]
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
    """One question that was asked once. `key` is that of its stop, so two rounds of one question stand side by side.

    counts: how many chose each of the choices, once it is closed. They are final, because a browser keeps the receipts
    of choices that it has changed later, and could say any of them after a restart.
    """

    id: str
    key: str
    question: tuple[Node, ...]
    choices: tuple[tuple[Node, ...], ...]
    is_open: bool = True
    has_bars: bool = False  # whether members see how many chose what
    right: int | None = None  # only once it is shown
    counts: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Room:
    """Everything about a room. led: whether its lecturer has been here since this process began. n: its version.

    votes: the choice by open round and member. pulse: what each member has tapped, and at which time in seconds.
    handed: what each member has handed in for the task. removed: the seals of what was taken off the wall.
    """

    code: str
    led: bool = False
    n: int = 0
    stop: Stop = Stop()
    rounds: tuple[Round, ...] = ()
    votes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    pulse: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    task: Task | None = None
    handed: Mapping[str, Handed] = field(default_factory=dict)
    removed: tuple[str, ...] = ()

    @property
    def last_round(self) -> Round | None:
        """Return the question that was asked last."""
        return self.rounds[-1] if self.rounds else None

    def round(self, id_: object) -> Round | None:
        """Return the round of this id."""
        return next((each for each in self.rounds if each.id == id_), None)

    def counts(self, asked: Round) -> list[int]:
        """Return how many members chose each of the choices."""
        if asked.counts is not None:
            return list(asked.counts)
        votes_by_choice = Counter(self.votes.get(asked.id, {}).values())
        return [votes_by_choice[i] for i in range(len(asked.choices))]


def apply(room: Room, message: Message) -> Room:
    """Return the room after a message {kind, by, role, present, ...}.

    by: the member who sends it. role: what its sender is, which the server knows and no message says. present: the
    members who are here, where a member says something that needs a place.
    """
    try:
        rules = RULES[message["role"]]
        return rules[message["kind"]](room, message) if message["kind"] in rules else room
    except MALFORMED:
        return room


# What members say.


def _back(room: Room, message: Message) -> Room:
    """Count votes that a member says again after the server has lost them, and whose seals the server has checked.

    Only votes for an open round count. A round that nobody here knows yet may come back with the lecturer, so votes for
    it wait.
    """
    for id_, choice in list(message["votes"].items())[-MAX_ROUNDS:]:
        known, others = room.round(id_), room.votes.get(id_, {})
        if not ID.fullmatch(id_) or (known is None and (room.led or (not others and len(room.votes) >= MAX_ROUNDS))):
            continue
        if message["by"] not in others and (known is None or known.is_open):
            room = _with_vote(room, id_, len(known.choices) if known else MAX_CHOICES, choice, message)
    return room


def _vote(room: Room, message: Message) -> Room:
    asked = room.round(message["round"])
    if asked is None or not asked.is_open:
        return room
    return _with_vote(room, asked.id, len(asked.choices), message["choice"], message)


def _with_vote(room: Room, id_: str, choices: int, choice: Any, message: Message) -> Room:
    by, votes = message["by"], room.votes.get(id_, {})
    if type(choice) is not int or not 0 <= choice < choices or votes.get(by) == choice:
        return room
    others = with_place(votes, by, message.get("present", ()))
    return room if others is None else replace(room, votes={**room.votes, id_: {**others, by: choice}})


def _pulse(room: Room, message: Message) -> Room:
    """Note what a member taps, or that it takes it back (""), and forget what was tapped too long ago."""
    if message["is"] not in (*PULSES, ""):
        return room
    lasting = {by: each for by, each in room.pulse.items() if message["at"] - each[1] < PULSE_S}
    if not message["is"]:
        return replace(room, pulse={by: each for by, each in lasting.items() if by != message["by"]})
    if message["by"] not in lasting and len(lasting) >= MAX_MEMBERS:
        del lasting[min(lasting, key=lambda by: lasting[by][1])]
    return replace(room, pulse={**lasting, message["by"]: (message["is"], message["at"])})


def _hand(room: Room, message: Message) -> Room:
    """Take what a member hands in, whose seal the server has checked.

    number: that of a hand-in that was counted before a restart, with a receipt that the server has checked, else None.
    Such a one also counts after the task is closed, and it may come before the lecturer.
    """
    hand_in, number = message["hand_in"], message["number"]
    if room.task is None or hand_in.task != room.task.id:
        waits = room.task is None and not room.led and number is not None
        if not waits:
            return room
    elif (number is None and not room.task.is_open) or hand_in.seal in room.removed:
        return room
    handed = with_hand_in(room.handed, message["by"], hand_in, number, message.get("present", ()))
    return room if handed is room.handed else replace(room, handed=handed)


# What the lecturer says.


def _lead(room: Room, message: Message) -> Room:
    """Bring back what the lecturer's browser has kept, if this process does not know it.

    A stop that this process knows is newer. One bad round does not drop the others.
    """
    if room.led:
        return room
    rounds = tuple(each for said in message["rounds"][-MAX_ROUNDS:] if (each := _read_round(said)) is not None)
    known = {each.id: room.votes[each.id] for each in rounds if each.is_open and each.id in room.votes}
    version = message["n"] if type(message["n"]) is int and 0 <= message["n"] <= MAX_VERSION else 0
    stop = room.stop if room.stop.key else _read_stop(message["stop"]) or room.stop
    room = replace(room, led=True, n=max(room.n, version) + 1, stop=stop, rounds=rounds, votes=known)
    task, removed = room.task or read_task(message.get("task")), message.get("removed") or ()
    removed = tuple(each for each in removed[:MAX_HANDED] if isinstance(each, str) and SEAL.fullmatch(each))
    handed = {
        by: each
        for by, each in room.handed.items()
        if task is not None and each.hand_in.task == task.id and each.hand_in.seal not in removed
    }
    return replace(room, task=task, handed=handed, removed=removed)


def _ask(room: Room, message: Message) -> Room:
    """Ask the question of the present stop. Every earlier round is closed."""
    stop, id_ = room.stop, message["id"]
    if not stop.choices or message["key"] != stop.key or not ID.fullmatch(id_) or room.round(id_):
        return room
    rounds = (*_closed(room), Round(id_, stop.key, stop.question, stop.choices))[-MAX_ROUNDS:]
    return replace(room, n=room.n + 1, rounds=rounds, votes={})


def _closed(room: Room) -> tuple[Round, ...]:
    """Return all rounds closed, with their counts."""
    return tuple(replace(each, is_open=False, counts=tuple(room.counts(each))) for each in room.rounds)


def _close(room: Room, message: Message) -> Room:
    return _close_last(room, message["id"])


def _bars(room: Room, message: Message) -> Room:
    return _close_last(room, message["id"], has_bars=True)


def _close_last(room: Room, id_: object, **changes: Any) -> Room:
    """Return the room with its last round closed and changed, if that is the round that the lecturer means."""
    if room.last_round is None or room.last_round.id != id_:
        return room
    *earlier, last = _closed(room)
    rounds = (*earlier, replace(last, **changes))
    return room if rounds == room.rounds else replace(room, n=room.n + 1, rounds=rounds, votes={})


def _close_task(room: Room, message: Message) -> Room:
    """Take no more hand-ins, or take them again. The wall stays."""
    task, is_open = room.task, message["is_open"]
    if task is None or task.id != message["id"] or type(is_open) is not bool or task.is_open == is_open:
        return room
    return replace(room, n=room.n + 1, task=replace(task, is_open=is_open))


def _end_task(room: Room, message: Message) -> Room:
    if room.task is None or room.task.id != message["id"]:
        return room
    return replace(room, n=room.n + 1, task=None, handed={}, removed=())


def _remove(room: Room, message: Message) -> Room:
    """Take a hand-in off the wall. Its member may hand in another board."""
    number = message["number"]
    removed = [(by, each) for by, each in room.handed.items() if each.number == number]
    if type(number) is not int or not removed or len(room.removed) >= MAX_HANDED:
        return room
    [(by, each)] = removed
    handed = {member: other for member, other in room.handed.items() if member != by}
    return replace(room, n=room.n + 1, handed=handed, removed=(*room.removed, each.hand_in.seal))


# What the server says, when the lecturer's page has changed.


def _stop(room: Room, message: Message) -> Room:
    stop = message["stop"]
    return room if stop == room.stop else replace(room, n=room.n + 1, stop=stop)


def _show(room: Room, message: Message) -> Room:
    """Show the right answer of the last round, if it asked this question. The round is closed with it."""
    last, right = room.last_round, message["right"]
    if last is None or last.key != message["key"] or not 0 <= right < len(last.choices) or last.right is not None:
        return room
    return _close_last(room, last.id, has_bars=True, right=right)


def _task(room: Room, message: Message) -> Room:
    """Set a task. What was handed in for another one is forgotten, and no question is open beside it."""
    task = message["task"]
    return replace(room, n=room.n + 1, rounds=_closed(room), votes={}, task=task, handed={}, removed=())


Rule = Callable[[Room, Message], Room]
OF_MEMBERS: Mapping[str, Rule] = {"back": _back, "vote": _vote, "pulse": _pulse}
OF_ASSISTANT: Mapping[str, Rule] = {"close": _close, "close_task": _close_task, "remove": _remove}
RULES: Mapping[str, Mapping[str, Rule]] = {
    "member": OF_MEMBERS,
    "assistant": {**OF_MEMBERS, **OF_ASSISTANT},
    "lecturer": {"lead": _lead, "ask": _ask, "bars": _bars, "end_task": _end_task, **OF_ASSISTANT},
    "server": {"stop": _stop, "show": _show, "task": _task, "hand": _hand},
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
        counts = None if is_open else _read_counts(said.get("counts"), len(choices))
        return replace(read, right=right if known else None, counts=counts)
    except MALFORMED:
        return None


def _read_counts(said: Any, n: int) -> tuple[int, ...]:
    """Return the counts of n choices that a browser has kept, or zeros if these are none."""
    fits = isinstance(said, list) and len(said) == n
    fits = fits and all(type(each) is int and 0 <= each <= MAX_MEMBERS for each in said)
    return tuple(said) if fits else (0,) * n


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
    task = room.task
    return {
        "n": room.n,
        "led": room.led,
        "task": None if task is None else asdict(task),
        "title": stop.title,
        "question": stop.question,
        "verdict": stop.verdict,
        "link": link,
        "asked": asked,
    }


def kept_view(room: Room) -> dict[str, Any]:
    """Return what the lecturer's browser keeps, to bring the room back where a process has lost it."""
    return {
        "n": room.n,
        "stop": asdict(room.stop),
        "rounds": [asdict(each) for each in room.rounds],
        "task": room.task and asdict(room.task),
        "removed": room.removed,
    }


def wall_view(room: Room) -> list[list[Any]]:
    """Return what a key holder is told of each hand-in: number, passed, time in milliseconds, and a part of its seal.

    The seal tells whether a sketch that the browser has is still the present one.
    """
    rows = [[each.number, each.hand_in.passed, each.hand_in.at, each.hand_in.seal[:8]] for each in room.handed.values()]
    return sorted(rows)


def sketches_view(room: Room, numbers: Any) -> dict[str, Any]:
    """Return the sketches and the boards of some hand-ins by their numbers, at most MAX_SKETCHES at once."""
    wanted = {number for number in numbers[:MAX_SKETCHES] if type(number) is int}
    return {
        str(each.number): [each.hand_in.seal[:8], each.hand_in.board, each.hand_in.sketch]
        for each in room.handed.values()
        if each.number in wanted
    }


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

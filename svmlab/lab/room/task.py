"""The task of a room, and what its members have handed in for it, as frozen values.

What is handed in was judged and sealed by a server of the app (`keys.ticket`), so a browser can neither change it nor
make it. A room keeps the last one of each member, and only for the present task.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from svmlab.core.rich_text import Node, is_rich_text
from svmlab.lab.room.places import with_place

MAX_HANDED = 600  # members whose hand-ins a room keeps
MAX_BOARD = 3500  # characters of the link of a board with 300 points and a long recipe
MAX_SKETCH = 5000  # characters of a sketch
MAX_TITLE, MAX_LINK = 200, 12_000
TASK_ID = re.compile(r"[0-9a-f]{40}")
SEAL = re.compile(r"[0-9a-f]{24}")
LATEST = 2**53  # milliseconds, the largest whole number of a script


@dataclass(frozen=True)
class Fixed:
    """What the link of a task fixes, so that a link in which it was changed belongs to no task.

    name: the step, or the task of Practice, as "page.name". hide, lock: what members do not see, and what they cannot
    change. exam: whether nothing offers to show what is hidden. goal: a goal that somebody has made, as in the link.
    """

    name: str
    hide: tuple[str, ...] = ()
    lock: tuple[str, ...] = ()
    exam: bool = False
    goal: str | None = None


@dataclass(frozen=True)
class Task:
    """A task that the lecturer has set. `id` follows from what its link fixes, and from the points that it lends.

    aim: what is to be reached, as rich text. link: the address, relative to that of the app, at which members work.
    is_open: whether hand-ins are taken.
    """

    id: str
    title: str
    aim: tuple[Node, ...]
    link: str
    is_open: bool = True


@dataclass(frozen=True)
class HandIn:
    """One board as it was handed in.

    task: the id of its task. passed: whether it reaches the goal. at: when it was judged, in milliseconds. board: its
    link. sketch: the points and the boundary for a small drawing, as JSON. seal: that of the server that has judged it.
    """

    task: str
    passed: bool
    at: int
    board: str
    sketch: str
    seal: str

    @property
    def as_json(self) -> dict[str, Any]:
        """Return it as values that JSON knows. `read_hand_in` reads them."""
        return asdict(self)


@dataclass(frozen=True)
class Handed:
    """The last hand-in of a member, with the number under which it hangs on the wall."""

    number: int
    hand_in: HandIn


def with_hand_in(
    handed: Mapping[str, Handed], by: str, hand_in: HandIn, number: int | None = None, present: Collection[str] = ()
) -> Mapping[str, Handed]:
    """Return what was handed in, with one more. It replaces an older one of the same member.

    number: that which the member had before a restart. It is used if nobody else has it. present: the members who are
    here. One board hangs on the wall once: it is that of the member with the number, or of the first one.
    """
    twin = next((each for each, other in handed.items() if each != by and other.hand_in.seal == hand_in.seal), None)
    if twin is not None:
        if number is None:
            return handed
        handed = {each: other for each, other in handed.items() if each != twin}
    mine = handed.get(by)
    if mine is not None and mine.hand_in.task == hand_in.task:
        newer = hand_in.at > mine.hand_in.at
        return {**handed, by: Handed(mine.number, hand_in)} if newer else handed
    others = with_place(handed, by, present, MAX_HANDED)
    if others is None:
        return handed
    taken = {each.number for member, each in others.items() if member != by}
    if number is None or number in taken or not 1 <= number <= 10 * MAX_HANDED:
        number = max(taken, default=0) + 1
    return {**others, by: Handed(number, hand_in)}


def read_hand_in(said: Any) -> HandIn:
    """Return what a browser says as a hand-in. Raises ValueError, KeyError or TypeError if it is none."""
    hand_in = HandIn(**{each.name: said[each.name] for each in fields(HandIn)})
    texts = (hand_in.task, hand_in.board, hand_in.sketch, hand_in.seal)
    if (
        not all(isinstance(text, str) for text in texts)
        or type(hand_in.passed) is not bool
        or type(hand_in.at) is not int
    ):
        raise TypeError("hand-in")
    fits = len(hand_in.board) <= MAX_BOARD and len(hand_in.sketch) <= MAX_SKETCH and 0 <= hand_in.at < LATEST
    if not fits or not TASK_ID.fullmatch(hand_in.task) or not SEAL.fullmatch(hand_in.seal):
        raise ValueError("hand-in")
    return hand_in


def read_task(said: Any) -> Task | None:
    """Return the task that the lecturer's browser has kept, or None if there is none."""
    try:
        title, link = said["title"], said["link"]
        texts = isinstance(title, str) and len(title) <= MAX_TITLE and isinstance(link, str) and len(link) <= MAX_LINK
        if not texts or not TASK_ID.fullmatch(said["id"]) or not is_rich_text(said["aim"]):
            return None
        return Task(said["id"], title, tuple(said["aim"]), link, said["is_open"] is True)
    except (KeyError, TypeError):
        return None

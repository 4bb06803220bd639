"""The limit on members whose input a room keeps, so that names that somebody makes up cannot fill it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar

T = TypeVar("T")
MAX_MEMBERS = 1000  # whose votes for one question count


def with_place(
    taken: Mapping[str, T], by: str, present: Collection[str], most: int | None = None
) -> Mapping[str, T] | None:
    """Return what members have said, with a place for one more of them, or None if there is none.

    present: the members who are here. If all places are taken, the last one who has left gives up its own. So a program
    that makes up one name after the other displaces itself, and not the class that was there before.
    """
    if by in taken or len(taken) < (MAX_MEMBERS if most is None else most):
        return taken
    absent = next((each for each in reversed(list(taken)) if each not in present), None)
    return None if absent is None else {each: said for each, said in taken.items() if each != absent}

"""The numbers of a question, drawn from a seed, so that the same seed gives the same question in every version."""

from __future__ import annotations

from collections.abc import Container, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class DrawAgain(Exception):
    """The numbers drawn so far make no good question, so others are drawn."""


class Draw:
    """A source of random numbers that is determined by the names that it is made from.

    It uses only `Random.random`, because Python promises the sequence of that method for all its versions.
    """

    def __init__(self, *names: object) -> None:
        self._random = Random("/".join(map(str, names)))

    def whole(self, low: int, high: int, excluded: Container[int] = ()) -> int:
        """Return a whole number from `low` to `high`, both included, that is not in `but`."""
        return self.one_of([n for n in range(low, high + 1) if n not in excluded])

    def sign(self) -> int:
        """Return 1 or -1."""
        return self.one_of((1, -1))

    def one_of(self, items: Sequence[T]) -> T:
        """Return one of the items, each with the same probability."""
        return items[int(self._random.random() * len(items))]

    def several_of(self, items: Sequence[T], n: int) -> list[T]:
        """Return n different items in random order. n = len(items) shuffles them."""
        rest = list(items)
        return [rest.pop(int(self._random.random() * len(rest))) for _ in range(n)]

    def need(self, condition: bool) -> None:
        """Have everything drawn anew unless the condition holds: `draw.need(f != 0)`."""
        if not condition:
            raise DrawAgain

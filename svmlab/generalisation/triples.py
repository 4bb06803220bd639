"""Three places at a time, many at once: their margin, the circle through them and the smallest ball around them (G2, G3, G8)."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from svmlab.core.arrays import Array, Index, frozen
from svmlab.core.rules import Shape, WholeNumber
from svmlab.core.validate import validated

Triples = Annotated[Array, Shape("n*", 3, 2)]


@validated
def triples(m: Annotated[int, WholeNumber(0, 300)]) -> Index:
    """All rows i < j < k of m places, shape (m choose 3, 3)."""
    i, j, k = np.ogrid[:m, :m, :m]
    return frozen(np.argwhere((i < j) & (j < k)), np.intp)


@validated
def least_margins(T: Triples) -> Array:
    """The least margin over the labellings of each triple T (n, 3, 2), shape (n,): half the least way from one place to the others' segment."""
    ways = [_to_segments(T[:, i], T[:, i - 1], T[:, i - 2]) for i in range(3)]
    return frozen(0.5 * np.min(ways, axis=0))


@validated
def sides(T: Triples) -> Array:
    """The lengths of the sides of each triple T (n, 3, 2), side i opposite corner i, shape (n, 3)."""
    return frozen(np.hypot(*np.moveaxis(np.roll(T, -1, axis=1) - np.roll(T, 1, axis=1), -1, 0)))


@validated
def circumradii(T: Triples) -> Array:
    """The radius of the circle through each triple T (n, 3, 2), shape (n,); inf where it lies on a line. R = abc/(4 area)."""
    u, v = T[:, 1] - T[:, 0], T[:, 2] - T[:, 0]
    twice = np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])
    with np.errstate(divide="ignore", invalid="ignore"):
        return frozen(np.where(twice > 0, sides(T).prod(axis=1) / (2 * twice), np.inf))


@validated
def balls(T: Triples) -> tuple[Array, Array]:
    """The smallest ball around each triple T (n, 3, 2): radii (n,) and centres (n, 2).

    Where an angle is a right one or wider, the side opposite is a diameter; else the circle goes through all three.
    """
    squares = sides(T) ** 2
    longest = squares.argmax(axis=1)
    rows = np.arange(len(T))
    ends = T[rows, (longest + 1) % 3], T[rows, (longest + 2) % 3]
    centres = 0.5 * (ends[0] + ends[1])
    acute = 2 * squares.max(axis=1) < squares.sum(axis=1)
    s = squares[acute]
    weights = s * (s.sum(axis=1, keepdims=True) - 2 * s)
    centres[acute] = (weights[:, :, None] * T[acute]).sum(axis=1) / weights.sum(axis=1)[:, None]
    radii = 0.5 * np.sqrt(squares.max(axis=1))
    radii[acute] = circumradii(T[acute])
    return frozen(radii), frozen(centres)


def _to_segments(p: Array, a: Array, b: Array) -> Array:
    """How far each place p (n, 2) is from the segment of a and b."""
    way = b - a
    square = (way * way).sum(axis=1)
    t = np.clip(((p - a) * way).sum(axis=1) / np.where(square > 0, square, 1.0), 0.0, 1.0)
    return np.asarray(np.hypot(*(p - a - t[:, None] * way).T))

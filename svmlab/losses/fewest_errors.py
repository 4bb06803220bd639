"""The fewest errors of any line, found by trying all lines, which are not many in the plane (L4, L9, L15).

With L the distinct points on the positive side of a line and v = (number labelled +) - (number labelled -) at each,

    errors = m_+ - sum_L v,    or, with the sides exchanged,    m_- + sum_L v

A line that touches no point can be moved, without passing one, until it goes through two points. So every L consists of
the points to the left of a line through two points and, of the points on that line, those up to one of them or those
after it. There are about m^2/2 such lines, each with m points to test. The problem is hard if the dimension grows.
Sides are decided without rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.separability import hyperplane_of, separate
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, Frozen, Index, Mask, frozen
from svmlab.core.errors import SvmError
from svmlab.core.rules import Shape
from svmlab.core.validate import validated
from svmlab.data import Dataset
from svmlab.data.sized import PlanarDataset
from svmlab.kernels.standard import Linear
from svmlab.solvers.separability import rational

Vector = Annotated[Array, Shape("k*")]
SAFE_SIGN = 1e-12  # relative to the products in a cross product: beyond this, rounding cannot change its sign


@dataclass(frozen=True, eq=False)
class FewestErrors(Frozen):
    """A line <w, x> + b = 0 with the fewest errors; w (2,) is 0 if a constant label has the fewest."""

    errors: int
    w: Array
    b: float


@validated
def fewest_errors(data: PlanarDataset, on_progress: Callable[[float], None] | None = None) -> FewestErrors:
    """Return the least number of points with y f(x) <= 0 for any line in the plane, and such a line.

    All lines are tried in O(m^3). The line is in the middle between the points on its two sides. Raises BadInput for
    points that are not in the plane.
    """
    points, at = np.unique(data.X, axis=0, return_inverse=True)
    v = np.bincount(at.ravel(), weights=data.y, minlength=len(points)).astype(int)
    plus = int((data.y > 0).sum())
    largest, smallest, best = (
        0,
        0,
        (np.zeros(len(points), dtype=bool),) * 2,
    )  # the constant -1, and with the sides exchanged the constant +1
    integers = rational.integers(points)[0]
    done = np.zeros((len(points), len(points)), dtype=bool)  # whether the line through these two has been tried
    for i in range(len(points) - 1):
        others = np.flatnonzero(~done[i, i + 1 :]) + i + 1
        for j, sides in zip(others, _sides(points, integers, i, others), strict=True):
            if done[i, j]:
                continue
            left, on = (
                sides > 0,
                np.flatnonzero(sides == 0),
            )  # sorted by their coordinates, which is their order along the line
            done[np.ix_(on, on)] = True
            base = int(v[left].sum())
            for on_left in _left_sides_on_line(on):
                total = base + int(v[on_left].sum())
                if total > largest:
                    largest, best = total, (_left_side(left, on_left), best[1])
                if total < smallest:
                    smallest, best = total, (best[0], _left_side(left, on_left))
        if on_progress is not None:
            on_progress((i + 1) / len(points))
    direct, turned = plus - largest, data.m - plus + smallest
    positive = best[0] if direct <= turned else ~best[1]
    w, b = _middle_line(points, positive)
    return FewestErrors(min(direct, turned), frozen(w), b)


def _sides(points: Array, integers: rational.Integers, i: int, others: Index) -> Array:
    """Return for each j of `others` the side (k,) of every point relative to the line from i to j.

    +1 is to the left, -1 to the right, and 0 on the line.
    """
    D, E = points - points[i], points[others] - points[i]
    first, second = np.outer(E[:, 0], D[:, 1]), np.outer(E[:, 1], D[:, 0])
    cross = first - second
    sides = np.sign(cross)
    for n, k in np.argwhere(np.abs(cross) <= SAFE_SIGN * (np.abs(first) + np.abs(second)) + 1e-300):
        e, d = integers[others[n]] - integers[i], integers[k] - integers[i]
        exact = e[0] * d[1] - e[1] * d[0]
        sides[n, k] = (exact > 0) - (exact < 0)
    return sides


def _left_sides_on_line(on: Index) -> list[Index]:
    """Return the sets of points `on` a line that can lie to the left of a line near it.

    In their order along the line these are all points up to one of them, or all after it.
    """
    return [on[:0], on, *(part for r in range(1, len(on)) for part in (on[:r], on[r:]))]


def _left_side(left: Mask, on_left: Index) -> Mask:
    side = left.copy()
    side[on_left] = True
    return side


def _middle_line(points: Array, positive: Mask) -> tuple[Array, float]:
    """Return the line in the middle between two separable sides, or the constant if one side is empty."""
    if positive.all() or not positive.any():
        return np.zeros(2), 1.0 if positive.any() else -1.0
    sides = Dataset(points, np.where(positive, 1, -1))
    try:
        solution = solve(Problem(sides, Linear(), math.inf))
        if solution.w is not None and (sides.y * (points @ solution.w + solution.b) > 0).all():
            return solution.w, solution.b
    except SvmError:
        pass  # the margin is too small for the solver
    return hyperplane_of(separate(sides))


@validated
def error_counts(data: PlanarDataset, angles: Vector, offsets: Vector) -> Index:
    """Return the number of errors of the lines cos(a) x1 + sin(a) x2 = c, which predict + where it is larger than c.

    The shape is (k, n) for angles a (k,) and offsets c (n,). A point on the line is an error. Raises BadInput for
    points that are not in the plane.
    """
    projections = np.column_stack([np.cos(angles), np.sin(angles)]) @ data.X.T
    counts = np.empty((len(angles), len(offsets)), dtype=np.intp)
    plus = data.y > 0
    for row, p in zip(counts, projections, strict=True):
        below = np.searchsorted(np.sort(p[plus]), offsets, side="right")  # labelled + and not above c
        above = np.count_nonzero(~plus) - np.searchsorted(np.sort(p[~plus]), offsets, side="left")
        row[:] = below + above
    return counts

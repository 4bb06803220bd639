"""The fewest errors that a line can make, by trying all of them: in the plane there are not many (L4, L9, L15).

With L the places on the positive side of a line and v = (points labelled +) - (points labelled -) at each place,

    errors = m_+ - sum_L v,    or, turned round,    m_- + sum_L v

A line that touches no point can be moved, without passing one, until it goes through two places. So every L is what
lies to the left of a line through two places, and of the places on that line those up to one of them, or those after
it. These are some m^2/2 lines with m places to look at each; hard is the task as the dimension grows. Sides are decided
without rounding.
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
from svmlab.data.sized import InPlane
from svmlab.kernels.standard import Linear
from svmlab.solvers.separability import rational

Line = Annotated[Array, Shape("k*")]
SURE = 1e-12  # of the largest product in a cross product: beyond, its sign is that of the doubles


@dataclass(frozen=True, eq=False)
class Fewest(Frozen):
    """A line <w, x> + b = 0 with the fewest errors. w (2,) is 0 where the best is to call all points by one label."""

    errors: int
    w: Array
    b: float


@validated
def fewest_errors(data: InPlane, on_progress: Callable[[float], None] | None = None) -> Fewest:
    """The least number of points with y f(x) <= 0 that a line in the plane leaves, and such a line. O(m^3), all lines
    tried.

    The line stands in the middle between the points on its two sides. Raises BadInput for points that are not in the
    plane.
    """
    places, at = np.unique(data.X, axis=0, return_inverse=True)
    v = np.bincount(at.ravel(), weights=data.y, minlength=len(places)).astype(int)
    plus = int((data.y > 0).sum())
    most, least, best = (
        0,
        0,
        (np.zeros(len(places), dtype=bool),) * 2,
    )  # the constant -1, and turned round the constant +1
    integers = rational.integers(places)[0]
    tried = np.zeros((len(places), len(places)), dtype=bool)  # the line through these two
    for i in range(len(places) - 1):
        others = np.flatnonzero(~tried[i, i + 1 :]) + i + 1
        for j, sides in zip(others, _sides(places, integers, i, others), strict=True):
            if tried[i, j]:
                continue
            left, on = (
                sides > 0,
                np.flatnonzero(sides == 0),
            )  # by their coordinates, which is their order along the line
            tried[np.ix_(on, on)] = True
            base = int(v[left].sum())
            for some in _split(on):
                total = base + int(v[some].sum())
                if total > most:
                    most, best = total, (_with(left, some), best[1])
                if total < least:
                    least, best = total, (best[0], _with(left, some))
        if on_progress is not None:
            on_progress((i + 1) / len(places))
    direct, turned = plus - most, data.m - plus + least
    positive = best[0] if direct <= turned else ~best[1]
    w, b = _between(places, positive)
    return Fewest(min(direct, turned), frozen(w), b)


def _sides(places: Array, integers: rational.Integers, i: int, others: Index) -> Array:
    """For each j of `others` the side (k,) of every place at the line from i to j: +1 to the left, -1 to the right, 0
    on it.
    """
    D, E = places - places[i], places[others] - places[i]
    one, other = np.outer(E[:, 0], D[:, 1]), np.outer(E[:, 1], D[:, 0])
    cross = one - other
    sides = np.sign(cross)
    for n, k in np.argwhere(np.abs(cross) <= SURE * (np.abs(one) + np.abs(other)) + 1e-300):
        e, d = integers[others[n]] - integers[i], integers[k] - integers[i]
        exact = e[0] * d[1] - e[1] * d[0]
        sides[n, k] = (exact > 0) - (exact < 0)
    return sides


def _split(on: Index) -> list[Index]:
    """What may lie to the left of a line that leaves the places `on`, in their order along it: all up to one, or all
    after it.
    """
    return [on[:0], on, *(part for r in range(1, len(on)) for part in (on[:r], on[r:]))]


def _with(left: Mask, some: Index) -> Mask:
    found = left.copy()
    found[some] = True
    return found


def _between(places: Array, positive: Mask) -> tuple[Array, float]:
    """The line in the middle between two sides that a line separates; the constant where one is empty."""
    if positive.all() or not positive.any():
        return np.zeros(2), 1.0 if positive.any() else -1.0
    sides = Dataset(places, np.where(positive, 1, -1))
    try:
        solution = solve(Problem(sides, Linear(), math.inf))
        if solution.w is not None and (sides.y * (places @ solution.w + solution.b) > 0).all():
            return solution.w, solution.b
    except SvmError:
        pass  # a street too narrow for the solver
    return hyperplane_of(separate(sides))


@validated
def terraces(data: InPlane, angles: Line, offsets: Line) -> Index:
    """The errors of the lines cos(a) x1 + sin(a) x2 = c, + where it is larger: (k, n) for angles a (k,) and offsets c
    (n,).

    A point on the line is an error. Raises BadInput for points that are not in the plane.
    """
    along = np.column_stack([np.cos(angles), np.sin(angles)]) @ data.X.T
    found = np.empty((len(angles), len(offsets)), dtype=np.intp)
    plus = data.y > 0
    for row, p in zip(found, along, strict=True):
        below = np.searchsorted(np.sort(p[plus]), offsets, side="right")  # labelled + and not above c
        above = np.count_nonzero(~plus) - np.searchsorted(np.sort(p[~plus]), offsets, side="left")
        row[:] = below + above
    return found

"""Points that a machine has not seen, made of the sample itself: folds, and leaving one out.

Every point is classified by a machine that was solved without it, at the same C (with lambda fixed C would move with
m).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, Frozen, Index, Mask, frozen
from svmlab.core.errors import BadInput
from svmlab.core.rules import Seed, Size
from svmlab.core.validate import validated


@dataclass(frozen=True, eq=False)
class Unseen(Frozen):
    """part (m,): the fold of each point. f (m,): what the machine without that fold says of the point. y (m,): its
    label.

    pinned (m,): whether nothing was left to choose in that machine: it has a free vector, or no bias.
    """

    part: Index
    f: Array
    y: Array
    has_pinned_bias: Mask

    @property
    def wrong(self) -> Mask:
        """Where y f <= 0, shape (m,)."""
        return self.y * self.f <= 0

    @property
    def errors(self) -> int:
        """How many go wrong."""
        return int(self.wrong.sum())

    @property
    def rate(self) -> float:
        """Their share."""
        return self.errors / len(self.y)

    @property
    def folds(self) -> int:
        """How many parts there are."""
        return int(self.part.max()) + 1

    @property
    def standard_error(self) -> float:
        """The standard error of the rate, of how the folds differ. They share points: it is a guide, no more."""
        shares = np.bincount(self.part, self.wrong) / np.bincount(self.part)
        return float(np.std(shares, ddof=1) / math.sqrt(len(shares)))


@validated
def has_pinned_bias(solution: Solution) -> bool:
    """Whether nothing is left to choose in a machine: it has a free vector, or no bias."""
    return not solution.problem.bias or bool(solution.free.any())


@validated
def without(problem: Problem, rows: Mask, start: Solution | None = None) -> Solution:
    """The machine on the points that are not in `rows` (m,), same kernel, C, bias, costs and weights. Raises what
    `solve` raises.
    """
    data = problem.data
    if rows.shape != (data.m,) or rows.all():
        raise BadInput("rows: give one True or False for each of {m} points, and leave one of them.", m=data.m)
    weights = None if problem.weights is None else problem.weights[~rows]
    return solve(replace(problem, data=data.kept(~rows), weights=weights), start=start)


@validated
def folds(
    problem: Problem,
    k: Size = 5,
    seed: Seed = 0,
    start: Solution | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> Unseen:
    """In k parts by chance, as equal as m allows, each classified by the machine on the others. start: the solution of
    `problem`.

    on_progress gets the fraction done and may raise to stop. Raises BadInput for k outside 2..m, and what `solve`
    raises.
    """
    m = problem.data.m
    if not 2 <= k <= m:
        raise BadInput("k: {k!r} folds of {m} points: choose a whole number from 2 to the number of points.", k=k, m=m)
    part = np.random.Generator(np.random.Philox(seed)).permutation(np.arange(m) % k)
    return _cross_validate(problem, part, start, on_progress)


@validated
def leave_one_out(
    problem: Problem, start: Solution | None = None, on_progress: Callable[[float], None] | None = None
) -> Unseen:
    """Each point classified by the machine on all the others: m machines, solved exactly. start: the solution of
    `problem`.

    on_progress gets the fraction done and may raise to stop. Raises BadInput for fewer than 2 points, and what `solve`
    raises.
    """
    if problem.data.m < 2:
        raise BadInput("There are no points to learn from when one of {m} is left out. Add a point.", m=problem.data.m)
    return _cross_validate(problem, np.arange(problem.data.m), start, on_progress)


def _cross_validate(
    problem: Problem, part: Index, start: Solution | None, on_progress: Callable[[float], None] | None
) -> Unseen:
    data = problem.data
    near = solve(problem) if start is None else start
    f, sure, count = np.empty(data.m), np.empty(data.m, dtype=bool), int(part.max()) + 1
    for k in range(count):
        rows = part == k
        other = without(problem, rows, near)
        f[rows], sure[rows] = other.decision(data.X[rows]), has_pinned_bias(other)
        if on_progress is not None:
            on_progress((k + 1) / count)
    return Unseen(frozen(part, np.intp), frozen(f), data.y, frozen(sure, np.bool_))

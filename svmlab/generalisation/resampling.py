"""Cross-validation and leave-one-out: points of the sample classified by an SVM that was solved without them.

C stays the same without these points. (For a fixed lambda, C would change with m.)
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
class CrossValidation(Frozen):
    """The result of a cross-validation, arrays of shape (m,).

    fold_of_point: the fold of each point. f: its decision value by the SVM without that fold. y: its label.
    has_unique_bias: whether b was unique in that SVM, because it has a free support vector or no bias.
    """

    fold_of_point: Index
    f: Array
    y: Array
    has_unique_bias: Mask

    @property
    def errors(self) -> Mask:
        """The points with y f <= 0, shape (m,)."""
        return self.y * self.f <= 0

    @property
    def error_count(self) -> int:
        """The number of errors."""
        return int(self.errors.sum())

    @property
    def rate(self) -> float:
        """The error rate."""
        return self.error_count / len(self.y)

    @property
    def folds(self) -> int:
        """The number of folds."""
        return int(self.fold_of_point.max()) + 1

    @property
    def standard_error(self) -> float:
        """The standard error of the rate, from how the folds differ; only a guide, because they share points."""
        shares = np.bincount(self.fold_of_point, self.errors) / np.bincount(self.fold_of_point)
        return float(np.std(shares, ddof=1) / math.sqrt(len(shares)))


@validated
def has_unique_bias(solution: Solution) -> bool:
    """Return whether b is unique in a solution, because it has a free support vector or no bias."""
    return not solution.problem.bias or bool(solution.free.any())


@validated
def solve_without(problem: Problem, rows: Mask, start: Solution | None = None) -> Solution:
    """Return the solution without the points in `rows` (m,), for the same kernel, C, bias, costs and weights.

    Raises the errors of `solve`.
    """
    data = problem.data
    if rows.shape != (data.m,) or rows.all():
        raise BadInput("rows: give True or False for each of {m} points, and keep at least one point.", m=data.m)
    weights = None if problem.weights is None else problem.weights[~rows]
    return solve(replace(problem, data=data.kept(~rows), weights=weights), start=start)


@validated
def cross_validate(
    problem: Problem,
    k: Size = 5,
    seed: Seed = 0,
    start: Solution | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> CrossValidation:
    """Split the points at random into k folds, and classify each fold by the SVM on the others.

    The sizes of the folds are as equal as possible.

    start: the solution of `problem`. on_progress gets the fraction done and may raise to stop. Raises BadInput for k
    outside 2..m, and the errors of `solve`.
    """
    m = problem.data.m
    if not 2 <= k <= m:
        raise BadInput(
            "k: {k!r} is not a possible number of folds of {m} points. Choose a whole number from 2 to the number of "
            "points.",
            k=k,
            m=m,
        )
    part = np.random.Generator(np.random.Philox(seed)).permutation(np.arange(m) % k)
    return _cross_validate(problem, part, start, on_progress)


@validated
def leave_one_out(
    problem: Problem, start: Solution | None = None, on_progress: Callable[[float], None] | None = None
) -> CrossValidation:
    """Classify each point by the SVM on all the others: m SVMs, solved exactly. start: the solution of `problem`.

    on_progress gets the fraction done and may raise to stop. Raises BadInput for fewer than 2 points, and the errors of
    `solve`.
    """
    if problem.data.m < 2:
        raise BadInput("There are no points to train on when one of {m} is left out. Add a point.", m=problem.data.m)
    return _cross_validate(problem, np.arange(problem.data.m), start, on_progress)


def _cross_validate(
    problem: Problem, part: Index, start: Solution | None, on_progress: Callable[[float], None] | None
) -> CrossValidation:
    data = problem.data
    full_solution = solve(problem) if start is None else start
    f, pinned, count = np.empty(data.m), np.empty(data.m, dtype=bool), int(part.max()) + 1
    for k in range(count):
        rows = part == k
        other = solve_without(problem, rows, full_solution)
        f[rows], pinned[rows] = other.decision(data.X[rows]), has_unique_bias(other)
        if on_progress is not None:
            on_progress((k + 1) / count)
    return CrossValidation(frozen(part, np.intp), frozen(f), data.y, frozen(pinned, np.bool_))

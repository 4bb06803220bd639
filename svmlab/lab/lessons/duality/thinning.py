"""The order in which points are deleted one by one: first the points that are no support vectors (H9)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, Index, frozen
from svmlab.data import Dataset


def order(solution: Solution) -> Index:
    """The rows in the order in which they go, the last of each class kept, shape (n,).

    First the points that are no support vectors, those furthest beyond their margin line before the others; then the
    support vectors, those with the smallest multipliers first.
    """
    rows = np.lexsort((-solution.margins, solution.alpha, solution.support))
    y = solution.problem.data.y[rows]
    last = {int(np.flatnonzero(y == label)[-1]) for label in (1, -1) if (y == label).any()}
    return np.array([r for k, r in enumerate(rows) if k not in last], dtype=np.intp)


def without(problem: Problem, removed: Index) -> Problem:
    """Return the same problem on the points that are left."""
    data = problem.data
    stay = np.setdiff1d(np.arange(data.m), removed)
    return replace(problem, data=Dataset(data.X[stay], data.y[stay], data.ids[stay]))


def margins(solution: Solution) -> Array:
    """Return 1/|w| (n + 1,) of the SVM on the points that are left after 0, 1, 2, ... points of `order` are removed."""
    rows = order(solution)
    norms = [solve(without(solution.problem, rows[:k])).norm_w for k in range(len(rows) + 1)]
    return frozen(1.0 / np.array(norms))

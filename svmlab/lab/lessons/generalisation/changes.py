"""The same points in another description: one coordinate in other units, a class with another cost, or a rotation.

A change is a linear map A of the plane, x -> A x, or a cost v > 0 of the slack of the rarer class:

    units  A = diag(1, s)      price  v_i = s for the rarer class, 1 for the other      turn  A'A = I

The solution of the changed problem, evaluated at A x, is a classifier on the original board. It is the same classifier
where the kernel depends only on distances or inner products and A'A = I. Where s != 1 it may be another one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.core.arrays import Array, frozen
from svmlab.data import Dataset
from svmlab.generalisation import Confusion, confusion
from svmlab.plane.contours import level_lines
from svmlab.plane.geometry import clip_line

UNITS, PRICE, TURN = "units", "price", "turn"
CHANGES = (UNITS, PRICE, TURN)
FIVE = 5.0  # factor of the units, or of the cost
TURNED = 30.0  # degrees
GRID_POINTS = 97  # points of the grid on which a curved boundary is drawn


@dataclass(frozen=True, eq=False)
class Changed:
    """A changed problem, and the map A (2, 2) from the board to the positions of its points."""

    problem: Problem
    A: Array


def confusion_after(solution: Solution, A: Array, data: Dataset, positive: float) -> Confusion:
    """Return the confusion matrix of a changed problem's solution on points of the board, the positive class first."""
    y = data.y.astype(np.int64)
    is_error = data.y * solution.decision(data.X @ A.T) <= solution.floor
    return confusion(y, np.where(is_error, -y, y), classes=(int(positive), -int(positive)))


def rarer(data: Dataset) -> float:
    """Return the label of the class with fewer points, -1 if both have equally many."""
    return 1.0 if (data.y > 0).sum() < (data.y < 0).sum() else -1.0


def balanced(data: Dataset) -> float:
    """Return the cost with which both classes, each with at least one point, have the same total weight."""
    number_of_rarer = int((data.y == rarer(data)).sum())
    return (data.m - number_of_rarer) / number_of_rarer


def changed(problem: Problem, change: str, amount: float) -> Changed:
    """Return the problem in other units or with another cost (a factor), or rotated (degrees)."""
    data, A = problem.data, np.eye(2)
    if change == PRICE:
        costs = (amount, 1.0) if rarer(data) > 0 else (1.0, amount)
        return Changed(replace(problem, costs=costs), A)
    if change == UNITS:
        A = np.diag([1.0, amount])
    else:
        c, s = math.cos(math.radians(amount)), math.sin(math.radians(amount))
        A = np.array([[c, -s], [s, c]])
    return Changed(replace(problem, data=Dataset(data.X @ A.T, data.y, data.ids)), frozen(A))


def boundary(solution: Solution, A: Array, half: float) -> tuple[Array, ...]:
    """Return where the f of a changed problem is 0 on the board [-half, half]^2, as polylines (k, 2)."""
    if solution.is_constant:
        return ()
    if solution.problem.kernel.is_linear:
        w = solution.gradient(np.zeros((1, 2)))[0] @ A
        return clip_line(w, -float(solution.decision(np.zeros((1, 2)))[0]), half)
    axis = np.linspace(-half, half, GRID_POINTS)
    return level_lines(_values(solution, A, axis), half)


def _values(solution: Solution, A: Array, at: Array) -> Array:
    """Return f at A (u, v) for u, v of `at` (n,), shape (n, n), row i at v_i."""
    u, v = np.meshgrid(at, at)
    return solution.decision(np.column_stack([u.ravel(), v.ravel()]) @ A.T).reshape(len(at), len(at))

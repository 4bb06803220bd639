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
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, Mask, frozen
from svmlab.core.errors import SvmError
from svmlab.data import Dataset
from svmlab.plane.contours import level_lines
from svmlab.plane.geometry import clip_line

UNITS, PRICE, TURN = "units", "price", "turn"
CHANGES = (UNITS, PRICE, TURN)
FIVE = 5.0  # factor of the units, or of the cost
TURNED = 30.0  # degrees
FACTORS = np.geomspace(0.1, 10.0, 25)
SIDE = 60  # points along each side of the board; an even number leaves out the axes
FINE = 97  # points of the grid on which a curved boundary is drawn
MANY, FEW = 30, 6  # points of + and of - where one class is rare
SAME = 0.005  # two classifiers count as the same if at most this part of the board changes its class


@dataclass(frozen=True, eq=False)
class Changed:
    """A changed problem, and the map A (2, 2) from the board to the positions of its points."""

    problem: Problem
    A: Array


@dataclass(frozen=True, eq=False)
class Shares:
    """The part of the board that changes its class, (k,) along FACTORS for units and for price.

    It is nan where there is no solution.
    """

    units: Array
    price: Array


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
    axis = np.linspace(-half, half, FINE)
    return level_lines(_values(solution, A, axis), half)


def share(one: Solution, other: Solution, A: Array, half: float) -> float:
    """Return the part of the board that two solutions, of the board and of a changed problem, classify differently."""
    axis = np.linspace(-half, half, SIDE)
    return float((_sides(one, np.eye(2), axis) != _sides(other, A, axis)).mean())


def shares(solution: Solution, half: float) -> Shares:
    """Return the parts of the board that change their class along FACTORS."""
    axis = np.linspace(-half, half, SIDE)
    sides = _sides(solution, np.eye(2), axis)

    def moved(change: str, factor: float) -> float:
        posed = changed(solution.problem, change, factor)
        try:
            return float((_sides(solve(posed.problem, start=solution), posed.A, axis) != sides).mean())
        except SvmError:
            return math.nan

    return Shares(*(frozen([moved(change, factor) for factor in FACTORS.tolist()]) for change in (UNITS, PRICE)))


def wrong(solution: Solution) -> Mask:
    """Return the training errors, (m,); a point on the boundary is one."""
    return np.asarray(solution.margins <= solution.noise)


def few() -> list[tuple[float, float, int]]:
    """Return two round clouds that touch, one with five times as many points as the other."""
    rng = np.random.Generator(np.random.Philox(5))
    y = np.r_[np.ones(MANY), -np.ones(FEW)]
    X = np.outer(y, [1.0, 0.55]) + 0.95 * rng.standard_normal((len(y), 2))
    return [(float(a), float(b), int(label)) for (a, b), label in zip(X.clip(-3.8, 3.8).round(3), y, strict=True)]


def small() -> list[tuple[float, float, int]]:
    """Return classes that x2 separates and x1 hardly does, where the values of x2 are about five times as small."""
    rng = np.random.Generator(np.random.Philox(2))
    y = np.where(np.arange(30) % 2 == 0, 1.0, -1.0)
    X = np.column_stack([0.8 * y + 1.5 * rng.standard_normal(30), 0.35 * y + 0.16 * rng.standard_normal(30)])
    return [(float(a), float(b), int(label)) for (a, b), label in zip(X.clip(-3.8, 3.8).round(3), y, strict=True)]


def _values(solution: Solution, A: Array, at: Array) -> Array:
    """Return f at A (u, v) for u, v of `at` (n,), shape (n, n), row i at v_i."""
    u, v = np.meshgrid(at, at)
    return solution.decision(np.column_stack([u.ravel(), v.ravel()]) @ A.T).reshape(len(at), len(at))


def _sides(solution: Solution, A: Array, at: Array) -> Array:
    f = _values(solution, A, at)
    return np.where(np.abs(f) <= solution.floor, 0.0, np.sign(f))

"""The same points told in another way: one coordinate in other units, a class at another price, the board turned.

A change is a linear map A of the plane, x -> A x, or a price v > 0 of the slack of the rarer class:

    units  A = diag(1, s)      price  v_i = s for the rarer class, 1 for the other      turn  A'A = I

The machine of the changed problem, read at A x, is a machine on the board as it is. It is the same one where the kernel
sees only distances or inner products and A'A = I; it need not be where s != 1.
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
from svmlab.plane.geometry import cut

UNITS, PRICE, TURN = "units", "price", "turn"
CHANGES = (UNITS, PRICE, TURN)
FIVE = 5.0  # times as large, or as dear
TURNED = 30.0  # degrees
FACTORS = np.geomspace(0.1, 10.0, 25)
SIDE = 60  # places along each side of the board; an even number leaves out the axes
FINE = 97  # of the grid on which a curved boundary is drawn
MANY, FEW = 30, 6  # points of + and of - where one class is rare
SAME = 0.005  # the part of the board that may change sides in the same machine


@dataclass(frozen=True, eq=False)
class Changed:
    """A changed problem, and the map A (2, 2) from the board to where its points are."""

    problem: Problem
    A: Array


@dataclass(frozen=True, eq=False)
class Shares:
    """The part of the board that changes sides, (k,) along FACTORS for units and for price; nan where nothing was
    found.
    """

    units: Array
    price: Array


def rarer(data: Dataset) -> float:
    """The label of the class with fewer points, -1 where they are as many."""
    return 1.0 if (data.y > 0).sum() < (data.y < 0).sum() else -1.0


def balanced(data: Dataset) -> float:
    """The price at which both classes, each with a point at least, weigh alike."""
    few = int((data.y == rarer(data)).sum())
    return (data.m - few) / few


def changed(problem: Problem, change: str, amount: float) -> Changed:
    """The problem in other units or with another price (a factor), or turned (degrees)."""
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
    """Where a machine of a changed problem is 0 on the board [-half, half]^2, as polylines (k, 2)."""
    if solution.is_constant:
        return ()
    if solution.problem.kernel.is_linear:
        w = solution.gradient(np.zeros((1, 2)))[0] @ A
        return cut(w, -float(solution.decision(np.zeros((1, 2)))[0]), half)
    at = np.linspace(-half, half, FINE)
    return level_lines(_values(solution, A, at), half)


def share(one: Solution, other: Solution, A: Array, half: float) -> float:
    """The part of the board that the machine on it and one of a changed problem give to different classes."""
    at = np.linspace(-half, half, SIDE)
    return float((_sides(one, np.eye(2), at) != _sides(other, A, at)).mean())


def shares(solution: Solution, half: float) -> Shares:
    """How much of the board changes sides along FACTORS."""
    at = np.linspace(-half, half, SIDE)
    now = _sides(solution, np.eye(2), at)

    def moved(change: str, factor: float) -> float:
        posed = changed(solution.problem, change, factor)
        try:
            return float((_sides(solve(posed.problem, start=solution), posed.A, at) != now).mean())
        except SvmError:
            return math.nan

    return Shares(*(frozen([moved(change, factor) for factor in FACTORS.tolist()]) for change in (UNITS, PRICE)))


def wrong(solution: Solution) -> Mask:
    """The training errors, (m,); a point on the boundary is one."""
    return np.asarray(solution.margins <= solution.noise)


def few() -> list[tuple[float, float, int]]:
    """Two round clouds that touch, one with five times the points of the other."""
    rng = np.random.Generator(np.random.Philox(5))
    y = np.r_[np.ones(MANY), -np.ones(FEW)]
    X = np.outer(y, [1.0, 0.55]) + 0.95 * rng.standard_normal((len(y), 2))
    return [(float(a), float(b), int(label)) for (a, b), label in zip(X.clip(-3.8, 3.8).round(3), y, strict=True)]


def small() -> list[tuple[float, float, int]]:
    """Classes that x2 tells apart and x1 hardly does, with x2 in numbers some five times as small."""
    rng = np.random.Generator(np.random.Philox(2))
    y = np.where(np.arange(30) % 2 == 0, 1.0, -1.0)
    X = np.column_stack([0.8 * y + 1.5 * rng.standard_normal(30), 0.35 * y + 0.16 * rng.standard_normal(30)])
    return [(float(a), float(b), int(label)) for (a, b), label in zip(X.clip(-3.8, 3.8).round(3), y, strict=True)]


def _values(solution: Solution, A: Array, at: Array) -> Array:
    """F at A (u, v) for u, v of `at` (n,), shape (n, n), row i at v_i."""
    u, v = np.meshgrid(at, at)
    return solution.decision(np.column_stack([u.ravel(), v.ravel()]) @ A.T).reshape(len(at), len(at))


def _sides(solution: Solution, A: Array, at: Array) -> Array:
    f = _values(solution, A, at)
    return np.where(np.abs(f) <= solution.floor, 0.0, np.sign(f))

"""The b of each support vector, w in two parts, and the effect of deleting all other points (S7, S8, S9)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, Index, Mask, frozen, relative_to
from svmlab.data import Dataset


@dataclass(frozen=True, eq=False)
class Offsets:
    """The b of each support vector.

    rows (k,): the support vectors. each (k,): y_k - g_k with g = <w, x>. free (k,): whether 0 < alpha < C. slack (k,):
    y_k xi_k.
    """

    rows: Index
    each: Array
    free: Mask
    slack: Array


@dataclass(frozen=True, eq=False)
class Retrained:
    """The solutions without the points of alpha = 0: at the same C, at the same lambda, and at lambda m / m'.

    moved: the distance by which w moves at the same lambda, relative to its length.
    """

    same_price: Solution
    same_lam: Solution
    adjusted: Solution
    moved: float


def own_offsets(solution: Solution) -> Offsets:
    """Return the b that every support vector gives by itself."""
    y = solution.problem.data.y
    rows = np.flatnonzero(solution.support)
    g = y * solution.margins - solution.b
    return Offsets(
        frozen(rows, np.intp),
        frozen((y - g)[rows]),
        frozen(solution.free[rows], bool),
        frozen((y * solution.xi)[rows]),
    )


def parts(solution: Solution) -> tuple[Array, Array]:
    """Return w as the sum of its part from points with slack and its part from the margin line, each (D,).

    It needs a finite feature map.
    """
    data, kernel = solution.problem.data, solution.problem.kernel
    Phi = kernel.feature_map(relative_to(solution.function.origin, data.X))
    has_slack = solution.xi > max(solution.tolerance, solution.floor)
    signed = solution.alpha * data.y
    return signed[has_slack] @ Phi[has_slack], signed[~has_slack] @ Phi[~has_slack]


def with_b(solution: Solution, b: float) -> Solution:
    """Return the same w with another b, for drawing."""
    shift = b - solution.b
    return replace(solution, b=b, b_interval=(b, b), evaluation=solution.evaluation.with_bias_moved(shift))


def with_closest_b(solution: Solution, b: float) -> Solution:
    """Return the same solution with the b of its interval that is closest to `b`."""
    return with_b(solution, float(np.clip(b, *solution.b_interval)))


def retrained(solution: Solution) -> Retrained:
    """Return the solutions of the support vectors alone, in each form."""
    problem, rows = solution.problem, solution.support
    data = Dataset(problem.data.X[rows], problem.data.y[rows], problem.data.ids[rows])
    lam = problem.lam
    same_lam = solve(Problem.from_lambda(data, problem.kernel, lam, problem.bias))
    adjusted = solve(Problem.from_lambda(data, problem.kernel, lam * problem.data.m / data.m, problem.bias))
    change = (same_lam.alpha - solution.alpha[rows]) * data.y
    distance = float(np.sqrt(max(0.0, float(change @ same_lam.problem.gram @ change))))
    longest = max(solution.norm_w, same_lam.norm_w)
    return Retrained(solve(replace(problem, data=data)), same_lam, adjusted, distance / longest if longest else 0.0)

"""What the support vectors carry: each one's own b, and w in two parts (S7, S8); and what deleting the others does
(S9).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, Index, Mask, frozen
from svmlab.data import Dataset


@dataclass(frozen=True, eq=False)
class Offsets:
    """rows (k,): the support vectors; each (k,): y_k - g_k with g = <w, x>; free (k,); slack (k,): y_k xi_k."""

    rows: Index
    each: Array
    free: Mask
    slack: Array


@dataclass(frozen=True, eq=False)
class Kept:
    """The machines without the points of alpha = 0: at the same C, at the same lambda, and at lambda m / m'.

    moved: how far w goes at the same lambda, as a part of its length.
    """

    same_price: Solution
    same_lam: Solution
    adjusted: Solution
    moved: float


def own_offsets(solution: Solution) -> Offsets:
    """The b that every support vector by itself would give."""
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
    """W as the sum of its part from points with slack and its part from the margin line, each (D,); needs an explicit
    w.
    """
    data, kernel = solution.problem.data, solution.problem.kernel
    Phi = kernel.feature_map(data.X if solution.origin is None else data.X - solution.origin)
    short = solution.xi > max(solution.tolerance, solution.floor)
    signed = solution.alpha * data.y
    return signed[short] @ Phi[short], signed[~short] @ Phi[~short]


def with_b(solution: Solution, b: float) -> Solution:
    """The same w with another b, to be drawn."""
    shift = b - solution.b
    offset = None if solution.offset is None else solution.offset + shift
    return replace(solution, b=b, b_interval=(b, b), offset=offset)


def near(solution: Solution, b: float) -> Solution:
    """The same machine with the b of its interval that is nearest to `b`."""
    return with_b(solution, float(np.clip(b, *solution.b_interval)))


def kept(solution: Solution) -> Kept:
    """The support vectors alone, solved again in each form."""
    problem, keep = solution.problem, solution.support
    data = Dataset(problem.data.X[keep], problem.data.y[keep], problem.data.ids[keep])
    lam = problem.lam
    same_lam = solve(Problem.from_lambda(data, problem.kernel, lam, problem.bias))
    adjusted = solve(Problem.from_lambda(data, problem.kernel, lam * problem.data.m / data.m, problem.bias))
    change = (same_lam.alpha - solution.alpha[keep]) * data.y
    far = float(np.sqrt(max(0.0, float(change @ same_lam.problem.gram @ change))))
    longest = max(solution.norm_w, same_lam.norm_w)
    return Kept(solve(replace(problem, data=data)), same_lam, adjusted, far / longest if longest else 0.0)

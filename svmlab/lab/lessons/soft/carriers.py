"""What the support vectors carry: each one's own b, and w in two parts (S7, S8); and what deleting the others does (S9)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from svmlab.arrays import Array, Index, Mask, frozen
from svmlab.data import Dataset
from svmlab.problem import Problem
from svmlab.solution import Solution
from svmlab.solve import solve


@dataclass(frozen=True, eq=False)
class Offsets:
    """rows (k,): the support vectors; each (k,): y_k - g_k with g = <w, x>; free (k,); slack (k,): y_k xi_k."""

    rows: Index
    each: Array
    free: Mask
    slack: Array


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
    """W as the sum of its part from points with slack and its part from the margin line, each (D,); needs an explicit w."""
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


def without_idle(solution: Solution) -> tuple[Solution, Solution, Solution]:
    """The support vectors alone, solved at the same C, at the same lambda, and at lambda m / m'."""
    problem = solution.problem
    keep = solution.support
    data = Dataset(problem.data.X[keep], problem.data.y[keep], problem.data.ids[keep])
    lam = problem.lam
    adjusted = lam * problem.data.m / data.m
    forms = (
        replace(problem, data=data),
        Problem.from_lambda(data, problem.kernel, lam, problem.bias),
        Problem.from_lambda(data, problem.kernel, adjusted, problem.bias),
    )
    same_C, same_lam, moved = (solve(p) for p in forms)
    return same_C, same_lam, moved

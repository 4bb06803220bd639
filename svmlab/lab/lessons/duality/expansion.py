"""What the multipliers of a machine build: w step by step, b from each point, f(u) term by term (H5 to H8 of the
catalogue).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.binary.solution import Solution
from svmlab.core.arrays import Array, Index, frozen


@dataclass(frozen=True, eq=False)
class Sums:
    """rows (n,): the support vectors in the order of the points; w (n + 1, D) and balance (n + 1,): partial sums from 0
    on.
    """

    rows: Index
    w: Array
    balance: Array


def partial_sums(solution: Solution) -> Sums:
    """Sum alpha_i y_i phi(x_i) and sum alpha_i y_i over the first 0, 1, 2, ... support vectors; needs a finite feature
    map.
    """
    data = solution.problem.data
    rows = np.flatnonzero(solution.support)
    signed = solution.alpha[rows] * data.y[rows]
    steps = signed[:, None] * solution.problem.kernel.feature_map(data.X[rows])
    w = np.vstack([np.zeros((1, steps.shape[1])), np.cumsum(steps, axis=0)])
    return Sums(rows, frozen(w), frozen(np.r_[0.0, np.cumsum(signed)]))


def readings(solution: Solution) -> Array:
    """The b that each point asks for: y_k - sum_j alpha_j y_j k(x_j, x_k), shape (m,). Right where 0 < alpha_k < C."""
    return solution.problem.data.y - (solution.decision(solution.problem.data.X) - solution.b)


@dataclass(frozen=True, eq=False)
class Terms:
    """f(u) = sum_n signed_n kernel_n + b over the support vectors `rows`; `value` is that sum."""

    rows: Index
    signed: Array
    kernel: Array
    value: float

    @property
    def products(self) -> Array:
        """The terms alpha_n y_n k(x_n, u)."""
        return self.signed * self.kernel


def terms(solution: Solution, u: Array) -> Terms:
    """F at one place u (2,), from kernel values with the support vectors alone."""
    problem = solution.problem
    rows = np.flatnonzero(solution.support)
    signed = solution.alpha[rows] * problem.data.y[rows]
    kernel = problem.kernel(problem.data.X[rows], np.asarray(u, dtype=float)[None, :])[:, 0]
    return Terms(rows, frozen(signed), frozen(kernel), float(signed @ kernel) + solution.b)


def misprint(solution: Solution, star: int) -> float:
    """The offset of note C's final hypothesis, linear kernel: with (x_n - x*)'u + 1/y* the line is <w, u> + this.

    sum_n alpha_n y_n (x_n - x*)'u = <w, u> - (y'alpha) x*'u, and y'alpha = 0 with a bias: what is left of b is 1/y*.
    """
    return float(1.0 / solution.problem.data.y[star])

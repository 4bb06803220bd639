"""What the multipliers of a solution determine: w step by step, b from each point, and f(x) term by term (H5 to H8)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.binary.solution import Solution
from svmlab.core.arrays import Array, Index, frozen


@dataclass(frozen=True, eq=False)
class Sums:
    """The partial sums of w and of y'alpha over the support vectors.

    rows (n,): the support vectors in the order of the points. w (n + 1, D) and balance (n + 1,): partial sums from 0
    on.
    """

    rows: Index
    w: Array
    balance: Array


def partial_sums(solution: Solution) -> Sums:
    """Return sum alpha_i y_i phi(x_i) and sum alpha_i y_i over the first 0, 1, 2, ... support vectors.

    It needs a finite feature map.
    """
    data = solution.problem.data
    rows = np.flatnonzero(solution.support)
    signed = solution.alpha[rows] * data.y[rows]
    steps = signed[:, None] * solution.problem.kernel.feature_map(data.X[rows])
    w = np.vstack([np.zeros((1, steps.shape[1])), np.cumsum(steps, axis=0)])
    return Sums(rows, frozen(w), frozen(np.r_[0.0, np.cumsum(signed)]))


def biases(solution: Solution) -> Array:
    """Return the b by each point, y_k - sum_j alpha_j y_j k(x_j, x_k), shape (m,); correct where 0 < alpha_k < C."""
    return solution.problem.data.y - (solution.decision(solution.problem.data.X) - solution.b)


@dataclass(frozen=True, eq=False)
class Terms:
    """The sum f(x) = sum_i signed_i kernel_i + b over the support vectors `rows`; `value` is that sum."""

    rows: Index
    signed: Array
    kernel: Array
    value: float

    @property
    def products(self) -> Array:
        """Return the terms alpha_i y_i k(x_i, x)."""
        return self.signed * self.kernel


def terms(solution: Solution, x: Array) -> Terms:
    """Return f at one point x (2,), from kernel values with the support vectors alone."""
    problem = solution.problem
    rows = np.flatnonzero(solution.support)
    signed = solution.alpha[rows] * problem.data.y[rows]
    kernel = problem.kernel(problem.data.X[rows], np.asarray(x, dtype=float)[None, :])[:, 0]
    return Terms(rows, frozen(signed), frozen(kernel), float(signed @ kernel) + solution.b)


def misprint(solution: Solution, j: int) -> float:
    """Return the bias of note C's final hypothesis with the linear kernel and the support vector x_j.

    With (x_i - x_j)'x + 1/y_j, f is <w, x> + this bias. sum_i alpha_i y_i (x_i - x_j)'x = <w, x> - (y'alpha) x_j'x, and
    y'alpha = 0 with a bias, so only 1/y_j remains of b.
    """
    return float(1.0 / solution.problem.data.y[j])

"""The KKT conditions point by point, with (w, b) and alpha from two different solvers (H4, S6)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.core.arrays import Array, frozen


@dataclass(frozen=True, eq=False)
class Conditions:
    """The residuals of the KKT conditions, 0 where a condition holds.

    stationarity: X |w - sum alpha_i y_i phi(x_i)| / max(1, X |w|), with X the largest |phi(x_i)|. balance: |y'alpha| /
    sum alpha, None without a bias.

    Per point, shape (m,): yf; xi (0 for the hard margin); missing (1 - yf - xi)_+; outside: how far alpha leaves [0,
    C]; slackness |alpha (yf - 1 + xi)| / max alpha; ceiling |(C - alpha) xi| / C, 0 for the hard margin.
    """

    stationarity: float
    balance: float | None
    alpha: Array
    yf: Array
    xi: Array
    missing: Array
    outside: Array
    slackness: Array
    ceiling: Array

    @property
    def worst(self) -> Array:
        """Return the largest residual of each point, shape (m,)."""
        return np.maximum.reduce([self.missing, self.outside, self.slackness, self.ceiling])

    def hold(self, tol: float) -> bool:
        """Return whether every residual is at most tol."""
        return max(self.stationarity, self.balance or 0.0, float(self.worst.max(initial=0.0))) <= tol


def conditions(problem: Problem, Phi: Array, w: Array, b: float, alpha: Array) -> Conditions:
    """Return the residuals for the (w, b) of one solver and the multipliers (m,) of another.

    Phi (m, D) are the points in the coordinates of w.
    """
    y, C = problem.data.y, problem.C
    largest_alpha, total = float(alpha.max(initial=0.0)) or 1.0, float(alpha.sum()) or 1.0
    largest_norm = float(np.linalg.norm(Phi, axis=1).max(initial=0.0)) or 1.0
    stationarity = float(np.linalg.norm(w - (alpha * y) @ Phi))
    yf = y * (Phi @ w + b)
    hinge = np.maximum(0.0, 1.0 - yf)
    xi = np.zeros(len(y)) if problem.hard else hinge
    outside, ceiling = np.maximum(0.0, -alpha) / largest_alpha, np.zeros(len(y))
    if not problem.hard:
        outside = np.maximum(outside, np.maximum(0.0, alpha - C) / C)
        ceiling = np.abs((C - alpha) * xi) / C
    return Conditions(
        largest_norm * stationarity / max(1.0, largest_norm * float(np.linalg.norm(w))),
        abs(float(y @ alpha)) / total if problem.bias else None,
        frozen(alpha),
        frozen(yf),
        frozen(xi),
        frozen(np.maximum(0.0, hinge - xi)),
        frozen(outside),
        frozen(np.abs(alpha * (yf - 1.0 + xi)) / largest_alpha),
        frozen(ceiling),
    )

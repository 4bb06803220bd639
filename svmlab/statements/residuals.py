"""The gap between the two programs as the sum of what the optimality conditions miss (H4, S6)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array


@dataclass(frozen=True)
class Residuals:
    """What each condition misses, in units of the objective; `primal` and `dual` are the two values, each by its own formula.

    balance of w, slackness and ceiling are at least 0 for any feasible pair; the balance of the labels is 0 there.
    """

    primal: float
    dual: float
    stationarity: float
    slackness: float
    ceiling: float
    balance: float

    @property
    def gap(self) -> float:
        """P - D."""
        return self.primal - self.dual

    @property
    def sum(self) -> float:
        """All that is missed."""
        return self.stationarity + self.slackness + self.ceiling + self.balance


def residuals(Phi: Array, y: Array, C: float, w: Array, b: float, alpha: Array) -> Residuals:
    """Both values and the residuals of any (w, b) and any 0 <= alpha <= C; Phi (m, D), w (D,), y and alpha (m,).

        P - D = 1/2 |w - sum alpha y x|^2 + sum alpha_i (y_i f_i - 1 + xi_i) + sum (C - alpha_i) xi_i - b y'alpha

    with xi the hinge of (w, b); for C = inf, where every y f must be at least 1, xi = 0.
    """
    hard = math.isinf(C)
    yf, v = y * (Phi @ w + b), (alpha * y) @ Phi
    xi = np.zeros(len(y)) if hard else np.maximum(0.0, 1.0 - yf)
    way = w - v
    return Residuals(
        0.5 * float(w @ w) + (0.0 if hard else C * float(xi.sum())),
        float(alpha.sum()) - 0.5 * float(v @ v),
        0.5 * float(way @ way),
        float(alpha @ (yf - 1.0 + xi)),
        0.0 if hard else float(((C - alpha) * xi).sum()),
        -b * float(y @ alpha),
    )

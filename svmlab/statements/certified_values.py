"""Bounds of optimal values from any w, b and any multipliers, each by its own formula and with its round-off."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import EPS, Array
from svmlab.solvers import cvxopt_backend
from svmlab.solvers.program import QP
from svmlab.statements.situation import Situation


@dataclass(frozen=True)
class Bounds:
    """An optimal value lies between `lower` and `upper`, up to the rounding error `noise` of both."""

    lower: float
    upper: float
    noise: float

    @property
    def width(self) -> float:
        """Return upper - lower as a part of the upper bound, where rounding does not explain it."""
        return max(abs(self.upper - self.lower) - 2 * self.noise, 0.0) / max(self.upper, 1e-300)


def enclose(
    s: Situation, C: float, w: Array, b: float, alpha: Array, target: Array | float = 1.0, blur: float = 0.0
) -> Bounds:
    """Return bounds of min 1/2 |w|^2 + C sum max(0, target_i - y_i f(x_i)): the primal value of (w, b), and the dual
    value of alpha (m,), which is clipped to [0, C].

        upper = 1/2 |w|^2 + C sum max(0, target - y f)
        lower = sum target alpha - 1/2 |sum alpha y x|^2 - 2 |b y'alpha|

    The last term is what a violation of y'alpha = 0 can add. The points are taken from their mean if there is a bias,
    which changes b alone. `noise` counts the terms of all sums. blur: the round-off in f with which b was computed.
    """
    Z, a = s.centred, np.clip(alpha, 0.0, C)
    shift = float(w @ (s.Phi.mean(0) - Z.mean(0))) if s.problem.bias else 0.0
    moved = b + shift
    yf, v = s.y * (Z @ w + moved), s.expand(a)
    slack = np.maximum(0.0, target - yf)
    upper = 0.5 * float(w @ w) + C * float(slack.sum())
    imbalance = 2.0 * abs(moved * float(s.y @ a)) if s.problem.bias else 0.0
    lower = float((target * a).sum()) - 0.5 * float(v @ v) - imbalance
    reach = np.abs(Z)
    largest_w = np.maximum(np.abs(w), a @ reach)  # the terms of w may cancel in it
    terms = float(a @ (reach @ np.abs(v))) + C * float((slack > 0) @ (reach @ largest_w + abs(moved) + 1.0))
    terms += 0.5 * float(w @ w) + float((target * a).sum())
    if s.problem.bias:
        terms += float(largest_w @ np.abs(s.Phi.mean(0) - Z.mean(0))) * C * float((slack > 0).sum())
    return Bounds(lower, upper, (s.m + len(w) + 4) * EPS * terms + blur * C * float((slack > 0).sum()))


def shifted_optimum(s: Situation, C: float, target: Array) -> tuple[Array, float, Array]:
    """Return w (D,), b and alpha (m,) of the soft margin whose constraints read y_i f(x_i) >= target_i - xi_i.

    cvxopt solves its dual max target'alpha - 1/2 alpha'Q alpha, 0 <= alpha <= C, and y'alpha = 0 with a bias. The
    multipliers are in units of the smaller of C and 1/X^2. Raises SolverFailed.
    """
    Z, m = s.centred, s.m
    size = float(np.linalg.norm(Z, axis=1).max()) or 1.0
    unit = min(C, 1.0 / size**2)
    rows = s.y[:, None] * Z
    E = s.y[None, :].copy() if s.problem.bias else np.zeros((0, m))
    qp = QP(
        unit * rows @ rows.T,
        -target,
        np.vstack([np.eye(m), -np.eye(m)]),
        np.r_[np.zeros(m), np.full(m, -C / unit)],
        E,
        np.zeros(len(E)),
        tuple(f"alpha{i + 1}" for i in range(m)),
    )
    answer = cvxopt_backend.solve_qp(qp)
    alpha = unit * answer.u
    w = s.expand(alpha)
    b = float(answer.equality[0]) if s.problem.bias else 0.0
    return w, b - (float(w @ (s.Phi.mean(0) - Z.mean(0))) if s.problem.bias else 0.0), alpha

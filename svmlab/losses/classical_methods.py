"""The classical method of each pair of a loss and a regulariser, for comparison with the one descent (L5, L8).

Least squares by its normal equations, the lasso by trying all signs, logistic regression by iteratively reweighted
least squares, hinge with R1 as a linear program, R1 with a smooth loss by proximal gradient steps. Source: note B,
"Known methods".
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Annotated

import numpy as np

from svmlab.core.arrays import Array, Frozen, Mask, frozen
from svmlab.core.errors import BadInput
from svmlab.core.rules import Shape, Steps, WholeNumber
from svmlab.core.validate import validated
from svmlab.losses.loss import Logistic, Loss, Squared
from svmlab.losses.objective import Objective
from svmlab.losses.regulariser import R1, R2, Regulariser
from svmlab.solvers import cvxopt_backend

ROUND_OFF = 1e-13
MOST_WEIGHTS = 6  # the lasso tries all signs of at most so many weights


@dataclass(frozen=True, eq=False)
class Minimum(Frozen):
    """The result of a method: w (d,), b, and value, F there.

    multipliers: (m,) for a linear program those of its points, in [0, 1/m]; else empty.
    """

    w: Array
    b: float
    value: float
    multipliers: Array


@validated
def least_squares(objective: Objective) -> Minimum:
    """Solve squared loss with R2, ridge regression: (A'A + m lam/2 I_w) u = A'y. Raises BadInput for another pair.

    These are the normal equations of A u = y with the rows sqrt(m lam/2) w = 0 below it. They are solved as a least
    squares problem, without forming A'A.
    """
    _check_pair(objective, (Squared,), (R2,))
    A, centre = _design_matrix(objective)
    penalty = np.sqrt(0.5 * len(A) * objective.lam) * np.diag(_is_weight(objective).astype(float))
    u = np.linalg.lstsq(np.vstack([A, penalty]), np.r_[objective.data.y, np.zeros(len(penalty))], rcond=1e-15)[0]
    return _result(objective, u, centre)


@validated
def lasso(objective: Objective) -> Minimum:
    """Solve squared loss with R1: for given signs F is quadratic, so the best of all 3^d sign vectors is a minimum.

    Some minimiser w has no weight that the others could replace, and is the only least-squares solution of its signs.
    Among equal values the one with more weights at 0 is returned. Raises BadInput for another pair.
    """
    _check_pair(objective, (Squared,), (R1,))
    d = objective.data.d
    if d > MOST_WEIGHTS:
        raise BadInput(
            "data: the signs of {d} weights are too many to try. Take at most {most}.", d=d, most=MOST_WEIGHTS
        )
    A, centre = _design_matrix(objective)
    H, c = 2.0 * A.T @ A / len(A), 2.0 * A.T @ objective.data.y / len(A)
    best: Minimum | None = None
    for signs in product((0.0, 1.0, -1.0), repeat=d):
        s = np.array([*signs, 0.0][: A.shape[1]])
        on = (s != 0) | ~_is_weight(objective)
        u = np.zeros(len(s))
        u[on] = np.linalg.lstsq(H[np.ix_(on, on)], (c - objective.lam * s)[on], rcond=1e-14)[0]
        candidate = _result(objective, u, centre)
        best = candidate if best is None or candidate.value < (1.0 - ROUND_OFF) * best.value else best
    assert best is not None
    return best


@validated
def newton(objective: Objective, steps: Steps = 200) -> Minimum:
    """Solve logistic loss with R2: each step solves least squares weighted by the current l''.

    lam must be above 0, and with a bias both classes must occur, because F has no minimum otherwise. Raises BadInput
    for another pair.
    """
    _check_pair(objective, (Logistic,), (R2,))
    (A, centre), y = _design_matrix(objective), objective.data.y
    root = np.sqrt(objective.lam) * np.diag(_is_weight(objective).astype(float))
    u, F = np.zeros(A.shape[1]), float(objective.loss.value(np.zeros(1))[0])
    for _ in range(steps):
        t = np.clip(y * (A @ u), -1400.0, 1400.0)
        half = np.exp(-0.5 * np.abs(t))  # sqrt(l'') = 1/(e^(t/2) + e^(-t/2)), and -l'/sqrt(l'') = e^(-t/2)
        rows = A * (half / (1.0 + half**2))[:, None] / np.sqrt(len(A))
        targets = y * np.exp(-0.5 * t) / np.sqrt(len(A))
        step = np.linalg.lstsq(np.vstack([rows, root]), np.r_[targets, -root @ u], rcond=1e-15)[0]
        s = 1.0
        while (F_new := _value(objective, A, u + s * step)) > F and s > 1e-9:
            s *= 0.5
        if F_new > F:
            break
        u, decrease, F = u + s * step, F - F_new, F_new
        if decrease <= 1e-16 * F:
            break
    return _result(objective, u, centre)


@validated
def linear_program(objective: Objective) -> Minimum:
    """Solve a loss max(0, c - t) with R1: min lam sum (p + q) + 1/m sum xi, w = p - q, y f + xi >= c, p, q, xi >= 0.

    Raises BadInput for another pair, and SolverFailed if cvxopt does not converge.
    """
    corner = objective.loss.corner
    if corner is None or not isinstance(objective.regulariser, R1):
        raise _wrong_pair_error(objective)
    (A, centre), y, m, d = _design_matrix(objective), objective.data.y, objective.data.m, objective.data.d
    size, largest = (float(np.abs(Z).max()) for Z in (A[:, :d], objective.data.X))
    size = size if size > ROUND_OFF * largest else 1.0  # all points are equal
    A = np.hstack([A[:, :d] / size, A[:, d:]])
    rows, k = y[:, None] * A, A.shape[1]
    unit = max(1.0, objective.lam * m / size)
    q = np.r_[np.full(2 * d, objective.lam * m / size), np.zeros(k - d), np.ones(m)] / unit
    above = np.hstack([rows[:, :d], -rows[:, :d], rows[:, d:], np.eye(m)])
    signed = np.delete(np.eye(len(q)), np.s_[2 * d : d + k], axis=0)
    solution = cvxopt_backend.solve_lp(
        q,
        np.vstack([above, signed]),
        np.r_[np.full(m, corner), np.zeros(len(signed))],
        np.zeros((0, len(q))),
        np.zeros(0),
    )
    u = np.r_[(solution.u[:d] - solution.u[d : 2 * d]) / size, solution.u[2 * d : d + k]]
    return _result(objective, u, centre, multipliers=solution.inequality[:m] * unit / m)


@validated
def proximal(
    objective: Objective, steps: Annotated[int, WholeNumber(0, 10**5)] = 500, start: Minimum | None = None
) -> Minimum:
    """Solve squared or logistic loss with R1: a gradient step on the loss, then every weight shrunk, with momentum.

    A weight is shrunk by lam times the learning rate. It starts from `start`, by default 0, and makes at most 10^5
    steps. Source: Beck and Teboulle (2009). Raises BadInput for another pair, and for a start with another number of
    weights.
    """
    _check_pair(objective, (Squared, Logistic), (R1,))
    (A, centre), y, L = _design_matrix(objective), objective.data.y, _curvature_bound(objective)
    threshold = objective.lam * _is_weight(objective) / L
    start_point = np.zeros(A.shape[1])
    if start is not None:
        w = Shape(objective.data.d)("start", start.w)
        start_point = np.r_[w, start.b + w @ centre][: len(start_point)]
    u = extrapolated = start_point
    inertia = 1.0
    for _ in range(steps):
        descended = extrapolated - (objective.loss.slopes(y * (A @ extrapolated))[1] * y) @ A / (len(A) * L)
        shrunk = np.sign(descended) * np.maximum(0.0, np.abs(descended) - threshold)
        next_inertia = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * inertia**2))
        extrapolated = shrunk + (inertia - 1.0) / next_inertia * (shrunk - u)
        u, inertia = shrunk, next_inertia
    return _result(objective, u, centre)


@validated
def proximal_gap_bound(objective: Objective, w: Array, b: float, steps: Steps) -> float:
    """Return an upper bound of F minus its minimum after k = `steps` steps of `proximal` from 0: 2 L |u*|^2/(k + 1)^2.

    w (d,), b: the minimum u*.

    Source: Beck and Teboulle (2009), theorem 4.4.
    """
    w, centre = Shape(objective.data.d)("w", w), _design_matrix(objective)[1]
    square = float(w @ w) + (b + float(w @ centre)) ** 2
    return 2.0 * _curvature_bound(objective) * square / (steps + 1) ** 2


@validated
def subgradient_distance(objective: Objective, w: Array, b: float = 0.0) -> Array:
    """Return the distance of the subgradients of F at w (d,) from 0 in each weight, and in b: 0 at a minimum.

    If R1 keeps a weight at 0, |mean gradient| <= lam is enough. Raises BadInput for a loss with a corner.
    """
    if objective.loss.corner is not None:
        raise _wrong_pair_error(objective)
    w = Shape(objective.data.d)("w", w)
    residual = np.abs(objective.gradient(w, b))
    if objective.regulariser.corner:
        zero_weights = np.flatnonzero(w == 0)
        residual[zero_weights] = np.maximum(0.0, residual[zero_weights] - objective.lam)
    return residual


def _check_pair(
    objective: Objective, losses: tuple[type[Loss], ...], regularisers: tuple[type[Regulariser], ...]
) -> None:
    if not isinstance(objective.loss, losses) or not isinstance(objective.regulariser, regularisers):
        raise _wrong_pair_error(objective)


def _wrong_pair_error(objective: Objective) -> BadInput:
    return BadInput(
        "objective: this method is not for the loss {loss} with {regulariser}. Use descend.",
        loss=objective.loss.name,
        regulariser=objective.regulariser.name,
    )


def _design_matrix(objective: Objective) -> tuple[Array, Array]:
    """Return the points minus their mean, with a 1 appended, and that mean.

    Without a bias, return the points unchanged, and 0 for the mean.
    """
    X = objective.data.X
    if not objective.bias:
        return X, np.zeros(X.shape[1])
    centre = X.mean(0)
    return np.column_stack([X - centre, np.ones(len(X))]), centre


def _curvature_bound(objective: Objective) -> float:
    """Return an upper bound of the second derivative of the mean of a smooth loss, in any direction."""
    A = _design_matrix(objective)[0]
    return float(objective.loss.smoothed(np.zeros(1), 1.0)[2][0]) * float(np.linalg.norm(A, 2)) ** 2 / len(A) or 1.0


def _is_weight(objective: Objective) -> Mask:
    """Return which columns are weights, and therefore have a penalty."""
    return np.arange(objective.data.d + objective.bias) < objective.data.d


def _value(objective: Objective, A: Array, u: Array) -> float:
    loss = objective.loss.value(objective.data.y * (A @ u)).mean()
    return float(loss + objective.lam * objective.regulariser.value(u[: objective.data.d]))


def _result(objective: Objective, u: Array, centre: Array, multipliers: Array | None = None) -> Minimum:
    w = u[: objective.data.d]
    b = float(u[-1] - w @ centre) if objective.bias else 0.0
    return Minimum(
        frozen(w.copy()), b, float(objective.value(w, b)), frozen(np.zeros(0) if multipliers is None else multipliers)
    )

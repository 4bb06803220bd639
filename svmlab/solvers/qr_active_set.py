"""Exchanges for a smooth kernel, whose matrix P P' has a short factor and eigenvalues of very different sizes.

    P_F P_F'z + y_F b = t,  y_F'z = s     with  P_F' = O R  becomes  R'(R z) = t - y_F b

The inverse of P_F P_F' loses twice as many digits as R. Where many multipliers are at large bounds, margins are then
known to 1e-8 only, and exchanges never end or stop too early. With R they are known to the last digits. This takes a
factorisation for each exchange, so other methods are tried first.
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.core.effort import spend
from svmlab.core.tolerances import MANY_QR, MARGIN_TOLERANCE, SINGULAR_FACTOR, TINY
from svmlab.solvers.box_qp import FREE, LOWER, UPPER, partition

STEPS = 2000  # the limit on exchanges


def qr_active_set(P: Array, p: Array, y: Array, u: Array, bias: bool, a: Array) -> Array | None:
    """Minimise 1/2 |P'a|^2 - p'a over the box (and y'a = 0, with bias), from a feasible `a` close to the optimum.

    P (m, r), p, y, u, a (m,). Returns None where the exchanges do not end, where too many dependent variables are
    inside their bounds, or where none is left there.
    """
    a, state, last = a.copy(), partition(a, u), -1
    for _ in range(STEPS):
        F = np.flatnonzero(state == FREE)
        if not len(F):
            return None
        spend(2.0 * P.shape[1] * len(F) ** 2 + 4.0 * P.size)
        newton = _newton_step(P, p, y if bias else None, a, F)
        if newton is not None:
            (direction, b), longest = newton, 1.0
        elif len(F) <= MANY_QR:
            direction, b, longest = _null_direction(P[F], y[F] if bias else None), 0.0, np.inf
            if last >= 0:  # This variable must leave its bound.
                direction *= np.copysign(1.0, direction[last == F].sum()) * (1.0 if a[last] <= 0 else -1.0)
        else:
            return None
        with np.errstate(over="ignore"):  # The room of a variable that hardly moves may overflow to infinity.
            room = np.where(direction > 0, u[F] - a[F], a[F]) / np.maximum(np.abs(direction), TINY)
        i = int(room.argmin())
        if room[i] < longest:
            a[F] += room[i] * direction
            e, state[F[i]] = F[i], UPPER if direction[i] > 0 else LOWER
            a[e] = u[e] if direction[i] > 0 else 0.0
            last = -1 if e == last else last
            continue
        a[F] += direction
        violation = np.where(state == FREE, 0.0, (P @ (P.T @ a) + y * b - p) * state)
        last = int(violation.argmax())
        if violation[last] <= MARGIN_TOLERANCE:
            return a
        state[last] = FREE
    return None


def _newton_step(P: Array, p: Array, y: Array | None, a: Array, F: Index) -> tuple[Array, float] | None:
    """Return the step of a_F to where its margins are p_F - y_F b, once refined, and b; None if P_F is dependent."""
    n, PF = len(F), P[F]
    if n > P.shape[1]:
        return None
    R: Array = np.asarray(np.linalg.qr(PF.T, mode="r"))
    size = np.abs(R.diagonal())
    if not size.min() > SINGULAR_FACTOR * size.max():
        return None
    step, b = np.zeros(n), 0.0
    v = np.zeros(n) if y is None else np.linalg.solve(R.T, y[F])
    t, s = p[F] - PF @ (P.T @ a), 0.0 if y is None else -float(y @ a)
    for _ in range(2):
        residual = t - PF @ (PF.T @ step) - (0.0 if y is None else y[F] * b)
        z = np.linalg.solve(R.T, residual)
        b_change = 0.0 if y is None else float(v @ z - (s - y[F] @ step)) / float(v @ v)
        step, b = step + np.linalg.solve(R, z - v * b_change), b + b_change
    return step, b


def _null_direction(P: Array, y: Array | None) -> Array:
    """Return a direction of a_F that changes no margin and not y'a, up to rounding."""
    return np.asarray(np.linalg.svd(P.T if y is None else np.vstack([P.T, y]))[2][-1])

"""The exact method on arrays: equal points merged, a good start, the active set, the canonical finish."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmlab.arrays import Array, Index
from svmlab.errors import SolverFailed
from svmlab.solvers import qp
from svmlab.solvers.active_set import FREE, LOWER, UPPER, minimise, restore
from svmlab.solvers.finish import finish

NARROW = 1e-15  # squared distances below NARROW times the largest k(x, x) are round-off
TOO_NARROW = (
    "The classes are separable, but by a margin too narrow for double precision. "
    "Use a finite C, or a narrower kernel (smaller sigma, higher degree)."
)


@dataclass(frozen=True)
class Exact:
    """Per original row: alpha and its state (-1 at 0, 0 free, +1 at C); then b, its interval, and how it was found."""

    alpha: Array
    state: Index
    b: float
    interval: tuple[float, float]
    unique: bool
    steps: int
    start: str


def merge(X: Array, y: Array) -> tuple[Index, Index, Array]:
    """Equal points once, in an order that depends on the set alone: (first row of each, group of each row, counts)."""
    _, first, group, count = np.unique(
        np.column_stack([X, y]) + 0.0, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    return first, group.ravel(), count.astype(float)


def solve(K: Array, y: Array, group: Index, count: Array, C: float, bias: bool, start: Array | None) -> Exact:
    """K, y over the merged points; `start` an alpha over the merged points (or None) that may be infeasible.

    Works with unit diagonal: K / kappa and a = kappa alpha leave the margins as they are.
    """
    kappa = float(np.max(np.abs(np.diag(K)), initial=0.0)) or 1.0
    Q = np.outer(y, y) * (K / kappa)
    u = kappa * C * count
    a: Array
    one_class = bias and bool((y == y[0]).all())
    if one_class:
        a, steps, how = np.zeros(len(y)), 0, "one class"
    elif math.isinf(C):
        a, steps, how = _hard(Q, y, bias, None if start is None else kappa * start)
    else:
        a, steps, how = _soft(Q, y, u, bias, None if start is None else kappa * start)
    done = finish(Q, y, u, count, bias, a)
    if math.isinf(C) and not one_class and float((Q @ done.a + y * done.b).min()) < 1 - 1e-3:
        raise SolverFailed(TOO_NARROW)
    alpha = (done.a / (kappa * count))[group]
    alpha[(done.state == UPPER)[group]] = C
    return Exact(alpha, done.state[group], done.b, done.interval, done.unique, steps, how)


def _soft(Q: Array, y: Array, u: Array, bias: bool, start: Array | None) -> tuple[Array, int, str]:
    """Min 1/2 a'Qa - 1'a over the box (and y'a = 0 with bias)."""
    how = "warm start"
    if start is None:
        start, how = _interior(Q, y, u, bias)
    a = restore(start, u, y) if bias else np.clip(start, 0.0, u)
    state = np.where(a <= 0, LOWER, np.where(a >= u, UPPER, FREE))
    A = y[None, :] if bias else np.zeros((0, len(y)))
    stop = minimise(Q, -np.ones(len(y)), A, u, a, state)
    return stop.a, stop.steps, how


def _interior(Q: Array, y: Array, u: Array, bias: bool) -> tuple[Array, str]:
    """Cvxopt's answer, each variable sent to the bound that it is closer to than its multiplier is to 0."""
    scale = float(u.min())
    try:
        answer = qp.dual(Q, y if bias else None, scale, u / scale)
    except SolverFailed:
        return np.zeros(len(y)), "from zero"
    m = len(y)
    a, lower, upper = answer.u, answer.z[:m], answer.z[m:]
    a = np.where(a / scale < lower, 0.0, np.where((u - a) / scale < upper, u, a))
    return a, "interior point"


def nearest(Q: Array, y: Array, bias: bool, start: Array | None = None) -> tuple[Array, float, int, str]:
    """The nearest points of the two hulls (without bias: the point of the hull of y_i phi_i nearest to 0).

    min 1/2 v'Qv, the weights v >= 0 of each class (of all points) summing to 1: feasible and bounded for any data.
    Returns v, its squared length v'Qv, the exchanges, and where it started.
    """
    m = len(y)
    A = np.stack([y > 0, y < 0]).astype(float) if bias else np.ones((1, m))
    v, how = np.zeros(m), "nearest pair"
    if start is not None and (A @ start > 0).all():
        v, how = start * (A.T @ (1.0 / (A @ start))), "warm start"
    elif bias:
        plus, minus = np.flatnonzero(y > 0), np.flatnonzero(y < 0)
        diag = np.diag(Q)
        distance = diag[plus][:, None] + diag[minus][None, :] + 2 * Q[np.ix_(plus, minus)]
        i, j = np.unravel_index(int(distance.argmin()), distance.shape)
        v[[plus[i], minus[j]]] = 1.0
    else:
        v[int(np.diag(Q).argmin())] = 1.0
    state = np.where(v > 0, FREE, LOWER)
    stop = minimise(Q, np.zeros(m), A, np.full(m, np.inf), v, state, tol=1e-15)
    return stop.a, float(stop.a @ Q @ stop.a), stop.steps, how


def _hard(Q: Array, y: Array, bias: bool, start: Array | None) -> tuple[Array, int, str]:
    """The hard-margin multipliers: (2 or 1) v / delta^2 for the nearest points, delta apart."""
    v, square, steps, how = nearest(Q, y, bias, start)
    if square <= NARROW * float(np.diag(Q).max()):
        raise SolverFailed(TOO_NARROW)
    return (2.0 if bias else 1.0) * v / square, steps, how

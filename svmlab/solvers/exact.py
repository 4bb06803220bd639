"""The exact method: equal points merged, a good start, the active set, the canonical finish."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmlab.arrays import Array, Index
from svmlab.errors import SolverFailed
from svmlab.kernels import Kernel
from svmlab.solvers.active_set import UPPER, minimise, restore
from svmlab.solvers.finish import finish
from svmlab.solvers.gram import Gram, Whole, factor, gram
from svmlab.solvers.interior import approach

NARROW = 1e-15  # squared distances below NARROW times the largest k(x, x) are round-off
TOO_NARROW = (
    "The classes are separable, but by a margin too narrow for double precision. "
    "Use a finite C, or a narrower kernel (smaller sigma, higher degree)."
)
RANK = 24  # of the rough factor that an infinite-dimensional kernel starts from
ROUGH, FINE = 1e-2, 1e-8  # gaps to which the start is worth solving: with a rough factor, with the kernel itself
STIFF = 1e6  # the bound that stands for C = inf in the start


@dataclass(frozen=True)
class Merged:
    """Equal points once, in an order that depends on the set alone.

    Z (n, d), y (n,), count (n,) how many rows each stands for; first (n,) a row of each, group (m,) the point of each row.
    """

    Z: Array
    y: Array
    count: Array
    first: Index
    group: Index


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


def merge(X: Array, y: Array, origin: Array | None = None) -> Merged:
    """Sort the rows of [X, y] (by coordinates, then label) and count equal ones; coordinates relative to `origin`."""
    X = X + 0.0  # -0 is 0
    order = np.lexsort((y, *X.T[::-1]))
    S, t = X[order], y[order]
    new = np.empty(len(y), dtype=bool)
    new[:1] = True
    new[1:] = (t[1:] != t[:-1]) | (S[1:] != S[:-1]).any(1)
    starts = np.flatnonzero(new)
    group = np.empty(len(y), dtype=np.intp)
    group[order] = np.cumsum(new) - 1
    Z = S[starts]
    count = np.diff(np.append(starts, len(y))).astype(float)
    return Merged(Z if origin is None else Z - origin, t[starts], count, order[starts], group)


def solve(points: Merged, kernel: Kernel, C: float, bias: bool, start: Array | None, K: Array | None = None) -> Exact:
    """The optimum over the merged points; `start` an alpha over the rows (or None) that may be infeasible.

    K: a positive semidefinite matrix over the merged points that takes the kernel's place. Works with unit diagonal: with
    Q = K / kappa and a = kappa alpha the margins are as they were. Raises SolverFailed.
    """
    y, count, group = points.y, points.count, points.group
    if K is None:
        Q, kappa = gram(kernel, points.Z, y)
    else:
        kappa = float(K.diagonal().max(initial=0.0)) or 1.0
        Q = Whole((y[:, None] * y) * (K / kappa))
    u = kappa * C * count
    warm = None if start is None else kappa * np.bincount(group, start, len(y))
    one_class = bias and bool((y == y[0]).all())
    steps, how = 0, "one class" if one_class else "warm start"
    if one_class:
        a = np.zeros(len(y))
    elif math.isinf(C):
        if warm is None:
            P, rest = _factor(Q, kernel, points, kappa, K)
            warm, how = approach(P, y if bias else None, np.full(len(y), STIFF), ROUGH, rest), "interior point"
        v, square, steps = nearest(Q, y, bias, warm)
        if square <= NARROW * float(Q.diag.max()):
            raise SolverFailed(TOO_NARROW)
        a = (2.0 if bias else 1.0) * v / square  # the nearest points are sqrt(square) = 2 / |w| apart (1 / |w|)
    else:
        if warm is None:
            P, rest = _factor(Q, kernel, points, kappa, K)
            warm = approach(P, y if bias else None, u, ROUGH if rest.any() else FINE, rest)
            how = "interior point"
        a = restore(warm, u, y) if bias else np.clip(warm, 0.0, u)
        A = y[None, :] if bias else np.zeros((0, len(y)))
        stop = minimise(Q, -np.ones(len(y)), A, u, a)
        a, steps = stop.a, stop.steps
    done = finish(Q, y, u, count, bias, a)
    if math.isinf(C) and not one_class and float((Q.times(done.a) + y * done.b).min()) < 1 - 1e-3:
        raise SolverFailed(TOO_NARROW)
    alpha = (done.a / (kappa * count))[group]
    alpha[(done.state == UPPER)[group]] = C
    return Exact(alpha, done.state[group], done.b, done.interval, done.unique, steps, how)


def _factor(Q: Gram, kernel: Kernel, points: Merged, kappa: float, K: Array | None) -> tuple[Array, Array]:
    if K is not None:
        return np.zeros((len(points.y), 0)), np.array(Q.diag)
    return factor(Q, kernel, points.Z, points.y, kappa, ROUGH, RANK)


def nearest(Q: Gram, y: Array, bias: bool, start: Array | None = None) -> tuple[Array, float, int]:
    """The nearest points of the two hulls (without bias: the point of the hull of y_i phi_i nearest to 0).

    min 1/2 v'Qv, the weights v >= 0 of each class (of all points) summing to 1: feasible and bounded for any data.
    Returns v, its squared length v'Qv and the exchanges.
    """
    m = len(y)
    A = np.stack([y > 0, y < 0]).astype(float) if bias else np.ones((1, m))
    if start is not None and (A @ start > 0).all():
        v = start * (A.T @ (1.0 / (A @ start)))
    else:
        v = np.zeros(m)
        i = int(np.where(A[0] > 0, Q.diag, np.inf).argmin())
        v[i] = 1.0
        if bias:
            v[int(np.where(A[1] > 0, Q.diag + 2 * Q.row(i), np.inf).argmin())] = 1.0
    stop = minimise(Q, np.zeros(m), A, np.full(m, np.inf), v, tol=1e-15)
    return stop.a, float(stop.a @ Q.times(stop.a)), stop.steps

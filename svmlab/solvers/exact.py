"""The exact method: equal points merged, a good start, the active set, the canonical finish."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmlab.arrays import Array, Index
from svmlab.compiled import compiled
from svmlab.errors import SolverFailed
from svmlab.phrase import N_
from svmlab.solvers.active_set import EPS, UPPER, minimise, restore
from svmlab.solvers.factor import factor
from svmlab.solvers.finish import finish, partition, plain
from svmlab.solvers.gram import FULL, Gram
from svmlab.solvers.interior import approach
from svmlab.solvers.smo import Pairs

NARROW = 1e-15  # squared distances below NARROW (Q has unit diagonal scale) are round-off
TOO_NARROW = N_("No margin was found that double precision can tell from 0. Use a finite C, or another kernel.")
NEAR, CLOSE = 1e-2, 3e-5  # largest violation of a margin: where pairs are near the optimum, where they need not go on
PATIENCE, WORTH = 100, 30_000  # steps on pairs: a measure of patience, and (times m) what the interior point takes
SOON = 30  # steps in working sets that each feature is worth in the interior point (and one for ten points)
RANK, EXACT = 24, 1e-10  # of a factor: how long it may be, and what is left of the diagonal where it is exact
LOCAL = 5e-3  # of the diagonal left on average: the kernel is too local for a factor
ROUGH, FINE = 1e-2, 1e-4  # gaps to which the start is worth solving: with a rough factor, with an exact one
CROWD = 30  # points with the same first coordinate that are worth sorting by insertion
ONE_CLASS, PAIRS = N_("one class"), N_("pairs")
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
    """Per original row: alpha and its state (-1 at 0, 0 free, +1 at its bound); then b, its interval, and how it was found."""

    alpha: Array
    state: Index
    b: float
    interval: tuple[float, float]
    unique: bool
    steps: int
    start: str


def merge(X: Array, y: Array, origin: Array | None = None) -> Merged:
    """Sort the rows of [X, y] (by coordinates, then label) and count equal ones; coordinates relative to `origin`."""
    order = _sorted(X, y)
    S, t, count = np.empty(X.shape), np.empty(len(y)), np.ones(len(y))
    first, group = np.empty_like(order), np.empty_like(order)
    n = _collect(X, y, np.zeros(X.shape[1]) if origin is None else origin, order, S, t, count, first, group)
    return Merged(S[:n], t[:n], count[:n], first[:n], group)


def _sorted(X: Array, y: Array) -> Index:
    """The rows in order of their coordinates, then of their labels; equal ones as they came."""
    if len(y) > FULL:  # one key is soon sorted, and tells most points apart
        order = np.lexsort((X[:, 0],))
        if _untie(X, y, order):
            return order
    return np.lexsort((y, *X.T[::-1]))


@compiled
def _untie(X: Array, y: Array, order: Index) -> bool:
    """Insert each row where it belongs among those with the same first coordinate; False where these are too many."""
    start = 0
    for k in range(1, len(order)):
        i = order[k]
        if X[i, 0] != X[order[start], 0]:
            start = k
        if k - start > CROWD:
            return False
        s = k
        while s > start:
            j, c = order[s - 1], 1
            while c < X.shape[1] and X[i, c] == X[j, c]:
                c += 1
            if X[i, c] >= X[j, c] if c < X.shape[1] else y[i] >= y[j]:
                break
            order[s] = j
            s -= 1
        order[s] = i
    return True


@compiled
def _collect(
    X: Array, y: Array, origin: Array, order: Index, S: Array, t: Array, count: Array, first: Index, group: Index
) -> int:
    """The distinct points in the order given, and how many they are."""
    n = 0
    for k in range(len(order)):
        i = order[k]
        same = k > 0 and y[i] == y[first[n - 1]]
        if same:
            for c in range(X.shape[1]):
                same = same and X[i, c] == X[first[n - 1], c]
        if same:
            count[n - 1] += 1.0
        else:
            for c in range(X.shape[1]):
                S[n, c] = (X[i, c] + 0.0) - origin[c]  # -0 is 0
            t[n], first[n] = y[i], i
            n += 1
        group[i] = n - 1
    return n


def solve(points: Merged, Q: Gram, kappa: float, bounds: Array, bias: bool, start: Array | None) -> Exact:
    """The optimum over the merged points; `start` an alpha over the rows (or None) that may be infeasible.

    bounds (m,): the largest alpha of each row, equal for equal points of a class, all inf for the hard margin.
    Q has unit diagonal scale: with Q = K / kappa and a = kappa alpha the margins are as they were. Raises SolverFailed.
    """
    y, count, group = points.y, points.count, points.group
    bounds = bounds[points.first]
    u, hard = kappa * bounds * count, math.isinf(bounds[0])
    a = None if start is None else _snap(kappa * np.bincount(group, start, len(y)), u)
    one_class = bias and bool((y == y[0]).all())
    how: str
    done, steps, how = None, 0, ONE_CLASS if one_class else N_("warm start")
    if one_class:
        a = np.zeros(len(y))
    else:
        if a is None:
            a, how = _guess(Q, y, np.minimum(u, STIFF), bias)
        # A good start mostly has the right points in the right places; else exchanges mostly end with them.
        done = plain(Q, y, u, count, bias, partition(a, u))
        for check in (False, True):
            if done is None:
                a, more = _hard(Q, y, bias, a, check) if hard else _soft(Q, y, u, bias, a, check)
                steps += more
                done = plain(Q, y, u, count, bias, partition(a, u))
    if done is None:
        done = finish(Q, y, u, count, bias, a)
    if hard and done.a.any() and float((Q.times(done.a) + y * done.b).min()) < 1 - 1e-3:
        raise SolverFailed(TOO_NARROW)
    alpha = np.where(done.state == UPPER, bounds, done.a / (kappa * count))[group]
    return Exact(alpha, done.state[group], done.b, done.interval, done.unique, steps, how)


def _snap(a: Array, u: Array) -> Array:
    """`a` exactly at u where it is there but for the rounding of its scale."""
    return np.where(a >= u * (1 - 1e-13), u, a)


def _guess(Q: Gram, y: Array, u: Array, bias: bool) -> tuple[Array, str]:
    """A start from nothing: pairs of multipliers while that is quick, the interior point where a factor of low rank is near Q.

    Pairs are soon near the optimum and may then be slow to end: the more variables are free, the more an exchange costs,
    and the longer they are given.
    """
    m, pairs = len(y), Pairs(Q, y, u, bias)
    steps = 3 * m + PATIENCE
    if Q.rank <= RANK:
        steps = WORTH // m if m <= FULL else SOON * int(Q.rank) + m // 10
    if pairs.descend(NEAR, steps):
        free = int(np.count_nonzero((pairs.a > 0) & (pairs.a < u)))
        pairs.descend(CLOSE, pairs.steps // 4 + m // 5 + PATIENCE * (1 + free))
        return pairs.a, PAIRS
    P, rest = factor(Q, EXACT, RANK)
    if rest.mean() > LOCAL:
        pairs.descend(NEAR, 100 * m)
        return pairs.a, PAIRS
    return approach(P, y if bias else None, u, ROUGH if rest.max() > EXACT else FINE, rest), N_("interior point")


def _soft(Q: Gram, y: Array, u: Array, bias: bool, a: Array, check: bool) -> tuple[Array, int]:
    """Min 1/2 a'Qa - 1'a over the box (and y'a = 0 with bias)."""
    a = restore(a, u, y) if bias else np.clip(a, 0.0, u)
    A = y[None, :] if bias else np.zeros((0, len(y)))
    # Margins differ by no more than the sum of u: where C is tiny, so is what can be told apart.
    stop = minimise(Q, -np.ones(len(y)), A, u, a, tol=max(1e-11 * min(1.0, float(u.sum())), 8 * EPS), check=check)
    return stop.a, stop.steps


def _hard(Q: Gram, y: Array, bias: bool, a: Array, check: bool) -> tuple[Array, int]:
    """The hard-margin multipliers from the nearest points v of the hulls, sqrt(v'Qv) = 2 / |w| apart (1 / |w| without bias)."""
    v, square, steps = nearest(Q, y, bias, a, check)
    if square <= NARROW:
        raise SolverFailed(TOO_NARROW)
    return (2.0 if bias else 1.0) * v / square, steps


def nearest(Q: Gram, y: Array, bias: bool, start: Array | None = None, check: bool = True) -> tuple[Array, float, int]:
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
    stop = minimise(Q, np.zeros(m), A, np.full(m, np.inf), v, tol=1e-15, check=check)
    v = np.maximum(stop.a, 0.0)
    return v, float(v @ Q.times(v)), stop.steps

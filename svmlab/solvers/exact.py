"""The exact method: equal points merged, a good start (`start`), the active set, the canonical finish."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import EPS, Array, Index
from svmlab.core.errors import SolverFailed
from svmlab.core.phrase import N_
from svmlab.solvers.active_set import UPPER, make_feasible, minimise, partition
from svmlab.solvers.dependent import LEFT, FactorGram, solve_free_variables
from svmlab.solvers.finish import CanonicalOptimum, Load, accept_as_is, block_pivot, finish, is_optimal
from svmlab.solvers.graded import qr_active_set
from svmlab.solvers.gram.build import FULL
from svmlab.solvers.gram.dense import Gram
from svmlab.solvers.gram.low_rank import low_rank_factor
from svmlab.solvers.merged import UniquePoints
from svmlab.solvers.start import LENGTH, SMOOTH, initial_alpha

NARROW = 1e-15  # squared distances below NARROW (Q has unit diagonal scale) are round-off
TOO_NARROW = N_(
    "No margin was found that double precision can tell from 0. Choose another kernel, such as a narrower Gaussian."
)
ONE_CLASS, WARM = N_("one class"), N_("warm start")
LIGHT, EQUAL = 0.25, 1e-12  # sums of bounds: so small that one class lies wholly at them, and relatively equal


@dataclass(frozen=True)
class ExactOptimum:
    """Per original row: alpha and its state (-1 at 0, 0 free, +1 at its bound); then b, its interval, and how it was
    found.

    b = base + offset, base a label or 0: what is near a label keeps its digits in `offset`. reason: why this is the
    optimum to within round-off only, where no partition leads to it.
    """

    alpha: Array
    state: Index
    base: float
    offset: float
    interval: tuple[float, float]
    unique: bool
    steps: int
    start: str
    is_start_independent: bool
    least_norm_known: bool
    reason: SolverFailed | None

    @property
    def b(self) -> float:
        """The b to draw."""
        return self.base + self.offset


def solve(points: UniquePoints, Q: Gram, kappa: float, bounds: Array, bias: bool, start: Array | None) -> ExactOptimum:
    """The optimum over the merged points; `start` an alpha over the rows (or None) that may be infeasible.

    bounds (m,): the largest alpha C_i of each row, all inf for the hard margin. Of all optimal alpha the one with the
    least sum of alpha_i^2 / C_i is returned, for the hard margin that with the least sum of alpha_i^2. Rows that are
    merged share the load in proportion to their C_i, as this norm has it. Q has unit diagonal scale: with Q = K / kappa
    and a = kappa alpha the margins are as they were. Raises SolverFailed.
    """
    y, group, hard = points.y, points.point_of_row, math.isinf(bounds[0])
    u = points.total(kappa * bounds)
    load = Load(points.count, points.count if hard else points.total(bounds / bounds.max()))
    one_class = bias and bool((y == y[0]).all())
    base, unit = _scale(y, u) if bias and not one_class else (0.0, 1.0)
    u, p = u / unit, 1.0 - base * y
    a = None if start is None else _snap(kappa / unit * np.bincount(group, start, len(y)), u)
    how: str
    done, steps, reason, how = None, 0, None, ONE_CLASS if one_class else WARM
    if one_class:
        a = np.zeros(len(y))
    else:
        if a is None:
            a, how = initial_alpha(Q, y, u, bias)
        done, a, steps, reason = _solve_from(Q, p, y, u, load, bias, a, how == SMOOTH and not hard)
    if done is None:
        done, reason = _finish_or_accept(Q, p, y, u, load, bias, a, reason)
    if hard and done.a.any() and float((Q.times(done.a) + y * done.b).min()) < 1 - 1e-3:
        raise SolverFailed(TOO_NARROW)
    times = points.count[group] if hard else points.times(bounds)
    alpha = np.where(done.state[group] == UPPER, bounds, done.a[group] * unit / (kappa * times))
    lo, hi = (base + unit * end for end in done.interval)
    return ExactOptimum(
        alpha,
        done.state[group],
        base,
        unit * done.b,
        (lo, hi),
        done.unique,
        steps,
        how,
        done.is_start_independent,
        done.least_norm_known,
        reason,
    )


def _scale(y: Array, u: Array) -> tuple[float, float]:
    """The label near which b lies and the unit, a power of 2, in which w and b are of order one from there; (0, 1) as a
    rule.

    Where C is small, the class that weighs less lies wholly at its bounds, the other one at or beyond its margin: f is
    that label but for what is proportional to C. So the partition is that of a larger C, and margins are told apart as
    there.
    """
    if math.isinf(u[0]):
        return 0.0, 1.0
    total, apart = float(u.sum()), float(y @ u)
    minus, plus = 0.5 * (total - apart), 0.5 * (total + apart)
    less = min(minus, plus)
    if not 0 < less < min(LIGHT, max(minus, plus) * (1 - EQUAL)):
        return 0.0, 1.0
    return (1.0 if plus > minus else -1.0), math.ldexp(1.0, math.frexp(less)[1] + 2)


def _snap(a: Array, u: Array) -> Array:
    """`a` exactly at u where it is there but for the rounding of its scale."""
    return np.where(a >= u * (1 - 1e-13), u, a)


def _solve_from(
    Q: Gram, p: Array, y: Array, u: Array, load: Load, bias: bool, a: Array, short: bool
) -> tuple[CanonicalOptimum | None, Array, int, SolverFailed | None]:
    """As `_exchanged`, with as few exchanges as `a` allows: a good start mostly has the right points in the right
    places.

    short: whether a short factor leaves next to nothing of Q. Its exchanges are the quickest then, and `a` no end.
    """
    done = None if short else block_pivot(Q, p, y, u, load, bias, partition(a, u))
    even = None if done is not None or math.isinf(u[0]) else solve_free_variables(Q, p, y, u, bias, a)
    if even is not None and is_optimal(Q, p, y, even[0], partition(even[0], u), even[1], bias):
        done = finish(Q, p, y, u, load, bias, even[0])
    if done is not None:
        return done, a, 0, None
    smooth = _solve_with_factor(Q, p, y, u, bias, a, LENGTH) if short else None
    return _run_active_set(Q, p, y, u, load, bias, a) if smooth is None else (None, *smooth, None)


def _run_active_set(
    Q: Gram, p: Array, y: Array, u: Array, load: Load, bias: bool, a: Array
) -> tuple[CanonicalOptimum | None, Array, int, SolverFailed | None]:
    """The end of the exchanges from `a`, and how many there were; what belongs to its partition where that is one.

    Last why they came to no end, where the optimum for a factor stands for theirs. Raises SolverFailed where there is
    none.
    """
    hard, steps = math.isinf(u[0]), 0
    try:
        for check in (False, True):
            a, more = _hard(Q, y, bias, a, check) if hard else _soft(Q, p, y, u, bias, a, check)
            steps += more
            done = block_pivot(Q, p, y, u, load, bias, partition(a, u))
            if done is not None:
                break
    except SolverFailed as error:
        smooth = None if hard else _solve_with_factor(Q, p, y, u, bias, a, min(len(y), FULL))
        if smooth is None:
            raise
        return None, smooth[0], steps + smooth[1], error
    return done, a, steps, None


def _finish_or_accept(
    Q: Gram, p: Array, y: Array, u: Array, load: Load, bias: bool, a: Array, reason: SolverFailed | None
) -> tuple[CanonicalOptimum, SolverFailed | None]:
    """The canonical end; else what `a` is to within round-off, and why. Raises SolverFailed where it is not even
    that.
    """
    try:
        done = finish(Q, p, y, u, load, bias, a)
        return done, None if done.least_norm_known else reason
    except SolverFailed as error:
        if math.isinf(u[0]):
            raise
        smooth = None if reason else _solve_with_factor(Q, p, y, u, bias, a, min(len(y), FULL))
        if smooth is None:
            return accept_as_is(Q, p, y, u, bias, a), reason or error
        return _finish_or_accept(Q, p, y, u, load, bias, smooth[0], error)


def _solve_with_factor(
    Q: Gram, p: Array, y: Array, u: Array, bias: bool, a: Array, rank: int
) -> tuple[Array, int] | None:
    """The exchanges from `a` for a factor of Q that leaves nothing but round-off, where one of this rank does: they
    end.
    """
    P, rest = low_rank_factor(Q, LEFT, rank)
    if rest.max() > LEFT:
        return None
    a, steps = make_feasible(a, u, y if bias else None), 0
    for more in (True, False):
        better = qr_active_set(P, p - Q.times(a) + P @ (P.T @ a), y, u, bias, a)
        if better is not None:
            return better, steps
        if more:
            try:
                a, steps = _soft(FactorGram(P), p, y, u, bias, a, True)
            except SolverFailed:
                return None
    return a, steps


def _soft(Q: Gram, p: Array, y: Array, u: Array, bias: bool, a: Array, check: bool) -> tuple[Array, int]:
    """Min 1/2 a'Qa - p'a over the box (and y'a = 0 with bias)."""
    a = make_feasible(a, u, y if bias else None)
    A = y[None, :] if bias else np.zeros((0, len(y)))
    # Margins differ by no more than the sum of u: where C is tiny, so is what can be told apart.
    stop = minimise(Q, -p, A, u, a, tol=max(1e-11 * min(1.0, float(u.sum())), 8 * EPS), check=check)
    return stop.a, stop.steps


def _hard(Q: Gram, y: Array, bias: bool, a: Array, check: bool) -> tuple[Array, int]:
    """The hard-margin multipliers from the nearest points v of the hulls, sqrt(v'Qv) = 2 / |w| apart (1 / |w| without
    bias).
    """
    v, square, steps = nearest_hull_points(Q, y, bias, a, check)
    if square <= NARROW:
        raise SolverFailed(TOO_NARROW)
    return (2.0 if bias else 1.0) * v / square, steps


def nearest_hull_points(
    Q: Gram, y: Array, bias: bool, start: Array | None = None, check: bool = True
) -> tuple[Array, float, int]:
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

"""The exact method on merged points: choose a start (`start`), run the active set, and finish canonically."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from svmlab.core.arrays import Array, Index
from svmlab.core.errors import SolverFailed
from svmlab.core.phrase import N_
from svmlab.core.tolerances import (
    AT_BOUND,
    EQUAL_BOUND_SUMS,
    FACTOR_TOLERANCE,
    HULL_TOLERANCE,
    LARGEST_HARD_SHORTFALL,
    LARGEST_REPEATABLE_ALPHA_SUM,
    LEAST_MULTIPLIER_TOLERANCE,
    LIGHT_CLASS,
    MAX_FACTOR_RANK,
    MULTIPLIER_TOLERANCE,
    SMALL_PROBLEM,
    SQUARED_DISTANCE_NOISE,
)
from svmlab.jit.compiler import compiled
from svmlab.solvers.active_set import make_feasible, minimise
from svmlab.solvers.box_qp import BoxQP, has_one_label, partition
from svmlab.solvers.finish import CanonicalOptimum, accept_as_is, block_pivot, finish
from svmlab.solvers.gram.dense import Gram
from svmlab.solvers.gram.rows import low_rank_factor
from svmlab.solvers.low_rank_system import FactorGram
from svmlab.solvers.qr_active_set import qr_active_set
from svmlab.solvers.start import SHORT_FACTOR, initial_alpha
from svmlab.solvers.unique_points import UniquePoints

TOO_NARROW_MARGIN = N_(
    "No margin was found that double precision can distinguish from 0. Choose another kernel, such as a narrower "
    "Gaussian."
)
ONE_CLASS, WARM = N_("one class"), N_("warm start")


class ExactOptimum(NamedTuple):
    """The optimum over the original rows.

    alpha and state (-1 at 0, 0 free, +1 at its bound) are per row. b = base + offset, where base is a label or 0: a b
    close to a label keeps its digits in `offset`. interval: all optimal b. unique: whether no other alpha is optimal.
    steps: the exchanges, from the start that `start` names. scaled_alpha_sum: kappa sum(alpha), which bounds |f - b|.
    is_start_independent: whether no bit can depend on the start. least_norm_known: whether alpha is known to be the
    optimal one of least norm. reason: why this is the optimum to within round-off only, because no partition leads to
    it, else None.
    """

    alpha: Array
    state: NDArray[np.int8]
    base: float
    offset: float
    interval: tuple[float, float]
    unique: bool
    steps: int
    start: str
    scaled_alpha_sum: float
    is_start_independent: bool
    least_norm_known: bool
    reason: SolverFailed | None

    @property
    def b(self) -> float:
        """Return b = base + offset, the bias that the decision boundary uses."""
        return self.base + self.offset


def solve(points: UniquePoints, Q: Gram, kappa: float, bounds: Array, bias: bool, start: Array | None) -> ExactOptimum:
    """Return the optimum over the merged points; `start` is an alpha over the rows that may be infeasible, or None.

    bounds (m,): the upper bound C_i of alpha for each row, all inf for the hard margin. Of all optimal alpha the one
    with the least sum of alpha_i^2 / C_i is returned, for the hard margin the one with the least sum of alpha_i^2. Rows
    that are merged share their alpha in proportion to their C_i, because this minimises the norm. Q has unit diagonal
    scale: with Q = K / kappa and a = kappa alpha the margins do not change. Raises SolverFailed.
    """
    y, group, hard = points.y, points.point_of_row, math.isinf(bounds[0])
    u, weight, row_divisor = points.bounds_weights_and_divisors(bounds, kappa)
    one_class = bias and has_one_label(y)
    base, unit = _scale(y, u) if bias and not one_class else (0.0, 1.0)
    u = u / unit
    qp = BoxQP(Q, 1.0 - base * y, y, u, points.count, weight, bias)
    a = None if start is None else _to_points(group, start, kappa / unit, u)
    start_name: str
    optimum, steps, reason, start_name = None, 0, None, ONE_CLASS if one_class else WARM
    if one_class:
        a = np.zeros(len(y))
    else:
        if a is None:
            a, start_name = initial_alpha(Q, y, u, bias)
        optimum, a, steps, reason = _solve_from(qp, a, start_name == SHORT_FACTOR and not hard)
    if optimum is None:
        optimum, reason = _finish_or_accept(qp, a, reason)
    if hard and optimum.a.any() and float(qp.residual(optimum.a, optimum.b).min()) < -LARGEST_HARD_SHORTFALL:
        raise SolverFailed(TOO_NARROW_MARGIN)
    alpha, state = np.empty(len(group)), np.empty(len(group), np.int8)
    scaled_alpha_sum = kappa * _to_rows(group, optimum.a, optimum.state, bounds, unit, kappa, row_divisor, alpha, state)
    return ExactOptimum(
        alpha,
        state,
        base,
        unit * optimum.b,
        (base + unit * optimum.interval[0], base + unit * optimum.interval[1]),
        optimum.unique,
        steps,
        start_name,
        scaled_alpha_sum,
        optimum.is_start_independent and scaled_alpha_sum <= LARGEST_REPEATABLE_ALPHA_SUM,
        optimum.least_norm_known,
        reason,
    )


def _scale(y: Array, u: Array) -> tuple[float, float]:
    """Return the label near which b lies, and the unit in which w and b are of order one from there; usually (0, 1).

    The unit is a power of 2. Where C is small, the class with the smaller sum of bounds is at its bounds as a whole,
    and the other class lies at or beyond its margin line. f is then the label of that other class plus terms
    proportional to C. So the partition is that of a larger C, and margins are distinguished as well as there.
    """
    if _all_at_least(u, LIGHT_CLASS):
        return 0.0, 1.0
    total, difference = float(u.sum()), float(y @ u)
    minus, plus = 0.5 * (total - difference), 0.5 * (total + difference)
    smaller = min(minus, plus)
    if not 0 < smaller < min(LIGHT_CLASS, max(minus, plus) * (1 - EQUAL_BOUND_SUMS)):
        return 0.0, 1.0
    return (1.0 if plus > minus else -1.0), math.ldexp(1.0, math.frexp(smaller)[1] + 2)


@compiled
def _all_at_least(u: Array, bound: float) -> bool:
    return bool((u >= bound).all())


@compiled
def _to_points(group: Index, alpha: Array, scale: float, u: Array) -> Array:
    """Return the multiplier of each point from those of the rows, times `scale`.

    It is exactly u where it differs from u only by the rounding of its scale.
    """
    a = np.zeros(len(u))
    for i in range(len(group)):
        a[group[i]] += alpha[i]
    for k in range(len(u)):
        a[k] *= scale
        if a[k] >= u[k] * (1 - AT_BOUND):
            a[k] = u[k]
    return a


@compiled
def _to_rows(
    group: Index, a: Array, state: Index, bounds: Array, unit: float, kappa: float, row_divisor: Array, alpha: Array,
    states: NDArray[np.int8],
) -> float:  # fmt: skip
    """Write the alpha and the state of each row, which is exactly its bound where the state says so; return sum(alpha).

    They follow from a and the states of the points.
    """
    total = 0.0
    for i in range(len(group)):
        k = group[i]
        alpha[i] = bounds[i] if state[k] > 0 else a[k] * unit / (kappa * row_divisor[i])
        states[i] = state[k]
        total += alpha[i]
    return total


def _solve_from(
    qp: BoxQP, a: Array, has_short_factor: bool
) -> tuple[CanonicalOptimum | None, Array, int, SolverFailed | None]:
    """Return the result of `_run_active_set`, with as few exchanges as `a` allows.

    A good start usually has the right partition already. has_short_factor: whether a factor of low rank represents Q
    almost exactly. Then exchanges with this factor are the fastest, and `a` is not yet the optimum.
    """
    optimum = None if has_short_factor else block_pivot(qp, partition(a, qp.upper))
    if optimum is not None:
        return optimum, a, 0, None
    smooth = _solve_with_factor(qp, a, MAX_FACTOR_RANK) if has_short_factor else None
    return _run_active_set(qp, a) if smooth is None else (None, *smooth, None)


def _run_active_set(qp: BoxQP, a: Array) -> tuple[CanonicalOptimum | None, Array, int, SolverFailed | None]:
    """Run exchanges from `a`; return the optimum of their partition where it has one, `a` and the number of exchanges.

    The last value is the reason why the exchanges did not converge, where the optimum for a factor replaces theirs.
    Raises SolverFailed where there is no such factor.
    """
    steps = 0
    try:
        for check in (False, True):
            a, new_steps = _hard(qp, a, check) if qp.hard else _soft(qp, qp.Q, a, check)
            steps += new_steps
            optimum = block_pivot(qp, partition(a, qp.upper))
            if optimum is not None:
                break
    except SolverFailed as error:
        smooth = None if qp.hard else _solve_with_factor(qp, a, min(len(a), SMALL_PROBLEM))
        if smooth is None:
            raise
        return None, smooth[0], steps + smooth[1], error
    return optimum, a, steps, None


def _finish_or_accept(qp: BoxQP, a: Array, reason: SolverFailed | None) -> tuple[CanonicalOptimum, SolverFailed | None]:
    """Return the canonical optimum, or else `a` where it is optimal to within round-off, and the reason.

    Raises SolverFailed where `a` is not optimal even to within round-off.
    """
    try:
        optimum = finish(qp, a)
        return optimum, None if optimum.least_norm_known else reason
    except SolverFailed as error:
        if qp.hard:
            raise
        smooth = None if reason else _solve_with_factor(qp, a, min(len(a), SMALL_PROBLEM))
        if smooth is None:
            return accept_as_is(qp, a), reason or error
        return _finish_or_accept(qp, smooth[0], error)


def _solve_with_factor(qp: BoxQP, a: Array, rank: int) -> tuple[Array, int] | None:
    """Return the result of exchanges from `a` for a factor of Q, and their number.

    The factor has at most this rank and leaves only round-off of Q; then the exchanges end. None where there is no such
    factor or the exchanges do not end.
    """
    P, remainder = low_rank_factor(qp.Q, FACTOR_TOLERANCE, rank)
    if remainder.max() > FACTOR_TOLERANCE:
        return None
    a, steps = make_feasible(a, qp.upper, qp.equality), 0
    for retry in (True, False):
        better = qr_active_set(P, qp.p - qp.Q.times(a) + P @ (P.T @ a), qp.y, qp.upper, qp.bias, a)
        if better is not None:
            return better, steps
        if retry:
            try:
                a, steps = _soft(qp, FactorGram(P), a, True)
            except SolverFailed:
                return None
    return a, steps


def _soft(qp: BoxQP, Q: Gram, a: Array, check: bool) -> tuple[Array, int]:
    """Minimise 1/2 a'Qa - p'a over the box (and y'a = 0 with bias), with this Q; return a and the exchanges."""
    a = make_feasible(a, qp.upper, qp.equality)
    A = qp.y[None, :] if qp.bias else np.zeros((0, len(a)))
    # Margins differ by at most the sum of u, so the tolerance must be as small as this sum where C is tiny.
    tol = max(MULTIPLIER_TOLERANCE * min(1.0, float(qp.upper.sum())), LEAST_MULTIPLIER_TOLERANCE)
    stop = minimise(Q, -qp.p, A, qp.upper, a, tol=tol, check=check)
    return stop.a, stop.steps


def _hard(qp: BoxQP, a: Array, check: bool) -> tuple[Array, int]:
    """Return the hard-margin multipliers and the number of exchanges, from the nearest points v of the convex hulls.

    These points are sqrt(v'Qv) = 2 / |w| apart (1 / |w| without bias). Raises SolverFailed where they coincide.
    """
    v, squared_distance, steps = nearest_hull_points(qp.Q, qp.y, qp.bias, a, check)
    if squared_distance <= SQUARED_DISTANCE_NOISE:
        raise SolverFailed(TOO_NARROW_MARGIN)
    return (2.0 if qp.bias else 1.0) * v / squared_distance, steps


def nearest_hull_points(
    Q: Gram, y: Array, bias: bool, start: Array | None = None, check: bool = True
) -> tuple[Array, float, int]:
    """Return the nearest points of the two hulls (without bias: the point of the hull of y_i phi_i nearest to 0).

    It minimises 1/2 v'Qv, where the weights v >= 0 of each class (without bias: of all points) sum to 1. This is
    feasible and bounded for any data. Returns v, its squared length v'Qv and the number of exchanges.
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
    stop = minimise(Q, np.zeros(m), A, np.full(m, np.inf), v, tol=HULL_TOLERANCE, check=check)
    v = np.maximum(stop.a, 0.0)
    return v, float(v @ Q.times(v)), stop.steps

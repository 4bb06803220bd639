"""The exact method for the tube: merge equal points, scale the values, run the active set, then finish."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from svmlab.binary.expansion import Evaluation, centre_of_points, shift_of_bias
from svmlab.core.arrays import EPS, Array, Frozen, frozen
from svmlab.core.errors import SolverFailed
from svmlab.core.rules import LARGEST_MAGNITUDE
from svmlab.core.tolerances import AT_BOUND
from svmlab.kernels.base import overflow_error
from svmlab.regression.finish import finish, remove_common_part
from svmlab.regression.tube import Tube
from svmlab.regression.tube_categories import Signs
from svmlab.solvers.active_set import Minimum, make_feasible, minimise
from svmlab.solvers.box_qp import UPPER, BoxQP
from svmlab.solvers.finish import CanonicalOptimum
from svmlab.solvers.gram.build import build_gram
from svmlab.solvers.smo import SMO
from svmlab.solvers.unique_points import merge_equal_points

START_TOLERANCE, START_STEPS = 1e-2, 2000  # the start by SMO ends at this residual, or after so many steps
# Residuals of the active set, relative to the values, unless rounding is larger.
ROUGH_TOLERANCE, FINAL_TOLERANCE = 1e-6, 1e-13
EPS_TOLERANCE = 1e-12  # relative difference up to which eps and half the range of y count as equal


@dataclass(frozen=True)
class TubeOptimum(Frozen):
    """The optimum: per row alpha and alpha*, the state of their sum (-1 at 0, 0 free, +1 at C_i), b and its interval.

    unique: whether no other alpha with alpha_i alpha*_i = 0 is optimal.
    """

    alpha: Array
    alpha_star: Array
    state: Signs
    b: float
    interval: tuple[float, float]
    unique: bool
    steps: int
    evaluation: Evaluation = Evaluation()


def solve(problem: Tube, start: Array | None) -> TubeOptimum:
    """Return the optimum of a problem with at least one point; start is any (2m,) [alpha; alpha*], feasible or not.

    Internally f = middle + unit f' with unit a power of 2, so that the scaling does not round, a = kappa alpha / unit
    and Q = K / kappa. So the values are of order one whatever their unit is. Raises SolverFailed.
    """
    data, eps = problem.data, problem.eps
    if eps > problem.constant_fit_eps * (1 + EPS_TOLERANCE):
        return _constant_fit(problem)
    origin = centre_of_points(problem.kernel, data.X, problem.bias)
    points = merge_equal_points(data.X, data.y, origin)
    n = len(points.y)
    unit = math.ldexp(1.0, math.frexp(problem.constant_fit_eps)[1]) if problem.constant_fit_eps > 0 else 1.0
    s = np.repeat([1.0, -1.0], n)
    Q, kappa = build_gram(problem.kernel, np.vstack([points.Z, points.Z]), s)
    bound, weight, row_divisor = points.bounds_weights_and_divisors(problem.bounds, kappa)
    u, count, weight = (np.tile(v, 2) for v in (bound / unit, points.count, weight))
    p = s * np.tile((points.y - problem.middle) / unit, 2) - eps / unit
    if not (u.min() > 0 and kappa * (float(problem.bounds.max()) * len(u)) ** 2 < LARGEST_MAGNITUDE**3):
        raise overflow_error(problem.C, kappa)
    if start is not None:
        start = kappa / unit * np.bincount(np.r_[points.point_of_row, n + points.point_of_row], start, 2 * n)
    if eps >= problem.constant_fit_eps * (1 - EPS_TOLERANCE):
        start = np.zeros(2 * n)  # f is constant or almost constant, so another tube's multipliers would be rounding
    optimum, steps = _solve_from(BoxQP(Q, p, s, u, count, weight, problem.bias), start)
    row = points.point_of_row
    rows = np.r_[row, n + row]
    shares = optimum.a[rows] * (unit / kappa) / np.tile(row_divisor, 2)
    alpha, alpha_star = np.split(np.where(optimum.state[rows] == UPPER, np.tile(problem.bounds, 2), shares), 2)
    state = np.maximum(*np.split(optimum.state, 2))
    offset, lo, hi = (problem.middle + unit * b for b in (optimum.b, *optimum.interval))
    shift = 0.0
    if origin is not None:
        shift = float(shift_of_bias(problem.kernel, points.Z, points.total(alpha - alpha_star), origin))
    return TubeOptimum(
        frozen(alpha),
        frozen(alpha_star),
        frozen(state[row], np.int8),
        offset - shift,
        (lo - shift, hi - shift),
        optimum.unique,
        steps,
        Evaluation(origin, offset=None if origin is None else offset),
    )


def _solve_from(qp: BoxQP, start: Array | None) -> tuple[CanonicalOptimum, int]:
    """Return the canonical optimum and the number of exchanges, from the first start that converges.

    Raises SolverFailed if none converges.
    """
    reason = SolverFailed()
    for a in _starts(qp, start):
        steps = 0
        try:
            for tolerance in (ROUGH_TOLERANCE, FINAL_TOLERANCE):  # rounding is known once `a` has its size
                optimum = _descend(qp, remove_common_part(a), qp.upper, tolerance)
                a, steps = optimum.a, steps + optimum.steps
            return finish(qp, a), steps
        except SolverFailed as error:
            reason = error
    raise reason


def _descend(qp: BoxQP, a: Array, upper: Array, tolerance: float) -> Minimum:
    """Return the minimum with these bounds, from a feasible `a`.

    f varies by at most the sum of the bounds, so for a tiny C the tolerance is smaller too. Raises SolverFailed.
    """
    A = np.zeros((0, len(a))) if qp.equality is None else qp.equality[None, :]
    tol = max(tolerance * min(1.0, float(upper.sum())), 8 * EPS)
    return minimise(qp.Q, -qp.p, A, upper, a, tol, tolerance == FINAL_TOLERANCE)


def _starts(qp: BoxQP, start: Array | None) -> Iterator[Array]:
    """Yield feasible starting points: the given start, the result of SMO, 0, and the optimum of smaller bounds."""
    if start is not None:
        a = np.where(start >= qp.upper * (1 - AT_BOUND), qp.upper, start)
        yield make_feasible(a, qp.upper, qp.equality)
    pairs = SMO(qp.Q, qp.y, qp.upper, qp.bias, qp.p)
    pairs.descend(START_TOLERANCE, START_STEPS)
    yield pairs.a
    yield np.zeros(len(qp.upper))
    yield _raise_bounds(qp)


def _raise_bounds(qp: BoxQP) -> Array:
    """Return an approximate optimum, reached from those of the bounds u/2^20, u/2^16, ..., u.

    Where the values of a kernel differ by many orders, the exchanges from far away can go round in a circle. From a
    sixteenth of the bounds the way is short.
    """
    a: Array = np.zeros(len(qp.upper))
    for power in range(20, -1, -4):
        upper = np.ldexp(qp.upper, -power)
        a = make_feasible(16.0 * a, upper, qp.equality)
        with suppress(SolverFailed):
            a = _descend(qp, a, upper, ROUGH_TOLERANCE).a
    return a


def _constant_fit(problem: Tube) -> TubeOptimum:
    """Return the solution with w = 0, which has every point inside the tube."""
    m, b, slack = problem.data.m, problem.middle, problem.eps - problem.constant_fit_eps
    zero, state = frozen(np.zeros(m)), frozen(np.full(m, -1), np.int8)
    return TubeOptimum(zero, zero, state, b, (b - slack, b + slack) if problem.bias else (0.0, 0.0), True, 0)

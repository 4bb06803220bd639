"""The exact method for the tube: equal points merged, values of order one, the active set, the canonical finish."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import EPS, Array, Frozen, frozen
from svmlab.core.errors import SolverFailed
from svmlab.core.rules import LARGEST
from svmlab.kernels.base import overflow_error
from svmlab.regression.finish import finish, remove_common_part
from svmlab.regression.tube import Tube
from svmlab.regression.tube_categories import Signs
from svmlab.solvers.active_set import UPPER, make_feasible, minimise
from svmlab.solvers.finish import CanonicalOptimum
from svmlab.solvers.gram.build import build_gram
from svmlab.solvers.gram.dense import Gram
from svmlab.solvers.merged import merge_equal_points
from svmlab.solvers.smo import SMO

NEAR, PATIENCE = 1e-2, 2000  # largest residual beyond the edges, and steps, of the start by pairs
ROUGH, FINE = 1e-6, 1e-13  # of the values: what the active set leaves, where rounding does not leave more
OVER = 1e-12  # part of the range of y by which eps and half of it may differ and count as equal


@dataclass(frozen=True)
class TubeOptimum(Frozen):
    """Per row alpha and alpha*, and the state of their sum (-1 at 0, 0 free, +1 at C); then b with its interval.

    origin: with the linear kernel and a bias f(x) = <w, x - origin> + offset, else None and b. unique: whether no other
    alpha with alpha_i alpha*_i = 0 is optimal.
    """

    alpha: Array
    alpha_star: Array
    state: Signs
    b: float
    interval: tuple[float, float]
    unique: bool
    steps: int
    origin: Array | None = None
    offset: float | None = None


def solve(problem: Tube, start: Array | None) -> TubeOptimum:
    """The optimum of a problem with at least one point; `start` some (2m,) [alpha; alpha*], feasible or not.

    Inside, f = middle + unit f' with unit a power of 2, so that nothing is rounded, a = kappa alpha / unit and Q = K /
    kappa: the values are of order one whatever their unit is. Raises SolverFailed.
    """
    data, eps = problem.data, problem.eps
    if eps > problem.constant_fit_eps * (1 + OVER):
        return _constant_fit(problem)
    origin = None
    if problem.kernel.is_linear and problem.bias:
        # With a bias a straight line moves along with the points: near 0 no digit is lost.
        origin = frozen(0.5 * data.X.min(0) + 0.5 * data.X.max(0))
    points = merge_equal_points(data.X, data.y, origin)
    n = len(points.y)
    unit = math.ldexp(1.0, math.frexp(problem.constant_fit_eps)[1]) if problem.constant_fit_eps > 0 else 1.0
    s, weight = np.repeat([1.0, -1.0], n), np.tile(points.count, 2)
    Q, kappa = build_gram(problem.kernel, np.vstack([points.Z, points.Z]), s)
    p = s * np.tile((points.y - problem.middle) / unit, 2) - eps / unit
    u = kappa * problem.C / unit * weight
    if not (u.min() > 0 and kappa * (problem.C * len(u)) ** 2 < LARGEST**3):
        raise overflow_error(problem.C, kappa)
    if start is not None:
        start = kappa / unit * np.bincount(np.r_[points.point_of_row, n + points.point_of_row], start, 2 * n)
    if eps >= problem.constant_fit_eps * (1 - OVER):
        start = np.zeros(2 * n)  # level, or on the verge of it: what is left of another tube would be round-off
    done, steps = _solve_from(Q, p, s, u, weight, problem.bias, start)
    alpha, star = np.split(np.where(done.state == UPPER, problem.C, done.a * (unit / kappa) / weight), 2)
    state = np.maximum(*np.split(done.state, 2))
    offset, lo, hi = (problem.middle + unit * b for b in (done.b, *done.interval))
    shift = 0.0
    if origin is not None:
        weights = points.count * (alpha - star)
        shift = float((weights @ points.Z) @ origin)
    return TubeOptimum(
        frozen(alpha[points.point_of_row]),
        frozen(star[points.point_of_row]),
        frozen(state[points.point_of_row], np.int8),
        offset - shift,
        (lo - shift, hi - shift),
        done.unique,
        steps,
        origin,
        None if origin is None else offset,
    )


def _solve_from(
    Q: Gram, p: Array, s: Array, u: Array, weight: Array, bias: bool, start: Array | None
) -> tuple[CanonicalOptimum, int]:
    """The canonical optimum and the exchanges from the first start that gets there. Raises SolverFailed where none
    does.
    """
    A, reason = s[None, :] if bias else np.zeros((0, len(s))), SolverFailed()
    for a in _starts(Q, p, s, u, bias, start):
        steps = 0
        try:
            for tol in (ROUGH, FINE):  # how far rounding blurs f is known once the multipliers have their size
                # f varies by no more than the sum of u: where C is tiny, so is what can be told apart.
                stop = minimise(
                    Q, -p, A, u, remove_common_part(a), max(tol * min(1.0, float(u.sum())), 8 * EPS), tol == FINE
                )
                a, steps = stop.a, steps + stop.steps
            return finish(Q, p, s, u, weight, bias, a), steps
        except SolverFailed as error:
            reason = error
    raise reason


def _starts(Q: Gram, p: Array, s: Array, u: Array, bias: bool, start: Array | None) -> Iterator[Array]:
    """Feasible points: the start that is given, where pairs of multipliers get soon, and 0."""
    if start is not None:
        a = np.where(start >= u * (1 - 1e-13), u, start)
        yield make_feasible(a, u, s if bias else None)
    pairs = SMO(Q, s, u, bias, p)
    pairs.descend(NEAR, PATIENCE)
    yield pairs.a
    yield np.zeros(len(u))


def _constant_fit(problem: Tube) -> TubeOptimum:
    """Every point lies inside a tube with w = 0."""
    m, b, room = problem.data.m, problem.middle, problem.eps - problem.constant_fit_eps
    nothing, state = frozen(np.zeros(m)), frozen(np.full(m, -1), np.int8)
    return TubeOptimum(nothing, nothing, state, b, (b - room, b + room) if problem.bias else (0.0, 0.0), True, 0)

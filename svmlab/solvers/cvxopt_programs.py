"""Any program that the notes print, solved as it stands: the second opinion beside the exact method."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Mask, frozen
from svmlab.core.phrase import Phrase
from svmlab.solvers import cvxopt_backend
from svmlab.solvers.cvxopt_backend import PrimalDual
from svmlab.solvers.program import QP

GOOD = 1e-9  # relative gaps and residuals: good as it is
FINE = 1e-13  # and as good as doubles can be: between points near each other w hangs on digits that GOOD lets go
# A row holds where its multiplier is more than so many times its slack: the two have different units, so that where
# points are
# near each other slacks are small, and 1 alone finds the rows in no order that ends.
RATIOS = (1.0, 1e3, 1e6, 1e-3)


@dataclass(frozen=True, eq=False)
class Optimum:
    """u, the multipliers of A u >= c (all >= 0) and of E u = e, the value of the objective.

    left: the gap that is left, relative to what it takes for u itself to be good; 0 where a Newton step took it away.
    """

    u: Array
    inequality: Array
    equality: Array
    value: float
    gap_left: float = 0.0


def solve_qp(qp: QP) -> Optimum:
    """Min 1/2 u'Pu + q'u  subject to  A u >= c,  E u = e. Raises SolverFailed where no answer is good as it is."""
    left = np.inf
    for answer in qp_answers(qp):
        if answer.gap_left <= GOOD:
            return answer
        left = answer.gap_left
    raise cvxopt_backend.failure(Phrase("a gap of {left:.1g} was left", left=left))


def qp_answers(qp: QP) -> Iterator[Optimum]:
    """What there is, the best first: cvxopt with one Newton step on the rows it leaves active, then without.

    An interior point with gap g is sqrt(g) away from the optimum; the step, kept only if it satisfies the optimality
    conditions, takes that away. Inside, u = T v with T_j = 1 / max(1, sqrt|P_jj|, |A_.j|) and an objective of order
    one: every tolerance then means the same for all units. Raises SolverFailed where cvxopt comes to no end.
    """
    T = 1.0 / np.maximum.reduce([np.ones(len(qp.q)), np.sqrt(np.abs(np.diag(qp.P))), np.abs(qp.A).max(0)])
    P, q, E = T[:, None] * qp.P * T, T * qp.q, qp.E * T
    # On E v = e a multiple of a row of E is a constant. Without it q may be small or 0, and cvxopt measures its
    # residuals
    # in units of |q|:  q = p + E'r with the shortest p, whose program has the multipliers nu + r.
    r = np.linalg.lstsq(E.T, q, rcond=None)[0]
    q = q - E.T @ r
    size = float(max(np.abs(P).max(), np.abs(q).max())) or 1.0
    inner = QP(P / size, q / size, qp.A * T, qp.c, E, qp.e, qp.variables)

    def optimum(point: PrimalDual, left: float) -> Optimum:
        u = T * point[0]
        value = float(0.5 * u @ qp.P @ u + qp.q @ u)
        return Optimum(frozen(u), frozen(size * point[1]), frozen(size * point[2] - r), value, left)

    for found, reached, fair in cvxopt_backend.solve_qp(inner):
        # A polished point is accepted by its own conditions, whatever cvxopt says of the point where it began.
        tried = (_newton_polish(inner, *found, ratio, good) for good in (FINE, GOOD) for ratio in RATIOS)
        polished = next((point for point in tried if point is not None), None)
        if polished is not None:
            yield optimum(polished, 0.0)
        if fair:
            yield optimum(found, reached / max(curvature(inner), 1e-300))


def curvature(qp: QP) -> float:
    """How much the objective curves where it does, at most 1: a gap g leaves u sqrt(g / curvature) from the optimum."""
    return min(1.0, float(np.diag(qp.P).max()))


def solve_lp(q: Array, A: Array, c: Array, E: Array, e: Array) -> Optimum:
    """Min q'u  subject to  A u >= c,  E u = e, entries of order one. Raises SolverFailed where cvxopt comes to no
    end.
    """
    u, z, nu = cvxopt_backend.solve_lp(q, A, c, E, e)
    return Optimum(frozen(u), frozen(z), frozen(nu), float(q @ u))


def _newton_polish(qp: QP, u: Array, z: Array, nu: Array, ratio: float, good: float) -> PrimalDual | None:
    """The point where the rows with z above `ratio` times their slack hold exactly, if the optimality conditions accept
    it to `good`.

    A row that the step breaks joins the others, and one with a negative multiplier leaves them: a few rounds of that.
    """
    on = z > ratio * (qp.A @ u - qp.c)
    limit = max(1e-15, good * curvature(qp))
    for _ in range(6):
        v, z, nu, rest = _solve_active_rows(qp, on, u, z, nu)
        unit = max(1.0, float(np.abs(v).max()))
        broken, negative = qp.A @ v < qp.c - good * unit, z < -limit
        if rest > limit * unit:
            return None
        z = np.maximum(0.0, z)
        if not (broken.any() or negative.any()):
            return v, z, nu
        on = on | broken
        on[np.flatnonzero(z == 0)] &= broken[z == 0]
    return None


def _solve_active_rows(qp: QP, on: Mask, u: Array, z: Array, nu: Array) -> tuple[Array, Array, Array, float]:
    """v, its multipliers and what is left of the equations where the rows `on` hold:  Pv + q = A'z - E'nu,  Av = c,  Ev
    = e.

    A row with one entry is a bound: its variable is known, and its multiplier follows from the others.
    """
    rows = np.flatnonzero(on & (np.count_nonzero(qp.A, axis=1) == 1))
    at, first = np.unique(np.abs(qp.A[rows]).argmax(1), return_index=True)
    rows = rows[first]
    others = np.setdiff1d(np.flatnonzero(on), rows)
    free = np.setdiff1d(np.arange(len(u)), at)
    v = u.copy()
    v[at] = qp.c[rows] / qp.A[rows, at]
    B, target = np.vstack([qp.A[others], qp.E]), np.r_[-qp.q, qp.c[others], qp.e]
    M = np.block([[qp.P, -B.T], [B, np.zeros((len(B), len(B)))]])
    here = np.r_[free, len(u) + np.arange(len(B))]
    target = target[here] - M[np.ix_(here, at)] @ v[at]
    M = M[np.ix_(here, here)]
    y = _newton(M, np.r_[u[free], z[others], -nu], target)
    v[free], left = y[: len(free)], np.abs(M @ y - target)
    w = np.split(y[len(free) :], [len(others)])
    z = np.zeros(len(z))
    z[others] = w[0]
    z[rows] = (qp.P @ v + qp.q - B.T @ y[len(free) :])[at] / qp.A[rows, at]
    return v, z, -w[1], float(left.max(initial=0.0))


def _newton(M: Array, x: Array, target: Array) -> Array:
    """The solution of M y = target, the one nearest to x where there are many.

    A matrix singular but for rounding is solved too, anywhere along what it does not see: such a y is far from x, while
    what an interior point leaves is a short step.
    """
    unit = max(1.0, float(np.abs(x).max(initial=0.0)))

    def within(y: Array, far: float) -> bool:
        step, rest = np.abs(y - x).max(initial=0.0), np.abs(M @ y - target).max(initial=0.0)
        return bool(step <= far * unit and rest <= 1e-12 * unit)

    y = x
    try:
        for _ in range(2):  # once more: what the first step leaves of a distant target
            y = y + np.linalg.solve(M, target - M @ y)
    except np.linalg.LinAlgError:
        y = np.full(len(x), np.nan)
    if within(y, 1e-3):
        return y
    nearest = np.asarray(x + np.linalg.lstsq(M, target - M @ x, rcond=1e-11)[0])
    return y if within(y, 1e3) and not within(nearest, 1e3) else nearest

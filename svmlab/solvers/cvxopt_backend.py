"""The interface to cvxopt: the programs of the notes as they are written, and LAPACK's Cholesky factor.

cvxopt's interior point solves any quadratic or linear program, for comparison with the exact method.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import cvxopt
import numpy as np
from cvxopt import lapack

from svmlab.core.arrays import Array, Mask, frozen
from svmlab.core.effort import spend
from svmlab.core.errors import SolverFailed
from svmlab.core.phrase import Phrase
from svmlab.core.tolerances import (
    ABSOLUTE_TO_RELATIVE,
    ACCEPTED_GAP,
    LEAST_POLISH,
    LINEAR_ATTEMPTS,
    LONG_POLISH,
    POLISH_RANK,
    POLISH_RESIDUAL,
    QUADRATIC_ATTEMPTS,
    RATIOS,
    SHORT_POLISH,
    SMALLEST_GAP,
    SMALLEST_PIVOT,
    TINY,
    USABLE_GAP,
)
from svmlab.jit.compiler import compiled
from svmlab.solvers.program import QP

ITERATIONS = 40  # the limit of cvxopt's iterations
TILE = 32  # rows and columns that are mirrored at a time

PrimalDual = tuple[Array, Array, Array]


def _qp_attempts(qp: QP) -> Iterator[tuple[PrimalDual, float, bool]]:
    """Minimise 1/2 u'Pu + q'u  subject to  A u >= c,  E u = e, with entries of order one; yield each attempt's end.

    Each item is u with the multipliers of A u >= c (>= 0) and of E u = e, the largest of gap and infeasibilities that
    cvxopt reports for them, and whether the point is fair. A point that is not fair is only a start for another method.
    The attempts stop at the first fair point. Raises SolverFailed after the last attempt where none was fair.
    """
    P = _sparse(qp.P) if 2 * np.count_nonzero(qp.P) < qp.P.size else cvxopt.matrix(qp.P)
    program = (P, cvxopt.matrix(qp.q), *_rows(qp.A, qp.c, qp.E, qp.e))
    work = len(qp.q) ** 3 + len(qp.q) * int(np.count_nonzero(qp.A))
    return _attempts(lambda **how: cvxopt.solvers.qp(*program, **how), QUADRATIC_ATTEMPTS, USABLE_GAP, work)


def _lp_end_point(q: Array, A: Array, c: Array, E: Array, e: Array) -> PrimalDual:
    """Minimise q'u  subject to  A u >= c,  E u = e, with entries of order one; return u and the multipliers.

    Raises SolverFailed.
    """
    program = (cvxopt.matrix(q), *_rows(A, c, E, e))
    attempts = _attempts(lambda **how: cvxopt.solvers.lp(*program, **how), LINEAR_ATTEMPTS, 0.0, len(q) * A.size)
    return next(point for point, _, fair in attempts if fair)


def cvxopt_failure(reason: str) -> SolverFailed:
    """Return the error for a program that cvxopt cannot solve."""
    return SolverFailed(
        "The numbers of this board differ too much in size for the second solver, cvxopt ({reason}), so there is "
        "no second solution to compare with.",
        reason=reason,
    )


def _rows(A: Array, c: Array, E: Array, e: Array) -> tuple[Any, ...]:
    return _sparse(-A), cvxopt.matrix(-c), *((cvxopt.matrix(E), cvxopt.matrix(e)) if len(e) else ())


def _sparse(M: Array) -> Any:
    return cvxopt.sparse([cvxopt.matrix(M)])


def _attempts(
    call: Callable[..., Any], tries: tuple[tuple[float, str | None], ...], accepted_residual: float, work: float
) -> Iterator[tuple[PrimalDual, float, bool]]:
    reason = ""
    for tol, solver in tries:
        spend(ITERATIONS * work)  # beforehand, because nothing can be counted while cvxopt works
        # The options go with every call, because cvxopt.solvers.options is global and all sessions share it.
        options = {
            "show_progress": False,
            "abstol": ABSOLUTE_TO_RELATIVE * tol,
            "reltol": tol,
            "feastol": tol,
            "maxiters": ITERATIONS,
        }
        try:
            result = call(kktsolver=solver, options=options)
        except (ValueError, ArithmeticError) as error:
            reason = str(error)
            continue
        gap = result["gap"] if result["relative gap"] is None else result["relative gap"]
        residuals = (gap, result["primal infeasibility"], result["dual infeasibility"])
        reached = max((float(v) for v in residuals if v is not None), default=np.inf)
        u, z, nu = (np.array(result[k], dtype=float).ravel() for k in ("x", "z", "y"))
        reason = Phrase("status {status!r}", status=result["status"])
        if np.isfinite(np.concatenate([u, z, nu])).all():
            fair = result["status"] == "optimal" or reached <= accepted_residual
            yield (u, z, nu), reached, fair
            if fair:
                return
    raise cvxopt_failure(reason)


@dataclass(frozen=True, eq=False)
class Cholesky:
    """The factor of a positive definite matrix Q."""

    L: Any

    def solve(self, B: Array) -> Array:
        """Return Q^-1 B for B (n, k)."""
        X = cvxopt.matrix(B)
        lapack.potrs(self.L, X)
        return np.array(X)

    def inverse(self) -> Array:
        """Return Q^-1, and overwrite the factor."""
        lapack.potri(self.L)
        R = np.asarray(self.L)
        _mirror(R.T)
        return R


def cholesky(n: int, fill: Callable[[Array], None]) -> Cholesky | None:
    """Return the factor of a matrix (n, n), or None where a pivot shows that it is nearly singular.

    fill: writes the matrix into an array of zeros, its upper half at least. The factor replaces it, so no copy is made.
    """
    L = cvxopt.matrix(0.0, (n, n))
    values = np.asarray(L).T  # cvxopt stores by columns, numpy by rows
    fill(values)
    try:
        lapack.potrf(L)
    except ArithmeticError:
        return None
    return Cholesky(L) if values.diagonal().min() > SMALLEST_PIVOT else None


@compiled
def _mirror(R: Array) -> None:
    """Copy the upper half of R to its lower half, in tiles that stay in the cache."""
    for top in range(0, len(R), TILE):
        for left in range(0, top + 1, TILE):
            for i in range(top, min(top + TILE, len(R))):
                for j in range(left, min(left + TILE, i)):
                    R[i, j] = R[j, i]


@dataclass(frozen=True, eq=False)
class Optimum:
    """u, the multipliers of A u >= c (all >= 0) and of E u = e, and the value of the objective.

    gap_left: the remaining gap, relative to the gap at which u itself is accurate; 0 where a Newton step removed it.
    """

    u: Array
    inequality: Array
    equality: Array
    value: float
    gap_left: float = 0.0


def solve_qp(qp: QP) -> Optimum:
    """Minimise 1/2 u'Pu + q'u  subject to  A u >= c,  E u = e.

    Raises SolverFailed without a solution to ACCEPTED_GAP.
    """
    left = np.inf
    for answer in qp_answers(qp):
        if answer.gap_left <= ACCEPTED_GAP:
            return answer
        left = answer.gap_left
    raise cvxopt_failure(Phrase("a gap of {left:.1g} was left", left=left))


def qp_answers(qp: QP) -> Iterator[Optimum]:
    """Yield solutions, the best first: cvxopt with one Newton step on the rows that it leaves active, then without.

    An interior point with gap g is sqrt(g) away from the optimum. The Newton step, which is kept only if it satisfies
    the optimality conditions, removes this distance. The program that is solved has u = T v with T_j = 1 / max(1,
    sqrt|P_jj|, |A_.j|) and an objective of order one, so every tolerance means the same for all units. Raises
    SolverFailed where cvxopt does not converge.
    """
    T = 1.0 / np.maximum.reduce([np.ones(len(qp.q)), np.sqrt(np.abs(np.diag(qp.P))), np.abs(qp.A).max(0)])
    P, q, E = T[:, None] * qp.P * T, T * qp.q, qp.E * T
    # cvxopt measures its residuals in units of |q|, and on E v = e a multiple of a row of E is a constant. So q is
    # reduced to the shortest p with q = p + E'r, which may be small or 0. The program of p has the multipliers nu + r.
    r = np.linalg.lstsq(E.T, q, rcond=None)[0]
    q = q - E.T @ r
    size = float(max(np.abs(P).max(), np.abs(q).max())) or 1.0
    inner = QP(P / size, q / size, qp.A * T, qp.c, E, qp.e, qp.variables)

    def optimum(point: PrimalDual, left: float) -> Optimum:
        u = T * point[0]
        value = float(0.5 * u @ qp.P @ u + qp.q @ u)
        return Optimum(frozen(u), frozen(size * point[1]), frozen(size * point[2] - r), value, left)

    for end_point, reached, is_fair in _qp_attempts(inner):
        # A polished point is accepted by its own conditions, whatever cvxopt reports for the point from which it began.
        tried = (
            _newton_polish(inner, *end_point, ratio, good) for good in (SMALLEST_GAP, ACCEPTED_GAP) for ratio in RATIOS
        )
        polished = next((point for point in tried if point is not None), None)
        if polished is not None:
            yield optimum(polished, 0.0)
        if is_fair:
            yield optimum(end_point, reached / max(curvature(inner), TINY))


def curvature(qp: QP) -> float:
    """Return the largest curvature of the objective, at most 1.

    A gap g leaves u at a distance of sqrt(g / curvature) from the optimum.
    """
    return min(1.0, float(np.diag(qp.P).max()))


def solve_lp(q: Array, A: Array, c: Array, E: Array, e: Array) -> Optimum:
    """Minimise q'u  subject to  A u >= c,  E u = e, with entries of order one.

    Raises SolverFailed where cvxopt does not converge.
    """
    u, z, nu = _lp_end_point(q, A, c, E, e)
    return Optimum(frozen(u), frozen(z), frozen(nu), float(q @ u))


def _newton_polish(qp: QP, u: Array, z: Array, nu: Array, ratio: float, good: float) -> PrimalDual | None:
    """Return the point where the active rows hold exactly, or None where it is not optimal up to `good`.

    The active rows are those with z above `ratio` times their slack. For a few rounds, a row that the step violates is
    added, and a row with a negative multiplier is removed.
    """
    active = z > ratio * (qp.A @ u - qp.c)
    limit = max(LEAST_POLISH, good * curvature(qp))
    for _ in range(6):
        v, z, nu, residual = _solve_active_rows(qp, active, u, z, nu)
        unit = max(1.0, float(np.abs(v).max()))
        violated, negative = qp.A @ v < qp.c - good * unit, z < -limit
        if residual > limit * unit:
            return None
        z = np.maximum(0.0, z)
        if not (violated.any() or negative.any()):
            return v, z, nu
        active = active | violated
        active[np.flatnonzero(z == 0)] &= violated[z == 0]
    return None


def _solve_active_rows(qp: QP, active: Mask, u: Array, z: Array, nu: Array) -> tuple[Array, Array, Array, float]:
    """Solve  Pv + q = A'z - E'nu,  Av = c on the `active` rows,  Ev = e;  return v, z, nu and the largest residual.

    A row with one entry is a bound: its variable is known, and its multiplier follows from the others.
    """
    rows = np.flatnonzero(active & (np.count_nonzero(qp.A, axis=1) == 1))
    bounded, first = np.unique(np.abs(qp.A[rows]).argmax(1), return_index=True)
    rows = rows[first]
    others = np.setdiff1d(np.flatnonzero(active), rows)
    free = np.setdiff1d(np.arange(len(u)), bounded)
    v = u.copy()
    v[bounded] = qp.c[rows] / qp.A[rows, bounded]
    B, target = np.vstack([qp.A[others], qp.E]), np.r_[-qp.q, qp.c[others], qp.e]
    M = np.block([[qp.P, -B.T], [B, np.zeros((len(B), len(B)))]])
    unknowns = np.r_[free, len(u) + np.arange(len(B))]
    target = target[unknowns] - M[np.ix_(unknowns, bounded)] @ v[bounded]
    M = M[np.ix_(unknowns, unknowns)]
    y = _newton(M, np.r_[u[free], z[others], -nu], target)
    v[free], residual = y[: len(free)], np.abs(M @ y - target)
    multipliers = np.split(y[len(free) :], [len(others)])
    z = np.zeros(len(z))
    z[others] = multipliers[0]
    z[rows] = (qp.P @ v + qp.q - B.T @ y[len(free) :])[bounded] / qp.A[rows, bounded]
    return v, z, -multipliers[1], float(residual.max(initial=0.0))


def _newton(M: Array, x: Array, target: Array) -> Array:
    """Return the solution of M y = target, the one nearest to x where there are many.

    A matrix that is singular up to rounding can still be solved, but the solution may lie anywhere along its null
    space. Such a y is far from x, whereas the correction of an interior point is a short step.
    """
    unit = max(1.0, float(np.abs(x).max(initial=0.0)))

    def within(y: Array, limit: float) -> bool:
        step, residual = np.abs(y - x).max(initial=0.0), np.abs(M @ y - target).max(initial=0.0)
        return bool(step <= limit * unit and residual <= POLISH_RESIDUAL * unit)

    y = x
    try:
        for _ in range(2):  # The second step removes what the first one leaves of a distant target.
            y = y + np.linalg.solve(M, target - M @ y)
    except np.linalg.LinAlgError:
        y = np.full(len(x), np.nan)
    if within(y, SHORT_POLISH):
        return y
    nearest = np.asarray(x + np.linalg.lstsq(M, target - M @ x, rcond=POLISH_RANK)[0])
    return y if within(y, LONG_POLISH) and not within(nearest, LONG_POLISH) else nearest

"""The interface to cvxopt: its interior point for quadratic and linear programs, and LAPACK's Cholesky factor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import cvxopt
import numpy as np
from cvxopt import lapack

from svmlab.core.arrays import Array
from svmlab.core.errors import SolverFailed
from svmlab.core.phrase import Phrase
from svmlab.jit.compiler import compiled
from svmlab.solvers.program import QP

# Pairs of tolerance and KKT solver, tried in this order. The slower solver is last, because it can handle singular
# steps. With a tolerance that is too small, cvxopt continues past its best point.
QUADRATIC, LINEAR = ((1e-11, None), (1e-9, "ldl")), ((1e-9, None), (1e-7, "ldl"))
# A quadratic program with relative gap and residuals up to this is used, even if cvxopt does not call it optimal.
FAIR = 1e-5
PIVOT = 1e-3  # A factor with a smaller diagonal entry, the square root of a pivot, is not used.
TILE = 32  # rows and columns that are mirrored at a time

PrimalDual = tuple[Array, Array, Array]


def solve_qp(qp: QP) -> Iterator[tuple[PrimalDual, float, bool]]:
    """Minimise 1/2 u'Pu + q'u  subject to  A u >= c,  E u = e, with entries of order one; yield each attempt's end.

    Each item is u with the multipliers of A u >= c (>= 0) and of E u = e, the largest of gap and infeasibilities that
    cvxopt reports for them, and whether the point is fair. A point that is not fair is only a start for another method.
    The attempts stop at the first fair point. Raises SolverFailed after the last attempt where none was fair.
    """
    P = _sparse(qp.P) if 2 * np.count_nonzero(qp.P) < qp.P.size else cvxopt.matrix(qp.P)
    program = (P, cvxopt.matrix(qp.q), *_rows(qp.A, qp.c, qp.E, qp.e))
    return _attempts(lambda **how: cvxopt.solvers.qp(*program, **how), QUADRATIC, FAIR)


def solve_lp(q: Array, A: Array, c: Array, E: Array, e: Array) -> PrimalDual:
    """Minimise q'u  subject to  A u >= c,  E u = e, with entries of order one; return u and the multipliers.

    Raises SolverFailed.
    """
    program = (cvxopt.matrix(q), *_rows(A, c, E, e))
    attempts = _attempts(lambda **how: cvxopt.solvers.lp(*program, **how), LINEAR, 0.0)
    return next(point for point, _, fair in attempts if fair)


def cvxopt_failure(reason: str) -> SolverFailed:
    """Return the error for a program that cvxopt cannot solve."""
    return SolverFailed(
        "The numbers of this board are too far apart for the second solver, cvxopt ({reason}), so there is "
        "nothing to compare with.",
        reason=reason,
    )


def _rows(A: Array, c: Array, E: Array, e: Array) -> tuple[Any, ...]:
    return _sparse(-A), cvxopt.matrix(-c), *((cvxopt.matrix(E), cvxopt.matrix(e)) if len(e) else ())


def _sparse(M: Array) -> Any:
    return cvxopt.sparse([cvxopt.matrix(M)])


def _attempts(
    call: Callable[..., Any], tries: tuple[tuple[float, str | None], ...], enough: float
) -> Iterator[tuple[PrimalDual, float, bool]]:
    reason = ""
    for tol, solver in tries:
        # The options go with every call, because cvxopt.solvers.options is global and all sessions share it.
        options = {"show_progress": False, "abstol": 1e-4 * tol, "reltol": tol, "feastol": tol, "maxiters": 40}
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
            fair = result["status"] == "optimal" or reached <= enough
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
    return Cholesky(L) if values.diagonal().min() > PIVOT else None


@compiled
def _mirror(R: Array) -> None:
    """Copy the upper half of R to its lower half, in tiles that stay in the cache."""
    for top in range(0, len(R), TILE):
        for left in range(0, top + 1, TILE):
            for i in range(top, min(top + TILE, len(R))):
                for j in range(left, min(left + TILE, i)):
                    R[i, j] = R[j, i]

"""Any program that the notes print, solved as it stands: the second opinion beside the exact method."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cvxopt
import numpy as np

from svmlab.arrays import Array, frozen
from svmlab.errors import SolverFailed
from svmlab.problem import QP

QUADRATIC, LINEAR = (
    (1e-11, 1e-9),
    (1e-9, 1e-7),
)  # tried in turn: asked for too many digits, cvxopt walks past its best point
GOOD, FAIR = 1e-9, 1e-6  # gaps and residuals, for an objective of order one: good as it is; fair enough to be polished


@dataclass(frozen=True, eq=False)
class Optimum:
    """u, the multipliers of A u >= c (all >= 0) and of E u = e, and the value of the objective."""

    u: Array
    inequality: Array
    equality: Array
    value: float


def quadratic(qp: QP) -> Optimum:
    """Min 1/2 u'Pu + q'u  subject to  A u >= c,  E u = e: cvxopt, then one Newton step on the rows it leaves active.

    An interior point with gap g is sqrt(g) away from the optimum; the step, kept only if it satisfies the optimality
    conditions, takes that away. Inside, u = T v with T_j = 1 / max(1, sqrt(P_jj), |A_.j|) and an objective of order
    one: every tolerance then means the same for all units. Raises SolverFailed where cvxopt comes to no end.
    """
    T = 1.0 / np.maximum.reduce([np.ones(len(qp.q)), np.sqrt(np.diag(qp.P)), np.abs(qp.A).max(0)])
    P, q = T[:, None] * qp.P * T, T * qp.q
    size = float(max(np.abs(P).max(), np.abs(q).max())) or 1.0
    inner = QP(P / size, q / size, qp.A * T, qp.c, qp.E * T, qp.e, qp.variables)
    equality = (cvxopt.matrix(inner.E), cvxopt.matrix(inner.e)) if len(qp.e) else ()
    P_, q_, G, h = _sparse(inner.P), cvxopt.matrix(inner.q), _sparse(-inner.A), cvxopt.matrix(-inner.c)
    found, reached = _attempt(lambda options: cvxopt.solvers.qp(P_, q_, G, h, *equality, options=options), QUADRATIC)
    better = _polished(inner, *found)
    if better is None and reached > GOOD:
        raise _failure(f"a gap of {reached:.1g} was left")
    v, z, nu = found if better is None else better
    u = T * v
    return Optimum(frozen(u), frozen(size * z), frozen(size * nu), float(0.5 * u @ qp.P @ u + qp.q @ u))


def linear(q: Array, A: Array, c: Array, E: Array, e: Array) -> Optimum:
    """Min q'u  subject to  A u >= c,  E u = e, entries of order one. Raises SolverFailed where cvxopt comes to no end."""
    equality = (cvxopt.matrix(E), cvxopt.matrix(e)) if len(e) else ()
    q_, G, h = cvxopt.matrix(q), _sparse(-A), cvxopt.matrix(-c)
    (u, z, nu), _ = _attempt(lambda options: cvxopt.solvers.lp(q_, G, h, *equality, options=options), LINEAR)
    return Optimum(frozen(u), frozen(z), frozen(nu), float(q @ u))


def _sparse(M: Array) -> Any:
    return cvxopt.sparse([cvxopt.matrix(M)])


Point = tuple[Array, Array, Array]


def _attempt(call: Callable[[dict[str, object]], Any], tolerances: tuple[float, ...]) -> tuple[Point, float]:
    """u, z, nu and the largest of gap and infeasibilities that cvxopt reports for them."""
    # With every call, because cvxopt.solvers.options is global to the process, so shared by all sessions.
    reason = ""
    for tol in tolerances:
        options = {"show_progress": False, "abstol": tol, "reltol": tol, "feastol": tol, "maxiters": 40}
        try:
            out = call(options)
        except (ValueError, ArithmeticError) as error:
            reason = str(error)
            continue
        parts = (out["gap"], out["primal infeasibility"], out["dual infeasibility"])
        reached = max((float(v) for v in parts if v is not None), default=np.inf)
        u, z, nu = (np.array(out[k], dtype=float).ravel() for k in ("x", "z", "y"))
        done = out["status"] == "optimal" or (reached <= FAIR and tolerances is QUADRATIC)
        if done and np.isfinite(u).all() and np.isfinite(z).all():
            return (u, z, nu), reached
        reason = f"status {out['status']!r}"
    raise _failure(reason)


def _failure(reason: str) -> SolverFailed:
    return SolverFailed(
        f"The second solver, cvxopt, came to no end ({reason}), so there is nothing to compare with. "
        "Lower C, or use a kernel of lower degree."
    )


def _polished(qp: QP, u: Array, z: Array, nu: Array) -> Point | None:
    """The point where the rows with z above their slack hold exactly, if the optimality conditions accept it."""
    on = z > qp.A @ u - qp.c
    A, n, k = qp.A[on], len(u), int(on.sum())
    B = np.vstack([A, qp.E])
    M = np.block([[qp.P, -B.T], [B, np.zeros((len(B), len(B)))]])
    x = np.r_[u, z[on], nu * -1.0]
    target = np.r_[-qp.q, qp.c[on], qp.e]
    for solve in (np.linalg.solve, _least):
        try:
            step = solve(M, target - M @ x)
        except np.linalg.LinAlgError:
            continue
        y = x + step
        if not np.isfinite(y).all():
            continue
        unit = max(1.0, float(np.abs(y[:n]).max()))
        rest = float(np.abs(M @ y - target).max()) / unit
        missing = float(np.maximum(0.0, qp.c - qp.A @ y[:n]).max()) / unit
        negative = float(np.maximum(0.0, -y[n : n + k]).max(initial=0.0))
        if max(rest, missing, negative) <= GOOD and float(np.abs(step[:n]).max()) <= 1e-2 * unit:
            full = np.zeros(len(z))
            full[on] = np.maximum(0.0, y[n : n + k])
            return y[:n], full, -y[n + k :]
    return None


def _least(M: Array, r: Array) -> Array:
    return np.asarray(np.linalg.lstsq(M, r, rcond=1e-11)[0])

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
GOOD, FAIR = 1e-9, 1e-5  # relative gaps and residuals: good as it is; fair enough to be polished


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
    found, reached = _attempt(lambda **how: cvxopt.solvers.qp(P_, q_, G, h, *equality, **how), QUADRATIC)
    better = _polished(inner, *found)
    if better is None and reached > GOOD * curvature(inner):
        raise _failure(f"a gap of {reached:.1g} was left")
    v, z, nu = found if better is None else better
    u = T * v
    return Optimum(frozen(u), frozen(size * z), frozen(size * nu), float(0.5 * u @ qp.P @ u + qp.q @ u))


def curvature(qp: QP) -> float:
    """How much the objective curves where it does, at most 1: a gap g leaves u sqrt(g / curvature) from the optimum."""
    return min(1.0, float(np.diag(qp.P).max()))


def linear(q: Array, A: Array, c: Array, E: Array, e: Array) -> Optimum:
    """Min q'u  subject to  A u >= c,  E u = e, entries of order one. Raises SolverFailed where cvxopt comes to no end."""
    equality = (cvxopt.matrix(E), cvxopt.matrix(e)) if len(e) else ()
    q_, G, h = cvxopt.matrix(q), _sparse(-A), cvxopt.matrix(-c)
    (u, z, nu), _ = _attempt(lambda **how: cvxopt.solvers.lp(q_, G, h, *equality, **how), LINEAR)
    return Optimum(frozen(u), frozen(z), frozen(nu), float(q @ u))


def _sparse(M: Array) -> Any:
    return cvxopt.sparse([cvxopt.matrix(M)])


Point = tuple[Array, Array, Array]


def _attempt(call: Callable[..., Any], tolerances: tuple[float, ...]) -> tuple[Point, float]:
    """u, z, nu and the largest of gap and infeasibilities that cvxopt reports for them."""
    reason = ""
    for tol, solver in zip(
        tolerances, (None, "ldl"), strict=True
    ):  # the slower solver knows what to do with singular steps
        # With every call, because cvxopt.solvers.options is global to the process, so shared by all sessions.
        options: dict[str, object] = {
            "show_progress": False,
            "abstol": 1e-4 * tol,
            "reltol": tol,
            "feastol": tol,
            "maxiters": 40,
        }
        try:
            out = call(kktsolver=solver, options=options)
        except (ValueError, ArithmeticError) as error:
            reason = str(error)
            continue
        gap = out["gap"] if out["relative gap"] is None else out["relative gap"]
        parts = (gap, out["primal infeasibility"], out["dual infeasibility"])
        reached = max((float(v) for v in parts if v is not None), default=np.inf)
        u, z, nu = (np.array(out[k], dtype=float).ravel() for k in ("x", "z", "y"))
        done = out["status"] == "optimal" or (reached <= FAIR and tolerances is QUADRATIC)
        if done and np.isfinite(u).all() and np.isfinite(z).all():
            return (u, z, nu), reached
        reason = f"status {out['status']!r}"
    raise _failure(reason)


def _failure(reason: str) -> SolverFailed:
    return SolverFailed(
        f"The numbers of this board are too far apart for the second solver, cvxopt ({reason}), so there is nothing to "
        "compare with. Lower C, move the points apart, or change the kernel's parameter."
    )


def _polished(qp: QP, u: Array, z: Array, nu: Array) -> Point | None:
    """The point where the rows with z above their slack hold exactly, if the optimality conditions accept it.

    A row that the step breaks joins the others, and one with a negative multiplier leaves them: a few rounds of that.
    """
    on = z > qp.A @ u - qp.c
    n = len(u)
    for _ in range(6):
        B, k = np.vstack([qp.A[on], qp.E]), int(on.sum())
        M = np.block([[qp.P, -B.T], [B, np.zeros((len(B), len(B)))]])
        x, target = np.r_[u, z[on], -nu], np.r_[-qp.q, qp.c[on], qp.e]
        y = _newton(M, x, target)
        v, multiplier = y[:n], y[n : n + k]
        unit = max(1.0, float(np.abs(v).max()))
        limit = max(1e-15, GOOD * curvature(qp))
        broken, negative = qp.A @ v < qp.c - GOOD * unit, multiplier < -limit
        rest = np.abs(M @ y - target)
        if float(rest[:n].max()) > limit * unit or float(rest[n:].max(initial=0.0)) > GOOD * unit:
            return None
        z = np.zeros(len(z))
        z[on] = np.maximum(0.0, multiplier)
        if not (broken.any() or negative.any()):
            return v, z, -y[n + k :]
        on = on | broken
        on[np.flatnonzero(z == 0)] &= broken[z == 0]
    return None


def _newton(M: Array, x: Array, target: Array) -> Array:
    """The solution of M y = target, the one nearest to x where there are many."""
    try:
        y = x + np.linalg.solve(M, target - M @ x)
        unit = max(1.0, float(np.abs(x).max()))
        if float(np.abs(y).max()) <= 1e3 * unit and float(np.abs(M @ y - target).max()) <= 1e-12 * unit:
            return np.asarray(y)
    except np.linalg.LinAlgError:
        pass
    return np.asarray(x + np.linalg.lstsq(M, target - M @ x, rcond=1e-11)[0])

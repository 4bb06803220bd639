"""Any program that the notes print, solved as it stands: the second opinion beside the exact method."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import cvxopt
import numpy as np

from svmlab.arrays import Array, Mask, frozen
from svmlab.errors import SolverFailed
from svmlab.problem import QP

QUADRATIC, LINEAR = (
    (1e-11, 1e-9),
    (1e-9, 1e-7),
)  # tried in turn: asked for too many digits, cvxopt walks past its best point
GOOD, FAIR = 1e-9, 1e-5  # relative gaps and residuals: good as it is; fair enough to be polished


@dataclass(frozen=True, eq=False)
class Optimum:
    """u, the multipliers of A u >= c (all >= 0) and of E u = e, the value of the objective.

    left: the gap that is left, relative to what it takes for u itself to be good; 0 where a Newton step took it away.
    """

    u: Array
    inequality: Array
    equality: Array
    value: float
    left: float = 0.0


def quadratic(qp: QP) -> Optimum:
    """Min 1/2 u'Pu + q'u  subject to  A u >= c,  E u = e. Raises SolverFailed where no answer is good as it is."""
    left = np.inf
    for answer in answers(qp):
        if answer.left <= GOOD:
            return answer
        left = answer.left
    raise _failure(f"a gap of {left:.1g} was left")


def answers(qp: QP) -> Iterator[Optimum]:
    """What there is, the best first: cvxopt with one Newton step on the rows it leaves active, then without.

    An interior point with gap g is sqrt(g) away from the optimum; the step, kept only if it satisfies the optimality
    conditions, takes that away. Inside, u = T v with T_j = 1 / max(1, sqrt|P_jj|, |A_.j|) and an objective of order
    one: every tolerance then means the same for all units. Raises SolverFailed where cvxopt comes to no end.
    """
    T = 1.0 / np.maximum.reduce([np.ones(len(qp.q)), np.sqrt(np.abs(np.diag(qp.P))), np.abs(qp.A).max(0)])
    P, q = T[:, None] * qp.P * T, T * qp.q
    size = float(max(np.abs(P).max(), np.abs(q).max())) or 1.0
    inner = QP(P / size, q / size, qp.A * T, qp.c, qp.E * T, qp.e, qp.variables)
    equality = (cvxopt.matrix(inner.E), cvxopt.matrix(inner.e)) if len(qp.e) else ()
    P_, q_, G, h = _matrix(inner.P), cvxopt.matrix(inner.q), _sparse(-inner.A), cvxopt.matrix(-inner.c)
    found, reached = _attempt(lambda **how: cvxopt.solvers.qp(P_, q_, G, h, *equality, **how), QUADRATIC)
    for point, left in ((_polished(inner, *found), 0.0), (found, reached / max(curvature(inner), 1e-300))):
        if point is not None:
            u = T * point[0]
            value = float(0.5 * u @ qp.P @ u + qp.q @ u)
            yield Optimum(frozen(u), frozen(size * point[1]), frozen(size * point[2]), value, left)


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


def _matrix(M: Array) -> Any:
    """For cvxopt, sparse where that is quicker."""
    return _sparse(M) if 2 * np.count_nonzero(M) < M.size else cvxopt.matrix(M)


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
    limit = max(1e-15, GOOD * curvature(qp))
    for _ in range(6):
        v, z, nu, rest = _held(qp, on, u, z, nu)
        unit = max(1.0, float(np.abs(v).max()))
        broken, negative = qp.A @ v < qp.c - GOOD * unit, z < -limit
        if rest > limit * unit:
            return None
        z = np.maximum(0.0, z)
        if not (broken.any() or negative.any()):
            return v, z, nu
        on = on | broken
        on[np.flatnonzero(z == 0)] &= broken[z == 0]
    return None


def _held(qp: QP, on: Mask, u: Array, z: Array, nu: Array) -> tuple[Array, Array, Array, float]:
    """v, its multipliers and what is left of the equations where the rows `on` hold:  Pv + q = A'z - E'nu,  Av = c,  Ev = e.

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
    """The solution of M y = target, the one nearest to x where there are many."""
    try:
        y = x
        for _ in range(2):  # once more: what the first step leaves of a distant target
            y = y + np.linalg.solve(M, target - M @ y)
        unit = max(1.0, float(np.abs(x).max(initial=0.0)))
        if (
            float(np.abs(y).max(initial=0.0)) <= 1e3 * unit
            and float(np.abs(M @ y - target).max(initial=0.0)) <= 1e-12 * unit
        ):
            return np.asarray(y)
    except np.linalg.LinAlgError:
        pass
    return np.asarray(x + np.linalg.lstsq(M, target - M @ x, rcond=1e-11)[0])

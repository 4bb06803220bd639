"""cvxopt's interior point, behind one wall: scaled input, a mapped status, no exception that is not ours."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cvxopt
import numpy as np

from svmlab.arrays import Array
from svmlab.errors import SolverFailed

# Tried in turn: asked for more digits than a problem holds, cvxopt walks past its best point and says 'unknown'.
TOLERANCES = (1e-12, 1e-9, 1e-7)


@dataclass(frozen=True)
class Answer:
    """u, the multipliers of the inequalities and equalities, and cvxopt's account of itself."""

    u: Array
    z: Array
    y: Array
    status: str
    iterations: int


def dual(Q: Array, y: Array | None, C: float, upper: Array | None = None) -> Answer:
    """Min 1/2 a'Qa - 1'a  subject to  0 <= a <= C * upper (1 where left out), and y'a = 0 unless y is None.

    With a = C beta the problem becomes min 1/2 beta'(CQ)beta - 1'beta, 0 <= beta <= upper, so that an absolute tolerance
    means the same for every C. C = inf keeps only a >= 0 and scales by the largest diagonal entry instead.
    Returns u = a; z = multipliers (lower, then upper) in margin units; y = [b].
    """
    m = len(Q)
    s = C if math.isfinite(C) else 1.0 / max(float(np.max(np.diag(Q), initial=0.0)), 1e-300)
    eye = cvxopt.spmatrix(1.0, range(m), range(m))
    G, h = -eye, np.zeros(m)
    if math.isfinite(C):
        G, h = cvxopt.sparse([G, eye]), np.r_[h, np.ones(m) if upper is None else upper]
    answer = _solve(s * Q, -np.ones(m), G, h, y)
    return Answer(s * answer.u, answer.z, answer.y, answer.status, answer.iterations)


def primal(Phi: Array, y: Array, C: float, bias: bool) -> Answer:
    """Min 1/2 |w|^2 + C 1'xi  subject to  y (Phi w + b) + xi >= 1, xi >= 0 (no xi for C = inf).

    With w = sqrt(C) v and Phi' = sqrt(C) Phi the objective is C (1/2 |v|^2 + 1'xi): again C = 1 inside.
    Returns u = [b, w] (b absent without bias), z = alpha.
    """
    m, D = Phi.shape
    hard = math.isinf(C)
    s = 1.0 if hard else math.sqrt(C)
    rows = y[:, None] * np.hstack([np.ones((m, int(bias))), s * Phi])
    n = rows.shape[1]
    P = cvxopt.spdiag([0.0] * int(bias) + [1.0] * D + [0.0] * (0 if hard else m))
    eye = cvxopt.spmatrix(1.0, range(m), range(m))
    dense = cvxopt.matrix(-rows)
    if hard:
        G, h, q = cvxopt.sparse([dense]), -np.ones(m), np.zeros(n)
    else:
        zero = cvxopt.spmatrix([], [], [], (m, n))
        G = cvxopt.sparse([[cvxopt.sparse([dense]), zero], [-eye, -eye]])
        h, q = np.r_[-np.ones(m), np.zeros(m)], np.r_[np.zeros(n), np.ones(m)]
    answer = _solve(P, q, G, h, None)
    u = answer.u[:n].copy()
    u[int(bias) :] *= s
    alpha = answer.z[:m] * (1.0 if hard else C)
    return Answer(u, alpha, answer.y, answer.status, answer.iterations)


def _solve(P: object, q: Array, G: object, h: Array, y: Array | None) -> Answer:
    quadratic = cvxopt.matrix(P) if isinstance(P, np.ndarray) else P
    equality = () if y is None else (cvxopt.matrix(y[None, :].astype(float)), cvxopt.matrix(0.0))
    reason = ""
    for tol in TOLERANCES:
        # With every call, because cvxopt.solvers.options is global to the process, so shared by all sessions.
        options = {"show_progress": False, "abstol": tol, "reltol": tol, "feastol": tol, "maxiters": 60}
        try:
            out = cvxopt.solvers.qp(quadratic, cvxopt.matrix(q), G, cvxopt.matrix(h), *equality, options=options)
        except (ValueError, ArithmeticError) as error:
            reason = str(error)
            continue
        u, z, b = (np.array(out[k]).ravel() for k in ("x", "z", "y"))
        if out["status"] == "optimal" and np.isfinite(u).all() and np.isfinite(z).all():
            return Answer(u, z, b, f"optimal to {tol:g}", int(out["iterations"]))
        reason = f"status {out['status']!r}"
    raise SolverFailed(
        f"cvxopt found no optimum ({reason}). The numbers are too far apart for it: standardise the points, lower C, "
        "or use method='exact'."
    )

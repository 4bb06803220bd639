"""The two quadratic programs of a tube, as cvxopt solves them for a second opinion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from svmlab.binary.cvxopt_solve import Answer
from svmlab.core.arrays import Array
from svmlab.regression.tube import Tube
from svmlab.solvers import cvxopt_backend
from svmlab.solvers.program import QP

SecondOpinion = Literal["dual-qp", "primal-qp"]


def answers(problem: Tube, method: SecondOpinion) -> Iterator[Answer]:
    """Yield [alpha; alpha*], b, w if it is explicit, and the remaining gap, the best result first.

    Raises SolverFailed.
    """
    m, k = problem.data.m, int(problem.bias)
    if method == "dual-qp":
        for a in cvxopt_backend.qp_answers(dual(problem)):  # the multiplier of sum alpha = sum alpha* is b itself
            yield np.concatenate(multipliers(problem, a.u)), float(a.equality[0]) if k else 0.0, None, a.gap_left
    else:
        for a in cvxopt_backend.qp_answers(problem.qp("primal")):
            yield a.inequality[: 2 * m], float(a.u[0]) if k else 0.0, a.u[k : len(a.u) - 2 * m], a.gap_left


def dual(problem: Tube) -> QP:
    """Return the dual program, and if eps = 0 the same program in beta = alpha - alpha*, shape (m,).

    If eps = 0, both multipliers of a point can grow together at no cost. An interior point then drives them halfway to
    C, and the rounding of such large numbers spoils the last digits of beta, of b and of the value.
    """
    qp, m = problem.qp("dual"), problem.data.m
    if problem.eps > 0:
        return qp
    # min 1/2 beta'K beta - y'beta  subject to  -C_i <= beta_i <= C_i,  sum beta = 0 with bias
    A, c = np.vstack([np.eye(m), -np.eye(m)]), -np.tile(problem.bounds, 2)
    names = tuple(f"beta{i + 1}" for i in range(m))
    return QP(problem.gram, -problem.data.y, A, c, qp.E[:, :m], qp.e, names)


def multipliers(problem: Tube, u: Array) -> tuple[Array, Array]:
    """Return alpha and alpha* (m,) from the variables u of `dual`."""
    if problem.eps > 0:
        alpha, alpha_star = np.split(u, 2)
        return alpha, alpha_star
    return np.maximum(u, 0.0), np.maximum(-u, 0.0)

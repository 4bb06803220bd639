"""The second opinion: the programs of the notes as cvxopt solves them, nothing converted from the exact method."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.arrays import Array
from svmlab.problem import QP, Problem
from svmlab.solvers import program


@dataclass(frozen=True, eq=False)
class Primal:
    """The primal as cvxopt solves it: w (D,) in the features given, b, xi and the multipliers alpha, mu (m,)."""

    w: Array
    b: float
    xi: Array
    alpha: Array
    mu: Array
    value: float


@dataclass(frozen=True, eq=False)
class Dual:
    """The dual as cvxopt solves it: alpha (m,), b from the multiplier of y'alpha = 0, and the value to maximise."""

    alpha: Array
    b: float
    value: float


def primal(lifted: Problem, P: float = 1.0, price: float | None = None) -> Primal:
    """Min (P/2) |w|^2 + price sum xi  under the constraints of a linear problem (price: its C where left out)."""
    qp, D = lifted.qp("primal"), lifted.data.d
    q = qp.q if price is None else np.where(qp.q > 0, price, 0.0)
    found = program.quadratic(QP(P * qp.P, q, qp.A, qp.c, qp.E, qp.e, qp.variables))
    k, m = int(lifted.bias), lifted.data.m
    b = float(found.u[0]) if k else 0.0
    xi = np.zeros(m) if lifted.hard else found.u[k + D :]
    return Primal(found.u[k : k + D], b, xi, found.inequality[:m], found.inequality[m:], found.value)


def dual(problem: Problem) -> Dual:
    """Max sum alpha - 1/2 alpha'Q alpha  under the printed constraints."""
    found = program.quadratic(problem.qp("dual"))
    return Dual(found.u, float(found.equality[0]) if problem.bias else 0.0, -found.value)


def box_multipliers(problem: Problem) -> Array:
    """The multipliers of alpha <= C in the printed dual, shape (m,): the slack xi."""
    found = program.quadratic(problem.qp("dual"))
    return found.inequality[problem.data.m :]


def feasibility(Z: Array, y: Array, bias: bool) -> float:
    """Max t <= 1  subject to  y_i (<w, z_i> + b) >= t,  |w_j| <= 1,  |b| <= 1: above 0 exactly where a line separates."""
    k, D = int(bias), Z.shape[1]
    rows = y[:, None] * np.hstack([np.ones((len(y), k)), Z])
    box = np.eye(k + D)
    A = np.block([[rows, -np.ones((len(y), 1))], [np.vstack([box, -box]), np.zeros((2 * (k + D), 1))]])
    A = np.vstack([A, np.r_[np.zeros(k + D), -1.0]])
    c = np.r_[np.zeros(len(y)), -np.ones(2 * (k + D) + 1)]
    q = np.r_[np.zeros(k + D), -1.0]
    return -program.linear(q, A, c, np.zeros((0, k + D + 1)), np.zeros(0)).value

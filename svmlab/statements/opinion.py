"""The second opinion: the programs of the notes as cvxopt solves them, nothing converted from the exact method."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.core.arrays import EPS, Array
from svmlab.core.errors import SolverFailed
from svmlab.solvers import cvxopt_programs
from svmlab.solvers.bias import bias_interval, middle_bias
from svmlab.solvers.program import QP
from svmlab.statements import centred
from svmlab.statements.situation import DoesNotApply

ROUGH = 1e-5  # of the value: a gap that programs with numbers far apart are left with


def need_exact(off: float, tol: float, *gaps: float) -> None:
    """That a difference of two machines, where it is above the tolerance, is more than their own gaps leave open."""
    if tol < off <= tol + sum(gaps):
        raise DoesNotApply(
            "The numbers of this board are too far apart to tell: round-off alone can make the difference "
            "that is left. "
            "Lower C, move the points apart, or choose other parameters."
        )


def relative_gap(machine: Solution) -> float:
    """Between the two values of a machine, in what its points cost where w = 0."""
    return abs(machine.objective - machine.dual_objective) / max(1.0, machine.problem.C * machine.problem.data.m)


def decision_uncertainty(problem: Problem, alpha: Array) -> float:
    """How far <w, phi(x)> of these multipliers may be from the optimum's at any point: X sqrt(2 g), g their own gap
    with its round-off.

    0 where the gap is no round-off, for then something else is wrong.
    """
    y, K = problem.data.y, problem.gram
    own = (alpha * y) @ K
    square = float((alpha * y) @ own)
    b = middle_bias(*bias_interval(own, y, problem.bounds, problem.hard)) if problem.bias else 0.0
    loss = float(problem.bounds @ np.maximum(0.0, 1.0 - y * (own + b)))
    value = 0.5 * square + loss
    gap = max(0.0, value - float(alpha.sum()) + 0.5 * square)
    blur = EPS * float(problem.bounds.sum() * (alpha @ np.abs(K)).max())
    return float(np.sqrt(2.0 * (gap + blur) * np.diag(K).max())) if gap <= ROUGH * value + blur else 0.0


TOPS = (1e4, 1e6, 1e8)  # ceilings of multipliers that are tried where C is higher, in the unit of one
BELOW = 0.999  # of its ceiling: a multiplier that is less does not feel it


@dataclass(frozen=True, eq=False)
class Primal:
    """The primal as cvxopt solves it: w (D,) in the features given, b, xi and the multipliers alpha, mu (m,).

    open: how far w may be from the optimum's by its own gap.
    """

    w: Array
    b: float
    xi: Array
    alpha: Array
    mu: Array
    value: float
    open: float = 0.0


@dataclass(frozen=True, eq=False)
class Dual:
    """The dual as cvxopt solves it: alpha (m,), b from the multiplier of y'alpha = 0, the value to maximise, and `open`
    as above.
    """

    alpha: Array
    b: float
    value: float
    open: float = 0.0


def primal(lifted: Problem, P: float = 1.0, price: float | None = None) -> Primal:
    """Min (P/2) |w|^2 + price sum xi  under the constraints of a linear problem (price: its C where left out).

    With a bias the points are moved so that their mean is 0: w is the same, and b makes up for it. Raises SolverFailed.
    """
    data, y = lifted.data, lifted.data.y
    bounds = lifted.bounds if price is None else np.full(data.m, price)
    centre = data.X.mean(0) if lifted.bias and data.m else np.zeros(data.d)
    Z = data.X - centre
    size = float(np.linalg.norm(Z, axis=1).max(initial=0.0)) or 1.0

    def told(top: float, size: float) -> Primal:
        return _primal(Z, y, P, np.minimum(bounds, top), size, lifted.bias)

    found = _first(told, P / size**2, size, bounds)
    v = (np.clip(found.alpha, 0.0, bounds) * y) @ Z
    squares = 0.5 * P * float(found.w @ found.w), 0.5 * float(v @ v) / P
    gap = _gap(y, y * (Z @ found.w + found.b), bounds, found, squares)
    return replace(found, b=found.b - float(found.w @ centre), open=math.sqrt(2.0 * gap / P))


Found = TypeVar("Found", "Primal", "Dual")


def _first(told: Callable[[float, float], Found], unit: float, size: float, bounds: Array) -> Found:
    """The first answer in which no multiplier comes near its ceiling; where there is none, that of the program as it is
    printed.
    """
    for top in _tops(unit, bounds):
        try:
            found = told(top, size)
        except SolverFailed:
            continue
        if (found.alpha < BELOW * top).all():
            return found
    return told(math.inf, 1.0)


def _gap(y: Array, yf: Array, bounds: Array, found: Primal | Dual, squares: tuple[float, float]) -> float:
    """P(w, b) - D(alpha) with the round-off of both, inf where w is not feasible. squares: P/2 |w|^2, and 1/2 alpha'Q
    alpha / P.

    The primal value has curvature P, so P/2 |w - w*|^2 <= P(w, b) - P* <= P(w, b) - D(alpha); what alpha misses of
    y'alpha = 0 is paid with b. For the hard margin w is stretched until it is feasible.
    """
    alpha, square = np.clip(found.alpha, 0.0, bounds), squares[0]
    if np.isfinite(bounds).all():
        above = square + float(bounds @ np.maximum(0.0, 1.0 - yf))
    else:
        least = float(yf.min(initial=1.0))
        above = square / least**2 if least > 0 else math.inf
    paid = float(alpha.sum())
    gap = above - paid + squares[1] + 2.0 * abs(found.b * float(y @ alpha))
    gap = max(gap, 0.0) + 2 * len(y) * EPS * (above + paid)
    return gap if 0.0 <= gap < math.inf else math.inf


def _tops(unit: float, bounds: Array) -> Iterator[float]:
    """Ceilings to try instead of bounds far above them, then none: where no multiplier comes near its ceiling, a higher
    C is the same.

    unit: of a multiplier where points are as far apart as they are from their mean. The interior point sees numbers of
    order one.
    """
    most = float(bounds.max(initial=0.0))
    yield from (top * unit for top in TOPS if top * unit < most < math.inf)
    yield math.inf


def _primal(Z: Array, y: Array, P: float, bounds: Array, size: float, bias: bool) -> Primal:
    """The program at points Z (m, D), solved for w/t and with its value divided by `worth`, so that no number is far
    above 1.
    """
    m, D, k = len(y), Z.shape[1], int(bias)
    dear = float(bounds.max(initial=0.0))
    if math.isinf(dear) or dear == 0.0:  # nothing but w has a price
        worth, t = P / size**2, 1.0 / size
    else:
        worth, t = dear, min(1.0 / size, math.sqrt(dear / P))
    hard = math.isinf(dear)
    slack = 0 if hard else m
    square = np.diag(np.r_[np.zeros(k), np.full(D, t * t * P / worth), np.zeros(slack)])
    q = np.r_[np.zeros(k + D), bounds[:slack] / worth]
    rows = y[:, None] * np.hstack([np.ones((m, k)), t * Z])
    A = np.block([[rows, np.eye(m)[:, :slack]], [np.zeros((slack, k + D)), np.eye(slack)]])
    c, none = np.r_[np.ones(m), np.zeros(slack)], np.zeros((0, k + D + slack))
    found = cvxopt_programs.solve_qp(QP(square, q, A, c, none, np.zeros(0), _names(len(q))))
    b = float(found.u[0]) if k else 0.0
    xi = np.zeros(m) if hard else found.u[k + D :]
    z = worth * found.inequality
    return Primal(t * found.u[k : k + D], b, xi, z[:m], z[m:], worth * found.value)


def dual(problem: Problem) -> Dual:
    """Max sum alpha - 1/2 alpha'Q alpha  under the printed constraints; with a bias the features are taken less their
    mean.

    As y'alpha = 0, that changes no value. Raises SolverFailed.
    """
    X, y, K = problem.data.X, problem.data.y, problem.gram
    inner = centred.gram(problem.kernel, X, K) if problem.bias and len(y) else K
    square = float(np.diag(inner).max(initial=0.0)) or 1.0

    def told(top: float, unit: float) -> Dual:
        return _dual(inner, y, np.minimum(problem.bounds, top), unit, problem.bias)

    moved = problem.bias and len(y) > 0
    try:
        found = _first(told, 1.0 / square, 1.0 / square, problem.bounds)
    except SolverFailed:  # then with the kernel values as they are
        inner, moved = K, False
        found = _dual(K, y, problem.bounds, 1.0, problem.bias)
    c = found.alpha * y
    own = c @ inner
    gap = _gap(y, y * (own + found.b), problem.bounds, found, (0.5 * float(own @ c),) * 2)
    shift = centred.shift(problem.kernel, X, K, inner, c) if moved else 0.0
    return replace(found, b=found.b - shift, open=math.sqrt(2.0 * gap))


def _dual(K: Array, y: Array, bounds: Array, unit: float, bias: bool) -> Dual:
    """The program for the kernel values K (m, m), solved for alpha in units of `unit` or of the largest bound,
    whichever is less.
    """
    m = len(y)
    a = min(unit, float(bounds.max())) if m else unit
    A, c = np.eye(m), np.zeros(m)
    if np.isfinite(bounds).all():
        A, c = np.vstack([A, -A]), np.r_[c, -bounds / a]
    E = y[None, :].copy() if bias else np.zeros((0, m))
    found = cvxopt_programs.solve_qp(QP(a * np.outer(y, y) * K, -np.ones(m), A, c, E, np.zeros(len(E)), _names(m)))
    return Dual(a * found.u, float(found.equality[0]) if bias else 0.0, -a * found.value)


def _names(n: int) -> tuple[str, ...]:
    return tuple(f"u{i + 1}" for i in range(n))


def box_multipliers(problem: Problem) -> Array:
    """The multipliers of alpha <= C in the printed dual, shape (m,): the slack xi."""
    found = cvxopt_programs.solve_qp(problem.qp("dual"))
    return found.inequality[problem.data.m :]


def feasibility(Z: Array, y: Array, bias: bool) -> float:
    """Max t <= 1  subject to  y_i (<w, z_i> + b) >= t,  |w_j| <= 1,  |b| <= 1: above 0 exactly where a line
    separates.
    """
    k, D = int(bias), Z.shape[1]
    rows = y[:, None] * np.hstack([np.ones((len(y), k)), Z])
    box = np.eye(k + D)
    A = np.block([[rows, -np.ones((len(y), 1))], [np.vstack([box, -box]), np.zeros((2 * (k + D), 1))]])
    A = np.vstack([A, np.r_[np.zeros(k + D), -1.0]])
    c = np.r_[np.zeros(len(y)), -np.ones(2 * (k + D) + 1)]
    q = np.r_[np.zeros(k + D), -1.0]
    return -cvxopt_programs.solve_lp(q, A, c, np.zeros((0, k + D + 1)), np.zeros(0)).value

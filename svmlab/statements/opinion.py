"""The second opinion: the programs of the notes, solved by cvxopt without any conversion from the exact method."""

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
from svmlab.solvers import cvxopt_backend
from svmlab.solvers.bias import bias_interval, middle_bias
from svmlab.solvers.program import QP
from svmlab.statements import centred
from svmlab.statements.does_not_apply import DoesNotApply

ROUGH = 1e-5  # of the value: the gap that can remain in programs with numbers of very different size


def need_exact(off: float, tol: float, *gaps: float) -> None:
    """Raise DoesNotApply if a difference of two solutions above the tolerance may come from their own gaps."""
    if tol < off <= tol + sum(gaps):
        raise DoesNotApply(
            "The numbers on this board differ so much in size that rounding errors alone can cause the "
            "difference. Decrease C, move the points apart, or choose other parameters."
        )


def relative_gap(machine: Solution) -> float:
    """Return the gap between the two objective values of a solution, relative to what its points cost if w = 0."""
    return abs(machine.objective - machine.dual_objective) / max(1.0, machine.problem.C * machine.problem.data.m)


def decision_uncertainty(problem: Problem, alpha: Array) -> float:
    """Return how far <w, phi(x)> of these multipliers may be from the optimum's at any point.

    This is X sqrt(2 g), where g is their own gap with its round-off. It is 0 if the gap is larger than round-off can
    be, because then something else is wrong.
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


TOPS = (1e4, 1e6, 1e8)  # upper bounds of multipliers that are tried if C is larger, in units of a multiplier
BELOW = 0.999  # of its upper bound: below this the bound is not active


@dataclass(frozen=True, eq=False)
class Primal:
    """The primal as cvxopt solves it: w (D,) in the given features, b, xi and the multipliers alpha, mu (m,).

    uncertainty_of_w: how far w may be from the optimum's, by its own gap.
    """

    w: Array
    b: float
    xi: Array
    alpha: Array
    mu: Array
    value: float
    uncertainty_of_w: float = 0.0


@dataclass(frozen=True, eq=False)
class Dual:
    """The dual as cvxopt solves it: alpha (m,), b from the multiplier of y'alpha = 0, and the maximised value.

    uncertainty_of_w: how far the w of alpha may be from the optimum's, by its own gap.
    """

    alpha: Array
    b: float
    value: float
    uncertainty_of_w: float = 0.0


def primal(lifted: Problem, P: float = 1.0, penalty: float | None = None) -> Primal:
    """Solve min (P/2) |w|^2 + penalty sum xi under the constraints of a linear problem (penalty: its C by default).

    With a bias the points are moved so that their mean is 0. Then w is the same, and b is corrected. Raises
    SolverFailed.
    """
    data, y = lifted.data, lifted.data.y
    bounds = lifted.bounds if penalty is None else np.full(data.m, penalty)
    centre = data.X.mean(0) if lifted.bias and data.m else np.zeros(data.d)
    Z = data.X - centre
    size = float(np.linalg.norm(Z, axis=1).max(initial=0.0)) or 1.0

    def solve_within(top: float, size: float) -> Primal:
        return _primal(Z, y, P, np.minimum(bounds, top), size, lifted.bias)

    answer = _first_without_active_bound(solve_within, P / size**2, size, bounds)
    v = (np.clip(answer.alpha, 0.0, bounds) * y) @ Z
    squares = 0.5 * P * float(answer.w @ answer.w), 0.5 * float(v @ v) / P
    gap = _gap(y, y * (Z @ answer.w + answer.b), bounds, answer, squares)
    return replace(answer, b=answer.b - float(answer.w @ centre), uncertainty_of_w=math.sqrt(2.0 * gap / P))


SolutionOf = TypeVar("SolutionOf", "Primal", "Dual")


def _first_without_active_bound(
    solve_within: Callable[[float, float], SolutionOf], unit: float, size: float, bounds: Array
) -> SolutionOf:
    """Return the first answer in which no multiplier comes near its upper bound.

    If there is none, return the answer of the program as it is printed.
    """
    for top in _upper_bounds(unit, bounds):
        try:
            answer = solve_within(top, size)
        except SolverFailed:
            continue
        if (answer.alpha < BELOW * top).all():
            return answer
    return solve_within(math.inf, 1.0)


def _gap(y: Array, yf: Array, bounds: Array, answer: Primal | Dual, squares: tuple[float, float]) -> float:
    """Return P(w, b) - D(alpha) with the round-off of both, or inf if w is not feasible.

    squares: P/2 |w|^2, and 1/2 alpha'Q alpha / P.

    The primal value has curvature P, so P/2 |w - w*|^2 <= P(w, b) - P* <= P(w, b) - D(alpha). A violation of y'alpha
    = 0 enters multiplied by b. For the hard margin w is scaled until it is feasible.
    """
    alpha, square = np.clip(answer.alpha, 0.0, bounds), squares[0]
    if np.isfinite(bounds).all():
        primal_value = square + float(bounds @ np.maximum(0.0, 1.0 - yf))
    else:
        smallest_margin = float(yf.min(initial=1.0))
        primal_value = square / smallest_margin**2 if smallest_margin > 0 else math.inf
    linear_part = float(alpha.sum())
    gap = primal_value - linear_part + squares[1] + 2.0 * abs(answer.b * float(y @ alpha))
    gap = max(gap, 0.0) + 2 * len(y) * EPS * (primal_value + linear_part)
    return gap if 0.0 <= gap < math.inf else math.inf


def _upper_bounds(unit: float, bounds: Array) -> Iterator[float]:
    """Yield upper bounds to try instead of bounds far above them, and then no bound.

    If no multiplier comes near such a bound, a larger C gives the same result.

    unit: the size of a multiplier if the points are as far from each other as from their mean. So the interior-point
    method gets numbers of order one.
    """
    most = float(bounds.max(initial=0.0))
    yield from (top * unit for top in TOPS if top * unit < most < math.inf)
    yield math.inf


def _primal(Z: Array, y: Array, P: float, bounds: Array, size: float, bias: bool) -> Primal:
    """Solve the program at points Z (m, D) for w/t, with its value divided by `unit`.

    So no number is far above 1.
    """
    m, D, k = len(y), Z.shape[1], int(bias)
    largest = float(bounds.max(initial=0.0))
    if math.isinf(largest) or largest == 0.0:  # the objective has only the term of w
        unit, t = P / size**2, 1.0 / size
    else:
        unit, t = largest, min(1.0 / size, math.sqrt(largest / P))
    hard = math.isinf(largest)
    slack = 0 if hard else m
    square = np.diag(np.r_[np.zeros(k), np.full(D, t * t * P / unit), np.zeros(slack)])
    q = np.r_[np.zeros(k + D), bounds[:slack] / unit]
    rows = y[:, None] * np.hstack([np.ones((m, k)), t * Z])
    A = np.block([[rows, np.eye(m)[:, :slack]], [np.zeros((slack, k + D)), np.eye(slack)]])
    c, none = np.r_[np.ones(m), np.zeros(slack)], np.zeros((0, k + D + slack))
    answer = cvxopt_backend.solve_qp(QP(square, q, A, c, none, np.zeros(0), _names(len(q))))
    b = float(answer.u[0]) if k else 0.0
    xi = np.zeros(m) if hard else answer.u[k + D :]
    z = unit * answer.inequality
    return Primal(t * answer.u[k : k + D], b, xi, z[:m], z[m:], unit * answer.value)


def dual(problem: Problem) -> Dual:
    """Solve max sum alpha - 1/2 alpha'Q alpha under the printed constraints; with a bias the features are centred.

    Because y'alpha = 0, this changes no value. Raises SolverFailed.
    """
    X, y, K = problem.data.X, problem.data.y, problem.gram
    inner = centred.gram(problem.kernel, X, K) if problem.bias and len(y) else K
    square = float(np.diag(inner).max(initial=0.0)) or 1.0

    def solve_within(top: float, unit: float) -> Dual:
        return _dual(inner, y, np.minimum(problem.bounds, top), unit, problem.bias)

    is_centred = problem.bias and len(y) > 0
    try:
        answer = _first_without_active_bound(solve_within, 1.0 / square, 1.0 / square, problem.bounds)
    except SolverFailed:  # try again with the kernel values as they are
        inner, is_centred = K, False
        answer = _dual(K, y, problem.bounds, 1.0, problem.bias)
    c = answer.alpha * y
    own = c @ inner
    gap = _gap(y, y * (own + answer.b), problem.bounds, answer, (0.5 * float(own @ c),) * 2)
    shift = centred.bias_shift(problem.kernel, X, K, inner, c) if is_centred else 0.0
    return replace(answer, b=answer.b - shift, uncertainty_of_w=math.sqrt(2.0 * gap))


def _dual(K: Array, y: Array, bounds: Array, unit: float, bias: bool) -> Dual:
    """Solve the program for the kernel values K (m, m), for alpha in units of `unit` or of the largest bound.

    The smaller of the two is used.
    """
    m = len(y)
    a = min(unit, float(bounds.max())) if m else unit
    A, c = np.eye(m), np.zeros(m)
    if np.isfinite(bounds).all():
        A, c = np.vstack([A, -A]), np.r_[c, -bounds / a]
    E = y[None, :].copy() if bias else np.zeros((0, m))
    answer = cvxopt_backend.solve_qp(QP(a * np.outer(y, y) * K, -np.ones(m), A, c, E, np.zeros(len(E)), _names(m)))
    return Dual(a * answer.u, float(answer.equality[0]) if bias else 0.0, -a * answer.value)


def _names(n: int) -> tuple[str, ...]:
    return tuple(f"u{i + 1}" for i in range(n))


def box_multipliers(problem: Problem) -> Array:
    """Return the multipliers of alpha <= C in the printed dual, shape (m,), which are the slacks xi."""
    answer = cvxopt_backend.solve_qp(problem.qp("dual"))
    return answer.inequality[problem.data.m :]


def largest_lp_margin(Z: Array, y: Array, bias: bool) -> float:
    """Return max t <= 1 subject to y_i (<w, z_i> + b) >= t, |w_j| <= 1, |b| <= 1.

    It is positive if and only if a line separates the classes.
    """
    k, D = int(bias), Z.shape[1]
    rows = y[:, None] * np.hstack([np.ones((len(y), k)), Z])
    box = np.eye(k + D)
    A = np.block([[rows, -np.ones((len(y), 1))], [np.vstack([box, -box]), np.zeros((2 * (k + D), 1))]])
    A = np.vstack([A, np.r_[np.zeros(k + D), -1.0]])
    c = np.r_[np.zeros(len(y)), -np.ones(2 * (k + D) + 1)]
    q = np.r_[np.zeros(k + D), -1.0]
    return -cvxopt_backend.solve_lp(q, A, c, np.zeros((0, k + D + 1)), np.zeros(0)).value

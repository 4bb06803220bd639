"""The two quadratic programs solved by cvxopt, each solution with a proof that its value is right."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from svmlab.binary.preprocess import Preprocessed, preprocess
from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.core.arrays import Array, frozen
from svmlab.core.errors import SolverFailed
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.solvers import cvxopt_backend
from svmlab.solvers.bias import bias_interval

VALUE_TOLERANCE = 1e-6  # A solution by cvxopt must prove its value to this relative accuracy.
PLAIN, POLISHED = N_("{method}: cvxopt"), N_("{method}: cvxopt, then a Newton step")


def solve_dual(problem: Problem) -> Solution:
    """Return the solution of the dual program. Raises SolverFailed."""
    clip, qp = None if problem.kernel.psd else preprocess(problem), problem.qp("dual")
    if clip is not None and clip.spectrum is not None:
        K = clip.spectrum.clipped_matrix()[np.ix_(clip.points.point_of_row, clip.points.point_of_row)]
        qp = replace(qp, P=np.outer(problem.data.y, problem.data.y) * K)
    # The multiplier of y'alpha = 0 is b itself, because cvxopt adds + y b to the Lagrangian.
    answers = (
        (a.u, float(a.equality[0]) if problem.bias else 0.0, None, a.gap_left) for a in cvxopt_backend.qp_answers(qp)
    )
    return _first_proven(problem, "dual-qp", answers, clip)


def solve_primal(problem: Problem) -> Solution:
    """Return the solution of the primal program. Raises BadInput without a finite feature map, and SolverFailed."""
    k, m = int(problem.bias), problem.data.m
    D = problem.kernel.feature_dim(problem.data.d) or 0
    answers = (
        (a.inequality[:m], float(a.u[0]) if k else 0.0, a.u[k : k + D], a.gap_left)
        for a in cvxopt_backend.qp_answers(problem.qp("primal"))
    )
    return _first_proven(problem, "primal-qp", answers, None)


def _first_proven(
    problem: Problem,
    method: str,
    answers: Iterable[tuple[Array, float, Array | None, float]],
    clip: Preprocessed | None,
) -> Solution:
    """Return the first of cvxopt's solutions (alpha, b, w where it is explicit, remaining gap) whose value is proven.

    The multipliers of an interior point are never exactly 0 or C_i. So those within a fraction of the largest are
    rounded to these bounds, and the fraction becomes smaller as needed. After the Newton step they are exact up to
    rounding. Raises SolverFailed.
    """
    best_error = math.inf
    for alpha, b, w, gap_left in answers:
        words = Phrase(POLISHED if gap_left == 0 else PLAIN, method=method)
        for fraction in (1e-12,) if gap_left == 0 else (1e-6, 1e-9, 1e-12):
            solution = _round_to_bounds(problem, alpha, b, fraction, words, w, clip)
            best_error = min(best_error, _relative_error(solution))
            if best_error <= VALUE_TOLERANCE:
                return solution
    raise SolverFailed(
        "cvxopt's answer is only known to be within {apart:.1g} of the optimum's value, relatively; {within:g} "
        "is asked for.",
        apart=best_error,
        within=VALUE_TOLERANCE,
    )


def _round_to_bounds(
    problem: Problem, alpha: Array, b: float, fraction: float, words: str, w: Array | None, clip: Preprocessed | None
) -> Solution:
    """Return a Solution in which alpha is rounded to 0 or C_i within this fraction of the largest alpha."""
    y, bounds = problem.data.y, problem.bounds
    tolerance = fraction * np.minimum(bounds, float(alpha.max(initial=0.0)))
    states = np.where(alpha <= tolerance, -1, np.where(alpha >= bounds - tolerance, 1, 0))
    alpha = np.where(states < 0, 0.0, np.where(states > 0, bounds, alpha))
    coef, shift, eigenvalue = None, 0.0, None if clip is None else clip.clipped
    if clip is not None and eigenvalue is not None:
        coef, shift = clip.clipped_expansion(alpha)
        words = clipped_status(words, eigenvalue)
    interval = (b - shift, b - shift)
    if problem.bias and not (states == 0).any():
        c = alpha * y if coef is None else coef
        g = c @ problem.gram if w is None else problem.kernel.feature_map(problem.data.X) @ w
        interval = bias_interval(g, y, problem.v, problem.hard)
    alpha, states = frozen(alpha), frozen(states, np.int8)
    return Solution(
        problem,
        alpha,
        b - shift,
        interval,
        None,
        states,
        words,
        explicit_w=w,
        clipped_coefficients=coef,
        clipped=eigenvalue,
    )


def clipped_status(words: str, smallest: float) -> Phrase:
    """Return the status of a solution whose kernel is indefinite."""
    template = "; the kernel is indefinite (eigenvalue {value:.3g}): the problem with clipped eigenvalues is solved"
    return join_phrases(words, Phrase(template, value=smallest), separator="")


def _relative_error(solution: Solution) -> float:
    """Return a bound for the relative error of a solution's value, from |P - D| / P.

    w divided by its smallest margin is feasible for C = inf, and D is too large by at most |b y'alpha|.
    """
    P, D = solution.objective, solution.dual_objective
    if solution.problem.hard:
        smallest_margin = min(1.0, float(solution.margins.min()))
        P = P / smallest_margin**2 if smallest_margin > 0.5 else math.inf
    dual_excess = abs(solution.b * float(solution.problem.data.y @ solution.alpha)) if solution.problem.bias else 0.0
    return (abs(P - D) + dual_excess) / P if 0 < P < math.inf else math.inf

"""Quadratic programs solved by cvxopt, each solution with a proof that its value is right."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

import numpy as np

from svmlab.binary.advice import is_badly_scaled, precision_failure, with_advice
from svmlab.binary.expansion import Evaluation, KernelSolution
from svmlab.binary.preprocess import Preprocessed, preprocess
from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.core.arrays import Array, frozen
from svmlab.core.errors import NotExact, SolverFailed
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.core.tolerances import MAX_PROVABLE_FLOOR, POLISHED_ZERO, ROUNDED_ZEROS, VALUE_TOLERANCE
from svmlab.solvers import cvxopt_backend
from svmlab.solvers.bias import bias_interval

# The multipliers, b, w where it is explicit, and the remaining gap, which is 0 after a Newton step.
Answer: TypeAlias = tuple[Array, Any, Array | None, float]
S = TypeVar("S", bound=KernelSolution)
TOO_ROUGH = N_("rounding alone explains residuals of {floor:.1g} in units of a margin.")
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
    return _proven_solution(problem, "dual-qp", answers, clip)


def solve_primal(problem: Problem) -> Solution:
    """Return the solution of the primal program. Raises BadInput without a finite feature map, and SolverFailed."""
    k, m = int(problem.bias), problem.data.m
    D = problem.kernel.feature_dim(problem.data.d) or 0
    answers = (
        (a.inequality[:m], float(a.u[0]) if k else 0.0, a.u[k : k + D], a.gap_left)
        for a in cvxopt_backend.qp_answers(problem.qp("primal"))
    )
    return _proven_solution(problem, "primal-qp", answers, None)


def _proven_solution(problem: Problem, method: str, answers: Iterable[Answer], clip: Preprocessed | None) -> Solution:
    return first_proven(
        method,
        answers,
        lambda answer, fraction, words: _rounded_solution(problem, answer, fraction, words, clip),
        _relative_error,
    )


def first_proven(
    method: str,
    answers: Iterable[Answer],
    rounded: Callable[[Answer, float, str], S],
    relative_error: Callable[[S], float],
) -> S:
    """Return the first of cvxopt's answers whose objective value is proven, as the solution that `rounded` makes of it.

    The multipliers of an interior point are never exactly 0 or at their bound. So those within a fraction of the
    largest are rounded to these bounds, and the fraction becomes smaller as needed. After the Newton step they are
    exact up to rounding. Raises SolverFailed.
    """
    best_error = math.inf
    for answer in answers:
        is_polished = answer[-1] == 0
        words = Phrase(POLISHED if is_polished else PLAIN, method=method)
        for fraction in (POLISHED_ZERO,) if is_polished else ROUNDED_ZEROS:
            solution = rounded(answer, fraction, words)
            best_error = min(best_error, relative_error(solution))
            if best_error <= VALUE_TOLERANCE:
                return solution
    raise SolverFailed(
        "The objective value of cvxopt is only known to a relative accuracy of {apart:.1g}, and {within:g} is "
        "required.",
        apart=best_error,
        within=VALUE_TOLERANCE,
    )


def round_to_bounds(a: Array, bounds: Any, tolerance: Any) -> tuple[Array, Array]:
    """Return the multipliers, of which those within `tolerance` of 0 or of their bound are set to it, and the states.

    A state is -1 at 0, 0 between the bounds and +1 at the upper bound.
    """
    states = np.where(a <= tolerance, -1, np.where(a >= bounds - tolerance, 1, 0))
    return np.where(states < 0, 0.0, np.where(states > 0, bounds, a)), states


def fall_back_to_cvxopt(problem: Any, solve_dual: Callable[[], S], reason: SolverFailed) -> S:
    """Return cvxopt's solution after the exact method failed for this `reason`. Raises SolverFailed with advice."""
    try:
        return solve_dual()
    except SolverFailed:
        X = problem.data.X
        raise (
            precision_failure() if is_badly_scaled(X) else with_advice(reason, X, problem.kernel, problem.C)
        ) from None


def reason_unproven(solution: KernelSolution, words: str = TOO_ROUGH) -> SolverFailed | None:
    """Return why rounding leaves an exact solution unproven, in these words with {floor}, or None if it is proven."""
    return None if solution.proven else SolverFailed(words, floor=max(solution.floor, abs(solution.gap)))


def warn_if_unproven(solution: S, reason: SolverFailed | None, name: str, stacklevel: int) -> S:
    """Return the solution, with the warning NotExact for the `reason` why it is not exact or not proven.

    Raises SolverFailed where the coordinates are so badly scaled that rounding spoils the solution.
    """
    converged = reason is None or solution.status.startswith("exact")
    if is_badly_scaled(solution.problem.data.X) and not (
        solution.floor <= MAX_PROVABLE_FLOOR and solution.least_norm_known and (converged or solution.proven)
    ):
        raise precision_failure() from reason
    if reason is not None:
        words = (
            N_("The answer is not proven, because {reason} {name}.proven is False.")
            if converged
            else N_(
                "The exact method did not converge ({reason}) The answer is that of another method ({status}). "
                "{name}.proven says whether it is certified."
            )
        )
        warning = NotExact(words, reason=reason, status=solution.status, name=name)
        warnings.warn(warning, stacklevel=stacklevel)  # The warning points to the caller of `solve`.
    return solution


def _rounded_solution(
    problem: Problem, answer: Answer, fraction: float, words: str, clip: Preprocessed | None
) -> Solution:
    """Return a Solution in which alpha is rounded to 0 or C_i within this fraction of the largest alpha."""
    y, bounds, (alpha, b, w, _) = problem.data.y, problem.bounds, answer
    alpha, states = round_to_bounds(alpha, bounds, fraction * np.minimum(bounds, float(alpha.max(initial=0.0))))
    coef, shift, eigenvalue = None, 0.0, None if clip is None else clip.clipped_eigenvalue
    if clip is not None and eigenvalue is not None:
        coef, shift = clip.clipped_expansion(alpha)
        words = clipped_status(words, eigenvalue)
    interval = (b - shift, b - shift)
    if problem.bias and not (states == 0).any():
        c = alpha * y if coef is None else coef
        g = c @ problem.gram if w is None else problem.kernel.feature_map(problem.data.X) @ w
        interval = bias_interval(g, y, problem.v, problem.hard)
    return Solution(
        problem,
        frozen(alpha),
        b - shift,
        interval,
        None,
        frozen(states, np.int8),
        words,
        evaluation=Evaluation(coefficients=coef, w=None if w is None else frozen(w)),
        clipped_eigenvalue=eigenvalue,
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

"""Solve a problem with the exact method or with cvxopt."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Literal

import numpy as np

from svmlab.binary.advice import STANDARDISE_ADVICE, is_badly_scaled, with_advice
from svmlab.binary.cvxopt_solve import (
    clipped_status,
    fall_back_to_cvxopt,
    reason_unproven,
    solve_dual,
    solve_primal,
    warn_if_unproven,
)
from svmlab.binary.expansion import Evaluation, shift_of_bias
from svmlab.binary.preprocess import preprocess
from svmlab.binary.problem import Problem
from svmlab.binary.separability import NotSeparable, conflicting_labels, separate, separate_by_distance
from svmlab.binary.solution import Solution
from svmlab.core.arrays import Array, have_equal_bytes, make_read_only
from svmlab.core.errors import BadInput, SolverFailed
from svmlab.core.phrase import N_, Phrase
from svmlab.core.tolerances import LARGEST_REPEATABLE_ALPHA_SUM, SHIFT_ROUND_OFF
from svmlab.core.validate import validated
from svmlab.data.point_set import match_rows
from svmlab.solvers import exact
from svmlab.solvers.exact import ONE_CLASS

Method = Literal["exact", "dual-qp", "primal-qp"]
EXACT = N_("exact: {start}, then {steps} exchanges")
WITHIN_ROUNDING = N_("to within round-off: {start}, then {steps} exchanges")
NARROW = N_("The classes are separable, but the margin is too narrow for double precision. {remedy}")
UNKNOWN = N_(
    "If a boundary of this kind separates the classes, its margin is too narrow for double precision. {remedy}"
)
SEVERAL_OPTIMA = N_("rounding hides which of several optimal alpha has the smallest norm.")
SOFTER = N_("Use a finite C, or another kernel (a smaller sigma, a higher degree).")


@validated
def solve(problem: Problem, method: Method = "exact", start: Solution | None = None) -> Solution:
    """Return the optimum of `problem`.

    method: "exact" (exact categories, and the alpha with the least sum_i alpha_i^2 / v_i), "dual-qp" or "primal-qp"
    (cvxopt on the program as the notes write it, accepted where its gap proves the value to VALUE_TOLERANCE). start: an
    earlier Solution, whose rows are matched by their ids; it makes "exact" faster and never changes the result. Where
    the kernel is indefinite on the points, the problem with the negative eigenvalues set to 0 is solved, and the
    solution's `clipped` and `status` say so. Where "exact" does not converge at a finite C, the result is what its
    exchanges reach to within round-off, or else that of cvxopt, with the warning NotExact. An exact result that
    rounding leaves unproven has this warning too. Raises BadInput (no points, unknown method, no finite feature map for
    "primal-qp"), NotSeparable (C = inf), SolverFailed.
    """
    if problem.data.m == 0:
        raise BadInput("There are no points yet. Add at least one point of each class.")
    if method == "exact":
        return _solve_with_fallback(problem, start)
    if problem.bias and not problem.data.both_classes:
        return solve_exact(problem, None)[0]
    if problem.hard:
        _check_separable(problem)
    try:
        return solve_dual(problem) if method == "dual-qp" else solve_primal(problem)
    except SolverFailed as reason:
        raise with_advice(reason, problem.data.X, problem.kernel, problem.C, N_("Use method='exact'.")) from reason


def _solve_with_fallback(problem: Problem, start: Solution | None) -> Solution:
    """Return the optimum by the exact method, or at a finite C by cvxopt where the exact method does not converge.

    The warning NotExact marks a result that is not exact, or that rounding leaves unproven. Raises NotSeparable,
    SolverFailed.
    """
    try:
        solution, reason = solve_exact(problem, None if start is None else _match_start(problem, start), start)
    except SolverFailed as error:
        if problem.hard:
            advice = STANDARDISE_ADVICE if is_badly_scaled(problem.data.X) else SOFTER
            raise SolverFailed(NARROW if _check_separable(problem) else UNKNOWN, remedy=advice) from error
        solution, reason = fall_back_to_cvxopt(problem, lambda: solve_dual(problem), error), error
    return warn_if_unproven(solution, reason, "Solution", stacklevel=5)


def solve_exact(
    problem: Problem, alpha: Array | None, start: Solution | None = None
) -> tuple[Solution, SolverFailed | None]:
    """Return the optimum by the exact method, and why it is exact only to within round-off or not proven, else None.

    alpha: a guess (m,) on the rows, feasible or not, from which the method starts. The Gram matrix that `start` keeps
    is reused. Raises SolverFailed where the active set does not converge.
    """
    reduced = preprocess(problem, None if start is None else start.warm_start)
    points, origin = reduced.points, reduced.origin
    core = (points, reduced.Q, reduced.kappa, problem.bounds, problem.bias)
    optimum: exact.ExactOptimum | None = None
    if alpha is not None and reduced.clipped_eigenvalue is None:
        with suppress(SolverFailed):
            optimum = exact.solve(*core, alpha)
    if optimum is None or not optimum.is_start_independent:  # Rounding would choose among several optima.
        optimum = exact.solve(*core, None)
    make_read_only((optimum.alpha, optimum.state))
    words = _status(optimum.reason is None, optimum.start, optimum.steps)
    centred = reduced.centred_kernel
    shift, coef, keeps_offset = 0.0, None, origin is not None or centred is not None or optimum.base != 0.0
    if origin is not None:
        shift = float(shift_of_bias(problem.kernel, points.Z, reduced.signed_alpha(optimum.alpha), origin))
    elif centred is not None:
        shift = float(reduced.signed_alpha(optimum.alpha) @ centred[1])
    elif reduced.clipped_eigenvalue is not None:
        coef, shift = reduced.clipped_expansion(optimum.alpha)
        words = clipped_status(words, reduced.clipped_eigenvalue)
    (lo, hi), scaled_alpha_sum = optimum.interval, optimum.scaled_alpha_sum
    solution = Solution(
        problem,
        optimum.alpha,
        optimum.b - shift,
        (lo - shift, hi - shift),
        optimum.unique,
        optimum.state,
        words,
        optimum.steps,
        Evaluation(
            origin,
            optimum.base if keeps_offset else 0.0,
            optimum.offset - (shift if origin is None and centred is None else 0.0) if keeps_offset else None,
            None if centred is None else centred[0],
            coef,
        ),
        optimum.least_norm_known or optimum.reason is not None,
        reduced.clipped_eigenvalue,
        reduced.warm_start(),
    )
    if origin is not None:
        # |w| <= sqrt(kappa) sum(alpha)
        largest_shift = (
            scaled_alpha_sum / math.sqrt(reduced.kappa) * math.sqrt(float(problem.kernel.diag(origin[None])[0]))
        )
        if 0 < abs(shift) <= SHIFT_ROUND_OFF * largest_shift and solution.is_constant:
            solution = replace(solution, b=optimum.b, b_interval=(lo, hi))  # Where w = 0, the shift is only rounding.
    if not solution.evaluation.sums_values_of(problem.kernel):
        scaled_alpha_sum *= problem.kernel.largest_diagonal(problem.data.X) / reduced.kappa
    if optimum.reason is None and not (optimum.least_norm_known and scaled_alpha_sum <= LARGEST_REPEATABLE_ALPHA_SUM):
        reason = _doubt(solution)
        if reason is not None and solution.least_norm_known and solution.is_constant:
            at_best_b = _with_best_constant(solution)
            return (at_best_b, None) if at_best_b.proven else (solution, reason)
        return solution, reason
    return solution, optimum.reason


def _with_best_constant(solution: Solution) -> Solution:
    """Return a solution with w = 0 whose b is the best constant f. The rounding of huge kernel values can hide it.

    min_b  P max(0, 1 - b) + N max(0, 1 + b),    P and N: the sums of C_i over the two classes
    """
    bounds, y = solution.problem.bounds, solution.problem.data.y
    P, N = float(bounds[y > 0].sum()), float(bounds[y < 0].sum())
    lo, hi = (-1.0, 1.0) if P == N else (1.0, 1.0) if P > N else (-1.0, -1.0)
    b = 0.5 * (lo + hi)
    return replace(solution, b=b, b_interval=(lo, hi), evaluation=solution.evaluation.with_bias_moved(b - solution.b))


def _doubt(solution: Solution) -> SolverFailed | None:
    """Return why rounding leaves an exact solution unproven, or None.

    While kappa sum(alpha), which bounds |f - b|, is at most LARGEST_REPEATABLE_ALPHA_SUM and the least norm is known,
    the certificate does not fail. So it is not computed then.
    """
    if not solution.least_norm_known:
        return SolverFailed(SEVERAL_OPTIMA)
    return reason_unproven(solution)


@lru_cache(256)
def _status(exact_to_the_end: bool, start: str, steps: int) -> str:
    """Return what the exact method did, in words. Most solves do the same, so the words are kept."""
    if start == ONE_CLASS:
        return N_("exact: there is only one class, so w = 0, and every b that gives y f of at least 1 is optimal")
    return Phrase(EXACT if exact_to_the_end else WITHIN_ROUNDING, start=start, steps=steps)


def _check_separable(problem: Problem) -> bool:
    """Return whether the hard margin is known to have a solution. Raises NotSeparable where it has none.

    An indefinite kernel is judged by its clipped matrix, because that is the matrix of the problem that is solved.
    """
    data, kernel, bias = problem.data, problem.kernel, problem.bias
    known: str = N_(" as far as double precision can tell")
    try:
        if kernel.psd:
            separation = separate(data, kernel, bias)
        else:
            reduced, known = preprocess(problem), N_(" with the negative eigenvalues of the kernel set to 0")
            separation = conflicting_labels(data, bias) or separate_by_distance(
                data, kernel, reduced.Q, reduced.points.first_row, bias
            )
    except SolverFailed:
        return False
    if not separation.separable:
        raise NotSeparable(
            "No boundary of this kind{through} separates the two classes{known}, "
            "so the hard margin has no solution. Choose a finite C (turn off the hard margin), or another kernel.",
            separation,
            through="" if bias else N_(" through the origin"),
            known="" if separation.exact else known,
        )
    return separation.exact


def _match_start(problem: Problem, start: Solution) -> Array:
    """Return the earlier alpha on the rows of this problem, each scaled to the same fraction of its bound.

    It is 0 for new points and for points whose label has changed.
    """
    old, new = start.problem.data, problem.data
    soft = not (start.problem.hard or problem.hard)
    if old is new or have_equal_bytes(old.ids, new.ids):
        same_bounds = (
            problem.C == start.problem.C
            and problem.costs == start.problem.costs
            and problem.weights is start.problem.weights
        )
        alpha = start.alpha if same_bounds or not soft else start.alpha * (problem.bounds / start.problem.bounds)
        return alpha if have_equal_bytes(old.y, new.y) else np.where(old.y == new.y, alpha, 0.0)
    if not old.m:
        return np.zeros(new.m)
    fraction, bounds = (start.alpha / start.problem.bounds, problem.bounds) if soft else (start.alpha, np.ones(new.m))
    rows, matched = match_rows(old.ids, new.ids)
    return np.where(matched & (old.y[rows] == new.y), fraction[rows] * bounds, 0.0)

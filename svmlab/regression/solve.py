"""The function that solves support vector regression."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from svmlab.binary.advice import with_advice
from svmlab.binary.cvxopt_solve import (
    Answer,
    fall_back_to_cvxopt,
    first_proven,
    reason_unproven,
    round_to_bounds,
    warn_if_unproven,
)
from svmlab.binary.expansion import Evaluation
from svmlab.binary.solve import Method
from svmlab.core.arrays import Array, frozen
from svmlab.core.errors import BadInput, SolverFailed
from svmlab.core.phrase import N_, Phrase
from svmlab.core.tolerances import LARGEST_REPEATABLE_ALPHA_SUM
from svmlab.core.validate import validated
from svmlab.data.point_set import match_rows
from svmlab.regression import exact
from svmlab.regression.fit import Fit
from svmlab.regression.programs import SecondOpinion, answers
from svmlab.regression.tube import Tube
from svmlab.solvers.bias import bias_interval

# A relative gap is measured against at least this share of sum C_i times half the range of y, which is an upper bound
# of the objective of the constant fit.
LEAST_SHARE = 1e-6
TOO_ROUGH = N_("rounding alone explains residuals of {floor:.1g} in units of half the range of the values.")


@validated
def solve(problem: Tube, method: Method = "exact", start: Fit | None = None) -> Fit:
    """Return the optimum of `problem`.

    method: "exact" (exact categories, the alpha of least norm), "dual-qp" or "primal-qp" (cvxopt on the program, whose
    gap must prove the value to VALUE_TOLERANCE). start: an earlier Fit, with rows matched by ids; it makes "exact"
    faster, but never changes its result. If "exact" does not converge, the result is cvxopt's, with the warning
    NotExact. An exact result that rounding leaves unproven has this warning too. Raises BadInput (no points, unknown
    method, no finite feature map for "primal-qp"), SolverFailed.
    """
    if problem.data.m == 0:
        raise BadInput("There are no points yet. Add at least one point.")
    if method != "exact":
        try:
            return _proven_fit(problem, method)
        except SolverFailed as reason:
            raise with_advice(reason, problem.data.X, problem.kernel, problem.C, N_("Use method='exact'.")) from reason
    failure: SolverFailed | None = None
    try:
        fit = _solve_exact(problem, start)
        failure = _doubt(fit)
    except SolverFailed as error:
        fit, failure = fall_back_to_cvxopt(problem, lambda: _proven_fit(problem, "dual-qp"), error), error
    return warn_if_unproven(fit, failure, "Fit", stacklevel=4)


def _solve_exact(problem: Tube, start: Fit | None) -> Fit:
    optimum = exact.solve(problem, None if start is None else _match_start(problem, start))
    return Fit(
        problem,
        optimum.alpha,
        optimum.alpha_star,
        optimum.b,
        optimum.interval,
        optimum.unique,
        optimum.state,
        Phrase("exact: {steps} exchanges", steps=optimum.steps),
        optimum.steps,
        optimum.evaluation,
    )


def _doubt(fit: Fit) -> SolverFailed | None:
    """Return why rounding leaves an exact fit unproven, or None.

    The terms of f - b are at most kappa sum(alpha). If their rounding and that of the values are far below
    MAX_PROVABLE_FLOOR, the certificate does not fail, and is not computed. Without support vectors f is the middle of
    the values.
    """
    problem, multiplier_sum = fit.problem, float(np.abs(fit.beta).sum())
    terms = problem.kernel.largest_diagonal(problem.data.X) * multiplier_sum + float(np.abs(problem.data.y).max())
    if multiplier_sum == 0 or terms <= LARGEST_REPEATABLE_ALPHA_SUM * problem.unit:
        return None
    return reason_unproven(fit, TOO_ROUGH)


def _match_start(problem: Tube, start: Fit) -> Array:
    """Return the earlier alpha and alpha* on the rows of this problem, scaled to its C_i; 0 for new points; (2m,)."""
    old, new = start.problem.data, problem.data
    shares = np.stack([start.alpha, start.alpha_star]) / start.problem.bounds
    if not np.array_equal(old.ids, new.ids):
        rows, matched = match_rows(old.ids, new.ids)
        shares = shares[:, rows] * matched
    return np.asarray((shares * problem.bounds).ravel())


def _proven_fit(problem: Tube, method: SecondOpinion) -> Fit:
    """Return the first of cvxopt's results whose value is proven. Raises SolverFailed."""
    smallest_objective = LEAST_SHARE * float(problem.bounds.sum()) * problem.unit

    def relative_error(fit: Fit) -> float:
        bias_error = abs(fit.b * float(fit.beta.sum())) if problem.bias else 0.0
        return (abs(fit.objective - fit.dual_objective) + bias_error) / max(fit.objective, smallest_objective)

    return first_proven(
        method,
        answers(problem, method),
        lambda answer, fraction, words: _rounded_fit(problem, answer, fraction, words),
        relative_error,
    )


def _rounded_fit(problem: Tube, answer: Answer, fraction: float, status: str) -> Fit:
    """Return a Fit in which multipliers within `fraction` of the largest from 0 or C_i are set to 0 or C_i.

    The common part of alpha_i and alpha*_i is removed. An interior point has one, which costs nothing if eps = 0.
    """
    m, bounds, y, (a, b, w, _) = problem.data.m, np.tile(problem.bounds, 2), problem.data.y, answer
    a = a - np.tile(np.minimum(*np.split(a, 2)), 2)
    kappa = problem.kernel.largest_diagonal(problem.data.X)
    a, states = round_to_bounds(a, bounds, fraction * np.minimum(bounds, max(float(a.max()), problem.unit / kappa)))
    alpha, star = np.split(a, 2)
    interval = (b, b)
    g = (alpha - star) @ problem.gram if w is None else problem.kernel.feature_map(problem.data.X) @ w
    if problem.bias and not (states == 0).any():
        s = np.repeat([1.0, -1.0], m)
        p = s * np.tile(y, 2) - problem.eps
        interval = bias_interval(np.tile(g, 2), s, bounds, False, p)
    state = np.maximum(*np.split(states, 2))
    evaluation = Evaluation(w=None if w is None else frozen(w))
    fit = Fit(
        problem, frozen(alpha), frozen(star), b, interval, None, frozen(state, np.int8), status, evaluation=evaluation
    )
    if not (problem.bias and fit.is_constant):
        return fit
    # A constant f is given by b alone. A constant <w, phi>, the rounding of b and w against each other, belongs to b.
    midpoint = 0.5 * float(g.max() + g.min())
    return replace(fit, b=b + midpoint, b_interval=(interval[0] + midpoint, interval[1] + midpoint))

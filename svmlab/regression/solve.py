"""The function that solves support vector regression."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace

import numpy as np

from svmlab.binary.advice import MAX_PROVABLE_FLOOR, is_badly_scaled, precision_failure, with_advice
from svmlab.binary.cvxopt_solve import PLAIN, POLISHED, VALUE_TOLERANCE
from svmlab.binary.solve import Method
from svmlab.core.arrays import Array, frozen
from svmlab.core.errors import BadInput, NotExact, SolverFailed
from svmlab.core.phrase import N_, Phrase
from svmlab.core.validate import validated
from svmlab.regression import exact
from svmlab.regression.fit import Fit
from svmlab.regression.programs import SecondOpinion, answers
from svmlab.regression.tube import Tube
from svmlab.solvers.bias import bias_interval

# A relative gap is measured against at least this share of C m times half the range of y, which is an upper bound of
# the objective of the constant fit.
LEAST_SHARE = 1e-6


@validated
def solve(problem: Tube, method: Method = "exact", start: Fit | None = None) -> Fit:
    """Return the optimum of `problem`.

    method: "exact" (exact categories, the alpha of least norm), "dual-qp" or "primal-qp" (cvxopt on the program, whose
    gap must prove the value to WITHIN). start: an earlier Fit, with rows matched by ids; it makes "exact" faster, but
    never changes its result. If "exact" does not converge, the result is cvxopt's, with the warning NotExact. Raises
    BadInput (no points, unknown method, no finite feature map for "primal-qp"), SolverFailed.
    """
    if problem.data.m == 0:
        raise BadInput("There are no points yet. Add at least one point.")
    if method != "exact":
        try:
            return _first_proven(problem, method)
        except SolverFailed as reason:
            raise with_advice(reason, problem.data.X, problem.kernel, problem.C, N_("Use method='exact'.")) from reason
    try:
        fit = _solve_exact(problem, start)
    except SolverFailed as reason:
        try:
            fit = _first_proven(problem, "dual-qp")
        except SolverFailed:
            if is_badly_scaled(problem.data.X):
                raise precision_failure() from None
            raise with_advice(reason, problem.data.X, problem.kernel, problem.C) from None
        if is_badly_scaled(problem.data.X) and not fit.proven:
            raise precision_failure() from reason
        other = NotExact(
            "The exact method came to no end ({reason}) Another one answers ({status}): look at Fit.proven.",
            reason=reason,
            status=fit.status,
        )
        warnings.warn(other, stacklevel=3)
    else:
        if is_badly_scaled(problem.data.X) and fit.floor > MAX_PROVABLE_FLOOR:
            raise precision_failure()
    return fit


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
        origin=optimum.origin,
        offset=optimum.offset,
    )


def _match_start(problem: Tube, start: Fit) -> Array:
    """Return the earlier alpha and alpha* on the rows of this problem, scaled to its C; 0 for new points; (2m,)."""
    old, new = start.problem.data, problem.data
    both = np.stack([start.alpha, start.alpha_star]) * (problem.C / start.problem.C)
    if not np.array_equal(old.ids, new.ids):
        _, new_rows, old_rows = np.intersect1d(new.ids, old.ids, assume_unique=True, return_indices=True)
        earlier, both = both, np.zeros((2, new.m))
        both[:, new_rows] = earlier[:, old_rows]
    return np.asarray(both.ravel())


def _first_proven(problem: Tube, method: SecondOpinion) -> Fit:
    """Return the first of cvxopt's results whose value is proven.

    The multipliers of an interior point are never exactly 0 or C, so a fraction of the largest decides which ones count
    as such, as small a fraction as possible. After the Newton step they are exact except for rounding.
    """
    least, smallest_gap = LEAST_SHARE * problem.C * problem.data.m * problem.unit, math.inf
    for a, b, w, gap_left in answers(problem, method):
        status = Phrase(POLISHED if gap_left == 0 else PLAIN, method=method)
        for fraction in (1e-12,) if gap_left == 0 else (1e-6, 1e-9, 1e-12):
            fit = _round_to_bounds(problem, a, b, fraction, status, w)
            bias_error = abs(fit.b * float(fit.beta.sum())) if problem.bias else 0.0
            smallest_gap = min(
                smallest_gap, (abs(fit.objective - fit.dual_objective) + bias_error) / max(fit.objective, least)
            )
            if smallest_gap <= VALUE_TOLERANCE:
                return fit
    raise SolverFailed(
        "cvxopt's answer is only known to be within {apart:.1g} of the optimum's value, relatively; {within:g} "
        "is asked for.",
        apart=smallest_gap,
        within=VALUE_TOLERANCE,
    )


def _round_to_bounds(problem: Tube, a: Array, b: float, fraction: float, status: str, w: Array | None) -> Fit:
    """Return a Fit in which multipliers within `fraction` of the largest from 0 or C are set to 0 or C.

    The common part of alpha_i and alpha*_i is removed. An interior point has one, which costs nothing if eps = 0.
    """
    m, C, y = problem.data.m, problem.C, problem.data.y
    a = a - np.tile(np.minimum(*np.split(a, 2)), 2)
    kappa = problem.kernel.largest_diagonal(problem.data.X)
    small = fraction * min(C, max(float(a.max()), problem.unit / kappa))
    states = np.where(a <= small, -1, np.where(a >= C - small, 1, 0))
    alpha, star = np.split(np.where(states < 0, 0.0, np.where(states > 0, C, a)), 2)
    interval = (b, b)
    g = (alpha - star) @ problem.gram if w is None else problem.kernel.feature_map(problem.data.X) @ w
    if problem.bias and not (states == 0).any():
        s = np.repeat([1.0, -1.0], m)
        p = s * np.tile(y, 2) - problem.eps
        interval = bias_interval(np.tile(g, 2), s, np.full(2 * m, C), False, p)
    state = np.maximum(*np.split(states, 2))
    fit = Fit(problem, frozen(alpha), frozen(star), b, interval, None, frozen(state, np.int8), status, explicit_w=w)
    if not (problem.bias and fit.is_constant):
        return fit
    # A constant f is given by b alone. A constant <w, phi>, the rounding of b and w against each other, belongs to b.
    midpoint = 0.5 * float(g.max() + g.min())
    return replace(fit, b=b + midpoint, b_interval=(interval[0] + midpoint, interval[1] + midpoint))

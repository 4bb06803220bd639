"""One door to the solvers of the tube."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace

import numpy as np

from svmlab.binary.advice import PRECISE, is_badly_scaled, precision_failure, with_advice
from svmlab.binary.cvxopt_solve import PLAIN, POLISHED, WITHIN
from svmlab.binary.solve import Method
from svmlab.core.arrays import Array, frozen
from svmlab.core.errors import BadInput, NotExact, SolverFailed
from svmlab.core.phrase import N_, Phrase
from svmlab.core.validate import validated
from svmlab.regression import exact
from svmlab.regression.fit import Fit
from svmlab.regression.programs import Second, answers
from svmlab.regression.tube import Tube
from svmlab.solvers.bias import bias_interval

LEAST = 1e-6  # part of C m times half the range of y, which a level line pays at most, that is worth a relative gap


@validated
def solve(problem: Tube, method: Method = "exact", start: Fit | None = None) -> Fit:
    """The optimum of `problem`.

    method: "exact" (exact places, the alpha of least norm), "dual-qp" or "primal-qp" (cvxopt on the program, where its
    gap proves the value to WITHIN). start: an earlier Fit, rows matched by ids; it makes "exact" faster, never
    different. Where "exact" comes to no end, cvxopt answers, with the warning NotExact. Raises BadInput (no points,
    unknown method, no finite feature map for "primal-qp"), SolverFailed.
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
        if is_badly_scaled(problem.data.X) and fit.floor > PRECISE:
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
    """The earlier alpha and alpha* on the rows of this problem, scaled to its bound; 0 for new points; shape (2m,)."""
    old, new = start.problem.data, problem.data
    both = np.stack([start.alpha, start.alpha_star]) * (problem.C / start.problem.C)
    if not np.array_equal(old.ids, new.ids):
        _, here, there = np.intersect1d(new.ids, old.ids, assume_unique=True, return_indices=True)
        before, both = both, np.zeros((2, new.m))
        both[:, here] = before[:, there]
    return np.asarray(both.ravel())


def _first_proven(problem: Tube, method: Second) -> Fit:
    """The first of cvxopt's answers whose value proves to be right.

    The multipliers of an interior point are never exactly 0 or C: as small a part of the largest decides as is needed.
    After the Newton step they are, but for rounding.
    """
    least, apart = LEAST * problem.C * problem.data.m * problem.unit, math.inf
    for a, b, w, left in answers(problem, method):
        words = Phrase(POLISHED if left == 0 else PLAIN, method=method)
        for part in (1e-12,) if left == 0 else (1e-6, 1e-9, 1e-12):
            fit = _round_to_bounds(problem, a, b, part, words, w)
            missing = abs(fit.b * float(fit.beta.sum())) if problem.bias else 0.0
            apart = min(apart, (abs(fit.objective - fit.dual_objective) + missing) / max(fit.objective, least))
            if apart <= WITHIN:
                return fit
    raise SolverFailed(
        "cvxopt's answer is only known to be within {apart:.1g} of the optimum's value, relatively; {within:g} "
        "is asked for.",
        apart=apart,
        within=WITHIN,
    )


def _round_to_bounds(problem: Tube, a: Array, b: float, part: float, words: str, w: Array | None) -> Fit:
    """A Fit in which `part` of the largest multiplier is as good as nothing, away from 0 and from C.

    An interior point shares what alpha_i and alpha*_i have in common; where eps = 0, that costs nothing.
    """
    m, C, y = problem.data.m, problem.C, problem.data.y
    a = a - np.tile(np.minimum(*np.split(a, 2)), 2)
    kappa = problem.kernel.largest_diagonal(problem.data.X)
    small = part * min(C, max(float(a.max()), problem.unit / kappa))
    states = np.where(a <= small, -1, np.where(a >= C - small, 1, 0))
    alpha, star = np.split(np.where(states < 0, 0.0, np.where(states > 0, C, a)), 2)
    interval = (b, b)
    g = (alpha - star) @ problem.gram if w is None else problem.kernel.feature_map(problem.data.X) @ w
    if problem.bias and not (states == 0).any():
        s = np.repeat([1.0, -1.0], m)
        p = s * np.tile(y, 2) - problem.eps
        interval = bias_interval(np.tile(g, 2), s, np.full(2 * m, C), False, p)
    state = np.maximum(*np.split(states, 2))
    fit = Fit(problem, frozen(alpha), frozen(star), b, interval, None, frozen(state, np.int8), words, explicit_w=w)
    if not (problem.bias and fit.is_constant):
        return fit
    # A level f is read as b alone. What <w, phi> adds everywhere, rounding of b and w against each other, belongs to b.
    both = 0.5 * float(g.max() + g.min())
    return replace(fit, b=b + both, b_interval=(interval[0] + both, interval[1] + both))

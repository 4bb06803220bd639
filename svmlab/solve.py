"""One door to the solvers."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Literal

import numpy as np

from svmlab.arrays import Array, frozen
from svmlab.errors import BadInput, NotExact, SolverFailed
from svmlab.offset import offset_interval
from svmlab.phrase import N_, Phrase, together
from svmlab.problem import Problem
from svmlab.reduced import Reduced, reduce
from svmlab.separation import NotSeparable, distance, separate, twins
from svmlab.solution import Solution
from svmlab.solvers import exact, program
from svmlab.solvers.exact import ONE_CLASS
from svmlab.solvers.gram import Gram

Method = Literal["exact", "dual-qp", "primal-qp"]
WITHIN = 1e-6  # of the optimum's value: what a solution by cvxopt has to prove
KEEP = 1000  # points up to which a solution holds on to its kernel rows for the next one
PLAIN, POLISHED = N_("{method}: cvxopt"), N_("{method}: cvxopt, then a Newton step")
NARROW = N_(
    "The classes are separable, but by a margin too narrow for double precision. "
    "Use a finite C, or another kernel (a smaller sigma, a higher degree)."
)
UNKNOWN = N_(
    "If a boundary of this kind separates the classes, its margin is too narrow for double precision. "
    "Use a finite C, or another kernel (a smaller sigma, a higher degree)."
)


def solve(problem: Problem, method: Method = "exact", start: Solution | None = None) -> Solution:
    """The optimum of `problem`.

    method: "exact" (exact categories, the alpha of least norm), "dual-qp" or "primal-qp" (cvxopt on the program as the
    notes write it, where its gap proves the value to WITHIN). start: an earlier
    Solution, rows matched by ids; it makes "exact" faster, never different. Where the kernel is indefinite on the points, the
    problem with the negative eigenvalues set to 0 is solved, and the solution's `clipped` and `status` say so. Where "exact"
    comes to no end at a finite C, cvxopt answers, with the warning NotExact. Raises BadInput (no points, unknown method, no
    finite feature map for "primal-qp"), NotSeparable (C = inf), SolverFailed.
    """
    if method not in ("exact", "dual-qp", "primal-qp"):
        raise BadInput("method: {method!r} is unknown. Choose 'exact', 'dual-qp' or 'primal-qp'.", method=method)
    if problem.data.m == 0:
        raise BadInput("There are no points yet. Add at least one point of each class.")
    if method == "exact":
        try:
            return near(problem, None if start is None else _matched(problem, start), start)
        except SolverFailed as reason:
            if problem.hard:
                raise SolverFailed(NARROW if _separable(problem) else UNKNOWN) from reason
            try:
                solution = _dual(problem)
            except SolverFailed:
                raise reason from None
            other = NotExact(
                "The exact method came to no end ({reason}) Another one answers ({status}): look at Solution.proven.",
                reason=reason,
                status=solution.status,
            )
            warnings.warn(other, stacklevel=2)
            return solution
    if problem.bias and not problem.data.both_classes:
        return near(problem, None)
    if problem.hard:
        _separable(problem)
    return _dual(problem) if method == "dual-qp" else _primal(problem)


def near(problem: Problem, alpha: Array | None, start: Solution | None = None) -> Solution:
    """The optimum by the exact method, started from a guess of alpha (m,) on the rows, feasible or not.

    The kernel rows that `start` still holds are handed on. Raises SolverFailed where the active set does not settle.
    """
    old: Gram | None = None
    if start is not None:
        with suppress(IndexError):  # already handed on, by another thread perhaps
            old = start.rows.pop()
    reduced = reduce(problem, old)
    points, origin = reduced.points, reduced.origin
    found = exact.solve(points, reduced.Q, reduced.kappa, problem.bounds, problem.bias, alpha)
    words: str = Phrase("exact: {start}, then {steps} exchanges", start=found.start, steps=found.steps)
    if found.start == ONE_CLASS:
        words = N_("exact: one class only, so w = 0 and every b beyond 1 in its direction is optimal")
    shift, coef = 0.0, None
    if origin is not None:
        shift = float((reduced.weights(found.alpha) @ points.Z) @ origin)
    elif reduced.clipped is not None:
        coef, shift = reduced.expansion(found.alpha)
        words = _clipped(words, reduced.clipped)
    lo, hi = found.interval
    return Solution(
        problem,
        frozen(found.alpha),
        found.b - shift,
        (lo - shift, hi - shift),
        found.unique,
        frozen(found.state, np.int8),
        words,
        found.steps,
        origin=origin,
        offset=None if origin is None else found.b,
        coef=coef,
        clipped=reduced.clipped,
        rows=[reduced.Q] if problem.data.m <= KEEP else [],
    )


def _separable(problem: Problem) -> bool:
    """Whether the hard margin is known to have a solution; raises NotSeparable where it has none.

    An indefinite kernel is judged by its clipped matrix, for that is what the problem is solved with.
    """
    data, kernel, bias = problem.data, problem.kernel, problem.bias
    known: str = N_(" as far as double precision can tell")
    try:
        if kernel.psd:
            separation = separate(data, kernel, bias)
        else:
            reduced, known = reduce(problem), N_(" with the negative eigenvalues of the kernel set to 0")
            separation = twins(data, bias) or distance(data, kernel, reduced.Q, reduced.points.first, bias)
    except SolverFailed:
        return False
    if not separation.separable:
        raise NotSeparable(
            "No boundary of this kind{through} separates the two classes{known}, "
            "so the hard margin has no solution. Choose a finite C, or another kernel.",
            separation,
            through="" if bias else N_(" through the origin"),
            known="" if separation.exact else known,
        )
    return separation.exact


def _matched(problem: Problem, start: Solution) -> Array:
    """The earlier alpha on the rows of this problem, scaled to its bounds; 0 for new points and for changed labels."""
    old, new = start.problem.data, problem.data
    alpha = start.alpha
    if not (start.problem.hard or problem.hard):
        scale = [
            problem.C / start.problem.C * (now / then)
            for now, then in zip(problem.costs, start.problem.costs, strict=True)
        ]
        alpha = alpha * np.where(old.y > 0, *scale)
    if old is new:
        return alpha
    if np.array_equal(old.ids, new.ids):
        return np.where(old.y == new.y, alpha, 0.0)
    order = np.argsort(old.ids)
    at = order[np.minimum(np.searchsorted(old.ids, new.ids, sorter=order), len(order) - 1)] if len(order) else order
    if not len(order):
        return np.zeros(new.m)
    return np.where((old.ids[at] == new.ids) & (old.y[at] == new.y), alpha[at], 0.0)


def _dual(problem: Problem) -> Solution:
    clip, qp = None if problem.kernel.psd else reduce(problem), problem.qp("dual")
    if clip is not None and clip.spectrum is not None:
        K = clip.spectrum.clipped()[np.ix_(clip.points.group, clip.points.group)]
        qp = replace(qp, P=np.outer(problem.data.y, problem.data.y) * K)
    # The multiplier of y'alpha = 0 is b itself (cvxopt's sign: + y b in the Lagrangian).
    answers = ((a.u, float(a.equality[0]) if problem.bias else 0.0, None, a.left) for a in program.answers(qp))
    return _proven(problem, "dual-qp", answers, clip)


def _primal(problem: Problem) -> Solution:
    k, m = int(problem.bias), problem.data.m
    D = problem.kernel.feature_dim(problem.data.d) or 0
    answers = (
        (a.inequality[:m], float(a.u[0]) if k else 0.0, a.u[k : k + D], a.left)
        for a in program.answers(problem.qp("primal"))
    )
    return _proven(problem, "primal-qp", answers, None)


def _proven(
    problem: Problem,
    method: Method,
    answers: Iterable[tuple[Array, float, Array | None, float]],
    clip: Reduced | None,
) -> Solution:
    """The first of cvxopt's answers (alpha, b, w where it is explicit, what it left) whose value proves to be right.

    The multipliers of an interior point are never exactly 0 or C_i: as small a part of the largest decides as is needed.
    After the Newton step they are, but for rounding.
    """
    apart = math.inf
    for alpha, b, w, left in answers:
        words = Phrase(POLISHED if left == 0 else PLAIN, method=method)
        for part in (1e-12,) if left == 0 else (1e-6, 1e-9, 1e-12):
            solution = _rounded(problem, alpha, b, part, words, w, clip)
            apart = min(apart, _apart(solution))
            if apart <= WITHIN:
                return solution
    raise SolverFailed(
        "cvxopt's answer is only known to be within {apart:.1g} of the optimum's value, relatively; {within:g} "
        "is asked for. Standardise the points, lower C, or use method='exact'.",
        apart=apart,
        within=WITHIN,
    )


def _rounded(
    problem: Problem, alpha: Array, b: float, part: float, words: str, w: Array | None, clip: Reduced | None
) -> Solution:
    """A Solution in which `part` of the largest alpha is as good as nothing, away from 0 and from C_i."""
    y, bounds = problem.data.y, problem.bounds
    small = part * np.minimum(bounds, float(alpha.max(initial=0.0)))
    states = np.where(alpha <= small, -1, np.where(alpha >= bounds - small, 1, 0))
    alpha = np.where(states < 0, 0.0, np.where(states > 0, bounds, alpha))
    coef, shift, smallest = None, 0.0, None if clip is None else clip.clipped
    if clip is not None and smallest is not None:
        coef, shift = clip.expansion(alpha)
        words = _clipped(words, smallest)
    interval = (b - shift, b - shift)
    if problem.bias and not (states == 0).any():
        c = alpha * y if coef is None else coef
        g = c @ problem.gram if w is None else problem.kernel.feature_map(problem.data.X) @ w
        interval = offset_interval(g, y, problem.v, problem.hard)
    alpha, states = frozen(alpha), frozen(states, np.int8)
    return Solution(problem, alpha, b - shift, interval, None, states, words, explicit_w=w, coef=coef, clipped=smallest)


def _clipped(words: str, smallest: float) -> Phrase:
    said = "; the kernel is indefinite (eigenvalue {value:.3g}): the problem with clipped eigenvalues is solved"
    return together(words, Phrase(said, value=smallest), by="")


def _apart(solution: Solution) -> float:
    """How far the value of a solution can be from the optimum's, relatively: |P - D| / P, each made a bound.

    w divided by its smallest margin is feasible for C = inf, and D is too large by no more than |b y'alpha|.
    """
    P, D = solution.objective, solution.dual_objective
    if solution.problem.hard:
        least = min(1.0, float(solution.margins.min()))
        P = P / least**2 if least > 0.5 else math.inf
    missing = abs(solution.b * float(solution.problem.data.y @ solution.alpha)) if solution.problem.bias else 0.0
    return (abs(P - D) + missing) / P if 0 < P < math.inf else math.inf

"""One door to the solvers."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from svmlab.arrays import Array, frozen
from svmlab.errors import BadInput, IndefiniteKernel, NotSeparable, SolverFailed
from svmlab.kernels import Linear
from svmlab.offset import offset_interval
from svmlab.problem import Problem
from svmlab.separation import separate
from svmlab.solution import Solution
from svmlab.solvers import exact as exact_arrays
from svmlab.solvers import qp

Method = Literal["exact", "dual-qp", "primal-qp"]
INDEFINITE = 1e-10  # eigenvalues above -INDEFINITE times the largest diagonal entry are round-off


def solve(problem: Problem, method: Method = "exact", start: Solution | None = None) -> Solution:
    """The optimum of `problem`.

    method: "exact" (exact categories, the alpha of least norm), "dual-qp" or "primal-qp" (cvxopt on the program as the
    notes write it). start: an earlier Solution, rows matched by ids; it makes "exact" faster, never different.
    Raises BadInput (no points, unknown method, no finite feature map for "primal-qp"), NotSeparable (C = inf),
    IndefiniteKernel, SolverFailed.
    """
    if method not in ("exact", "dual-qp", "primal-qp"):
        raise BadInput(f"method: {method!r} is unknown. Choose 'exact', 'dual-qp' or 'primal-qp'.")
    if problem.data.m == 0:
        raise BadInput("There are no points yet. Add at least one point of each class.")
    if not problem.kernel.psd:
        smallest, largest = indefiniteness(problem)
        if smallest < -INDEFINITE * largest:
            raise IndefiniteKernel(
                f"This kernel is indefinite on these points: the smallest eigenvalue of its matrix is {smallest:.3g}, so the "
                "problem is not convex. Change its parameters, or choose another kernel.",
                smallest,
            )
    if problem.hard and problem.kernel.psd:
        separation = separate(problem.data, problem.kernel, problem.bias)
        if not separation.separable:
            through = "" if problem.bias else " through the origin"
            raise NotSeparable(
                f"No boundary of this kind{through} separates the two classes, so the hard margin has no solution. "
                "Choose a finite C, or another kernel.",
                separation,
            )
    return {"exact": _exact, "dual-qp": _dual, "primal-qp": _primal}[method](problem, start)


def indefiniteness(problem: Problem) -> tuple[float, float]:
    """The smallest eigenvalue of HKH (with bias; H centres) or K (without), and the largest |K_ii|."""
    K = problem.gram
    if problem.bias:
        K = K - K.mean(0) - K.mean(1)[:, None] + K.mean()
    eigenvalues = np.linalg.eigvalsh(0.5 * (K + K.T))
    return float(eigenvalues[0]), float(np.abs(np.diag(problem.gram)).max())


def _origin(problem: Problem) -> Array | None:
    """The middle of the points' box: for the linear kernel with bias the optimum moves along, and digits are saved."""
    if isinstance(problem.kernel, Linear) and problem.bias:
        X = problem.data.X
        return frozen(0.5 * X.min(0) + 0.5 * X.max(0))
    return None


def _exact(problem: Problem, start: Solution | None) -> Solution:
    X, y = problem.data.X, problem.data.y
    origin = _origin(problem)
    points = exact_arrays.merge(X, y, origin)
    warm = None if start is None else _matched(problem, start)
    try:
        found = exact_arrays.solve(points, problem.kernel, problem.C, problem.bias, warm)
    except SolverFailed:
        if problem.hard:
            raise
        return _dual(problem, None)  # less exact, and its status says so
    shift = 0.0
    if origin is not None:
        w = (found.alpha[points.first] * points.count * points.y) @ points.Z  # merged: their order depends on the set alone
        shift = float(w @ origin)
    lo, hi = found.interval
    words = f"exact: {found.start}, then {found.steps} exchanges"
    if problem.bias and not problem.data.both_classes:
        words = "exact: one class only, so w = 0 and every b beyond 1 in its direction is optimal"
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
    )


def _matched(problem: Problem, start: Solution) -> Array:
    """The earlier alpha on the rows of this problem, scaled to its C; 0 for new points and for changed labels."""
    old, new = start.problem.data, problem.data
    alpha = start.alpha if start.problem.hard or problem.hard else start.alpha * (problem.C / start.problem.C)
    if old is new:
        return alpha
    if np.array_equal(old.ids, new.ids):
        return np.where(old.y == new.y, alpha, 0.0)
    order = np.argsort(old.ids)
    at = order[np.minimum(np.searchsorted(old.ids, new.ids, sorter=order), len(order) - 1)] if len(order) else order
    if not len(order):
        return np.zeros(new.m)
    return np.where((old.ids[at] == new.ids) & (old.y[at] == new.y), alpha[at], 0.0)


def _dual(problem: Problem, start: Solution | None) -> Solution:
    y = problem.data.y
    if problem.bias and not problem.data.both_classes:
        return _exact(problem, None)
    Q = np.outer(y, y) * problem.gram
    answer = qp.dual(Q, y if problem.bias else None, problem.C)
    alpha = np.clip(answer.u, 0.0, problem.C)
    # The multiplier of y'alpha = 0 is b itself (cvxopt's sign: + y b in the Lagrangian).
    b = float(answer.y[0]) if problem.bias else 0.0
    return _rounded(problem, alpha, b, f"dual-qp: cvxopt, {answer.iterations} iterations, {answer.status}")


def _primal(problem: Problem, start: Solution | None) -> Solution:
    if problem.bias and not problem.data.both_classes:
        return _exact(problem, None)
    Phi = problem.kernel.feature_map(problem.data.X)
    answer = qp.primal(Phi, problem.data.y, problem.C, problem.bias)
    b, w = (float(answer.u[0]), answer.u[1:]) if problem.bias else (0.0, answer.u)
    alpha = np.clip(answer.z, 0.0, problem.C)
    words = f"primal-qp: cvxopt, {answer.iterations} iterations, {answer.status}"
    return _rounded(problem, alpha, b, words, frozen(w))


def _rounded(problem: Problem, alpha: Array, b: float, words: str, w: Array | None = None) -> Solution:
    """A Solution from an interior point, whose multipliers are never exactly 0 or C: 1e-6 of the largest decides."""
    y = problem.data.y
    top = problem.C if math.isfinite(problem.C) else float(alpha.max(initial=0.0))
    states = np.where(alpha <= 1e-6 * top, -1, 0)
    if math.isfinite(problem.C):
        states = np.where(alpha >= (1 - 1e-6) * problem.C, 1, states)
    free = states == 0
    interval = (b, b)
    if problem.bias and not free.any():
        g = (alpha * y) @ problem.gram if w is None else problem.kernel.feature_map(problem.data.X) @ w
        interval = offset_interval(g, y, np.ones(len(y)), problem.hard)
    return Solution(problem, frozen(alpha), b, interval, None, frozen(states, np.int8), words, explicit_w=w)

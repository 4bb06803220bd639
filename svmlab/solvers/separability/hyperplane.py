"""A separating hyperplane, or a common point of the convex hulls, each with its proof.

Double precision gives a guess, and where no guess can be proven exact numbers decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from svmlab.core.arrays import EPS, Array, Index
from svmlab.core.errors import SolverFailed
from svmlab.core.tolerances import FLAT_DIRECTION, SMALLEST_WEIGHT
from svmlab.kernels.standard import Linear
from svmlab.solvers import exact
from svmlab.solvers.gram.build import build_gram
from svmlab.solvers.separability import rational
from svmlab.solvers.separability.lifted import Lifted, separating_bias

MAX_SHORT_FEATURES = 6  # Up to this many features exact numbers are always short.
ROWS_ADDED_AT_A_TIME = 5  # the number of points that are added at a time to those compared exactly
MAX_EXACT_OPERATIONS = 5e6  # the limit on operations on exact numbers, a few seconds
NORMAL_LENGTHS = 100  # the number of lengths of a normal that are tried, because each one rounds differently
MAX_SVD_STEPS = 3e9  # the limit on the steps of a factorisation

Normal: TypeAlias = Sequence[Fraction] | Array
Verdict: TypeAlias = tuple[Array | None, list[Normal]]


def decide_separability(lifted: Lifted, y: Array, bias: bool) -> Verdict:
    """Return the weights (m,) of a common point; or None and normals, the first of which separates if it was computed.

    Raises SolverFailed where the decision takes more than MAX_EXACT_OPERATIONS.
    """
    D, v = lifted.P.shape[1], np.zeros(len(y))
    rows = np.unique(y, return_index=True)[1]
    normals: list[Normal] = []
    for support, guesses in _guesses(lifted.P, y, bias):
        for k, w in enumerate(guesses):
            if lifted.is_separated_by(w, y, bias):
                return None, [w, *guesses[:k], *guesses[k + 1 :]]
        rows, normals = support, [*guesses, *normals]
        proven = lifted.common_point_weights(support, y[support], bias) if D > MAX_SHORT_FEATURES else None
        if proven is not None:
            v[support] = proven
            return v, []
    if D > MAX_SHORT_FEATURES and lifted.is_independent(bias):
        return None, normals
    weights, normal = _exactly(lifted, y, bias, rows)
    if normal is not None:
        return None, [normal, *normals]
    return weights, []


def _guesses(P: Array, y: Array, bias: bool) -> Iterator[tuple[Index, list[Array]]]:
    """Yield rows that support the nearest points of the hulls in doubles, and normals that may separate.

    With many features a second guess is made in coordinates in which the points extend equally far in all directions.
    """
    if bias:
        P = P - (0.5 * P.min(0) + 0.5 * P.max(0))
    with suppress(SolverFailed):
        yield _guess(P, y, bias)
    if P.shape[1] > MAX_SHORT_FEATURES and P.size * min(P.shape) < MAX_SVD_STEPS:
        U, s, Vt = np.linalg.svd(P - P.mean(0) if bias else P, full_matrices=False)
        k = int((s > FLAT_DIRECTION * s[0]).sum())
        with suppress(SolverFailed):
            rows, normals = _guess(np.ascontiguousarray(U[:, :k]), y, bias)
            yield rows, [(w / s[:k]) @ Vt[:k] for w in normals]


def _guess(P: Array, y: Array, bias: bool) -> tuple[Index, list[Array]]:
    """Return the rows that support the nearest points of the hulls, and two normals that may separate."""
    v = exact.nearest_hull_points(build_gram(Linear(), P, y)[0], y, bias)[0]
    support = np.flatnonzero(v)
    # Where the hulls are so close that their difference is round-off, the second normal, from the margin lines through
    # the supporting points, is not round-off.
    A = np.column_stack([P[support], np.ones(len(support))]) if bias else P[support]
    return support, [(v * y) @ P, np.linalg.lstsq(A, y[support], rcond=None)[0][: P.shape[1]]]


def _exactly(lifted: Lifted, y: Array, bias: bool, rows: Index) -> tuple[Array | None, list[Fraction] | None]:
    """Return weights (m,), or the normal of a hyperplane, without rounding, from a guess of the rows whose hulls meet.

    A hyperplane that separates these rows separates all, or the rows that it leaves on the wrong side are added. Raises
    SolverFailed.
    """
    budget, v = rational.WorkBudget(MAX_EXACT_OPERATIONS), np.zeros(len(y))
    while True:
        Z, factors = lifted.exact(rows)
        used = (Z != 0).any(0)
        exact_weights, plane = rational.intersect_hulls(Z[:, used], y[rows], bias, budget)
        if exact_weights is not None:
            v[rows] = [float(p) or (SMALLEST_WEIGHT if p else 0.0) for p in exact_weights]
            return v, None
        assert plane is not None
        entries = iter(plane)
        normal = [next(entries) * q if is_used else Fraction(0) for q, is_used in zip(factors, used, strict=True)]
        length = max(map(abs, normal)) or Fraction(1)
        normal = [p / length for p in normal]
        if lifted.is_separated_by(normal, y, bias):
            return None, normal
        f = y * (lifted.P @ np.array([float(p) for p in normal]) + float(plane[-1] / length))
        rows = np.unique(
            [*rows, *lifted.projection_gap(normal, y).rows, *np.argsort(f, kind="stable")[:ROWS_ADDED_AT_A_TIME]]
        )


def hyperplane_in_doubles(
    X: Array, y: Array, lifted: Lifted, normals: Sequence[Normal], bias: bool
) -> tuple[Array, float] | tuple[None, None]:
    """Return a hyperplane in doubles for the points themselves, or (None, None) where none was found.

    Rounding may turn a normal so far that it meets a point, so it is tried in many lengths, each of which rounds
    differently.
    """
    rng = np.random.default_rng(0)
    for attempt in range(NORMAL_LENGTHS):
        for normal in normals:
            rescaled = [Fraction(p) / Fraction(2) ** e for p, e in zip(normal, lifted.scale_exponents, strict=True)]
            length = (1 + Fraction(attempt, NORMAL_LENGTHS)) / (max(map(abs, rescaled)) or 1)
            perturbation = rng.uniform(-EPS, EPS, len(rescaled)).tolist() if attempt % 2 else [0.0] * len(rescaled)
            w = np.array([float(p * length + Fraction(q)) for p, q in zip(rescaled, perturbation, strict=True)])
            b = separating_bias(X, y, w, bias)
            if b is not None:
                return w, b
    return None, None

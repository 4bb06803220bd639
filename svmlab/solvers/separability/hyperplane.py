"""A hyperplane, or a common point of the hulls, each with its proof: doubles guess, and where no guess is proven exact
numbers decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from svmlab.core.arrays import EPS, Array, Index
from svmlab.core.errors import SolverFailed
from svmlab.kernels.standard import Linear
from svmlab.solvers import exact
from svmlab.solvers.gram.build import build_gram
from svmlab.solvers.separability import rational
from svmlab.solvers.separability.lifted import Lifted, separating_bias

FEW = 6  # features up to which exact numbers are always short
MORE = 5  # points that join those compared exactly at a time
EFFORT = 5e6  # operations on exact numbers that an answer is worth, a few seconds
TURNS = 100  # lengths of a normal that are tried: each rounds in its own way
WORTH = 3e9  # steps of a factorisation
TINY = 5e-324  # what stands for a weight that is less
FLAT = 1e-14  # of the largest extent: in such a direction there is nothing but round-off

Normal: TypeAlias = Sequence[Fraction] | Array
Verdict: TypeAlias = tuple[Array | None, list[Normal]]


def decide_separability(lifted: Lifted, y: Array, bias: bool) -> Verdict:
    """Weights (m,) of a common point; or None and normals, the first of which separates where it could be had.

    Raises SolverFailed where an answer takes more than EFFORT.
    """
    D, v = lifted.P.shape[1], np.zeros(len(y))
    rows = np.unique(y, return_index=True)[1]
    normals: list[Normal] = []
    for on, guesses in _guesses(lifted.P, y, bias):
        for k, w in enumerate(guesses):
            if lifted.is_separated_by(w, y, bias):
                return None, [w, *guesses[:k], *guesses[k + 1 :]]
        rows, normals = on, [*guesses, *normals]
        proven = lifted.common_point_weights(on, y[on], bias) if D > FEW else None
        if proven is not None:
            v[on] = proven
            return v, []
    if D > FEW and lifted.is_independent(bias):
        return None, normals
    weights, normal = _exactly(lifted, y, bias, rows)
    if normal is not None:
        return None, [normal, *normals]
    return weights, []


def _guesses(P: Array, y: Array, bias: bool) -> Iterator[tuple[Index, list[Array]]]:
    """By the nearest points of the hulls in doubles: the rows that carry them, and normals that may separate.

    Many features once more, as coordinates in which the points extend equally far in all directions.
    """
    if bias:
        P = P - (0.5 * P.min(0) + 0.5 * P.max(0))
    with suppress(SolverFailed):
        yield _guess(P, y, bias)
    if P.shape[1] > FEW and P.size * min(P.shape) < WORTH:
        U, s, Vt = np.linalg.svd(P - P.mean(0) if bias else P, full_matrices=False)
        k = int((s > FLAT * s[0]).sum())
        with suppress(SolverFailed):
            rows, normals = _guess(np.ascontiguousarray(U[:, :k]), y, bias)
            yield rows, [(w / s[:k]) @ Vt[:k] for w in normals]


def _guess(P: Array, y: Array, bias: bool) -> tuple[Index, list[Array]]:
    v = exact.nearest_hull_points(build_gram(Linear(), P, y)[0], y, bias)[0]
    on = np.flatnonzero(v)
    # Where the hulls are so near that their difference is round-off, the street through the points that carry them is
    # not.
    A = np.column_stack([P[on], np.ones(len(on))]) if bias else P[on]
    return on, [(v * y) @ P, np.linalg.lstsq(A, y[on], rcond=None)[0][: P.shape[1]]]


def _exactly(lifted: Lifted, y: Array, bias: bool, rows: Index) -> tuple[Array | None, list[Fraction] | None]:
    """Weights (m,), or the normal of a hyperplane, without rounding, from a guess of the rows whose hulls meet.

    What separates those separates all, or the rows that it leaves on the wrong side join them. Raises SolverFailed.
    """
    patience, v = rational.Patience(EFFORT), np.zeros(len(y))
    while True:
        Z, factors = lifted.exact(rows)
        used = (Z != 0).any(0)
        few, plane = rational.intersect_hulls(Z[:, used], y[rows], bias, patience)
        if few is not None:
            v[rows] = [float(p) or (TINY if p else 0.0) for p in few]
            return v, None
        assert plane is not None
        along = iter(plane)
        normal = [next(along) * q if on else Fraction(0) for q, on in zip(factors, used, strict=True)]
        length = max(map(abs, normal)) or Fraction(1)
        normal = [p / length for p in normal]
        if lifted.is_separated_by(normal, y, bias):
            return None, normal
        f = y * (lifted.P @ np.array([float(p) for p in normal]) + float(plane[-1] / length))
        rows = np.unique([*rows, *lifted.projection_gap(normal, y).rows, *np.argsort(f, kind="stable")[:MORE]])


def hyperplane_in_doubles(
    X: Array, y: Array, lifted: Lifted, normals: Sequence[Normal], bias: bool
) -> tuple[Array, float] | tuple[None, None]:
    """A hyperplane for the points themselves in doubles; (None, None) where none was found that separates them.

    Rounding may turn a normal into a point: it is tried in many lengths, each rounded in its own way.
    """
    rng = np.random.default_rng(0)
    for turn in range(TURNS):
        for normal in normals:
            straight = [Fraction(p) / Fraction(2) ** e for p, e in zip(normal, lifted.sizes, strict=True)]
            length = (1 + Fraction(turn, TURNS)) / (max(map(abs, straight)) or 1)
            perturbation = rng.uniform(-EPS, EPS, len(straight)).tolist() if turn % 2 else [0.0] * len(straight)
            w = np.array([float(p * length + Fraction(q)) for p, q in zip(straight, perturbation, strict=True)])
            b = separating_bias(X, y, w, bias)
            if b is not None:
                return w, b
    return None, None

"""The number of points in a ball of radius R that can be shattered with margin rho (G2, G3, G8), and note E's bound.

k points are shattered with margin rho if each of the 2^k labellings has a hyperplane with margin rho or more. The least
margin over the labellings is largest for a regular simplex with its vertices on the sphere. Its two halves have the
distance 2R/sqrt(k - 1) for even k, and a little more for odd k. So k points can be shattered if and only if k <= d + 1
and

    (R/rho)^2 >= k - 1   (k even),      (k - 1)^2 (k + 1)/k^2   (k odd)

In the plane this gives 3 points for rho <= 3R/4, 2 for rho <= R, else 1. Note E prints min(R^2/rho^2, d) + 1, which
holds with R^2/rho^2 rounded up.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from svmlab.core.arrays import Array, Frozen, Index, frozen
from svmlab.core.rules import NotNegative, Positive, SampleSize, Seed, Shape, Size, WholeNumber
from svmlab.core.validate import validated

Triples = Annotated[Array, Shape("n*", 3, 2)]


@validated
def triples(m: Annotated[int, WholeNumber(0, 300)]) -> Index:
    """Return all rows i < j < k of m points, shape (m choose 3, 3)."""
    i, j, k = np.ogrid[:m, :m, :m]
    return frozen(np.argwhere((i < j) & (j < k)), np.intp)


@validated
def least_margins(T: Triples) -> Array:
    """Return the least margin over the labellings of each triple T (n, 3, 2), shape (n,).

    It is half the least distance of a point from the segment of the other two.
    """
    distances = [_to_segments(T[:, i], T[:, i - 1], T[:, i - 2]) for i in range(3)]
    return frozen(0.5 * np.min(distances, axis=0))


@validated
def side_lengths(T: Triples) -> Array:
    """Return the side lengths of each triple T (n, 3, 2), with side i opposite to vertex i, shape (n, 3)."""
    return frozen(np.hypot(*np.moveaxis(np.roll(T, -1, axis=1) - np.roll(T, 1, axis=1), -1, 0)))


@validated
def circumradii(T: Triples) -> Array:
    """Return the radius R = abc/(4 area) of the circle through each triple T (n, 3, 2), shape (n,).

    It is inf if the points lie on a line.
    """
    u, v = T[:, 1] - T[:, 0], T[:, 2] - T[:, 0]
    twice = np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])
    with np.errstate(divide="ignore", invalid="ignore"):
        return frozen(np.where(twice > 0, side_lengths(T).prod(axis=1) / (2 * twice), np.inf))


@validated
def smallest_balls(T: Triples) -> tuple[Array, Array]:
    """Return the smallest ball around each triple T (n, 3, 2): radii (n,) and centres (n, 2).

    If an angle is 90 degrees or more, the opposite side is a diameter. Otherwise the circle goes through all three.
    """
    squares = side_lengths(T) ** 2
    longest = squares.argmax(axis=1)
    rows = np.arange(len(T))
    ends = T[rows, (longest + 1) % 3], T[rows, (longest + 2) % 3]
    centres = 0.5 * (ends[0] + ends[1])
    acute = 2 * squares.max(axis=1) < squares.sum(axis=1)
    s = squares[acute]
    weights = s * (s.sum(axis=1, keepdims=True) - 2 * s)
    centres[acute] = (weights[:, :, None] * T[acute]).sum(axis=1) / weights.sum(axis=1)[:, None]
    radii = 0.5 * np.sqrt(squares.max(axis=1))
    radii[acute] = circumradii(T[acute])
    return frozen(radii), frozen(centres)


def _to_segments(p: Array, a: Array, b: Array) -> Array:
    """Return the distance of each point p (n, 2) from the segment from a to b."""
    segment = b - a
    square = (segment * segment).sum(axis=1)
    t = np.clip(((p - a) * segment).sum(axis=1) / np.where(square > 0, square, 1.0), 0.0, 1.0)
    return np.asarray(np.hypot(*(p - a - t[:, None] * segment).T))


SLACK = 1e-12  # relative to R^2/rho^2: rounding must not lose a point if a margin is met exactly


@validated
def needed_ratio(k: Size) -> float:
    """Return the least (R/rho)^2 with which k >= 1 points can be shattered."""
    return k - 1.0 if k % 2 == 0 else (k - 1) ** 2 * (k + 1) / k**2


@validated
def shattering_margin(k: Size, R: Positive = 1.0) -> float:
    """Return the largest margin with which k points in a ball of radius R can be shattered; inf for k = 1."""
    ratio = needed_ratio(k)
    return R / math.sqrt(ratio) if ratio else math.inf


@validated
def max_shattered_points(rho: NotNegative, R: Positive = 1.0, d: Size = 2) -> int:
    """Return the largest number of points in a ball of radius R in d dimensions that can be shattered with margin rho.

    rho >= 0. Raises BadInput.
    """
    ratio = _ratio(rho, R) * (1 + SLACK)
    k = 1 + math.floor(min(ratio, d))  # these can be shattered, because a ratio of k - 1 is always enough
    while k < d + 1 and needed_ratio(k + 1) <= ratio:
        k += 1
    return k


@validated
def printed_bound(rho: NotNegative, R: Positive = 1.0, d: Size = 2) -> float:
    """Return min(R^2/rho^2, d) + 1, as note E prints it. Raises BadInput.

    It is below the true number for R/sqrt 2 < rho <= 3R/4 in the plane.
    """
    return min(_ratio(rho, R), float(d)) + 1


@validated
def corrected_bound(rho: NotNegative, R: Positive = 1.0, d: Size = 2) -> int:
    """Return min(ceil(R^2/rho^2), d) + 1, which is never below the true number. Raises BadInput."""
    ratio = _ratio(rho, R)
    return d + 1 if ratio >= d else math.ceil(ratio * (1 - SLACK)) + 1


@validated
def least_informative_margin(R: Positive = 1.0, d: Size = 2) -> float:
    """Return R/sqrt(d). Up to this margin both bounds are d + 1, as for hyperplanes without a margin."""
    return R / math.sqrt(d)


@validated
def triple_margin(X: Annotated[Array, Shape(3, 2)]) -> float:
    """Return the least margin over the labellings of three points (3, 2), in closed form (`least_margins`)."""
    return float(least_margins(X[None])[0])


@dataclass(frozen=True, eq=False)
class Triple(Frozen):
    """Three points (3, 2), the margin with which lines shatter them, and the best margin before the refinement."""

    X: Array
    margin: float
    random_margin: float


@validated
def best_triple(
    R: Positive = 1.0, tries: SampleSize = 300, seed: Seed = 0, on_progress: Callable[[float], None] | None = None
) -> Triple:
    """Search for the triple in the disc of radius R with the largest margin.

    The best of random triples on the circle is improved. Each round moves the three points by random steps, which are
    kept if they help and become shorter if not. on_progress gets the fraction done and may raise to stop.
    """
    rng = np.random.Generator(np.random.Philox(seed))
    angle = rng.uniform(0, 2 * np.pi, (tries, 3))
    T = R * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    best, margin = _largest_margin(T)
    random_margin, step, rounds = margin, 0.3 * R, 0
    while step > 1e-9 * R:
        X, candidate_margin = _largest_margin(_onto_disc(best + step * rng.standard_normal((20, 3, 2)), R))
        if candidate_margin > margin:
            best, margin = X, candidate_margin
        else:
            step *= 0.7
        rounds += 1
        if on_progress is not None and rounds % 20 == 0:
            on_progress(min(1.0, 1.0 - math.log(1e9 * step / R) / math.log(0.3e9)))
    return Triple(frozen(best), margin, random_margin)


@validated
def circumradius(X: Annotated[Array, Shape(3, 2)]) -> float:
    """Return the radius of the circle through three points (3, 2), or inf if they lie on a line."""
    return float(circumradii(X[None])[0])


def _largest_margin(T: Array) -> tuple[Array, float]:
    """Return the triple of T (n, 3, 2) with the largest margin, and that margin."""
    margins = least_margins(T)
    k = int(margins.argmax())
    return T[k], float(margins[k])


def _onto_disc(X: Array, R: float) -> Array:
    """Return X with the points beyond the circle of radius R moved onto it along their radius."""
    return X * np.minimum(1.0, R / np.maximum(np.hypot(X[..., 0], X[..., 1]), 1e-300))[..., None]


def _ratio(rho: float, R: float) -> float:
    """Return (R/rho)^2, or inf for rho = 0."""
    return (R / rho) * (R / rho) if rho else math.inf

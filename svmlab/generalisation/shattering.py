"""How many points a margin rho lets one label freely, in a ball of radius R (G2, G3, G8): E's bound, its repair, the
truth.

k points are shattered with margin rho when each of the 2^k labellings has a hyperplane with margin rho or more. The
least margin over the labellings is largest for a regular simplex with its corners on the sphere: its two halves are
2R/sqrt(k - 1) apart for even k, and a little more for odd k. So k points can be shattered if and only if k <= d + 1 and

    (R/rho)^2 >= k - 1   (k even),      (k - 1)^2 (k + 1)/k^2   (k odd)

In the plane: 3 up to rho = 3R/4, 2 up to R, then 1. E prints min(R^2/rho^2, d) + 1; with the ceiling of R^2/rho^2 it
holds.
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
    """All rows i < j < k of m places, shape (m choose 3, 3)."""
    i, j, k = np.ogrid[:m, :m, :m]
    return frozen(np.argwhere((i < j) & (j < k)), np.intp)


@validated
def least_margins(T: Triples) -> Array:
    """The least margin over the labellings of each triple T (n, 3, 2), shape (n,): half the least way from one place to
    the others' segment.
    """
    ways = [_to_segments(T[:, i], T[:, i - 1], T[:, i - 2]) for i in range(3)]
    return frozen(0.5 * np.min(ways, axis=0))


@validated
def sides(T: Triples) -> Array:
    """The lengths of the sides of each triple T (n, 3, 2), side i opposite corner i, shape (n, 3)."""
    return frozen(np.hypot(*np.moveaxis(np.roll(T, -1, axis=1) - np.roll(T, 1, axis=1), -1, 0)))


@validated
def circumradii(T: Triples) -> Array:
    """The radius of the circle through each triple T (n, 3, 2), shape (n,); inf where it lies on a line. R = abc/(4
    area).
    """
    u, v = T[:, 1] - T[:, 0], T[:, 2] - T[:, 0]
    twice = np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])
    with np.errstate(divide="ignore", invalid="ignore"):
        return frozen(np.where(twice > 0, sides(T).prod(axis=1) / (2 * twice), np.inf))


@validated
def balls(T: Triples) -> tuple[Array, Array]:
    """The smallest ball around each triple T (n, 3, 2): radii (n,) and centres (n, 2).

    Where an angle is a right one or wider, the side opposite is a diameter; else the circle goes through all three.
    """
    squares = sides(T) ** 2
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
    """How far each place p (n, 2) is from the segment of a and b."""
    way = b - a
    square = (way * way).sum(axis=1)
    t = np.clip(((p - a) * way).sum(axis=1) / np.where(square > 0, square, 1.0), 0.0, 1.0)
    return np.asarray(np.hypot(*(p - a - t[:, None] * way).T))


SLACK = 1e-12  # of R^2/rho^2: rounding must not cost a point where a margin is met exactly


@validated
def needed(k: Size) -> float:
    """The least (R/rho)^2 at which k >= 1 points can be shattered."""
    return k - 1.0 if k % 2 == 0 else (k - 1) ** 2 * (k + 1) / k**2


@validated
def threshold(k: Size, R: Positive = 1.0) -> float:
    """The largest margin with which k points in a ball of radius R can be shattered; inf for k = 1."""
    least = needed(k)
    return R / math.sqrt(least) if least else math.inf


@validated
def shattered(rho: NotNegative, R: Positive = 1.0, d: Size = 2) -> int:
    """The largest number of points in a ball of radius R in d dimensions that margin rho >= 0 shatters. Raises
    BadInput.
    """
    ratio = _ratio(rho, R) * (1 + SLACK)
    k = 1 + math.floor(min(ratio, d))  # these can be, for k - 1 is never too little
    while k < d + 1 and needed(k + 1) <= ratio:
        k += 1
    return k


@validated
def printed_bound(rho: NotNegative, R: Positive = 1.0, d: Size = 2) -> float:
    """min(R^2/rho^2, d) + 1, as E prints it: below the truth for R/sqrt 2 < rho <= 3R/4 in the plane. Raises
    BadInput.
    """
    return min(_ratio(rho, R), float(d)) + 1


@validated
def mended_bound(rho: NotNegative, R: Positive = 1.0, d: Size = 2) -> int:
    """min(ceil(R^2/rho^2), d) + 1, which is never below the truth. Raises BadInput."""
    ratio = _ratio(rho, R)
    return d + 1 if ratio >= d else math.ceil(ratio * (1 - SLACK)) + 1


@validated
def speaks_beyond(R: Positive = 1.0, d: Size = 2) -> float:
    """The margin R/sqrt(d) up to which either bound says d + 1, as it is for lines without a margin."""
    return R / math.sqrt(d)


@validated
def triple_margin(X: Annotated[Array, Shape(3, 2)]) -> float:
    """The least margin over the labellings of three places (3, 2), in closed form (`least_margins`)."""
    return float(least_margins(X[None])[0])


@dataclass(frozen=True, eq=False)
class Triple(Frozen):
    """Three places (3, 2) and the margin with which lines shatter them; random_margin: the best before the search
    refined it.
    """

    X: Array
    margin: float
    random_margin: float


@validated
def best_triple(
    R: Positive = 1.0, tries: SampleSize = 300, seed: Seed = 0, on_progress: Callable[[float], None] | None = None
) -> Triple:
    """The triple in the disc of radius R with the largest margin, by search: random ones on the circle, the best one
    improved.

    Each round moves the three by random steps, kept where they help, shorter where they do not. on_progress gets the
    fraction done and may raise to stop.
    """
    rng = np.random.Generator(np.random.Philox(seed))
    turn = rng.uniform(0, 2 * np.pi, (tries, 3))
    T = R * np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    best, margin = _widest(T)
    random, step, rounds = margin, 0.3 * R, 0
    while step > 1e-9 * R:
        X, wider = _widest(_into(best + step * rng.standard_normal((20, 3, 2)), R))
        if wider > margin:
            best, margin = X, wider
        else:
            step *= 0.7
        rounds += 1
        if on_progress is not None and rounds % 20 == 0:
            on_progress(min(1.0, 1.0 - math.log(1e9 * step / R) / math.log(0.3e9)))
    return Triple(frozen(best), margin, random)


@validated
def circumradius(X: Annotated[Array, Shape(3, 2)]) -> float:
    """The radius of the circle through three places (3, 2); inf where they lie on a line."""
    return float(circumradii(X[None])[0])


def _widest(T: Array) -> tuple[Array, float]:
    """Of triples T (n, 3, 2) the one with the largest margin, and that margin."""
    margins = least_margins(T)
    k = int(margins.argmax())
    return T[k], float(margins[k])


def _into(X: Array, R: float) -> Array:
    """Places beyond the circle of radius R are drawn back onto it."""
    return X * np.minimum(1.0, R / np.maximum(np.hypot(X[..., 0], X[..., 1]), 1e-300))[..., None]


def _ratio(rho: float, R: float) -> float:
    """(R/rho)^2, inf for rho = 0."""
    return (R / rho) * (R / rho) if rho else math.inf

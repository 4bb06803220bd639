"""How many points a margin rho lets one label freely, in a ball of radius R (G2, G3, G8): E's bound, its repair, the truth.

k points are shattered with margin rho when each of the 2^k labellings has a hyperplane with margin rho or more. The least margin
over the labellings is largest for a regular simplex with its corners on the sphere: its two halves are 2R/sqrt(k - 1) apart for
even k, and a little more for odd k. So k points can be shattered if and only if k <= d + 1 and

    (R/rho)^2 >= k - 1   (k even),      (k - 1)^2 (k + 1)/k^2   (k odd)

In the plane: 3 up to rho = 3R/4, 2 up to R, then 1. E prints min(R^2/rho^2, d) + 1; with the ceiling of R^2/rho^2 it holds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from svmlab.core.arrays import Array, Frozen, frozen
from svmlab.core.rules import NotNegative, Positive, SampleSize, Seed, Shape, Size
from svmlab.core.validate import validated
from svmlab.generalisation.triples import circumradii, least_margins

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
    """The largest number of points in a ball of radius R in d dimensions that margin rho >= 0 shatters. Raises BadInput."""
    ratio = _ratio(rho, R) * (1 + SLACK)
    k = 1 + math.floor(min(ratio, d))  # these can be, for k - 1 is never too little
    while k < d + 1 and needed(k + 1) <= ratio:
        k += 1
    return k


@validated
def printed_bound(rho: NotNegative, R: Positive = 1.0, d: Size = 2) -> float:
    """min(R^2/rho^2, d) + 1, as E prints it: below the truth for R/sqrt 2 < rho <= 3R/4 in the plane. Raises BadInput."""
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
    """Three places (3, 2) and the margin with which lines shatter them; random_margin: the best before the search refined it."""

    X: Array
    margin: float
    random_margin: float


@validated
def best_triple(
    R: Positive = 1.0, tries: SampleSize = 300, seed: Seed = 0, on_progress: Callable[[float], None] | None = None
) -> Triple:
    """The triple in the disc of radius R with the largest margin, by search: random ones on the circle, the best one improved.

    Each round moves the three by random steps, kept where they help, shorter where they do not. on_progress gets the fraction done
    and may raise to stop.
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

"""The local minima that descents from many starts find, and the descents that fall without bound (L2, L10)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, frozen
from svmlab.lab.lessons.losses.rolling import roll
from svmlab.losses import Fit, Objective, descend

STARTS = 24
STRIDES = 30  # steps of a ball from the edge of the disc to its centre
GOLDEN = np.pi * (3.0 - np.sqrt(5.0))
APART = 1e-2  # relative to `reach`: two ends that are closer to each other are the same point
EQUAL = 1e-9  # relative to F: the error that the smoothing of the kinks leaves


@dataclass(frozen=True, eq=False)
class Minima:
    """The ends of the descents: w (k, 2) and F (k,), the lowest first; falling: how many descents have no end."""

    w: Array
    values: Array
    falling: int

    @property
    def lowest(self) -> Array | None:
        """Return the lowest of them, (2,); None where all fall without bound."""
        return self.w[0] if len(self.w) else None


def starts(reach: float) -> Array:
    """Return points (24, 2) spread over a disc, the first at 0: a spiral that turns by the golden angle."""
    k = np.arange(STARTS)
    radius, angle = reach * np.sqrt(k / (STARTS - 1)), GOLDEN * k
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)


def lowest_around(objective: Objective, w: Array, value: float, radius: float) -> bool:
    """Return whether no point at this distance from w is lower."""
    angle = np.linspace(0.0, 2 * np.pi, 32, endpoint=False)
    around = w + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return bool((objective.value(around) >= value - EQUAL * max(value, EQUAL)).all())


def minima(objective: Objective, reach: float) -> Minima:
    """Return the minima that STARTS descents within `reach` of 0 find, for a problem without bias.

    For a convex loss all of them have the same value (L10).
    """
    # the minimum may be a flat region, of which its edge is enough
    may_be_flat = objective.lam == 0 and objective.loss.attains_minimum
    fits = [
        roll(objective, start, reach / STRIDES)[1] if may_be_flat else descend(objective, start)
        for start in starts(reach)
    ]
    distinct = list[Fit]()
    for fit in sorted((fit for fit in fits if fit.converged), key=lambda fit: fit.value):
        is_new = all(np.abs(fit.w - other.w).max() > APART * reach for other in distinct)
        if is_new and lowest_around(objective, fit.w, fit.value, APART * reach):
            distinct.append(fit)
    w = np.array([fit.w for fit in distinct]).reshape(-1, 2)
    falling = sum(not fit.converged for fit in fits)
    return Minima(frozen(w), frozen(np.array([fit.value for fit in distinct])), falling)


@dataclass(frozen=True, eq=False)
class Section:
    """F along a + s (b - a): at s (k,), values (k,); chord (k,) is linear from F(a) at s = 0 to F(b) at s = 1.

    above: the most by which F exceeds the chord between the two, which is 0 up to rounding for a convex F.
    """

    s: Array
    values: Array
    chord: Array
    above: float


def section(objective: Objective, a: Array, b: Array, lo: float, hi: float, n: int = 301) -> Section:
    """Return F of a problem without bias along the line through a and b (2,), for lo <= s <= hi.

    The range contains 0 and 1.
    """
    s = np.union1d(np.linspace(lo, hi, n), [0.0, 1.0])
    values = objective.value(a + s[:, None] * (b - a))
    first, last = float(objective.value(a)), float(objective.value(b))
    chord = first + s * (last - first)
    within = (s >= 0) & (s <= 1)
    return Section(frozen(s), frozen(values), frozen(chord), max(0.0, float((values - chord)[within].max())))

"""Where descents end from many starts: the local minima that are found, and the descents that fall for ever (L2,
L10).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, frozen
from svmlab.lab.lessons.losses.rolling import roll
from svmlab.losses import Fit, Objective, descend

STARTS = 24
STRIDES = 30  # of a ball from the edge of what is looked at to its middle
GOLDEN = np.pi * (3.0 - np.sqrt(5.0))
APART = 1e-2  # of the reach: nearer to each other, two ends are one place
EQUAL = 1e-9  # of F: what rounding off the corners leaves


@dataclass(frozen=True, eq=False)
class Minima:
    """The ends of the descents: w (k, 2) and F (k,), the lowest first; falling: how many descents have no end."""

    w: Array
    values: Array
    falling: int

    @property
    def lowest(self) -> Array | None:
        """The best of them, (2,); None where all fall for ever."""
        return self.w[0] if len(self.w) else None


def starts(reach: float) -> Array:
    """Places (24, 2) spread over a disc, the first at 0: a spiral that turns by the golden angle."""
    k = np.arange(STARTS)
    radius, angle = reach * np.sqrt(k / (STARTS - 1)), GOLDEN * k
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)


def lowest_around(objective: Objective, w: Array, value: float, radius: float) -> bool:
    """Whether no place at this distance from w is lower."""
    angle = np.linspace(0.0, 2 * np.pi, 32, endpoint=False)
    around = w + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return bool((objective.value(around) >= value - EQUAL * max(value, EQUAL)).all())


def minima(objective: Objective, reach: float) -> Minima:
    """The minima of a machine without bias that STARTS descents within `reach` of 0 find: for a convex loss they are
    all as low (L10).
    """
    level = objective.lam == 0 and objective.loss.attains_minimum  # there may be a floor, and its edge is enough
    fits = [
        roll(objective, start, reach / STRIDES)[1] if level else descend(objective, start) for start in starts(reach)
    ]
    found = list[Fit]()
    for fit in sorted((fit for fit in fits if fit.converged), key=lambda fit: fit.value):
        new = all(np.abs(fit.w - other.w).max() > APART * reach for other in found)
        if new and lowest_around(objective, fit.w, fit.value, APART * reach):
            found.append(fit)
    w = np.array([fit.w for fit in found]).reshape(-1, 2)
    falling = sum(not fit.converged for fit in fits)
    return Minima(frozen(w), frozen(np.array([fit.value for fit in found])), falling)


@dataclass(frozen=True, eq=False)
class Section:
    """F along a + s (b - a): at s (k,), values (k,); chord (k,) is straight from F(a), at s = 0, to F(b), at s = 1.

    above: the most by which F exceeds the chord between the two, 0 for a convex F but for rounding.
    """

    s: Array
    values: Array
    chord: Array
    above: float


def section(objective: Objective, a: Array, b: Array, lo: float, hi: float, n: int = 301) -> Section:
    """F of a machine without bias along the line through a and b (2,), for lo <= s <= hi, which hold 0 and 1."""
    s = np.union1d(np.linspace(lo, hi, n), [0.0, 1.0])
    values = objective.value(a + s[:, None] * (b - a))
    first, last = float(objective.value(a)), float(objective.value(b))
    chord = first + s * (last - first)
    within = (s >= 0) & (s <= 1)
    return Section(frozen(s), frozen(values), frozen(chord), max(0.0, float((values - chord)[within].max())))

"""The plane of w of a machine without bias: how it lies under the board and in a chart, and F over it (L2, L10,
L11).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, frozen
from svmlab.losses import Objective

ROOM = 0.8  # of the half-width of the board, at most, for what is to be seen of w
LEAST = 0.2  # of it, at least
TYPICAL = 4.0  # a machine without bias is about so much over the mean length of its points
WIDE = 1.5  # how many times as wide as high a chart shows the plane at least
FINE, COARSE, MANY = 81, 51, 60  # places of the grid up and down, for so many points at most, and for more
FINEST, EVALUATED = 241, 1.5e6  # of a grid that must show the kinks, and margins that may be computed for it at most
ACROSS = 21  # places that can be clicked, one above the other


@dataclass(frozen=True)
class Frame:
    """The square |w_j| <= half, drawn on the board `by` times as large; `by` is 1 or a power of two."""

    half: float
    by: float

    def here(self, w: Array) -> Array:
        """The places on the board of w (..., 2)."""
        return self.by * w

    def of(self, at: tuple[float, float]) -> Array:
        """The w (2,) of a place on the board."""
        return np.array(at) / self.by


@dataclass(frozen=True, eq=False)
class Ground:
    """F over the grid w1 (k,), w2 (n,): values (n, k), row i at w2_i."""

    w1: Array
    w2: Array
    values: Array


def framed(X: Array, best: Array, view: float) -> Frame:
    """The square that goes with the points X (m, 2), not all 0, and holds `best` (2,), on a board of half-width `view`.

    One to one where that can be seen, else a power of two larger or smaller.
    """
    typical = TYPICAL / float(np.sqrt((X**2).sum(1).mean()))
    reach = max(typical, 1.5 * float(np.abs(best).max()))
    fits = LEAST * view <= reach <= ROOM * view
    by = 1.0 if fits else 2.0 ** math.floor(math.log2(ROOM * view / reach))
    return Frame(view / by, by)


def sharp(m: int) -> int:
    """Places up and down of a grid that shows the kinks of m points: the fewer they are, the more each bends a
    contour.
    """
    return max(COARSE, min(FINEST, int(math.sqrt(EVALUATED / (2 * m)))))


def ground(objective: Objective, middle: Array, half: float, n: int | None = None) -> Ground:
    """F of a machine without bias around `middle` (2,): `half` up and down, WIDE times that to either side, and what a
    wide or a high chart shows beside it.

    n: places of the grid up and down; to either side there are twice as many.
    """
    n = n or (FINE if objective.data.m <= MANY else COARSE)
    w1 = middle[0] + 1.8 * WIDE * np.linspace(-half, half, 2 * n - 1)
    w2 = middle[1] + 1.6 * np.linspace(-half, half, n)
    W = np.stack(np.meshgrid(w1, w2), axis=-1)
    return Ground(frozen(w1), frozen(w2), frozen(objective.value(W)))


def levels(values: Array, lines: int = 18) -> Array:
    """Heights of contours, closer together near the least of `values`."""
    least, tall = float(values.min()), float(np.ptp(values)) or 1.0
    return least + tall * np.linspace(0.0, 0.85, lines + 1)[1:] ** 2


def places(middle: Array, half: float) -> Array:
    """A grid of places (k, 2) around `middle` (2,), WIDE times as wide as high: where something can be put by a
    click.
    """
    side = np.linspace(-half, half, ACROSS)
    return middle + np.stack(np.meshgrid(WIDE * np.linspace(-half, half, 2 * ACROSS - 1), side), axis=-1).reshape(-1, 2)

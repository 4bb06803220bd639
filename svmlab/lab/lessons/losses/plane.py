"""The plane of w of a problem without bias: its scale on the board and in a chart, and F over it (L2, L10, L11)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, frozen
from svmlab.losses import Objective

ROOM = 0.8  # relative to the half-width of the board: the largest range of w that is shown
SMALLEST_RANGE = 0.2  # relative to the same: the smallest range
TYPICAL = 4.0  # |w| of a problem without bias is about so much over the root mean square length of its points
WIDE = 1.5  # the least ratio of width to height of a chart of the plane
FINE_GRID, COARSE_GRID, MANY_POINTS = 81, 51, 60  # grid points vertically for at most MANY_POINTS points, and for more
# grid points to show the kinks, and the largest number of margins that are computed for it
FINEST, EVALUATED = 241, 1.5e6
ACROSS = 21  # clickable points, one above the other


@dataclass(frozen=True)
class Frame:
    """The square |w_j| <= half, drawn on the board `by` times as large; `by` is 1 or a power of two."""

    half: float
    by: float

    def here(self, w: Array) -> Array:
        """Return the positions on the board of w (..., 2)."""
        return self.by * w

    def of(self, at: tuple[float, float]) -> Array:
        """Return the w (2,) of a position on the board."""
        return np.array(at) / self.by


@dataclass(frozen=True, eq=False)
class Ground:
    """F over the grid w1 (k,), w2 (n,): values (n, k), row i at w2_i."""

    w1: Array
    w2: Array
    values: Array


def framed(X: Array, best: Array, view: float) -> Frame:
    """Return the square for the points X (m, 2), not all 0, that contains `best` (2,), on a board of half-width `view`.

    The scale is 1 where this is visible, otherwise a power of two.
    """
    typical = TYPICAL / float(np.sqrt((X**2).sum(1).mean()))
    reach = max(typical, 1.5 * float(np.abs(best).max()))
    is_visible = SMALLEST_RANGE * view <= reach <= ROOM * view
    by = 1.0 if is_visible else 2.0 ** math.floor(math.log2(ROOM * view / reach))
    return Frame(view / by, by)


def sharp(m: int) -> int:
    """Return the vertical number of grid points that shows the kinks of m points.

    With fewer points each point bends a contour more.
    """
    return max(COARSE_GRID, min(FINEST, int(math.sqrt(EVALUATED / (2 * m)))))


def ground(objective: Objective, middle: Array, half: float, n: int | None = None) -> Ground:
    """Return F of a problem without bias around `middle` (2,), `half` vertically and WIDE times that horizontally.

    It includes what a wide or a high chart shows in addition. n: grid points vertically; horizontally there are twice
    as many.
    """
    n = n or (FINE_GRID if objective.data.m <= MANY_POINTS else COARSE_GRID)
    w1 = middle[0] + 1.8 * WIDE * np.linspace(-half, half, 2 * n - 1)
    w2 = middle[1] + 1.6 * np.linspace(-half, half, n)
    W = np.stack(np.meshgrid(w1, w2), axis=-1)
    return Ground(frozen(w1), frozen(w2), frozen(objective.value(W)))


def levels(values: Array, lines: int = 18) -> Array:
    """Return the heights of contours, closer together near the lowest of `values`."""
    lowest, tall = float(values.min()), float(np.ptp(values)) or 1.0
    return lowest + tall * np.linspace(0.0, 0.85, lines + 1)[1:] ** 2


def places(middle: Array, half: float) -> Array:
    """Return a grid of points (k, 2) around `middle` (2,), WIDE times as wide as high, which the user can click."""
    side = np.linspace(-half, half, ACROSS)
    return middle + np.stack(np.meshgrid(WIDE * np.linspace(-half, half, 2 * ACROSS - 1), side), axis=-1).reshape(-1, 2)

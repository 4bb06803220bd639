"""Two or three points in their smallest circle, and the widest line of each of their labellings (G2).

A labelling separates one point from the others. The widest line is half way between this point and the closest point of
the segment of the others. If both labels are alike no line is needed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array
from svmlab.generalisation import least_margins, shattering_margin, smallest_balls
from svmlab.plane.geometry import Line

ON = 1e-12  # in units of R: the rounding error of a distance that is 0


@dataclass(frozen=True, eq=False)
class Split:
    """One point, its row, against the others: the margin and the widest line, None where no line separates them."""

    row: int
    margin: float
    line: Line | None


def least_circle(X: Array) -> tuple[Array, float]:
    """Return the centre (2,) and the radius of the smallest circle around two or three points (k, 2)."""
    radii, centres = smallest_balls(X[None, [0, 1, -1]])
    return centres[0], float(radii[0])


def splits(X: Array) -> tuple[Split, ...]:
    """Return each labelling of two or three points (k, 2), the smallest margin first.

    Opposite labellings and those with one label are left out.
    """
    rows = range(len(X)) if len(X) == 3 else (0,)
    lines = []
    for i in rows:
        others = np.delete(X, i, axis=0)
        closest = _nearest(X[i], others[0], others[-1])
        margin = 0.5 * float(np.hypot(*(X[i] - closest)))
        w = X[i] - closest
        line = Line(w, -float(w @ (X[i] + closest)) / 2) if margin > ON * float(np.abs(X).max()) else None
        lines.append(Split(i, margin, line))
    return tuple(sorted(lines, key=lambda split: split.margin))


def random_triples(n: int, seed: int = 0) -> Array:
    """Return the margins (n,) with which lines shatter n random triples on the unit circle."""
    angles = np.random.Generator(np.random.Philox(seed)).uniform(0, 2 * np.pi, (n, 3))
    return least_margins(np.stack([np.cos(angles), np.sin(angles)], axis=-1))


def failing(d: int) -> tuple[tuple[float, float], ...]:
    """Return where the printed bound is below the truth in d dimensions, as intervals lo < rho/R <= hi.

    There is one interval for each odd k >= 3.
    """
    return tuple((1 / math.sqrt(k - 1), shattering_margin(k)) for k in range(3, d + 2, 2))


def _nearest(p: Array, a: Array, b: Array) -> Array:
    """Return the point of the segment from a to b (2,) that is closest to p."""
    direction = b - a
    squared_length = float(direction @ direction)
    t = min(1.0, max(0.0, float((p - a) @ direction) / squared_length)) if squared_length else 0.0
    return a + t * direction

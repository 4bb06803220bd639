"""Two or three points in their least circle, and the line that each labelling of them gets (G2).

A labelling sets one point against the others: the widest street runs half way between it and the place of their segment
that is nearest to it. Both labels alike need no street.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array
from svmlab.generalisation import balls, least_margins, threshold
from svmlab.plane.geometry import Line

ON = 1e-12  # of R: what rounding leaves of no way at all


@dataclass(frozen=True, eq=False)
class Split:
    """One point, its row, against the others: the widest street's half width and middle line, None where there is no
    street.
    """

    row: int
    margin: float
    line: Line | None


def least_circle(X: Array) -> tuple[Array, float]:
    """The centre (2,) and the radius of the least circle around two or three places (k, 2)."""
    radii, centres = balls(X[None, [0, 1, -1]])
    return centres[0], float(radii[0])


def splits(X: Array) -> tuple[Split, ...]:
    """Each labelling of two or three places (k, 2) but for the turned ones and those with one label, the thinnest
    street first.
    """
    rows = range(len(X)) if len(X) == 3 else (0,)
    found = []
    for i in rows:
        others = np.delete(X, i, axis=0)
        near = _nearest(X[i], others[0], others[-1])
        margin = 0.5 * float(np.hypot(*(X[i] - near)))
        w = X[i] - near
        line = Line(w, -float(w @ (X[i] + near)) / 2) if margin > ON * float(np.abs(X).max()) else None
        found.append(Split(i, margin, line))
    return tuple(sorted(found, key=lambda split: split.margin))


def random_triples(n: int, seed: int = 0) -> Array:
    """The margins (n,) with which lines shatter n triples drawn on the unit circle."""
    turn = np.random.Generator(np.random.Philox(seed)).uniform(0, 2 * np.pi, (n, 3))
    return least_margins(np.stack([np.cos(turn), np.sin(turn)], axis=-1))


def failing(d: int) -> tuple[tuple[float, float], ...]:
    """Where the printed bound is below the truth in d dimensions: for lo < rho/R <= hi, one interval for each odd k >=
    3.
    """
    return tuple((1 / math.sqrt(k - 1), threshold(k)) for k in range(3, d + 2, 2))


def _nearest(p: Array, a: Array, b: Array) -> Array:
    """The place of the segment from a to b (2,) that is nearest to p."""
    way = b - a
    square = float(way @ way)
    t = min(1.0, max(0.0, float((p - a) @ way) / square)) if square else 0.0
    return a + t * way

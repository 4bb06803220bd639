"""All lines of the plane by the angle of the normal and the offset, with the number of errors of each (L9)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.data import Dataset
from svmlab.losses import error_counts
from svmlab.plane.geometry import clip_line

INSIDE = 0.97  # relative to the offset at which a line leaves the board: a line farther outside is drawn there
FULL = 180.0


@dataclass(frozen=True, eq=False)
class Terraces:
    """The errors (k, n) of the lines cos(a) x1 + sin(a) x2 = c.

    The side on which the left-hand side is larger is positive. angles a (k,) are in degrees, offsets c (n,).
    """

    angles: Array
    offsets: Array
    errors: Index


def mapped(data: Dataset, k: int, n: int) -> Terraces:
    """Return the errors for k angles and n offsets, up to slightly beyond the farthest point."""
    reach = 1.1 * (float(np.linalg.norm(data.X, axis=1).max()) or 1.0)
    angles, offsets = np.linspace(-FULL, FULL, k), np.linspace(-reach, reach, n)
    return Terraces(angles, offsets, error_counts(data, np.radians(angles), offsets))


def place_of(w: Array, b: float) -> tuple[float, float]:
    """Return the angle in degrees and the offset of the line <w, x> + b = 0, w not 0."""
    return math.degrees(math.atan2(w[1], w[0])), -b / float(np.hypot(*w))


def handles_of(angle: float, offset: float, half: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return two points, at a quarter and at three quarters of the line's segment in the square [-half, half]^2.

    The positive side is to the left of the direction from the first to the second. A line outside the square is moved
    to the corner of the square. There it has no point of the square on its other side either.
    """
    normal = np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))])
    largest_offset = INSIDE * half * float(np.abs(normal).sum())
    (ends,) = clip_line(normal, min(max(offset, -largest_offset), largest_offset), half)
    if (ends[1] - ends[0]) @ np.array([normal[1], -normal[0]]) < 0:
        ends = ends[::-1]
    (ax, ay), (bx, by) = ((1 - t) * ends[0] + t * ends[1] for t in (0.25, 0.75))
    return (float(ax), float(ay)), (float(bx), float(by))

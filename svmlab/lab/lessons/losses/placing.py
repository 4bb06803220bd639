"""All lines of the plane as a map: the angle of a line's normal and its offset, with the errors of each (L9)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.data import Dataset
from svmlab.losses import terraces
from svmlab.plane.geometry import cut

INSIDE = 0.97  # of the way to where a line leaves the board: further out it is drawn there
FULL = 180.0


@dataclass(frozen=True, eq=False)
class Terraces:
    """Errors (k, n) of the lines cos(a) x1 + sin(a) x2 = c, + where it is larger: angles a (k,) in degrees, offsets c
    (n,).
    """

    angles: Array
    offsets: Array
    errors: Index


def mapped(data: Dataset, k: int, n: int) -> Terraces:
    """All angles and all offsets up to a little beyond the farthest point, k by n of them."""
    reach = 1.1 * (float(np.linalg.norm(data.X, axis=1).max()) or 1.0)
    angles, offsets = np.linspace(-FULL, FULL, k), np.linspace(-reach, reach, n)
    return Terraces(angles, offsets, terraces(data, np.radians(angles), offsets))


def place_of(w: Array, b: float) -> tuple[float, float]:
    """Angle in degrees and offset of the line <w, x> + b = 0, w not 0."""
    return math.degrees(math.atan2(w[1], w[0])), -b / float(np.hypot(*w))


def handles_of(angle: float, offset: float, half: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Two places a quarter and three quarters along the line's part in the square [-half, half]^2, + to the left of the
    way.

    A line outside the square is slid to its corner: it has no point of the square on its other side there either.
    """
    normal = np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))])
    most = INSIDE * half * float(np.abs(normal).sum())
    (ends,) = cut(normal, min(max(offset, -most), most), half)
    if (ends[1] - ends[0]) @ np.array([normal[1], -normal[0]]) < 0:
        ends = ends[::-1]
    (ax, ay), (bx, by) = ((1 - t) * ends[0] + t * ends[1] for t in (0.25, 0.75))
    return (float(ax), float(ay)), (float(bx), float(by))

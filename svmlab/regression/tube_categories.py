"""The category of a point relative to the tube: one of five, by its residual and its multiplier."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from svmlab.core.arrays import Array, Mask, frozen

Signs: TypeAlias = NDArray[np.int8]  # each -1, 0 or +1


class TubeCategory(Enum):
    """INSIDE |y - f| < eps; three on the edge |y - f| = eps by the multiplier alpha + alpha*; OUTSIDE |y - f| > eps."""

    INSIDE = "inside"
    EDGE_IDLE = "edge_idle"  # the multiplier is 0
    EDGE_FREE = "edge_free"  # the multiplier is between 0 and C
    EDGE_FULL = "edge_full"  # the multiplier is C
    OUTSIDE = "outside"


GROUPS: dict[str, tuple[TubeCategory, ...]] = {
    "safe": (TubeCategory.INSIDE,),
    "margin": (TubeCategory.EDGE_IDLE, TubeCategory.EDGE_FREE, TubeCategory.EDGE_FULL),
    "violating": (TubeCategory.OUTSIDE,),
}


def categorise(excess: Array, free: Mask, at_bound: Mask, tol: float) -> tuple[TubeCategory, ...]:
    """Return the category of each point; excess (m,) is |y - f| - eps, and counts as 0 within `tol`."""
    out = []
    for i, distance in enumerate(excess):
        if abs(distance) <= tol:
            out.append(
                TubeCategory.EDGE_FULL if at_bound[i] else TubeCategory.EDGE_FREE if free[i] else TubeCategory.EDGE_IDLE
            )
        else:
            out.append(TubeCategory.OUTSIDE if distance > 0 else TubeCategory.INSIDE)
    return tuple(out)


def sides_of_tube(residuals: Array, beta: Array, categories: tuple[TubeCategory, ...], tol: float) -> Signs:
    """Return +1 on or above the upper edge, -1 on or below the lower one, 0 inside the tube, shape (m,).

    If eps = 0, both edges coincide, and the sign of the multiplier distinguishes them. If that is 0 too, the side is 0.
    """
    above = np.where(np.abs(residuals) <= tol, 0.0, np.sign(residuals))
    inside = np.array([place is TubeCategory.INSIDE for place in categories], dtype=bool)
    return frozen(np.where(inside, 0.0, np.where(beta == 0, above, np.sign(beta))), np.int8)

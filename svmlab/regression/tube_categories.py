"""Where a point stands to the tube: five places from its residual and its multiplier."""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from svmlab.core.arrays import Array, Mask, frozen

Signs: TypeAlias = NDArray[np.int8]  # each -1, 0 or +1


class Place(Enum):
    """INSIDE |y - f| < eps; three on the edge |y - f| = eps by the multiplier alpha + alpha*; OUTSIDE |y - f| > eps."""

    INSIDE = "inside"
    EDGE_IDLE = "edge_idle"  # multiplier 0
    EDGE_FREE = "edge_free"  # between 0 and C
    EDGE_FULL = "edge_full"  # C
    OUTSIDE = "outside"


GROUPS: dict[str, tuple[Place, ...]] = {
    "safe": (Place.INSIDE,),
    "margin": (Place.EDGE_IDLE, Place.EDGE_FREE, Place.EDGE_FULL),
    "violating": (Place.OUTSIDE,),
}


def categorise(excess: Array, free: Mask, at_bound: Mask, tol: float) -> tuple[Place, ...]:
    """The place of each point; beyond (m,) is |y - f| - eps, `tol` how far it may be from 0 and still count as 0."""
    out = []
    for i, distance in enumerate(excess):
        if abs(distance) <= tol:
            out.append(Place.EDGE_FULL if at_bound[i] else Place.EDGE_FREE if free[i] else Place.EDGE_IDLE)
        else:
            out.append(Place.OUTSIDE if distance > 0 else Place.INSIDE)
    return tuple(out)


def sided(residuals: Array, beta: Array, places: tuple[Place, ...], tol: float) -> Signs:
    """+1 on the upper edge or above it, -1 on the lower one or below, 0 inside the tube, shape (m,).

    Where eps = 0 both edges are one, and the multiplier tells them apart; where that is 0 too, nothing does.
    """
    above = np.where(np.abs(residuals) <= tol, 0.0, np.sign(residuals))
    inside = np.array([place is Place.INSIDE for place in places], dtype=bool)
    return frozen(np.where(inside, 0.0, np.where(beta == 0, above, np.sign(beta))), np.int8)

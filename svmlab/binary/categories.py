"""Seven categories of points, by the margin y f(x) and the dual variable alpha (S5, with the boundary cases named)."""

from __future__ import annotations

from enum import Enum

import numpy as np

from svmlab.core.arrays import Array, Mask


class Category(Enum):
    """The position of a point relative to the margin lines and the decision boundary.

    OUTSIDE: yf > 1. Three categories on the margin line yf = 1, by alpha. INSIDE: 0 < yf < 1. ON_LINE: yf = 0. WRONG:
    yf < 0.
    """

    OUTSIDE = "outside"
    MARGIN_IDLE = "margin_idle"  # yf = 1, alpha = 0
    MARGIN_FREE = "margin_free"  # yf = 1, 0 < alpha < C_i
    MARGIN_FULL = "margin_full"  # yf = 1, alpha = C_i
    INSIDE = "inside"
    ON_LINE = "on_line"
    WRONG = "wrong"


ERRORS = (Category.ON_LINE, Category.WRONG)  # yf <= 0: a point on the boundary is an error

GROUPS: dict[str, tuple[Category, ...]] = {
    "safe": (Category.OUTSIDE,),
    "margin": (Category.MARGIN_IDLE, Category.MARGIN_FREE, Category.MARGIN_FULL),
    "violating": (Category.INSIDE, Category.ON_LINE, Category.WRONG),
}


def categorise(
    margins: Array, margin_excess: Array, free: Mask, at_bound: Mask, tolerance_at_one: float, tolerance_at_zero: float
) -> tuple[Category, ...]:
    """Return the category of each point by its margin yf and by yf - 1, which has digits of its own.

    tolerance_at_one, tolerance_at_zero: how far yf may be from 1 and from 0 and still count as equal to it.
    """
    at_one, at_zero = np.abs(margin_excess) <= tolerance_at_one, np.abs(margins) <= tolerance_at_zero
    out = []
    for i in range(len(margins)):
        if at_one[i]:
            out.append(
                Category.MARGIN_FULL if at_bound[i] else Category.MARGIN_FREE if free[i] else Category.MARGIN_IDLE
            )
        elif at_zero[i]:
            out.append(Category.ON_LINE)
        elif margin_excess[i] > 0:
            out.append(Category.OUTSIDE)
        else:
            out.append(Category.INSIDE if margins[i] > 0 else Category.WRONG)
    return tuple(out)

"""Vectors w drawn on a board of points, shorter or longer than they are, so that they stay on it."""

from __future__ import annotations

import math

from svmlab.lab.numbers import short
from svmlab.lab.words import _

LONGEST_ARROW = 0.8  # of the view, at most, for the longest arrow


def scale(longest: float, view: float) -> float:
    """Return the power of two by which arrows are multiplied, so that the longest stays on the board."""
    return 1.0 if longest == 0 else 2.0 ** math.floor(math.log2(LONGEST_ARROW * view / longest))


def scaled(by: float) -> str:
    """Return the scale of the arrows in words."""
    if by == 1:
        return _("arrows to scale")
    if by > 1:
        return _("arrows {by} times as long").format(by=short(by))
    return _("arrows at 1/{by} of their length").format(by=short(1 / by))

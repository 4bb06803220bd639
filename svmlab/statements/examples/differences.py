"""The difference of two results, relative to their size."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from svmlab.core.arrays import Array

ROUNDING = 1e-9  # relative: a smaller difference counts as none


def difference(computed: Any, wanted: Any) -> float:
    """Return the largest difference of two arrays, in units of 1 or of the largest wanted entry.

    It is inf for another shape and for nan, and 0 where rounding explains it.
    """
    a, b = np.asarray(computed, dtype=float), np.asarray(wanted, dtype=float)
    if a.shape != b.shape:
        return math.inf
    if not a.size or np.array_equal(a, b):
        return 0.0
    finite = np.isfinite(b)
    if not np.array_equal(a[~finite], b[~finite], equal_nan=True) or not np.isfinite(a[finite]).all():
        return math.inf
    unit = max(1.0, float(np.abs(b[finite]).max(initial=0.0)))
    off = float(np.abs(a[finite] - b[finite]).max(initial=0.0)) / unit
    return off if off > ROUNDING else 0.0


def slopes_by_differences(f: Callable[[Array], Array], Z: Array, step: float = 1e-5) -> Array:
    """Return the gradient of f (k, d) -> (k,) at each row of Z (k, d) by central differences, shape (k, d)."""
    moves = step * np.eye(Z.shape[1])
    return np.stack([(f(Z + move) - f(Z - move)) / (2.0 * step) for move in moves], 1)


def rough(off: float, allowed: float = 1e-6) -> float:
    """Return 0 for a difference that difference quotients explain, and else the difference itself."""
    return 0.0 if off <= allowed else off

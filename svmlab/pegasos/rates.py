"""How fast a gap decreases, and how many steps an accuracy needs: measured, and by the bound (P7, P12)."""

from __future__ import annotations

import math

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.pegasos.bounds import gap_bound, sharp_gap_bound


def rate(t: Index, values: Array, share: float = 0.5) -> float:
    """Return the least-squares slope of log values against log t over the last `share` of the decades.

    It is nan if the values reach 0.
    """
    is_late = t >= float(t[-1]) ** (1.0 - share)
    x, y = np.asarray(t, dtype=float)[is_late], np.asarray(values)[is_late]
    if len(x) < 2 or not (y > 1e-15 * max(1.0, float(np.abs(values).max()))).all():
        return math.nan
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def steps_for_gap(t: Index, gaps: Array, eps: float) -> int | None:
    """Return the first checkpoint with all gaps (k,) from it to the last at most eps, or None if there is none."""
    too_large = np.flatnonzero(~(np.asarray(gaps) <= eps))
    first = int(too_large[-1]) + 1 if len(too_large) else 0
    return int(t[first]) if first < len(t) else None


def steps_for_bound(X: float, lam: float, eps: float, sharp: bool = False) -> int | None:
    """Return the least T whose bound (P7, or the sharper one) is at most eps, or None beyond 10^18."""
    bound = sharp_gap_bound if sharp else gap_bound
    hi = 1
    while float(bound(X, lam, hi)) > eps:
        hi *= 2
        if hi > 10**18:
            return None
    lo = hi // 2
    while hi - lo > 1:
        middle = (lo + hi) // 2
        lo, hi = (lo, middle) if float(bound(X, lam, middle)) <= eps else (middle, hi)
    return hi

"""The bias b once w is known: minimise the hinge over b alone."""

from __future__ import annotations

import numpy as np

from svmlab.arrays import Array


def offset_interval(g: Array, y: Array, weight: Array, hard: bool) -> tuple[float, float]:
    """All b that are optimal beside w, as (lo, hi), ends possibly infinite; g_i = <w, phi(x_i)>.

    Soft margin: sum_i weight_i max(0, 1 - y_i (g_i + b)) is convex and piecewise linear in b with a kink at y_i - g_i,
    where its slope grows by weight_i, from -sum of the positive weights on the far left. The minimisers are a weighted
    median of the kinks. Hard margin: every y_i (g_i + b) >= 1, that is max over + of 1 - g_i to min over - of -1 - g_i.
    """
    kink = y - g
    if hard:
        return float(np.max(kink[y > 0], initial=-np.inf)), float(np.min(kink[y < 0], initial=np.inf))
    order = np.argsort(kink, kind="stable")
    reached = np.cumsum(weight[order])
    target = float(weight[y > 0].sum())
    if target == 0:
        return -np.inf, float(kink[order[0]])
    k = int(np.searchsorted(reached, target * (1 - 1e-14)))
    flat = abs(reached[k] - target) <= 1e-14 * reached[-1]
    if not flat:
        return float(kink[order[k]]), float(kink[order[k]])
    return float(kink[order[k]]), float(kink[order[k + 1]]) if k + 1 < len(order) else np.inf


def choose(lo: float, hi: float) -> float:
    """The b to draw: the middle of the interval, or its finite end."""
    if np.isfinite(lo) and np.isfinite(hi):
        return 0.5 * (lo + hi)
    return lo if np.isfinite(lo) else hi if np.isfinite(hi) else 0.0

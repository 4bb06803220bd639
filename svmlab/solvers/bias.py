"""The bias b for a given w: the minimisers of the hinge loss over b alone."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import EPS, Array
from svmlab.core.tolerances import EQUAL_WEIGHT_SUMS, INTERVAL_NOISE


def bias_interval(g: Array, y: Array, weight: Array, hard: bool, p: Array | float = 1.0) -> tuple[float, float]:
    """Return all optimal b for a given w as (lo, hi), with ends possibly infinite; g_i = <w, phi(x_i)>.

    Soft margin: sum_i weight_i max(0, p_i - y_i (g_i + b)) is convex and piecewise linear in b. On the far left its
    slope is minus the sum of the positive points' weights, and at each kink y_i p_i - g_i it grows by weight_i. The
    minimisers are a weighted median of the kinks, where sums of weights count as equal up to the rounding of that many
    terms. Hard margin: every y_i (g_i + b) >= 1, so b is between max over + of 1 - g_i and min over - of -1 - g_i.
    """
    kink = y * p - g
    if hard:
        return float(np.max(kink[y > 0], initial=-np.inf)), float(np.min(kink[y < 0], initial=np.inf))
    order = np.argsort(kink, kind="stable")
    reached = np.cumsum(weight[order])
    target, tolerance = float(weight[y > 0].sum()), max(EQUAL_WEIGHT_SUMS, 2 * len(y) * EPS)
    if target == 0:
        return -np.inf, float(kink[order[0]])
    k = int(np.searchsorted(reached, target * (1 - tolerance)))
    flat = abs(reached[k] - target) <= tolerance * reached[-1]
    if not flat:
        return float(kink[order[k]]), float(kink[order[k]])
    return float(kink[order[k]]), float(kink[order[k + 1]]) if k + 1 < len(order) else np.inf


def bias_is_unique(lo: float, hi: float) -> bool:
    """Return whether a single b is optimal: the ends of `bias_interval` differ by rounding at most."""
    return hi - lo <= INTERVAL_NOISE


def middle_bias(lo: float, hi: float) -> float:
    """Return the b that is used: the middle of the interval, or its finite end, or 0."""
    if np.isfinite(lo) and np.isfinite(hi):
        return 0.5 * (lo + hi)
    return lo if np.isfinite(lo) else hi if np.isfinite(hi) else 0.0


def best_biases(g: Array, y: Array) -> Array:
    """Return for each row of g (k, m) the middle b that minimises sum_i max(0, 1 - y_i (g_i + b)), shape (k,).

    The slope in b starts at minus the number of positive points and grows by 1 at each kink y_i - g_i.
    """
    kinks, plus = y - g, int((y > 0).sum())
    if plus in (0, len(y)):
        return kinks.min(1) if plus == 0 else kinks.max(1)
    at = np.partition(kinks, (plus - 1, plus), axis=1)
    return 0.5 * (at[:, plus - 1] + at[:, plus])


def hinges(X: Array, y: Array, W: Array, bias: bool) -> Array:
    """Return the sum of the hinge losses of each w (k, d) on the points X (m, d), shape (k,).

    Each w has its best b where there is a bias.
    """
    g = W @ X.T
    if bias:
        g = g + best_biases(g, y)[:, None]
    return np.maximum(0.0, 1.0 - y * g).sum(1)

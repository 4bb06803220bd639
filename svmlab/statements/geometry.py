"""Lengths measured by projection, and not by the formula that is to be checked."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Index

# The possible positions of a point relative to its margin line and the boundary (M3).
POSITIONS = ("y f > 1", "y f = 1", "0 < y f < 1", "y f = 0", "−1 < y f < 0", "y f = −1", "y f < −1")


def projections(Z: Array, w: Array, b: float, level: float = 0.0) -> Array:
    """Return the points of the hyperplane <w, z> + b = level nearest to the rows of Z (k, D).

    Any direction within the hyperplane is free, so only the components along these directions are kept. N is an
    orthonormal basis of them (the last columns of the reflection that maps w to the first axis), and p is a point of
    the hyperplane.
    """
    u = w / np.linalg.norm(w)
    v = u.copy()
    v[0] += 1.0 if u[0] >= 0 else -1.0
    N = (np.eye(len(w)) - 2.0 * np.outer(v, v) / (v @ v))[:, 1:]
    j = int(np.abs(w).argmax())
    p = np.zeros(len(w))
    p[j] = (level - b) / w[j]
    return p + (Z - p) @ N @ N.T


def distances(Z: Array, w: Array, b: float, level: float = 0.0) -> Array:
    """Return the distance of each row of Z from the hyperplane <w, z> + b = level, measured to the foot, shape (k,)."""
    return np.asarray(np.linalg.norm(Z - projections(Z, w, b, level), axis=1))


def widest_margins(Phi: Array, y: Array, U: Array, bias: bool) -> Array:
    """Return the widest margin for each unit normal in the rows of U (k, D), shape (k,).

    It is negative if the normal does not separate the classes. With a bias the best offset is in the middle, so the
    margin is half the gap between the projections of the classes.
    """
    p = Phi @ U.T
    if not bias:
        return (y[:, None] * p).min(0)
    return 0.5 * (p[y > 0].min(0) - p[y < 0].max(0))


def best_direction(Phi: Array, y: Array, bias: bool, angles: int = 2048, best: int = 6) -> tuple[Array, float]:
    """Return the unit normal in the plane with the widest margin and that margin, found by turning it on finer grids.

    The grid errs by at most diameter x step / 2, so the `best` angles are each refined until the step is 1e-12.
    """

    def unit(t: Array) -> Array:
        return np.stack([np.cos(t), np.sin(t)], -1)

    step = 2 * np.pi / angles
    t = step * np.arange(angles)
    r = widest_margins(Phi, y, unit(t), bias)
    peak = np.flatnonzero((r >= np.roll(r, 1)) & (r >= np.roll(r, -1)))
    centre = t[peak[np.argsort(-r[peak])[:best]]]
    offsets = np.linspace(-1.0, 1.0, 17)
    while step > 1e-13:
        candidates = centre[:, None] + step * offsets
        at = widest_margins(Phi, y, unit(candidates.ravel()), bias).reshape(candidates.shape).argmax(1)
        centre = candidates[np.arange(len(centre)), at]
        step /= 6.0
    r = widest_margins(Phi, y, unit(centre), bias)
    k = int(r.argmax())
    return unit(centre[k]), float(r[k])


def best_bias(g: Array, y: Array) -> tuple[float, float, float]:
    """Return all b that minimise sum_i max(0, 1 - y_i (g_i + b)), as (lo, hi), and the least sum.

    Every kink is tried.
    """
    kinks = y - g
    total = np.maximum(0.0, 1.0 - y[None, :] * (g[None, :] + kinks[:, None])).sum(1)
    smallest_sum = float(total.min())
    optimal = kinks[total <= smallest_sum + 1e-10 * max(1.0, smallest_sum)]
    return float(optimal.min()), float(optimal.max()), smallest_sum


def probe_grid(X: Array, n: int = 11) -> Array:
    """Return a grid over the box of the points, widened by half, in the first two coordinates.

    The other coordinates are at the middle of the box.
    """
    lo, hi = X.min(0), X.max(0)
    pad = 0.5 * max(float((hi - lo).max()), 1.0)
    axes = [
        np.linspace(lo[j] - pad, hi[j] + pad, n) if j < 2 else np.array([0.5 * (lo[j] + hi[j])])
        for j in range(X.shape[1])
    ]
    return np.stack([v.ravel() for v in np.meshgrid(*axes)], 1)


def positions_by_margin(yf: Array, tolerance: float) -> Index:
    """Return for each functional margin its index in POSITIONS, shape (m,).

    A margin within `tolerance` of a border counts as on it.
    """
    on = [np.abs(yf - 1) <= tolerance, np.abs(yf) <= tolerance, np.abs(yf + 1) <= tolerance]
    return np.asarray(np.select([*on, yf > 1, yf > 0, yf > -1], [1, 3, 5, 0, 2, 4], 6))


def positions_by_distance(own: Array, zero: Array, other: Array, tolerance: float) -> Index:
    """Return the same from the distances to the point's own margin line, the boundary and the other margin line.

    The distances are in units of half the margin width.
    """
    right = own < other
    on = [own <= tolerance, zero <= tolerance, other <= tolerance]
    return np.asarray(np.select([*on, right & (zero > 1), right, zero < 1], [1, 3, 5, 0, 2, 4], 6))

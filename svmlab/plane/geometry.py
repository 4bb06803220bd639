"""Geometry in the plane: lines through two points, parallel lines, clipping to a square, hulls, and moved points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Frozen
from svmlab.core.errors import BadInput, quoted
from svmlab.core.rules import Seed
from svmlab.core.validate import validated


@dataclass(frozen=True, eq=False)
class Line(Frozen):
    """The line <w, x> + b = 0 with w (2,) not 0. The side to which w points counts as +1."""

    w: Array
    b: float

    @classmethod
    def through(cls, a: tuple[float, float], b: tuple[float, float]) -> Line:
        """Return the line from a to b, with +1 on its left and |w| = 1."""
        normal = np.array([a[1] - b[1], b[0] - a[0]], dtype=float)
        normal /= np.hypot(*normal)
        return cls(normal, -float(normal @ np.asarray(a)))

    @property
    def norm(self) -> float:
        """The length |w|."""
        return float(np.hypot(*self.w))

    @property
    def normal(self) -> Array:
        """The unit normal w / |w|."""
        return self.w / self.norm

    def margins(self, X: Array, y: Array) -> Array:
        """Return the geometric margins y_i f(x_i) / |w|, shape (m,)."""
        return y * (X @ self.w + self.b) / self.norm

    def margin(self, X: Array, y: Array) -> float:
        """Return the smallest geometric margin, which is negative if a point is on the wrong side."""
        return float(self.margins(X, y).min())

    def shifted(self, t: float) -> Line:
        """Return the parallel line at the distance t in the direction of w."""
        return Line(self.w, self.b - t * self.norm)

    def foot(self, x: Array) -> Array:
        """Return the point of the line nearest to x, shape (2,)."""
        return x - (float(x @ self.w) + self.b) / self.norm * self.normal

    def clipped(self, half: float) -> tuple[Array, ...]:
        """Return its part in the square [-half, half]^2: one (2, 2) array, or none."""
        return clip_line(self.w, -self.b, half)


def clip_line(w: Array, c: float, half: float) -> tuple[Array, ...]:
    """Return the part of the line <w, x> = c in the square [-half, half]^2: one array (2, 2) of its ends, or none.

    Raises BadInput where w is not the normal of a line.
    """
    if w.shape != (2,) or not 0.0 < w @ w < np.inf:
        raise BadInput(
            "w: {value} is not the normal of a line. Give two finite numbers that are not both 0.",
            value=quoted(w.tolist()),
        )
    foot = c * w / (w @ w)
    along = np.array([-w[1], w[0]]) / np.hypot(*w)
    lo, hi = -np.inf, np.inf
    for p, t in zip(foot, along, strict=True):
        if abs(t) < 1e-300:
            if abs(p) > half:
                return ()
            continue
        a, b = sorted(((-half - p) / t, (half - p) / t))
        lo, hi = max(lo, a), min(hi, b)
    return (np.stack([foot + lo * along, foot + hi * along]),) if lo < hi else ()


def widest_with_normal(X: Array, y: Array, angle: float) -> tuple[Line, float]:
    """Return the line with normal (cos, sin) midway between the projections of the classes, and half their gap.

    Half the gap is its margin, which is negative if the projections overlap. Raises BadInput where a class is missing.
    """
    present = np.unique(np.sign(y))
    if len(present) == 0:
        raise BadInput("y: there are no labels. Give points of both classes, -1 and 1.")
    if len(present) == 1:
        raise BadInput("y: all labels are {value:g}. Give points of both classes, -1 and 1.", value=present[0])
    u = np.array([np.cos(angle), np.sin(angle)])
    p = X @ u
    low, high = float(p[y > 0].min()), float(p[y < 0].max())
    return Line(u, -0.5 * (low + high)), 0.5 * (low - high)


@validated
def perturbed(X: Array, radius: float, seed: Seed) -> Array:
    """Return every point moved by `radius` in a random direction of its own. Raises BadInput."""
    angle = np.random.Generator(np.random.Philox(seed)).uniform(0, 2 * np.pi, len(X))
    return X + radius * np.stack([np.cos(angle), np.sin(angle)], 1)


def moved_across(X: Array, y: Array, line: Line, radius: float) -> Array:
    """Return every point moved by `radius` towards the other side of the line, which lowers its margin the most."""
    return X - radius * y[:, None] * line.normal


def hull(X: Array) -> Array:
    """Return the vertices of the convex hull, counterclockwise (Andrew's monotone chain); 1 or 2 rows if it is thin."""
    points = np.unique(X, axis=0)
    if len(points) < 3:
        return points

    def chain(rows: Array) -> list[Array]:
        out: list[Array] = []
        for p in rows:
            while len(out) > 1 and _signed_area(out[-2], out[-1], p) <= 0:
                out.pop()
            out.append(p)
        return out[:-1]

    return np.array(chain(points) + chain(points[::-1]))


def reduced_hull(X: Array, ceiling: float) -> Array:
    """Return the vertices of the reduced convex hull of X (m, 2), counterclockwise.

    It consists of the convex combinations in which no point has a weight above `ceiling`. The farthest one in a
    direction gives the farthest points the largest weights, so a vertex changes only where two points exchange their
    order. One direction between any two such changes is enough. Needs 1/m <= ceiling; from 1 on it is the convex hull.
    Source: Bennett and Bredensteiner (2000), Duality and geometry in SVM classifiers.
    """
    if ceiling >= 1.0:
        return hull(X)
    i, j = np.triu_indices(len(X), 1)
    difference = X[i] - X[j]
    angle = np.mod(np.arctan2(difference[:, 1], difference[:, 0]) + 0.5 * np.pi, np.pi)
    ties = np.unique(np.round(np.r_[angle, angle + np.pi], 12))
    between = 0.5 * (ties + np.r_[ties[1:], ties[:1] + 2 * np.pi])
    order = np.argsort(-(np.stack([np.cos(between), np.sin(between)], 1) @ X.T), axis=1, kind="stable")
    weight = np.clip(1.0 - ceiling * np.arange(len(X)), 0.0, ceiling)
    return hull(np.round(np.einsum("k,nkd->nd", weight, X[order]), 12))


def _signed_area(a: Array, b: Array, c: Array) -> float:
    """Return twice the signed area of the triangle a, b, c, which is above 0 for a turn to the left."""
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))

"""The hard-margin SVM of a few points with whole coordinates, in exact arithmetic, so that nothing is nearly 0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from svmlab.practice.draw import Draw

Vector = tuple[int, int]
Row = tuple[int, int, int]  # x1, x2, label


@dataclass(frozen=True)
class HardMargin:
    """The solution of a hard-margin SVM. Points are numbered from 1. alpha: one optimal multiplier for each point."""

    rows: tuple[Row, ...]
    w: tuple[Fraction, Fraction]
    b: Fraction
    alpha: tuple[Fraction, ...]

    @property
    def weights_and_bias(self) -> tuple[float, float, float]:
        """Return w and b as floating-point numbers."""
        return float(self.w[0]), float(self.w[1]), float(self.b)

    @property
    def squared_norm(self) -> Fraction:
        """Return ‖w‖²."""
        return self.w[0] ** 2 + self.w[1] ** 2

    @property
    def squared_width(self) -> Fraction:
        """Return the square of the margin width 2/‖w‖."""
        return 4 / self.squared_norm

    @property
    def width(self) -> float:
        """Return the margin width 2/‖w‖."""
        return float(self.squared_width) ** 0.5

    @cached_property
    def margins(self) -> tuple[Fraction, ...]:
        """Return the functional margin y f of each point."""
        return tuple(y * (self.w[0] * x1 + self.w[1] * x2 + self.b) for x1, x2, y in self.rows)

    @property
    def support(self) -> frozenset[int]:
        """Return the numbers of the points with α > 0."""
        return frozenset(i for i, a in enumerate(self.alpha, start=1) if a > 0)

    @property
    def on_margin(self) -> frozenset[int]:
        """Return the numbers of the points on the margin lines."""
        return frozenset(i for i, margin in enumerate(self.margins, start=1) if margin == 1)

    @property
    def margin_points_are_support_vectors(self) -> bool:
        """Return whether the points on the margin lines are exactly those with α > 0. Then α is unique."""
        return self.on_margin == self.support

    @property
    def nearest_pair(self) -> frozenset[int]:
        """Return the numbers of two points of different classes with the smallest distance, or () if two pairs tie."""
        pairs = [
            ((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2, frozenset((i, j)))
            for i, p in enumerate(self.rows, start=1)
            for j, q in enumerate(self.rows, start=1)
            if p[2] > q[2]
        ]
        smallest = min(squared for squared, _pair in pairs)
        nearest = [pair for squared, pair in pairs if squared == smallest]
        return nearest[0] if len(nearest) == 1 else frozenset()


def hard_margin(rows: Sequence[Row]) -> HardMargin | None:
    """Return the hard-margin SVM of the rows (x1, x2, label), or None if it has no solution or one class is missing.

    The two nearest points of the convex hulls are two corners, or a corner and a point of an edge. The pair is the
    right one if no other point lies between their margin lines.
    """
    plus, minus = ([(i, x) for i, (*x, y) in enumerate(rows) if y == label] for label in (1, -1))
    for d, p, q, weights in (*_pairs(plus, minus), *_edges(plus, minus)):
        top, bottom = _dot(d, p), _dot(d, q)
        if top > bottom and all(_dot(d, x) >= top for _i, x in plus) and all(_dot(d, x) <= bottom for _i, x in minus):
            gap = top - bottom
            w = Fraction(2 * d[0], gap), Fraction(2 * d[1], gap)
            half = (w[0] ** 2 + w[1] ** 2) / 2
            alpha = tuple(half * weights.get(i, 0) for i in range(len(rows)))
            return HardMargin(tuple(rows), w, Fraction(-top - bottom, gap), alpha)
    return None


def separated_points(draw: Draw, n: int, reach: int = 5) -> tuple[Row, ...]:
    """Return n different points that a line with a gap separates, at least two of each class."""
    d = draw.one_of(((1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, 2), (2, -1), (-1, 2)))
    offset, gap, sign = draw.whole(-2, 2), draw.whole(1, 2), draw.sign()
    whole = range(-reach, reach + 1)
    allowed = [(x1, x2) for x1 in whole for x2 in whole if abs(_dot(d, (x1, x2)) - offset) >= gap]
    points = [(*x, sign if _dot(d, x) > offset else -sign) for x in draw.several_of(allowed, n)]
    draw.need(2 <= sum(y > 0 for *_x, y in points) <= n - 2)
    return tuple(points)


Indexed = list[tuple[int, list[int]]]
Candidate = tuple[Sequence[int], Sequence[int], Sequence[int], dict[int, Fraction]]


def _pairs(plus: Indexed, minus: Indexed) -> Iterator[Candidate]:
    """Yield the direction from q to p, both points, and their weights in the hulls, for each pair of points."""
    for i, p in plus:
        for j, q in minus:
            yield (p[0] - q[0], p[1] - q[1]), p, q, {i: Fraction(1), j: Fraction(1)}


def _edges(plus: Indexed, minus: Indexed) -> Iterator[Candidate]:
    """Yield the same for each point and each segment of the other class whose inside contains its foot."""
    for points, others, sign in ((plus, minus, 1), (minus, plus, -1)):
        for i, p in points:
            for j, q in others:
                for k, r in others:
                    edge = r[0] - q[0], r[1] - q[1]
                    along = _dot(edge, (p[0] - q[0], p[1] - q[1]))
                    length = _dot(edge, edge)
                    if j < k and 0 < along < length:
                        d = -edge[1], edge[0]
                        if _dot(d, p) < _dot(d, q):
                            d = -d[0], -d[1]
                        d = sign * d[0], sign * d[1]
                        t = Fraction(along, length)
                        weights = {i: Fraction(1), j: 1 - t, k: t}
                        yield (d, p, q, weights) if sign > 0 else (d, q, p, weights)


def _dot(u: Sequence[int], v: Sequence[int]) -> int:
    return u[0] * v[0] + u[1] * v[1]

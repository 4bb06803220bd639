"""Triples of points, Radon partitions and the margins of hulls, computed again by measuring and by trying."""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations, product

import numpy as np

from svmlab.core.arrays import Array
from svmlab.generalisation.hull_margins import hull_margins
from svmlab.generalisation.labellings import labels
from svmlab.generalisation.radon import circuits, refuting_circuit
from svmlab.generalisation.shattering import (
    best_triple,
    circumradii,
    circumradius,
    least_margins,
    side_lengths,
    smallest_balls,
    triple_margin,
    triples,
)
from svmlab.statements.examples.differences import difference, rough

TRIPLES = np.array(
    [
        [[0.0, 0.0], [3.0, 0.5], [1.0, 2.0]],
        [[0.0, 0.0], [4.0, 0.0], [1.0, 0.5]],  # an obtuse angle
        [[1.0, 1.0], [2.0, 2.0], [4.0, 4.0]],  # on one line
    ]
)
POINTS = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [1.0, 0.5], [2.0, 2.0]])


def to_segment(p: Array, a: Array, b: Array) -> float:
    """Return the distance of p from the segment from a to b, by a fine search along it."""
    t = np.linspace(0.0, 1.0, 20001)[:, None]
    return float(np.linalg.norm(a + t * (b - a) - p, axis=1).min())


@cache
def error_of_triples() -> float:
    """Compare margins, sides, circles and smallest balls of triples with measured lengths."""
    off = 0.0
    sides, radii, (balls, centres) = side_lengths(TRIPLES), circumradii(TRIPLES), smallest_balls(TRIPLES)
    for k, (a, b, c) in enumerate(TRIPLES):
        lengths = [math.dist(b, c), math.dist(c, a), math.dist(a, b)]
        area = abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2.0
        circle = math.prod(lengths) / (4.0 * area) if area else math.inf
        widths = [to_segment(p, q, r) / 2.0 for p, q, r in ((a, b, c), (b, c, a), (c, a, b))]
        reach = [math.dist(centres[k], p) for p in (a, b, c)]
        places = np.stack(np.meshgrid(np.linspace(0, 4, 161), np.linspace(0, 4, 161)), -1).reshape(-1, 2)
        least = float(np.linalg.norm(places[:, None] - TRIPLES[k], axis=2).max(1).min())
        off = max(
            off,
            difference(sides[k], lengths),
            difference((radii[k], circumradius(TRIPLES[k])), (circle, circle)),
            rough(abs(triple_margin(TRIPLES[k]) - min(widths)), 1e-4),
            rough(abs(float(least_margins(TRIPLES)[k]) - min(widths)), 1e-4),
            difference(balls[k], max(reach)),
            rough(abs(least - float(balls[k])), 0.03),
        )
    best = best_triple(2.0, 50, 1)
    return max(
        off,
        rough(abs(best.margin - 1.5), 1e-6),
        difference(best.margin, triple_margin(best.X)),
        0.0 if best.random_margin <= best.margin else 1.0,
        rough(max(0.0, float(np.linalg.norm(best.X, axis=1).max()) - 2.0)),
        difference(triples(5), list(combinations(range(5), 3))),
    )


@cache
def error_of_circuits() -> float:
    """Check that both parts of a circuit have a common point, and which labellings a circuit refutes."""
    found, off = circuits(POINTS), 0.0
    for one in found:
        plus = one.weights > 0
        parts = [one.weights[plus] @ POINTS[one.rows][plus], -one.weights[~plus] @ POINTS[one.rows][~plus]]
        off = max(
            off,
            difference(parts[0], parts[1]),
            difference(one.point, parts[0]),
            difference((float(one.weights[plus].sum()), float(one.weights.sum())), (1.0, 0.0)),
        )
    for y in product((1.0, -1.0), repeat=5):
        t = np.array(y)
        refuted = [
            len({s * (w > 0) - s * (w < 0) for s, w in zip(t[one.rows], one.weights, strict=True)}) == 1
            for one in found
        ]
        first = refuting_circuit(found, t)
        off = max(
            off,
            difference([one.refutes(t) for one in found], refuted),
            0.0 if (first is None) != any(refuted) and (first is None or first is found[refuted.index(True)]) else 1.0,
        )
    sizes = sorted(len(one.rows) for one in found)
    return max(off, difference(sizes, [4] * len(sizes)))


@cache
def error_of_hulls() -> float:
    """Compare the margins of all labellings with the widest gap over many directions."""
    P = POINTS[:4] + 0.3
    angles = np.linspace(0.0, 2.0 * math.pi, 20001)
    along = P @ np.array([np.cos(angles), np.sin(angles)])
    found, off = hull_margins(P @ P.T), 0.0
    for t, margin in zip(labels(4), found, strict=True):
        if abs(t.sum()) == 4:
            off = max(off, difference(margin, math.inf))
        else:
            gap = float((along[t > 0].min(0) - along[t < 0].max(0)).max()) / 2.0
            off = max(off, rough(abs(margin - max(gap, 0.0)), 1e-4))
    return max(off, difference(labels(2), [[1, 1], [-1, 1], [1, -1], [-1, -1]]))

"""Triples of points, Radon partitions and the margins of hulls, computed again by measuring and by trying."""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations, permutations, product

import numpy as np

from svmlab.binary import solve as binary
from svmlab.binary.problem import Problem
from svmlab.core.arrays import Array
from svmlab.data import Dataset
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
from svmlab.kernels.standard import Gaussian, Linear
from svmlab.plane.contours import decision_grid, draw_solution, line_through_origin, slack_paths, value_grid, zero_lines
from svmlab.plane.geometry import Line, clip_line, hull, moved_across, perturbed, reduced_hull, widest_with_normal
from svmlab.statements.examples.binary_solutions import decision, solutions
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
        smallest_radius = float(np.linalg.norm(places[:, None] - TRIPLES[k], axis=2).max(1).min())
        off = max(
            off,
            difference(sides[k], lengths),
            difference((radii[k], circumradius(TRIPLES[k])), (circle, circle)),
            rough(abs(triple_margin(TRIPLES[k]) - min(widths)), 1e-4),
            rough(abs(float(least_margins(TRIPLES)[k]) - min(widths)), 1e-4),
            difference(balls[k], max(reach)),
            rough(abs(smallest_radius - float(balls[k])), 0.03),
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
    all_circuits, off = circuits(POINTS), 0.0
    for one in all_circuits:
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
            for one in all_circuits
        ]
        first = refuting_circuit(all_circuits, t)
        off = max(
            off,
            difference([one.refutes(t) for one in all_circuits], refuted),
            0.0
            if (first is None) != any(refuted) and (first is None or first is all_circuits[refuted.index(True)])
            else 1.0,
        )
    sizes = sorted(len(one.rows) for one in all_circuits)
    rows = [(0, 1), (0, 2, 3), (1, 2, 3)]  # two equal points, and two of three points on a line
    few = circuits(np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [0.0, 1.0]]))
    on_line = circuits(np.array([[0.0], [1.0], [4.0], [4.0]]))
    return max(
        off,
        difference(sizes, [4] * len(sizes)),
        0.0 if [tuple(one.rows.tolist()) for one in few] == rows else 1.0,
        0.0 if [tuple(one.rows.tolist()) for one in on_line] == [(2, 3), (0, 1, 2), (0, 1, 3)] else 1.0,
        difference(np.abs(on_line[1].weights / on_line[1].weights[1]), (0.75, 1.0, 0.25)),
    )


@cache
def error_of_hulls() -> float:
    """Compare the margins of all labellings with the widest gap over many directions."""
    P = POINTS[:4] + 0.3
    angles = np.linspace(0.0, 2.0 * math.pi, 20001)
    along = P @ np.array([np.cos(angles), np.sin(angles)])
    all_margins, off = hull_margins(P @ P.T), 0.0
    for t, margin in zip(labels(4), all_margins, strict=True):
        if abs(t.sum()) == 4:
            off = max(off, difference(margin, math.inf))
        else:
            gap = float((along[t > 0].min(0) - along[t < 0].max(0)).max()) / 2.0
            off = max(off, rough(abs(margin - max(gap, 0.0)), 1e-4))
    return max(off, difference(labels(2), [[1, 1], [-1, 1], [1, -1], [-1, -1]]))


@cache
def error_of_lines() -> float:
    """Compare distances, feet, shifts, clips and widest lines of the plane with points that are measured and tried."""
    line, through = Line(np.array([3.0, -4.0]), 5.0), Line.through((1.0, 2.0), (4.0, 6.0))
    t = np.linspace(-5.0, 5.0, 20001)[:, None]
    on_line = np.array([-0.6, 0.8]) + t * np.array([0.8, 0.6])  # 3 (-0.6) - 4 (0.8) + 5 = 0
    y = np.array([1.0, -1.0, 1.0, 1.0, -1.0])
    moves = perturbed(np.zeros((200, 2)), 0.25, 3)
    f = np.array([3.0 * a - 4.0 * b + 5.0 for a, b in POINTS.tolist()])
    nearest = np.array([on_line[np.linalg.norm(on_line - p, axis=1).argmin()] for p in POINTS])
    feet = np.array([line.foot(p) for p in POINTS])
    clipped = line.clipped(2.0)
    off = max(
        difference(line.margins(POINTS, y), y * f / 5.0),
        difference(line.margin(POINTS, y), float((y * f / 5.0).min())),
        rough(difference(feet, nearest), 1e-3),
        difference(feet @ line.w + line.b, np.zeros(5)),
        difference(line.shifted(0.5).margins(POINTS, np.ones(5)), f / 5.0 - 0.5),
        difference(np.linalg.norm(moves, axis=1), np.full(200, 0.25)),
        rough(float(np.abs(moves.mean(0)).max()), 0.07),  # five standard errors
        0.0 if {tuple(s) for s in (moves > 0).tolist()} == set(product((True, False), repeat=2)) else 1.0,
        difference(perturbed(POINTS, 0.25, 3) - POINTS, moves[:5]),
        difference(through.margins(np.array([[1.0, 2.0], [4.0, 6.0], [0.0, 2.0]]), np.ones(3)), (0.0, 0.0, 0.8)),
        difference(np.sort(moved_across(POINTS, y, line, 0.25) @ line.w + 5.0), np.sort(f - y * 1.25)),
        difference(np.linalg.norm(moved_across(POINTS, y, line, 0.25) - POINTS, axis=1), np.full(5, 0.25)),
    )
    off = max(off, 0.0 if len(clipped) == 1 and not clip_line(line.w, 50.0, 2.0) else 1.0)
    ends = clipped[0]
    off = max(off, difference(np.abs(ends).max(1), (2.0, 2.0)), difference(ends @ line.w + 5.0, (0.0, 0.0)))
    positive, negative = np.array([[2.0, 1.0], [3.0, 4.0]]), np.array([[-1.0, 0.0], [0.0, -2.0], [-2.0, 3.0]])
    X, labels_of_both = np.vstack([positive, negative]), np.array([1.0, 1.0, -1.0, -1.0, -1.0])
    for angle in (0.0, 0.4, 2.0):
        widest, half = widest_with_normal(X, labels_of_both, angle)
        u = np.array([math.cos(angle), math.sin(angle)])
        margins = [widest.margins(A, np.full(len(A), v)).min() for A, v in ((positive, 1.0), (negative, -1.0))]
        off = max(off, difference(margins, (half, half)), difference(widest.normal, u))
    return off


@cache
def error_of_clips() -> float:
    """Compare parts of lines in a square, and lines through the origin, with fine points of the lines."""
    off, t = 0.0, np.linspace(-20.0, 20.0, 8001)[:, None]
    cases = [
        (np.array(w), c) for w in ((3.0, -4.0), (0.5, 2.0), (-1.0, 1.0)) for c in (0.0, 2.0, -3.5, 9.0, -9.0, 50.0)
    ]
    cases += [(np.array(w), c) for w in ((0.0, 2.0), (-1.5, 0.0)) for c in (1.0, -1.0, 2.5, -2.5, 8.0, -8.0)]
    for w, c in cases:
        normal = w / math.hypot(*w)
        on_line = c / math.hypot(*w) * normal + t * np.array([-normal[1], normal[0]])
        inside = on_line[(np.abs(on_line) <= 2.0).all(1)]
        clipped, again = clip_line(w, c, 2.0), Line(w, -c).clipped(2.0)
        off = max(off, difference((len(clipped), len(again)), (len(inside) > 1,) * 2))
        for ends in (*clipped, *again):
            off = max(
                off,
                difference(ends @ w, (c, c)),
                rough(float(np.abs(np.sort(ends, 0) - np.sort(inside[[0, -1]], 0)).max()), 0.02),
                difference(np.abs(ends).max(1), (2.0, 2.0)),
            )
        through = line_through_origin(w, 2.0)
        off = max(off, difference(through @ w, (0.0, 0.0)), difference(np.abs(through).max(1), (2.0, 2.0)))
        off = max(off, difference(through[0], -through[1]))
    line = Line(np.array([3.0, -4.0]), 2.0)
    for distance in (0.0, 0.3, -1.7):
        moved = line.shifted(distance)
        f = np.array([3.0 * a - 4.0 * b + 2.0 for a, b in POINTS.tolist()])
        off = max(off, difference(moved.margins(POINTS, np.ones(5)), f / 5.0 - distance), difference(moved.w, line.w))
    return max(
        off,
        difference(line_through_origin(np.zeros(2), 2.0), np.zeros((0, 2))),
        difference((line.norm, *line.normal), (5.0, 0.6, -0.8)),
    )


@cache
def error_of_convex_hulls() -> float:
    """Compare convex hulls with the extreme points in many directions, and thin ones with their ends."""
    off, rng = 0.0, np.random.Generator(np.random.Philox(3))
    angles = np.linspace(0.0, 2.0 * math.pi, 361)
    directions = np.array([np.cos(angles), np.sin(angles)])
    grid = np.stack(np.meshgrid(np.arange(4.0), np.arange(3.0)), -1).reshape(-1, 2)  # with points on the edges
    boards = [np.round(rng.standard_normal((n, 2)), 1) for n in (3, 6, 15, 40)]
    for P in (*boards, grid, np.vstack([grid, grid]), np.hstack([boards[2][:, :1], 3.0 * boards[2][:, 1:]])):
        vertices = hull(P)
        a, b, c = vertices, np.roll(vertices, -1, 0), np.roll(vertices, -2, 0)
        cross_products = (b - a)[:, 0] * (c - b)[:, 1] - (b - a)[:, 1] * (c - b)[:, 0]
        rows = {tuple(p) for p in P.tolist()}
        off = max(
            off,
            difference((vertices @ directions).max(0), (P @ directions).max(0)),
            0.0 if (cross_products > 0).all() and all(tuple(v) in rows for v in vertices.tolist()) else 1.0,
            # The boundary turns around once.
            rough(abs(float(np.arctan2(cross_products, ((b - a) * (c - b)).sum(1)).sum()) - 2.0 * math.pi)),
            difference(len({tuple(v) for v in vertices.tolist()}), len(vertices)),
        )
    pair, one = np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([[1.0, 2.0], [1.0, 2.0]])
    row = np.array([[1.0, 1.0], [3.0, 3.0], [0.0, 0.0], [2.0, 2.0]])
    return max(
        off,
        difference(hull(pair), [[0, 1], [1, 2]]),
        difference(hull(one), [[1, 2]]),
        difference(np.sort(hull(row), 0), [[0, 0], [3, 3]]),
        difference(reduced_hull(POINTS, 1.0), hull(POINTS)),
    )


def _to_path(p: Array, path: Array) -> float:
    """Return the distance of p from a polyline (k, 2)."""
    a, along = path[:-1], np.diff(path, axis=0)
    t = np.clip(((p - a) * along).sum(1) / np.maximum((along**2).sum(1), 1e-300), 0.0, 1.0)
    return float(np.linalg.norm(a + t[:, None] * along - p, axis=1).min())


@cache
def error_of_grids() -> float:
    """Compare f on grids that are not square with single places, and slack paths with small steps up the gradient."""
    off, u, v = 0.0, np.array([-1.0, 0.5, 2.0]), np.array([0.0, 1.5])
    for e in solutions()[:3]:
        places = np.array([[a, b] for b in v for a in u])
        at = np.linspace(-1.5, 1.5, 4)
        top_down = np.array([[a, b] for b in at[::-1] for a in at])
        off = max(
            off,
            difference(decision_grid(e, u, v), decision(e, places).reshape(2, 3)),
            difference(value_grid(e, 1.5, 4), decision(e, top_down).reshape(4, 4)),
        )
    e = solutions()[1]  # the Gaussian kernel with sigma = 1.3
    X, y, a = e.problem.data.X, e.problem.data.y, e.alpha * e.problem.data.y

    def value_and_slope(Z: Array) -> tuple[Array, Array]:
        k = np.exp(-0.5 * ((Z[:, None] - X) ** 2).sum(2) / 1.3**2) * a
        return k.sum(1) + e.b, (k[:, :, None] * (X - Z[:, None])).sum(1) / 1.3**2

    rows = np.flatnonzero(1.0 - y * decision(e, X) > 1e-6)
    z, steps = X[rows].copy(), 400
    start = value_and_slope(z)[0]
    rise = (y[rows] - start)[:, None] / steps
    positions = [z]
    for _ in range(steps):  # midpoint steps along which f rises by equal parts
        slope = value_and_slope(z)[1]
        middle = value_and_slope(z + 0.5 * rise * slope / (slope**2).sum(1, keepdims=True))[1]
        z = z + rise * middle / (middle**2).sum(1, keepdims=True)
        positions.append(z)
    reached = (np.abs(value_and_slope(z)[0] - y[rows]) < 1e-4) & (np.abs(z) < 5.0).all(1)
    for count in (24, 3):
        paths = slack_paths(e, 6.0, count)
        for k in np.flatnonzero(reached).tolist():
            path = paths.get(int(rows[k]))
            if path is None:
                return math.inf
            off = max(off, difference(path[0], X[rows[k]]))
            off = max(off, rough(abs(float(value_and_slope(path[-1:])[0][0] - y[rows[k]]))))
            if count == 24:
                off = max(off, rough(max(_to_path(each[k], path) for each in positions[:-40:40]), 0.005))
    coefficients = np.array([0.5, -1.0, 0.0, 0.0, 0.8, 0.0, -0.3, 0.0, 0.0])
    lines = zero_lines(Gaussian(1.3), X, coefficients, 3.0)
    for places in lines:
        sums = np.exp(-0.5 * ((places[:, None] - X) ** 2).sum(2) / 1.3**2) @ coefficients
        off = max(off, rough(float(np.abs(sums).max()), 1e-3))  # the lines are straight within a cell
    same = Dataset([[1.0, 0.5], [0.0, 2.0]], [1, 1])
    flat = draw_solution(binary.solve(Problem(same, Linear(), 1.0)), 2.0, 5)
    empty = len(flat.zero) == len(flat.plus) == len(flat.minus) == len(flat.slack) == 0 and flat.noise == math.inf
    return max(
        off,
        0.0 if reached.any() and lines and empty else 1.0,
        difference(flat.values, np.full((5, 5), flat.values[0, 0])),
        0.0 if zero_lines(Linear(), X, np.zeros(9), 3.0) == () else 1.0,
    )


@cache
def error_of_reduced_hulls() -> float:
    """Compare how far a reduced hull reaches in every direction with the farthest of all weights that it allows."""
    off, angles, rng = 0.0, np.linspace(0.0, 2.0 * math.pi, 721), np.random.Generator(np.random.Philox(4))
    directions = np.array([np.cos(angles), np.sin(angles)])
    for ceiling, weights in (
        (0.4, (0.4, 0.4, 0.2, 0.0, 0.0)),
        (0.25, (0.25,) * 4 + (0.0,)),
        (1.0, (1.0,) + (0.0,) * 4),
    ):
        vertices = reduced_hull(POINTS, ceiling)
        allowed = np.array([np.array(w) @ POINTS for w in set(permutations(weights))])
        off = max(off, difference((vertices @ directions).max(0), (allowed @ directions).max(0)))
        a, b, c = vertices, np.roll(vertices, -1, 0), np.roll(vertices, -2, 0)
        cross_products = (b - a)[:, 0] * (c - b)[:, 1] - (b - a)[:, 1] * (c - b)[:, 0]
        off = max(off, 0.0 if (cross_products > 0).all() else 1.0)
    boards = [np.round(rng.standard_normal((n, 2)), 1) for n in (5, 8, 12)]
    for P, ceiling in ((boards[0], 0.35), (boards[1], 0.15), (boards[1], 0.55), (boards[2], 0.3)):
        heights = np.sort(P @ directions, axis=0)[::-1]
        weights = np.clip(1.0 - ceiling * np.arange(len(P)), 0.0, ceiling)  # the farthest points get the most
        off = max(off, difference((reduced_hull(P, ceiling) @ directions).max(0), weights @ heights))
    return off

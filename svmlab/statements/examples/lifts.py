"""Lifts of the plane into space: heights, planes there, and the lines in which they cut the lifted surface."""

from __future__ import annotations

import math
from functools import cache
from itertools import product

import numpy as np

from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.kernels.features.lift import Height, Lift, Plane, is_mostly_on_axis, real_roots
from svmlab.statements.examples.differences import difference, rough, slopes_by_differences

PLACES = np.array([[0.5, -1.0], [2.0, 0.75], [-1.25, 1.5], [0.25, 2.0], [-0.75, -0.5]])


def height(kind: Height, x: list[float]) -> float:
    """Return |x|^2, |x| or the sum of the cubes, for the coordinates that count."""
    square = sum(v * v for v in x)
    return {"square": square, "norm": math.sqrt(square), "cube": sum(v**3 for v in x)}[kind]


@cache
def error_of_lifts() -> float:
    """Compare features, slopes, thresholds, level lines and circles of lifts with their definitions."""
    off = 0.0
    kinds: tuple[Height, ...] = ("square", "norm", "cube")
    for kind, flat in product(kinds, (False, True)):
        lift = Lift(kind, flat)

        def heights(P: Array, kind: Height = kind, flat: bool = flat) -> Array:
            return np.array([height(kind, x[:1] if flat else x) for x in P.tolist()])

        raised = np.c_[PLACES[:, :1] if flat else PLACES, heights(PLACES)]
        data = Dataset(PLACES, [1, -1, 1, 1, -1])
        off = max(
            off,
            difference(lift.heights(PLACES), heights(PLACES)),
            difference(lift.features(PLACES), raised),
            difference(lift.raised(data).X, raised),
            difference(lift.raised(data).y, data.y),
            rough(difference(lift.slopes(PLACES), slopes_by_differences(heights, PLACES))),
        )
        for w, b in ((np.array([0.5, -0.25, 1.0]), -1.45), (np.array([-1.0, 0.5, -0.75]), 1.0)):
            normal = np.delete(w, 1) if flat else w
            plane = Plane(lift, normal, b)
            f = raised @ normal + b
            off = max(off, difference(plane.f(PLACES), f))
            space = np.r_[normal[0], 0.0 if flat else w[1], normal[-1], b]
            off = max(off, difference(plane.normal, space))
            for level, lines in zip((0.0, 0.5), plane.levels(3.0, (0.0, 0.5)), strict=True):
                for polyline in lines:
                    points = np.c_[polyline[:, :1] if flat else polyline, heights(polyline)]
                    off = max(off, rough(difference(points @ normal + b, np.full(len(polyline), level)), 1e-6))
                at = np.linspace(-2.97, 2.98, 97)
                row = np.c_[at, np.full(97, 0.2)]
                g = np.c_[row[:, :1] if flat else row, heights(row)] @ normal + b - level
                crossings = at[:-1][g[:-1] * g[1:] < 0]
                vertices = np.vstack([*lines, np.full((1, 2), 99.0)])
                gaps = [float(np.abs(vertices[:, 0] - x).min()) for x in crossings]
                off = max(off, 0.0 if all(gap < 0.2 for gap in gaps) else 1.0)
                if flat:
                    off = max(off, difference(int((np.abs(plane.thresholds(level)) <= 3.0).sum()), len(lines)))
                    off = max(off, difference(len(crossings), len(lines)))
            for polyline, raised_line in zip(plane.shadow(3.0), plane.zero_line(3.0), strict=True):
                off = max(off, difference(raised_line, np.c_[polyline, heights(polyline)]))
            circle = plane.circle()
            if flat or kind != "square":
                off = max(off, 0.0 if circle is None else 1.0)
                continue
            assert circle is not None
            around = circle[0] + circle[1] * np.array([[1.0, 0.0], [0.0, 1.0], [-0.6, 0.8], [0.0, -1.0]])
            off = max(off, difference(np.c_[around, heights(around)] @ w + b, np.zeros(4)))
    roots = real_roots(np.array([1.0, -6.0, 11.0, -6.0])), real_roots(np.array([0.0, 2.0, -2.0, -12.0]))
    on_line = is_mostly_on_axis(np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 1.0]])), is_mostly_on_axis(PLACES)
    return max(
        off,
        rough(difference(np.r_[roots[0], roots[1]], (1.0, 2.0, 3.0, -2.0, 3.0))),
        difference(1e8 * real_roots(np.array([1.0, -1e8, 1.0]))[0], 1.0),
        difference((len(real_roots(np.array([1.0, 0.0, 1.0]))), *on_line), (0, True, False)),
        0.0 if Plane(Lift(), np.array([0.0, 0.0, 1.0]), 1.0).circle() is None else 1.0,
    )

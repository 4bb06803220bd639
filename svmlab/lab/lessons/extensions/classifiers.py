"""What steps draw of one-vs-rest: the boundary of each class, and the region where no f is positive."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from svmlab import Solution
from svmlab.core.arrays import Array
from svmlab.lab.session.controls import CLASSES, LABELS
from svmlab.lab.teach.overlay import boundary_strokes, stroke
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data
from svmlab.plane.contours import value_grid

WIDE = 3.0  # px of the boundary of the selected class
NEGLIGIBLE, ROUNDING = 1e-9, 100.0  # of f if C is large enough for a line, and times the rounding error of f
SPACING = 5  # nodes of the grid between two lines of a hatching


def class_values(stage: Stage) -> Array:
    """Return f of each class over the view, shape (k, n, n), row 0 at the top."""
    half = stage.lab.view
    return stage.cached(f"f of all {half}", lambda: np.stack([value_grid(s, half) for s in stage.machines.machines]))


def colour_index(k: int) -> int:
    """Return the position of class k among the colours of the board."""
    return LABELS[CLASSES].index(k)


def boundaries(stage: Stage, selected: int | None = None) -> list[Data]:
    """Return where f = 0 for each class, in the colour of the class. The boundary of the selected class is wide."""
    return [
        item | ({"width": WIDE} if k == selected else {})
        for k, solution in zip(stage.machines.classes, stage.machines.machines, strict=True)
        for item in boundary_strokes(stage, f"class {k}", solution, f"own-{k}")
    ]


def hatching(f: Array, half: float, noise: float) -> list[tuple[int, Array]]:
    """Return diagonal segments (2, 2) where no f (k, n, n) is above `noise`, each with the row of the largest f.

    Row 0 of f is at the top.
    """
    n = f.shape[1]
    coordinates = np.linspace(-half, half, n)
    segments = list[tuple[int, Array]]()
    for offset in range(-n + SPACING, n, SPACING):
        i, j = np.arange(max(0, -offset), min(n, n - offset)), np.arange(max(0, offset), min(n, n + offset))
        on_diagonal = f[:, i, j]
        positions = np.stack([coordinates[j], -coordinates[i]], 1)
        segments += _segments(on_diagonal.max(0) - noise, on_diagonal.argmax(0), positions)
    return segments


def _segments(top: Array, largest: Array, positions: Array) -> list[tuple[int, Array]]:
    """Return the segments where `top` (n,) is at most 0 and `largest` (n,) is constant, with interpolated ends.

    positions: (n, 2).
    """
    is_negative = top <= 0
    changes = np.flatnonzero((is_negative[1:] != is_negative[:-1]) | (largest[1:] != largest[:-1])) + 1
    return [
        (int(largest[a]), np.stack([_end(top, positions, a, a - 1), _end(top, positions, b - 1, b)]))
        for a, b in pairwise([0, *changes.tolist(), len(top)])
        if is_negative[a]
    ]


def _end(top: Array, positions: Array, inside: int, outside: int) -> Array:
    """Return where `top` crosses 0 between two neighbours, or halfway if another f becomes the largest there.

    At the rim it is the last position.
    """
    if not 0 <= outside < len(top):
        return np.asarray(positions[inside])
    rise = top[outside] - top[inside]
    fraction = -top[inside] / rise if top[outside] > 0 and rise > 0 else 0.5
    return np.asarray(positions[inside] + fraction * (positions[outside] - positions[inside]))


def is_constant(solution: Solution) -> bool:
    """Return whether f is constant up to the rounding error of f, and of a w no longer than C sum |x|."""
    problem, reach = solution.problem, float(np.abs(solution.problem.data.X).max(initial=0.0))
    negligible = NEGLIGIBLE * min(1.0, problem.C * problem.data.m * reach)
    return solution.norm_w * max(reach, 1.0) <= max(ROUNDING * solution.noise, negligible)


def hatched(segments: list[tuple[int, Array]], classes: tuple[int, ...]) -> list[Data]:
    """Return the segments of a hatching as items of an overlay, in the colours of the classes."""
    return [stroke(ends, f"own-{classes[row]}") for row, ends in segments]

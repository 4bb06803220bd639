"""What steps draw of the machines of several classes: their boundaries, who says yes where, and where nobody does."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from svmlab import Solution
from svmlab.core.arrays import Array
from svmlab.lab.session.controls import CLASSES, LABELS
from svmlab.lab.teach.overlay import boundary_strokes, stroke
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data
from svmlab.plane.contours import value_grid

WIDE = 3.0  # px of the boundary of the machine that is looked at
DUST, ROUNDING = 1e-9, 100.0  # of f where C is large enough for a line, and times the round-off of f: 0 all the same
APART = 5  # nodes of the grid between two lines of a hatching


def values(stage: Stage) -> Array:
    """F of each machine over the view, shape (k, n, n), row 0 at the top."""
    half = stage.lab.view
    return stage.cached(f"f of all {half}", lambda: np.stack([value_grid(s, half) for s in stage.machines.machines]))


def place(k: int) -> int:
    """Where class k stands among the colours of the board."""
    return LABELS[CLASSES].index(k)


def boundaries(stage: Stage, chosen: int | None = None) -> list[Data]:
    """Where each machine says neither yes nor no, in the colour of its class; that of `chosen` wide."""
    return [
        item | ({"width": WIDE} if k == chosen else {})
        for k, machine in zip(stage.machines.classes, stage.machines.machines, strict=True)
        for item in boundary_strokes(stage, f"machine {k}", machine, f"own-{k}")
    ]


def hatching(f: Array, half: float, noise: float) -> list[tuple[int, Array]]:
    """Where no f (k, n, n), row 0 at the top, is above `noise`: the row of the largest, and a stretch (2, 2) of a
    falling diagonal.
    """
    n = f.shape[1]
    at = np.linspace(-half, half, n)
    found = list[tuple[int, Array]]()
    for offset in range(-n + APART, n, APART):
        i, j = np.arange(max(0, -offset), min(n, n - offset)), np.arange(max(0, offset), min(n, n + offset))
        along = f[:, i, j]
        spots = np.stack([at[j], -at[i]], 1)
        found += _stretches(along.max(0) - noise, along.argmax(0), spots)
    return found


def _stretches(top: Array, which: Array, spots: Array) -> list[tuple[int, Array]]:
    """Where `top` (n,) is not above 0 and `which` (n,) is the same, between neighbouring places `spots` (n, 2), ends
    interpolated.
    """
    no = top <= 0
    turns = np.flatnonzero((no[1:] != no[:-1]) | (which[1:] != which[:-1])) + 1
    found = []
    for a, b in pairwise([0, *turns.tolist(), len(top)]):
        if no[a]:
            found.append((int(which[a]), np.stack([_end(top, spots, a, a - 1), _end(top, spots, b - 1, b)])))
    return found


def _end(top: Array, spots: Array, inside: int, outside: int) -> Array:
    """Where `top` crosses 0 on the way out; half the way where another f becomes the largest; the last place at the
    rim.
    """
    if not 0 <= outside < len(top):
        return np.asarray(spots[inside])
    rise = top[outside] - top[inside]
    part = -top[inside] / rise if top[outside] > 0 and rise > 0 else 0.5
    return np.asarray(spots[inside] + part * (spots[outside] - spots[inside]))


def hatched(stretches: Sequence[tuple[int, Array]], classes: Sequence[int]) -> list[Data]:
    """The same as items of an overlay, in the colours of the classes."""
    return [stroke(ends, f"own-{classes[which]}") for which, ends in stretches]


def level(solution: Solution) -> bool:
    """Whether f is the same everywhere, up to round-off: of f, and of a w no longer than C sum |x|."""
    problem, reach = solution.problem, float(np.abs(solution.problem.data.X).max(initial=0.0))
    nothing = DUST * min(1.0, problem.C * problem.data.m * reach)
    return solution.norm_w * max(reach, 1.0) <= max(ROUNDING * solution.noise, nothing)

"""Where the points of a board come from: draws of the two blobs are known again by their points, all others are nobody's (G0)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from svmlab.generalisation import Blobs
from svmlab.lab.session import state
from svmlab.lab.session.state import Lab, Point

FLIPS = (0.0, 0.1, 0.3)  # the shares of flipped labels that are known again
SEEDS = 100  # so many draws are known again; after the last comes the first
FIRST = 3  # the draw to begin with: its errors are near the mean of many draws


@dataclass(frozen=True)
class Source:
    """The blobs that a board was drawn from, and the seed of the draw."""

    blobs: Blobs
    seed: int


def drawn(m: int, eta: float, seed: int, **settings: Any) -> Lab:
    """The draw of m points with this seed as a board, in thousandths, and the machine."""
    points = _points(m, eta, seed)
    return replace(Lab(), points=points, view=state.fit(points), **settings)


def source(lab: Lab) -> Source | None:
    """The source of a board that is a draw of the blobs as it came; None where a point was moved, added or taken away."""
    if not lab.points:
        return None
    seed = _by_first().get(lab.points[0][1:3])
    rows = [p[1:] for p in lab.points]
    for eta in FLIPS if seed is not None else ():
        if [p[1:] for p in _points(len(rows), eta, seed or 0)] == rows:
            return Source(Blobs(eta=eta), seed or 0)
    return None


def again(lab: Lab) -> Lab:
    """The next draw of as many points with as many flips, in the place of a board's points; 60 with .1 where it is no draw."""
    now = source(lab)
    points = _points(60, 0.1, FIRST) if now is None else _points(len(lab.points), now.blobs.eta, (now.seed + 1) % SEEDS)
    return replace(lab, points=points, view=state.fit(points), selected=None)


def _points(m: int, eta: float, seed: int) -> tuple[Point, ...]:
    data = Blobs(eta=eta).draw(m, seed)
    rows = np.rint(1000 * data.X).astype(int).tolist()
    return tuple(
        Point(i, x, y, int(label)) for i, ((x, y), label) in enumerate(zip(rows, data.y, strict=True), start=1)
    )


@cache
def _by_first() -> Mapping[tuple[int, int], int]:
    """The seed of a draw by its first place: neither the number of points nor the flips change that."""
    return {(p.x, p.y): seed for seed in range(SEEDS) for p in _points(1, 0.0, seed)}

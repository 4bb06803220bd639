"""Which draw of which source the points of a board are, and boards with another draw in their place."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from svmlab.generalisation import Drawn, PresetSource, Source, drawn, rows
from svmlab.generalisation.sources import SEEDS
from svmlab.lab.session.state import Lab, Point, smallest_view

_drawn = lru_cache(64)(drawn)


def find_source(lab: Lab) -> Drawn | None:
    """The draw that at least half of the points are from; None where nobody knows.

    What the points are says it alone, so that link, undo and a drag need not carry it.
    """
    return _drawn(tuple(p[1:] for p in lab.points), lab.preset, lab.size, lab.noise, lab.seed)


def with_sample(lab: Lab, source: Source, m: int, seed: int) -> Lab:
    """The board with a draw of m points in the place of its own."""
    points = tuple(Point(i, *row) for i, row in enumerate(rows(source.draw(m, seed)), start=1))
    drawn_now = replace(lab, points=points, size=m, seed=seed, selected=None, view=smallest_view(points))
    return replace(drawn_now, preset=source.name, noise=source.noise) if isinstance(source, PresetSource) else drawn_now


def with_next_sample(lab: Lab) -> Lab:
    """The next draw of as many points from where those of a board come from; after the last known again comes the
    first.

    A board whose points come from nowhere stays.
    """
    now = find_source(lab)
    return lab if now is None else with_sample(lab, now.source, len(lab.points), (now.seed + 1) % SEEDS)

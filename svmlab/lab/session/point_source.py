"""Find the source and the seed from which the points of a board were drawn, and replace them by another sample."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from svmlab.generalisation import IdentifiedSample, PresetSource, Source, board_rows, identify_sample
from svmlab.generalisation.sources import KNOWN_SEEDS
from svmlab.lab.session.lab import Lab, Point, smallest_view

_drawn = lru_cache(64)(identify_sample)


def find_source(lab: Lab) -> IdentifiedSample | None:
    """Return the source and seed from which at least half of the points were drawn, or None if they are unknown.

    They are found from the points alone, so that a link, undo and a drag need not carry them.
    """
    return _drawn(tuple(p[1:] for p in lab.points), lab.preset, lab.size, lab.noise, lab.seed)


def with_sample(lab: Lab, source: Source, m: int, seed: int) -> Lab:
    """Return the board with a sample of m points from the source instead of its own points."""
    points = tuple(Point(i, *row) for i, row in enumerate(board_rows(source.draw(m, seed)), start=1))
    sampled = replace(lab, points=points, axes=None, size=m, seed=seed, selected=None, view=smallest_view(points))
    return replace(sampled, preset=source.name, noise=source.noise) if isinstance(source, PresetSource) else sampled


def with_next_sample(lab: Lab) -> Lab:
    """Return the board with the next sample of the same size from its source.

    After the last known seed the first one follows. A board whose points have no known source is returned as it is.
    """
    current = find_source(lab)
    return (
        lab if current is None else with_sample(lab, current.source, len(lab.points), (current.seed + 1) % KNOWN_SEEDS)
    )

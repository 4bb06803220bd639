"""Boards whose points are a draw from a known distribution: who they are from, and the true error of the machine on them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from svmlab import Dataset
from svmlab.generalisation import Blobs, Estimate
from svmlab.generalisation.blobs import FRESH
from svmlab.lab.lessons.generalisation.sampled import Sample, rows, source
from svmlab.lab.session.state import Lab, Point, fit
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Need
from svmlab.lab.words import N_

FAINT = 300  # fresh points that are drawn
AT_HAND = 2_000  # by which an error is measured at every move


def board(lab: Lab, world: Blobs, m: int, seed: int) -> Lab:
    """A draw of m points in place of those of a board."""
    points = tuple(Point(i, *row) for i, row in enumerate(rows(world.draw(m, seed)), start=1))
    return replace(lab, points=points, selected=None, view=fit(points))


def found_source(stage: Stage) -> Sample | None:
    """The draw that the points on the board are from."""
    return stage.for_points("drawn from", lambda: source((p.x, p.y, p.label) for p in stage.lab.points))


KNOWN = Need(
    lambda stage: found_source(stage) is not None,
    N_("Nobody knows what error awaits these points elsewhere. This step needs points from a known distribution."),
    {},
)


def sample(stage: Stage) -> Sample:
    """The same, where the needs are met."""
    found = found_source(stage)
    assert found is not None
    return found


def true_error(stage: Stage) -> Estimate:
    """Its error on the distribution; while something moves, that of a machine that is no line by fewer points."""
    n = AT_HAND if stage.moving else FRESH
    return stage.once(f"true error {n}", lambda: sample(stage).world.true_error(stage.solution, n))


@cache
def unseen(world: Blobs) -> Dataset:
    """The fresh points behind the board's own."""
    return world.fresh(FAINT)

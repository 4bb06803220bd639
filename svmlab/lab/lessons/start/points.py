"""Two kinds of points, and a new one: which kind is it?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab.core.arrays import Array
from svmlab.lab.charts.rows import rows_chart
from svmlab.lab.lessons.start.street import BOARD, POINTS_ALONE, SCENE, STREET, names, the_line
from svmlab.lab.numbers import ROUNDING
from svmlab.lab.teach.overlay import boundary_line, dial, reading, select_point, set_dials, stroke
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Op, Reading, Step, Try
from svmlab.lab.words import N_, _

HERE = 0.3  # of the way from the middle of the discs to the middle of the squares


def middles(stage: Stage) -> Array:
    """The middle of the discs and the middle of the squares, (2, 2)."""
    X, y = stage.data.X, stage.data.y
    return np.stack([X[y > 0].mean(0), X[y < 0].mean(0)])


def way(stage: Stage) -> float:
    """How far the new one has gone from the discs to the squares."""
    return stage.dial("new", HERE)


def newcomer(stage: Stage) -> Array:
    """Where the new one lies."""
    start, end = middles(stage)
    return start + way(stage) * (end - start)


def answer(stage: Stage) -> int:
    """On which side of the line it lies."""
    margin = float(boundary_line(stage).margins(newcomer(stage)[None], np.ones(1))[0])
    return 2 if abs(margin) <= ROUNDING else 0 if margin > 0 else 1


def verdict(stage: Stage) -> str:
    """What the machine says of it."""
    return (
        _("A disc: it lies on the discs' side of the line."),
        _("A square: it lies on the squares' side of the line."),
        _("Neither: it lies on the line itself."),
    )[answer(stage)]


def draw(stage: Stage) -> Data:
    """The new one as a ring, in the colour of its side once the line is there."""
    place, half = newcomer(stage), stage.lab.view
    style = ("plus", "minus", "accent")[answer(stage)] if stage.shown else "accent"
    slider = dial("new", _("Where the new one lies"), _("new one"), way(stage), 0.0, 1.0, 0.01)
    ring = [stroke(np.r_[place, r * half], style, "disc") for r in (0.045, 0.02)]
    seen = {**SCENE, "lines": the_line(boundary_line(stage), stage)} if stage.shown else POINTS_ALONE
    return {**seen, "overlay": ring, "sliders": [slider]}


def numbers(stage: Stage) -> Sequence[Reading]:
    """How far the nearest of each kind is."""
    apart = ways(stage)
    y = stage.data.y
    return [
        reading(_("nearest disc"), float(apart[y > 0].min())),
        reading(_("nearest square"), float(apart[y < 0].min())),
    ]


def ways(stage: Stage) -> Array:
    """From the new one to every point."""
    return np.hypot(*(stage.data.X - newcomer(stage)).T)


def chart(stage: Stage) -> Chart:
    """All points by their distance to the new one."""
    chosen, label = stage.lab.selected, _("distance to the new one")
    return Chart(rows_chart(ways(stage), stage.data, chosen, {}, label, names(), stage.palette), select_point)


def to_the_line(stage: Stage) -> Op:
    """The new one on the line."""
    start, end = boundary_line(stage).margins(middles(stage), np.ones(2))
    return set_dials(new=float(start / (start - end)))


POINTS = Step(
    key="points",
    title=N_("Two kinds of points"),
    question=N_(
        "Somebody has sorted these points: some are **discs**, the others **squares**. A new one lies at the ring. "
        "Which kind is it?"
    ),
    choices=(
        Choice(N_("A disc"), N_("The squares' side begins where it has gone already.")),
        Choice(N_("A square"), N_("It has not come as far as the squares' side.")),
        Choice(N_("Nobody can tell"), N_("Not for certain. But where it lies speaks for one kind.")),
    ),
    answer=answer,
    verdict=verdict,
    board=BOARD,
    needs=STREET,
    draw=draw,
    play=lambda stage: {"key": "new", "op": "dial", "from": 0.0, "to": 1.0, "ms": 3000, "back": True},
    numbers=numbers,
    chart=chart,
    says=N_(
        "The machine has drawn a line between the two kinds. Slide the new one across it: the answer changes there."
    ),
    tries=(
        Try(N_("Among the squares"), set_dials(new=0.9)),
        Try(N_("On the line"), to_the_line),
    ),
    shows=(),
)

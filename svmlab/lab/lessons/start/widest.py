"""A line that is turned, with its empty street, and the widest street of all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab.lab.lessons.start.street import BOARD, POINTS_ALONE, SCENE, STREET, across
from svmlab.lab.teach.overlay import boundary_line, dial, line_strokes, reading, set_dials
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Op, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line, widest_with_normal

BESIDE = 18.0  # degrees from the widest street, to begin with


def peak(stage: Stage) -> float:
    """How the widest street lies, in degrees from the horizontal, 0 to 180."""
    w = boundary_line(stage).w
    return float((np.degrees(np.arctan2(w[1], w[0])) - 90.0) % 180.0)


def tilt(stage: Stage) -> float:
    """How the line lies."""
    return stage.dial("tilt", (peak(stage) + BESIDE) % 180.0)


def turned(stage: Stage) -> tuple[Line, float]:
    """The best line that lies so, discs on whichever side suits them, and half the width of its street."""
    ways = (float(np.radians(tilt(stage) + side)) for side in (90.0, -90.0))
    return max((widest_with_normal(stage.data.X, stage.data.y, way) for way in ways), key=lambda found: found[1])


def draw(stage: Stage) -> Data:
    """The line with its street; behind it, once shown, the widest."""
    half, (line, room) = stage.lab.view, turned(stage)
    overlay = line_strokes(line, half, "accent")
    if room > 0:
        overlay += [item for t in (room, -room) for item in line_strokes(line.shifted(t), half, "accent dashed")]
    slider = dial("tilt", _("Turn the line"), _("turn"), tilt(stage), 0.0, 180.0, 1.0, "°")
    return {**(SCENE if stage.shown else POINTS_ALONE), "overlay": overlay, "sliders": [slider]}


def numbers(stage: Stage) -> Sequence[Reading]:
    """How wide the street is, and, once shown, the widest."""
    room = turned(stage)[1]
    readings = [reading(_("this street is wide"), 2 * room if room > 0 else _("not at all"))]
    return [*readings, reading(_("the widest"), 2 / stage.solution.norm_w)] if stage.shown else readings


def chart(stage: Stage) -> Chart:
    """The points on both sides of the line and of its street."""
    return across(stage, *turned(stage))


def turn_beside(stage: Stage) -> Op:
    """The line a little beside the widest street."""
    return set_dials(tilt=(peak(stage) + 8.0) % 180.0)


WIDEST = Step(
    key="widest",
    title=N_("The widest street"),
    question=N_(
        "Turn the line: the empty street around it follows. The points may be measured a little wrongly: **which line "
        "leaves the most room for that?**"
    ),
    choices=(
        wrong(N_("One close to the discs"), N_("A disc measured a little wrongly is across at once.")),
        wrong(N_("One close to the squares"), N_("A square measured a little wrongly is across at once.")),
        right(N_("The middle of the widest street")),
    ),
    verdict=lambda stage: _("The middle of the widest street, which both kinds touch."),
    board=BOARD,
    needs=STREET,
    draw=draw,
    play=lambda stage: {"key": "tilt", "op": "dial", "to": peak(stage), "ms": 2200},
    numbers=numbers,
    chart=chart,
    says=N_("There is exactly one widest street, and finding it is what a **support vector machine** does."),
    tries=(
        Try(N_("The widest"), lambda stage: set_dials(tilt=peak(stage))),
        Try(N_("A little beside"), turn_beside),
    ),
    shows=(),
)

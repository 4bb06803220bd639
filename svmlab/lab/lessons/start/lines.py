"""A line placed by hand, and all the others that separate too."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab.lab.lessons.start.street import BOARD, POINTS_ALONE, STREET, across
from svmlab.lab.teach.overlay import boundary_line, dial, line_strokes, set_dials
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line, widest_with_normal
from svmlab.statements.geometry import widest_margins

START = ((-3.0, -1.4), (3.0, 0.6))
FAN = 24  # lines that are drawn
TURNS = np.radians(np.arange(0.5, 180.0, 0.5))  # how far the machine's line is turned


def own_line(stage: Stage) -> Line:
    """The line through the handles."""
    return Line.through(*(stage.hand or START))


def strangers(stage: Stage) -> int:
    """How many points are on the wrong side of it, or on it, whichever side is whose."""
    margins = own_line(stage).margins(stage.data.X, stage.data.y)
    return int(min((margins <= 0).sum(), (margins >= 0).sum()))


def fan(stage: Stage) -> Sequence[Line]:
    """Lines of `FAN` directions that separate, each in the middle of its gap."""

    def make() -> Sequence[Line]:
        w, X, y = boundary_line(stage).w, stage.data.X, stage.data.y
        peak = float(np.arctan2(w[1], w[0]))

        def room(way: int) -> float:
            angles = peak + way * TURNS
            inside = widest_margins(X, y, np.stack([np.cos(angles), np.sin(angles)], 1), True) > 0
            return float(TURNS[inside.argmin()])  # with both classes no line separates that is turned round

        turns = np.linspace(-room(-1), room(1), FAN + 2)[1:-1]
        return [widest_with_normal(X, y, peak + turn)[0] for turn in turns.tolist()]

    return stage.cached_for_points("fan", make)


def many(stage: Stage) -> int:
    """How many of them are drawn."""
    return round(stage.dial("lines", FAN if stage.shown else 0))


def draw(stage: Stage) -> Data:
    """The line with its handles, and the others once shown."""
    a, b = stage.hand or START
    data: Data = {**POINTS_ALONE, "hand": {"a": a, "b": b}, "tool": "line"}
    if not stage.shown:
        return data
    slider = dial("lines", _("How many lines are drawn"), _("lines"), many(stage), 0, FAN, 1)
    overlay = [item for line in fan(stage)[: many(stage)] for item in line_strokes(line, stage.lab.view, "faint")]
    return {**data, "overlay": overlay, "sliders": [slider]}


def numbers(stage: Stage) -> Sequence[Reading]:
    """The mistakes of the line placed by hand, and of the others."""
    n, m = strangers(stage), len(stage.lab.points)
    readings = [Reading(_("on the wrong side of yours"), _("{n} of {m}").format(n=n, m=m), str(n))]
    return [*readings, Reading(_("of any other"), "0", "0")] if stage.shown else readings


LINES = Step(
    key="lines",
    title=N_("Many lines separate them"),
    question=N_(
        "Drag the two ends of the line until all discs lie on one side and all squares on the other. **How many such "
        "lines are there?**"
    ),
    choices=(
        wrong(N_("One"), N_("Turn it a little: it still separates, and it is another line.")),
        wrong(N_("A few"), N_("Between any two of them there are others.")),
        right(N_("Any number of them")),
    ),
    verdict=lambda stage: _("Any number: turned or moved a little, a line separates still."),
    board=BOARD,
    needs=STREET,
    draw=draw,
    play=lambda stage: {"key": "lines", "op": "dial", "from": 0, "to": FAN, "ms": 2200},
    numbers=numbers,
    chart=lambda stage: across(stage, own_line(stage), 0.0),
    says=N_("None of them is wrong on these points. On a new one they disagree: **which one should we take?**"),
    tries=(
        Try(N_("Three lines"), set_dials(lines=3)),
        Try(N_("All lines"), set_dials(lines=FAN)),
    ),
    shows=(),
)

"""No line separates any more: a street that some stand in, and what they pay for it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab.core.arrays import Array
from svmlab.lab.board.payload import point_marks, sliders
from svmlab.lab.lessons.start.street import POINTS_ALONE, ROWS, across
from svmlab.lab.session.controls import EDGE
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import boundary_line, reading, set_machine
from svmlab.lab.teach.requirements import BIAS, BOTH_CLASSES, LINE_EXISTS, LINEAR, NONZERO_W, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Need, Op, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _

NO_LINE = Need(
    lambda stage: not LINE_EXISTS.is_met(stage),
    N_("A line separates these points, so nobody has to stand in the street."),
    {},
)
HOME = 1.5  # half streets from the line, where nobody pays
FARTHER = 0.6


def dearest(stage: Stage) -> int:
    """The row of the point that pays most."""
    return int(stage.solution.xi.argmax())


def across_by(stage: Stage, way: float) -> Array:
    """Where the dearest would be with its side of the street `way` half streets nearer."""
    row, line = dearest(stage), boundary_line(stage)
    x = stage.data.X[row] + way / stage.solution.norm_w * stage.data.y[row] * line.normal
    return np.clip(x, -EDGE / 1000, EDGE / 1000)


def home(stage: Stage) -> Array:
    """Where the dearest would pay nothing."""
    return across_by(stage, HOME - float(stage.solution.margins[dearest(stage)]))


def draw(stage: Stage) -> Data:
    """The street with those who stand in it, and its price, once shown."""
    if not stage.shown:
        return POINTS_ALONE
    seen = point_marks(stage.solution, with_values=False)
    price = sliders(stage.lab)[0] | {"label": _("price")}
    return {"marks": seen, "legend": None, "sliders": [price] if stage.lab.face == "C" else []}


def numbers(stage: Stage) -> Sequence[Reading]:
    """How wide the street is and what is paid, once shown."""
    if not stage.shown:
        return ()
    xi = stage.solution.xi
    return [
        reading(_("the street is wide"), 2 / stage.solution.norm_w),
        reading(_("the dearest pays"), float(xi.max())),
        reading(_("all together"), float(xi.sum())),
    ]


def play(stage: Stage) -> Data:
    """The dearest comes over from its own side."""
    x, y = home(stage)
    return {"point": stage.lab.points[dearest(stage)].id, "from": [float(x), float(y)], "ms": 2600}


def farther(stage: Stage) -> Op:
    """The dearest farther into the others."""
    x, y = across_by(stage, -FARTHER)
    return {"op": "move", "id": stage.lab.points[dearest(stage)].id, "x": float(x), "y": float(y)}


OVERLAP = Step(
    key="overlap",
    title=N_("What if they overlap"),
    question=N_(
        "Now a point stands among the other kind, and no line separates the two any more. **What can the machine do?**"
    ),
    choices=(
        wrong(N_("Give up: there is no street"), N_("No empty one. But a street may have somebody standing in it.")),
        wrong(N_("Leave that point out"), N_("Nobody tells it which are the strange ones. It keeps them all.")),
        right(N_("Keep a street, and let such points pay")),
    ),
    verdict=lambda stage: _("It keeps a street, and whoever stands in it or beyond pays."),
    board=board_of_points((*ROWS, (1.0, -1.6, 1)), value=1.0, selected=17),
    needs=(BOTH_CLASSES, LINEAR, BIAS, SOFT, NO_LINE, SOLVED, NONZERO_W),
    draw=draw,
    play=play,
    numbers=numbers,
    chart=lambda stage: across(stage, boundary_line(stage), 1 / stage.solution.norm_w),
    says=N_(
        "What it pays is its **slack**: how far it stands behind its own edge of the street, counted in half streets. "
        "Drag it and see."
    ),
    tries=(
        Try(N_("Farther in"), farther),
        Try(N_("Low price"), set_machine(face="C", value=0.1)),
        Try(N_("High price"), set_machine(face="C", value=10.0)),
    ),
    shows=(),
)

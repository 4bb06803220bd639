"""No line separates the classes any more: the SVM allows margin violations and penalises their slack."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from svmlab.core.arrays import Array
from svmlab.lab.board.payload import point_marks, sliders
from svmlab.lab.lessons.start.flowers import BOARD, POINTS_ALONE, distance_chart
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.session.controls import EDGE
from svmlab.lab.session.lab import Lab, Point
from svmlab.lab.teach.boards import has_points_of
from svmlab.lab.teach.overlay import boundary_line, set_machine
from svmlab.lab.teach.requirements import BIAS, BOTH_CLASSES, LINE_EXISTS, LINEAR, NONZERO_W, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Measure, Need, Op, Step, Try, right, wrong
from svmlab.lab.words import N_, _

NO_LINE = Need(
    lambda stage: not LINE_EXISTS.is_met(stage),
    N_("A line separates the classes on your board, so no margin violation is necessary."),
    {},
)
START = 1.5  # functional margin from which the point comes at first
FURTHER = 0.6
AMONG_SQUARES = (500, -200, 1)  # one more flower in thousandths, labelled as a disc


def board() -> Lab:
    """Return the flowers with one that lies in the other class, and a soft margin."""
    points = BOARD().points
    more = Point(len(points) + 1, *AMONG_SQUARES)
    return replace(BOARD(), points=(*points, more), hard=False, value=10.0, selected=more.id)


def most_slack(stage: Stage) -> int:
    """Return the row of the point with the largest slack."""
    return int(stage.solution.xi.argmax())


def moved_across(stage: Stage, change: float) -> Array:
    """Return the position of that point after its functional margin has changed, shape (2,)."""
    row, line = most_slack(stage), boundary_line(stage)
    x = stage.data.X[row] + change / stage.solution.norm_w * stage.data.y[row] * line.normal
    return np.clip(x, -EDGE / 1000, EDGE / 1000)


def without_slack(stage: Stage) -> Array:
    """Return a position of that point at which it has no slack, shape (2,)."""
    return moved_across(stage, START - float(stage.solution.margins[most_slack(stage)]))


def situation(stage: Stage) -> str:
    if has_points_of(stage.lab, board):
        return _(
            "One more flower is labelled as a disc, but it lies among the squares (green ring). Perhaps its label "
            "is wrong. Now no line separates the two classes. A point inside the strip or on the wrong side is a "
            "**margin violation**. Its **slack** measures how far the point is from the margin line of its class."
        )
    return _(
        "No line separates the two classes on this board. A point inside the strip or on the wrong side is a "
        "**margin violation**. Its **slack** measures how far the point is from the margin line of its class."
    )


def draw(stage: Stage) -> Data:
    """The SVM with the slack of each point, and its penalty as a slider, once shown."""
    if not stage.shown:
        return POINTS_ALONE
    marks = point_marks(stage.solution, with_values=False)
    penalty = sliders(stage.lab)[0] | {"label": _("penalty"), "inverse": None}
    return {"marks": marks, "legend": None, "sliders": [penalty] if stage.lab.face == "C" else []}


def play(stage: Stage) -> Data:
    """The point with the largest slack comes over from its own side."""
    x, y = without_slack(stage)
    return {"point": stage.lab.points[most_slack(stage)].id, "from": [float(x), float(y)], "ms": 2600}


def verdict(stage: Stage) -> str:
    total = short(float(stage.solution.xi.sum()), noise=ROUNDING)
    return _("It allows margin violations, but penalises them. Here the sum of all slacks is {total}.").format(
        total=total
    )


def move_further(stage: Stage) -> Op:
    """Move that point further into the other class."""
    x, y = moved_across(stage, -FURTHER)
    return {"op": "move", "id": stage.lab.points[most_slack(stage)].id, "x": float(x), "y": float(y)}


OVERLAP = Step(
    key="overlap",
    title=N_("Soft margin and slack"),
    introduces=("slack", "soft-margin"),
    situation=situation,
    question=N_("What does an SVM with a soft margin do if no line separates the two classes?"),
    choices=(
        wrong(
            N_("It stops without a line"),
            N_("No empty strip separates the classes. However, the SVM can use a strip that is not empty."),
        ),
        wrong(
            N_("It deletes the points that do not fit"),
            N_(
                "The other points may be easy to separate. However, any label could be the wrong one, so all points "
                "stay."
            ),
        ),
        right(N_("It allows margin violations, but penalises them")),
    ),
    verdict=verdict,
    board=board,
    needs=(BOTH_CLASSES, LINEAR, BIAS, SOFT, NO_LINE, SOLVED, NONZERO_W),
    draw=draw,
    play=play,
    rests_on_answer=lambda stage: stage.shown and float(stage.solution.xi.max()) > 0,
    numbers=(
        Measure(N_("width"), lambda stage: 2 / stage.solution.norm_w, N_("Margin width"), True),
        Measure(
            N_("largest slack"), lambda stage: float(stage.solution.xi.max()), N_("Largest slack of all points"), True
        ),
        Measure(N_("total slack"), lambda stage: float(stage.solution.xi.sum()), N_("Sum over all points"), True),
    ),
    chart=lambda stage: distance_chart(stage, boundary_line(stage), 1 / stage.solution.norm_w),
    says=N_(
        "The **slack** of a violation is the length of its stroke, divided by half the width. A higher penalty never "
        "gives a larger sum of slacks. Ringed points are the support vectors."
    ),
    more=(
        N_(
            "**The penalty.** The SVM looks for a large margin width and a small sum of slacks, both at once. The "
            "penalty decides how much the slack counts. The slack of a single point can grow if you raise the penalty, "
            "but the sum of all slacks cannot."
        ),
    ),
    tries=(
        Try(N_("Move it further"), move_further),
        Try(N_("Low penalty"), set_machine(face="C", value=1.0)),
        Try(N_("High penalty"), set_machine(face="C", value=100.0)),
    ),
    shows=(),
)

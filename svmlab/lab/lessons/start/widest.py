"""A line that is turned, with the empty strip around it, and the widest strip of all."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from svmlab.lab.lessons.start.flowers import BOARD, POINTS_ALONE, SCENE, SEPARABLE_POINTS, distance_chart
from svmlab.lab.numbers import ROUNDING, rounded_down, short
from svmlab.lab.teach.overlay import boundary_line, line_strokes, set_dials
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Measure, Op, Step, Try, dial, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line, widest_with_normal

BESIDE = 18.0  # degrees from the widest strip before the answer is shown
TURN = 8.0


def best_tilt(stage: Stage) -> float:
    """Return the angle between the line of the SVM and the horizontal in degrees, from 0 to 180."""
    w = boundary_line(stage).w
    return float((np.degrees(np.arctan2(w[1], w[0])) - 90.0) % 180.0)


def tilt(stage: Stage) -> float:
    """Return the angle between the turned line and the horizontal."""
    return stage.dial("tilt", best_tilt(stage) if stage.shown else (best_tilt(stage) + BESIDE) % 180.0)


def turned(stage: Stage) -> tuple[Line, float]:
    """Return the line midway between the classes at this angle, and half the width of its empty strip.

    The discs may be on either side.
    """
    angles = (float(np.radians(tilt(stage) + side)) for side in (90.0, -90.0))
    lines = (widest_with_normal(stage.data.X, stage.data.y, angle) for angle in angles)
    return max(lines, key=lambda line_and_margin: line_and_margin[1])


def draw(stage: Stage) -> Data:
    """The line with its strip, and once shown the line of the SVM."""
    half, (line, margin) = stage.lab.view, turned(stage)
    overlay = line_strokes(line, half, "accent")
    if margin > 0:
        overlay += [item for t in (margin, -margin) for item in line_strokes(line.shifted(t), half, "accent dashed")]
    slider = dial("tilt", _("Angle between the line and the horizontal"), _("angle"), tilt(stage), 0.0, 180.0, 1.0, "°")
    return {**(SCENE if stage.shown else POINTS_ALONE), "overlay": overlay, "sliders": [slider]}


def strip_width(stage: Stage) -> float | str:
    """Return the width of the strip, or words if the line does not separate the classes."""
    margin = turned(stage)[1]
    return 2 * margin if margin > 0 else _("does not separate")


def verdict(stage: Stage) -> str:
    margin = 1 / stage.solution.norm_w
    return _(
        "The middle of the widest strip between classes. The strip is {width} wide, so moves below {half} "
        "(half) are safe."
    ).format(width=short(2 * margin, noise=ROUNDING), half=rounded_down(margin, 4))


def _turn(degrees: float) -> Callable[[Stage], Op]:
    return lambda stage: set_dials(tilt=(best_tilt(stage) + degrees) % 180.0)


WIDEST = Step(
    key="widest",
    title=N_("The largest margin"),
    introduces=("street", "margin-line", "width"),
    situation=N_(
        "The green line lies midway between the classes. If it separates them, the dashed lines are the edges of "
        "the empty strip around it. Turn the green line with the slider, and the strip follows. Suppose that the "
        "measurements are not exact, so each point may really lie a little elsewhere."
    ),
    question=N_(
        "With which separating line can all points move farthest, in any direction, before one of them crosses it?"
    ),
    choices=(
        wrong(
            N_("A line close to the discs"),
            N_(
                "The squares then have plenty of room. However, a smaller move is enough to take a disc across the "
                "line."
            ),
        ),
        wrong(
            N_("A line close to the squares"),
            N_(
                "The discs then have plenty of room. However, a smaller move is enough to take a square across the "
                "line."
            ),
        ),
        right(N_("The middle of the widest strip between classes")),
    ),
    verdict=verdict,
    board=BOARD,
    needs=SEPARABLE_POINTS,
    draw=draw,
    play=lambda stage: {"key": "tilt", "op": "dial", "to": best_tilt(stage), "ms": 2200},
    rests_on_answer=lambda stage: turned(stage)[1] * stage.solution.norm_w > 0.999,
    numbers=(
        Measure(N_("width of the strip"), strip_width, N_("Distance between the two dashed lines")),
        Measure(
            N_("largest width"),
            lambda stage: 2 / stage.solution.norm_w,
            N_("Width of the widest strip between the classes over all directions"),
            True,
        ),
    ),
    chart=lambda stage: distance_chart(stage, *turned(stage)),
    says=N_(
        "The dashed lines are the **margin lines**. The distance between them is the **margin width**. A **support "
        "vector machine** (SVM) finds the line with the largest margin width."
    ),
    tries=(
        Try(N_("8° to one side"), _turn(TURN)),
        Try(N_("8° to the other"), _turn(-TURN)),
    ),
    shows=(),
)

"""Two classes of points, and a new one: which class does it belong to?"""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.lessons.start.flowers import (
    BOARD,
    POINTS_ALONE,
    SCENE,
    SEPARABLE_POINTS,
    distance_chart,
    has_flowers,
    without_margin_lines,
)
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.overlay import boundary_line, stroke
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Dial, Measure, Op, Step, Try
from svmlab.lab.words import N_, _
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import CLEAR

# The position of the new point, from 0 at the mean of the discs to 1 at the mean of the squares.
NEW = Dial(
    "new",
    N_("Position of the new point, from the mean of the discs (0) to the mean of the squares (1)"),
    N_("new point"),
    0.0,
    1.0,
    0.01,
    start=0.3,
)


def class_means(stage: Stage) -> Array:
    """Return the mean of the discs and the mean of the squares, shape (2, 2)."""
    X, y = stage.data.X, stage.data.y
    return np.stack([X[y > 0].mean(0), X[y < 0].mean(0)])


def new_point(stage: Stage) -> Array:
    """Return the new point, shape (2,)."""
    start, end = class_means(stage)
    return start + NEW(stage) * (end - start)


def signed_distance(stage: Stage) -> float:
    """Return the distance of the new point from the line, negative on the side of the squares."""
    return float(boundary_line(stage).margins(new_point(stage)[None], np.ones(1))[0])


def answer(stage: Stage) -> int:
    """Return the class of the side on which the new point lies, or 2 on the line."""
    distance = signed_distance(stage)
    return 2 if abs(distance) <= ROUNDING else 0 if distance > 0 else 1


def situation(stage: Stage) -> str:
    if has_flowers(stage):
        return _(
            "Each point is one iris flower. Its position shows the length (across) and the width (up) of its sepals "
            "(its outer leaves). The origin is (5.5, 3) in cm. Discs are of the species setosa, squares of versicolor. "
            "The double ring is a new flower of unknown species."
        )
    return _(
        "Each point belongs to one of two classes, discs and squares. The double ring is a new point of unknown class."
    )


def verdict(stage: Stage) -> str:
    return (
        _("Disc. The new point lies on the side of the discs, at the distance {distance} from the line."),
        _("Square. The new point lies on the side of the squares, at the distance {distance} from the line."),
        _("Neither, it lies exactly between the two classes. It lies on the line."),
    )[answer(stage)].format(distance=short(abs(signed_distance(stage)), noise=ROUNDING))


def draw(stage: Stage) -> Data:
    """The new point as a ring, with the line and the colour of its side once shown."""
    position, half = new_point(stage), stage.lab.view
    style = ("plus", "minus", "accent")[answer(stage)] if stage.shown else "accent"
    ring = [stroke(np.r_[position, r * half], style, "disc") for r in (0.045, 0.02)]
    scene = {**SCENE, "lines": without_margin_lines(boundary_line(stage), stage)} if stage.shown else POINTS_ALONE
    return {**scene, "overlay": ring}


def nearest(stage: Stage, label: int) -> float:
    """Return the distance of the new point from the nearest point of a class."""
    return float(np.hypot(*(stage.data.X[stage.data.y == label] - new_point(stage)).T).min())


def chart(stage: Stage) -> Chart:
    """All points by their distance from the line, and the new one between the two rows."""
    palette, distances = stage.palette, distance_chart(stage, boundary_line(stage))
    figure, here = distances.figure, signed_distance(stage)
    colour = (palette.plus, palette.minus, palette.accent)[answer(stage)]  # as on the board
    ring = {"size": 15 * palette.stroke, "color": CLEAR, "line": palette.pen(colour, 3)}
    hover = "%{x:.4g}<extra></extra>"
    figure.add_trace(go.Scatter(x=[here], y=[0.5], name="new", mode="markers", marker=ring, hovertemplate=hover))
    end = float(figure.layout.xaxis.range[1])
    return Chart(place_labels(figure, palette, [Label(_("new point"), end, 0.5, colour)]), distances.on_click)


def to_the_line(stage: Stage) -> Op:
    """Put the new point on the line."""
    start, end = boundary_line(stage).margins(class_means(stage), np.ones(2))
    return NEW.to(float(start / (start - end)))


POINTS = Step(
    key="points",
    title=N_("Classifying a new point"),
    introduces=("boundary", "label"),
    situation=situation,
    question=N_("Do you predict that the new point at the double ring is a disc or a square?"),
    choices=(
        Choice(
            N_("Disc"),
            N_("Some discs may be close to the ring. However, the ring does not lie on the side of the discs."),
        ),
        Choice(
            N_("Square"),
            N_("Some squares may be close to the ring. However, the ring does not lie on the side of the squares."),
        ),
        Choice(
            N_("Neither, it lies exactly between the two classes"),
            N_("No prediction is certain. However, the ring lies on one side of the line, so you predict that class."),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=BOARD,
    needs=SEPARABLE_POINTS,
    dials=(NEW,),
    draw=draw,
    play=NEW.play(0.0, 1.0, 3000) | {"back": True},
    rests_on_answer=lambda stage: stage.shown and bool(boundary_line(stage).clipped(stage.lab.view)),
    numbers=(
        Measure(N_("nearest disc"), lambda stage: nearest(stage, 1), N_("Distance from the ring to the nearest disc")),
        Measure(
            N_("nearest square"), lambda stage: nearest(stage, -1), N_("Distance from the ring to the nearest square")
        ),
        Measure(N_("line"), lambda stage: abs(signed_distance(stage)), N_("Distance from the ring to the line"), True),
    ),
    chart=chart,
    says=N_(
        "The line is the *decision boundary*, and the next steps show how to choose it. A new point gets the "
        "class of its side. The chart shows the distances from the line, negative on the side of squares."
    ),
    more=(
        N_(
            "**The flowers.** R. A. Fisher published four measurements of 150 iris flowers in 1936. The first "
            "board of this lesson shows every sixth setosa and every sixth versicolor."
        ),
    ),
    tries=(
        Try(N_("Near the squares"), NEW.to(0.9)),
        Try(N_("On the line"), to_the_line),
    ),
    shows=(),
)

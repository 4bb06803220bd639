"""A line placed by hand, and other lines that separate the classes too."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab.lab.lessons.start.flowers import BOARD, POINTS_ALONE, SEPARABLE_POINTS, distance_chart
from svmlab.lab.teach.overlay import boundary_line, line_strokes
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Dial, Measure, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line, widest_with_normal
from svmlab.statements.geometry import widest_margins

START = np.array([(-0.75, -0.35), (0.75, 0.15)])  # the ends of the line at first, in units of half the board
LINES_DRAWN = 24
TURN_ANGLES = np.radians(np.arange(0.5, 180.0, 0.5))  # angles by which the line of the SVM is turned
DRAWN = Dial(
    "lines", N_("How many lines are drawn"), N_("lines"), 0.0, LINES_DRAWN, 1.0, start=LINES_DRAWN, after_show=True
)


def own_ends(stage: Stage) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the two handles of the line placed by hand."""
    (ax, ay), (bx, by) = (stage.lab.view * START).tolist()
    return stage.hand or ((ax, ay), (bx, by))


def own_line(stage: Stage) -> Line:
    """Return the line through the handles."""
    return Line.through(*own_ends(stage))


def own_errors(stage: Stage) -> int:
    """Return how many points are on the wrong side of it or on it, with either class on either side."""
    margins = own_line(stage).margins(stage.data.X, stage.data.y)
    return int(min((margins <= 0).sum(), (margins >= 0).sum()))


def separating_lines(stage: Stage) -> Sequence[Line]:
    """Return lines of `LINES_DRAWN` directions that separate the classes, each midway between them."""

    def make() -> Sequence[Line]:
        w, X, y = boundary_line(stage).w, stage.data.X, stage.data.y
        best = float(np.arctan2(w[1], w[0]))

        def largest_turn(sign: int) -> float:
            angles = best + sign * TURN_ANGLES
            separates = widest_margins(X, y, np.stack([np.cos(angles), np.sin(angles)], 1), True) > 0
            first_failure = int(separates.argmin())  # the opposite direction separates no two classes
            return float(TURN_ANGLES[first_failure - 1]) if first_failure else 0.0

        turn_angles = np.linspace(-largest_turn(-1), largest_turn(1), LINES_DRAWN + 2)[1:-1]
        return [widest_with_normal(X, y, best + turn)[0] for turn in turn_angles.tolist()]

    return stage.cached_for_points("separating lines", make)


def draw(stage: Stage) -> Data:
    """The line with its handles, and the others once shown."""
    a, b = own_ends(stage)
    others = separating_lines(stage)[: round(DRAWN(stage))] if stage.shown else []
    overlay = [item for line in others for item in line_strokes(line, stage.lab.view, "faint")]
    return {**POINTS_ALONE, "hand": {"a": a, "b": b}, "tool": "line", "overlay": overlay}


def verdict(stage: Stage) -> str:
    if not round(DRAWN(stage)):
        return _("Infinitely many. Each line that separates the classes still does if you turn it a little.")
    drawn = _(
        "Infinitely many. A separating line still separates if you turn it a little. Thin examples on the board: {n}."
    )
    return drawn.format(n=round(DRAWN(stage)))


def says(stage: Stage) -> str:
    if round(DRAWN(stage)) < 2:
        return _(
            "The chart shows the distances from your green line. Move the slider to draw other lines that separate the "
            "points on the board."
        )
    return _(
        "The chart shows the distances from your green line. Every thin line separates the points on the board, but "
        "the thin lines disagree about new points between the classes. Which one is best?"
    )


LINES = Step(
    key="lines",
    title=N_("Separating lines"),
    introduces=("separable",),
    situation=N_(
        "A line **separates** the two classes if all discs lie on one side of it and all squares on the other. "
        "Drag the two white circles on the green line until the line separates the classes. Then move it to a "
        "second separating position. The arrow only marks one side of the line."
    ),
    question=N_("If one line separates the discs from the squares, how many different lines separate them?"),
    choices=(
        wrong(
            N_("Exactly one"),
            N_("One line may look like the only natural choice. However, if you turn it a little, it still separates."),
        ),
        wrong(
            N_("More than one, but only a few"),
            N_("You may find only a few by hand. However, between any two separating lines there are always others."),
        ),
        right(N_("Infinitely many")),
    ),
    verdict=verdict,
    board=BOARD,
    needs=SEPARABLE_POINTS,
    dials=(DRAWN,),
    draw=draw,
    play=DRAWN.play(0.0, LINES_DRAWN, 2200),
    rests_on_answer=lambda stage: round(DRAWN(stage)) > 1,
    numbers=(
        Measure(
            N_("errors of your line"),
            lambda stage: _("{n} of {m}").format(n=own_errors(stage), m=stage.data.m),
            N_("Points on the wrong side of your line, or on it"),
        ),
        Measure(
            N_("errors of a thin line"),
            lambda stage: "0",
            N_("Points on the wrong side of a thin line, or on it"),
            True,
        ),
    ),
    chart=lambda stage: distance_chart(stage, own_line(stage), title=N_("distance from your line")),
    says=says,
    tries=(
        Try(N_("Three lines"), DRAWN.to(3)),
        Try(N_("Hide the thin lines"), DRAWN.to(0)),
    ),
    shows=(),
)

"""Seven places for a point, read from its distances to the three lines (M1, M3, M12)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab.lab.charts.rows import rows_chart
from svmlab.lab.lessons.margin.street import names_of_classes, widest
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import boundary_line, reading, select_point, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINEAR, NONZERO_W, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Op, Reading, Step, Try
from svmlab.lab.words import N_, _
from svmlab.statements.geometry import distances, positions_by_distance

# Every one of the seven places is taken: w = (1/2, 0) and b = 0, so y f is half of y x.
SEVEN = (
    (2.0, 2.0, 1),
    (2.0, -2.0, 1),
    (-2.0, 0.0, -1),
    (1.0, -2.6, 1),
    (0.0, 1.9, 1),
    (-1.0, 0.7, 1),
    (1.6, -1.0, 1),
    (2.0, -0.6, -1),
    (3.0, 0.4, -1),
    (-1.6, 1.6, -1),
    (-1.6, -2.4, -1),
    (3.3, -1.6, 1),
    (3.0, 2.6, 1),
    (-3.2, 1.1, -1),
    (-3.0, -1.5, -1),
)
ON_THE_LINE = board_of_points(((1.0, 0.0, 1), (-1.0, 0.0, -1), (0.0, 0.0, 1)), bias=False, selected=3)  # of M12
AGAINST_IT = board_of_points(((1.0, 0.0, 1), (-1.0, 0.0, -1), (0.0, 0.0, -1)), bias=False, selected=3)


def in_question(stage: Stage) -> int:
    """The row of the selected point, or of the one nearest to the line."""
    return int(abs(stage.solution.margins).argmin()) if stage.selected_row is None else stage.selected_row


def ways(stage: Stage) -> tuple[float, float, float]:
    """The distances of the point in question to its own margin line, the boundary and the other margin line.

    One that the rounding of f explains is 0.
    """
    i, data, line = in_question(stage), stage.data, boundary_line(stage)
    least = stage.solution.noise * widest(stage)

    def way(level: float) -> float:
        d = float(distances(data.X[i : i + 1], line.w, line.b, level * data.y[i])[0])
        return d if d > least else 0.0

    return way(1.0), way(0.0), way(-1.0)


def answer(stage: Stage) -> int:
    """Which of the seven places that is, by these distances alone."""
    own, zero, other = (np.array([d / widest(stage)]) for d in ways(stage))
    return int(positions_by_distance(own, zero, other, max(1e-7, stage.solution.floor))[0])


def verdict(stage: Stage) -> str:
    """The functional margin, and the place that the distances told."""
    places = (
        _("beyond its own margin line"),
        _("on its own margin line"),
        _("in the strip, on its own side"),
        _("on the boundary"),
        _("in the strip, on the wrong side"),
        _("on the other margin line"),
        _("beyond the other margin line"),
    )
    yf = short(float(stage.solution.margins[in_question(stage)]), noise=stage.solution.noise)
    return _("y f = {yf}: {place}.").format(yf=yf, place=places[answer(stage)])


def draw(stage: Stage) -> Data:
    """The perpendicular through the three lines; what would give the answer away comes later."""
    i, line, half = in_question(stage), boundary_line(stage), widest(stage)
    x = stage.data.X[i]
    feet = [line.shifted(t).foot(x) for t in (half, 0.0, -half)]
    feet.sort(key=lambda foot: float((foot - x) @ (foot - x)))
    dots = [stroke(np.r_[foot, 0.011 * stage.lab.view], "accent", "disc") for foot in feet]
    drawn: Data = {
        "overlay": [stroke(np.array([feet[0], x, feet[-1]]), "accent"), *dots],
        "selected": stage.lab.points[i].id,
        "slack": [],
    }
    return drawn if stage.shown else {**drawn, "legend": None, "marks": None}


def numbers(stage: Stage) -> Sequence[Reading]:
    """The three distances and the half width."""
    own, zero, other = ways(stage)
    return [
        reading(_("to its own line"), own),
        reading(_("the boundary"), zero),
        reading(_("the other line"), other),
        reading("1/|w|", widest(stage)),
    ]


def chart(stage: Stage) -> Chart:
    """All points along y f."""
    solution, borders = stage.solution, {-1.0: "dash", 0.0: "solid", 1.0: "dash"}
    point = stage.lab.points[in_question(stage)].id
    label, names = _("functional margin y f"), names_of_classes()
    figure = rows_chart(solution.margins, stage.data, point, borders, label, names, stage.palette)
    return Chart(figure, select_point)


def another(stage: Stage) -> Op:
    """Select the next point by y f."""
    order = stage.solution.margins.argsort(kind="stable").tolist()
    return select_point(stage.lab.points[order[(order.index(in_question(stage)) + 1) % len(order)]].id)


PLACES = Step(
    key="places",
    title=N_("Seven places for a point"),
    question=N_(
        "Look at the selected point and the three lines: its own margin line, the boundary, and the other class's "
        "margin line. Which functional margin must it have?"
    ),
    choices=(
        Choice(N_("y f > 1: beyond its own margin line"), N_("Beyond it, the boundary is more than 1/|w| away.")),
        Choice(N_("y f = 1: on it"), N_("On it, the boundary is exactly 1/|w| away.")),
        Choice(N_("0 < y f < 1: in the strip, right side"), N_("There its own line is nearer than the other.")),
        Choice(N_("y f = 0: on the boundary"), N_("On it, both margin lines are equally near.")),
        Choice(N_("−1 < y f < 0: in the strip, wrong side"), N_("There the other line is nearer than its own.")),
        Choice(N_("y f = −1: on the other margin line"), N_("On it, its own line is 2/|w| away.")),
        Choice(N_("y f < −1: beyond the other margin line"), N_("Beyond it, its own line is over 2/|w| away.")),
    ),
    answer=answer,
    verdict=verdict,
    board=board_of_points(SEVEN, value=0.3, selected=6),
    needs=(BOTH_CLASSES, LINEAR, SOLVED, NONZERO_W, at_most(40)),
    draw=draw,
    numbers=numbers,
    chart=chart,
    says=N_("f grows by 1 over every $1/\\|w\\|$, so distances alone decide. Click a point to see its place."),
    formula=r"\operatorname{dist}(x) = \frac{|f(x)|}{\|w\|}",
    more=lambda stage: [
        _(
            "The four numbers were measured by dropping perpendiculars, without f; the verdict follows from "
            "them. The chart "
            "has y f of every point, from the machine itself."
        ),
        _(
            "A prediction is right where $y f > 0$. Gambosi's slides say *exactly* there, and set $g(0) = +1$: then a "
            "positive point on the boundary is predicted rightly although its margin is 0, and a negative "
            "one, with the same "
            "margin, wrongly. Try both: *+ on the line*, *− on the line*."
        ),
    ],
    tries=(
        Try(N_("Next by y f"), another),
        Try(N_("+ on the line"), board=ON_THE_LINE),
        Try(N_("− on the line"), board=AGAINST_IT),
    ),
    shows=("M1", "M3", "M12"),
)

"""The functional margin of a point, from its distances to the boundary and to the margin lines (M1, M3, M12)."""

from __future__ import annotations

import numpy as np

from svmlab.lab.charts.rows import rows_chart
from svmlab.lab.lessons.margin.flowers import class_names, largest_margin
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import boundary_line, select_point, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINEAR, NONZERO_W, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Measure, Op, Step, Try
from svmlab.lab.words import N_, _
from svmlab.statements.geometry import distances, positions_by_distance

# Invented points in all seven positions. Here w = (1/2, 0) and b = 0, so y f(x) = y x1 / 2.
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
POSITIVE_ON_BOUNDARY = board_of_points(
    ((1.0, 0.0, 1), (-1.0, 0.0, -1), (0.0, 0.0, 1)), bias=False, selected=3
)  # of M12
NEGATIVE_ON_BOUNDARY = board_of_points(((1.0, 0.0, 1), (-1.0, 0.0, -1), (0.0, 0.0, -1)), bias=False, selected=3)

POSITIONS = (  # one for each choice
    N_("beyond its own margin line"),
    N_("on its own margin line"),
    N_("between the boundary and its own margin line"),
    N_("on the decision boundary"),
    N_("between the boundary and the other margin line"),
    N_("on the other margin line"),
    N_("beyond the other margin line"),
)


def selected(stage: Stage) -> int:
    """Return the row of the selected point, or of the one nearest to the boundary."""
    return int(abs(stage.solution.margins).argmin()) if stage.selected_row is None else stage.selected_row


def line_distances(stage: Stage) -> tuple[float, float, float]:
    """Return the distances of the selected point from its own margin line, the boundary and the other margin line.

    Their unit is 1/|w|. A distance that the rounding of f explains is 0.
    """
    i, data, line = selected(stage), stage.data, boundary_line(stage)

    def distance(level: float) -> float:
        d = float(distances(data.X[i : i + 1], line.w, line.b, level * data.y[i])[0]) / largest_margin(stage)
        return d if d > stage.solution.noise else 0.0

    return distance(1.0), distance(0.0), distance(-1.0)


def answer(stage: Stage) -> int:
    """Return which of the seven positions that is, by these distances alone."""
    own, zero, other = (np.array([d]) for d in line_distances(stage))
    return int(positions_by_distance(own, zero, other, max(1e-7, stage.solution.floor))[0])


def verdict(stage: Stage) -> str:
    """Return the right choice, the position of the point, and the functional margin that its distances give."""
    right = answer(stage)
    yf = short(float(stage.solution.margins[selected(stage)]), 3, stage.solution.noise)
    return _("{choice}, because x lies {position}. Its distances give y\u00a0f\u00a0=\u00a0{yf}.").format(
        choice=_(PLACES.choices[right].text), position=_(POSITIONS[right]), yf=yf
    )


def draw(stage: Stage) -> Data:
    """The perpendicular through the three lines. The marks that give the answer away come once it is shown."""
    i, line, margin = selected(stage), boundary_line(stage), largest_margin(stage)
    x = stage.data.X[i]
    feet = [line.shifted(t).foot(x) for t in (margin, 0.0, -margin)]
    feet.sort(key=lambda foot: float((foot - x) @ (foot - x)))
    dots = [stroke(np.r_[foot, 0.011 * stage.lab.view], "accent", "disc") for foot in feet]
    data: Data = {
        "overlay": [stroke(np.array([feet[0], x, feet[-1]]), "accent"), *dots],
        "selected": stage.lab.points[i].id,
        "slack": [],
        "sliders": [],
    }
    return data if stage.shown else {**data, "legend": None, "marks": None}


def chart(stage: Stage) -> Chart:
    """All points by their functional margin."""
    solution, borders = stage.solution, {-1.0: "dash", 0.0: "solid", 1.0: "dash"}
    point = stage.lab.points[selected(stage)].id
    label, names = _("functional margin y f"), class_names()
    figure = rows_chart(solution.margins, stage.data, point, borders, label, names, stage.palette)
    return Chart(figure, select_point)


def select_next(stage: Stage) -> Op:
    """Select the point with the next larger functional margin."""
    order = stage.solution.margins.argsort(kind="stable").tolist()
    return select_point(stage.lab.points[order[(order.index(selected(stage)) + 1) % len(order)]].id)


PLACES = Step(
    key="places",
    title=N_("Distance and functional margin"),
    introduces=("margin-line", "norm"),
    situation=N_(
        "The decision boundary is $f = 0$ (solid), and the **margin lines** are $f = \\pm1$ (dashed). A point's *own* "
        "margin line is the one with $y\\,f = 1$, on the side of its class. The three numbers are the distances of the "
        "selected point (green ring) from these lines. Their unit is $1/\\|w\\|$, the distance between the boundary "
        "and a margin line."
    ),
    question=N_("In which range is the functional margin $y\\,f(x)$ of the selected point $x$?"),
    choices=(
        Choice(
            N_("y\u00a0f\u00a0>\u00a01"),
            N_(
                "The label decides which margin line is the point's own. For y f > 1, the other one would be more than "
                "2 units away, and this one nearer."
            ),
        ),
        Choice(
            N_("y\u00a0f\u00a0=\u00a01"),
            N_(
                "The point may look close to that line. For y f = 1, its distance from its own margin line would be "
                "exactly 0."
            ),
        ),
        Choice(
            N_("0\u00a0<\u00a0y\u00a0f\u00a0<\u00a01"),
            N_(
                "The point may look inside the strip. For 0 < y f < 1, the boundary and its own margin line would be "
                "less than 1 unit away."
            ),
        ),
        Choice(
            N_("y\u00a0f\u00a0=\u00a00"),
            N_(
                "The point may look close to the boundary. For y f = 0, its distance from the boundary would be "
                "exactly 0."
            ),
        ),
        Choice(
            N_("−1\u00a0<\u00a0y\u00a0f\u00a0<\u00a00"),
            N_(
                "The point may look inside the strip. For −1 < y f < 0, the boundary and the other margin line would "
                "be less than 1 unit away."
            ),
        ),
        Choice(
            N_("y\u00a0f\u00a0=\u00a0−1"),
            N_(
                "The point may look close to that line. For y f = −1, its distance from the other line would be "
                "exactly 0."
            ),
        ),
        Choice(
            N_("y\u00a0f\u00a0<\u00a0−1"),
            N_(
                "The label decides which margin line is the point's own. For y f < −1, it would be more than 2 units "
                "away, and the other one nearer."
            ),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=board_of_points(SEVEN, value=0.3, selected=6),
    needs=(BOTH_CLASSES, LINEAR, SOLVED, NONZERO_W, at_most(40)),
    draw=draw,
    rests_on_answer=lambda stage: stage.shown,
    numbers=(
        Measure(
            N_("own line"),
            lambda stage: line_distances(stage)[0],
            N_("Distance of the selected point from its own margin line, in units of 1/‖w‖"),
        ),
        Measure(
            N_("boundary"),
            lambda stage: line_distances(stage)[1],
            N_("Distance of the selected point from the decision boundary, in units of 1/‖w‖"),
        ),
        Measure(
            N_("other line"),
            lambda stage: line_distances(stage)[2],
            N_("Distance of the selected point from the margin line of the other class, in units of 1/‖w‖"),
        ),
    ),
    chart=chart,
    says=N_(
        "The chart shows the functional margin of every point. Along $w$, which is perpendicular to the "
        "boundary, $f$ changes by 1 over each distance $1/\\|w\\|$. If you click a point, you select it."
    ),
    formula=r"\operatorname{dist}(x) = \frac{|f(x)|}{\|w\|}",
    more=(
        N_(
            "**Two computations.** The three distances are measured along a perpendicular, without the formula for "
            "$f$. The answer follows from them alone. The chart shows $y\\,f$ as the SVM computes it."
        ),
        N_(
            "**Why the distances are enough.** Let $x'$ be the nearest point of the boundary. Then $x - x'$ is "
            "parallel to $w$, and $f(x) = \\langle w, x - x'\\rangle$. So $|f(x)| = \\|w\\|\\,\\|x - x'\\|$."
        ),
        N_(
            "**The seven positions.** Gambosi's slides list the same seven cases, with $t$ for the label. One of them "
            "is: “$0 < t(\\mathbf{w}^T \\phi(\\mathbf{x}) + w_0) < 1$ if $\\phi(\\mathbf{x})$ is in the region "
            "corresponding to its class, inside the margin strip”."
        ),
        N_(
            "**When a prediction is correct.** If $y\\,f > 0$, the prediction is correct. If $y\\,f = 0$, this depends "
            "on the class that is predicted on the boundary itself. Suppose that it is +1. Then a positive point on "
            "the boundary is classified correctly, although its margin is 0, and a negative one is misclassified. "
            "Choose *+ on f = 0* and *− on f = 0*, and you see both. Gambosi's slides predict +1 there, but they "
            "state: “Observe that the resulting prediction is correct iff $\\overline{\\gamma}_i > 0$.”"
        ),
    ),
    tries=(
        Try(N_("Next point"), select_next),
        Try(N_("+ on f = 0"), board=POSITIVE_ON_BOUNDARY),
        Try(N_("− on f = 0"), board=NEGATIVE_ON_BOUNDARY),
    ),
    shows=("M1", "M3", "M12", "M14"),
)

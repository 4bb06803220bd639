"""Separable or not, with the proof either way: a line, or a common point of the convex hulls (M10)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from svmlab import Linear, Problem, Separation, SvmError, separate, solve
from svmlab.core.arrays import Array
from svmlab.lab.board.payload import proof
from svmlab.lab.charts.rows import rows_chart
from svmlab.lab.lessons.margin.flowers import BOARD, class_names
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.session.lab import Point
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import POINTS_ONLY, line_strokes, place, select_point, stroke
from svmlab.lab.teach.requirements import BIAS, BOTH_CLASSES, LINEAR
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Measure, Op, Reading, Step, Table, Try
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line, hull

# Fifteen invented points that a curve separates and no line does: one class reaches into a bay of the other.
BAY = board_of_points(
    (
        (-3.0, 1.2, 1),
        (-2.4, -0.4, 1),
        (-1.7, -1.6, 1),
        (-0.5, -2.3, 1),
        (0.9, -2.4, 1),
        (2.0, -1.4, 1),
        (2.7, -0.1, 1),
        (3.1, 1.4, 1),
        (-1.2, 2.6, -1),
        (0.1, 3.0, -1),
        (1.3, 2.7, -1),
        (-0.6, 1.7, -1),
        (0.8, 1.5, -1),
        (0.2, 0.6, -1),
        (0.1, -0.4, -1),
    )
)


def separation(stage: Stage) -> Separation:
    """Return the decision whether a line separates the classes, with its proof."""
    return stage.cached_for_points("separation", lambda: separate(stage.data, Linear()))


def separating_line(stage: Stage) -> Line | None:
    """Return the line that proves it, or None."""
    result = separation(stage)
    return None if result.w is None or result.b is None else Line(result.w, result.b)


def nearest_points(stage: Stage) -> Array | None:
    """Return the nearest points of the two convex hulls, (2, 2): sum alpha x over each class, from the hard margin.

    None if they are so close that only exact arithmetic distinguishes them.
    """

    def make() -> Array | None:
        data = stage.data
        try:
            alpha = solve(Problem(data, C=float("inf"))).alpha
        except SvmError:
            return None
        return np.array([alpha[data.y == s] @ data.X[data.y == s] / alpha[data.y == s].sum() for s in (1, -1)])

    return stage.cached_for_points("nearest points of the hulls", make)


def hull_distance(stage: Stage) -> float | None:
    """Return the distance between the convex hulls, or None if it is too small to be measured."""
    nearest = nearest_points(stage)
    return None if nearest is None else float(np.hypot(*(nearest[0] - nearest[1])))


def common_point(stage: Stage) -> Array:
    """Return the point that both convex hulls contain, (2,)."""
    v, data = separation(stage).weights, stage.data
    assert v is not None, "if no line separates the classes, there is such a point"
    return np.asarray(v[data.y > 0] @ data.X[data.y > 0])


def draw(stage: Stage) -> Data:
    """The points alone, and once shown the convex hulls with the line or the common point."""
    points: Data = {**POINTS_ONLY, "witness": None, "message": None, "legend": None, "sliders": []}
    if not stage.shown:
        return points
    data, items = stage.data, []
    for label, style in ((1, "plus"), (-1, "minus")):
        corners = hull(data.X[data.y == label])
        items.append(stroke(np.vstack([corners, corners[:1]]), style))
    line, nearest = separating_line(stage), nearest_points(stage)
    if line is None:
        return points | {"overlay": items, "witness": proof(stage.lab, separation(stage))}
    items += line_strokes(line, stage.lab.view, "accent")
    items += [] if nearest is None else [stroke(nearest, "witness-line")]
    return points | {"overlay": items}


def verdict(stage: Stage) -> str:
    line = separating_line(stage)
    if line is None:
        no = _("No, no line separates them. Both convex hulls contain the point {point} (diamond).")
        return no.format(point=place(common_point(stage)))
    margin = short(line.margin(stage.data.X, stage.data.y), 3, ROUNDING)
    yes = _("Yes, some line separates them. For the line drawn, the smallest geometric margin is {margin}, above 0.")
    return yes.format(margin=margin)


def numbers(stage: Stage) -> list[Reading]:
    """How well the line separates, or where the convex hulls meet."""
    if not stage.shown:
        return []
    line, gap = separating_line(stage), hull_distance(stage)
    if line is None:
        measures = [
            Measure(N_("common point"), lambda stage: place(common_point(stage)), N_("A point of both convex hulls")),
            Measure(
                N_("points used"),
                lambda stage: str(len(separation(stage).witness)),
                N_("Points with a weight above 0 in the two weighted means"),
            ),
        ]
    else:
        measures = [
            Measure(
                N_("smallest margin"),
                lambda stage: line.margin(stage.data.X, stage.data.y),
                N_("Smallest geometric margin of all points for the line drawn"),
            ),
            Measure(
                N_("hulls apart by"),
                lambda stage: _("too little") if gap is None else gap,
                N_("Distance between the two convex hulls"),
            ),
        ]
    return [measure.reading(stage) for measure in measures]


def chart(stage: Stage) -> Chart | Table:
    """The geometric margin of every point, or the weights of the two convex combinations."""
    line, data = separating_line(stage), stage.data
    if line is not None:
        margins, title, chosen = (
            line.margins(data.X, data.y),
            _("geometric margin for the line drawn"),
            stage.lab.selected,
        )
        figure = rows_chart(margins, data, chosen, {0.0: "solid"}, title, class_names(), stage.palette)
        return Chart(figure, select_point)
    v = separation(stage).weights
    assert v is not None
    body = [
        table.row(
            stage.lab.points[i].id,
            place(data.X[i]),
            float(data.y[i]),
            [table.number(float(v[i]), share=float(v[i] * data.y[i]))],
            stage.lab.selected,
        )
        for i in sorted(separation(stage).witness.tolist(), key=lambda i: -data.y[i])
    ]
    return Table(table.table(table.head(_("weight v"), first=_("point")), body))


def says(stage: Stage) -> str:
    gap = hull_distance(stage)
    if separating_line(stage) is None:
        return _(
            "The table writes the common point as a weighted mean of + points, and of −\u00a0points. There, $f$ is the "
            "weighted mean of its values at these points, so a separating $f$ would be above and below 0 there."
        )
    if gap is None:
        return _(
            "The chart shows the geometric margin of each point for the line drawn. The convex hulls share no point, "
            "but they are so close that only exact arithmetic shows it."
        )
    return _(
        "The chart shows the geometric margin of each point for the line drawn. The distance between the convex hulls "
        "is **{gap}**, and it equals the largest possible margin width."
    ).format(gap=short(gap, 3, ROUNDING))


def move_across(stage: Stage) -> Op:
    """Move the first point to the mean of the other class."""
    first = stage.lab.points[0]
    x, y = np.mean([(p.x, p.y) for p in stage.lab.points if p.label != first.label], axis=0)
    moved = Point(first.id, round(float(x)), round(float(y)), first.label)
    return {"op": "load", "lab": replace(stage.lab, points=(moved, *stage.lab.points[1:]))}


EXISTS = Step(
    key="exists",
    title=N_("Linear separability"),
    introduces=("convex-hull",),
    situation=N_(
        "A line **separates** the classes if all + points (discs) lie strictly on one side and all − points "
        "(squares) strictly on the other. The **convex hull** of a class is the region inside a rubber band "
        "that is stretched around its points."
    ),
    question=N_("Is there a straight line that separates the two classes on this board?"),
    choices=(
        Choice(
            N_("Yes, some line separates them"),
            N_("A curve may separate them. However, the convex hulls of the classes share a point, so no line does."),
        ),
        Choice(
            N_("No, no line separates them"),
            N_(
                "A separating line can be hard to find. However, the convex hulls share no point, so a line fits "
                "between."
            ),
        ),
    ),
    answer=lambda stage: 0 if separation(stage).separable else 1,
    verdict=verdict,
    board=BAY,
    needs=(BOTH_CLASSES, LINEAR, BIAS),
    draw=draw,
    rests_on_answer=lambda stage: stage.shown,
    numbers=numbers,
    chart=chart,
    says=says,
    formula=(
        r"\begin{gathered}\exists (w, b):\; y_i f(x_i) > 0 \;\;\text{or}\;\; "
        r"\exists v \ge 0:\; \sum\nolimits_{+} v_i x_i = \sum\nolimits_{-} v_i x_i, \\"
        r"\sum\nolimits_{+} v_i = \sum\nolimits_{-} v_i = 1 \quad \text{(never both)}\end{gathered}"
    ),
    more=(
        N_(
            "**Never both.** Suppose that $f$ separates the classes, and that both convex hulls contain a point $p$. "
            "Then $p$ is a *convex combination* of + points, a weighted mean with weights $v_i \\ge 0$ of sum 1. So "
            "$f(p) = \\sum_i v_i f(x_i) > 0$. It is also one of − points, so $f(p) < 0$. This is a contradiction."
        ),
        N_(
            "**Never neither.** If the convex hulls share no point, they have two nearest points. The line halfway "
            "between the two, perpendicular to their connection, separates the classes. The reason is that each hull "
            "lies beyond its nearest point."
        ),
        N_(
            "**Exact arithmetic.** Looking for a line means solving the linear inequalities $y_i f(x_i) > 0$. If they "
            "have no solution, the weights $v_i$ prove it. You can trust both proofs, because the app finds them in "
            "exact arithmetic."
        ),
        N_(
            "**The lecture notes.** Gruber's handout defines a set of points as separable by a line in this way: “ist "
            "linear trennbar, wenn mindestens ein Wertepaar $[w, b] \\in \\mathbf{R}^{(d+1)}$ existiert mit "
            "$\\text{sgn}(w^T x^{(n)} + b) = y^{(n)}$ für alle $n$”. So at least one pair has these signs. The Italian "
            "notes on half-spaces state: “qualsiasi iperpiano è accettabile. Questo è un problema lineare”. In "
            "English: any hyperplane is acceptable, and the problem is linear."
        ),
    ),
    tries=(
        Try(N_("Flowers"), board=BOARD),
        Try(N_("XOR"), board=preset("xor", size=16, noise=0.1, seed=19)),
        Try(N_("Move one point"), move_across),
    ),
    shows=("M10",),
)

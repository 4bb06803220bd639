"""Separable or not, with the proof either way: a line, or a common place of the hulls (M10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from svmlab import Linear, Problem, Separation, SvmError, separate, solve
from svmlab.core.arrays import Array
from svmlab.lab.board.payload import proof
from svmlab.lab.charts.rows import rows_chart
from svmlab.lab.lessons.margin.street import BOARD, names_of_classes
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.session.state import Point
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import POINTS_ONLY, line_strokes, place, reading, select_point, stroke
from svmlab.lab.teach.requirements import BIAS, BOTH_CLASSES, LINEAR
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Op, Reading, Step, Table, Try
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line, hull

# Fifteen points that a curve separates and no line does: the tip of one class lies in the bay of the other.
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


def proven(stage: Stage) -> Separation:
    """The verdict and its proof."""
    return stage.cached_for_points("line or meeting", lambda: separate(stage.data, Linear()))


def line_in(stage: Stage) -> Line | None:
    """The line that separates."""
    proof_ = proven(stage)
    return None if proof_.w is None or proof_.b is None else Line(proof_.w, proof_.b)


def closest(stage: Stage) -> Array | None:
    """The nearest places of the two hulls, (2, 2): sum alpha x over each class, by the dual of the hard margin.

    None where they are so close that only exact arithmetic tells them apart.
    """

    def make() -> Array | None:
        data = stage.data
        try:
            alpha = solve(Problem(data, C=float("inf"))).alpha
        except SvmError:
            return None
        return np.array([alpha[data.y == s] @ data.X[data.y == s] / alpha[data.y == s].sum() for s in (1, -1)])

    return stage.cached_for_points("closest places", make)


def gap(stage: Stage) -> float:
    """How close the hulls come."""
    near = closest(stage)
    return 0.0 if near is None else float(np.hypot(*(near[0] - near[1])))


def draw(stage: Stage) -> Data:
    """Points alone until the answer is asked for; then the hulls, and the line or the place in common."""
    bare: Data = {**POINTS_ONLY, "witness": None, "message": None, "legend": None, "sliders": []}
    if not stage.shown:
        return bare
    data, items = stage.data, []
    for label, style in ((1, "plus"), (-1, "minus")):
        corners = hull(data.X[data.y == label])
        items.append(stroke(np.vstack([corners, corners[:1]]), style))
    line, near = line_in(stage), closest(stage)
    if line is None:
        return bare | {"overlay": items, "witness": proof(stage.lab, proven(stage))}
    items += [*line_strokes(line, stage.lab.view, "accent"), *([] if near is None else [stroke(near, "witness-line")])]
    return bare | {"overlay": items}


def verdict(stage: Stage) -> str:
    """The answer with its proof."""
    if proven(stage).separable:
        return _("Yes, and the line drawn proves it: every point has y f > 0.")
    return _("No, and the diamond proves it: both hulls hold that place.")


def numbers(stage: Stage) -> Sequence[Reading]:
    """How well the line separates, or where the hulls meet."""
    if not stage.shown:
        return []
    line, data, proof_ = line_in(stage), stage.data, proven(stage)
    if line is not None:
        margin = reading(_("smallest margin of this line"), line.margin(data.X, data.y))
        return [margin, reading(_("hulls come as close as"), gap(stage))]
    assert proof_.weights is not None
    where = proof_.weights[data.y > 0] @ data.X[data.y > 0]
    return [reading(_("both mixtures are at"), place(where)), reading(_("points in them"), float(len(proof_.witness)))]


def chart(stage: Stage) -> Chart | Table:
    """Every point's margin to the line; or the weights of the two mixtures."""
    line, data = line_in(stage), stage.data
    if line is not None:
        margins, label, chosen = line.margins(data.X, data.y), _("margin to the line drawn"), stage.lab.selected
        figure = rows_chart(margins, data, chosen, {0.0: "solid"}, label, names_of_classes(), stage.palette)
        return Chart(figure, select_point)
    v = proven(stage).weights
    assert v is not None
    body = [
        table.row(
            stage.lab.points[i].id,
            place(data.X[i]),
            float(data.y[i]),
            [table.number(float(v[i]), share=float(v[i] * data.y[i]))],
            stage.lab.selected,
        )
        for i in sorted(proven(stage).witness.tolist(), key=lambda i: -data.y[i])
    ]
    return Table(table.table(table.head(_("weight v"), first=_("point")), body))


def says(stage: Stage) -> str:
    """What the proof means."""
    if proven(stage).separable:
        return _(
            "Two hulls without a common place leave room for a line. They come as close as **{gap}**: the width of the "
            "widest street."
        ).format(gap=short(gap(stage), noise=ROUNDING))
    return _(
        "That place is a mixture of + points and also one of − points: f would have to be positive and negative there."
    )


def across(stage: Stage) -> Op:
    """The board with its first point moved to the middle of the other class."""
    first = stage.lab.points[0]
    x, y = np.mean([(p.x, p.y) for p in stage.lab.points if p.label != first.label], axis=0)
    moved = Point(first.id, round(float(x)), round(float(y)), first.label)
    return {"op": "load", "lab": replace(stage.lab, points=(moved, *stage.lab.points[1:]))}


EXISTS = Step(
    key="exists",
    title=N_("Is there a line at all?"),
    question=N_("Before looking for the best line: can **any** straight line keep these two classes apart?"),
    choices=(
        Choice(N_("Yes, some line does"), N_("A curve may do; but the hulls of the classes meet, so no line does.")),
        Choice(N_("No line can"), N_("It may be hard to see; but the hulls do not meet, so a line fits between.")),
    ),
    answer=lambda stage: 0 if proven(stage).separable else 1,
    verdict=verdict,
    board=BAY,
    needs=(BOTH_CLASSES, LINEAR, BIAS),
    draw=draw,
    numbers=numbers,
    chart=chart,
    says=says,
    formula=(
        r"\exists (w, b):\; y_i f(x_i) > 0 \quad\text{or}\quad \sum\nolimits_{+} v_i x_i = "
        r"\sum\nolimits_{-} v_i x_i"
    ),
    more=lambda stage: [
        _(
            "Either a line or such a place exists, never both and never neither: looking for a line is solving linear "
            "inequalities, and the weights v are the certificate that these have no solution. They are at least 0 and "
            "add up to 1 within each class. Both proofs are found in exact arithmetic."
        )
    ],
    tries=(
        Try(N_("Separable"), board=BOARD),
        Try(N_("XOR"), board=preset("xor", size=16, noise=0.1, seed=19)),
        Try(N_("Move one point across"), across),
    ),
    shows=("M10",),
)

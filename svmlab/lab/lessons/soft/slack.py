"""Slack and distance: the way of a point to its own margin line, and the hinge that its slack lies on (S3, S12,
S15).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Mask
from svmlab.data import Dataset
from svmlab.lab.charts.frame import axis_range, blank
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import points
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.soft.variants import program_slack
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import reading, select_point, set_machine, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINEAR, NONZERO_W, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Need, Op, Part, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.statements.soft_margin import OVERLAPPING_LABELS, OVERLAPPING_POINTS

SOME_SLACK = Need(
    lambda stage: bool((stage.solution.xi > 10 * stage.solution.tolerance).any()),
    N_("No point has slack at this C. A lower C, or a point moved into the strip, gives it some."),
    {},
)
VIEWS = {"hinge": N_("slack as a loss"), "errors": N_("errors counted")}
INTRUDER = [
    (x, y, label) for (x, y), label in zip((*OVERLAPPING_POINTS, (-1.6, -0.8)), (*OVERLAPPING_LABELS, 1), strict=True)
]


def in_question(stage: Stage) -> int:
    """The row of the selected point where it has slack, else of the one with most."""
    xi = stage.solution.xi
    return (
        stage.selected_row
        if stage.selected_row is not None and xi[stage.selected_row] > 10 * stage.solution.tolerance
        else int(xi.argmax())
    )


def way(stage: Stage) -> Array:
    """From the point in question straight to its margin line, (2, 2)."""
    solution, row = stage.solution, in_question(stage)
    assert solution.w is not None
    x, y = solution.problem.data.X[row], solution.problem.data.y[row]
    f = float(solution.decision(x[None])[0])
    return np.stack([x, x + (y - f) / float(solution.w @ solution.w) * solution.w])


def draw(stage: Stage) -> Data:
    """The arrow."""
    point = stage.lab.points[in_question(stage)]
    return {"overlay": [stroke(way(stage), "accent", "arrow")], "selected": point.id}


def misclassified(stage: Stage) -> Mask:
    """Which points are errors, those on the boundary among them, (m,)."""
    mask: Mask = stage.solution.margins <= stage.solution.floor
    return mask


def numbers(stage: Stage) -> Sequence[Reading]:
    """Errors and slack counted; or the slack and the norm; once it is shown their ratio, and the arrow as it is
    measured on the board.
    """
    if stage.shown and stage.pick("loss") == "errors":
        solution = stage.solution
        short_of = int((solution.xi > 10 * solution.tolerance).sum())
        total = reading("Σ ξ", float(solution.xi.sum()))
        return [
            reading(_("errors"), str(int(misclassified(stage).sum()))),
            total,
            reading(_("points with slack"), str(short_of)),
        ]
    xi = float(stage.solution.xi[in_question(stage)])
    start, end = way(stage)
    length = reading(_("arrow"), float(np.hypot(*(end - start))))
    known = [reading("ξ", xi), reading("|w|", stage.solution.norm_w)]
    return [*known, reading("ξ/|w|", xi / stage.solution.norm_w), length] if stage.shown else known


def own_slack(stage: Stage) -> Array:
    """The program's own variables, by another solver."""
    return stage.cached("slack", lambda: program_slack(stage.lab.problem))


def chart(stage: Stage) -> Chart:
    """Every point on the hinge, and on the step below it; a click selects it."""
    id_ = stage.lab.points[in_question(stage)].id
    if stage.pick("loss") == "errors":
        return Chart(
            counted(stage.data, stage.solution.margins, misclassified(stage), id_, stage.palette), on_click=select_point
        )
    figure = hinge(stage.data, stage.solution.margins, own_slack(stage), id_, stage.palette)
    return Chart(figure, on_click=select_point)


def says(stage: Stage) -> str:
    """The two readings of the chart."""
    told = _(
        "Each slack is the hinge loss, which is above the 0/1 loss. So the errors are at most Σ ξ: {errors} ≤ {total}."
    )
    if stage.pick("loss") == "errors":
        told = _(
            "The hinge is above the step at each point, and so in the sum: {errors} ≤ {total}. Points with "
            "slack may be more."
        )
    return told.format(errors=int(misclassified(stage).sum()), total=short(float(stage.solution.xi.sum()), 3))


def more(stage: Stage) -> Sequence[Part]:
    """The program's variables, other kernels, the erratum."""
    apart = float(np.abs(own_slack(stage) - np.maximum(0.0, 1.0 - stage.solution.margins)).max())
    return [
        _(
            "The program has the $\\xi_i$ as variables of its own. Solved by itself, it sets each to "
            "$\\max(0, 1 - y_i f(x_i))$: all marks lie on the bent line, to within {apart}."
        ).format(apart=short(apart, 2)),
        _(
            "With another kernel the distance is $\\xi_i/\\|w\\|$ in feature space; on the board the way bends and has "
            "another length."
        ),
        _(
            "The Italian notes on half-spaces and hinge call $\\xi_i$ itself the distance. It is the "
            "distance in units of "
            "$1/\\|w\\|$."
        ),
        _("Click a mark in the chart, or a point on the board, to move the arrow there."),
    ]


def worst_one(stage: Stage) -> Op:
    """The point with the most slack."""
    return select_point(stage.lab.points[int(stage.solution.xi.argmax())].id)


def hinge(data: Dataset, margins: Array, xi: Array, selected: int | None, palette: Palette) -> go.Figure:
    """The hinge and the 0/1 loss over y f, and every point at (y f, xi), xi being the program's own variable.

    customdata of the points: their ids.
    """
    figure, lo = _losses(margins, palette)
    hover = _("point {id}").format(id="%{customdata}") + "<br>y f = %{x:.6g}<br>ξ = %{y:.6g}<extra></extra>"
    figure.add_trace(
        points(palette, margins, xi, data.y, data.ids, data.ids == selected, name="points", hover=hover, edge=1)
    )
    names = [Label(_("0/1 loss"), lo, 1.0, palette.quiet, "below right"), *_named(figure, lo, palette)]
    return place_labels(figure, palette, names)


def counted(data: Dataset, margins: Array, is_wrong: Mask, selected: int | None, palette: Palette) -> go.Figure:
    """Every point at its height on the step, 1 for those that are `is_wrong` (m,), with a stem up to the hinge: what it
    pays beyond.

    customdata of the points: their ids.
    """
    figure, lo = _losses(margins, palette)
    step, gap = is_wrong.astype(float), np.full(len(margins), np.nan)
    x = np.stack([margins, margins, gap], 1).ravel()
    y = np.stack([step, np.maximum(0.0, 1.0 - margins), gap], 1).ravel()
    figure.add_trace(
        go.Scatter(
            x=x, y=y, name="stems", mode="lines", line=palette.pen(palette.accent, 1.5), opacity=0.6, hoverinfo="skip"
        )
    )
    hover = _("point {id}").format(id="%{customdata}") + "<br>y f = %{x:.6g}<extra></extra>"
    chosen = data.ids == selected
    figure.add_trace(points(palette, margins, step, data.y, data.ids, chosen, name="points", hover=hover, edge=1))
    said = _("errors: {n}").format(n=int(is_wrong.sum()))
    names = [Label(said, lo, 1.0, palette.quiet, "above right"), *_named(figure, lo, palette)]
    return place_labels(figure, palette, names)


def _losses(margins: Array, palette: Palette) -> tuple[go.Figure, float]:
    """The hinge and the 0/1 loss over y f as far as the margins (m,) reach, and where the axis begins."""
    figure = blank(palette, "", "ξ", height=150)
    lo, hi = min(-1.0, float(margins.min())), max(2.0, float(margins.max()))
    pad = 0.06 * (hi - lo)
    lo, hi = lo - pad, hi + pad
    curves = (
        ("hinge", [lo, 1.0, hi], [1.0 - lo, 0.0, 0.0], palette.pen(palette.accent)),
        ("0/1", [lo, 0.0, 0.0, hi], [1.0, 1.0, 0.0, 0.0], palette.pen(palette.quiet, dash="dash")),
    )
    for name, x, y, line in curves:
        figure.add_trace(go.Scatter(x=np.array(x), y=np.array(y), name=name, mode="lines", line=line, hoverinfo="skip"))
    figure.update_xaxes(range=[lo, hi]).update_yaxes(range=axis_range(0.0, 1.0 - lo), nticks=4)
    return figure, lo


def _named(figure: go.Figure, lo: float, palette: Palette) -> list[Label]:
    """The names of the hinge and of the axis."""
    half = 0.5 * lo
    return [Label(_("hinge loss"), half, 1.0 - half, palette.accent, "right"), axis_name(figure, "y f(x)", palette)]


SLACK = Step(
    key="slack",
    title=N_("Slack and distance"),
    question=N_(
        "The arrow leads from a point to its own margin line; select another point to move it there. "
        "Is the slack ξᵢ of that point the length of the arrow?"
    ),
    choices=(
        wrong(
            N_("Yes, ξᵢ is that length"), N_("ξᵢ is measured in units of f, and f rises by |w| on each unit of length.")
        ),
        right(N_("No, the length is ξᵢ/|w|")),
        wrong(
            N_("No, the length is ξᵢ·|w|"),
            N_("The other way round: where f is steep, little way makes up for the slack."),
        ),
    ),
    verdict=lambda stage: _("The length is ξᵢ/|w|."),
    board=preset("overlapping", size=24, noise=0.3, seed=2, value=0.1),
    needs=(BOTH_CLASSES, SOFT, LINEAR, SOLVED, NONZERO_W, SOME_SLACK),
    draw=draw,
    numbers=numbers,
    picks=(Pick("loss", N_("The view"), tuple(VIEWS), "hinge", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=r"\xi_i=\max\bigl(0,\,1-y_i f(x_i)\bigr), \qquad \operatorname{dist}_i=\xi_i/\|w\|",
    more=more,
    tries=(
        Try(N_("Most slack"), worst_one),
        Try(N_("C = 0.02"), set_machine(face="C", value=0.02)),
        Try(N_("One intruder"), board=board_of_points(INTRUDER)),
    ),
    shows=("S3", "S12", "S15"),
)

"""Slack, the distance of a point from the margin line of its class, and the hinge loss (S3, S12, S15)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index, Mask
from svmlab.data import Dataset
from svmlab.lab.charts.marks import points
from svmlab.lab.lessons.soft.variants import program_slack
from svmlab.lab.lessons.soft.walk import SMALL_C, play_C
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import select_point, set_machine, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINEAR, NONZERO_W, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Need, Part, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _, written
from svmlab.plot.frame import axis_range, empty_chart
from svmlab.plot.labels import Label, axis_name, place_labels
from svmlab.plot.palette import Palette
from svmlab.statements.soft_margin import OVERLAPPING_LABELS, OVERLAPPING_POINTS

SOME_SLACK = Need(
    lambda stage: len(with_slack(stage)) > 0,
    N_("No point has slack at this C. Choose a smaller C, or drag a point into the margin."),
    {},
)
NOT_UNIT = Need(
    lambda stage: abs(stage.solution.norm_w - 1.0) > 1e-6,
    N_("On this board ‖w‖ = 1, so slack and distance are equal. Choose another C."),
    {},
)
VIEWS = {"hinge": N_("slack and distance"), "errors": N_("hinge and 0/1 loss")}
MISPLACED = [
    (x, y, label) for (x, y), label in zip((*OVERLAPPING_POINTS, (-1.6, -0.8)), (*OVERLAPPING_LABELS, 1), strict=True)
]
UNEQUAL = 0.05  # by how much |w| differs from 1 where slack and distance look different


def with_slack(stage: Stage) -> Index:
    """Return the rows of the points with slack."""
    return np.flatnonzero(stage.solution.xi > 10 * stage.solution.tolerance)


def current_row(stage: Stage) -> int:
    """Return the row of the selected point if it has slack, otherwise of the point with the largest slack."""
    rows = with_slack(stage)
    return stage.selected_row if stage.selected_row in rows else int(stage.solution.xi.argmax())  # type: ignore[return-value]


def arrow(stage: Stage, row: int) -> Array:
    """Return the two ends (2, 2) of the arrow from a point straight to the margin line of its class."""
    solution = stage.solution
    assert solution.w is not None
    x, y = solution.problem.data.X[row], solution.problem.data.y[row]
    f = float(solution.decision(x[None])[0])
    return np.stack([x, x + (y - f) / float(solution.w @ solution.w) * solution.w])


def draw(stage: Stage) -> Data:
    """Return the arrow of the selected point and, with the answer, those of all points with slack."""
    row = current_row(stage)
    others = [i for i in with_slack(stage) if i != row] if stage.shown else []
    arrows = [stroke(arrow(stage, i), "witness-line", "arrow") for i in others]
    return {"overlay": [*arrows, stroke(arrow(stage, row), "accent", "arrow")], "selected": stage.lab.points[row].id}


def errors(stage: Stage) -> Mask:
    """Return which points are errors (m,). A point on the boundary is one."""
    mask: Mask = stage.solution.margins <= stage.solution.floor
    return mask


def distance(stage: Stage) -> float:
    """Return the length of the arrow, as it is measured on the board."""
    first, last = arrow(stage, current_row(stage))
    return float(np.hypot(*(last - first)))


def slack_sum(stage: Stage) -> float:
    """Return the sum of the slack variables of all points."""
    return float(stage.solution.xi.sum())


ARROW = (
    Measure("ξᵢ", lambda stage: float(stage.solution.xi[current_row(stage)]), N_("the slack of the selected point")),
    Measure("‖w‖", lambda stage: stage.solution.norm_w, N_("the norm of w")),
    Measure(N_("distance"), distance, N_("the length of the arrow, measured on the board"), after_show=True),
)
COUNTS = (
    Measure(N_("errors"), lambda stage: str(int(errors(stage).sum())), N_("the number of points with y f(x) ≤ 0")),
    Measure("Σ ξ", slack_sum, N_("the sum of the slack variables of all points")),
    Measure(N_("points with slack"), lambda stage: str(len(with_slack(stage))), N_("the points with y f(x) < 1")),
)


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return the slack of the selected point, the norm and the distance, or the counts of the second view."""
    measures = COUNTS if stage.shown and stage.pick("loss") == "errors" else ARROW
    return [measure.reading(stage) for measure in measures if stage.shown or not measure.after_show]


def program_variables(stage: Stage) -> Array:
    """Return the slack variables of the quadratic program (m,), from another solver."""
    return stage.cached("slack", lambda: program_slack(stage.lab.problem))


def chart(stage: Stage) -> Chart:
    """Return the chart of the view. A click on a mark selects its point."""
    solution, selected = stage.solution, stage.lab.points[current_row(stage)].id
    if stage.pick("loss") == "errors":
        figure = losses(stage.data, solution.margins, errors(stage), selected, stage.palette)
    else:
        figure = slack_over_distance(
            stage.data, solution.margins, program_variables(stage), solution.norm_w, selected, stage.palette
        )
    return Chart(figure, on_click=select_point)


def verdict(stage: Stage) -> str:
    """Return the answer with the numbers of the selected point."""
    words = _(
        "The distance is ξᵢ/‖w‖, because f changes by ‖w‖ per unit along w. For the selected point: "
        "{xi}/{norm}\u00a0=\u00a0{distance}."
    )
    solution = stage.solution
    xi = float(solution.xi[current_row(stage)])
    return words.format(xi=short(xi, 3), norm=short(solution.norm_w, 3), distance=short(distance(stage), 3))


def says(stage: Stage) -> str:
    """Return what the axes and marks of the view are, and what to see."""
    if stage.pick("loss") == "hinge":
        return _(
            "The axes are the distance past the margin line (negative on the correct side) and the slack. All "
            "points lie on the green graph, whose slope is $\\|w\\|$. On the dashed line, both would be equal."
        )
    words = _(
        "Each point is drawn at its 0/1 loss. A thin line joins it to its hinge loss, which is at least as "
        "large. So the number of errors, {errors}, is at most $\\sum_i\\xi_i$ = {total}."
    )
    return words.format(errors=int(errors(stage).sum()), total=short(slack_sum(stage), 3))


def more(stage: Stage) -> Sequence[Part]:
    """Return the proofs, the other solver, other kernels, and what the lecture notes state."""
    difference = float(np.abs(program_variables(stage) - np.maximum(0.0, 1.0 - stage.solution.margins)).max())
    return [
        _(
            "**Proof of the distance.** Start at $x_i$ and go the length $t$ in the direction of $y_i w$. Then $y_i f$ "
            "grows by $t\\|w\\|$. It has to grow from $1 - \\xi_i$ to 1, so $t = \\xi_i/\\|w\\|$. In any other "
            "direction, $f$ changes more slowly, so this is the shortest way."
        ),
        _(
            "**Slack is the hinge loss.** For $C > 0$, each $\\xi_i$ is as small as its two constraints allow. This is "
            "$\\max(0, 1 - y_i f(x_i))$, the hinge loss. A solver for quadratic programs that has the $\\xi_i$ as "
            "variables finds values that differ from these by at most {difference} on this board."
        ).format(difference=short(difference, 2, 1e-9)),
        _(
            "**Errors.** The 0/1 loss is 1 for $y_i f(x_i) \\le 0$ and 0 otherwise. The hinge loss is at least 1 in "
            "the first case and at least 0 in the second, so it is nowhere smaller. The two are equal at $y_i f(x_i) = "
            "0$ and for $y_i f(x_i) \\ge 1$. The number of points with slack can be larger than $\\sum_i\\xi_i$, "
            "because a slack can be less than 1."
        ),
        _(
            "**Other kernels.** There the distance is $\\xi_i/\\|w\\|$ in feature space. On the board, the shortest "
            "way to the margin line has another length."
        ),
        _(
            "**Lecture notes.** The Italian notes on half-spaces state that $\\xi_i$ “rappresenta la distanza del "
            "punto dal margine di competenza” (is the distance of the point from its margin). The unit is missing, "
            "because $\\xi_i$ is the distance in units of $1/\\|w\\|$."
        ),
        _("**Selecting.** You can click a mark in the chart, or a point on the board, to move the green arrow there."),
    ]


def slack_over_distance(
    data: Dataset, margins: Array, xi: Array, norm_w: float, selected: int | None, palette: Palette
) -> go.Figure:
    """Draw each slack xi (m,) over the distance of its point past the margin line of its class, (1 - y f)/|w|.

    The hinge loss rises with the slope |w|. On the dashed line, slack and distance are equal. customdata of the
    points: their ids.
    """
    figure = empty_chart(palette, "", _("slack ξ"), height=150)
    past = (1.0 - margins) / norm_w
    lo, hi = max(-2.5, float(past.min())), 1.06 * max(float(past.max()), 1.0 / norm_w)
    top = max(norm_w, 1.0) * hi
    curves = (
        ("equal", [0.0, hi], [0.0, hi], palette.pen(palette.quiet, dash="dash")),
        ("hinge", [lo - 0.1 * hi, 0.0, hi], [0.0, 0.0, norm_w * hi], palette.pen(palette.accent)),
    )
    for name, x, y, pen in curves:
        figure.add_trace(go.Scatter(x=np.array(x), y=np.array(y), name=name, mode="lines", line=pen, hoverinfo="skip"))
    hover = _("point {id}").format(id="%{customdata}") + "<br>%{x:.6g}<br>ξ = %{y:.6g}<extra></extra>"
    marks = points(palette, past, xi, data.y, data.ids, data.ids == selected, name="points", hover=hover, edge=1)
    figure.add_trace(marks)
    figure.update_xaxes(range=[lo - 0.1 * hi, 1.02 * hi], nticks=6)
    figure.update_yaxes(range=axis_range(0.0, top), nticks=4)
    names = [
        Label(_("slope ‖w‖"), 0.6 * hi, 0.6 * norm_w * hi, palette.accent, "right" if norm_w < 1 else "left"),
        Label(_("slope 1"), 0.75 * hi, 0.75 * hi, palette.quiet, "left" if norm_w < 1 else "right"),
        axis_name(figure, _("distance"), palette),
    ]
    return place_labels(figure, palette, names)


def losses(data: Dataset, margins: Array, is_error: Mask, selected: int | None, palette: Palette) -> go.Figure:
    """Draw each point at its 0/1 loss over y f, with a stem to its hinge loss.

    customdata of the points: their ids.
    """
    figure = empty_chart(palette, "", _("loss"), height=150)
    lo, hi = min(-1.0, float(margins.min())), max(2.0, float(margins.max()))
    pad = 0.06 * (hi - lo)
    lo, hi = lo - pad, hi + pad
    curves = (
        ("hinge", [lo, 1.0, hi], [1.0 - lo, 0.0, 0.0], palette.pen(palette.accent)),
        ("0/1", [lo, 0.0, 0.0, hi], [1.0, 1.0, 0.0, 0.0], palette.pen(palette.quiet, dash="dash")),
    )
    for name, x, y, pen in curves:
        figure.add_trace(go.Scatter(x=np.array(x), y=np.array(y), name=name, mode="lines", line=pen, hoverinfo="skip"))
    loss, gap = is_error.astype(float), np.full(len(margins), np.nan)
    stems = go.Scatter(
        x=np.stack([margins, margins, gap], 1).ravel(),
        y=np.stack([loss, np.maximum(0.0, 1.0 - margins), gap], 1).ravel(),
        name="stems",
        mode="lines",
        line=palette.pen(palette.accent, 1.5),
        opacity=0.6,
        hoverinfo="skip",
    )
    figure.add_trace(stems)
    hover = _("point {id}").format(id="%{customdata}") + written("<br>y f = %{x:.6g}<extra></extra>")
    chosen = data.ids == selected
    figure.add_trace(points(palette, margins, loss, data.y, data.ids, chosen, name="points", hover=hover, edge=1))
    figure.update_xaxes(range=[lo, hi]).update_yaxes(range=axis_range(0.0, 1.0 - lo), nticks=4)
    names = [
        Label(_("0/1 loss"), lo, 1.0, palette.quiet, "above right"),
        Label(_("hinge loss"), 0.5 * lo, 1.0 - 0.5 * lo, palette.accent, "right"),
        axis_name(figure, written("y f(x)"), palette),
    ]
    return place_labels(figure, palette, names)


SLACK = Step(
    key="slack",
    title=N_("Slack, distance and hinge loss"),
    situation=N_(
        "At the optimum, the slack of a point is its **hinge loss** $\\xi_i = \\max(0, 1 - y_i f(x_i))$. If "
        "$\\xi_i > 0$, the point is on the wrong side of the **margin line** of its class. This is the line "
        "$f(x) = 1$ or $f(x) = -1$. The arrow is perpendicular to it. Click another point with slack to select "
        "it."
    ),
    question=N_("How far is a point with slack $\\xi_i > 0$ from the margin line of its class?"),
    choices=(
        wrong(
            N_("The distance is ξᵢ"),
            N_("Slack is a difference of values of f, not a length. Both are equal only if ‖w‖\u00a0=\u00a01."),
        ),
        right(N_("The distance is ξᵢ/‖w‖")),
        wrong(
            N_("The distance is ξᵢ · ‖w‖"),
            N_(
                "The factor ‖w‖ does matter. However, if ‖w‖ is larger, f changes faster, so a shorter distance is "
                "enough."
            ),
        ),
    ),
    verdict=verdict,
    board=preset("overlapping", size=24, noise=0.3, seed=2, value=0.1),
    needs=(BOTH_CLASSES, SOFT, LINEAR, SOLVED, NONZERO_W, SOME_SLACK, NOT_UNIT),
    introduces=("hinge-loss", "zero-one-loss"),
    draw=draw,
    play=lambda stage: play_C(stage, SMALL_C),
    rests_on_answer=lambda stage: abs(stage.solution.norm_w - 1.0) > UNEQUAL,
    numbers=numbers,
    picks=(Pick("loss", N_("View"), tuple(VIEWS), "hinge", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=r"\xi_i=\max\bigl(0,\,1-y_i f(x_i)\bigr), \qquad \text{distance}=\xi_i/\|w\|",
    more=more,
    tries=(
        Try(N_("C = 0.01"), set_machine(face="C", value=0.01)),
        Try(N_("C = 10"), set_machine(face="C", value=10.0)),
        Try(N_("Misplaced point"), board=board_of_points(MISPLACED)),
    ),
    shows=("S3", "S12", "S15"),
)

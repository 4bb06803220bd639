"""The margin of the best line in each direction, and its only maximum above 0 (M6)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.marks import add_rule, mark_current
from svmlab.lab.lessons.margin.flowers import BOARD, SEPARABLE_POINTS, largest_margin
from svmlab.lab.numbers import short
from svmlab.lab.teach.overlay import POINTS_ONLY, boundary_line, line_strokes, normal_of, set_dials
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Op, Step, Try, dial, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line, widest_with_normal
from svmlab.plot.frame import axis_range, empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import CLEAR, Palette
from svmlab.statements.geometry import widest_margins

ANGLES = np.arange(0.0, 361.0)
START = 30.0  # degrees before the answer is shown
DEPTH = 1.0  # how far below 0 the chart goes, in units of the largest margin: what is above 0 matters


def best_angle(stage: Stage) -> float:
    """Return the direction of w* in degrees, from 0 to 360."""
    w = boundary_line(stage).w
    return float(np.degrees(np.arctan2(w[1], w[0])) % 360.0)


def angle(stage: Stage) -> float:
    """Return the direction of the normal in degrees."""
    return stage.dial("angle", best_angle(stage) if stage.shown else START)


def middle_line(stage: Stage) -> tuple[Line, float]:
    """Return the line with this normal halfway between the classes, and its margin."""
    return widest_with_normal(stage.data.X, stage.data.y, float(np.radians(angle(stage))))


def margins(stage: Stage) -> Array:
    """Return the margin of that line in every direction of ANGLES."""
    t, data = np.radians(ANGLES), stage.data
    return stage.cached_for_points(
        "directions", lambda: widest_margins(data.X, data.y, np.stack([np.cos(t), np.sin(t)], 1), True)
    )


def draw(stage: Stage) -> Data:
    """The line with its normal and margin lines, and the SVM once shown."""
    half = stage.lab.view
    line, margin = middle_line(stage)
    overlay = [*line_strokes(line, half, "accent"), normal_of(line, half, "accent")]
    if margin > 0:
        overlay += [item for t in (margin, -margin) for item in line_strokes(line.shifted(t), half, "accent dashed")]
    hidden: Data = {} if stage.shown else {**POINTS_ONLY, "legend": None}
    slider = dial("angle", _("Direction of the normal u"), "θ", angle(stage), 0.0, 360.0, 1.0, "°")
    return {"overlay": overlay, "sliders": [slider], **hidden}


def play(stage: Stage) -> Data:
    """Turn from the farther end of the slider through the opposite direction to w*."""
    best = best_angle(stage)
    return {"key": "angle", "op": "dial", "from": 0.0 if best > 180 else 360.0, "to": best, "ms": 5000}


def verdict(stage: Stage) -> str:
    return _(
        "Exactly one. It lies at {angle}°, in the direction of w*, and its height is "
        "γ*\u00a0=\u00a01/‖w*‖\u00a0=\u00a0{best}."
    ).format(angle=short(best_angle(stage)), best=short(largest_margin(stage)))


def chart(stage: Stage) -> Chart:
    """The margin against the direction. A click turns the line."""
    here, best = (angle(stage), middle_line(stage)[1]), (best_angle(stage), largest_margin(stage))
    figure = directions(ANGLES, margins(stage), here, best, stage.palette)
    return Chart(figure, lambda degrees: set_dials(angle=float(degrees)))


def directions(
    angle: Array, margin: Array, at: tuple[float, float], peak: tuple[float, float], palette: Palette
) -> go.Figure:
    """Return the chart of `margin` (k,) over `angle` in degrees, stronger where it is above 0.

    at, peak: the present direction and the one of the maximum, as (angle, margin). The lines carry transparent marks
    with the angle as customdata, so that they can be clicked.
    """
    figure = empty_chart(palette, _("direction of u in degrees"), _("margin"), height=270)
    parts = (("below", margin, palette.quiet), ("above", np.where(margin > 0, margin, np.nan), palette.plus))
    for name, part, colour in parts:
        figure.add_trace(
            go.Scatter(
                x=angle,
                y=part,
                customdata=angle,
                name=name,
                mode="lines+markers",
                line=palette.pen(colour),
                marker={"color": CLEAR, "size": 9},
                hovertemplate="%{x:.0f}°: %{y:.4g}<extra></extra>",
            )
        )
    add_rule(figure, palette, palette.plus, "dash", y=peak[1])
    mark = {"symbol": "star", "size": 14 * palette.stroke, "color": palette.plus}
    hover = "w*: %{x:.2f}°, %{y:.6g}<extra></extra>"
    x, y = np.array(peak[:1]), np.array(peak[1:])
    figure.add_trace(go.Scatter(x=x, y=y, name="peak", mode="markers", marker=mark, hovertemplate=hover))
    mark_current(figure, palette, *at)
    figure.update_xaxes(range=[0, 360], dtick=90)
    figure.update_yaxes(range=axis_range(np.maximum(margin, -DEPTH * peak[1]), peak[1]), zeroline=True)
    return place_labels(figure, palette, [Label("γ*", 360, peak[1], palette.plus)])


def _beside(degrees: float) -> Callable[[Stage], Op]:
    return lambda stage: set_dials(angle=(best_angle(stage) + degrees) % 360.0)


TURN = Step(
    key="turn",
    title=N_("Direction of largest margin"),
    deeper=True,
    situation=N_(
        "A line separates the classes. The normal $u$ of the green line (arrow) has the angle $\\theta$. The "
        "line is placed so that its margin, with the + points on the side of the arrow, is as large as "
        "possible. The margin is negative if this line does not separate the classes. Now you turn $u$ through "
        "all 360°."
    ),
    question=N_(
        "If the classes are separable, how many local maxima above 0 does the margin have over all directions "
        "of the normal?"
    ),
    choices=(
        right(N_("Exactly one")),
        wrong(
            N_("Two, in opposite directions"),
            N_(
                "Opposite normals belong to parallel lines. However, the sides are exchanged, so the margin is "
                "negative there."
            ),
        ),
        wrong(
            N_("The number depends on the points"),
            N_(
                "Its height and direction depend on them. However, the margin has no minimum between two separating "
                "directions, so it has one maximum."
            ),
        ),
    ),
    verdict=verdict,
    board=BOARD,
    needs=SEPARABLE_POINTS,
    draw=draw,
    play=play,
    rests_on_answer=lambda stage: abs(angle(stage) - best_angle(stage)) < 0.5,
    numbers=(
        Measure(N_("direction (°)"), angle, N_("Angle of the normal u in degrees")),
        Measure(
            N_("margin"),
            lambda stage: middle_line(stage)[1],
            N_("Margin of the line halfway between the classes, negative if it does not separate them"),
        ),
        Measure(N_("largest γ*"), largest_margin, N_("Largest margin 1/‖w*‖ of all lines"), True),
    ),
    chart=chart,
    says=N_(
        "The chart shows the margin for every direction. Between two directions with positive margins, the margin is "
        "above the smaller one. So only one peak is above 0 (star). Click the curve to turn the line."
    ),
    formula=r"u^* = \gamma^* w^*, \qquad \gamma^* = \frac{1}{\|w^*\|}",
    more=(
        N_(
            "**Why there is only one.** Let $u$ and $u'$ be two directions with margins of at least $g > 0$. Take any "
            "+ point minus any − point. This difference has an inner product of at least $2g$ with $u$ and with $u'$, "
            "so also with each weighted mean of them. A mean of two different unit vectors is shorter than 1. So after "
            "scaling it to length 1, its margin is above $g$. Two separate maxima above 0 are therefore impossible."
        ),
        N_(
            "**The maximum.** The largest margin is reached for $u^* = \\gamma^* w^*$, because $w^*$ has this "
            "direction and the length $1/\\gamma^*$. The solver computes it without trying directions. The Italian "
            "notes on Pegasos state, for an SVM without a bias: “soddisfa $\\mathbf{u}^* = \\gamma^* \\mathbf{w}^*$, "
            "dove $\\mathbf{w}^*$ è soluzione di (1)”."
        ),
        N_(
            "**Below 0.** Where the margin is negative, the projections of the two classes onto $u$ overlap or are in "
            "the wrong order. There the margin can have further local maxima."
        ),
    ),
    tries=(
        Try(N_("10° away"), _beside(10.0)),
        Try(N_("Opposite direction"), _beside(180.0)),
    ),
    shows=("M6",),
)

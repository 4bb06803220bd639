"""The margin of the best line in each direction, with its one peak at w* (M6)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import axis_range, blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import add_rule, mark_current
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.lessons.margin.street import BOARD, STREET, widest
from svmlab.lab.numbers import short
from svmlab.lab.teach.overlay import POINTS_ONLY, boundary_line, dial, line_strokes, normal_of, reading, set_dials
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Op, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line, widest_with_normal
from svmlab.statements.geometry import widest_margins

GRID = np.arange(0.0, 361.0)


def angle(stage: Stage) -> float:
    """The direction of the normal in degrees."""
    return stage.dial("angle", 90.0)


def towards(stage: Stage) -> tuple[Line, float]:
    """The best line of that direction, and its margin."""
    return widest_with_normal(stage.data.X, stage.data.y, float(np.radians(angle(stage))))


def peak(stage: Stage) -> float:
    """The direction of w* in degrees, 0 to 360."""
    w = boundary_line(stage).w
    return float(np.degrees(np.arctan2(w[1], w[0])) % 360.0)


def curve(stage: Stage) -> Array:
    """The margin in every direction of GRID."""
    t, data = np.radians(GRID), stage.data
    return stage.cached_for_points(
        "directions", lambda: widest_margins(data.X, data.y, np.stack([np.cos(t), np.sin(t)], 1), True)
    )


def draw(stage: Stage) -> Data:
    """The best line in the direction, its street, and its normal; the widest street once shown."""
    half = stage.lab.view
    line, margin = towards(stage)
    overlay = [*line_strokes(line, half, "accent"), normal_of(line, half, "accent")]
    if margin > 0:
        overlay += [item for t in (margin, -margin) for item in line_strokes(line.shifted(t), half, "accent dashed")]
    hidden: Data = {} if stage.shown else {**POINTS_ONLY, "legend": None}
    slider = dial("angle", _("Direction of the normal"), "θ", angle(stage), 0.0, 360.0, 1.0, "°")
    return {"overlay": overlay, "sliders": [slider], **hidden}


def numbers(stage: Stage) -> Sequence[Reading]:
    """The direction and its margin."""
    margin = towards(stage)[1]
    readings = [
        Reading(_("direction"), f"{short(angle(stage))}°", repr(angle(stage))),
        reading(_("margin there"), margin),
    ]
    if not stage.shown:
        return readings
    share = margin / widest(stage)
    if share > 0:
        readings.append(Reading(_("of the widest"), f"{100 * share:.1f} %", repr(share)))
    return [*readings, reading("1/|w*|", widest(stage))]


def chart(stage: Stage) -> Chart:
    """The margin against the direction; a click turns the line."""
    now, top = (angle(stage), towards(stage)[1]), (peak(stage), widest(stage))
    figure = directions(GRID, curve(stage), now, top, stage.palette)
    return Chart(figure, lambda degrees: set_dials(angle=float(degrees)))


def _beside(stage: Stage, degrees: float) -> Op:
    return set_dials(angle=(peak(stage) + degrees) % 360.0)


DEPTH = 2  # how far below 0 the axis goes, in heights of the peak: what stands above 0 is to be seen


def directions(
    angle: Array, margin: Array, at: tuple[float, float], peak: tuple[float, float], palette: Palette
) -> go.Figure:
    """`margin` (k,) over `angle` in degrees, stronger where it is above 0; `at` and `peak` are (angle, margin).

    The lines carry transparent marks with the angle as customdata, so that they can be clicked.
    """
    figure = blank(palette, _("direction of the normal, degrees"), _("margin"), height=270)
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
    return place_labels(figure, palette, [Label("1/|w*|", 360, peak[1], palette.plus)])


TURN = Step(
    key="turn",
    title=N_("Turn the line"),
    question=N_(
        "A machine puts the line in the middle of the gap, for each direction of its normal. Once round: "
        "how often does "
        "the margin rise to a peak **above 0**?"
    ),
    choices=(
        right(N_("Once")),
        wrong(
            N_("Twice: there and on the opposite side"),
            N_("Opposite, the same line has its sides swapped: its margin is below 0."),
        ),
        wrong(
            N_("It depends on the board"),
            N_("Between two directions with room there is never less room than in both."),
        ),
    ),
    verdict=lambda stage: _("Once, in the direction of w*, and the peak is as high as 1/|w*|."),
    board=BOARD,
    needs=STREET,
    draw=draw,
    play=lambda stage: {"key": "angle", "op": "dial", "from": 0.0, "to": 360.0, "ms": 5000},
    numbers=numbers,
    chart=chart,
    says=N_(
        "The solver finds the peak without trying any direction. Below 0 the classes overlap, seen along the line."
    ),
    formula=r"u^* = \gamma^* w^*, \qquad \gamma^* = \frac{1}{\|w^*\|}",
    more=lambda stage: [
        _(
            "Why one peak: let $u$ and $v$ be directions with margins of at least $m > 0$. Every difference "
            "of a + point and "
            "a − point has a product of at least $2m$ with $u$ and with $v$, hence with $\\tfrac12(u + v)$; "
            "made as long as 1 "
            "again that is no less, so halfway between them the margin is at least $m$ too."
        )
    ],
    tries=(
        Try(N_("Turn to w*"), lambda stage: _beside(stage, 0.0)),
        Try(N_("10° beside"), lambda stage: _beside(stage, 10.0)),
        Try(N_("Opposite"), lambda stage: _beside(stage, 180.0)),
    ),
    shows=("M6",),
)

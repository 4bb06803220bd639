"""The smallest distance without its sign: a line slid away from all points (M11)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import axis_range, blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import mark_current
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.margin.street import BOARD, STREET
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.overlay import boundary_line, dial, line_strokes, reading, set_dials
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _

SPAN = 12.0
GRID = np.linspace(-SPAN, SPAN, 241)


def way(stage: Stage) -> float:
    """How far the line is slid."""
    return stage.dial("slide", 0.0)


def smallest(stage: Stage, t: float) -> tuple[float, float]:
    """The smallest distance to the line slid by t, and the smallest with its sign."""
    margins = boundary_line(stage).shifted(t).margins(stage.data.X, stage.data.y)
    return float(np.abs(margins).min()), float(margins.min())


def draw(stage: Stage) -> Data:
    """The widest street and the slid line."""
    return {
        "overlay": line_strokes(boundary_line(stage).shifted(way(stage)), stage.lab.view, "accent"),
        "sliders": [dial("slide", _("How far the line is slid along its normal"), "t", way(stage), -SPAN, SPAN, 0.1)],
    }


def numbers(stage: Stage) -> Sequence[Reading]:
    """Both readings for the slid line, the signed one once shown."""
    unsigned, signed = smallest(stage, way(stage))
    readings = [reading(_("smallest distance"), unsigned)]
    return [*readings, reading(_("with its sign"), signed)] if stage.shown else readings


def chart(stage: Stage) -> Chart:
    """Both readings along the way."""
    both = np.array([smallest(stage, float(t)) for t in GRID])
    return Chart(slide(GRID, both[:, 0], both[:, 1], (way(stage), *smallest(stage, way(stage))), stage.palette))


def says(stage: Stage) -> str:
    """The smallest distances far away."""
    near, far = (short(smallest(stage, t)[0], noise=ROUNDING) for t in (100.0, 1000.0))
    said = _("The distance grows for ever: **{near}** at 100, **{far}** at 1000. With its sign it falls to −∞.")
    return said.format(near=near, far=far)


def slide(t: Array, unsigned: Array, signed: Array, at: tuple[float, float, float], palette: Palette) -> go.Figure:
    """Both over the way t; `at` is the present (t, unsigned, signed)."""
    figure = blank(palette, _("line slid by"), _("smallest"), height=270)
    lines = (("unsigned", _("distance"), unsigned, palette.minus), ("signed", _("with sign"), signed, palette.plus))
    for name, _said, y, colour in lines:
        hover = "%{x:.1f}: %{y:.4g}<extra></extra>"
        figure.add_trace(go.Scatter(x=t, y=y, name=name, mode="lines", line=palette.pen(colour), hovertemplate=hover))
    mark_current(figure, palette, *at)
    figure.update_xaxes(range=[float(t[0]), float(t[-1])], zeroline=True)
    figure.update_yaxes(range=axis_range(unsigned, signed), zeroline=True)
    return place_labels(
        figure, palette, [Label(said, float(t[-1]), float(y[-1]), colour) for _name, said, y, colour in lines]
    )


SLIDE = Step(
    key="slide",
    title=N_("A sign that matters"),
    question=N_(
        "Somebody makes the smallest **distance** from the points to the line as large as possible, and "
        "does not ask on "
        "which side they are. Which line wins?"
    ),
    choices=(
        wrong(N_("The middle of the widest street"), N_("It is best among those that separate; nobody asks for that.")),
        right(N_("A line far away from all points")),
        wrong(
            N_("A line through the largest gap within a class"),
            N_("Such a gap may be wide, but outside of all points there is no end of room."),
        ),
    ),
    verdict=lambda stage: _("A line far away from all points, and one still farther beats it."),
    board=BOARD,
    needs=STREET,
    draw=draw,
    play=lambda stage: {"key": "slide", "op": "dial", "from": 0.0, "to": SPAN, "ms": 2500},
    numbers=numbers,
    chart=chart,
    says=says,
    formula=(
        r"\max_{w, b}\, \min_i \frac{y_i f(x_i)}{\|w\|} \quad \text{not} \quad \max_{w, b}\, \min_i "
        r"\frac{|f(x_i)|}{\|w\|}"
    ),
    more=lambda stage: [
        _(
            "Far outside, one whole class is on the wrong side, so its margins are negative. Either the "
            "distance is taken with "
            "its sign, or one demands besides that the line separates; then the two readings agree."
        ),
        _(
            "The Italian notes on half-spaces and hinge loss print the distance without a sign in their "
            "first formula; their "
            "next line has the sign and asks for a line that separates."
        ),
    ],
    tries=(
        Try(N_("Back to the middle"), set_dials(slide=0.0)),
        Try(N_("Off the board"), set_dials(slide=SPAN)),
    ),
    shows=("M11",),
)

"""The margin of the best line in each direction, its peak, and the direction on the board."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank, axis_range
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import mark_current, add_rule
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.words import _

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

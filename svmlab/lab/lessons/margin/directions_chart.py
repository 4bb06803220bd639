"""The margin of the best line in each direction, its peak, and the direction on the board."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.arrays import Array
from svmlab.lab.charts.style import PLUS, QUIET, label, now, plain_axes


class Words(NamedTuple):
    """The labels of the figure."""

    x: str
    y: str
    peak: str


def directions(
    angle: Array, margin: Array, at: tuple[float, float], peak: tuple[float, float], words: Words
) -> go.Figure:
    """`margin` (k,) over `angle` in degrees, stronger where it is above 0; `at` and `peak` are (angle, margin).

    The lines carry transparent marks with the angle as customdata, so that they can be clicked.
    """
    figure = go.Figure()
    for name, part, colour in (("below", margin, QUIET), ("above", np.where(margin > 0, margin, np.nan), PLUS)):
        figure.add_trace(
            go.Scatter(
                x=angle,
                y=part,
                customdata=angle,
                name=name,
                mode="lines+markers",
                line={"color": colour, "width": 2.5},
                marker={"color": "rgba(0,0,0,0)", "size": 9},
                hovertemplate="%{x:.0f}°: %{y:.4g}<extra></extra>",
            )
        )
    figure.add_hline(y=peak[1], line={"color": PLUS, "width": 1.5, "dash": "dash"})
    mark = {"symbol": "star", "size": 14, "color": PLUS}
    hover = "w*: %{x:.2f}°, %{y:.6g}<extra></extra>"
    figure.add_trace(
        go.Scatter(x=[peak[0]], y=[peak[1]], name="peak", mode="markers", marker=mark, hovertemplate=hover)
    )
    label(figure, 360, peak[1], words.peak, PLUS)
    now(figure, *at)
    plain_axes(figure, words.x, words.y, height=270, right=66)
    return figure.update_xaxes(range=[0, 360], dtick=90)

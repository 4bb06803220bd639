"""The plane of w: the ball that holds every w of a run, its path, and w* (P3)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.palette import Palette

FIRST = 12  # steps that are marked


def ball(path: Array, radius: float, inner: float, best: Array, palette: Palette) -> go.Figure:
    """The path w_1, w_2, .. (n, 2) in the circle of `radius`, a dashed one of radius `inner` around `best` = w* (2,); equal units."""
    figure = blank(palette, height=160, left=30)
    turn = np.linspace(0, 2 * np.pi, 181)
    circle = np.c_[np.cos(turn), np.sin(turn)]
    for size, dash, name in ((inner, "dash", "inner"), (radius, "solid", "ball")):
        x, y = (size * circle).T
        pen = palette.pen(palette.quiet, 1.5 if name == "inner" else 2.5, dash)
        figure.add_trace(go.Scatter(x=x, y=y, name=name, mode="lines", line=pen, hoverinfo="skip"))
    t = np.arange(1, len(path) + 1)
    marks = palette.stroke * np.where(t <= FIRST, 7.0, 3.0)
    figure.add_trace(
        go.Scatter(
            x=path[:, 0],
            y=path[:, 1],
            customdata=np.c_[t, np.hypot(*path.T)],
            name="path",
            mode="lines+markers",
            line=palette.pen(palette.series[0], 1.5),
            marker={"size": marks, "color": palette.series[0], "opacity": 1},
            hovertemplate="w<sub>%{customdata[0]:d}</sub>, |w| = %{customdata[1]:.4g}<extra></extra>",
        )
    )
    cross = {"symbol": "x", "size": 13 * palette.stroke, "color": palette.other}
    figure.add_trace(
        go.Scatter(
            x=best[:1],
            y=best[1:],
            name="best",
            mode="markers",
            marker=cross,
            hovertemplate="w* = (%{x:.4g}, %{y:.4g})<extra></extra>",
        )
    )
    reach = 1.1 * radius
    figure.update_xaxes(range=[-reach, reach], zeroline=True)
    figure.update_yaxes(range=[-reach, reach], zeroline=True, scaleanchor="x", nticks=5)
    up = radius * np.sqrt(0.5)
    labels = [
        Label("X/λ", up, up, palette.quiet, "above right"),
        Label("w*", float(best[0]), float(best[1]), palette.other, "above left"),
    ]
    return place_labels(figure, palette, labels, backed=True)

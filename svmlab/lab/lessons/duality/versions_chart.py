"""The search for the widest margin: over directions, and in the plane of w (M6, H1; note C, versions 1 and 2)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.arrays import Array
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, put
from svmlab.lab.charts.marks import SIZE, rule
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.duality.versions import Turn


class Words(NamedTuple):
    """Labels of both charts."""

    angle: str
    margin: str
    best: str
    w1: str
    w2: str
    allowed: str
    shortest: str
    tight: str


def turning(found: Turn, gamma: float, words: Words, palette: Palette) -> go.Figure:
    """The margin against the direction of the normal, in degrees away from the best one; below 0 it separates nothing."""
    degrees = np.degrees(found.angle - found.angle[len(found.angle) // 2])
    figure = blank(palette, words.angle, words.margin, height=320)
    figure.add_trace(
        go.Scatter(
            x=degrees,
            y=found.margin,
            mode="lines",
            line=palette.pen(palette.text),
            hovertemplate="%{x:.1f}°<br>%{y:.5g}<extra></extra>",
            name=words.margin,
        )
    )
    rule(figure, palette, palette.quiet, y=0, width=1)
    figure.add_trace(_dot(0.0, gamma, words.best, f"{gamma:.8g}", palette))
    low = float(found.margin.min())
    figure.update_yaxes(range=[1.05 * low, gamma + 0.22 * (gamma - low)])
    figure.update_xaxes(range=[-180, 180], dtick=90, ticksuffix="°")
    return put(figure, palette, [Label(words.best, 0.0, gamma, palette.accent, "above")])


def plane_of_w(found: Turn, w: Array, edge_only: bool, words: Words, palette: Palette) -> go.Figure:
    """All w for which some b gives y f >= 1 on every point, and the shortest of them touching a circle about 0.

    `edge_only` draws the edge alone, where the least margin is exactly 1.
    """
    edge, norm = found.least, float(np.hypot(*w))
    far = 2.6 * norm
    outer = edge / np.hypot(edge[:, 0], edge[:, 1])[:, None] * (40 * far)
    figure = blank(palette, words.w1, words.w2, height=380)
    if not edge_only:
        figure.add_trace(
            go.Scatter(
                x=np.r_[edge[:, 0], outer[::-1, 0]],
                y=np.r_[edge[:, 1], outer[::-1, 1]],
                fill="toself",
                mode="lines",
                line={"width": 0},
                fillcolor=palette.grid,
                hoverinfo="skip",
                name=words.allowed,
            )
        )
    figure.add_trace(
        go.Scatter(
            x=edge[:, 0],
            y=edge[:, 1],
            mode="lines",
            line=palette.pen(palette.text),
            name=words.tight,
            hovertemplate="w = (%{x:.4g}, %{y:.4g})<extra></extra>",
        )
    )
    a = np.linspace(0, 2 * np.pi, 181)
    figure.add_trace(
        go.Scatter(
            x=norm * np.cos(a),
            y=norm * np.sin(a),
            mode="lines",
            line=palette.pen(palette.accent, 1.5, "dash"),
            hoverinfo="skip",
            name="circle",
        )
    )
    figure.add_annotation(
        x=float(w[0]),
        y=float(w[1]),
        ax=0,
        ay=0,
        xref="x",
        yref="y",
        axref="x",
        ayref="y",
        arrowhead=2,
        arrowwidth=2.5 * palette.stroke,
        arrowcolor=palette.accent,
        text="",
        showarrow=True,
    )
    figure.add_trace(_dot(float(w[0]), float(w[1]), words.shortest, f"({w[0]:.8g}, {w[1]:.8g})", palette))
    (x0, y0), half = 0.75 * w, 1.9 * norm
    figure.update_xaxes(range=[float(x0) - half, float(x0) + half])
    figure.update_yaxes(range=[float(y0) - half, float(y0) + half], scaleanchor="x")
    (x1, y1), (x2, y2) = -0.45 * w, 2.0 * w
    place = words.tight if edge_only else words.allowed
    names = (
        Label(words.shortest, float(x1), float(y1), palette.accent, ""),
        Label(place, float(x2), float(y2), palette.text, ""),
    )
    return put(figure, palette, names)


def _dot(x: float, y: float, name: str, exact: str, palette: Palette) -> go.Scatter:
    return go.Scatter(
        x=np.array([x]),
        y=np.array([y]),
        mode="markers",
        marker={"size": SIZE * palette.stroke, "color": palette.accent},
        name=name,
        hovertemplate=f"{name}<br>{exact}<extra></extra>",
    )

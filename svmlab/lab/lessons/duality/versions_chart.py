"""The search for the widest margin: over directions, and in the plane of w (M6, H1; note C, versions 1 and 2)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.arrays import Array
from svmlab.lab.charts.style import GRID, Palette
from svmlab.lab.lessons.duality.ink import label, quiet
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


def turning(found: Turn, gamma: float, ink: Palette, words: Words) -> go.Figure:
    """The margin against the direction of the normal, in degrees away from the best one; below 0 it separates nothing."""
    degrees = np.degrees(found.angle - found.angle[len(found.angle) // 2])
    figure = go.Figure(
        go.Scatter(
            x=degrees, y=found.margin, mode="lines", line={"color": ink.ink, "width": 2.5},
            hovertemplate="%{x:.1f}°<br>%{y:.5g}<extra></extra>", name=words.margin,
        )
    )  # fmt: skip
    figure.add_hline(0, line={"color": ink.quiet, "width": 1})
    figure.add_trace(_dot(0.0, gamma, words.best, ink.accent, f"{gamma:.8g}"))
    label(figure, 0.0, gamma, words.best, ink.accent, yanchor="bottom", yshift=9)
    figure = quiet(figure, words.angle, words.margin)
    low = float(found.margin.min())
    figure.update_yaxes(range=[1.05 * low, gamma + 0.22 * (gamma - low)])
    return figure.update_xaxes(tickvals=[-180, -90, 0, 90, 180], ticksuffix="°")


def plane_of_w(found: Turn, w: Array, edge_only: bool, ink: Palette, words: Words) -> go.Figure:
    """All w for which some b gives y f >= 1 on every point, and the shortest of them touching a circle about 0.

    `edge_only` draws the edge alone, where the least margin is exactly 1.
    """
    edge, norm = found.least, float(np.hypot(*w))
    far = 2.6 * norm
    outer = edge / np.hypot(edge[:, 0], edge[:, 1])[:, None] * (40 * far)
    figure = go.Figure()
    if not edge_only:
        figure.add_trace(
            go.Scatter(
                x=np.r_[edge[:, 0], outer[::-1, 0]], y=np.r_[edge[:, 1], outer[::-1, 1]], fill="toself", mode="lines",
                line={"width": 0}, fillcolor=GRID, hoverinfo="skip", name=words.allowed,
            )
        )  # fmt: skip
    figure.add_trace(
        go.Scatter(
            x=edge[:, 0], y=edge[:, 1], mode="lines", line={"color": ink.ink, "width": 2.5}, name=words.tight,
            hovertemplate="w = (%{x:.4g}, %{y:.4g})<extra></extra>",
        )
    )  # fmt: skip
    a = np.linspace(0, 2 * np.pi, 181)
    figure.add_trace(
        go.Scatter(
            x=norm * np.cos(a), y=norm * np.sin(a), mode="lines", line={"color": ink.accent, "width": 1.5, "dash": "dash"},
            hoverinfo="skip", name="circle",
        )
    )  # fmt: skip
    figure.add_annotation(
        x=float(w[0]), y=float(w[1]), ax=0, ay=0, xref="x", yref="y", axref="x", ayref="y", arrowhead=2, arrowwidth=2.5,
        arrowcolor=ink.accent, text="", showarrow=True,
    )  # fmt: skip
    figure.add_trace(_dot(float(w[0]), float(w[1]), words.shortest, ink.accent, f"({w[0]:.8g}, {w[1]:.8g})"))
    back = -0.45 * w
    label(figure, float(back[0]), float(back[1]), words.shortest, ink.accent)
    place = 2.0 * w
    label(figure, float(place[0]), float(place[1]), words.tight if edge_only else words.allowed, ink.ink)
    figure = quiet(figure, words.w1, words.w2, height=380)
    middle = 0.75 * w
    half = 1.9 * norm
    figure.update_xaxes(range=[float(middle[0]) - half, float(middle[0]) + half])
    return figure.update_yaxes(range=[float(middle[1]) - half, float(middle[1]) + half], scaleanchor="x")


def _dot(x: float, y: float, name: str, colour: str, exact: str) -> go.Scatter:
    return go.Scatter(
        x=[x],
        y=[y],
        mode="markers",
        marker={"size": 11, "color": colour},
        name=name,
        hovertemplate=f"{name}<br>{exact}<extra></extra>",
    )

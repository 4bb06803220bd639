"""The search for the widest margin: over directions, and in the plane of w (the German handout's versions 1 to 3)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import RING, SIZE, mark_current, add_rule
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.lessons.duality.versions import Turn
from svmlab.lab.words import _


def turning(found: Turn, gamma: float, turned: float, here: float, palette: Palette) -> go.Figure:
    """The margin against the direction of the normal, in degrees away from the best one; the board stands at `turned`, `here`."""
    degrees = np.degrees(found.angle - found.angle[len(found.angle) // 2])
    figure = blank(palette, _("turned away from the best"), _("margin"), height=320)
    figure.add_trace(
        go.Scatter(
            x=degrees,
            y=found.margin,
            mode="lines",
            line=palette.pen(palette.text),
            hovertemplate="%{x:.1f}°<br>%{y:.5g}<extra></extra>",
            name="margin",
        )
    )
    add_rule(figure, palette, palette.quiet, y=0, width=1)
    mark_current(figure, palette, turned, here)
    figure.add_trace(_dot(0.0, gamma, _("margin"), f"{gamma:.8g}", palette))
    low = float(found.margin.min())
    figure.update_yaxes(range=[1.05 * low, gamma + 0.22 * (gamma - low)], nticks=5)
    figure.update_xaxes(range=[-180, 180], dtick=90, ticksuffix="°")
    return place_labels(figure, palette, [Label(_("margin"), 0.0, gamma, palette.accent, "above")])


def plane_of_w(found: Turn, w: Array, here: Array | None, edge_only: bool, palette: Palette) -> go.Figure:
    """All w for which some b gives y f >= 1 on every point, the shortest touching a circle about 0, and the board's `here`.

    `edge_only` draws the edge alone, where the least margin is exactly 1.
    """
    edge, norm = found.least, float(np.hypot(*w))
    outer = edge / np.hypot(edge[:, 0], edge[:, 1])[:, None] * (100 * norm)
    figure = blank(palette, height=320)
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
                name="allowed",
            )
        )
    figure.add_trace(
        go.Scatter(
            x=edge[:, 0],
            y=edge[:, 1],
            mode="lines",
            line=palette.pen(palette.text),
            name="edge",
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
    figure.add_trace(_dot(float(w[0]), float(w[1]), _("shortest w"), f"({w[0]:.8g}, {w[1]:.8g})", palette))
    if here is not None:
        ring = {"size": 12 * palette.stroke, "color": CLEAR, "line": palette.pen(palette.accent, RING)}
        hover = "w = (%{x:.4g}, %{y:.4g})<extra></extra>"
        figure.add_trace(
            go.Scatter(x=here[:1], y=here[1:], name="now", mode="markers", marker=ring, hovertemplate=hover)
        )
    (x0, y0), half = 0.75 * w, 1.9 * norm
    figure.update_xaxes(range=[float(x0) - half, float(x0) + half])
    figure.update_yaxes(range=[float(y0) - half, float(y0) + half], scaleanchor="x")
    # a circle and its touching point, not places to be read: the hover has those, and the room is needed
    figure.update_xaxes(showticklabels=False, zeroline=True).update_yaxes(showticklabels=False, zeroline=True)
    towards, away = ("right", "left") if w[0] >= 0 else ("left", "right")
    x, y = (1.2 if edge_only else 1.7) * w
    names = (
        Label(_("shortest w"), -norm if towards == "right" else norm, 0.0, palette.accent, away),
        Label(_("least margin 1") if edge_only else _("allowed"), float(x), float(y), palette.text, towards),
    )
    return place_labels(figure, palette, names)


def _dot(x: float, y: float, name: str, exact: str, palette: Palette) -> go.Scatter:
    return go.Scatter(
        x=np.array([x]),
        y=np.array([y]),
        mode="markers",
        marker={"size": SIZE * palette.stroke, "color": palette.accent},
        name="best",
        hovertemplate=f"{name}<br>{exact}<extra></extra>",
    )

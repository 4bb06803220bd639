"""The Lagrangian over the stretches of the machine and of the weights, and the best answer to either (H13)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import SIZE, mark_current, add_rule
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.words import _


def surface(unit: float, t: float, s: float, span: float, palette: Palette) -> go.Figure:
    """Level lines of unit (t^2 / 2 - s (t - 1)) over t and s, the valley t = s, and the line t = 1 on which s changes nothing."""
    figure = blank(palette, _("w and b times"), _("α times"), height=300)
    grid = np.linspace(0.0, span, 81)
    L = unit * (0.5 * grid[None, :] ** 2 - grid[:, None] * (grid[None, :] - 1.0))
    step = 0.25 * unit
    figure.add_trace(
        go.Contour(
            x=grid,
            y=grid,
            z=L,
            name="L",
            showscale=False,
            colorscale=[[0.0, palette.paper], [1.0, palette.accent]],
            opacity=0.5,
            zmin=0.0,
            zmax=2.0 * unit,
            contours={"start": -2.0 * unit, "end": 3.0 * unit, "size": step, "coloring": "fill", "showlines": True},
            line={"width": palette.stroke, "color": palette.text},
            hovertemplate=_("w and b times")
            + " %{x:.2f}<br>"
            + _("α times")
            + " %{y:.2f}<br>L = %{z:.4g}<extra></extra>",
        )
    )
    lines = (
        ("valley", np.array([0.0, span]), palette.text, "solid"),
        ("level", np.array([1.0, 1.0]), palette.text, "dash"),
    )
    for name, x, colour, dash in lines:
        y = np.array([0.0, span])
        pen = palette.pen(colour, 2, dash)
        figure.add_trace(go.Scatter(x=x, y=y, name=name, mode="lines", line=pen, hoverinfo="skip"))
    dot = {"size": SIZE * palette.stroke, "color": palette.accent}
    figure.add_trace(
        go.Scatter(x=np.ones(1), y=np.ones(1), name="saddle", mode="markers", marker=dot, hoverinfo="skip")
    )
    mark_current(figure, palette, t, s)
    add_rule(figure, palette, palette.accent, y=s)
    figure.update_xaxes(range=[0.0, span], dtick=0.5, showgrid=False)
    figure.update_yaxes(range=[0.0, span], dtick=0.5, showgrid=False)
    names = (
        Label(_("best w for α"), span, span, palette.text),
        Label(_("α changes nothing"), 1.0, 0.12 * span, palette.text),
        Label(_("saddle"), 1.0, 1.0, palette.accent, "below right"),
    )
    return place_labels(figure, palette, names, backed=True)


def answers(unit: float, t: float, s: float, span: float, palette: Palette) -> go.Figure:
    """The largest L that the weights answer to each t, infinite below 1, and the least that the machine answers to each s."""
    figure = blank(palette, _("times the best"), "L", height=300)
    top = 0.5 * unit * span**2
    feasible, grid = np.linspace(1.0, span, 41), np.linspace(0.0, span, 81)
    highest, lowest = 0.5 * unit * feasible**2, unit * (grid - 0.5 * grid**2)
    figure.add_trace(
        go.Scatter(
            x=np.r_[1.0, feasible],
            y=np.r_[1.2 * top, highest],
            name="largest",
            mode="lines",
            line=palette.pen(palette.text),
            hovertemplate="%{y:.5g}<extra></extra>",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=grid,
            y=lowest,
            name="least",
            mode="lines",
            line=palette.pen(palette.accent),
            hovertemplate="%{y:.5g}<extra></extra>",
        )
    )
    ring = {"size": 12 * palette.stroke, "color": CLEAR, "line": palette.pen(palette.accent, 3)}
    figure.add_trace(
        go.Scatter(
            x=np.array([t, s]),
            y=np.array([0.5 * unit * t**2 if t >= 1.0 - 1e-9 else 1.05 * top, unit * (s - 0.5 * s**2)]),
            name="now",
            mode="markers",
            marker=ring,
            hoverinfo="skip",
        )
    )
    figure.add_shape(
        type="rect",
        x0=0.0,
        x1=1.0,
        y0=1.0 * top,
        y1=1.12 * top,
        fillcolor=palette.grid,
        line={"width": 0},
        layer="below",
    )
    figure.update_xaxes(range=[0.0, span], dtick=0.5)
    figure.update_yaxes(range=[-0.04 * top, 1.12 * top], nticks=4)
    names = (
        Label("∞", 0.5, 1.05 * top, palette.text, ""),
        Label(_("largest over α"), span, float(highest[-1]), palette.text),
        Label(_("least over w"), span, float(lowest[-1]), palette.accent),
    )
    return place_labels(figure, palette, names)

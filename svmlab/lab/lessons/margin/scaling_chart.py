"""Both margins of one point while w and b are multiplied by s."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.lab.charts.frame import blank, axis_range
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import mark_current, points
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.words import _


def scaling(yf: float, gamma: float, s: float, ends: tuple[float, float], palette: Palette) -> go.Figure:
    """The functional margin s yf is a line through 0; the geometric one is gamma for s > 0 and -gamma for s < 0."""
    lo, hi = ends
    figure = blank(palette, _("factor s"), _("margin"), height=250)
    at = np.linspace(lo, hi, 51)
    figure.add_trace(go.Scatter(x=at, y=at * yf, name="functional", mode="lines", line=palette.pen(palette.plus)))
    x, y = np.array([lo, 0.0, np.nan, 0.0, hi]), np.array([-gamma, -gamma, np.nan, gamma, gamma])
    figure.add_trace(go.Scatter(x=x, y=y, name="geometric", mode="lines", line=palette.pen(palette.minus)))
    hole = {"color": CLEAR, "size": 8 * palette.stroke, "line": palette.pen(palette.minus, 2)}
    figure.add_trace(go.Scatter(x=np.zeros(2), y=np.array([-gamma, gamma]), name="gone", mode="markers", marker=hole))
    figure.update_traces(hovertemplate="s = %{x:.2f}: %{y:.4g}<extra></extra>")
    mark_current(figure, palette, s, *([s * yf, np.sign(s) * gamma] if s else [0.0]))
    figure.update_xaxes(range=[lo, max(hi, s)], zeroline=True)
    figure.update_yaxes(range=axis_range(at * yf, gamma, -gamma, s * yf), zeroline=True)
    names = (
        Label(_("functional"), hi, hi * yf, palette.plus),
        Label(_("geometric"), hi, gamma, palette.minus),
    )
    return place_labels(figure, palette, names)


def rulers(yf: Array, half: float, data: Dataset, chosen: int, s: float, palette: Palette) -> go.Figure:
    """The margins s y f of all points (m,) against their distance y f / |w|, and the line on which they lie at s = 1; half: 1/|w|."""
    figure = blank(palette, _("geometric margin"), "s y f", height=250)
    far, ends = yf * half, np.array(axis_range(yf * half))
    for name, scale, colour, dash in (("once", 1.0, palette.quiet, "dash"), ("now", s, palette.accent, "solid")):
        pen = palette.pen(colour, 2, dash)
        figure.add_trace(go.Scatter(x=ends, y=scale * ends / half, name=name, mode="lines", line=pen, hoverinfo="skip"))
    hover = _("geometric margin") + " %{x:.4g}<br>s y f = %{y:.4g}<extra></extra>"
    for sign in (1, -1):
        on = data.y == sign
        ids = data.ids[on]
        figure.add_trace(
            points(palette, far[on], s * yf[on], data.y[on], ids, ids == chosen, name=f"{sign}", hover=hover, edge=1.0)
        )
    figure.update_xaxes(range=ends.tolist(), zeroline=True)
    figure.update_yaxes(range=axis_range(ends / half, s * ends / half), zeroline=True)
    names = [Label("s = 1", float(ends[1]), float(ends[1] / half), palette.quiet)]
    if abs(s - 1.0) > 1e-9:
        names.append(Label(f"s = {s:.3g}".replace("-", "−"), float(ends[1]), float(s * ends[1] / half), palette.accent))
    return place_labels(figure, palette, names)

"""The f of all classes along a row of them (X1)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import points, add_rule
from svmlab.lab.charts.palette import Palette, faded
from svmlab.lab.numbers import low
from svmlab.lab.words import _
from svmlab.multiclass import Classes

HIGH = 2.4  # of f: beyond that a line leaves the chart


def section(t: Array, f: Array, x: Array, data: Classes, middle: int, palette: Palette) -> go.Figure:
    """F (n, k) at t (n,) along the row, the largest wide and pale behind, the middle one thick; below them the points at x (m,).

    customdata: the point's id.
    """
    figure = blank(palette, _("along the row"), "f", height=320)
    top = f.max(1)
    lo, hi = min(float(top.min()), -1.0) - 1.6, max(min(float(top.max()), HIGH), 1.0) + 0.3
    envelope = {"color": faded(palette.text, 0.2), "width": 11 * palette.stroke, "simplify": False}
    figure.add_trace(go.Scatter(x=t, y=top, name="largest", mode="lines", line=envelope, hoverinfo="skip"))
    add_rule(figure, palette, palette.quiet, y=0.0)
    labels = []
    for column, name in enumerate(data.classes):
        colour, own = palette.of(name), f[:, column]
        told = _("f of class {k}").format(k=name) + " = %{y:.4g}<extra></extra>"
        pen = palette.pen(colour, 4.0 if name == middle else 2.5)
        figure.add_trace(go.Scatter(x=t, y=own, name=str(name), mode="lines", line=pen, hovertemplate=told))
        inside = np.flatnonzero((own >= lo + 0.7) & (own <= hi))
        last = int(inside[-1]) if len(inside) else len(t) - 1
        side = "right" if last == len(t) - 1 else "above" if own[last] > own[0] else "above right"
        labels.append(Label(f"f{low(name)}", float(t[last]), float(np.clip(own[last], lo, hi)), colour, side))
    foot = np.full(len(x), lo + 0.3)
    hover = _("class {k}").format(k="%{customdata[1]}") + "<extra></extra>"
    ids = np.stack([data.ids, data.y], 1)
    figure.add_trace(points(palette, x, foot, data.y, ids, np.zeros(len(x), bool), name="points", hover=hover))
    figure.update_xaxes(range=[float(t[0]), float(t[-1])], nticks=8)
    figure.update_yaxes(range=[lo, hi], nticks=6)
    return place_labels(figure, palette, labels, backed=True)

"""The smallest distance to a line that is slid away, without and with its sign."""

from __future__ import annotations

import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank, axis_range
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import mark_current
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _


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

"""Functions of one variable as curves with their names at the end, and a ring on each where the present board is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.marks import mark_current
from svmlab.plot.frame import axis_range, empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import Palette


class NamedCurve(NamedTuple):
    """The values y (k,) of a function, its present value, its name, and its colour."""

    name: str
    y: Array
    current: float
    colour: str


def named_curves(
    palette: Palette, x_title: str, y_title: str, x: Array, curves: Sequence[NamedCurve], current: float
) -> go.Figure:
    """Return the curves over x (k,), in ascending order, with a ring on each at the present x."""
    figure = empty_chart(palette, x_title, y_title, height=270)
    for curve in curves:
        pen, hover = palette.pen(curve.colour), "%{x:.3g}: %{y:.4g}<extra></extra>"
        figure.add_trace(go.Scatter(x=x, y=curve.y, name=curve.name, mode="lines", line=pen, hovertemplate=hover))
    mark_current(figure, palette, current, *(curve.current for curve in curves))
    figure.update_xaxes(range=[float(x[0]), float(x[-1])], zeroline=True)
    figure.update_yaxes(range=axis_range(*(curve.y for curve in curves)), zeroline=True)
    return place_labels(
        figure, palette, [Label(curve.name, float(x[-1]), float(curve.y[-1]), curve.colour) for curve in curves]
    )

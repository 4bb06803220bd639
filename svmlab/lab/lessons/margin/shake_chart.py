"""How many points cross the line at worst, by how far they are moved."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank, axis_range
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import mark_current, add_rule
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _


def tolerance(margins: Array, at: float, crossed: int, most: float, palette: Palette) -> go.Figure:
    """The count of `margins` (m,), in parts of the largest margin, that a push of 0 to `most` reaches; 0 up to 1.

    at: how far the points are pushed at present, and how many have `crossed`.
    """
    figure = blank(palette, _("moved by, in parts of γ*"), _("points across"), height=250)
    ends = np.concatenate([[0.0], np.sort(margins[margins <= most]), [most]])
    count = np.concatenate([np.arange(len(ends) - 1), [len(ends) - 2]])
    line = {**palette.pen(palette.other), "shape": "hv"}
    hover = "%{x:.3g} γ*: %{y}<extra></extra>"
    figure.add_trace(go.Scatter(x=ends, y=count, name="across", mode="lines", line=line, hovertemplate=hover))
    add_rule(figure, palette, palette.quiet, "dash", x=1.0)
    mark_current(figure, palette, at, float(crossed))
    top = max(float(count[-1]), 1.0)
    figure.update_xaxes(range=[0, most], dtick=0.5)
    figure.update_yaxes(range=axis_range(0.0, top, room=0.12), nticks=4, tickformat="d", zeroline=True)
    return place_labels(figure, palette, [Label(_("none below γ*"), 0.0, 0.6 * top, palette.quiet)])

"""The regret against u over the length of u, below its bound (P14)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import blank, axis_range
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _


def against(
    shares: Array, left: Array, bound: float, here: tuple[float, float], straight: bool, palette: Palette
) -> go.Figure:
    """`left` (n, runs) over |u|/|w*| = shares (n,), the first run strong; rules at the bound and at the length of w*, which is w* itself where u is `straight`, and a mark `here`."""
    figure = blank(palette, "", _("left side"), height=160)
    for k in reversed(range(left.shape[1])):
        pen = palette.pen(palette.series[0], 3 if k == 0 else 1.2)
        hover = "|u| = %{x:.3g} |w*|: %{y:.4g}<extra></extra>" if k == 0 else None
        line = go.Scatter(x=shares, y=left[:, k], name="run", mode="lines", line=pen, opacity=1 if k == 0 else 0.45)
        figure.add_trace(line.update(hovertemplate=hover) if hover else line.update(hoverinfo="skip"))
    marks.add_rule(figure, palette, palette.series[1], "dash", y=bound, width=2.5)
    marks.add_rule(figure, palette, palette.quiet, "dot", x=1.0)
    ring = {"size": 13 * palette.stroke, "color": palette.accent, "line": palette.pen(palette.paper, 2)}
    mark = go.Scatter(
        x=np.array(here[:1]), y=np.array(here[1:]), name="u", mode="markers", marker=ring, cliponaxis=False
    )
    figure.add_trace(mark.update(hovertemplate="u: %{y:.4g}<extra></extra>"))
    ends = axis_range(left, bound, 0.0)
    figure.update_xaxes(range=[float(shares[0]), float(shares[-1])], dtick=1).update_yaxes(range=ends, nticks=4)
    last = float(shares[-1])
    labels = (
        Label(_("bound"), last, bound, palette.series[1]),
        Label("w*" if straight else "|w*|", 1.0, ends[0], palette.quiet, "above right"),
        Label(_("run"), last, float(left[-1, 0]), palette.series[0]),
        axis_name(figure, "|u|/|w*|", palette),
    )
    return place_labels(figure, palette, labels)

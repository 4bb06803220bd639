"""The margin while points are taken away (H9)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank, axis_range
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import mark_current, add_rule
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _


def thinning(margin: Array, others: int, away: int, palette: Palette) -> go.Figure:
    """1/|w| after 0, 1, 2, ... points are gone, (n + 1,); from `others` on support vectors go. The board stands at `away`."""
    figure = blank(palette, _("points taken away"), _("margin"), height=280)
    k, last = np.arange(len(margin)), len(margin) - 1
    figure.add_trace(
        go.Scatter(
            x=k,
            y=margin,
            name="margin",
            mode="lines+markers",
            marker={"size": 6 * palette.stroke},
            line=palette.pen(palette.text) | {"shape": "hv"},
            hovertemplate="%{x}: 1/|w| = %{y:.6g}<extra></extra>",
        )
    )
    labels = [Label(_("the others go"), 0.5 * others, float(margin[0]), palette.quiet, "above")]
    if others < last:
        add_rule(figure, palette, palette.quiet, "dash", x=others)
        labels.append(Label(_("support vectors"), others, float(margin.max()), palette.quiet, "left"))
    mark_current(figure, palette, away, float(margin[away]))
    figure.update_xaxes(range=[-0.03 * last, 1.05 * last])
    figure.update_yaxes(range=axis_range(0.0, margin, room=0.1), nticks=4)
    return place_labels(figure, palette, labels)

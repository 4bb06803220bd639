"""The dual along a ray of weights: without end, or up to where C stops it (H11)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import mark_current, add_rule
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _


def ray(slope: float, curve: float, end: float, here: float, far: float, palette: Palette) -> go.Figure:
    """The value slope t - curve t^2 / 2 for t up to `far`, or to `end` where a ceiling on the weights stops it; the board stands at `here`."""
    figure = blank(palette, "t", _("dual at t v"), height=300)
    t = np.linspace(0.0, min(end, far), 80)
    value = slope * t - 0.5 * curve * t * t
    figure.add_trace(
        go.Scatter(
            x=t,
            y=value,
            mode="lines",
            line=palette.pen(palette.other, 3),
            hovertemplate="t = %{x:.3g}<br>%{y:.5g}<extra></extra>",
            name="dual",
        )
    )
    top = slope * far
    figure.update_xaxes(range=[0.0, 1.02 * far])
    figure.update_yaxes(range=[-0.06 * top, 1.1 * top], nticks=4)
    if here <= end:
        mark_current(figure, palette, here, slope * here - 0.5 * curve * here * here)
    if end <= far:
        add_rule(figure, palette, palette.quiet, "dash", x=end)
        return place_labels(figure, palette, [Label(_("a weight reaches C"), end, 0.9 * top, palette.text, "right")])
    return place_labels(
        figure, palette, [Label(_("without end"), 0.55 * far, 0.55 * top, palette.other, "below right")]
    )

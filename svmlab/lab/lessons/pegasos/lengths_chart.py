"""The length of w along the steps of a run (P1)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index, Mask
from svmlab.lab.charts.frame import blank, axis_range
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _


def lengths(t: Index, norms: Array, pushed: Mask, labels: Array, palette: Palette) -> go.Figure:
    """|w_{t+1}| after each step t (n,); the steps that pushed are dots in the colour of the drawn point's class (n,)."""
    figure = blank(palette, _("step t"), _("|w| after it"), height=160)
    x = np.asarray(t, dtype=float)
    figure.add_trace(
        go.Scatter(x=x, y=norms, name="length", mode="lines", line=palette.pen(palette.quiet, 1.5), hoverinfo="skip")
    )
    for name, here, size in (("push", pushed, 8.0), ("shrink", ~pushed, 4.0)):
        colour = palette.classes(labels[here]) if name == "push" else palette.quiet
        words = _("pushed") if name == "push" else _("only shrunk")
        figure.add_trace(
            go.Scatter(
                x=x[here],
                y=norms[here],
                name=name,
                mode="markers",
                marker={"size": size * palette.stroke, "color": colour, "opacity": 1},
                hovertemplate=f"t = %{{x:d}}, |w| = %{{y:.4g}}, {words}<extra></extra>",
            )
        )
    figure.update_xaxes(range=axis_range(x, room=0.02))
    return figure.update_yaxes(range=axis_range(norms, 0.0))

"""The length of the gradient that each step follows, below X and 2X (P4)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index, Mask
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import blank, log
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _


def gradients(t: Index, lengths: Array, pushed: Mask, labels: Array, X: float, palette: Palette) -> go.Figure:
    """Dots (n,), in the colour of the drawn point's class (n,) where the step pushed; rules at X and 2X."""
    figure = blank(palette, _("step t"), _("gradient"), height=160)
    x = np.asarray(t, dtype=float)
    for name, here, size in (("shrink", ~pushed, 5.0), ("push", pushed, 7.0)):
        colour = palette.classes(labels[here]) if name == "push" else palette.quiet
        words = _("pushed") if name == "push" else _("only shrunk")
        figure.add_trace(
            go.Scatter(
                x=x[here],
                y=lengths[here],
                name=name,
                mode="markers",
                marker={"size": size * palette.stroke, "color": colour, "opacity": 1},
                hovertemplate=f"t = %{{x:d}}: %{{y:.4g}}, {words}<extra></extra>",
            )
        )
    marks.add_rule(figure, palette, palette.quiet, "dot", y=X)
    marks.add_rule(figure, palette, palette.text, "dash", y=2 * X)
    last = float(np.log10(x[-1]))
    figure.update_xaxes(**log(-0.05, last + 0.03))
    figure.update_yaxes(range=[0.0, 2.15 * X], nticks=4)
    ends = (Label("X", last + 0.03, X, palette.quiet), Label("2X", last + 0.03, 2 * X, palette.text))
    return place_labels(figure, palette, ends)

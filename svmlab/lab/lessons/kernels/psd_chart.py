"""The eigenvalues of a kernel's matrix, those below 0 in the colour of a witness (K4, K12)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank, axis_range
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.numbers import short
from svmlab.lab.words import _


def eigenvalues(values: Array, zero: float, palette: Palette) -> go.Figure:
    """Bars `values` (n,), falling; what is within `zero` is 0 but for rounding. The least is named."""
    n = len(values)
    figure = blank(palette, _("number of the eigenvalue"), _("eigenvalue"), height=260)
    number, low = np.arange(1, n + 1), values < -zero
    bars = go.Bar(
        x=number,
        y=values,
        name="eigenvalues",
        marker={"color": np.where(low, palette.other, palette.accent), "line": {"width": 0}},
        hovertemplate=_("eigenvalue") + " %{x}: %{y:.6g}<extra></extra>",
    )
    figure.add_trace(bars)
    reach = max(n + 0.6, 3.6)
    figure.update_xaxes(range=[0.4, reach], showgrid=False, tickformat="d", dtick=1 if n <= 12 else None)
    figure.update_yaxes(range=axis_range(values, 0.0, 0.05 * float(np.abs(values).max()) or 1.0, room=0.14), nticks=5)
    figure.update_yaxes(zeroline=True)
    figure.update_layout(bargap=0.35)
    colour = palette.other if low[-1] else palette.quiet
    text = short(float(values[-1]), 3, zero)
    return place_labels(figure, palette, [Label(text, float(n), min(float(values[-1]), 0.0), colour, "below")])

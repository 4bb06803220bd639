"""One multiplier a point as bars, with whiskers over what it may be in other optima (H3, H10, H12)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _


def weights(
    alpha: Array, low: Array, high: Array, y: Array, ids: Index, rows: Index, selected: int | None, palette: Palette
) -> go.Figure:
    """The multipliers alpha (m,) of the points `rows`, in the colours of their classes, and from low (m,) to high
    (m,).
    """
    figure = blank(palette, _("point"), "α", height=260)
    names = np.array([str(i + 1) for i in rows])
    top = float(high.max(initial=0.0)) or 1.0
    hover = _("point") + " %{x}: α = %{y:.10g}<extra></extra>"
    told = {"text": [f"{v:.3g}" for v in alpha[rows]], "textposition": "outside", "cliponaxis": False}
    if float((high - low)[rows].max(initial=0.0)) > 1e-9 * top:
        reach = palette.pen(palette.quiet, 2)
        told = {
            "error_y": {
                "type": "data",
                "symmetric": False,
                "array": (high - alpha)[rows],
                "arrayminus": (alpha - low)[rows],
                "color": reach["color"],
                "thickness": reach["width"],
                "width": 6 * palette.stroke,
            }
        }
    chosen = ids[rows] == selected
    figure.add_trace(
        marks.bars(palette, names, alpha[rows], y[rows], ids[rows], chosen, name="alpha", hover=hover, **told)
    )
    figure.update_yaxes(range=[0, 1.25 * top], nticks=4)
    figure.update_xaxes(type="category", showgrid=False, range=[-0.5, len(rows) - 0.5])
    return figure.update_layout(bargap=0.45)

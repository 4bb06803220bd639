"""Each point's share of the weight of its class, under a ceiling (H2, S1)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _


def shares(
    share: Array, y: Array, ids: Index, rows: Index, ceiling: float, selected: int | None, palette: Palette
) -> go.Figure:
    """The shares (m,) of the points `rows` as bars in the colours of their classes, and the ceiling where it is below 1."""
    figure = blank(palette, _("point"), _("share"), height=260)
    order = rows[np.lexsort((-share[rows], -y[rows]))]
    names = np.array([str(i + 1) for i in order])
    hover = _("point") + " %{x}: v = %{y:.10g}<extra></extra>"
    chosen = ids[order] == selected
    figure.add_trace(marks.bars(palette, names, share[order], y[order], ids[order], chosen, name="share", hover=hover))
    top = max(float(share[rows].max(initial=0.0)), ceiling if ceiling < 1.0 else 0.0)
    figure.update_yaxes(range=[0, 1.2 * top], nticks=4)
    figure.update_xaxes(type="category", showgrid=False, range=[-0.5, len(rows) - 0.5])
    figure.update_layout(bargap=0.45)
    if ceiling >= 1.0:
        return figure
    marks.add_rule(figure, palette, palette.other, "dash", y=ceiling)
    return place_labels(figure, palette, [Label(_("ceiling"), len(rows) - 0.5, ceiling, palette.other)])

"""The signed counts of the kernel form, one bar a point (P9)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _


def counts(
    ids: Index,
    y: Array,
    beta: Array,
    share: Array,
    exact: Array | None,
    selected: int | None,
    palette: Palette,
) -> go.Figure:
    """Bars of `share` (m,) signed, what the counts beta (m,) are worth in alpha, and the exact signed alpha as ticks.

    Points that have either, in falling order of their bars. Each bar carries its id as customdata; the selected one is outlined.
    """
    order = np.lexsort((np.arange(len(y)), -np.abs(share)))
    order = order[(np.abs(share) + (0.0 if exact is None else np.abs(exact)))[order] > 0]
    ranks = np.arange(1, len(order) + 1)
    data = np.c_[np.asarray(ids)[order], np.abs(beta[order])]
    figure = blank(
        palette, _("points, by size of their bar"), _("share in w"), height=160, top=8, along=True, zoom=True
    )
    chosen = ids[order] == selected
    hover = _("added %{customdata[1]} times, worth %{y:.4g}")
    figure.add_trace(marks.bars(palette, ranks, share[order], y[order], data, chosen, name=_("worth now"), hover=hover))
    if exact is not None:
        tick = {"symbol": "line-ew-open", "size": 9, "color": palette.quiet, "line": {"width": 2.5 * palette.stroke}}
        figure.add_trace(
            go.Scatter(
                x=ranks,
                y=exact[order],
                name=_("exact y α"),
                mode="markers",
                customdata=data,
                hovertemplate="%{y:.4g}",
                marker=tick,
            )
        )
    figure.update_xaxes(showgrid=False).update_yaxes(zeroline=True)
    return figure.update_layout(bargap=0.15)

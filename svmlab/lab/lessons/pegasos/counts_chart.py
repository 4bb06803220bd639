"""The signed counts of the kernel form, one bar a point (P9)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.arrays import Array, Index
from svmlab.lab.charts.style import CLASSES, unified

HEIGHT = 300


class Words(NamedTuple):
    """The labels of the figure; `hover` has {count}, the share and the exact multiplier."""

    bars: str
    exact: str
    hover: str
    x: str
    y: str


def counts(
    ids: Index,
    y: Array,
    beta: Array,
    share: Array,
    exact: Array | None,
    selected: int | None,
    words: Words,
    theme: str = "light",
) -> go.Figure:
    """Bars of `share` (m,) signed, what the counts beta (m,) are worth in alpha, and the exact signed alpha as ticks.

    Points that have either, in falling order of their bars, in the colours of `theme`, "light" or "dark". Each bar carries its id as customdata; the selected one is outlined.
    """
    order = np.lexsort((np.arange(len(y)), -np.abs(share)))
    order = order[(np.abs(share) + (0.0 if exact is None else np.abs(exact)))[order] > 0]
    colour = [CLASSES[theme][int(v)] for v in y[order]]
    outline = [3 if ids[i] == selected else 0 for i in order]
    ranks = np.arange(1, len(order) + 1)
    data = np.c_[np.asarray(ids)[order], np.abs(beta[order])]
    figure = go.Figure(
        go.Bar(
            x=ranks, y=share[order], name=words.bars, customdata=data, hovertemplate=words.hover,
            marker={"color": colour, "line": {"color": "#CC79A7", "width": outline}},
        )
    )  # fmt: skip
    if exact is not None:
        figure.add_trace(
            go.Scatter(
                x=ranks, y=exact[order], name=words.exact, mode="markers", customdata=data, hovertemplate="%{y:.4g}",
                marker={"symbol": "line-ew-open", "size": 9, "color": "#7F7F7F", "line": {"width": 2.5}},
            )
        )  # fmt: skip
    unified(figure, HEIGHT)
    figure.update_layout(margin={"l": 68, "r": 10, "t": 8, "b": 44}, bargap=0.15)
    figure.update_xaxes(title=words.x, showgrid=False)
    return figure.update_yaxes(title=words.y, gridcolor="rgba(127,127,127,0.22)", zeroline=True)

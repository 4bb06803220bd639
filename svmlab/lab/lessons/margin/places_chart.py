"""Every point by its functional margin, between the three borders -1, 0 and 1."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.arrays import Array, Index
from svmlab.lab.charts.style import ACCENT, MINUS, PLUS, label, plain_axes


class Words(NamedTuple):
    """The labels of the figure."""

    x: str
    plus: str
    minus: str


def places(yf: Array, y: Array, ids: Index, chosen: int, words: Words) -> go.Figure:
    """One row for each class; points that would cover each other are moved apart upwards. customdata: the point's id."""
    figure = go.Figure()
    lo, hi = min(-1.5, float(yf.min()) - 0.3), max(1.8, float(yf.max()) + 0.3)
    for sign, row, colour, shape, name in (
        (1, 1.0, PLUS, "circle", words.plus),
        (-1, 0.0, MINUS, "square", words.minus),
    ):
        here = np.flatnonzero(y == sign)
        picked = ids[here] == chosen
        figure.add_trace(
            go.Scatter(
                x=yf[here],
                y=row + 0.13 * stacked(yf[here], 0.03 * (hi - lo)),
                customdata=ids[here],
                name=name,
                mode="markers",
                marker={
                    "symbol": shape,
                    "size": np.where(picked, 14, 10),
                    "color": colour,
                    "opacity": 1,
                    "line": {"color": ACCENT, "width": np.where(picked, 3, 0)},
                },
                hovertemplate="y f = %{x:.4g}<extra></extra>",
            )
        )
        label(figure, hi, row, name, colour)
    for border in (-1.0, 0.0, 1.0):
        dash = "solid" if border == 0 else "dash"
        figure.add_vline(x=border, line={"color": "rgba(127,127,127,0.9)", "width": 1.5, "dash": dash})
    plain_axes(figure, words.x, "", height=230, right=88)
    figure.update_yaxes(visible=False, range=[-0.45, 1.95])
    return figure.update_xaxes(range=[lo, hi], zeroline=False).update_layout(margin={"l": 14})


def stacked(x: Array, width: float, rows: int = 6) -> Array:
    """A level for each value, 0 first, so that equal levels are `width` apart while there are levels left, shape (k,)."""
    level = np.zeros(len(x))
    last = np.full(rows, -np.inf)
    for i in np.argsort(x, kind="stable"):
        free = np.flatnonzero(x[i] - last >= width)
        level[i] = free[0] if len(free) else int(last.argmin())
        last[int(level[i])] = x[i]
    return level

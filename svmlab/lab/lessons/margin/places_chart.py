"""Every point by its functional margin, between the three borders -1, 0 and 1."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.arrays import Array, Index
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, put
from svmlab.lab.charts.marks import points, rule
from svmlab.lab.charts.palette import Palette


class Words(NamedTuple):
    """The labels of the figure."""

    x: str
    plus: str
    minus: str


def places(yf: Array, y: Array, ids: Index, chosen: int, words: Words, palette: Palette) -> go.Figure:
    """One row for each class; points that would cover each other are moved apart upwards. customdata: the point's id."""
    figure = blank(palette, words.x, height=230, left=14)
    lo, hi = min(-1.5, float(yf.min()) - 0.3), max(1.8, float(yf.max()) + 0.3)
    rows = ((1, 1.0, words.plus), (-1, 0.0, words.minus))
    for sign, row, name in rows:
        here = y == sign
        level = row + 0.13 * stacked(yf[here], 0.03 * (hi - lo))
        hover = "y f = %{x:.4g}<extra></extra>"
        chosen_one = ids[here] == chosen
        figure.add_trace(points(palette, yf[here], level, y[here], ids[here], chosen_one, name=name, hover=hover))
    for border in (-1.0, 0.0, 1.0):
        rule(figure, palette, palette.quiet, "solid" if border == 0 else "dash", x=border)
    figure.update_yaxes(visible=False, range=[-0.45, 1.95])
    figure.update_xaxes(range=[lo, hi])
    return put(figure, palette, [Label(name, hi, row, palette.of(sign)) for sign, row, name in rows])


def stacked(x: Array, width: float, rows: int = 6) -> Array:
    """A level for each value, 0 first, so that equal levels are `width` apart while there are levels left, shape (k,)."""
    level = np.zeros(len(x))
    last = np.full(rows, -np.inf)
    for i in np.argsort(x, kind="stable"):
        free = np.flatnonzero(x[i] - last >= width)
        level[i] = free[0] if len(free) else int(last.argmin())
        last[int(level[i])] = x[i]
    return level

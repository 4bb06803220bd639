"""The perceptron in several orders: margin of its last line against the mistakes it took."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.arrays import Array, Index
from svmlab.lab.charts.frame import blank, log
from svmlab.lab.charts.labels import Label, put
from svmlab.lab.charts.marks import dots, rule
from svmlab.lab.charts.palette import Palette


class Words(NamedTuple):
    """The labels of the figure."""

    x: str
    y: str
    bound: str


def orders(mistakes: Index, shares: Array, bound: float, chosen: int, words: Words, palette: Palette) -> go.Figure:
    """One mark for each order, customdata its number; the widest street is the line at 1, the bound an upright."""
    figure = blank(palette, words.x, words.y, height=270)
    number = np.arange(len(mistakes))
    hover = "%{x} mistakes, margin %{y:.1%} of the widest<extra></extra>"
    marks = dots(palette, mistakes, shares, number, number == chosen, palette.quiet, name="orders", hover=hover)
    figure.add_trace(marks)
    rule(figure, palette, palette.plus, "dash", y=1)
    most = max(bound if np.isfinite(bound) else 1.0, float(mistakes.max()), 1.0)
    figure.update_xaxes(**log(*np.log10([0.7, 1.5 * most]).tolist()))
    figure.update_yaxes(range=[min(0.0, float(np.nanmin(shares))) - 0.05, 1.1], tickformat=".0%", zeroline=True)
    if not np.isfinite(bound):
        return figure
    rule(figure, palette, palette.minus, "dash", x=bound)
    return put(figure, palette, [Label(words.bound, float(np.log10(bound)), 0.5, palette.minus, "left")])

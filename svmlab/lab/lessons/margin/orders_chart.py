"""The perceptron in several orders: margin of its last line against the mistakes it took."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.arrays import Array, Index
from svmlab.lab.charts.style import ACCENT, MINUS, PLUS, QUIET, label, plain_axes


class Words(NamedTuple):
    """The labels of the figure."""

    x: str
    y: str
    bound: str


def orders(mistakes: Index, shares: Array, bound: float, chosen: int, words: Words) -> go.Figure:
    """One mark for each order, customdata its number; the widest street is the line at 1, the bound an upright."""
    number = np.arange(len(mistakes))
    picked = number == chosen
    figure = go.Figure(
        go.Scatter(
            x=mistakes,
            y=shares,
            customdata=number,
            name="orders",
            mode="markers",
            marker={
                "size": np.where(picked, 15, 11),
                "color": QUIET,
                "opacity": 0.9,
                "line": {"color": ACCENT, "width": np.where(picked, 4, 0)},
            },
            hovertemplate="%{x} mistakes, margin %{y:.1%} of the widest<extra></extra>",
        )
    )
    figure.add_hline(y=1, line={"color": PLUS, "width": 1.5, "dash": "dash"})
    if np.isfinite(bound):
        figure.add_vline(x=bound, line={"color": MINUS, "width": 1.5, "dash": "dash"})
        label(figure, float(np.log10(bound)), 0.5, words.bound, MINUS, xanchor="right", xshift=-6)
    plain_axes(figure, words.x, words.y, height=270)
    lo, hi = 0.7, 1.5 * max(bound if np.isfinite(bound) else 1.0, float(mistakes.max()), 1.0)
    figure.update_xaxes(type="log", range=np.log10([lo, hi]).tolist(), dtick="D2", zeroline=False)
    return figure.update_yaxes(range=[min(0.0, float(np.nanmin(shares))) - 0.05, 1.1], tickformat=".0%")

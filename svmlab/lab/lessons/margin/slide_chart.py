"""The smallest distance to a line that is slid away, without and with its sign."""

from __future__ import annotations

from typing import NamedTuple

import plotly.graph_objects as go

from svmlab.arrays import Array
from svmlab.lab.charts.style import MINUS, PLUS, label, now, plain_axes


class Words(NamedTuple):
    """The labels of the figure."""

    unsigned: str
    signed: str
    x: str
    y: str


def slide(t: Array, unsigned: Array, signed: Array, at: tuple[float, float, float], words: Words) -> go.Figure:
    """Both over the way t; `at` is the present (t, unsigned, signed)."""
    figure = go.Figure()
    for name, y, colour in (("unsigned", unsigned, MINUS), ("signed", signed, PLUS)):
        line = {"color": colour, "width": 2.5}
        hover = "slid by %{x:.1f}: %{y:.4g}<extra></extra>"
        figure.add_trace(go.Scatter(x=t, y=y, name=name, mode="lines", line=line, hovertemplate=hover))
        label(figure, float(t[-1]), float(y[-1]), getattr(words, name), colour)
    now(figure, *at)
    return plain_axes(figure, words.x, words.y, height=270, right=86).update_xaxes(range=[float(t[0]), float(t[-1])])

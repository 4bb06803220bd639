"""The smallest distance to a line that is slid away, without and with its sign."""

from __future__ import annotations

from typing import NamedTuple

import plotly.graph_objects as go

from svmlab.arrays import Array
from svmlab.lab.charts.frame import blank, span
from svmlab.lab.charts.labels import Label, put
from svmlab.lab.charts.marks import now
from svmlab.lab.charts.palette import Palette


class Words(NamedTuple):
    """The labels of the figure."""

    unsigned: str
    signed: str
    x: str
    y: str


def slide(
    t: Array, unsigned: Array, signed: Array, at: tuple[float, float, float], words: Words, palette: Palette
) -> go.Figure:
    """Both over the way t; `at` is the present (t, unsigned, signed)."""
    figure = blank(palette, words.x, words.y, height=270)
    names = []
    for name, y, colour in (("unsigned", unsigned, palette.minus), ("signed", signed, palette.plus)):
        hover = "slid by %{x:.1f}: %{y:.4g}<extra></extra>"
        figure.add_trace(go.Scatter(x=t, y=y, name=name, mode="lines", line=palette.pen(colour), hovertemplate=hover))
        names.append(Label(getattr(words, name), float(t[-1]), float(y[-1]), colour))
    now(figure, palette, *at)
    figure.update_xaxes(range=[float(t[0]), float(t[-1])], zeroline=True)
    figure.update_yaxes(range=span(unsigned, signed), zeroline=True)
    return put(figure, palette, names)

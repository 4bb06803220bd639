"""Both margins of one point while w and b are multiplied by c."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.lab.charts.frame import blank, span
from svmlab.lab.charts.labels import Label, put
from svmlab.lab.charts.marks import now
from svmlab.lab.charts.palette import CLEAR, Palette


class Words(NamedTuple):
    """The labels of the figure."""

    functional: str
    geometric: str
    x: str
    y: str


def scaling(yf: float, gamma: float, c: float, ends: tuple[float, float], words: Words, palette: Palette) -> go.Figure:
    """The functional margin c yf is a line through 0; the geometric one is gamma for c > 0 and -gamma for c < 0."""
    lo, hi = ends
    figure = blank(palette, words.x, words.y, height=250)
    at = np.linspace(lo, hi, 51)
    figure.add_trace(go.Scatter(x=at, y=at * yf, name="functional", mode="lines", line=palette.pen(palette.plus)))
    x, y = np.array([lo, 0.0, np.nan, 0.0, hi]), np.array([-gamma, -gamma, np.nan, gamma, gamma])
    figure.add_trace(go.Scatter(x=x, y=y, name="geometric", mode="lines", line=palette.pen(palette.minus)))
    hole = {"color": CLEAR, "size": 8 * palette.stroke, "line": palette.pen(palette.minus, 2)}
    figure.add_trace(go.Scatter(x=np.zeros(2), y=np.array([-gamma, gamma]), name="gone", mode="markers", marker=hole))
    figure.update_traces(hovertemplate="c = %{x:.2f}: %{y:.4g}<extra></extra>")
    now(figure, palette, c, *([c * yf, np.sign(c) * gamma] if c else [0.0]))
    figure.update_xaxes(range=[lo, max(hi, c)], zeroline=True)
    figure.update_yaxes(range=span(at * yf, gamma, -gamma, c * yf), zeroline=True)
    names = (
        Label(words.functional, hi, hi * yf, palette.plus),
        Label(words.geometric, hi, gamma, palette.minus),
    )
    return put(figure, palette, names)

"""Both margins of one point while w and b are multiplied by c."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.lab.charts.style import MINUS, PLUS, label, now, plain_axes


class Words(NamedTuple):
    """The labels of the figure."""

    functional: str
    geometric: str
    x: str
    y: str


def scaling(yf: float, gamma: float, c: float, span: tuple[float, float], words: Words) -> go.Figure:
    """The functional margin c yf is a line through 0; the geometric one is gamma for c > 0 and -gamma for c < 0."""
    lo, hi = span
    figure = go.Figure()
    at = np.linspace(lo, hi, 51)
    line = {"width": 2.5, "color": PLUS}
    figure.add_trace(go.Scatter(x=at, y=at * yf, name="functional", mode="lines", line=line))
    step = {"width": 2.5, "color": MINUS}
    x, y = [lo, 0.0, None, 0.0, hi], [-gamma, -gamma, None, gamma, gamma]
    figure.add_trace(go.Scatter(x=x, y=y, name="geometric", mode="lines", line=step))
    hole = {"color": "rgba(0,0,0,0)", "size": 8, "line": {"color": MINUS, "width": 2}}
    figure.add_trace(go.Scatter(x=[0, 0], y=[-gamma, gamma], name="gone", mode="markers", marker=hole))
    figure.update_traces(hovertemplate="c = %{x:.2f}: %{y:.4g}<extra></extra>")
    label(figure, hi, hi * yf, words.functional, PLUS)
    label(figure, hi, gamma, words.geometric, MINUS)
    now(figure, c, *([c * yf, np.sign(c) * gamma] if c else [0.0]))
    return plain_axes(figure, words.x, words.y, right=96).update_xaxes(range=[lo, max(hi, c)])

"""The look that all charts share: the board's colours and type, no title, readable log axes."""

from __future__ import annotations

import plotly.graph_objects as go

COLOURS = {
    "last": "#D55E00",
    "average": "#2380C2",
    "suffix": "#009E73",
    "bound": "#7F7F7F",
    "met": "#A8862B",
    "other": "#CC79A7",
}
CLASSES = {"light": {1: "#0072B2", -1: "#D55E00"}, "dark": {1: "#56B4E9", -1: "#E69F00"}}


def log_axes(figure: go.Figure, x: str, y: str, height: int = 420) -> go.Figure:
    """Decade ticks written as powers of ten, thin grid, hover along one vertical line."""
    axis = {
        "type": "log",
        "exponentformat": "power",
        "dtick": 1,
        "showgrid": True,
        "gridcolor": "rgba(127,127,127,0.22)",
        "zeroline": False,
    }
    figure.update_xaxes(title=x, **axis)
    figure.update_yaxes(title=y, **axis)
    return plain(figure, height)


def plain(figure: go.Figure, height: int) -> go.Figure:
    """No legend, no paper, the type of the page."""
    return figure.update_layout(
        height=height,
        margin={"l": 70, "r": 105, "t": 10, "b": 50},
        showlegend=False,
        hovermode="x unified",
        font={"size": 15},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
    )

"""The look that all charts share: the board's colours and type, no title, readable log axes."""

from __future__ import annotations

import plotly.graph_objects as go
from plotly.io import from_json

COLOURS = {"last": "#D55E00", "average": "#0072B2", "suffix": "#009E73", "bound": "#7F7F7F"}


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
    figure.update_layout(
        height=height,
        margin={"l": 70, "r": 105, "t": 10, "b": 50},
        showlegend=False,
        hovermode="x unified",
        font={"size": 15},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
    )
    return figure


PLUS, MINUS, ACCENT, QUIET = "#0072B2", "#D55E00", "#0B6E69", "#7F7F7F"
DARK = {PLUS: "#56B4E9", MINUS: "#E69F00", ACCENT: "#4FB8AF"}  # the board's colours on a dark page


def on_dark(figure: go.Figure) -> go.Figure:
    """The same figure in the colours for a dark page."""
    text = figure.to_json()
    for light, dark in DARK.items():
        text = text.replace(light, dark)
    return from_json(text)


def plain_axes(figure: go.Figure, x: str, y: str, height: int = 250, right: int = 30) -> go.Figure:
    """Thin grid, the zero lines a little stronger, no legend; `right` is the room for labels where lines end."""
    axis = {"showgrid": True, "gridcolor": "rgba(127,127,127,0.18)", "zerolinecolor": "rgba(127,127,127,0.55)"}
    figure.update_xaxes(title={"text": x, "standoff": 6}, fixedrange=True, **axis)
    figure.update_yaxes(title={"text": y, "standoff": 6}, fixedrange=True, **axis)
    return figure.update_layout(
        height=height,
        margin={"l": 56, "r": right, "t": 12, "b": 44},
        showlegend=False,
        hovermode="closest",
        clickmode="event",
        dragmode=False,
        font={"size": 15},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
    )


def label(figure: go.Figure, x: float, y: float, text: str, colour: str, **where: object) -> None:
    """A word beside the place it is about, in its colour."""
    place = {"xanchor": "left", "xshift": 6} | where
    figure.add_annotation(x=x, y=y, text=text, showarrow=False, font={"color": colour, "size": 15}, **place)


def now(figure: go.Figure, x: float, *ys: float) -> None:
    """Where the board stands at present: a thin upright and a ringed mark on each line."""
    figure.add_vline(x=x, line={"color": ACCENT, "width": 1.5})
    figure.add_trace(
        go.Scatter(
            x=[x] * len(ys),
            y=list(ys),
            name="now",
            mode="markers",
            marker={"size": 12, "color": "rgba(0,0,0,0)", "line": {"color": ACCENT, "width": 3}},
            hovertemplate="%{y:.4g}<extra></extra>",
        )
    )

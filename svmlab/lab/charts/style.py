"""The look that all charts share: the board's colours and type, no title, readable log axes."""

from __future__ import annotations

from typing import Any, NamedTuple

import plotly.graph_objects as go
from plotly.io import from_json

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
    return unified(figure, height)


def unified(figure: go.Figure, height: int) -> go.Figure:
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


class Palette(NamedTuple):
    """The board's colours in one theme: the classes, the accent, a second line, and lines that stay behind."""

    plus: str
    minus: str
    accent: str
    other: str
    quiet: str
    ink: str
    paper: str

    def of(self, label: float) -> str:
        """The colour of a class."""
        return self.plus if label > 0 else self.minus


LIGHT = Palette("#0072B2", "#D55E00", "#0B6E69", "#CC79A7", "#6F6F6F", "#262626", "#FFFFFF")
DARK = Palette("#56B4E9", "#E69F00", "#4FB8AF", "#E59CC8", "#A6A6A6", "#ECECEA", "#14161A")
GRID = "rgba(127,127,127,0.22)"


PLUS, MINUS, ACCENT, QUIET = *LIGHT[:3], "#7F7F7F"


def on_dark(figure: go.Figure) -> go.Figure:
    """The same figure in the colours for a dark page."""
    text = figure.to_json()
    for light, dark in zip(LIGHT[:3], DARK[:3], strict=True):
        text = text.replace(light, dark)
    return from_json(text)


def plain_axes(figure: go.Figure, x: str, y: str, height: int = 250, right: int = 30) -> go.Figure:
    """`plain` with titles and the zero lines a little stronger; `right` is the room for labels where lines end."""
    plain(figure, height, left=56, right=right, bottom=44)
    zero = {"zeroline": True, "zerolinecolor": "rgba(127,127,127,0.55)"}
    figure.update_xaxes(title={"text": x, "standoff": 6}, **zero)
    return figure.update_yaxes(title={"text": y, "standoff": 6}, **zero).update_layout(clickmode="event")


def plain(figure: go.Figure, height: int, left: int = 62, right: int = 16, bottom: int = 46) -> go.Figure:
    """Thin grid, no legend, no zoom, hover on the nearest mark."""
    figure.update_xaxes(showgrid=True, gridcolor=GRID, zeroline=False, fixedrange=True)
    figure.update_yaxes(showgrid=True, gridcolor=GRID, zeroline=False, fixedrange=True)
    return figure.update_layout(
        height=height,
        margin={"l": left, "r": right, "t": 12, "b": bottom},
        showlegend=False,
        hovermode="closest",
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


def tag(figure: go.Figure, x: float, y: float, text: str, colour: str, **where: Any) -> None:
    """A word in the colour of its line (on a log axis x and y are decimal logarithms)."""
    at = {"showarrow": False, "xanchor": "left", "yanchor": "bottom"} | where
    figure.add_annotation(x=x, y=y, text=text, font={"color": colour, "size": 15}, **at)

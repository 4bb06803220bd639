"""The look that all charts share: the board's colours and type, no title, readable log axes."""

from __future__ import annotations

from typing import Any, NamedTuple

import plotly.graph_objects as go

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


def tag(figure: go.Figure, x: float, y: float, text: str, colour: str, **where: Any) -> None:
    """A word in the colour of its line (on a log axis x and y are decimal logarithms)."""
    at = {"showarrow": False, "xanchor": "left", "yanchor": "bottom"} | where
    figure.add_annotation(x=x, y=y, text=text, font={"color": colour, "size": 15}, **at)

"""The colours of the board for charts in light and dark, and the quiet frame that linear charts share."""

from __future__ import annotations

from typing import NamedTuple

import plotly.graph_objects as go

GRID = "rgba(127,127,127,0.22)"
CLEAR = "rgba(0,0,0,0)"


class Ink(NamedTuple):
    """Class +1, class -1, text, accent (what is selected), witness (what is wrong), faint."""

    plus: str
    minus: str
    text: str
    accent: str
    witness: str
    faint: str

    def of(self, label: float) -> str:
        """The colour of a class."""
        return self.plus if label > 0 else self.minus


LIGHT = Ink("#0072B2", "#D55E00", "#262626", "#0B6E69", "#CC79A7", "rgba(38,38,38,0.55)")
DARK = Ink("#56B4E9", "#E69F00", "#ECECEA", "#4FB8AF", "#CC79A7", "rgba(236,236,234,0.55)")


def quiet(figure: go.Figure, x: str, y: str, height: int = 320, right: int = 24) -> go.Figure:
    """Thin grid, no legend, type of 16 px, titles on the axes; `right` leaves room for labels at the ends of lines."""
    axis = {"showgrid": True, "gridcolor": GRID, "zeroline": False, "automargin": True, "tickfont": {"size": 15}}
    figure.update_xaxes(title={"text": x, "font": {"size": 16}}, **axis)
    figure.update_yaxes(title={"text": y, "font": {"size": 16}}, **axis)
    return figure.update_layout(
        height=height,
        margin={"l": 8, "r": right, "t": 12, "b": 8},
        showlegend=False,
        font={"size": 16},
        hoverlabel={"font": {"size": 15}},
        paper_bgcolor=CLEAR,
        plot_bgcolor=CLEAR,
    )


def label(figure: go.Figure, x: float, y: float, words: str, colour: str, **where: object) -> None:
    """A direct label beside a line or mark."""
    figure.add_annotation(
        **({"x": x, "y": y, "text": words, "showarrow": False, "font": {"color": colour, "size": 16}} | where)
    )

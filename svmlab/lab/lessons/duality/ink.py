"""The quiet frame that the charts of the lesson on duality share, and their direct labels."""

from __future__ import annotations

import plotly.graph_objects as go

from svmlab.lab.charts.style import GRID

CLEAR = "rgba(0,0,0,0)"


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

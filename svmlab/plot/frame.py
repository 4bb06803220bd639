"""The frame of every chart: the font of the page, a thin grid, readable log axes, no legend and no title."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.plot.palette import CLEAR, Palette

Figure = go.Figure
FONT = '"Source Sans", sans-serif'  # the font of the page
PAD = 8  # px between the words of the ticks and the axis
LINE = 1.3  # height of a line of text, in units of the font size
TOP, LEFT, RIGHT = 12, 56, 16  # the least margins in px


def empty_chart(
    palette: Palette,
    x: str = "",
    y: str = "",
    *,
    height: int,
    left: int = LEFT,
    top: int = TOP,
    along: bool = False,
    zoom: bool = False,
    panels: go.Figure | None = None,
) -> go.Figure:
    """Return an empty chart with these axis titles, `height` px high on a desk.

    panels: a figure with several panels made by plotly, used instead; x is then the title of the last axis. along:
    the hover shows all lines at one x, and otherwise the nearest mark. zoom: dragging zooms. Otherwise dragging does
    nothing, so that a finger can scroll the page.
    """
    figure = go.Figure() if panels is None else panels
    words = LINE * (palette.small + (palette.type if x else 0)) + PAD * (3 if x else 1)
    figure.update_layout(
        template=_template(palette),
        height=round(height * palette.height_scale),
        margin={
            "l": round(left * palette.stroke),
            "r": RIGHT,
            "t": round(top * palette.stroke),
            "b": round(words),
            "pad": PAD,
        },
        hovermode="x unified" if along else "closest",
        dragmode="zoom" if zoom else False,
    )
    figure.update_xaxes(title={"text": x}, selector=-1).update_yaxes(title={"text": y}, selector=0)
    return figure.update_xaxes(fixedrange=not zoom).update_yaxes(fixedrange=not zoom)


@cache
def _template(palette: Palette) -> go.layout.Template:
    axis: dict[str, Any] = {
        "automargin": True,
        "gridcolor": palette.grid,
        "showgrid": True,
        "tickfont": {"color": palette.quiet, "size": palette.small},
        "ticks": "",
        "title": {"font": {"color": palette.quiet, "size": palette.type}, "standoff": PAD},
        "zeroline": False,
        "zerolinecolor": palette.zero,
    }
    lasting = {"unselected": {"marker": {"opacity": 1}}}  # so that a click dims no mark
    return go.layout.Template(
        data={"scatter": [lasting], "bar": [lasting]},
        layout={
            "font": {"color": palette.text, "family": FONT, "size": palette.type},
            "hoverlabel": {
                "bgcolor": palette.paper,
                "bordercolor": palette.zero,
                "font": {"color": palette.text, "size": palette.small},
            },
            "modebar": {"activecolor": palette.text, "bgcolor": CLEAR, "color": palette.quiet},
            "paper_bgcolor": CLEAR,
            "plot_bgcolor": CLEAR,
            "showlegend": False,
            "xaxis": axis,
            "yaxis": axis | {"title": axis["title"] | {"standoff": 2 * PAD}},
        },
    )


def axis_range(*values: float | Array, room: float = 0.06) -> list[float]:
    """Return the ends of an axis that shows all these values, except nan, with some space."""
    all_ = np.concatenate([np.ravel(v) for v in values])
    lo, hi = float(np.nanmin(all_)), float(np.nanmax(all_))
    pad = room * (hi - lo) or 0.5
    return [lo - pad, hi + pad]


def axis_range_around(places: Array) -> list[float]:
    """Return the ends of an axis with space for marks at all these finite positions.

    Rounding does not count as a distance.
    """
    middle, reach = 0.5 * float(places.min() + places.max()), 0.55 * float(np.ptp(places))
    reach = max(reach, 1e-3 * max(1.0, abs(middle)))
    return [middle - reach, middle + reach]


def log_axis(lo: float, hi: float, most: float = 9) -> dict[str, Any]:
    """Return a logarithmic axis from 10^lo to 10^hi.

    It has about `most` powers of ten, and also ticks at 2 and 5 times a power if there are few.
    """
    axis = {"type": "log", "range": [lo, hi]}
    if hi - lo >= 2:
        return axis | {"dtick": int(np.ceil((hi - lo) / most)), "exponentformat": "power"}
    ticks = np.outer(10.0 ** np.arange(np.floor(lo), np.ceil(hi) + 1), [1, 2, 5]).ravel()
    return axis | {"tickvals": ticks, "tickformat": "~g"}

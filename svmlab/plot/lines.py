"""Lines with their names at their ends, from which most charts of a run are made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.plot.frame import axis_range, empty_chart, log_axis
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import Palette, faded

FLOOR = 1e-16
DECADES = 9.0  # the most decades of a log axis


DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


class Line(NamedTuple):
    """A named curve.

    dash: as plotly names it, unless an earlier line has the same one. hover: a template for one value.
    """

    name: str
    x: Array
    y: Array
    colour: str
    dash: str = "solid"
    width: float = 2.5
    hover: str = "%{y:.4g}"


def curves(
    lines: Sequence[Line],
    x: str,
    y: str,
    palette: Palette,
    *,
    height: int = 380,
    log_y: bool = True,
    levels: Sequence[float] | None = None,
) -> go.Figure:
    """Return the lines on a logarithmic x axis, each with its name at its end and a dash of its own.

    On a log axis, values at 0 are drawn at the lower end. levels: the ends of the y axis, which otherwise follow from
    the lines.
    """
    figure = empty_chart(palette, x, y, height=height, top=8, along=True, zoom=True)
    shown = [line._replace(y=np.maximum(line.y, FLOOR)) if log_y else line for line in distinct_dashes(lines)]
    for line in shown:
        figure.add_trace(
            go.Scatter(
                x=line.x,
                y=line.y,
                name=line.name,
                mode="lines",
                hovertemplate=line.hover,
                line=palette.pen(line.colour, line.width, line.dash),
            )
        )
    heights = [np.log10(line.y) if log_y else line.y for line in shown]
    lo, hi = levels or axis_range(*heights, room=0.05)
    lo = max(lo, hi - DECADES) if log_y else lo
    first = min(float(np.log10(line.x[0])) for line in lines)
    last = max(float(np.log10(line.x[-1])) for line in lines)
    figure.update_xaxes(**log_axis(first, max(last, first + 0.1)))
    figure.update_yaxes(**(log_axis(lo, hi, height / (2.5 * palette.small)) if log_y else {"range": [lo, hi]}))
    ends = [
        Label(line.name, float(np.log10(line.x[-1])), float(h[-1]), line.colour)
        for line, h in zip(lines, heights, strict=True)
    ]
    return place_labels(figure, palette, ends)


def distinct_dashes(lines: Sequence[Line]) -> list[Line]:
    """Return the lines with different dashes, so that up to six lines differ not only by colour.

    The first line that has a dash keeps it.
    """
    requested = {line.dash for line in lines}
    free = (dash for dash in DASHES if dash not in requested)
    used = set[str]()
    result = list[Line]()
    for line in lines:
        result.append(line._replace(dash=next(free, line.dash)) if line.dash in used else line)
        used.add(line.dash)
    return result


def band(figure: go.Figure, x: Array, low: Array, high: Array, colour: str) -> None:
    """Add a pale band between two curves, behind the lines."""
    trace = go.Scatter(
        x=np.r_[x, x[::-1]],
        y=np.r_[high, low[::-1]],
        fill="toself",
        fillcolor=faded(colour, 0.2),
        line={"width": 0},
        mode="lines",
        hoverinfo="skip",
        name="spread",
    )
    figure.add_trace(trace)
    figure.data = (figure.data[-1], *figure.data[:-1])

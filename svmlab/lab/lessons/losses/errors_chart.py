"""All lines as a map of terraces: grey by the number of errors, with a mark for each line on the board (L4, L9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.contours import level_lines
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import SIZE, SPOT
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.words import _

BESIDE = 4.0  # degrees between a mark and its label, whose paper would hide a part of it
TURNS = (-120, -60, 0, 60, 120)
EVERY = 10  # of the map's angles and offsets, one can be clicked


class Mark(NamedTuple):
    """A line in the map: its name, angle and offset, how many it counts, and the key and symbol of its mark."""

    name: str
    angle: float
    offset: float
    counted: int
    colour: str
    symbol: str


def terraced(
    angles: Array, offsets: Array, counts: Index, least: int | None, marks: Sequence[Mark], what: str, palette: Palette
) -> go.Figure:
    """Counts (k, n) at angles (k,) in degrees and offsets (n,), paper where there are few; `least`: around them a line.

    what: the hover of a place, with {n} for the count. customdata of what can be clicked: k's index times n plus n's.
    """
    figure = blank(palette, _("angle of w"), _("offset"), height=300)
    grey = go.Heatmap(x=angles, y=offsets, z=counts.T.astype(np.uint8), zmin=float(counts.min()), name="errors")
    grey.update(colorscale=[[0.0, palette.paper], [1.0, palette.quiet]], showscale=False, hoverinfo="skip")
    figure.add_trace(grey.update(zmax=float(max(counts.max(), counts.min() + 1))))
    if least is not None:
        edge = level_lines(angles, offsets, counts.T.astype(float), np.array([least + 0.5]))
        rim = go.Scatter(x=edge[:, 0], y=edge[:, 1], mode="lines", name="fewest", hoverinfo="skip")
        figure.add_trace(rim.update(line=palette.pen(palette.accent, 2)))
    figure.add_trace(_places(angles, offsets, counts, what, palette))
    for mark in marks:
        figure.add_trace(_mark(mark, what, palette))
    figure.update_xaxes(
        range=[-180.0, 180.0], tickvals=TURNS, ticktext=[f"{a}°".replace("-", "−") for a in TURNS], showgrid=False
    )
    figure.update_yaxes(range=[float(offsets[0]), float(offsets[-1])], nticks=5, showgrid=False)
    names = []
    for mark in marks:
        side, way = ("left", -1.0) if mark.angle > 90 else ("right", 1.0)
        beside = mark.angle + way * BESIDE * palette.stroke
        names.append(Label(mark.name, beside, mark.offset, mark.colour, side))
    return place_labels(figure, palette, names, backed=True)


def _places(angles: Array, offsets: Array, counts: Index, what: str, palette: Palette) -> go.Scatter:
    """Places to click: plotly tells of clicks on marks alone."""
    rows, columns = (np.arange(EVERY // 2, len(at), EVERY) for at in (angles, offsets))
    i, j = np.repeat(rows, len(columns)), np.tile(columns, len(rows))
    told = np.stack([i * len(offsets) + j, counts[i, j]], 1)
    hover = what.format(n="%{customdata[1]}") + "<br>%{x:.0f}°, %{y:.3g}<extra></extra>"
    marker = {"size": SPOT, "color": CLEAR}
    trace = go.Scatter(x=angles[i], y=offsets[j], mode="markers", name="places", customdata=told, marker=marker)
    return trace.update(hovertemplate=hover)


def _mark(mark: Mark, what: str, palette: Palette) -> go.Scatter:
    """A line's mark: open where it is one's own, as its handles are."""
    own = mark.symbol == "diamond"
    ring = palette.pen(mark.colour if own else palette.paper, 3 if own else 2)
    marker = {"size": (SIZE + 3) * palette.stroke, "symbol": mark.symbol, "line": ring}
    marker["color"] = palette.paper if own else mark.colour
    trace = go.Scatter(x=np.array([mark.angle]), y=np.array([mark.offset]), mode="markers", name=mark.name)
    hover = f"{mark.name}<br>{what.format(n=mark.counted)}<br>%{{x:.1f}}°, %{{y:.4g}}<extra></extra>"
    return trace.update(marker=marker, hovertemplate=hover, cliponaxis=False)

"""Functions of t = y f(x), one of them strong, with every point of the board on it (L1, L2, L12, L14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import dots
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.losses.names import LOSS, colour, pen
from svmlab.lab.words import _

LO, HI = -3.0, 3.0  # the ends of the t axis
GRID = np.linspace(LO, HI, 241)
EDGE = 0.04  # of the axes: room for the marks at their ends
NAMED = 1.0  # of the t axis: so wide is the name of what is farther to the right
LARGE = 20  # px of type from which on only the strong curve has a name


class Curve(NamedTuple):
    """Places (k,) of t and heights (k,), and where its name stands: t, height, side."""

    t: Array
    height: Array
    spot: tuple[float, float, str]


class Dots(NamedTuple):
    """The points' t (m,), their heights (m,), and the heights at which their stems begin (m,)."""

    t: Array
    height: Array
    foot: Array


def over_t(
    curves: Mapping[str, Curve],
    strong: str,
    step: str | None,
    at: Dots,
    data: Dataset,
    selected: int | None,
    y: str,
    top: float,
    palette: Palette,
) -> go.Figure:
    """The `curves` by the names of their losses up to the height `top`, `strong` and the `step` before the others, the
    points on stems.

    What lies farther out stands at the edge as an arrowhead, and its hover has its numbers. customdata of the points:
    id, t, height.
    """
    figure = blank(palette, "", y, height=260)
    for name, curve in sorted(curves.items(), key=lambda each: (each[0] == strong, each[0] == step)):
        before = name in (strong, step)
        trace = go.Scatter(
            x=curve.t,
            y=curve.height,
            name=name,
            mode="lines",
            opacity=1.0 if before else 0.5,
            line=pen(name, palette, 4.0 if name == strong else 2.5 if before else 1.8),
            hovertemplate=f"{_(LOSS[name])}<br>t = %{{x:.3g}}: %{{y:.4g}}<extra></extra>",
        )
        figure.add_trace(trace)
    x, height = np.clip(at.t, LO, HI), np.clip(at.height, 0.0, top)
    stems = np.stack([x, x, np.full(len(x), np.nan)], 1).ravel()
    ways = np.stack([at.foot, height, np.full(len(x), np.nan)], 1).ravel()
    line = palette.pen(colour(strong, palette), 1.5)
    stem = go.Scatter(x=stems, y=ways, name="stems", mode="lines", opacity=0.5, line=line, hoverinfo="skip")
    figure.add_trace(stem)
    hover = _("point {id}").format(id="%{customdata[0]}") + (
        f"<br>t = %{{customdata[1]:.5g}}<br>{y}: %{{customdata[2]:.5g}}<extra></extra>"
    )
    symbol = np.where(data.y > 0, "circle", "square")
    symbol = np.where(at.height > top, "triangle-up", symbol)
    symbol = np.where(at.t < LO, "triangle-left", np.where(at.t > HI, "triangle-right", symbol))
    custom = np.stack([data.ids, at.t, at.height], 1)
    colours = palette.classes(data.y)
    marks = dots(
        palette, x, height, custom, data.ids == selected, colours, name="points", hover=hover, symbol=symbol, edge=1
    )
    figure.add_trace(marks)
    room = EDGE * (HI - LO)
    figure.update_xaxes(range=[LO - room, HI + room], tickvals=np.arange(LO, HI + 1), zeroline=True)
    figure.update_yaxes(range=[-EDGE * top, (1 + EDGE) * top], nticks=5)
    seen = [name for name in curves if palette.type < LARGE or name in (strong, step)]
    labels = [
        Label(_(LOSS[name]), *curves[name].spot[:2], colour(name, palette), curves[name].spot[2]) for name in seen
    ]
    return place_labels(
        figure, palette, [*labels, *_beyond(at, top, palette), axis_name(figure, "t = y f", palette)], backed=True
    )


def _beyond(at: Dots, top: float, palette: Palette) -> list[Label]:
    """How many points are farther to the right or higher than the chart."""
    right, high = at.t > HI, (at.height > top) & (at.t <= HI)
    labels = []
    if right.any():
        where = float(np.clip(at.height[at.t > HI - NAMED], 0.0, top).max())
        said = _("{n} farther").format(n=int(right.sum()))
        labels.append(Label(said, HI, where, palette.quiet, "above left"))
    if high.any():
        x = float(np.clip(at.t[high], LO, HI).max())
        said = _("{n} higher").format(n=int(high.sum()))
        labels.append(Label(said, x, top, palette.quiet, "left" if x > LO + 1 else "right"))
    return labels

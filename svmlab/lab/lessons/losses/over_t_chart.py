"""Functions of t = y f(x), one of them thick, with every point of the board on it (L1, L2, L12, L14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.lab.charts.marks import dots
from svmlab.lab.lessons.losses.names import LOSS, colour, pen
from svmlab.lab.words import _, written
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import Label, axis_name, place_labels
from svmlab.plot.palette import Palette

LO, HI = -3.0, 3.0  # the ends of the t axis
GRID = np.linspace(LO, HI, 241)
EDGE = 0.04  # of the axes: room for the marks at their ends
NAMED = 1.0  # of the t axis: the width of the label of points farther to the right
LARGE = 20  # px of type from which on only the thick curve has a label


class Curve(NamedTuple):
    """Values of t (k,) and heights (k,), and the position of its label: t, height, side."""

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
    selected_loss: str,
    step: str | None,
    points: Dots,
    data: Dataset,
    selected: int | None,
    y: str,
    top: float,
    palette: Palette,
) -> go.Figure:
    """Return the `curves` by the names of their losses up to the height `top`, with the points on stems.

    The selected loss and the `step` are drawn over the others. A point outside the chart is an arrowhead at its edge,
    and its hover has its numbers. customdata of the points: id, t, height.
    """
    figure = empty_chart(palette, "", y, height=260)
    for name, curve in sorted(curves.items(), key=lambda each: (each[0] == selected_loss, each[0] == step)):
        is_in_front = name in (selected_loss, step)
        trace = go.Scatter(
            x=curve.t,
            y=curve.height,
            name=name,
            mode="lines",
            opacity=1.0 if is_in_front else 0.5,
            line=pen(name, palette, 4.0 if name == selected_loss else 2.5 if is_in_front else 1.8),
            hovertemplate=_(LOSS[name]) + written("<br>t = %{x:.3g}: %{y:.4g}<extra></extra>"),
        )
        figure.add_trace(trace)
    x, height = np.clip(points.t, LO, HI), np.clip(points.height, 0.0, top)
    stems = np.stack([x, x, np.full(len(x), np.nan)], 1).ravel()
    heights = np.stack([points.foot, height, np.full(len(x), np.nan)], 1).ravel()
    stem_pen = palette.pen(colour(selected_loss, palette), 1.5)
    stem = go.Scatter(x=stems, y=heights, name="stems", mode="lines", opacity=0.5, line=stem_pen, hoverinfo="skip")
    figure.add_trace(stem)
    hover = _("point {id}").format(id="%{customdata[0]}") + (
        written("<br>t = %{customdata[1]:.5g}<br>") + f"{y}: %{{customdata[2]:.5g}}<extra></extra>"
    )
    symbol = np.where(data.y > 0, "circle", "square")
    symbol = np.where(points.height > top, "triangle-up", symbol)
    symbol = np.where(points.t < LO, "triangle-left", np.where(points.t > HI, "triangle-right", symbol))
    custom = np.stack([data.ids, points.t, points.height], 1)
    colours = palette.classes(data.y)
    marks = dots(
        palette, x, height, custom, data.ids == selected, colours, name="points", hover=hover, symbol=symbol, edge=1
    )
    figure.add_trace(marks)
    room = EDGE * (HI - LO)
    figure.update_xaxes(range=[LO - room, HI + room], tickvals=np.arange(LO, HI + 1), zeroline=True)
    figure.update_yaxes(range=[-EDGE * top, (1 + EDGE) * top], nticks=5)
    labelled = [name for name in curves if palette.type < LARGE or name in (selected_loss, step)]
    labels = [
        Label(_(LOSS[name]), *curves[name].spot[:2], colour(name, palette), curves[name].spot[2]) for name in labelled
    ]
    return place_labels(
        figure,
        palette,
        [*labels, *_labels_outside(points, top, palette), axis_name(figure, written("t = y f"), palette)],
        backed=True,
    )


def _labels_outside(points: Dots, top: float, palette: Palette) -> list[Label]:
    """Return labels with the numbers of points that are farther to the right or higher than the chart."""
    right, high = points.t > HI, (points.height > top) & (points.t <= HI)
    labels = []
    if right.any():
        height = float(np.clip(points.height[points.t > HI - NAMED], 0.0, top).max())
        words = _("{n} farther").format(n=int(right.sum()))
        labels.append(Label(words, HI, height, palette.quiet, "above left"))
    if high.any():
        x = float(np.clip(points.t[high], LO, HI).max())
        words = _("{n} higher").format(n=int(high.sum()))
        labels.append(Label(words, x, top, palette.quiet, "left" if x > LO + 1 else "right"))
    return labels

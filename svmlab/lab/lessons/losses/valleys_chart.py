"""The plane of w with its valleys, and a section through two of its places (L2, L10)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import axis_range, blank
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import SIZE
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.losses.minima import Minima, Section
from svmlab.lab.lessons.losses.names import colour, pen
from svmlab.lab.lessons.losses.plane import WIDE, Ground
from svmlab.lab.lessons.losses.plane_chart import behind, clickable
from svmlab.lab.numbers import ROUNDING, short

TOLD = 5  # minima that have their F beside them
THIN, FAINT = 1.0, 0.35  # contours: what lies on them is the matter


def plane(
    loss: str, ground: Ground, half: float, spots: Array, values: Array, path: Array, found: Minima, palette: Palette
) -> go.Figure:
    """Contours of F, the minima that were found, and a descent with its path (k, 2); equal units, w2 within `half`.

    spots (n, 2) can be clicked, customdata is the number of the spot; values (n,): F there. The minima are numbered on
    from there.
    """
    figure = blank(palette, height=200, left=30)
    thin = palette.pen(colour(loss, palette), THIN)
    figure.add_trace(behind(ground, thin, FAINT))
    figure.add_trace(clickable(spots, values))
    rolled = go.Scatter(x=path[:, 0], y=path[:, 1], name="path", mode="lines", hoverinfo="skip")
    figure.add_trace(rolled.update(line=palette.pen(palette.text, 2.5)))
    names = list[Label]()
    if len(found.w):
        names += _minima(figure, found, half, len(spots), palette)
    for at, symbol in ((path[-1], "circle-open"), (path[0], "diamond")):
        _mark(figure, at, symbol, palette)
    figure.update_xaxes(range=[-WIDE * half, WIDE * half], nticks=7, zeroline=True)
    figure.update_yaxes(range=[-half, half], nticks=5, zeroline=True, scaleanchor="x")
    side = "below left" if path[0][0] < path[-1][0] else "below right"
    names += [Label("w₁", WIDE * half, 0.0, palette.quiet, "above left")]
    names += [Label("w₂", 0.0, half, palette.quiet, "below right")]
    names.append(Label("w", *_within(path[0], half), palette.text, side))
    return place_labels(figure, palette, names, backed=True)


def _within(at: Array, half: float) -> tuple[float, float]:
    """A place, or the nearest to it that the chart shows."""
    return float(np.clip(at[0], -WIDE * half, WIDE * half)), float(np.clip(at[1], -half, half))


def _minima(figure: go.Figure, found: Minima, half: float, first: int, palette: Palette) -> list[Label]:
    """A dot for each minimum, filled for the lowest, and the F of the first few."""
    lowest = found.values <= found.values[0] + 1e-6
    marker = {
        "size": palette.stroke * np.where(lowest, SIZE + 2, SIZE),
        "color": np.where(lowest, palette.accent, palette.paper),
        "line": palette.pen(palette.accent, 2.5),
        "opacity": 1,
    }
    hover = "F = %{customdata[1]:.6g}<br>w = (%{x:.4g}, %{y:.4g})<extra></extra>"
    x, y = found.w.T
    custom = np.stack([first + np.arange(len(x)), found.values], axis=1)
    figure.add_trace(
        go.Scatter(x=x, y=y, customdata=custom, name="minima", mode="markers", marker=marker, hovertemplate=hover)
    )
    inside = (np.abs(found.w[:, 1]) < half) & (np.abs(found.w[:, 0]) < WIDE * half)
    told = np.flatnonzero(inside)
    told = told if len(found.w) <= TOLD else told[:1]
    return [
        Label(short(float(found.values[i]), 4, ROUNDING), float(x[i]), float(y[i]), palette.accent, "above right")
        for i in told
    ]


def _mark(figure: go.Figure, at: Array, symbol: str, palette: Palette) -> None:
    marker = {
        "size": 14 * palette.stroke,
        "symbol": symbol,
        "color": palette.text,
        "line": palette.pen(palette.text, 2),
    }
    hover = "w = (%{x:.4g}, %{y:.4g})<extra></extra>"
    trace = go.Scatter(x=at[:1], y=at[1:], name=symbol, mode="markers", marker=marker, hovertemplate=hover)
    figure.add_trace(trace)


def section(loss: str, found: Section, ends: tuple[str, str], axis: str, first: float, palette: Palette) -> go.Figure:
    """F along a straight line through two places of the plane, and its chord between them; `ends` name the two, at
    `first` and one further on the axis.
    """
    figure = blank(palette, height=200)
    x, between = found.s + first, (found.s >= 0) & (found.s <= 1)
    hover = f"{axis} = %{{x:.3g}}<br>F = %{{y:.6g}}<extra></extra>"
    curve = go.Scatter(x=x, y=found.values, name="F", mode="lines", line=pen(loss, palette, 3), hovertemplate=hover)
    figure.add_trace(curve)
    chord = go.Scatter(x=x[between], y=found.chord[between], name="chord", mode="lines", hoverinfo="skip")
    figure.add_trace(chord.update(line=palette.pen(palette.quiet, 2)))
    at = np.searchsorted(found.s, [0.0, 1.0])
    marker = {"size": 13 * palette.stroke, "color": palette.text, "symbol": ["diamond", "circle"]}
    told = "F = %{y:.6g}<extra></extra>"
    figure.add_trace(
        go.Scatter(x=x[at], y=found.values[at], name="ends", mode="markers", marker=marker, hovertemplate=told)
    )
    lo, hi = axis_range(found.values, found.chord[between], room=0.14)
    if hi - lo < 1e-3:  # flat: rounding is no shape
        lo, hi = lo - 0.5, hi + 0.5
    figure.update_xaxes(range=[float(x[0]), float(x[-1])], nticks=7)
    figure.update_yaxes(range=[lo, hi], nticks=4)
    labels = [
        axis_name(figure, axis, palette),
        Label("F", float(x[-1]), float(found.values[-1]), colour(loss, palette)),
    ]
    labels += [
        Label(
            f"{name}: {short(float(found.values[i]), 4, ROUNDING)}",
            float(x[i]),
            float(found.values[i]),
            palette.text,
            side,
        )
        for name, i, side in zip(ends, at, ("above", "below"), strict=True)
    ]
    place_labels(figure, palette, labels, backed=True)
    figure.layout.margin.r += palette.type  # the axis has its name there
    return figure

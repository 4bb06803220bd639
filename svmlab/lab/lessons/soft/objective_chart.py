"""The objective in the plane of w: its two terms as contours with the path of the optimum, and a section (S4, S13, S14)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.arrays import Array
from svmlab.lab.charts.frame import blank, span
from svmlab.lab.charts.labels import Label, put
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.soft.plane import Landscape, Section, level_lines

THIN, THICK = 1.2, 3.0


class PlaneWords(NamedTuple):
    """The labels of `plane`."""

    size: str
    slack: str
    total: str
    path: str
    best: str
    own: str


def plane(
    found: Landscape,
    C: float,
    best: Array,
    least: float,
    path: Array,
    own: Array | None,
    together: bool,
    words: PlaneWords,
    palette: Palette,
) -> go.Figure:
    """Circles of 1/2 |w|^2 and contours of C sum xi, each through `best` too, or those of their sum with `together`.

    path (k, 2): the optimum along C; best (2,): at the present C, where C sum xi is `least`; own: the w of a line by hand.
    """
    figure = blank(palette, "w₁", "w₂", height=460)
    total = found.size + C * found.slack
    here = 0.5 * float(best @ best)
    if together:
        steps = float(total.min()) + np.ptp(total) * np.linspace(0.0, 0.75, 14)[1:] ** 2
        _contours(figure, found, total, steps, palette.pen(palette.accent, THIN), words.total)
    else:
        rings = 0.5 * (float(found.w1[-1]) * np.linspace(0.15, 1.3, 9)) ** 2
        _contours(figure, found, found.size, rings, palette.pen(palette.quiet, THIN), words.size)
        price = C * found.slack
        steps = float(price.min()) + np.ptp(price) * np.linspace(0.0, 0.8, 11)[1:] ** 2
        _contours(figure, found, price, steps, palette.pen(palette.other, THIN), words.slack)
        _contours(figure, found, found.size, np.array([here]), palette.pen(palette.quiet, THICK), words.size, 1.0)
        _contours(figure, found, price, np.array([least]), palette.pen(palette.other, THICK), words.slack, 1.0)
    figure.add_trace(
        go.Scatter(
            x=path[:, 0],
            y=path[:, 1],
            mode="lines",
            name=words.path,
            line=palette.pen(palette.accent, THICK),
            hovertemplate=f"{words.path}<br>w = (%{{x:.5g}}, %{{y:.5g}})<extra></extra>",
        )
    )
    half = float(found.w1[-1])
    figure.update_xaxes(range=[-half, half], constrain="domain")
    figure.update_yaxes(range=[-half, half], scaleanchor="x", constrain="domain")
    lower = own is not None and best[1] < own[1]
    sides = ("below right", "above right") if lower else ("above right", "below right")
    marks = [(best, words.best, palette.accent, "circle", sides[0])]
    marks += [] if own is None else [(own, words.own, palette.text, "diamond", sides[1])]
    for w, name, colour, symbol, _ in marks:
        _mark(figure, w, name, colour, symbol, palette)
    names = [Label(name, float(w[0]), float(w[1]), colour, side) for w, name, colour, _, side in marks]
    return put(figure, palette, names, backed=True)


def section(found: Section, names: tuple[str, str, str, str], x: str, palette: Palette) -> go.Figure:
    """The two terms of F and F itself along a line through the optimum, and the parabola that F stays above."""
    figure = blank(palette, x, height=380)
    total = found.size + found.loss
    curves = (
        (names[0], found.size, palette.quiet, "solid", 2),
        (names[1], found.loss, palette.other, "solid", 2.5),
        (names[2], total, palette.accent, "solid", 3),
        (names[3], found.below, palette.accent, "dash", 2),
    )
    for name, y, colour, dash, width in curves:
        figure.add_trace(
            go.Scatter(
                x=found.t,
                y=y,
                name=name,
                mode="lines",
                line=palette.pen(colour, width, dash),
                hovertemplate=f"{name} = %{{y:.6g}}<br>t = %{{x:.4g}}<extra></extra>",
            )
        )
    figure.update_xaxes(range=[found.t[0], found.t[-1]])
    figure.update_yaxes(range=[0.0, span(total, found.below, found.loss, 0.0)[1]])
    return put(
        figure, palette, [Label(name, float(found.t[-1]), float(y[-1]), colour) for name, y, colour, *_ in curves]
    )


def _contours(
    figure: go.Figure, found: Landscape, z: Array, levels: Array, line: dict[str, Any], name: str, opacity: float = 0.55
) -> None:
    lines = level_lines(found, z, levels)
    figure.add_trace(
        go.Scatter(
            x=lines[:, 0],
            y=lines[:, 1],
            customdata=lines[:, 2],
            mode="lines",
            name=name,
            line=line,
            opacity=opacity,
            hovertemplate=f"{name} = %{{customdata:.5g}}<br>w = (%{{x:.3g}}, %{{y:.3g}})<extra></extra>",
        )
    )


def _mark(figure: go.Figure, w: Array, name: str, colour: str, symbol: str, palette: Palette) -> None:
    marker = {"size": 14 * palette.stroke, "symbol": symbol, "color": colour, "line": palette.pen(palette.paper, 2)}
    figure.add_trace(
        go.Scatter(
            x=w[:1],
            y=w[1:],
            mode="markers",
            name=name,
            marker=marker,
            hovertemplate=f"{name}<br>w = (%{{x:.8g}}, %{{y:.8g}})<extra></extra>",
        )
    )

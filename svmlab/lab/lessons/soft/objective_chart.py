"""The objective in the plane of w: its two terms as contours with the path of the optimum, and a section (S4, S13, S14)."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.arrays import Array
from svmlab.lab.charts.style import LIGHT, Palette, plain, tag
from svmlab.lab.lessons.soft.plane import Landscape, Section, level_lines


class PlaneWords(NamedTuple):
    """The labels of `plane`."""

    size: str
    slack: str
    total: str
    path: str
    best: str
    own: str


def plane(
    found: Landscape, C: float, best: Array, least: float, path: Array, own: Array | None, together: bool, words: PlaneWords,
    palette: Palette = LIGHT,
) -> go.Figure:  # fmt: skip
    """Circles of 1/2 |w|^2 and contours of C sum xi, each through `best` too, or those of their sum with `together`.

    path (k, 2): the optimum along C; best (2,): at the present C, where C sum xi is `least`; own: the w of a line by hand.
    """
    figure = go.Figure()
    total = found.size + C * found.slack
    here = 0.5 * float(best @ best)
    if together:
        steps = float(total.min()) + np.ptp(total) * np.linspace(0.0, 0.75, 14)[1:] ** 2
        _contours(figure, found, total, steps, palette.accent, words.total)
    else:
        rings = 0.5 * (float(found.w1[-1]) * np.linspace(0.15, 1.3, 9)) ** 2
        _contours(figure, found, found.size, rings, palette.quiet, words.size)
        price = C * found.slack
        steps = float(price.min()) + np.ptp(price) * np.linspace(0.0, 0.8, 11)[1:] ** 2
        _contours(figure, found, price, steps, palette.other, words.slack)
        _contours(figure, found, found.size, np.array([here]), palette.quiet, words.size, 3)
        _contours(figure, found, price, np.array([least]), palette.other, words.slack, 3)
    figure.add_trace(
        go.Scatter(
            x=path[:, 0], y=path[:, 1], mode="lines", name=words.path, line={"color": palette.accent, "width": 3},
            hovertemplate=f"{words.path}<br>w = (%{{x:.5g}}, %{{y:.5g}})<extra></extra>",
        )
    )  # fmt: skip
    _mark(figure, best, words.best, palette.accent, "circle", palette)
    if own is not None:
        _mark(figure, own, words.own, palette.ink, "diamond", palette)
    plain(figure, 460, bottom=44)
    half = float(found.w1[-1])
    figure.update_xaxes(title="w₁", range=[-half, half], constrain="domain")
    return figure.update_yaxes(title="w₂", range=[-half, half], scaleanchor="x", constrain="domain")


def section(found: Section, names: tuple[str, str, str, str], x: str, palette: Palette = LIGHT) -> go.Figure:
    """The two terms of F and F itself along a line through the optimum, and the parabola that F stays above."""
    figure = go.Figure()
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
                x=found.t, y=y, name=name, mode="lines", line={"color": colour, "width": width, "dash": dash},
                hovertemplate=f"{name} = %{{y:.6g}}<br>t = %{{x:.4g}}<extra></extra>",
            )
        )  # fmt: skip
    plain(figure, 380, right=118)
    ends = _spread([float(c[1][-1]) for c in curves], 0.075 * float(total.max()))
    for (name, _, colour, *_), at in zip(curves, ends, strict=True):
        tag(figure, float(found.t[-1]), at, name, colour, xshift=6, yanchor="middle")
    return figure.update_xaxes(title=x, range=[found.t[0], found.t[-1]]).update_yaxes(rangemode="tozero")


def _spread(at: list[float], least: float) -> list[float]:
    """The same heights, moved up where two labels would touch."""
    out = list(at)
    order = np.argsort(at)
    for below, above in pairwise(order):
        out[above] = max(out[above], out[below] + least)
    return out


def _contours(
    figure: go.Figure, found: Landscape, z: Array, levels: Array, colour: str, name: str, width: float = 1.2
) -> None:
    lines = level_lines(found, z, levels)
    figure.add_trace(
        go.Scatter(
            x=lines[:, 0], y=lines[:, 1], customdata=lines[:, 2], mode="lines", name=name,
            line={"color": colour, "width": width}, opacity=0.55 if width < 2 else 1.0,
            hovertemplate=f"{name} = %{{customdata:.5g}}<br>w = (%{{x:.3g}}, %{{y:.3g}})<extra></extra>",
        )
    )  # fmt: skip


def _mark(figure: go.Figure, w: Array, name: str, colour: str, symbol: str, palette: Palette) -> None:
    figure.add_trace(
        go.Scatter(
            x=[w[0]], y=[w[1]], mode="markers", name=name,
            marker={"size": 14, "symbol": symbol, "color": colour, "line": {"color": palette.paper, "width": 2}},
            hovertemplate=f"{name}<br>w = (%{{x:.8g}}, %{{y:.8g}})<extra></extra>",
        )
    )  # fmt: skip
    above = symbol == "circle"
    tag(
        figure, float(w[0]), float(w[1]), name, colour, xshift=9, yshift=4 if above else -4,
        yanchor="bottom" if above else "top", bgcolor=palette.paper, opacity=0.85,
    )  # fmt: skip

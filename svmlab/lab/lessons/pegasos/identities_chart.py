"""Small charts of what holds along a run (P2, P3, P4, P5, P8)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.arrays import Array
from svmlab.lab.charts.lines import Line, band, curves
from svmlab.lab.charts.palette import Palette

SMALL = 230


def ratio(t: Array, values: Array, names: Sequence[str], x: str, y: str, palette: Palette) -> go.Figure:
    """Values (k,) that may not exceed 1, and the line at 1."""
    lines = [
        Line(names[0], t, values, palette.series[0]),
        Line(names[1], t, np.ones(len(t)), palette.quiet, "dash"),
    ]
    return curves(lines, x, y, palette, log_y=False, height=SMALL, levels=(0, 1.08))


def two_ways(
    t: Array, steps: Array, closed: Array, names: Sequence[str], x: str, y: str, palette: Palette
) -> go.Figure:
    """Both coordinates of w by the steps as lines, by the closed form as marks upon them; (n, 2) each."""
    colours = palette.series[:2]
    lines = [Line(name, t, steps[:, j], colours[j]) for j, name in enumerate(names[:2])]
    figure = curves(lines, x, y, palette, log_y=False, height=SMALL)
    few = np.unique(np.round(np.geomspace(1, len(t), 28)).astype(int)) - 1
    for j in range(2):
        ring = {"color": colours[j], "size": 8 * palette.stroke, "symbol": "circle-open", "line": {"width": 1.5}}
        figure.add_trace(
            go.Scatter(
                x=t[few],
                y=closed[few, j],
                mode="markers",
                name=names[2],
                hovertemplate="%{y:.6g}",
                cliponaxis=False,
                marker=ring,
            )
        )
    return figure


def sampled(
    before: Array, after: Array, spread: tuple[float, float], names: Sequence[str], x: str, y: str, palette: Palette
) -> go.Figure:
    """Running means of the errors of two estimates (n,) each, and the band of two standard errors round 0 for the first."""
    n = np.unique(np.round(np.geomspace(10, len(before), 120)).astype(int))
    lines = [
        Line(names[0], n, (np.cumsum(before)[n - 1] / n) / (spread[0] or 1.0), palette.series[0]),
        Line(names[1], n, (np.cumsum(after)[n - 1] / n) / (spread[1] or 1.0), palette.series[1]),
    ]
    figure = curves(lines, x, y, palette, log_y=False, height=SMALL)
    width = 2.0 / np.sqrt(n)
    band(figure, n, -width, width, palette.quiet)
    return figure


def jensen(t: Array, left: Array, right: Array, names: Sequence[str], x: str, y: str, palette: Palette) -> go.Figure:
    """Gaps of F at the mean and of the mean of F, (k,) each."""
    lines = [Line(names[1], t, right, palette.series[1]), Line(names[0], t, left, palette.series[0])]
    return curves(lines, x, y, palette, height=SMALL)

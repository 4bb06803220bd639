"""The regret of one run in units of G^2/(2 lam t), beside the three factors (P6)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.arrays import Array
from svmlab.lab.charts.lines import Line, curves
from svmlab.lab.charts.palette import Palette
from svmlab.pegasos import PegasosRun, harmonic, printed_factor, repaired_factor


class Words(NamedTuple):
    """The labels of the figure."""

    left: str
    repaired: str
    exact: str
    printed: str
    x: str
    y: str
    sides: str  # of the hover, with customdata: the value as it is
    above: str


def units(run: PegasosRun, index: int) -> Array:
    """G^2 / (2 lam t) of one run at its checkpoints, (k,)."""
    return run.G[index] ** 2 / (2.0 * run.rule.sigma * run.t)


def regret(run: PegasosRun, left: Array, index: int, words: Words, palette: Palette) -> go.Figure:
    """`left` (runs, k): the mean loss on the way less that of w*; every line divided by the unit, so that the right sides are factors.

    Crosses mark where it is above the printed one.
    """
    t, unit = np.asarray(run.t, dtype=float), np.maximum(units(run, index), 1e-300)
    own, printed, repaired, *_ = palette.series
    lines = [
        Line(words.left, t, left[index] / unit, own, width=3),
        Line(words.repaired, t, repaired_factor(run.t), repaired),
        Line(words.exact, t, harmonic(run.t), palette.quiet),
        Line(words.printed, t, printed_factor(run.t), printed, "dash"),
    ]
    figure = curves(lines, words.x, words.y, palette, log_y=False, height=380)
    above = lines[0].y > lines[3].y + 1e-12
    if above.any():
        figure.add_trace(
            go.Scatter(
                x=t[above],
                y=lines[0].y[above],
                name=words.above,
                mode="markers",
                cliponaxis=False,
                marker={"symbol": "x", "size": 11 * palette.stroke, "color": printed},
            )
        )
    for trace in figure.data[:4]:
        absolute = np.asarray(trace.y) * unit
        trace.update(customdata=absolute, hovertemplate="%{y:.4g} " + words.sides)
    return figure

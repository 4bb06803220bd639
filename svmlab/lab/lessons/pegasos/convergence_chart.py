"""Pegasos against its bounds: F - F(w*) along t on log-log axes, and the distance to w* beside it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.arrays import Array
from svmlab.lab.charts.lines import FLOOR, Line, band, curves
from svmlab.lab.charts.palette import Palette
from svmlab.pegasos import PegasosRun, sharp_gap_bound

SINGLE = 12  # runs drawn one by one, at most
NAMES = ("last", "suffix", "average")


class Words(NamedTuple):
    """The labels of the figure."""

    last: str
    average: str
    suffix: str
    bound: str
    sharp: str
    realised: str
    slope: str
    x: str
    y: str


def convergence(run: PegasosRun, best: float, words: Words, palette: Palette) -> go.Figure:
    """Mean over the repetitions of each iterate's gap to `best` = F(w*); of the average also the spread and single runs.

    Above them the bound, the sharper one, the one with the realised G, and a line of the slope of ln t/t through the last
    mean gap of the average. Gaps are floored at 1e-16 so that a run that has arrived still shows.
    """
    t = np.asarray(run.t, dtype=float)
    gaps = {name: np.maximum(getattr(run, name) - best, FLOOR) for name in NAMES}
    average, last, suffix, met, _ = palette.series
    colours = {"last": last, "suffix": suffix, "average": average}
    lines = [Line(getattr(words, name), t, gaps[name].mean(0), colours[name]) for name in NAMES]
    lines += [
        Line(words.bound, t, run.bound, palette.quiet, "dash"),
        Line(words.sharp, t, sharp_gap_bound(run.X, run.lam, run.t), palette.quiet, "dot"),
        Line(words.realised, t, run.realised_bound, met, "dash"),
    ]
    if len(t) > 2:
        late = t >= t[-1] ** 0.4
        lines.append(Line(words.slope, t[late], _through(t[late], float(lines[2].y[-1])), palette.other, "dot", 2))
    figure = curves(lines, words.x, words.y, palette, height=430)
    if run.runs > 1:
        low, high = np.quantile(gaps["average"], [0.1, 0.9], axis=0)
        for one in gaps["average"][:SINGLE]:
            figure.add_trace(
                go.Scatter(
                    x=t,
                    y=one,
                    mode="lines",
                    name="run",
                    hoverinfo="skip",
                    opacity=0.28,
                    line=palette.pen(average, 1),
                )
            )
        band(figure, t, low, high, average)
    return figure


def _through(t: Array, last: float) -> Array:
    shape = np.log(t) / t
    return shape * (last / shape[-1])


class Pair(NamedTuple):
    """The labels of the figure of the two rates."""

    gap: str
    distance: str
    allowed: str
    x: str
    y: str


def two_rates(run: PegasosRun, best: float, w: Array, words: Pair, palette: Palette) -> go.Figure:
    """Mean gap of the average, its mean distance to w (d,), and sqrt(2 gap / lam), which the distance never exceeds."""
    t = np.asarray(run.t, dtype=float)
    gaps = np.maximum(run.average - best, FLOOR)
    distance = np.sqrt(((run.averages - w) ** 2).sum(-1))
    lines = (
        Line(words.gap, t, gaps.mean(0), palette.series[0]),
        Line(words.distance, t, distance.mean(0), palette.series[2]),
        Line(words.allowed, t, np.sqrt(2 * gaps / run.lam).mean(0), palette.quiet, "dash"),
    )
    return curves(lines, words.x, words.y, palette, height=320)

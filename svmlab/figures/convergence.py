"""Pegasos against its bound: F - F(w*) along t on log-log axes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.arrays import Array, Index
from svmlab.figures.style import COLOURS, log_axes
from svmlab.pegasos import PegasosRun


class Words(NamedTuple):
    """The labels of the figure."""

    last: str
    average: str
    suffix: str
    bound: str
    x: str
    y: str


def convergence(run: PegasosRun, best: float, words: Words) -> go.Figure:
    """Mean over the repetitions of each iterate's gap to `best` = F(w*), the spread of the average, and the bound.

    The gaps are floored at 1e-16 so that a run that has arrived still shows on the log axis.
    """
    figure = go.Figure()
    t = run.t
    gaps = {name: np.maximum(getattr(run, name) - best, 1e-16) for name in ("last", "average", "suffix")}
    if len(run.average) > 1:
        low, high = np.quantile(gaps["average"], [0.1, 0.9], axis=0)
        figure.add_trace(
            go.Scatter(
                x=np.r_[t, t[::-1]],
                y=np.r_[high, low[::-1]],
                fill="toself",
                fillcolor="rgba(0,114,178,0.18)",
                line={"width": 0},
                hoverinfo="skip",
                name="spread",
            )
        )
    for name in ("last", "suffix", "average"):
        _line(figure, t, gaps[name].mean(0), getattr(words, name), COLOURS[name], "solid")
    _line(figure, t, run.bound, words.bound, COLOURS["bound"], "dash")
    figure = log_axes(figure, words.x, words.y)
    return figure.update_xaxes(range=[0, max(float(np.log10(t[-1])), 0.1)])


def _line(figure: go.Figure, t: Index, y: Array, name: str, colour: str, dash: str) -> None:
    figure.add_trace(
        go.Scatter(
            x=t,
            y=y,
            name=name,
            mode="lines",
            line={"color": colour, "width": 2.5, "dash": dash},
            hovertemplate="%{y:.3e}",
        )
    )
    figure.add_annotation(
        x=np.log10(t[-1]),
        y=np.log10(y[-1]),
        text=name,
        showarrow=False,
        xanchor="left",
        xshift=6,
        font={"color": colour, "size": 15},
    )

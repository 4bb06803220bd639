"""Pegasos against its bounds: F - F(w*) of the average along t on log-log axes (P7)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.lab.charts.lines import FLOOR, Line, band, curves
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _
from svmlab.pegasos import PegasosRun

SINGLE = 12  # runs drawn one by one, at most


def convergence(run: PegasosRun, best: float, start: float, palette: Palette) -> go.Figure:
    """The mean over the repetitions of the average's gap to `best` = F(w*), its spread and single runs; the bound, that with the G met, and the gap at the `start`.

    Gaps are floored at 1e-16 so that a run that has arrived still shows.
    """
    t = np.asarray(run.t, dtype=float)
    gaps = np.maximum(run.average - best, FLOOR)
    average, met = palette.series[0], palette.series[3]
    lines = [
        Line(_("average"), t, gaps.mean(0), average),
        Line(_("bound"), t, run.bound, palette.quiet, "dash"),
        Line(_("with G met"), t, run.realised_bound, met, "dash"),
        *([Line(_("w stays 0"), t, np.full(len(t), start), palette.text, "dashdot", 2)] if start else []),
    ]
    figure = curves(lines, _("steps t"), _("gap of F"), palette, height=160)
    if run.runs > 1:
        for one in gaps[:SINGLE]:
            thin = palette.pen(average, 1)
            figure.add_trace(
                go.Scatter(x=t, y=one, mode="lines", name="run", hoverinfo="skip", opacity=0.28, line=thin)
            )
        low, high = np.quantile(gaps, [0.1, 0.9], axis=0)
        band(figure, t, low, high, average)
    return figure

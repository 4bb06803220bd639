"""The regret of one run in units of G^2/(2 lam t), beside the three factors (P6)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import axis_range
from svmlab.lab.charts.lines import Line, curves
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _
from svmlab.pegasos import PegasosRun, harmonic, printed_factor, repaired_factor


def units(run: PegasosRun) -> Array:
    """G^2 / (2 lam t) at the checkpoints, (runs, k)."""
    return run.G**2 / (2.0 * run.rule.sigma * run.t)


def regret(run: PegasosRun, left: Array, palette: Palette) -> go.Figure:
    """`left` (runs, k): the mean loss on the way less that of w*; each run is divided by its unit, so that the right sides are factors.

    Crosses mark where a run is above the printed one; the exact sum is a thin line below its bound 1 + ln t.
    """
    t, unit = np.asarray(run.t, dtype=float), np.maximum(units(run), 1e-300)
    own, printed, repaired, *_rest = palette.series
    lines = [
        Line(_("regret"), t, left[0] / unit[0], own, width=3),
        Line("1 + ln t", t, repaired_factor(run.t), repaired),
        Line("ln(t+1)", t, printed_factor(run.t), printed, "dash"),
    ]
    top = max(float((left / unit).max()), float(lines[1].y[-1]))
    ends = axis_range(left / unit, np.log(2.0), top, room=0.05)
    figure = curves(lines, _("steps t"), _("in G²/(2λt)"), palette, log_y=False, height=160, levels=ends)
    exact = go.Scatter(x=t, y=harmonic(run.t), name="1 + … + 1/t", mode="lines", line=palette.pen(palette.quiet, 1.5))
    figure.add_trace(exact)
    for other in (left / unit)[1:]:
        pen = palette.pen(own, 1.5)
        figure.add_trace(go.Scatter(x=t, y=other, name="run", mode="lines", line=pen, opacity=0.6, hoverinfo="skip"))
    for trace in figure.data[:4]:
        absolute = np.asarray(trace.y) * unit[0]
        trace.update(customdata=absolute, hovertemplate="%{y:.4g} (= %{customdata:.3g})")
    which, k = np.nonzero(left / unit > printed_factor(run.t) + 1e-12)
    if len(k):
        figure.add_trace(
            go.Scatter(
                x=t[k],
                y=(left / unit)[which, k],
                name=_("above ln(t+1)"),
                mode="markers",
                cliponaxis=False,
                marker={"symbol": "x", "size": 11 * palette.stroke, "color": printed},
            )
        )
    return figure

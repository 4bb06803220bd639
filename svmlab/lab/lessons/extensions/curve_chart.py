"""What a curve misses of the points it has seen and of others, and one curve by kernel values and by coordinates (X2)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank, log, axis_range
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import SIZE, add_rule
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.lessons.extensions.noisy import Errors, TwoWays
from svmlab.lab.words import _
from svmlab.regression import Values


def missing(
    found: Errors,
    now: float,
    name: str,
    others: str,
    least: float | None,
    even: bool,
    palette: Palette,
) -> go.Figure:
    """Mean |y - f| of seen points and of `others`, over what is turned, `name`; a rule and rings at the present value.

    least: what the best f misses of unseen points, a level line; None where nobody knows. even: whether the axis is no
    logarithmic one. A click on a mark tells its value.
    """
    figure = blank(palette, "", _("mean |y − f|"), height=240)
    lines = (
        (_("seen points"), found.train, palette.quiet, "square"),
        (others, found.unseen, palette.accent, "circle"),
    )
    scale = found.at if even else np.log10(found.at)
    lo, hi = float(scale.min()), float(scale.max())
    ends = [lo - 0.02 * (hi - lo), hi + 0.02 * (hi - lo)]
    top = 1.1 * float(np.nanmax([0.1, *found.train, *found.unseen]))
    figure.update_xaxes(**({"range": ends, "nticks": 6} if even else log(*ends)))
    figure.update_yaxes(range=[-0.04 * top, top], nticks=5, tickformat="~g")
    labels = [axis_name(figure, name, palette)]
    if least is not None:
        add_rule(figure, palette, palette.other, "dot", y=least)
        labels.append(Label(_("noise {least}").format(least=f"{least:.2g}"), ends[1], least, palette.other))
    add_rule(figure, palette, palette.text, "dot", x=now)
    here = np.flatnonzero(found.at == now)
    for words, y, colour, symbol in lines:
        told = f"{words}: %{{y:.4g}}<br>{name} = %{{x:.4g}}<extra></extra>"
        mark = {"symbol": symbol, "size": 9 * palette.stroke, "color": colour, "line": palette.pen(palette.paper, 1.0)}
        line = go.Scatter(x=found.at, y=y, customdata=found.at, name=words, mode="lines+markers", marker=mark)
        figure.add_trace(line.update(line=palette.pen(colour), hovertemplate=told, cliponaxis=False))
        known = np.flatnonzero(~np.isnan(y))
        if len(known):
            labels.append(Label(words, ends[1], float(y[known[-1]]), colour))
        figure.add_trace(_rings(found.at[here], y[here], palette))
    return place_labels(figure, palette, labels)


def both(found: TwoWays, data: Values, palette: Palette) -> go.Figure:
    """The curve by kernel values, wide, and that by explicit coordinates dashed on it; the points that they were fitted to."""
    figure = blank(palette, "", "x₂", height=240)
    mark = {"size": 0.6 * SIZE * palette.stroke, "color": palette.quiet}
    seen = go.Scatter(x=data.X[:, 0], y=data.y, mode="markers", name="points", marker=mark)
    figure.add_trace(seen.update(hovertemplate="x₁ = %{x:.4g}<br>x₂ = %{y:.4g}<extra></extra>"))
    for name, y, pen in (
        (_("kernel values"), found.kernel, palette.pen(palette.accent, 6.0)),
        (_("coordinates"), found.features, palette.pen(palette.text, 2.0, "dash")),
    ):
        told = f"{name}: %{{y:.10g}}<br>x₁ = %{{x:.4g}}<extra></extra>"
        figure.add_trace(go.Scatter(x=found.x, y=y, mode="lines", name=name, line=pen, hovertemplate=told))
    figure.update_xaxes(range=[float(found.x[0]), float(found.x[-1])], nticks=6)
    lo, hi = axis_range(data.y)
    figure.update_yaxes(range=[lo - 0.1 * (hi - lo), hi + 0.25 * (hi - lo)], nticks=5)
    top = hi + 0.25 * (hi - lo)
    left = float(found.x[0])
    labels = [
        axis_name(figure, "x₁", palette),
        Label(_("by kernel values"), left, top, palette.accent, "below right"),
        Label(_("by coordinates, dashed"), 0.0, top, palette.text, "below right"),
    ]
    return place_labels(figure, palette, labels, backed=True)


def _rings(x: Array, y: Array, palette: Palette) -> go.Scatter:
    ring = {"size": (SIZE + 4) * palette.stroke, "color": CLEAR, "line": palette.pen(palette.text, 2.0)}
    return go.Scatter(x=x, y=y, name="now", mode="markers", marker=ring, hoverinfo="skip", cliponaxis=False)

"""What becomes of a tube while eps grows, and what one far point does to its slope and to that of least squares (X2)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank, axis_range
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import SIZE, dots, add_rule
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.numbers import ROUNDING
from svmlab.lab.words import _
from svmlab.regression import Along

LOWER = 1.5  # by which the scale of |w| is longer than |w| itself, so that it begins below N
SEVEN = 7  # px of a mark


def carried(found: Along, level: float, here: tuple[float, int, float], palette: Palette) -> go.Figure:
    """N, on the left scale, and |w|, on the right one, over eps; a rule at `level`, from which on both are 0.

    here: eps, N and |w| of the board, ringed. A click on a mark tells its eps.
    """
    figure = blank(palette, height=240)
    x, N, w = found.eps, found.count.astype(float), found.norm_w
    steepest = max(float(w.max()), here[2])
    most, longest = 1.12 * max(float(N.max()), 1.0), LOWER * (steepest if steepest > ROUNDING else 1.0)
    end = max(float(x[-1]), 1.02 * here[0])
    figure.add_vrect(x0=level, x1=1.02 * end, fillcolor=palette.grid, line_width=0, layer="below")
    add_rule(figure, palette, palette.quiet, "dot", x=level)
    told = "ε = %{x:.4g}<br>|w| = %{y:.4g}<extra></extra>"
    length = go.Scatter(x=x, y=w, mode="lines", name="|w|", line=palette.pen(palette.other), hovertemplate=told)
    figure.add_trace(length.update(yaxis="y2"))
    stairs = go.Scatter(x=x, y=N, mode="lines", name="N", line=palette.pen(palette.accent, 2.0), hoverinfo="skip")
    figure.add_trace(stairs)
    hover = "ε = %{x:.4g}<br>" + _("support vectors") + " = %{y}<extra></extra>"
    small = dots(palette, x, N, x, np.zeros(len(x), dtype=bool), palette.accent, name="tubes", hover=hover)
    small.marker.size = SEVEN * palette.stroke
    figure.add_trace(small)
    add_rule(figure, palette, palette.text, "dot", x=here[0])
    for y, axis in ((here[1], "y"), (here[2], "y2")):
        figure.add_trace(_ring(here[0], float(y), palette).update(yaxis=axis, hoverinfo="skip"))
    figure.update_layout(
        yaxis2={
            "overlaying": "y",
            "side": "right",
            "range": [-0.04 * longest, longest],
            "tickmode": "auto",
            "nticks": 5,
            "showgrid": False,
            "tickfont": {"color": palette.ink(palette.other)},
            "fixedrange": True,
        }
    )
    figure.update_yaxes(range=[-0.04 * most, most], nticks=5, tickformat="d", selector=0)
    figure.update_yaxes(tickfont={"color": palette.ink(palette.accent)}, selector=0)
    figure.update_xaxes(range=[-0.02 * end, 1.02 * end], tickvals=_ticks(0.95 * end), tickformat="~g")
    near, middle = (int(np.searchsorted(x, part * level)) for part in (0.35, 0.6))
    labels = [
        axis_name(figure, "ε", palette),
        Label(_("support vectors"), float(x[middle]), float(N[middle]), palette.accent, "above"),
        Label("|w|", float(x[near]), float(w[near]) * most / longest, palette.other, "above right"),
        Label(_("half the range"), level, most, palette.quiet, "below left"),
    ]
    return place_labels(figure, palette, labels, backed=True)


def slopes(raised: Array, tube: Array, squares: Array, marked: Array, now: float, palette: Palette) -> go.Figure:
    """The slopes (k,) of the tube's line and of least squares over how far one point is `raised` (k,), a ring where it is now.

    marked: heights among them that a click on their mark tells.
    """
    figure = blank(palette, height=240)
    at = np.searchsorted(raised, marked)
    for name, y, colour, symbol in (
        (_("least squares"), squares, palette.other, "square"),
        (_("tube"), tube, palette.accent, "circle"),
    ):
        hover = f"{name}: %{{y:.4f}}<br>" + _("raised by") + " %{x:.4g}<extra></extra>"
        line = go.Scatter(x=raised, y=y, mode="lines", name=name, line=palette.pen(colour))
        figure.add_trace(line.update(hovertemplate=hover))
        none = np.zeros(len(at), dtype=bool)
        figure.add_trace(dots(palette, marked, y[at], marked, none, colour, name=name, hover=hover, symbol=symbol))
        figure.add_trace(_ring(now, float(np.interp(now, raised, y)), palette).update(hoverinfo="skip"))
    add_rule(figure, palette, palette.text, "dot", x=now)
    last = float(raised[-1])
    figure.update_xaxes(range=[-0.02 * last, 1.02 * last], nticks=6)
    figure.update_yaxes(range=axis_range(0.0, tube, squares), nticks=5)
    labels = [
        axis_name(figure, _("raised by"), palette),
        Label(
            _("slope of least squares"),
            0.5 * last,
            float(np.interp(0.5 * last, raised, squares)),
            palette.other,
            "above left",
        ),
        Label(_("slope of the tube"), 0.5 * last, float(np.interp(0.5 * last, raised, tube)), palette.accent, "below"),
    ]
    return place_labels(figure, palette, labels)


def _ticks(end: float) -> Array:
    """Four to eight round places from 0 to `end`: the name of the axis stands right of them."""
    unit = 10.0 ** np.floor(np.log10(end))
    step = next(part * unit for part in (0.2, 0.5, 1.0, 2.0) if end / (part * unit) < 7)
    return step * np.arange(int(end / step) + 1)


def _ring(x: float, y: float, palette: Palette) -> go.Scatter:
    ring = {"size": (SIZE + 5) * palette.stroke, "color": CLEAR, "line": palette.pen(palette.text, 2.5)}
    return go.Scatter(x=np.array([x]), y=np.array([y]), name="now", mode="markers", marker=ring, cliponaxis=False)

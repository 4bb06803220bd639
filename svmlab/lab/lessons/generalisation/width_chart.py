"""The validation curve: training error, folds, leaving one out and the true error, along the width of a kernel or along C (G0)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.generalisation import Curve
from svmlab.lab.charts.frame import blank, log
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import add_rule
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.words import _


def validation(
    at: Array,
    found: Curve,
    ends: tuple[float, float],
    now: float,
    best: float | None,
    folds: int,
    name: str,
    palette: Palette,
) -> go.Figure:
    """Shares of errors (k,) over the values `at` (k,), from the first to the second of `ends`; a rule at the present one.

    best: the least true error that there is, a level line; None where nobody knows it. folds: how many. name: of what is
    turned. A click on a mark tells its value.
    """
    figure = blank(palette, "", _("share of errors"), height=240)
    lines = (
        (_("training"), found.train, palette.quiet, "solid", "square"),
        (_("{k} folds").format(k=folds), found.folds, palette.series[3], "dot", "triangle-up"),
        (_("one left out"), found.leave_one_out, palette.other, "dash", "diamond"),
        (_("true"), found.true, palette.accent, "solid", "circle"),
    )
    custom = np.stack([at, found.support], 1)
    top = float(np.nanmax([0.1, *(np.nanmax(y) for _name, y, *_look in lines if not np.isnan(y).all())]))
    lo, hi = (float(np.log10(end)) for end in ends)
    figure.update_xaxes(**log(lo - 0.03, hi + 0.03))
    figure.update_yaxes(range=[-0.03 * top, 1.08 * top], nticks=5, tickformat="~g")
    labels = [axis_name(figure, name, palette)]
    if best is not None:
        add_rule(figure, palette, palette.accent, "dot", y=best, width=1.0)
    for words, y, colour, dash, symbol in lines:
        if np.isnan(y).all():
            continue
        told = f"{words}: %{{y:.4g}}<br>{name} = %{{customdata[0]:.4g}}<br>N/m = %{{customdata[1]:.3g}}<extra></extra>"
        mark = {"symbol": symbol, "size": 9 * palette.stroke, "color": colour, "line": palette.pen(palette.paper, 1.0)}
        figure.add_trace(
            go.Scatter(
                x=at,
                y=y,
                customdata=custom,
                name=words,
                mode="lines+markers",
                line=palette.pen(colour, 2.5, dash),
                marker=mark,
                hovertemplate=told,
                cliponaxis=False,
            )
        )
        labels.append(Label(words, hi + 0.03, float(y[-1]), colour))
    add_rule(figure, palette, palette.text, "dot", x=now)
    _rings(figure, at, [y for _words, y, *_look in lines], now, palette)
    return place_labels(figure, palette, labels)


def _rings(figure: go.Figure, at: Array, lines: list[Array], now: float, palette: Palette) -> None:
    """A ring on each line where the board stands, if that is known."""
    here = np.flatnonzero(at == now)
    if not len(here):
        return
    y = np.array([line[here[0]] for line in lines])
    ring = {"size": 15 * palette.stroke, "color": CLEAR, "line": palette.pen(palette.text, 2.0)}
    trace = go.Scatter(x=np.full(len(y), now), y=y, name="now", mode="markers", marker=ring, hoverinfo="skip")
    figure.add_trace(trace.update(cliponaxis=False))

"""Charts in which every point of the board is a mark: the hinge loss (S3, S12, S15) and each vector's own b (S7)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.arrays import Array, Index, Mask
from svmlab.data import Dataset
from svmlab.lab.charts.frame import around, blank, span
from svmlab.lab.charts.labels import Label, put
from svmlab.lab.charts.marks import points, rule
from svmlab.lab.charts.palette import Palette


def hinge(
    data: Dataset, margins: Array, xi: Array, selected: int | None, words: tuple[str, str, str, str], palette: Palette
) -> go.Figure:
    """The hinge and the 0/1 loss over y f, and every point at (y f, xi), xi being the program's own variable.

    words: x axis, y axis, names of the hinge and of the 0/1 loss. customdata of the points: their ids.
    """
    x, y, name, zero_one = words
    figure = blank(palette, x, y, height=340)
    lo, hi = min(-1.0, float(margins.min())), max(2.0, float(margins.max()))
    pad = 0.06 * (hi - lo)
    lo, hi = lo - pad, hi + pad
    curves = (
        (name, [lo, 1.0, hi], [1.0 - lo, 0.0, 0.0], palette.pen(palette.accent)),
        (zero_one, [lo, 0.0, 0.0, hi], [1.0, 1.0, 0.0, 0.0], palette.pen(palette.quiet, dash="dash")),
    )
    for title, xs, ys, line in curves:
        figure.add_trace(
            go.Scatter(x=np.array(xs), y=np.array(ys), name=title, mode="lines", line=line, hoverinfo="skip")
        )
    hover = f"point %{{customdata}}<br>{x} = %{{x:.6g}}<br>ξ = %{{y:.6g}}<extra></extra>"
    marks = points(palette, margins, xi, data.y, data.ids, data.ids == selected, name="points", hover=hover, edge=1)
    figure.add_trace(marks)
    figure.update_xaxes(range=[lo, hi]).update_yaxes(range=span(xi, 0.0, 1.0 - lo))
    names = (
        Label(zero_one, lo, 1.0, palette.quiet, "below right"),
        Label(name, 1.0, 0.0, palette.accent, "above right"),
    )
    return put(figure, palette, names)


def offsets(
    data: Dataset,
    rows: Index,
    each: Array,
    free: Mask,
    b: tuple[float, float],
    mean: float,
    selected: int | None,
    words: tuple[str, str, str, str, str],
    palette: Palette,
) -> go.Figure:
    """Y_k - g_k of the support vectors in two rows, free above and at C below, with the true b (or interval) and the mean of all.

    words: x axis, the two rows, the labels of b and of the mean. customdata of the points: their ids.
    """
    x, above, below, true, average = words
    figure = blank(palette, x, height=250)
    lo, hi = b
    if hi - lo > 1e-9:
        figure.add_vrect(x0=lo, x1=hi, fillcolor=palette.accent, opacity=0.16, line_width=0)
    for at in {lo, hi}:
        rule(figure, palette, palette.accent, x=at, width=2.5)
    rule(figure, palette, palette.other, "dash", x=mean, width=2.5)
    hover = f"point %{{customdata}}<br>{x} = %{{x:.8g}}<extra></extra>"
    ids, lanes = data.ids[rows], np.where(free, 1.0, 0.0)
    marks = points(palette, each, lanes, data.y[rows], ids, ids == selected, name="points", hover=hover, edge=1)
    figure.add_trace(marks)
    places = np.r_[each, lo, hi, mean]
    figure.update_xaxes(range=around(places[np.isfinite(places)]))
    figure.update_yaxes(range=[-0.5, 1.9], tickvals=[0, 1], ticktext=[below, above])
    right = mean >= 0.5 * (lo + hi)
    names = (
        Label(true, lo if right else hi, 1.55, palette.accent, "left" if right else "right"),
        Label(average, mean, 1.55, palette.other, "right" if right else "left"),
    )
    return put(figure, palette, [name for name in names if np.isfinite(name.x)])

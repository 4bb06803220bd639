"""The b of every support vector by itself (S7)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.data import Dataset
from svmlab.lab.charts.frame import around, blank
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import points, add_rule
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.soft.carriers import Offsets
from svmlab.lab.words import _


def offsets(
    data: Dataset, found: Offsets, b: tuple[float, float], mean: float, selected: int | None, palette: Palette
) -> go.Figure:
    """Y_k - g_k of the support vectors in two rows, free above and at C below, with the true b (or interval) and the mean of all.

    customdata of the points: their ids.
    """
    figure = blank(palette, height=150)
    lo, hi = b
    if hi - lo > 1e-9:
        figure.add_vrect(x0=lo, x1=hi, fillcolor=palette.accent, opacity=0.16, line_width=0)
    for at in {lo, hi}:
        add_rule(figure, palette, palette.accent, x=at, width=2.5)
    add_rule(figure, palette, palette.other, "dash", x=mean, width=2.5)
    hover = _("point {id}").format(id="%{customdata}") + "<br>yₖ − gₖ = %{x:.8g}<extra></extra>"
    ids, lanes = data.ids[found.rows], np.where(found.free, 1.0, 0.0)
    marks = points(
        palette, found.each, lanes, data.y[found.rows], ids, ids == selected, name="points", hover=hover, edge=1
    )
    figure.add_trace(marks)
    places = np.r_[found.each, lo, hi, mean]
    figure.update_xaxes(range=around(places[np.isfinite(places)]))
    figure.update_yaxes(range=[-0.6, 2.4], tickvals=[0, 1], ticktext=["α = C", _("free")])
    right = mean >= 0.5 * (lo + hi)
    names = (
        Label("b", lo if right else hi, 1.9, palette.accent, "left" if right else "right"),
        Label(_("mean of all"), mean, 1.9, palette.other, "right" if right else "left"),
    )
    seen = [name for name in names if np.isfinite(name.x)]
    return place_labels(figure, palette, [*seen, axis_name(figure, "yₖ − gₖ", palette)])

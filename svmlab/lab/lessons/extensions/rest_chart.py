"""What each of several machines says of each point, a row for each machine (X1)."""

from __future__ import annotations

import plotly.graph_objects as go

from svmlab.arrays import Array
from svmlab.lab.charts.frame import blank, span
from svmlab.lab.charts.labels import Label, put
from svmlab.lab.charts.marks import points, rule, stacked
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _
from svmlab.multiclass import Classes


def decisions(f: Array, data: Classes, chosen: int, palette: Palette) -> go.Figure:
    """F (m, k) of the points on each machine, class by class from the top. customdata: the point's id; `chosen` is ringed."""
    k = len(data.classes)
    figure = blank(palette, "f", height=90 + 62 * k, left=14)
    lo, hi = span(f.ravel(), room=0.09)
    labels = []
    for column, name in enumerate(data.classes):
        level = (k - 1 - column) + 0.11 * stacked(f[:, column], 0.03 * (hi - lo))
        told = _("f of machine {k}").format(k=name) + " = %{x:.4g}<extra></extra>"
        figure.add_trace(
            points(palette, f[:, column], level, data.y, data.ids, data.ids == chosen, name=str(name), hover=told)
        )
        labels.append(Label(_("machine {k}").format(k=name), hi, k - 1 - column, palette.of(name)))
    rule(figure, palette, palette.quiet, "solid", x=0.0)
    figure.update_yaxes(visible=False, range=[-0.5, k - 0.2])
    figure.update_xaxes(range=[lo, hi])
    return put(figure, palette, labels)

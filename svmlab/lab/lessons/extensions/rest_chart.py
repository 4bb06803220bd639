"""What each of several machines says of each point, a row for each machine (X1)."""

from __future__ import annotations

import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank, axis_range
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import points, add_rule, stacked
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _
from svmlab.multiclass import Classes

BEHIND = 0.3  # how strongly the rows of other machines are drawn, where one is looked at


def decisions(f: Array, data: Classes, chosen: int, machine: int, palette: Palette) -> go.Figure:
    """F (m, k) of the points on each machine, class by class from the top, the row of `machine` before the others.

    customdata: the point's id; `chosen` is ringed. Streets end at -1 and 1.
    """
    k = len(data.classes)
    figure = blank(palette, "f", height=90 + 62 * k, left=14)
    lo, hi = axis_range(f.ravel(), -1.0, 1.0, room=0.05)
    for x, dash in ((-1.0, "dot"), (0.0, "solid"), (1.0, "dot")):
        add_rule(figure, palette, palette.quiet, dash, x=x)
    labels = []
    for column, name in enumerate(data.classes):
        level = (k - 1 - column) + 0.11 * stacked(f[:, column], 0.03 * (hi - lo))
        told = _("f of machine {k}").format(k=name) + " = %{x:.4g}<extra></extra>"
        row = points(palette, f[:, column], level, data.y, data.ids, data.ids == chosen, name=str(name), hover=told)
        row.opacity = 1.0 if machine in (0, name) else BEHIND
        figure.add_trace(row)
        said = _("machine {k}").format(k=name)
        labels.append(Label(f"<b>{said}</b>" if machine == name else said, hi, k - 1 - column, palette.of(name)))
    figure.update_yaxes(visible=False, range=[-0.5, k - 0.2])
    figure.update_xaxes(range=[lo, hi], nticks=9)
    return place_labels(figure, palette, labels)

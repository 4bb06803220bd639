"""The multiplier of each point as a bar up or down, coloured by where the point stands (X2)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import MARGIN, Label, place_labels
from svmlab.lab.charts.marks import RING, dots, add_rule
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.extensions.tube_chart import colours
from svmlab.lab.numbers import short
from svmlab.lab.words import _
from svmlab.regression import Fit

FAR = 2.2  # times the largest bar: from there on C is off the chart


def signed(beta: Array, fit: Fit, place: Index, chosen: int, palette: Palette) -> go.Figure:
    """Beta = alpha - alpha* (m,) in the order of x1; place (m,): 0 inside, 1 on the edge, 2 outside, by the residuals of `fit`.

    customdata: the point's id; `chosen` is ringed.
    """
    data, C = fit.problem.data, fit.problem.C
    order = np.argsort(data.X[:, 0], kind="stable")
    beta, place, ids, r = beta[order], place[order], data.ids[order], fit.residuals[order]
    most = float(np.abs(beta).max())
    near = most == 0 or FAR * most >= C
    top = 1.25 * (C if near else most)
    figure = blank(palette, "", "α − α*", height=270)
    add_rule(figure, palette, palette.quiet, y=0.0, width=1)
    if near:
        for level in (C, -C):
            add_rule(figure, palette, palette.text, "dash", y=level)
    at, colour = np.arange(data.m), colours(palette)[place]
    told = _("point {id}").format(id="%{customdata[0]}")
    told += "<br>α − α* = %{y:.4g}<br>y − f = %{customdata[1]:.4g}<extra></extra>"
    custom, here = np.column_stack([ids, r]), ids == chosen
    figure.add_trace(
        go.Bar(
            x=at,
            y=beta,
            width=min(0.6, 0.1 + 0.05 * data.m),
            name="multipliers",
            customdata=custom,
            hovertemplate=told,
            marker={
                "color": colour,
                "line": {"color": palette.accent, "width": palette.stroke * np.where(here, RING, 0)},
            },
        )
    )
    figure.add_trace(dots(palette, at, beta, custom, here, colour, name="points", hover=told, edge=1))
    figure.update_xaxes(range=[-0.7, data.m - 0.3], showticklabels=False, showgrid=False)
    figure.update_yaxes(range=[-top, top], nticks=5)
    inside, edge, outside = colours(palette)
    right, half = data.m - 0.4, 0.5 * (C if near else most)
    labels = [
        Label(_("inside: 0"), right, 0.0, inside),
        Label(_("edge: up to C"), right, half, edge),
        Label(_("edge: up to −C"), right, -half, edge),
    ]
    if near:
        labels += [Label(_("outside: C"), right, C, outside), Label(_("outside: −C"), right, -C, outside)]
    else:
        labels.append(Label(_("C = {C} is far above").format(C=short(C)), -0.6, top, palette.quiet, "below right"))
    place_labels(figure, palette, labels)
    figure.layout.margin.b += round(MARGIN)
    return place_labels(
        figure, palette, [Label(_("points in the order of x₁"), 0.5 * (data.m - 1), -top, palette.quiet, "below")]
    )

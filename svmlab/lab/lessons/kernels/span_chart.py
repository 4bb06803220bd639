"""Loss, price and their sum along w + t u (K8)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank, axis_range
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import SIZE, mark_current, add_rule
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.kernels.adding import Problem
from svmlab.lab.words import _

REACH = 2.0  # the largest t


def shares(problem: Problem, u: Array, t: float, palette: Palette) -> go.Figure:
    """The losses and F = losses + price, each evaluated along t, F as promised as dots, and the least in the span dashed."""
    figure = blank(palette, "", "", height=300)
    along, few = np.linspace(-REACH, REACH, 81), np.arange(-1.5, 2.0, 0.5)
    losses = np.array([float(problem.at(problem.w + s * u)[0].sum()) for s in along])
    values = np.array([problem.value(problem.w + s * u) for s in along])
    for name, y, colour, dash in (
        ("F", values, palette.text, "solid"),
        (_("losses"), losses, palette.other, "dash"),
    ):
        told = f"t = %{{x:.2f}}<br>{name} = %{{y:.5g}}<extra></extra>"
        pen = palette.pen(colour, dash=dash)
        figure.add_trace(go.Scatter(x=along, y=y, name=name, mode="lines", line=pen, hovertemplate=told))
    dots = {"size": 0.7 * SIZE * palette.stroke, "color": palette.text}
    told = _("F(w) and the price of t u: {value}").format(value="%{y:.5g}") + "<extra></extra>"
    figure.add_trace(
        go.Scatter(x=few, y=problem.promised(few), name="promised", mode="markers", marker=dots, hovertemplate=told)
    )
    add_rule(figure, palette, palette.quiet, "dot", y=problem.best)
    here = problem.w + t * u
    mark_current(figure, palette, t, float(problem.at(here)[0].sum()), problem.value(here))
    ends = axis_range(values, losses, 0.0, problem.best, room=0.12)
    figure.update_xaxes(range=[-REACH, REACH], dtick=1).update_yaxes(range=ends, nticks=5)
    labels = [
        axis_name(figure, "t", palette),
        Label("F", REACH, float(values[-1]), palette.text),
        Label(_("losses"), REACH, float(losses[-1]), palette.other),
        Label(_("best in the span"), -REACH, problem.best, palette.quiet, "above right"),
    ]
    return place_labels(figure, palette, labels, backed=True)

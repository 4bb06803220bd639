"""The epsilon-insensitive loss over the residual with every point, and a hinge loss for comparison (X2)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.marks import add_rule, dots
from svmlab.lab.words import _, written
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import Label, axis_name, place_labels
from svmlab.plot.palette import Palette
from svmlab.regression import Fit, TubeCategory

NARROW = 0.15  # of the chart: a tube up to this width has no room for words


def groups(fit: Fit) -> Index:
    """Return 0 for points inside the tube, 1 on its edge and 2 outside, (m,)."""
    return np.array(
        [{TubeCategory.INSIDE: 0, TubeCategory.OUTSIDE: 2}.get(place, 1) for place in fit.categories], dtype=np.intp
    )


def colours(palette: Palette) -> Array:
    """Return the colours of a point inside, on the edge and outside."""
    return np.array([palette.quiet, palette.accent, palette.other])


def losses(fit: Fit, selected: int, hinge: bool, palette: Palette) -> go.Figure:
    """Draw max(0, |r| − eps) over r = y − f with every point on it.

    hinge: also eps max(0, 1 − r/eps), the hinge loss of class +1 with a margin as wide as the tube. customdata of the
    points: their ids. The selected one is ringed.
    """
    eps, r, loss = fit.problem.eps, fit.residuals, fit.xi + fit.xi_star
    reach = 1.12 * max(float(np.abs(r).max()), 2.2 * eps)
    top = reach + eps if hinge else reach - eps
    figure = empty_chart(palette, "", _("loss"), height=250)
    for edge in (-eps, eps):
        add_rule(figure, palette, palette.quiet, "dash", x=edge)
    curves = [("tube", [-reach, -eps, eps, reach], [reach - eps, 0, 0, reach - eps], palette.pen(palette.text))]
    if hinge:
        curves.append(("hinge", [-reach, eps, reach], [reach + eps, 0, 0], palette.pen(palette.plus, dash="dash")))
    for name, x, y, pen in curves:
        figure.add_trace(
            go.Scatter(x=np.array(x), y=np.array(y, dtype=float), name=name, mode="lines", line=pen, hoverinfo="skip")
        )
    ids = fit.problem.data.ids
    hover = _("point {id}").format(id="%{customdata}") + written("<br>y − f = %{x:.4g}<br>ξ = %{y:.4g}<extra></extra>")
    colour = colours(palette)[groups(fit)]
    figure.add_trace(dots(palette, r, loss, ids, ids == selected, colour, name="points", hover=hover, edge=1))
    has_room = eps > NARROW * reach
    ticks = (
        {"tickvals": [-eps, 0, eps], "ticktext": ["−ε", "0", "ε"]}
        if has_room
        else {"tickvals": [0], "ticktext": ["±ε"]}
    )
    figure.update_xaxes(range=[-reach, reach], **ticks).update_yaxes(range=[-0.2 * top, 1.06 * top], nticks=4)
    outer, low = 0.5 * (eps + reach), -0.11 * top
    labels = [axis_name(figure, written("y − f"), palette)]
    labels += [Label(_("loss 0"), 0.0, low, palette.quiet, "")] if has_room else []
    labels += [Label(_("loss > 0"), at, low, palette.other, "") for at in (-outer, outer)]
    place_labels(figure, palette, labels)
    if hinge:
        at = -0.3 * reach
        place_labels(figure, palette, [Label(_("hinge loss"), at, eps - at, palette.plus, "above right")])
    return figure

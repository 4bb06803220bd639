"""Every point on the loss of the tube by its residual, and the loss of a street beside it (X2)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import add_rule, dots
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _
from svmlab.regression import Fit, Place

NARROW = 0.15  # of the chart: a tube no wider has no room for words


def groups(fit: Fit) -> Index:
    """0 inside the tube, 1 on its edge, 2 outside, (m,)."""
    return np.array([{Place.INSIDE: 0, Place.OUTSIDE: 2}.get(place, 1) for place in fit.categories], dtype=np.intp)


def colours(palette: Palette) -> Array:
    """Of a point inside, on the edge and outside, here and in the bars of multipliers."""
    return np.array([palette.quiet, palette.accent, palette.other])


def losses(fit: Fit, chosen: int, street: bool, palette: Palette) -> go.Figure:
    """max(0, |r| - eps) over r = y - f, and every point on it; `street`: with that of a street of the same width for
    class +1.

    customdata of the points: their ids; `chosen` is ringed.
    """
    eps, r, loss = fit.problem.eps, fit.residuals, fit.xi + fit.xi_star
    reach = 1.12 * max(float(np.abs(r).max()), 2.2 * eps)
    top = reach + eps if street else reach - eps
    figure = blank(palette, "", _("loss"), height=250)
    for edge in (-eps, eps):
        add_rule(figure, palette, palette.quiet, "dash", x=edge)
    curves = [("tube", [-reach, -eps, eps, reach], [reach - eps, 0, 0, reach - eps], palette.pen(palette.text))]
    if street:
        curves.append(("street", [-reach, eps, reach], [reach + eps, 0, 0], palette.pen(palette.plus, dash="dash")))
    for name, x, y, line in curves:
        figure.add_trace(
            go.Scatter(x=np.array(x), y=np.array(y, dtype=float), name=name, mode="lines", line=line, hoverinfo="skip")
        )
    ids = fit.problem.data.ids
    told = _("point {id}").format(id="%{customdata}") + "<br>y − f = %{x:.4g}<br>ξ = %{y:.4g}<extra></extra>"
    colour = colours(palette)[groups(fit)]
    figure.add_trace(dots(palette, r, loss, ids, ids == chosen, colour, name="points", hover=told, edge=1))
    roomy = eps > NARROW * reach
    ticks = (
        {"tickvals": [-eps, 0, eps], "ticktext": ["−ε", "0", "ε"]} if roomy else {"tickvals": [0], "ticktext": ["±ε"]}
    )
    figure.update_xaxes(range=[-reach, reach], **ticks).update_yaxes(range=[-0.2 * top, 1.06 * top], nticks=4)
    outer, low = 0.5 * (eps + reach), -0.11 * top
    labels = [axis_name(figure, "y − f", palette)]
    labels += [Label(_("free"), 0.0, low, palette.quiet, "")] if roomy else []
    labels += [Label(_("pays"), at, low, palette.other, "") for at in (-outer, outer)]
    place_labels(figure, palette, labels)
    if street:
        at = -0.3 * reach
        place_labels(figure, palette, [Label(_("street, class +1"), at, eps - at, palette.plus, "above right")])
    return figure

"""The perceptron in several orders: margin of its last line against the mistakes it took."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.frame import blank, log
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import dots, add_rule
from svmlab.lab.charts.palette import Palette
from svmlab.lab.numbers import short
from svmlab.lab.words import _


def orders(mistakes: Index, shares: Array, bound: float, chosen: int, palette: Palette) -> go.Figure:
    """One mark for each order, customdata its number; the widest street is the line at 1, the bound an upright."""
    figure = blank(palette, _("mistakes until it stops"), _("of the widest"), height=270)
    number = np.arange(len(mistakes))
    hover = _("{mistakes} mistakes, margin {share} of the widest")
    hover = hover.format(mistakes="%{x}", share="%{y:.1%}") + "<extra></extra>"
    marks = dots(palette, mistakes, shares, number, number == chosen, palette.quiet, name="orders", hover=hover)
    figure.add_trace(marks)
    add_rule(figure, palette, palette.plus, "dash", y=1)
    most = max(bound if np.isfinite(bound) else 1.0, float(mistakes.max()), 1.0)
    figure.update_xaxes(**log(*np.log10([0.7, 1.5 * most]).tolist()))
    figure.update_yaxes(range=[min(0.0, float(np.nanmin(shares))) - 0.05, 1.1], tickformat=".0%", zeroline=True)
    if not np.isfinite(bound):
        return figure
    add_rule(figure, palette, palette.minus, "dash", x=bound)
    said = _("bound {bound}").format(bound=short(bound, 3))
    return place_labels(figure, palette, [Label(said, float(np.log10(bound)), 0.5, palette.minus, "left")])

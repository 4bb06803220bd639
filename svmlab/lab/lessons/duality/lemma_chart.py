"""A lemma without its condition: the multiplier that runs off as the allowed set shrinks to a place (H5)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.lab.charts.frame import blank, log
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import mark_current
from svmlab.lab.charts.palette import Palette
from svmlab.lab.numbers import short
from svmlab.lab.words import _
from svmlab.statements.conditions import multiplier


def lemma(eps: float, palette: Palette) -> go.Figure:
    """The multiplier of: minimise w where w^2 <= eps, against eps from 1 down to 1e-6; a mark at the present one, none at 0."""
    figure = blank(palette, "ε", _("multiplier"), height=260)
    grid = np.geomspace(1e-6, 1.0, 61)
    values = np.array([multiplier(float(each))[0] for each in grid])
    figure.add_trace(
        go.Scatter(
            x=grid,
            y=values,
            name="multiplier",
            mode="lines",
            line=palette.pen(palette.text),
            hovertemplate="ε = %{x:.3g}<br>%{y:.5g}<extra></extra>",
        )
    )
    figure.update_xaxes(log(-6.1, 0.1)).update_yaxes(log(-0.6, 3.0))
    if not eps:
        gone = Label(_("ε = 0: none"), -1.5, 2.2, palette.other, "")
        return place_labels(figure, palette, [gone])
    here = multiplier(eps)[0]
    mark_current(figure, palette, eps, here)
    return place_labels(
        figure,
        palette,
        [Label(short(here), float(np.log10(eps)), float(np.log10(here)), palette.accent, "above right")],
    )

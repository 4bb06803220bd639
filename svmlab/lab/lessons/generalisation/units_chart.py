"""How much of the board changes sides when one coordinate comes in other units, or one class at another price."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.lab.charts.frame import blank, log
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import mark_current, add_rule
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.generalisation.changes import FACTORS, PRICE, UNITS, Shares
from svmlab.lab.words import _

LEAST = 5.0  # per cent: the axis shows no less
ROOM = 1.15


def moved(found: Shares, change: str, factor: float, share: float, palette: Palette) -> go.Figure:
    """The shares in per cent along the factor, that of a turned board as the level 0; a ring where the slider stands."""
    curves = (
        (UNITS, _("x₂ in other units"), found.units, "solid"),
        (PRICE, _("rarer class dearer"), found.price, "dash"),
    )
    figure = blank(palette, _("factor"), _("of the board changes sides, %"), height=300, top=16)
    colours = {UNITS: palette.accent, PRICE: palette.other}
    for key, name, values, dash in curves:
        trace = go.Scatter(
            x=FACTORS,
            y=100 * values,
            name=name,
            mode="lines",
            line=palette.pen(colours[key], 3.5 if key == change else 2.0, dash),
            hovertemplate=f"{name}<br>× %{{x:.3g}}: %{{y:.3g}} %<extra></extra>",
        )
        figure.add_trace(trace)
    add_rule(figure, palette, palette.quiet, "dot", y=0.0)
    top = ROOM * max(LEAST, 100 * float(np.nanmax([found.units, found.price], initial=0.0)))
    figure.update_xaxes(**log(-1.0, 1.0)).update_yaxes(range=[-0.06 * top, top])
    if change in colours:
        mark_current(figure, palette, factor, 100 * share)
    ends = [
        Label(name, 1.0, 100 * float(np.nan_to_num(values[-1])), colours[key]) for key, name, values, _dash in curves
    ]
    return place_labels(figure, palette, [*ends, Label(_("turned"), 1.0, 0.0, palette.quiet)])

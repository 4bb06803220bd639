"""The parts of the gap as stacked bars that vanish together (H4, S6)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import add_rule
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.words import _
from svmlab.statements.residuals import Residuals


def parts(t: Array, found: Sequence[Residuals], here: float, palette: Palette) -> go.Figure:
    """A stack at each t, of what each condition misses, and a ring at the gap P - D, taken as the difference of the values."""
    figure = blank(palette, _("off by"), _("gap"), height=280, along=True)
    gap = np.array([each.gap for each in found])
    top = 1.08 * max(float(gap.max()), 1e-12)
    named = (
        ("½ |w − u|²", np.array([each.stationarity for each in found]), palette.accent),
        ("α (y f − 1 + ξ)", np.array([each.slackness for each in found]), palette.other),
        ("(C − α) ξ", np.array([each.ceiling for each in found]), palette.quiet),
    )
    width, base, labels = 0.075, np.zeros(len(t)), []
    for name, value, colour in named:
        figure.add_trace(
            go.Bar(
                x=t,
                y=value,
                name=name,
                width=width,
                marker={"color": colour, "line": {"width": 0}},
                hovertemplate="%{y:.5g}",
            )
        )
        if value[-1] > 0.02 * top:
            labels.append(Label(name, 1.0 + width / 2, float(base[-1] + 0.5 * value[-1]), colour))
        base = base + value
    ring = {"size": 10 * palette.stroke, "color": CLEAR, "line": palette.pen(palette.text, 2)}
    figure.add_trace(go.Scatter(x=t, y=gap, name="P − D", mode="markers", marker=ring, hovertemplate="%{y:.5g}"))
    add_rule(figure, palette, palette.accent, x=here)
    figure.update_layout(barmode="stack")
    figure.update_xaxes(range=[-0.06, 1.0 + width], showgrid=False)
    figure.update_yaxes(range=[0, top], nticks=4)
    return place_labels(figure, palette, labels)

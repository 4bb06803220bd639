"""Readings of the form in theta: the gap of each along its steps, and what its loop forms (P10, P13)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.lines import FLOOR, Line, curves
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.words import _


def readings(t: Index, gaps: Mapping[str, Array], limit: float | None, palette: Palette) -> go.Figure:
    """Gaps (k,) by name at the steps t (k,), floored at 1e-16, and a level where the first of them ends."""
    x = np.asarray(t, dtype=float)
    blue, red, *_rest = palette.series
    lines = [
        Line(name, x, np.maximum(gap, FLOOR), colour)
        for (name, gap), colour in zip(gaps.items(), (red, blue), strict=True)
    ]
    if limit:
        lines.append(Line(_("in the end"), x, np.full(len(x), limit), palette.quiet, "dot", 2))
    return curves(lines, _("steps t"), _("gap of its F"), palette, height=160)


def loop(norms: Array, palette: Palette) -> go.Figure:
    """|w^(t)| for t = 1, 2, .. (n,): what the rounds form as dots, the last, which is only promised, as a ring."""
    figure = blank(palette, _("t"), "|w⁽ᵗ⁾|", height=160)
    t = np.arange(1, len(norms) + 1)
    formed = {"size": 12 * palette.stroke, "color": palette.series[0]}
    ring = {"size": 12 * palette.stroke, "color": CLEAR, "line": palette.pen(palette.series[1], 2.5)}
    for name, here, mark in (("formed", slice(0, -1), formed), ("promised", slice(-1, None), ring)):
        figure.add_trace(
            go.Scatter(
                x=t[here],
                y=norms[here],
                name=name,
                mode="markers",
                marker=mark,
                hovertemplate="t = %{x}: %{y:.4g}<extra></extra>",
                cliponaxis=False,
            )
        )
    top = float(norms.max()) or 1.0
    figure.update_xaxes(range=[0.7, len(norms) + 0.3], dtick=1).update_yaxes(range=[0.0, 1.12 * top], nticks=4)
    labels = [
        Label(_("held"), len(norms) - 1, float(norms[-2]), palette.series[0], "below"),
        Label(_("promised"), len(norms), float(norms[-1]), palette.series[1], "below"),
    ]
    return place_labels(figure, palette, labels)

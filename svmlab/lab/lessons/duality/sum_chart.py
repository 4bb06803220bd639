"""What the multipliers of each class add up to, with a bias and without (H6)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.numbers import short
from svmlab.lab.words import _


def balance(with_bias: tuple[float, float] | None, without: tuple[float, float] | None, palette: Palette) -> go.Figure:
    """The sums of alpha of class +1 and class -1 in both machines; None where no line separates."""
    figure = blank(palette, "", "Σ α", height=260)
    sums = [pair if pair else (0.0, 0.0) for pair in (with_bias, without)]
    top = max(max(pair) for pair in sums) or 1.0
    for k, (label, name) in enumerate(((1.0, "+1"), (-1.0, "−1"))):
        values = np.array([pair[k] for pair in sums])
        said = [name + ": " + short(v, 3) if pair else "" for v, pair in zip(values, (with_bias, without), strict=True)]
        figure.add_trace(
            go.Bar(
                x=np.arange(2) + (-0.2, 0.2)[k],
                y=values,
                width=0.34,
                name=name,
                marker={"color": palette.of(label)},
                text=said,
                textposition="outside",
                cliponaxis=False,
                hovertemplate="Σ α = %{y:.10g}<extra></extra>",
            )
        )
    figure.update_yaxes(range=[0, 1.3 * top], nticks=4)
    words = [_("with bias"), _("without bias")]
    figure.update_xaxes(range=[-0.5, 1.5], tickvals=[0, 1], ticktext=words, showgrid=False)
    missing = [k for k, pair in enumerate((with_bias, without)) if pair is None]
    return place_labels(
        figure, palette, [Label(_("no line separates"), k, 0.65 * top, palette.quiet, "") for k in missing]
    )

"""The eigenvalues of a Gram matrix as bars, those below 0 in the colour of the witness (K5, K13)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import add_rule
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.numbers import short
from svmlab.lab.words import _

DECADES = 3  # of sizes below the largest that are told apart; smaller ones shrink towards 0
DUST = 1e-13  # of the largest: what rounding leaves of an eigenvalue that is 0, for each point


def settled(values: Array) -> Array:
    """Eigenvalues (m,) from the largest down, what is 0 but for rounding as 0."""
    falling = np.sort(values)[::-1]
    noise = DUST * len(values) * float(np.abs(values).max(initial=0.0))
    return np.where(np.abs(falling) <= noise, 0.0, falling)


def spectrum(values: Array, before: Array, name: str, palette: Palette) -> go.Figure:
    """Eigenvalues (m,) as bars from the largest down, heights by their powers of ten on both sides of 0.

    before: those of another matrix as ticks, called `name`.
    """
    now, old = settled(values), settled(before)
    both = np.r_[now, old]
    top = float(np.abs(both).max(initial=0.0)) or 1.0
    least = 10.0 ** (np.floor(np.log10(top)) - DECADES)
    figure = blank(palette, _("eigenvalue of K, from the largest down"), height=300)
    at = np.arange(1, len(now) + 1)
    figure.add_trace(
        go.Bar(
            x=at,
            y=_height(now, least),
            marker={"color": np.where(now < 0, palette.other, palette.accent)},
            name="eigenvalues",
            customdata=now,
            hovertemplate="%{x}: %{customdata:.6g}<extra></extra>",
        )
    )
    if len(old):
        mark = {"symbol": "line-ew", "size": 9 * palette.stroke, "color": CLEAR, "line": palette.pen(palette.text, 2)}
        figure.add_trace(
            go.Scatter(
                x=np.arange(1, len(old) + 1),
                y=_height(old, least),
                mode="markers",
                marker=mark,
                name=name,
                customdata=old,
                hovertemplate=f"{name} %{{x}}: %{{customdata:.6g}}<extra></extra>",
            )
        )
    _axes(figure, both, least, palette)
    end = max(len(now), len(old)) + 0.5
    figure.update_xaxes(range=[0.4, end + 0.1], showgrid=False, nticks=8, tickformat="d")
    figure.update_layout(bargap=0.25)
    add_rule(figure, palette, palette.quiet, y=0.0, width=1.5)
    if not (now < 0).any():
        return figure
    worst = float(now.min())
    said = _("least: {value}").format(value=short(worst, 3))
    return place_labels(
        figure, palette, [Label(said, len(now), float(_height(now, least).min()), palette.other, "below left")]
    )


def _height(values: Array, least: float) -> Array:
    """Nearly in proportion below `least`, and as a logarithm beyond, on both sides of 0."""
    return np.asarray(np.arcsinh(values / least / 2) / np.log(10.0))


def _axes(figure: go.Figure, values: Array, least: float, palette: Palette) -> None:
    """Ticks at powers of ten on either side that has values."""
    heights = _height(values, least)
    lo, hi = min(0.0, float(heights.min())), max(0.0, float(heights.max()))
    powers = least * 10.0 ** np.arange(0, DECADES + 2)
    ticks = [*(-powers[::-1]), 0.0, *powers]
    shown = [t for t in ticks if lo - 1e-9 <= float(_height(np.array(t), least)) <= hi + 1e-9 and abs(t) != least]
    room = 0.06 * (hi - lo) or 0.5
    figure.update_yaxes(
        range=[lo - (2.5 * room if lo < 0 else room / 2), hi + room],
        tickvals=[float(_height(np.array(t), least)) for t in shown],
        ticktext=[short(t, 2) for t in shown],
    )

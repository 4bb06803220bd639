"""The hinge loss with every point of the board on it, and on the step below it (S3, S15)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Mask
from svmlab.data import Dataset
from svmlab.lab.charts.frame import blank, axis_range
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import points
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _


def hinge(data: Dataset, margins: Array, xi: Array, selected: int | None, palette: Palette) -> go.Figure:
    """The hinge and the 0/1 loss over y f, and every point at (y f, xi), xi being the program's own variable.

    customdata of the points: their ids.
    """
    figure, lo = _losses(margins, palette)
    hover = _("point {id}").format(id="%{customdata}") + "<br>y f = %{x:.6g}<br>ξ = %{y:.6g}<extra></extra>"
    figure.add_trace(
        points(palette, margins, xi, data.y, data.ids, data.ids == selected, name="points", hover=hover, edge=1)
    )
    names = [Label(_("0/1 loss"), lo, 1.0, palette.quiet, "below right"), *_named(figure, lo, palette)]
    return place_labels(figure, palette, names)


def counted(data: Dataset, margins: Array, wrong: Mask, selected: int | None, palette: Palette) -> go.Figure:
    """Every point at its height on the step, 1 for those that are `wrong` (m,), with a stem up to the hinge: what it pays beyond.

    customdata of the points: their ids.
    """
    figure, lo = _losses(margins, palette)
    step, gap = wrong.astype(float), np.full(len(margins), np.nan)
    x = np.stack([margins, margins, gap], 1).ravel()
    y = np.stack([step, np.maximum(0.0, 1.0 - margins), gap], 1).ravel()
    figure.add_trace(
        go.Scatter(
            x=x, y=y, name="stems", mode="lines", line=palette.pen(palette.accent, 1.5), opacity=0.6, hoverinfo="skip"
        )
    )
    hover = _("point {id}").format(id="%{customdata}") + "<br>y f = %{x:.6g}<extra></extra>"
    chosen = data.ids == selected
    figure.add_trace(points(palette, margins, step, data.y, data.ids, chosen, name="points", hover=hover, edge=1))
    said = _("errors: {n}").format(n=int(wrong.sum()))
    names = [Label(said, lo, 1.0, palette.quiet, "above right"), *_named(figure, lo, palette)]
    return place_labels(figure, palette, names)


def _losses(margins: Array, palette: Palette) -> tuple[go.Figure, float]:
    """The hinge and the 0/1 loss over y f as far as the margins (m,) reach, and where the axis begins."""
    figure = blank(palette, "", "ξ", height=150)
    lo, hi = min(-1.0, float(margins.min())), max(2.0, float(margins.max()))
    pad = 0.06 * (hi - lo)
    lo, hi = lo - pad, hi + pad
    curves = (
        ("hinge", [lo, 1.0, hi], [1.0 - lo, 0.0, 0.0], palette.pen(palette.accent)),
        ("0/1", [lo, 0.0, 0.0, hi], [1.0, 1.0, 0.0, 0.0], palette.pen(palette.quiet, dash="dash")),
    )
    for name, x, y, line in curves:
        figure.add_trace(go.Scatter(x=np.array(x), y=np.array(y), name=name, mode="lines", line=line, hoverinfo="skip"))
    figure.update_xaxes(range=[lo, hi]).update_yaxes(range=axis_range(0.0, 1.0 - lo), nticks=4)
    return figure, lo


def _named(figure: go.Figure, lo: float, palette: Palette) -> list[Label]:
    """The names of the hinge and of the axis."""
    half = 0.5 * lo
    return [Label(_("hinge loss"), half, 1.0 - half, palette.accent, "right"), axis_name(figure, "y f(x)", palette)]

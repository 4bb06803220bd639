"""The margin of a Gaussian along its width, each dot with its support vectors, and the digits that it takes to see it (K11)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.lab.charts.frame import blank, log, axis_range
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import SIZE, mark_current, add_rule
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.kernels.widths import DOUBLE, Widths
from svmlab.lab.words import _

HEIGHT = 300
AXIS = {"tickvals": np.array([0.1, 0.2, 0.5, 1, 2, 5, 10]), "ticktext": ["0.1", "0.2", "0.5", "1", "2", "5", "10"]}
LEAST = -6.0  # the decimal logarithm of the narrowest margin that is drawn


def margins(found: Widths, sigma: float, here: tuple[float, int] | None, torn: bool, palette: Palette) -> go.Figure:
    """The margin over sigma, both in decades; `here`: margin and support vectors on the board, if doubles find them.

    torn: the board has a place with both labels, and the curve is that of the others.
    """
    colour = palette.quiet if torn else palette.text
    figure = blank(palette, "", _("margin"), height=HEIGHT)
    seen = np.isfinite(found.margin)
    figure.add_trace(
        go.Scatter(
            x=found.sigma[seen],
            y=found.margin[seen],
            customdata=found.vectors[seen],
            name="margin",
            mode="lines+markers",
            line=palette.pen(colour, dash="dash" if torn else "solid"),
            marker={"size": SIZE * palette.stroke, "color": colour},
            hovertemplate=_("σ = {sigma}, margin {margin}, {n} support vectors").format(
                sigma="%{x:g}", margin="%{y:.4g}", n="%{customdata}"
            )
            + "<extra></extra>",
        )
    )
    heights = np.log10(np.r_[found.margin[seen], here[0] if here else []])
    lo, hi = axis_range(np.maximum(heights, LEAST), room=0.16) if len(heights) else (-3.0, 0.0)
    hi += 0.1 * (hi - lo)
    figure.update_xaxes(**(log(*_ends(found, sigma)) | AXIS)).update_yaxes(**log(lo, hi, 5))
    counts = [
        Label(str(n), float(np.log10(x)), float(np.log10(y)), colour, "above right")
        for x, y, n in zip(found.sigma[seen], found.margin[seen], found.vectors[seen], strict=True)
        if np.log10(y) > LEAST
    ][::2]
    notes = [axis_name(figure, "σ", palette)]
    blind = found.sigma[~seen & (found.sigma > (found.sigma[seen].max() if seen.any() else 0.0))]
    if len(blind) and seen.any():
        left = float(np.sqrt(blind[0] * found.sigma[seen].max()))
        figure.add_vrect(
            x0=left, x1=10.0 ** _ends(found, sigma)[1], fillcolor=palette.grid, line_width=0, layer="below"
        )
        words = _("grey: doubles give up")
        notes.append(Label(words, _ends(found, sigma)[0], lo + 0.08 * (hi - lo), palette.quiet))
    if torn:
        notes.append(Label(_("without that place"), _ends(found, sigma)[0], lo + 0.25 * (hi - lo), palette.quiet))
    if here is not None:
        mark_current(figure, palette, sigma, here[0])
    else:
        add_rule(figure, palette, palette.accent, x=sigma)
    figure.layout.margin.r = round(2 * palette.type)  # the name of the axis, and a number at the last dot
    place_labels(figure, palette, notes)
    return place_labels(figure, palette, counts)


def digits(found: Widths, sigma: float, here: float, palette: Palette) -> go.Figure:
    """The digits to which K has to be known until its least eigenvalue is no rounding, over sigma; `here`: at the board's."""
    figure = blank(palette, "", _("digits"), height=HEIGHT)
    told = _("σ = {sigma}: {digits} digits").format(sigma="%{x:g}", digits="%{y:.1f}") + "<extra></extra>"
    pen, mark = palette.pen(palette.text), {"size": SIZE * palette.stroke, "color": palette.text}
    figure.add_trace(
        go.Scatter(
            x=found.sigma,
            y=found.digits,
            name="digits",
            mode="lines+markers",
            line=pen,
            marker=mark,
            hovertemplate=told,
        )
    )
    add_rule(figure, palette, palette.other, "dash", y=DOUBLE)
    ends = _ends(found, sigma)
    high = axis_range(0.0, found.digits, here, DOUBLE)[1]
    figure.update_xaxes(**(log(*ends) | AXIS)).update_yaxes(range=[0.0, high], nticks=5)
    mark_current(figure, palette, sigma, here)
    figure.layout.margin.r = round(2 * palette.type)
    labels = (
        axis_name(figure, "σ", palette),
        Label(_("what a double has"), ends[0], DOUBLE, palette.other, "above right"),
        Label(_("what K takes"), float(np.log10(found.sigma[-1])), float(found.digits[-1]), palette.text, "left"),
    )
    return place_labels(figure, palette, labels)


def _ends(found: Widths, sigma: float) -> tuple[float, float]:
    """The ends of the axis of sigma, decimal logarithms."""
    return float(np.log10(min(found.sigma[0], sigma))) - 0.04, float(np.log10(max(found.sigma[-1], sigma))) + 0.04

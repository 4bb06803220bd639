"""Support vectors along the width of a Gaussian, with those of a line and of a parabola as levels (G5, G9)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.lab.charts.frame import blank, log
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import dots, mark_current, add_rule
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.generalisation.counting import WIDTHS, Counts
from svmlab.lab.words import _

EDGE = 0.06  # of a decade, beyond the widths
TICKS = np.array([0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20])


def counts(found: Counts, m: int, here: tuple[float, int], palette: Palette) -> go.Figure:
    """N along sigma; a mark's customdata is its sigma. m: all points. here: sigma and N of the board."""
    figure = blank(palette, "", _("support vectors"), height=300)
    widths = np.array(WIDTHS)
    line = go.Scatter(x=widths, y=found.gaussian, name="N", mode="lines", line=palette.pen(palette.text))
    figure.add_trace(line.update(hoverinfo="skip"))
    told = _("σ = {sigma}: {n} of {m}").format(sigma="%{x:g}", n="%{y}", m=m) + "<extra></extra>"
    off = np.zeros(len(widths), dtype=bool)
    marked = dots(palette, widths, found.gaussian.astype(float), widths, off, palette.text, name="widths", hover=told)
    figure.add_trace(marked)
    first, last = (float(np.log10(end(here[0], widths[i]))) for end, i in ((min, 0), (max, -1)))
    levels = ((_("line"), found.line, palette.other, "dash"), (_("degree 2"), found.degree_2, palette.quiet, "dot"))
    for name, n, colour, dash in levels:
        told = f"{name}: {n}<extra></extra>"
        x = np.geomspace(10**first, 10**last, 9)
        pen = palette.pen(colour, 2.0, dash)
        figure.add_trace(go.Scatter(x=x, y=np.full(9, n), name=name, mode="lines", line=pen, hovertemplate=told))
    add_rule(figure, palette, palette.quiet, y=m, width=1.0)
    mark_current(figure, palette, *here)
    figure.update_xaxes(**(log(first - EDGE, last + EDGE) | {"tickvals": TICKS, "ticktext": [f"{t:g}" for t in TICKS]}))
    figure.update_yaxes(range=[-0.03 * m, 1.1 * m], nticks=6)
    labels = [
        axis_name(figure, "σ", palette),
        Label(_("all {m}").format(m=m), last + EDGE, m, palette.quiet),
        *(Label(f"{name}: {n}", last, n, colour) for name, n, colour, _dash in levels),
    ]
    return place_labels(figure, palette, labels)

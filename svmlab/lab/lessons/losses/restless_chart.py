"""A run of the perceptron along its visits: the length of (w, b), or the errors of each w with the best so far in the
pocket (L13).
"""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import SIZE, add_rule
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _

THIN, THICK = 1.4, 3.5


def lengths(visits: Index, length: Array, pocket: int, last: int, palette: Palette) -> go.Figure:
    """|(w, b)| (k + 1,) after so many visits (k + 1,), up to visit `last`; a mark at that of the pocket, a line at the
    longest.
    """
    figure = blank(palette, _("visits"), "‖(w, b)‖", height=300)
    top = float(length.max())
    way = _steps(visits, length, last, _("w now"), palette.other, THIN, "‖(w, b)‖ = %{y:.4g}", palette)
    figure.add_trace(way.update(line={"shape": "linear"}))
    dot = {"size": SIZE * palette.stroke, "color": palette.accent, "line": palette.pen(palette.paper, 2)}
    kept = go.Scatter(x=visits[[pocket]], y=length[[pocket]], mode="markers", name="pocket", marker=dot)
    figure.add_trace(kept.update(hovertemplate=_("in the pocket") + "<br>‖(w, b)‖ = %{y:.4g}<extra></extra>"))
    add_rule(figure, palette, palette.quiet, "dash", y=top)
    figure.update_xaxes(range=[0.0, 1.02 * last])
    figure.update_yaxes(range=[0.0, 1.2 * top or 1.0], nticks=5)
    names = [
        Label(_("longest"), 1.02 * last, top, palette.quiet, "above left"),
        Label(_("pocket"), float(visits[pocket]), float(length[pocket]), palette.accent),
    ]
    return place_labels(figure, palette, names, backed=True)


def errors(visits: Index, wrong: Index, least: int | None, last: int, palette: Palette) -> go.Figure:
    """The errors (k + 1,) of each w along the visits, and the fewest so far; a line at the least that any line has,
    where it is known.
    """
    figure = blank(palette, _("visits"), _("errors"), height=300)
    best = np.minimum.accumulate(wrong)
    top = float(wrong.max())
    hover = _("wrong: {n}").format(n="%{y}")
    figure.add_trace(_steps(visits, wrong, last, _("w now"), palette.other, THIN, hover, palette))
    if least is not None:
        add_rule(figure, palette, palette.text, "dash", y=least)
    figure.add_trace(_steps(visits, best, last, _("pocket"), palette.accent, THICK, hover, palette))
    figure.update_xaxes(range=[0.0, 1.02 * last])
    figure.update_yaxes(range=[-0.04 * top, 1.12 * top], nticks=6, zeroline=True)
    names = [
        Label(_("w now"), 1.02 * last, float(wrong[visits <= last][-1]), palette.other),
        Label(_("pocket"), 1.02 * last, float(best[-1]), palette.accent),
    ]
    if least is not None:
        names.append(Label(_("best line"), 1.02 * last, float(least), palette.text))
    return place_labels(figure, palette, names)


def _steps(
    x: Index, y: Array | Index, last: int, name: str, colour: str, width: float, hover: str, palette: Palette
) -> go.Scatter:
    """What stays until the next mistake, drawn as steps up to the last visit."""
    pen = palette.pen(colour, width) | {"shape": "hv"}
    shown = x <= last
    x, y = np.r_[x[shown], last], np.r_[y[shown], y[shown][-1]]
    said = _("visit {t}").format(t="%{x}") + "<br>" + hover + "<extra></extra>"
    return go.Scatter(x=x, y=y, mode="lines", name=name, line=pen, hovertemplate=said)

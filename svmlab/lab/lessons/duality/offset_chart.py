"""The b that each point would have, on one axis (H7)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index, Mask
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import around, blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _


def dots(
    values: Array, y: Array, ids: Index, free: Mask, b: float, selected: int | None, hard: bool, palette: Palette
) -> go.Figure:
    """The b of each point (m,): those whose multiplier is `free` above, all the others below; the right b as a line."""
    figure = blank(palette, _("b, as each point would have it"), height=250, top=34)
    lo, hi = around(np.append(values, b))
    hover = _("point") + " %{customdata[1]}<br>b = %{x:.8g}<extra></extra>"
    for sign in (1, -1):
        mine = y == sign
        height = _stacked(values[mine], free[mine], sign, 0.03 * (hi - lo))
        custom = np.stack([ids[mine], np.flatnonzero(mine) + 1], 1)
        chosen = ids[mine] == selected
        figure.add_trace(
            marks.points(palette, values[mine], height, y[mine], custom, chosen, name=str(sign), hover=hover)
        )
    marks.add_rule(figure, palette, palette.text, x=b, width=2, layer="below")
    figure.update_xaxes(range=[lo, hi])
    lanes = [_("others"), "α > 0" if hard else "0 < α < C"]
    figure.update_yaxes(tickvals=[0, 1], ticktext=lanes, range=[-0.6, 1.6], showgrid=False)
    return place_labels(figure, palette, [Label("b", b, 1.6, palette.text, "above")])


def _stacked(values: Array, free: Mask, sign: int, width: float) -> Array:
    """Heights of marks in their lanes; those that would hide each other are stacked away from the other class."""
    level = np.zeros(len(values))
    for lane in (free, ~free):
        level[lane] = marks.stacked(values[lane], width, rows=4)
    return np.where(free, 1.0, 0.0) + sign * (0.09 + 0.12 * level)

"""How many labellings have a margin of rho or more, along rho, for several kernels (G6, G8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.lines import DASHES
from svmlab.lab.charts.marks import mark_current
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _

ROOM = 1.22  # how far the chart goes beyond the last margin
HEIGHTS = (
    0.24,
    0.46,
    0.68,
    0.9,
)  # of all labellings: where the names stand, at the right, each behind a piece of its line
PIECE = 0.93  # of the width: where that begins


class Stairs(NamedTuple):
    """A kernel's name, where its count falls (k,), from 0 on, the counts up to there and beyond (k + 1,); left: the count at rho."""

    name: str
    at: Array
    counts: Array
    left: int


def steps(stairs: Sequence[Stairs], every: int, chosen: int, rho: float, palette: Palette) -> go.Figure:
    """The staircases, of `every` labellings, the chosen one thick; an upright at rho, and by the names how many are left there. All in units of R."""
    figure = blank(palette, _("ρ/R"), _("labellings"), height=300)
    end = max(ROOM * max(float(each.at[-1]) for each in stairs), ROOM * rho, 0.1)
    names = []
    for i, (each, colour, dash, level) in enumerate(zip(stairs, palette.series, DASHES, HEIGHTS, strict=False)):
        line, height = palette.pen(colour, 4.5 if i == chosen else 2.0, dash), level * every
        x = np.r_[each.at, end, np.nan, PIECE * end, end]
        y = np.r_[each.counts, np.nan, height, height]
        hover = each.name + ": %{y}<extra></extra>"
        drawn = go.Scatter(x=x, y=y, name=each.name, mode="lines", line=line | {"shape": "vh"}, hovertemplate=hover)
        figure.add_trace(drawn)
        said = f"{each.name}: {each.left}"
        names.append(Label(f"<b>{said}</b>" if i == chosen else said, end, height, colour))
    mark_current(figure, palette, rho, float(stairs[chosen].left))
    ticks = [0, every // 4, every // 2, 3 * every // 4, every] if every >= 8 else [0, every]
    figure.update_yaxes(range=[0, 1.06 * every], tickvals=ticks)
    figure.update_xaxes(range=[0, end], nticks=7)
    return place_labels(figure, palette, names)

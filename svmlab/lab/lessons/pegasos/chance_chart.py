"""The share of runs within eps along t, above what is promised of it (P15)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.lines import Line, curves
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _


def shares(t: Index, measured: Array, by_mean: Array, by_bound: Array, palette: Palette) -> go.Figure:
    """Three shares (k,) at the steps t (k,)."""
    x = np.asarray(t, dtype=float)
    lines = [
        Line(_("50 runs"), x, measured, palette.series[0], width=3),
        Line(_("by their mean"), x, by_mean, palette.series[3], "dash"),
        Line(_("by the bound"), x, by_bound, palette.quiet, "dot"),
    ]
    return curves(lines, _("steps t"), _("share"), palette, log_y=False, height=160, levels=(-0.04, 1.06))

"""The gap of F and the distance to w* along t on log-log axes (P12)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.lines import FLOOR, Line, curves
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _
from svmlab.pegasos import PegasosRun


def two_rates(run: PegasosRun, best: float, w: Array, palette: Palette) -> go.Figure:
    """Mean gap of the average, its mean distance to w (d,), and sqrt(2 gap / lam), which the distance never exceeds."""
    t = np.asarray(run.t, dtype=float)
    gaps = np.maximum(run.average - best, FLOOR)
    distance = np.sqrt(((run.averages - w) ** 2).sum(-1))
    lines = (
        Line(_("gap of F"), t, gaps.mean(0), palette.series[0]),
        Line(_("distance"), t, distance.mean(0), palette.series[2]),
        Line(_("√(2 gap/λ)"), t, np.sqrt(2 * gaps / run.lam).mean(0), palette.quiet, "dash"),
    )
    return curves(lines, _("steps t"), "", palette, height=160)

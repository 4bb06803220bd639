"""The certificate of a run above its true gap, and that of dual coordinate ascent, along the steps."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.lines import FLOOR, Line, curves
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _


def certificates(t: Index, promised: Array, gap: Array, ascent: Array, palette: Palette) -> go.Figure:
    """Three gaps (k,) at the steps t (k,) on log-log axes, floored at 1e-16."""
    x = np.asarray(t, dtype=float)
    lines = [
        Line(_("certificate"), x, np.maximum(promised, FLOOR), palette.series[0], width=3),
        Line(_("true gap"), x, np.maximum(gap, FLOOR), palette.quiet, "dot"),
        Line(_("dual ascent"), x, np.maximum(ascent, FLOOR), palette.series[1], "dash"),
    ]
    return curves(lines, _("steps t"), _("F at most off by"), palette, height=160)

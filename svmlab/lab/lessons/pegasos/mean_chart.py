"""F at the mean, the mean of F, and F at the last w along a run (P8)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.lines import FLOOR, Line, curves
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _


def jensen(t: Index, at_mean: Array, mean: Array, last: Array, palette: Palette) -> go.Figure:
    """Gaps (k,) to F(w*) at the steps t (k,), on log-log axes, floored at 1e-16."""
    x = np.asarray(t, dtype=float)
    blue, red, *_rest = palette.series
    lines = [
        Line(_("last"), x, np.maximum(last, FLOOR), palette.quiet, "dot", 1.5),
        Line(_("mean of F"), x, np.maximum(mean, FLOOR), red),
        Line(_("F at the mean"), x, np.maximum(at_mean, FLOOR), blue),
    ]
    return curves(lines, _("steps t"), _("above F(w*)"), palette, height=160)

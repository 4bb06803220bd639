"""The gaps of what a run may return, along t on log-log axes (P11)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.lines import FLOOR, Line, curves
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _


def three(t: Index, gaps: Mapping[str, Array], palette: Palette) -> go.Figure:
    """The mean gaps (k,) of "last", "average" and "suffix" at the steps t (k,), floored at 1e-16."""
    average, last, suffix, *_rest = palette.series
    forms = {
        "last": (_("last"), last),
        "average": (_("average"), average),
        "suffix": (_("second half"), suffix),
    }
    steps = np.asarray(t, dtype=float)
    lines = [Line(said, steps, np.maximum(gaps[name], FLOOR), colour) for name, (said, colour) in forms.items()]
    return curves(lines, _("steps t"), _("gap of F"), palette, height=160)

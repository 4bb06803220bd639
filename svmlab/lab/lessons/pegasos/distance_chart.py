"""How far descents are from w* along their rounds (L6, L7)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.lines import FLOOR, Line, curves
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _


def distances(t: Index, lines: Mapping[str, tuple[Array, str]], palette: Palette) -> go.Figure:
    """Distances (k,) at the rounds t (k,) and the dash of each by name, on log-log axes, floored at 1e-16; the last is
    the repaired one.
    """
    x = np.asarray(t, dtype=float)
    colours = {"solid": palette.series[0], "dash": palette.series[1], "dot": palette.quiet}
    curved = [Line(name, x, np.maximum(far, FLOOR), colours[dash], dash) for name, (far, dash) in lines.items()]
    return curves(curved, _("rounds"), "‖w − w*‖", palette, height=160)

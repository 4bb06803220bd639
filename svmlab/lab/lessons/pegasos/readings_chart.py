"""The readings of the index and the descents of the notes: the gap of each along its steps (P13, L6, L7)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from svmlab.arrays import Array
from svmlab.lab.charts.lines import Line, curves
from svmlab.lab.charts.palette import Palette


def readings(
    t: Array, gaps: Mapping[str, Array], limit: float | None, names: Mapping[str, str], x: str, y: str, palette: Palette
) -> go.Figure:
    """Gaps (k,) of "w", "theta", "double" and "mixed" at the steps t (k,), and where the mixed one ends."""
    right, mixed, theta, double, _ = palette.series
    colours = {"w": right, "theta": theta, "double": double, "mixed": mixed}
    lines = [Line(names[name], t, gap, colours[name]) for name, gap in gaps.items()]
    if limit is not None:
        lines.append(Line(names["limit"], t, np.full(len(t), limit), mixed, "dot", 2))
    return curves(lines, x, y, palette, height=330)


def descents(
    gaps: Mapping[str, tuple[Array, Array]], names: Mapping[str, str], x: str, y: str, palette: Palette
) -> go.Figure:
    """Steps and gaps (k,) of both batch descents and of the three stochastic ones; what the notes print is dashed."""
    sgd, sgd_printed, batch, _, batch_printed = palette.series
    forms = {
        "batch_printed": (batch_printed, "dash"), "batch": (batch, "solid"), "sgd_printed": (sgd_printed, "dash"),
        "sgd_written": (palette.other, "dash"), "sgd": (sgd, "solid"),
    }  # fmt: skip
    lines = [Line(names[name], t, gap, *forms[name]) for name, (t, gap) in gaps.items()]
    return curves(lines, x, y, palette, height=400)

"""Time against the number of points on log-log axes (X3)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from svmlab.lab.charts.lines import Line, curves
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.pegasos.measured import Costs


def costs(found: Costs, names: Mapping[str, str], x: str, y: str, palette: Palette) -> go.Figure:
    """One line a method, marked at every measurement; what did not arrive is left out."""
    first, second, third, fourth, _ = palette.series
    colours = {
        "dual-qp": second,
        "exact": third,
        "pegasos": first,
        "step": first,
        "batch-step": palette.other,
        "kernel-step": fourth,
    }
    lines = []
    for method, row in zip(found.methods, found.seconds, strict=True):
        good = np.isfinite(row)
        if good.any():
            lines.append(
                Line(names[method], found.m[good].astype(float), row[good], colours[method], hover="%{y:.3g} s")
            )
    figure = curves(lines, x, y, palette, height=380)
    figure.update_traces(mode="lines+markers")
    figure.update_xaxes(dtick=None, tickvals=found.m, ticktext=[str(m) for m in found.m])
    lo, hi = np.log10(float(found.m[0])), np.log10(float(found.m[-1]))
    return figure.update_xaxes(range=[lo - 0.05, max(hi, lo + 0.1) + 0.02])

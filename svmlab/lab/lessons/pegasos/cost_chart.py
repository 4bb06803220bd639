"""Time against the number of points on log-log axes (X3)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from svmlab.lab.charts.lines import Line, chart
from svmlab.lab.charts.style import COLOURS
from svmlab.lab.lessons.pegasos.measured import Costs

COLOUR = {
    "dual-qp": COLOURS["last"], "exact": COLOURS["suffix"], "pegasos": COLOURS["average"],
    "step": COLOURS["average"], "batch-step": COLOURS["other"], "kernel-step": COLOURS["met"],
}  # fmt: skip


def costs(found: Costs, names: Mapping[str, str], x: str, y: str) -> go.Figure:
    """One line a method, marked at every measurement; what did not arrive is left out."""
    lines = []
    for method, row in zip(found.methods, found.seconds, strict=True):
        good = np.isfinite(row)
        if good.any():
            lines.append(
                Line(names[method], found.m[good].astype(float), row[good], COLOUR[method], hover="%{y:.3g} s")
            )
    figure = chart(lines, x, y, height=380, right=150)
    figure.update_traces(mode="lines+markers")
    figure.update_xaxes(dtick=None, tickvals=found.m.tolist(), ticktext=[str(m) for m in found.m])
    lo, hi = np.log10(float(found.m[0])), np.log10(float(found.m[-1]))
    return figure.update_xaxes(range=[lo - 0.05, max(hi, lo + 0.1) + 0.02])

"""Cost against the number of points on log-log axes (X3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.lines import Line, curves
from svmlab.lab.charts.palette import Palette
from svmlab.lab.words import _


def costs(
    m: Sequence[int], rows: Mapping[str, Array], names: Mapping[str, str], y: str, hover: str, palette: Palette
) -> go.Figure:
    """One line a method, (k,) at the sizes m (k,), marked at every one; what is NaN did not arrive and is left out."""
    first, second, third, fourth, *_rest = palette.series
    colours = {
        "dual-qp": second,
        "exact": third,
        "pegasos": first,
        "step": first,
        "batch-step": palette.other,
        "kernel-step": fourth,
    }
    x = np.asarray(m, dtype=float)
    lines = []
    for method, values in rows.items():
        good = np.isfinite(values)
        if good.any():
            lines.append(Line(names[method], x[good], values[good], colours[method], hover=hover))
    figure = curves(lines, _("points m"), y, palette, height=160)
    figure.update_traces(mode="lines+markers")
    figure.update_xaxes(dtick=None, tickvals=x, ticktext=[str(size) for size in m])
    lo, hi = np.log10(x[[0, -1]])
    return figure.update_xaxes(range=[lo - 0.05, max(hi, lo + 0.1) + 0.02])

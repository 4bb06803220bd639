"""The matrix of a program of many points as a map in colours (H1, H2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.words import _


def heat(values: Array, names: Sequence[str], selected: int | None, column: bool, palette: Palette) -> go.Figure:
    """A matrix (m, n), one row a point: accent above 0, witness below. `selected` marks its row, and its `column` if it has one.

    The customdata of a place is its row.
    """
    m, n = values.shape
    figure = blank(palette, "", _("point"), height=320, zoom=True)
    top = float(np.abs(values).max()) or 1.0
    figure.add_trace(
        go.Heatmap(
            z=np.asarray(values, dtype=float),
            x=np.arange(1, n + 1),
            y=np.arange(1, m + 1),
            zmin=-top,
            zmax=top,
            colorscale=[[0.0, palette.other], [0.5, CLEAR], [1.0, palette.accent]],
            showscale=False,
            name="matrix",
            xgap=0.5,
            ygap=0.5,
            customdata=np.broadcast_to(np.arange(m)[:, None], values.shape),
            hovertemplate=_("point") + " %{y}, %{x}<br>%{z:.6g}<extra></extra>",
        )
    )
    ticks = {"tickvals": list(range(1, n + 1)), "ticktext": list(names)} if n <= 5 else {"nticks": 6}
    figure.update_xaxes(showgrid=False, **ticks)
    figure.update_yaxes(autorange="reversed", showgrid=False, nticks=5)
    if selected is not None:
        _band(figure, palette, y0=selected + 0.5, y1=selected + 1.5, x0=0.5, x1=n + 0.5)
        if column:
            _band(figure, palette, x0=selected + 0.5, x1=selected + 1.5, y0=0.5, y1=m + 0.5)
    return figure


def _band(figure: go.Figure, palette: Palette, **box: float) -> None:
    figure.add_shape(type="rect", line=palette.pen(palette.text, 2), fillcolor=CLEAR, **box)

"""The table of a kernel on the points, in colour where the inner products of the coordinates miss it (K1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.words import _

READ = 8  # points whose numbers are written into the table
STRENGTH = 2.0  # what full colour would stand for; the largest difference is 1, so that numbers can be read on it


def gram(
    K: Array,
    G: Array | None,
    cells: Array,
    names: Sequence[str],
    ids: Index,
    selected: int | None,
    pair: tuple[int, int] | None,
    palette: Palette,
) -> go.Figure:
    """`cells` (m, m) as numbers on the colour of K - G: accent where the kernel is larger, witness where it is smaller.

    G: inner products of the coordinates, None where there are none. pair: two points whose own table is framed. The
    customdata of a cell are the id of its row, K, G, K - G, and the two points.
    """
    m, rounding = len(K), ROUNDING * max(1.0, float(np.abs(K).max()))
    other = np.full_like(K, np.nan) if G is None else G
    off = np.zeros_like(K) if G is None else K - G
    off[abs(off) <= rounding] = 0.0
    told = np.empty((m, m, 5), dtype=object)
    told[..., 0] = ids[:, None]
    told[..., 4] = [[f"{a}, {b}" for b in names] for a in names]
    for k, values in enumerate((K, other, off), start=1):
        told[..., k] = [[short(float(v), noise=rounding) for v in row] for row in values]
    hover = [
        _("kernel") + " %{customdata[1]}",
        _("coordinates") + " %{customdata[2]}",
        _("difference") + " %{customdata[3]}",
    ]
    shown = K if G is None and m > READ else off  # a table without numbers says something by its colours
    share = np.sign(shown) * np.sqrt(abs(shown) / (float(abs(shown).max()) or 1.0))  # small ones are seen as well
    figure = blank(palette, height=320, left=34)
    figure.add_trace(
        go.Heatmap(
            z=share,
            x=np.arange(m),
            y=np.arange(m),
            zmin=-STRENGTH,
            zmax=STRENGTH,
            colorscale=[[0.0, palette.other], [0.5, palette.grid], [1.0, palette.accent]],
            showscale=False,
            xgap=1,
            ygap=1,
            name="gram",
            customdata=told,
            text=[[short(float(v), 3, rounding) for v in row] for row in cells],
            texttemplate="%{text}" if m <= READ else None,
            textfont={"size": palette.small, "color": palette.text},
            hovertemplate="%{customdata[4]}<br>" + "<br>".join(hover[: 1 if G is None else 3]) + "<extra></extra>",
        )
    )
    every = {"tickvals": np.arange(m), "ticktext": list(names), "showgrid": False, "range": [-0.5, m - 0.5]}
    figure.update_xaxes(**every).update_yaxes(**every | {"range": [m - 0.5, -0.5]})
    if selected is not None and selected in ids:
        row = int(np.flatnonzero(ids == selected)[0])
        _frame(figure, palette.pen(palette.text, 2), -0.5, m - 0.5, row - 0.5, row + 0.5)
    for i, j in {(i, j) for i in pair for j in pair} if pair else ():
        _frame(figure, palette.pen(palette.other, 3), j - 0.5, j + 0.5, i - 0.5, i + 0.5)
    return figure


def _frame(figure: go.Figure, pen: dict[str, object], x0: float, x1: float, y0: float, y1: float) -> None:
    figure.add_shape(type="rect", line=pen, fillcolor=CLEAR, x0=x0, x1=x1, y0=y0, y1=y1)

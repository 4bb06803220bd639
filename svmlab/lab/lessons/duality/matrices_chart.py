"""The rows of the primal, the matrix of the dual and its multipliers as heat maps over the same points (H1, H2)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from svmlab.arrays import Array
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.palette import CLEAR, Palette


class Words(NamedTuple):
    """What stands above the three maps, and on the axes."""

    rows: str
    dual: str
    alpha: str
    point: str


def heat(
    A: Array | None,
    names: tuple[str, ...],
    Q: Array,
    alpha: Array,
    selected: int | None,
    words: Words,
    palette: Palette,
) -> go.Figure:
    """A (m, n) or None, Q (m, m) and alpha (m,) side by side, one row a point; `selected` marks its rows and its column.

    Each map has a scale of its own, symmetric about 0: accent above, witness below.
    """
    m = len(Q)
    parts = [("dual", Q, _numbers(m)), ("alpha", alpha[:, None], ["α"])]
    widths = [0.84, 0.06]
    if A is not None:
        parts.insert(0, ("rows", A, list(names)))
        wide = min(0.34, 0.06 * A.shape[1])
        widths = [wide, 0.84 - wide, 0.06]
    panels = make_subplots(1, len(parts), shared_yaxes=True, column_widths=widths, horizontal_spacing=0.03)
    figure = blank(palette, height=430, left=8, top=60, zoom=True, panels=panels)
    numbers = np.arange(1, m + 1)
    for k, (name, values, columns) in enumerate(parts, start=1):
        top = float(np.abs(values).max()) or 1.0
        named = {} if name == "dual" else {"customdata": np.broadcast_to(np.array(columns, dtype=object), values.shape)}
        figure.add_trace(
            go.Heatmap(
                z=np.asarray(values, dtype=np.float32 if m > 80 else float),
                x=np.arange(1, values.shape[1] + 1),
                y=numbers,
                zmin=-top,
                zmax=top,
                colorscale=[[0.0, palette.other], [0.5, CLEAR], [1.0, palette.accent]],
                showscale=False,
                name=name,
                xgap=0.5 if m <= 80 else 0,
                ygap=0.5 if m <= 80 else 0,
                hovertemplate=f"{words.point} %{{y}}, {'%{customdata}' if named else '%{x}'}<br>%{{z:.6g}}<extra></extra>",
                **named,
            ),
            1,
            k,
        )
        few = values.shape[1] <= 5
        axis = {"tickvals": list(range(1, values.shape[1] + 1)), "ticktext": columns} if few else {"nticks": 6}
        title = getattr(words, name)
        figure.update_xaxes(side="top", showgrid=False, title={"text": title, "standoff": 4}, row=1, col=k, **axis)
        if selected is not None:
            _band(figure, k, palette, y0=selected + 0.5, y1=selected + 1.5, x0=0.5, x1=values.shape[1] + 0.5)
            if name == "dual":
                _band(figure, k, palette, x0=selected + 0.5, x1=selected + 1.5, y0=0.5, y1=m + 0.5)
    return figure.update_yaxes(autorange="reversed", showgrid=False).update_layout(margin={"r": 8, "b": 8})


def _numbers(m: int) -> list[str]:
    return [str(i) for i in range(1, m + 1)]


def _band(figure: go.Figure, k: int, palette: Palette, **box: float) -> None:
    figure.add_shape(type="rect", line=palette.pen(palette.text, 2), fillcolor=CLEAR, row=1, col=k, **box)

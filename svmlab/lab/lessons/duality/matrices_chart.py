"""The rows of the primal, the matrix of the dual and its multipliers as heat maps over the same points (H1, H2)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from svmlab.arrays import Array
from svmlab.lab.charts.style import Palette
from svmlab.lab.lessons.duality.ink import CLEAR


class Words(NamedTuple):
    """What stands above the three maps, and on the axes."""

    rows: str
    dual: str
    alpha: str
    point: str


def heat(
    A: Array | None, names: tuple[str, ...], Q: Array, alpha: Array, selected: int | None, ink: Palette, words: Words
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
    figure = make_subplots(1, len(parts), shared_yaxes=True, column_widths=widths, horizontal_spacing=0.03)
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
                colorscale=[[0.0, ink.other], [0.5, CLEAR], [1.0, ink.accent]],
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
        figure.update_xaxes(
            side="top", showgrid=False, zeroline=False, title={"text": title, "standoff": 4}, row=1, col=k, **axis
        )
        if selected is not None:
            _band(figure, k, ink, y0=selected + 0.5, y1=selected + 1.5, x0=0.5, x1=values.shape[1] + 0.5)
            if name == "dual":
                _band(figure, k, ink, x0=selected + 0.5, x1=selected + 1.5, y0=0.5, y1=m + 0.5)
    figure.update_yaxes(autorange="reversed", showgrid=False, zeroline=False)
    return figure.update_layout(
        height=430, margin={"l": 8, "r": 8, "t": 60, "b": 8}, font={"size": 15}, hoverlabel={"font": {"size": 15}},
        paper_bgcolor=CLEAR, plot_bgcolor=CLEAR,
    )  # fmt: skip


def _numbers(m: int) -> list[str]:
    return [str(i) for i in range(1, m + 1)]


def _band(figure: go.Figure, k: int, ink: Palette, **box: float) -> None:
    figure.add_shape(type="rect", line={"color": ink.ink, "width": 2}, fillcolor=CLEAR, row=1, col=k, **box)

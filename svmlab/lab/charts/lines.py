"""Lines with their names at their ends: what most charts of a run are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.arrays import Array
from svmlab.lab.charts.style import log_axes

FLOOR = 1e-16
DECADES = 9.0  # at most, from the top of a log axis to its foot
GAP = 19.0  # pixels between two names


class Line(NamedTuple):
    """A named curve; `dash` as plotly has it; `hover` a template for one value."""

    name: str
    x: Array
    y: Array
    colour: str
    dash: str = "solid"
    width: float = 2.5
    hover: str = "%{y:.4g}"
    opacity: float = 1.0


def chart(
    lines: Sequence[Line], x: str, y: str, *, log_y: bool = True, height: int = 380, right: int = 118
) -> go.Figure:
    """The lines on a logarithmic x axis, each named where it ends; names keep their distance. Values at 0 show at the foot of a log axis."""
    figure = go.Figure()
    shown = [line._replace(y=np.maximum(line.y, FLOOR)) if log_y else line for line in lines]
    lo, hi = _span([line.y for line in shown], log_y)
    for line in shown:
        figure.add_trace(
            go.Scatter(
                x=line.x, y=line.y, name=line.name, mode="lines", opacity=line.opacity, hovertemplate=line.hover,
                line={"color": line.colour, "width": line.width, "dash": line.dash},
            )
        )  # fmt: skip
    ends = [float(np.log10(line.y[-1]) if log_y else line.y[-1]) for line in shown]
    log_axes(figure, x, y, height)
    room = height - 60.0
    for line, at in zip(shown, spread(np.clip(ends, lo, hi), (hi - lo) * GAP / room), strict=True):
        figure.add_annotation(
            x=float(np.log10(line.x[-1])), y=at, text=line.name, showarrow=False, xanchor="left", xshift=6,
            font={"color": line.colour, "size": 14},
        )  # fmt: skip
    figure.update_layout(margin={"l": 68, "r": right, "t": 8, "b": 48})
    if not log_y:
        figure.update_yaxes(type="linear", dtick=None, exponentformat=None)
    figure.update_yaxes(range=[lo, hi])
    if log_y and hi - lo < 2:
        figure.update_yaxes(dtick="D2")
    first = min(float(line.x[0]) for line in shown)
    return figure.update_xaxes(range=[np.log10(first), max(np.log10(float(lines[0].x[-1])), np.log10(first) + 0.1)])


def _span(values: Sequence[Array], log_y: bool) -> tuple[float, float]:
    """The ends of the y axis, as logarithms on a log axis, with a little room."""
    v = np.concatenate([np.ravel(a) for a in values])
    v = np.log10(v) if log_y else v
    lo, hi = float(v.min()), float(v.max())
    lo = max(lo, hi - DECADES) if log_y else lo
    pad = 0.05 * (hi - lo) or 0.5
    return lo - pad, hi + pad


def spread(at: Sequence[float] | Array, gap: float) -> list[float]:
    """The same heights in the same order, moved as little as one pass needs to be `gap` apart."""
    order = np.argsort(at, kind="stable")
    out = np.asarray(at, dtype=float)[order]
    for i in range(1, len(out)):
        out[i] = max(out[i], out[i - 1] + gap)
    shift = max(0.0, float(out[-1] - max(at))) / 2 if len(out) else 0.0
    result = np.empty(len(out))
    result[order] = out - shift
    return result.tolist()


def band(figure: go.Figure, x: Array, low: Array, high: Array, colour: str) -> None:
    """A pale band between two curves, behind the lines."""
    trace = go.Scatter(
        x=np.r_[x, x[::-1]], y=np.maximum(np.r_[high, low[::-1]], FLOOR), fill="toself", fillcolor=colour,
        line={"width": 0}, hoverinfo="skip", name="spread",
    )  # fmt: skip
    figure.add_trace(trace)
    figure.data = (figure.data[-1], *figure.data[:-1])

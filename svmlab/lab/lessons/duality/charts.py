"""Charts of the dual: the gap that closes, b from each point, several optimal alphas, a value without bound (H3, H7, H11, H12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from svmlab.arrays import Array, Index, Mask
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, put
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.duality.ascent import Ascent


class GapWords(NamedTuple):
    """Labels of the chart of the gap."""

    primal: str
    dual: str
    best: str
    x: str
    y: str


def gap(run: Ascent, best: float | None, at: int | None, words: GapWords, palette: Palette) -> go.Figure:
    """Both values along the steps, the exact optimum `best` as a line between them, and the step `at` that is on the board."""
    figure = blank(palette, words.x, words.y, height=320, along=True, zoom=True)
    t = np.arange(run.steps + 1)
    feasible = np.isfinite(run.primal)
    lines = [("dual", t, run.dual, palette.accent), ("primal", t[feasible], run.primal[feasible], palette.text)]
    ends: dict[str, Label] = {}
    for name, x, y, colour in lines:
        figure.add_trace(
            go.Scatter(
                x=x,
                y=y,
                name=getattr(words, name),
                mode="lines+markers" if run.steps <= 60 else "lines",
                marker={"size": 6 * palette.stroke},
                line=palette.pen(colour) | {"shape": "hv" if name == "primal" else "linear"},
                hovertemplate="%{y:.8g}",
            )
        )
        if len(x):
            ends[name] = Label(getattr(words, name), float(x[-1]), float(y[-1]), colour)
    if best is not None:
        dashed = palette.pen(palette.other, 2, "dash")
        figure.add_shape(type="line", x0=0, x1=run.steps, y0=best, y1=best, line=dashed)
        ends["best"] = Label(words.best, run.steps, best, palette.other)
    if at is not None:
        marks.rule(figure, palette, palette.quiet, x=at)
    top = float(run.primal[feasible][0]) if feasible.any() else float(run.dual.max())
    ceiling = min(top, 3.0 * (best if best is not None else top))
    figure.update_xaxes(range=[-0.02 * run.steps, 1.02 * run.steps + 0.1])
    figure.update_yaxes(range=[-0.04 * ceiling, 1.12 * ceiling])
    from_below = [ends[name] for name in ("dual", "best", "primal") if name in ends]
    return put(figure, palette, from_below)


class DotWords(NamedTuple):
    """Labels of the chart of offsets."""

    support: str
    others: str
    right: str
    x: str
    hover: str


def dots(
    values: Array,
    y: Array,
    ids: Index,
    support: Mask,
    b: float,
    selected: int | None,
    words: DotWords,
    palette: Palette,
) -> go.Figure:
    """The b of each point (m,) on one axis: those that count above, all the others below; the right b as a line."""
    figure = blank(palette, words.x, height=250, top=34)
    lane = np.where(support, 1.0, 0.0)
    for sign in (1, -1):
        mine = y == sign
        height = lane[mine] + _stacked(values[mine], lane[mine], sign)
        custom = np.stack([ids[mine], np.flatnonzero(mine) + 1], 1)
        chosen = ids[mine] == selected
        figure.add_trace(
            marks.points(palette, values[mine], height, y[mine], custom, chosen, name=str(sign), hover=words.hover)
        )
    marks.rule(figure, palette, palette.text, x=b, width=2, layer="below")
    figure.update_xaxes(range=_around(values, b))
    figure.update_yaxes(tickvals=[0, 1], ticktext=[words.others, words.support], range=[-0.6, 1.6], showgrid=False)
    return put(figure, palette, [Label(words.right, b, 1.6, palette.text, "above")])


def _around(values: Array, b: float) -> list[float]:
    """An axis with room for the marks at its ends."""
    places = np.append(values, b)
    middle, reach = 0.5 * float(places.min() + places.max()), 0.54 * float(np.ptp(places))
    reach = max(reach, 1e-3 * max(1.0, abs(middle)))  # rounding is no distance
    return [middle - reach, middle + reach]


def _stacked(values: Array, lane: Array, sign: int) -> Array:
    """Lift points that would hide each other: equal places in a lane are stacked away from the other class."""
    seen: dict[tuple[float, float], int] = {}
    step = 3e-2 * (float(np.ptp(values)) or 1.0) if len(values) else 1.0
    out = np.zeros(len(values))
    for i, v in enumerate(values):
        key = (float(lane[i]), round(float(v) / step))
        out[i] = sign * min(0.09 + 0.12 * seen.get(key, 0), 0.45)
        seen[key] = seen.get(key, 0) + 1
    return out


class BarWords(NamedTuple):
    """Labels of the chart of multipliers."""

    x: str
    point: str


def bars(
    alphas: Sequence[tuple[str, Array]],
    y: Array,
    ids: Index,
    rows: Index,
    selected: int | None,
    words: BarWords,
    palette: Palette,
) -> go.Figure:
    """One panel below the other: several multipliers (name, (m,)) over the same points `rows`, in the colours of the classes."""
    n = len(alphas)
    panels = make_subplots(n, 1, shared_xaxes=True, vertical_spacing=0.3 / n)
    figure = blank(palette, words.x, height=90 + 130 * n, top=40, panels=panels)
    names = np.array([str(i + 1) for i in rows])
    top = max(float(a.max()) for _, a in alphas) or 1.0
    figure.update_yaxes(range=[0, 1.25 * top], nticks=3)
    figure.update_xaxes(type="category", showgrid=False, range=[-0.5, len(rows) - 0.5])
    hover = words.point + " %{x}: α = %{y:.10g}<extra></extra>"
    for k, (name, alpha) in enumerate(alphas, start=1):
        values = alpha[rows]
        told = {"text": [f"{v:.3g}" for v in values], "textposition": "outside", "cliponaxis": False}
        chosen = ids[rows] == selected
        bar = marks.bars(palette, names, values, y[rows], ids[rows], chosen, name=name, hover=hover, **told)
        figure.add_trace(bar, k, 1)
        put(figure, palette, [Label(name, -0.5, 1.25 * top, palette.text, "above right")], k)
    return figure.update_layout(bargap=0.45)


class RayWords(NamedTuple):
    """Labels of the chart of the dual along a ray."""

    value: str
    top: str
    x: str
    y: str


def ray(slope: float, curve: float, words: RayWords, palette: Palette) -> go.Figure:
    """The dual along t times one alpha: slope t - curve t^2 / 2, a straight line where the curve is 0."""
    figure = blank(palette, words.x, words.y, height=300)
    bounded = curve > 0
    far = 2.2 * slope / curve if bounded else 10.0
    t = np.linspace(0.0, far, 80)
    figure.add_trace(
        go.Scatter(
            x=t,
            y=slope * t - 0.5 * curve * t * t,
            mode="lines",
            line=palette.pen(palette.accent if bounded else palette.other, 3),
            hovertemplate="t = %{x:.3g}<br>%{y:.5g}<extra></extra>",
            name=words.value,
        )
    )
    figure.update_xaxes(range=[0.0, far])
    if not bounded:
        figure.update_yaxes(range=[-0.06 * slope * far, 1.06 * slope * far])
        return put(figure, palette, [Label(words.top, 0.5 * far, 0.5 * slope * far, palette.other, "below right")])
    top = slope / curve
    x, y = np.array([top]), np.array([0.5 * slope * top])
    mark = {"size": marks.SIZE * palette.stroke, "color": palette.text}
    hover = "t = %{x:.6g}<br>%{y:.8g}<extra></extra>"
    figure.add_trace(go.Scatter(x=x, y=y, mode="markers", marker=mark, name=words.top, hovertemplate=hover))
    figure.update_yaxes(range=[-0.15 * slope**2 / curve, 0.72 * slope**2 / curve])
    return put(figure, palette, [Label(words.top, top, float(y[0]), palette.text, "above")])

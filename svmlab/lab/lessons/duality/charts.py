"""Charts of the dual: the gap that closes, b from each point, several optimal alphas, a value without bound (H3, H7, H11, H12)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab.arrays import Array, Index, Mask
from svmlab.lab.charts.style import Palette
from svmlab.lab.lessons.duality.ascent import Ascent
from svmlab.lab.lessons.duality.ink import label, quiet


class GapWords(NamedTuple):
    """Labels of the chart of the gap."""

    primal: str
    dual: str
    best: str
    x: str
    y: str


def gap(run: Ascent, best: float | None, at: int | None, ink: Palette, words: GapWords) -> go.Figure:
    """Both values along the steps, the exact optimum `best` as a line between them, and the step `at` that is on the board."""
    t = np.arange(run.steps + 1)
    figure = go.Figure()
    feasible = np.isfinite(run.primal)
    lines = [("dual", t, run.dual, ink.accent), ("primal", t[feasible], run.primal[feasible], ink.ink)]
    for name, x, y, colour in lines:
        figure.add_trace(
            go.Scatter(
                x=x,
                y=y,
                name=getattr(words, name),
                mode="lines+markers" if run.steps <= 60 else "lines",
                marker={"size": 6},
                line={"color": colour, "width": 2.5, "shape": "hv" if name == "primal" else "linear"},
                hovertemplate="%{y:.8g}",
            )
        )
        if len(x):
            shift = 1 if name == "primal" else -1
            label(
                figure,
                float(x[-1]),
                float(y[-1]),
                getattr(words, name),
                colour,
                xanchor="left",
                xshift=8,
                yshift=19 * shift,
            )
    if best is not None:
        figure.add_shape(
            type="line", x0=0, x1=run.steps, y0=best, y1=best, line={"color": ink.other, "width": 2, "dash": "dash"}
        )
        label(figure, run.steps, best, words.best, ink.other, xanchor="left", xshift=8)
    if at is not None:
        figure.add_vline(at, line={"color": ink.quiet, "width": 1.5})
    figure = quiet(figure, words.x, words.y, right=92)
    top = float(run.primal[feasible][0]) if feasible.any() else float(run.dual.max())
    ceiling = min(top, 3.0 * (best if best is not None else top))
    figure.update_yaxes(range=[-0.04 * ceiling, 1.12 * ceiling])
    return figure.update_layout(hovermode="x unified")


class DotWords(NamedTuple):
    """Labels of the chart of offsets."""

    support: str
    others: str
    right: str
    x: str
    hover: str


def dots(
    values: Array, y: Array, ids: Index, support: Mask, b: float, selected: int | None, ink: Palette, words: DotWords
) -> go.Figure:
    """The b of each point (m,) on one axis: those that count above, all the others below; the right b as a line."""
    figure = go.Figure()
    at_one = np.where(support, 1.0, 0.0)
    size = np.where(np.asarray(ids) == selected, 17, 11)
    for sign, symbol in ((1, "circle"), (-1, "square")):
        mine = y == sign
        figure.add_trace(
            go.Scatter(
                x=values[mine],
                y=at_one[mine] + _spread(values[mine], at_one[mine], sign),
                mode="markers",
                customdata=np.stack([ids[mine], np.flatnonzero(mine) + 1], 1),
                marker={
                    "symbol": symbol,
                    "opacity": 1,
                    "size": size[mine],
                    "color": ink.of(sign),
                    "line": {"color": ink.accent, "width": np.where(ids[mine] == selected, 4, 0)},
                },
                unselected={"marker": {"opacity": 1}},
                selected={"marker": {"opacity": 1}},
                hovertemplate=words.hover,
                name=str(sign),
            )
        )
    figure.add_vline(b, line={"color": ink.ink, "width": 2}, layer="below")
    label(figure, b, 1.0, words.right, ink.ink, yref="paper", yanchor="bottom", xanchor="center")
    figure = quiet(figure, words.x, "", height=250)
    figure.update_yaxes(tickvals=[0, 1], ticktext=[words.others, words.support], range=[-0.6, 1.6], showgrid=False)
    return figure.update_layout(margin={"t": 34}, clickmode="event+select", dragmode=False)


def _spread(values: Array, lane: Array, sign: int) -> Array:
    """Lift points that would hide each other: equal places in a lane are stacked away from the other class."""
    seen: dict[tuple[float, float], int] = {}
    step = 3e-2 * (float(np.ptp(values)) or 1.0) if len(values) else 1.0
    out = np.zeros(len(values))
    for i, v in enumerate(values):
        key = (float(lane[i]), round(float(v) / step))
        out[i] = sign * min(0.09 + 0.12 * seen.get(key, 0), 0.45)
        seen[key] = seen.get(key, 0) + 1
    return out


def bars(
    alphas: Sequence[tuple[str, Array]],
    y: Array,
    ids: Index,
    rows: Index,
    selected: int | None,
    ink: Palette,
    axis: str,
    point: str,
) -> go.Figure:
    """One panel below the other: several multipliers (name, (m,)) over the same points `rows`, in the colours of the classes."""
    from plotly.subplots import make_subplots

    figure = make_subplots(len(alphas), 1, shared_xaxes=True, vertical_spacing=0.3 / max(len(alphas), 1))
    names = [str(i + 1) for i in rows]
    top = max(float(a.max()) for _, a in alphas) or 1.0
    for k, (name, alpha) in enumerate(alphas, start=1):
        figure.add_trace(
            go.Bar(
                x=names,
                y=alpha[rows],
                customdata=ids[rows],
                marker={
                    "color": [ink.of(v) for v in y[rows]],
                    "line": {"color": ink.accent, "width": [4 if i == selected else 0 for i in ids[rows]]},
                },
                unselected={"marker": {"opacity": 1}},
                text=[f"{v:.3g}" for v in alpha[rows]],
                textposition="outside",
                cliponaxis=False,
                hovertemplate=point + " %{x}: α = %{y:.10g}<extra></extra>",
                name=name,
            ),
            k,
            1,
        )
        ref = "y domain" if k == 1 else f"y{k} domain"
        label(figure, 0.0, 1.0, name, ink.ink, xref="paper", yref=ref, xanchor="left", yanchor="bottom", yshift=10)
    figure = quiet(figure, "", "", height=90 + 130 * len(alphas))
    figure.update_yaxes(range=[0, 1.25 * top], nticks=3)
    figure.update_xaxes(type="category", showgrid=False)
    figure.update_xaxes(title=axis, row=len(alphas), col=1)
    return figure.update_layout(bargap=0.45, margin={"t": 40}, clickmode="event+select", dragmode=False)


class RayWords(NamedTuple):
    """Labels of the chart of the dual along a ray."""

    value: str
    top: str
    x: str
    y: str


def ray(slope: float, curve: float, ink: Palette, words: RayWords) -> go.Figure:
    """The dual along t times one alpha: slope t - curve t^2 / 2, a straight line where the curve is 0."""
    far = 2.2 * slope / curve if curve > 0 else 10.0
    t = np.linspace(0.0, far, 80)
    figure = go.Figure(
        go.Scatter(
            x=t,
            y=slope * t - 0.5 * curve * t * t,
            mode="lines",
            line={"color": ink.accent if curve > 0 else ink.other, "width": 3},
            hovertemplate="t = %{x:.3g}<br>%{y:.5g}<extra></extra>",
            name=words.value,
        )
    )
    if curve > 0:
        top = slope / curve
        figure.add_trace(
            go.Scatter(
                x=[top], y=[0.5 * slope * top], mode="markers", marker={"size": 11, "color": ink.ink}, name=words.top,
                hovertemplate="t = %{x:.6g}<br>%{y:.8g}<extra></extra>",
            )
        )  # fmt: skip
        label(figure, top, 0.5 * slope * top, words.top, ink.ink, yanchor="bottom", yshift=10)
    else:
        label(figure, 0.5 * far, 0.5 * slope * far, words.top, ink.other, xanchor="left", xshift=14, yanchor="top")
    figure = quiet(figure, words.x, words.y, height=300)
    if curve > 0:
        figure.update_yaxes(range=[-0.15 * slope**2 / curve, 0.72 * slope**2 / curve])
    return figure

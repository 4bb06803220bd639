"""The path of the optimum over C: what is traded (S11, S13), each multiplier (S1, S11), and the threshold of the hard margin (S10)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from svmlab.arrays import Array, Index
from svmlab.data import Dataset
from svmlab.lab.charts.style import LIGHT, Palette, plain, tag
from svmlab.lab.lessons.soft.along import Along

STEP = "hv"


class TradeWords(NamedTuple):
    """The labels of `trade`."""

    x: str
    norm: str
    slack: str
    support: str
    errors: str


def trade(found: Along, C: float, words: TradeWords, palette: Palette = LIGHT) -> go.Figure:
    """|w|, the total slack, and the counts of support vectors and errors above each other over log C; a line at the present C."""
    figure = make_subplots(3, 1, shared_xaxes=True, vertical_spacing=0.05)
    lo, hi = found.C[0], found.C[-1]
    rows = (
        (1, words.norm, palette.accent, found.C, found.norm_w, "linear"),
        (2, words.slack, palette.other, found.C, found.slack, "linear"),
        (3, words.support, palette.accent, *_steps(lo, hi, found.breaks, found.support), STEP),
        (3, words.errors, palette.quiet, *_steps(lo, hi, found.turns, found.errors), STEP),
    )
    for row, name, colour, x, y, shape in rows:
        figure.add_trace(
            go.Scatter(
                x=x, y=y, name=name, mode="lines", line={"color": colour, "width": 2.5, "shape": shape},
                hovertemplate=f"{name} = %{{y:.6g}}<br>C = %{{x:.5g}}<extra></extra>",
            ),
            row, 1,
        )  # fmt: skip
        at = {2: -1, 3: 0}.get(row, -1)
        first = at == 0
        tag(
            figure, math.log10(x[at]), float(y[at]), name, colour, row=row, col=1,
            xanchor="left" if first else "right", xshift=4 if first else -4, yshift=3,
        )  # fmt: skip
    plain(figure, 430)
    figure.update_xaxes(type="log", range=[math.log10(lo), math.log10(hi)], exponentformat="power", dtick=1)
    figure.update_xaxes(title=words.x, row=3)
    figure.update_yaxes(rangemode="tozero", nticks=4)
    for row, top in ((1, found.norm_w.max()), (2, found.slack.max()), (3, found.support.max())):
        figure.update_yaxes(range=[0, 1.32 * max(float(top), 1e-9)], row=row)
    return _present(figure, C, palette)


def multipliers(
    found: Along, data: Dataset, C: float, selected: int | None, x: str, y: str, shares: bool, palette: Palette = LIGHT
) -> go.Figure:
    """Alpha_i of every point: as the share alpha_i/C over log C, or as alpha_i over C itself, where its pieces are straight.

    At the present C every point is a mark that can be clicked (customdata: its id); `selected` (an id) is drawn strong.
    """
    figure = go.Figure()
    keep = np.ones(len(found.C), bool) if shares or not math.isfinite(C) else found.C <= 2.05 * C
    at, alpha = found.C[keep], found.alpha[keep]
    if not shares:
        at, alpha = np.r_[0.0, at], np.vstack([np.zeros(data.m), alpha])
    values = alpha / at[:, None] if shares else alpha
    for sign in (1.0, -1.0):
        xs, ys, who = _joined(at, values, data, np.flatnonzero(data.y == sign), shares)
        figure.add_trace(
            go.Scatter(
                x=xs, y=ys, customdata=who, mode="lines", name=f"{sign:+g}", opacity=0.5,
                line={"color": palette.of(sign), "width": 1.3}, hovertemplate=_hover(x, y),
            )
        )  # fmt: skip
    row = np.flatnonzero(data.ids == selected) if selected is not None else np.zeros(0, np.intp)
    if len(row):
        figure.add_trace(
            go.Scatter(
                x=at, y=values[:, row[0]], customdata=np.full(len(at), selected), mode="lines", name="selected",
                line={"color": palette.accent, "width": 4}, hovertemplate=_hover(x, y),
            )
        )  # fmt: skip
    plain(figure, 430)
    if math.isfinite(C):
        _marks(figure, found, data, C, shares, selected, palette)
        _present(figure, C, palette)
    if shares:
        ends = [math.log10(found.C[0]), math.log10(found.C[-1])]
        figure.update_xaxes(type="log", range=ends, exponentformat="power", dtick=1)
        figure.update_yaxes(range=[-0.04, 1.06])
    else:
        figure.update_xaxes(rangemode="tozero", range=[0, float(at[-1])])
    return figure.update_xaxes(title=x).update_yaxes(title=y)


def threshold(found: Along, C0: float, C: float, x: str, names: tuple[str, str], palette: Palette = LIGHT) -> go.Figure:
    """|w_C| and the total slack around C0, from which on nothing changes; C on a linear axis."""
    figure = go.Figure()
    for name, y, colour in zip(names, (found.norm_w, found.slack), (palette.accent, palette.other), strict=True):
        figure.add_trace(
            go.Scatter(
                x=found.C, y=y, name=name, mode="lines", line={"color": colour, "width": 2.5},
                hovertemplate=f"{name} = %{{y:.6g}}<br>C = %{{x:.6g}}<extra></extra>",
            )
        )  # fmt: skip
        tag(figure, float(found.C[-1]), float(y[-1]), name, colour, xanchor="right", yshift=4)
    plain(figure, 300)
    figure.add_vline(x=C0, line={"color": palette.quiet, "width": 1.5, "dash": "dash"})
    figure.update_yaxes(rangemode="tozero")
    figure.update_xaxes(title=x, range=[float(found.C[0]), float(found.C[-1])])
    if found.C[0] <= C <= found.C[-1]:
        _present(figure, C, palette)
    return figure


def _present(figure: go.Figure, C: float, palette: Palette) -> go.Figure:
    if math.isfinite(C):
        figure.add_vline(x=C, line={"color": palette.accent, "width": 1.5, "dash": "dot"})
    return figure


def _marks(
    figure: go.Figure, found: Along, data: Dataset, C: float, shares: bool, selected: int | None, palette: Palette
) -> None:
    """Every point at the present C: alpha is linear between the samples."""
    i = int(np.clip(np.searchsorted(found.C, C), 1, len(found.C) - 1))
    t = (C - found.C[i - 1]) / (found.C[i] - found.C[i - 1])
    alpha = np.clip((1 - t) * found.alpha[i - 1] + t * found.alpha[i], 0.0, C)
    figure.add_trace(
        go.Scatter(
            x=np.full(data.m, C), y=alpha / C if shares else alpha, mode="markers", name="now",
            customdata=np.stack([data.ids, alpha], 1),
            marker={
                "size": [13 if i == selected else 9 for i in data.ids], "color": [palette.of(s) for s in data.y],
                "symbol": ["circle" if s > 0 else "square" for s in data.y],
                "line": {"color": [palette.accent if i == selected else palette.paper for i in data.ids], "width": 2},
            },
            hovertemplate=f"point %{{customdata[0]}}<br>α = %{{customdata[1]:.6g}}<br>C = {C:.6g}<extra></extra>",
        )
    )  # fmt: skip


def _hover(x: str, y: str) -> str:
    return f"point %{{customdata}}<br>{y} = %{{y:.6g}}<br>{x} = %{{x:.5g}}<extra></extra>"


def _steps(lo: float, hi: float, at: Array, counts: Index) -> tuple[Array, Array]:
    """A staircase from lo to hi: counts[j] up to at[j], the last one to the end."""
    return np.r_[lo, at, hi], np.r_[counts, counts[-1]].astype(float)


def _joined(at: Array, values: Array, data: Dataset, rows: Index, flat: bool) -> tuple[Array, Array, Array]:
    """The lines of some points as one trace with gaps; where a share stays at 0 or 1 its ends are enough."""
    xs, ys, who = list[Array](), list[Array](), list[Array]()
    for i in rows:
        v = values[:, i]
        keep = np.ones(len(v), bool)
        if flat and len(v) > 2:
            still = (np.abs(v[1:-1] - v[:-2]) < 1e-9) & (np.abs(v[2:] - v[1:-1]) < 1e-9)
            keep[1:-1] = ~still
        xs += [at[keep], np.array([np.nan])]
        ys += [v[keep], np.array([np.nan])]
        who.append(np.full(int(keep.sum()) + 1, data.ids[i]))
    if not xs:
        return np.zeros(0), np.zeros(0), np.zeros(0)
    return np.concatenate(xs), np.concatenate(ys), np.concatenate(who)

"""The path of the optimum over C: what is traded (S11, S13), each multiplier (S1, S11), and the threshold of the hard margin (S10)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from svmlab.arrays import Array, Index
from svmlab.data import Dataset
from svmlab.lab.charts.frame import blank, log, span
from svmlab.lab.charts.labels import Label, put
from svmlab.lab.charts.marks import points, rule
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.soft.along import Along

STEP = "hv"


class TradeWords(NamedTuple):
    """The labels of `trade`."""

    x: str
    norm: str
    slack: str
    support: str
    errors: str


def trade(found: Along, C: float, words: TradeWords, palette: Palette) -> go.Figure:
    """|w|, the total slack, and the counts of support vectors and errors above each other over log C; a line at the present C."""
    figure = blank(palette, words.x, height=430, panels=make_subplots(3, 1, shared_xaxes=True, vertical_spacing=0.05))
    lo, hi = math.log10(found.C[0]), math.log10(found.C[-1])
    figure.update_xaxes(**log(lo, hi))
    for row, top in ((1, found.norm_w.max()), (2, found.slack.max()), (3, found.support.max())):
        figure.update_yaxes(range=[0, 1.32 * max(float(top), 1e-9)], nticks=4, row=row)
    rows = (
        (1, words.norm, palette.accent, found.C, found.norm_w, "linear"),
        (2, words.slack, palette.other, found.C, found.slack, "linear"),
        (3, words.support, palette.accent, *_steps(found, found.breaks, found.support), STEP),
        (3, words.errors, palette.quiet, *_steps(found, found.turns, found.errors), STEP),
    )
    names: dict[int, list[Label]] = {1: [], 2: [], 3: []}
    for row, name, colour, x, y, shape in rows:
        figure.add_trace(
            go.Scatter(
                x=x,
                y=y,
                name=name,
                mode="lines",
                line=palette.pen(colour) | {"shape": shape},
                hovertemplate=f"{name} = %{{y:.6g}}<br>C = %{{x:.5g}}<extra></extra>",
            ),
            row,
            1,
        )
        start = row == 3
        at, height = (lo, float(y[0])) if start else (hi, float(y[-1]))
        names[row].append(Label(name, at, height, colour, "above right" if start else "above left"))
    for row, labels in names.items():
        put(figure, palette, labels, row)
    return _present(figure, C, palette)


def multipliers(
    found: Along, data: Dataset, C: float, selected: int | None, x: str, y: str, shares: bool, palette: Palette
) -> go.Figure:
    """Alpha_i of every point: as the share alpha_i/C over log C, or as alpha_i over C itself, where its pieces are straight.

    At the present C every point is a mark that can be clicked (customdata: its id); `selected` (an id) is drawn strong.
    """
    figure = blank(palette, x, y, height=430)
    keep = np.ones(len(found.C), bool) if shares or not math.isfinite(C) else found.C <= 2.05 * C
    at, alpha = found.C[keep], found.alpha[keep]
    if not shares:
        at, alpha = np.r_[0.0, at], np.vstack([np.zeros(data.m), alpha])
    values = alpha / at[:, None] if shares else alpha
    for sign in (1.0, -1.0):
        xs, ys, who = _joined(at, values, data, np.flatnonzero(data.y == sign), shares)
        figure.add_trace(
            go.Scatter(
                x=xs,
                y=ys,
                customdata=who,
                mode="lines",
                name=f"{sign:+g}",
                opacity=0.5,
                line=palette.pen(palette.of(sign), 1.3),
                hovertemplate=_hover(x, y),
            )
        )
    row = np.flatnonzero(data.ids == selected) if selected is not None else np.zeros(0, np.intp)
    if len(row):
        figure.add_trace(
            go.Scatter(
                x=at,
                y=values[:, row[0]],
                customdata=np.full(len(at), selected),
                mode="lines",
                name="selected",
                line=palette.pen(palette.accent, 4),
                hovertemplate=_hover(x, y),
            )
        )
    if math.isfinite(C):
        _marks(figure, found, data, C, shares, selected, palette)
    if shares:
        figure.update_xaxes(**log(math.log10(found.C[0]), math.log10(found.C[-1]))).update_yaxes(range=[-0.04, 1.06])
    else:
        figure.update_xaxes(range=[0, float(at[-1])])
    return _present(figure, C, palette)


def threshold(found: Along, C0: float, C: float, x: str, names: tuple[str, str], palette: Palette) -> go.Figure:
    """|w_C| and the total slack around C0, from which on nothing changes; C on a linear axis."""
    figure = blank(palette, x, height=300)
    curves = tuple(zip(names, (found.norm_w, found.slack), (palette.accent, palette.other), strict=True))
    for name, y, colour in curves:
        figure.add_trace(
            go.Scatter(
                x=found.C,
                y=y,
                name=name,
                mode="lines",
                line=palette.pen(colour),
                hovertemplate=f"{name} = %{{y:.6g}}<br>C = %{{x:.6g}}<extra></extra>",
            )
        )
    rule(figure, palette, palette.quiet, "dash", x=C0)
    lo, hi = float(found.C[0]), float(found.C[-1])
    figure.update_xaxes(range=[lo, hi]).update_yaxes(range=[0.0, span(found.norm_w, found.slack, 0.0)[1]])
    put(figure, palette, [Label(name, hi, float(y[-1]), colour, "above left") for name, y, colour in curves])
    return _present(figure, C, palette) if lo <= C <= hi else figure


def _present(figure: go.Figure, C: float, palette: Palette) -> go.Figure:
    if math.isfinite(C):
        rule(figure, palette, palette.accent, "dot", x=C)
    return figure


def _marks(
    figure: go.Figure, found: Along, data: Dataset, C: float, shares: bool, selected: int | None, palette: Palette
) -> None:
    """Every point at the present C: alpha is linear between the samples."""
    i = int(np.clip(np.searchsorted(found.C, C), 1, len(found.C) - 1))
    t = (C - found.C[i - 1]) / (found.C[i] - found.C[i - 1])
    alpha = np.clip((1 - t) * found.alpha[i - 1] + t * found.alpha[i], 0.0, C)
    hover = f"point %{{customdata[0]}}<br>α = %{{customdata[1]:.6g}}<br>C = {C:.6g}<extra></extra>"
    x, y, custom = np.full(data.m, C), alpha / C if shares else alpha, np.stack([data.ids, alpha], 1)
    figure.add_trace(points(palette, x, y, data.y, custom, data.ids == selected, name="now", hover=hover, edge=2))


def _hover(x: str, y: str) -> str:
    return f"point %{{customdata}}<br>{y} = %{{y:.6g}}<br>{x} = %{{x:.5g}}<extra></extra>"


def _steps(found: Along, at: Array, counts: Index) -> tuple[Array, Array]:
    """A staircase along C: counts[j] up to at[j], the last one to the end."""
    return np.r_[found.C[0], at, found.C[-1]], np.r_[counts, counts[-1]].astype(float)


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

"""Every multiplier along the path over C, and what each machine on it costs and is worth at one C (S1, S11)."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.data import Dataset
from svmlab.lab.charts.frame import blank, log
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import mark_current, points, add_rule
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.soft.along import PathSamples
from svmlab.lab.words import _


def multipliers(
    found: PathSamples, data: Dataset, C: float, selected: int | None, shares: bool, palette: Palette
) -> go.Figure:
    """Alpha_i of every point: over C itself, where its pieces are straight, or as the share alpha_i/C over log C.

    At the present C every point is a mark that can be clicked (customdata: its id); `selected` (an id) is drawn strong.
    """
    figure = blank(palette, "", "αᵢ/C" if shares else "αᵢ", height=150)
    keep = np.ones(len(found.C), bool) if shares else found.C <= 2.05 * C
    at, alpha = found.C[keep], found.alpha[keep]
    if not shares:
        at, alpha = np.r_[0.0, at], np.vstack([np.zeros(data.m), alpha])
    values = alpha / at[:, None] if shares else alpha
    top = 1.0 if shares else max(float(values.max()), 1e-12)
    for sign in (1.0, -1.0):
        xs, ys, who = _joined(at, values, data, np.flatnonzero(data.y == sign))
        _line(figure, xs, ys, who, f"{sign:+g}", palette.pen(palette.of(sign), 1.3), 0.5)
    row = np.flatnonzero(data.ids == selected) if selected is not None else np.zeros(0, np.intp)
    if len(row):
        who = np.full(len(at), float(data.ids[row[0]]))
        _line(figure, at, values[:, row[0]], who, "selected", palette.pen(palette.accent, 4), 1.0)
    _marks(figure, found, data, C, shares, selected, palette)
    add_rule(figure, palette, palette.accent, "dot", x=C)
    figure.update_yaxes(range=[-0.06 * top, 1.08 * top], nticks=4)
    if shares:
        lo, hi = math.log10(found.C[0]), math.log10(found.C[-1])
        figure.update_xaxes(**log(lo, hi)).update_yaxes(tickvals=[0, 1])
        return place_labels(figure, palette, [axis_name(figure, "C", palette)])
    last = float(at[-1])
    figure.update_xaxes(range=[0, last])
    edge = min(last, top)
    ceiling = go.Scatter(x=np.array([0, edge]), y=np.array([0, edge]), mode="lines", name="ceiling", hoverinfo="skip")
    figure.add_trace(ceiling.update(line=palette.pen(palette.quiet, 1.5, "dash")))
    side = "right" if edge == last else "above right"
    return place_labels(
        figure, palette, [Label("αᵢ = C", edge, edge, palette.quiet, side), axis_name(figure, "C", palette)]
    )


def both_values(found: PathSamples, slack: Array, C: float, here: tuple[float, float], palette: Palette) -> go.Figure:
    """At the price C: what the w of each machine along the path costs with its least slack (k,), and what its alpha is worth where it keeps to C; `here` they meet."""
    figure = blank(palette, height=150)
    size, keeps = 0.5 * found.norm_w**2, found.C <= C
    primal, dual = size + C * slack, (found.alpha.sum(1) - size)[keeps]
    curves = (
        (
            _("w costs"),
            np.r_[found.C[keeps], C, found.C[~keeps]],
            np.r_[primal[keeps], here[0], primal[~keeps]],
            palette.other,
        ),
        (_("α is worth"), np.r_[found.C[keeps], C], np.r_[dual, here[1]], palette.accent),
    )
    for name, x, y, colour in curves:
        trace = go.Scatter(x=x, y=y, name=name, mode="lines", line=palette.pen(colour))
        figure.add_trace(trace.update(hovertemplate=f"{name} %{{y:.6g}}<br>C′ = %{{x:.5g}}<extra></extra>"))
    mark_current(figure, palette, C, here[0])
    lo, hi = math.log10(found.C[0]), math.log10(found.C[-1])
    top = 2.2 * here[0]
    figure.update_xaxes(**log(lo, hi)).update_yaxes(range=[0.0, top], nticks=4)
    at, inside = curves[0][1:3], curves[0][2] <= top
    ends = (
        Label(_("w costs"), math.log10(at[0][inside][-1]), float(at[1][inside][-1]), palette.other, "below right"),
        Label(_("α is worth"), math.log10(max(C, found.C[0])), 0.5 * here[1], palette.accent, "right"),
        axis_name(figure, "C′", palette),
    )
    return place_labels(figure, palette, ends, backed=True)


def _line(figure: go.Figure, x: Array, y: Array, who: Array, name: str, pen: dict[str, object], opacity: float) -> None:
    hover = f"{_('point {id}').format(id='%{customdata}')}<br>%{{y:.6g}}<br>C = %{{x:.5g}}<extra></extra>"
    figure.add_trace(
        go.Scatter(x=x, y=y, customdata=who, mode="lines", name=name, opacity=opacity, line=pen, hovertemplate=hover)
    )


def _marks(
    figure: go.Figure, found: PathSamples, data: Dataset, C: float, shares: bool, selected: int | None, palette: Palette
) -> None:
    """Every point at the present C: alpha is linear between the samples."""
    i = int(np.clip(np.searchsorted(found.C, C), 1, len(found.C) - 1))
    t = (C - found.C[i - 1]) / (found.C[i] - found.C[i - 1])
    alpha = np.clip((1 - t) * found.alpha[i - 1] + t * found.alpha[i], 0.0, C)
    hover = f"{_('point {id}').format(id='%{customdata[0]}')}<br>α = %{{customdata[1]:.6g}}<extra></extra>"
    x, y, custom = np.full(data.m, C), alpha / C if shares else alpha, np.stack([data.ids, alpha], 1)
    figure.add_trace(points(palette, x, y, data.y, custom, data.ids == selected, name="now", hover=hover, edge=2))


def _joined(at: Array, values: Array, data: Dataset, rows: Index) -> tuple[Array, Array, Array]:
    """The lines of some points as one trace with gaps; vertices on a straight line between their neighbours are left out."""
    xs, ys, who = list[Array](), list[Array](), list[Array]()
    share = (at[1:-1] - at[:-2]) / (at[2:] - at[:-2])
    for i in rows:
        v = values[:, i]
        bend = v[1:-1] - v[:-2] - share * (v[2:] - v[:-2])
        keep = np.r_[True, np.abs(bend) > 1e-9 * max(float(v.max()), 1e-12), True]
        xs += [at[keep], np.array([np.nan])]
        ys += [v[keep], np.array([np.nan])]
        who.append(np.full(int(keep.sum()) + 1, data.ids[i]))
    if not xs:
        return np.zeros(0), np.zeros(0), np.zeros(0)
    return np.concatenate(xs), np.concatenate(ys), np.concatenate(who)

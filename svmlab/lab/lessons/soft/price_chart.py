"""What is traded along the path over C: norm against slack (S11, S13), and the counts that go with them."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.frame import axis_range, blank, log
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import add_rule, mark_current
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.soft.along import PathSamples
from svmlab.lab.numbers import ROUNDING
from svmlab.lab.words import _

HEIGHT = 150


def shares(found: PathSamples, C: float, palette: Palette) -> go.Figure:
    """|w| and the total slack over log C, each as a share of its largest value; a line at the present C."""
    figure = blank(palette, height=HEIGHT)
    curves = (("|w|", found.norm_w, palette.accent), ("Σ ξ", found.slack, palette.other))
    for name, y, colour in curves:
        share = y / max(float(y.max()), 1e-300)
        _line(figure, palette, name, found.C, share, y, colour)
    figure.update_yaxes(range=[0, 1.08], tickvals=[0, 1], ticktext=["0", _("most")])
    return _over(figure, found, C, palette, [(name, y[-1] / max(y.max(), 1e-300), c) for name, y, c in curves])


def counts(found: PathSamples, C: float, palette: Palette) -> go.Figure:
    """The numbers of support vectors and of errors over log C, exact between their changes."""
    figure = blank(palette, height=HEIGHT)
    stairs = (
        (_("support vectors"), *_steps(found, found.breaks, found.support), palette.accent),
        (_("errors"), *_steps(found, found.error_changes, found.errors), palette.quiet),
    )
    for name, x, y, colour in stairs:
        _line(figure, palette, name, x, y, y, colour, "hv")
    figure.update_yaxes(range=[0, 1.08 * max(float(found.support.max()), 1.0)], nticks=4)
    return _over(figure, found, C, palette, [(name, float(y[-1]), colour) for name, x, y, colour in stairs])


def front(found: PathSamples, here: tuple[float, float], m: float, palette: Palette) -> go.Figure:
    """Total slack against |w| along the path, where the present machine (|w|, sum of slack) stands on it, and w = 0
    with slack 1 at all m points.
    """
    figure = blank(palette, "", "Σ ξ", height=HEIGHT)
    _line(figure, palette, "path", found.norm_w, found.slack, found.C, palette.accent, hover="C = %{customdata:.4g}")
    mark_current(figure, palette, here[0], here[1])
    cross = {"symbol": "x", "size": 11 * palette.stroke, "color": palette.other}
    free = go.Scatter(x=np.zeros(1), y=np.array([m]), name="free", mode="markers", marker=cross, cliponaxis=False)
    figure.add_trace(free.update(hovertemplate="w = 0, Σ ξ = %{y:g}<extra></extra>"))
    figure.update_xaxes(range=axis_range(found.norm_w, here[0], 0.0)).update_yaxes(
        range=axis_range(0.0, found.slack, m), nticks=4
    )
    labels = (
        Label(_("price 0"), 0.0, m, palette.other),
        Label(_("small C"), float(found.norm_w[0]), float(found.slack[0]), palette.quiet),
        Label(_("large C"), float(found.norm_w[-1]), float(found.slack[-1]), palette.quiet, "above left"),
        axis_name(figure, "|w|", palette),
    )
    return place_labels(figure, palette, labels)


def shrunk(norm_w: float, margins: Array, palette: Palette) -> go.Figure:
    """The mean slack and the share of errors of c (w, b), whose margins are c y f (m,), over its length from 0 to
    |w|.
    """
    figure = blank(palette, height=HEIGHT)
    c = np.linspace(0.0, 1.0, 101)
    slack = np.maximum(0.0, 1.0 - c[:, None] * margins).mean(1)
    wrong = float((margins <= ROUNDING).mean())
    x = c * norm_w
    _line(figure, palette, "ξ", x, slack, slack, palette.other, hover="%{y:.4g}")
    _line(figure, palette, "errors", x[[0, -1]], np.full(2, wrong), np.full(2, wrong), palette.quiet, hover="%{y:.4g}")
    for name, y, fill in (("not reached", wrong, palette.paper), ("at 0", 1.0, palette.quiet)):
        ring = {"size": 11 * palette.stroke, "color": fill, "line": palette.pen(palette.quiet, 2.5)}
        mark = go.Scatter(x=np.zeros(1), y=np.array([y]), name=name, mode="markers", marker=ring, cliponaxis=False)
        figure.add_trace(mark.update(hovertemplate="%{y:.4g}<extra></extra>"))
    figure.update_xaxes(range=axis_range(0.0, norm_w, room=0.02), nticks=6).update_yaxes(
        range=[-0.04, 1.12], tickvals=[0, 1]
    )
    labels = (
        Label(_("mean ξ"), norm_w, float(slack[-1]), palette.other),
        Label(_("share of errors"), 0.55 * norm_w, wrong, palette.quiet, "above"),
        axis_name(figure, "|c w|", palette),
    )
    return place_labels(figure, palette, labels, backed=True)


def _line(
    figure: go.Figure,
    palette: Palette,
    name: str,
    x: Array,
    y: Array,
    exact: Array,
    colour: str,
    shape: str = "linear",
    hover: str = "",
) -> None:
    told = hover or f"{name} = %{{customdata:.6g}}<br>C = %{{x:.5g}}"
    trace = go.Scatter(
        x=x,
        y=y,
        customdata=exact,
        name=name,
        mode="lines",
        line=palette.pen(colour) | {"shape": shape},
        hovertemplate=f"{told}<extra></extra>",
    )
    figure.add_trace(trace)


def _over(
    figure: go.Figure, found: PathSamples, C: float, palette: Palette, ends: list[tuple[str, float, str]]
) -> go.Figure:
    """The axis of C, the present C on it, and a name at the right end of each line."""
    lo, hi = math.log10(found.C[0]), math.log10(found.C[-1])
    figure.update_xaxes(**log(lo, hi))
    add_rule(figure, palette, palette.accent, "dot", x=C)
    return place_labels(
        figure, palette, [axis_name(figure, "C", palette), *(Label(name, hi, float(y), c) for name, y, c in ends)]
    )


def _steps(found: PathSamples, at: Array, numbers: Index) -> tuple[Array, Array]:
    """A staircase along C: numbers[j] up to at[j], the last one to the end."""
    return np.r_[found.C[0], at, found.C[-1]], np.r_[numbers, numbers[-1]].astype(float)

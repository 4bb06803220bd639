"""Draws under the compression bound, by their number of support vectors, and what becomes of both with more points (G1)."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.generalisation import Cloud, compression_bound, most_carriers, sharper_bound
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import blank, log
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.lines import Line, curves
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.generalisation.sampled import DELTA, Growing, bounds
from svmlab.lab.words import _

HEIGHT = 300
LEAST = 1e-4  # the smallest error that is drawn: what is below stands on it
ROOM = 0.12  # of the height of a log axis


def under(found: Cloud, here: tuple[int, float], palette: Palette) -> go.Figure:
    """The true error of every draw over its N, the printed bound, the sharper one, N := 0, and 1, beyond which a bound says nothing.

    here: N and true error of the machine on the board. A mark's customdata is the seed of its draw.
    """
    m, N = found.m, found.support
    speaks = most_carriers(m, DELTA)
    most = int(max(N.max(), here[0]))
    end = min(m, max(math.ceil(1.12 * most), math.ceil(1.3 * speaks), 6))
    along = np.arange(end + 1)
    printed = np.array([compression_bound(int(k), m, DELTA) for k in along])
    sharp = np.array([sharper_bound(int(k), m, DELTA) for k in along])
    none = float(printed[0])
    errors = np.maximum(found.true, LEAST)
    lowest, highest = min(float(errors.min()), none, max(here[1], LEAST)), max(float(printed[-1]), 1.0)
    lo, hi = math.log10(lowest), math.log10(highest)
    lo, hi = lo - ROOM * (hi - lo), hi + ROOM * (hi - lo)
    figure = blank(palette, "", "", height=HEIGHT)
    shown = sharp < 10**hi
    _silent(figure, hi, palette)
    for name, x, y, colour, dash in (
        (_("bound"), along, printed, palette.text, "solid"),
        (_("sharper"), along[shown], sharp[shown], palette.quiet, "dash"),
    ):
        told = _("{name} at N = {N}: {value}").format(name=name, N="%{x}", value="%{y:.4g}") + "<extra></extra>"
        figure.add_trace(
            go.Scatter(x=x, y=y, name=name, mode="lines", line=palette.pen(colour, dash=dash), hovertemplate=told)
        )
    marks.add_rule(figure, palette, palette.other, "dot", y=none)
    told = (
        _("draw {k}: N = {N}, true error {value}").format(k="%{customdata[1]}", N="%{x}", value="%{y:.4g}")
        + "<extra></extra>"
    )
    seeds = np.arange(len(N))
    colours = np.where(found.true > bounds(found), palette.other, palette.accent)
    figure.add_trace(
        marks.dots(
            palette,
            N,
            errors,
            np.stack([seeds, seeds + 1], 1),
            np.zeros(len(N), dtype=bool),
            colours,
            name="draws",
            hover=told,
            edge=1.0,
        )
    )
    marks.mark_current(figure, palette, here[0], max(here[1], LEAST), compression_bound(here[0], m, DELTA))
    figure.update_xaxes(range=[-0.02 * end, 1.02 * end], nticks=7).update_yaxes(**log(lo, hi, 5))
    level = np.log10
    labels = [
        axis_name(figure, "N", palette),
        Label(_("bound"), end, float(level(printed[-1])), palette.text),
        Label("N := 0", end, float(level(none)), palette.other),
        Label(_("true error"), float(np.median(N)), float(level(errors.min())), palette.accent, "below"),
    ]
    if shown.any():
        last = int(along[shown][-1])
        side = "right" if last == end else "below left"
        labels.append(Label(_("sharper"), last, float(level(sharp[last])), palette.quiet, side))
    room = level(printed[-1]) > 0.25  # under the bound, and above 1
    silent = _says_nothing("above left" if room else "above right", float(end) if room else 0.0, palette)
    return place_labels(figure, palette, [*labels, silent], backed=True)


def with_more(found: Growing, m: int, bound: float, palette: Palette) -> go.Figure:
    """Both bounds and the true error over the number of points, means of the draws; `m`, `bound`: those of the board."""
    held = np.isfinite(found.sharper)
    lines = [
        Line(_("bound"), found.m, found.bound, palette.text),
        Line(_("sharper"), found.m[held], found.sharper[held], palette.quiet, "dash"),
        Line(_("true error"), found.m, np.maximum(found.true, LEAST), palette.accent),
    ]
    lines = [line for line in lines if len(line.x)]
    low, high = _ends(*(line.y for line in lines), np.array([1.0, bound]))
    figure = curves(lines, "", "", palette, height=HEIGHT, levels=(low, high))
    _silent(figure, high, palette)
    marks.mark_current(figure, palette, m, bound)
    first, last = float(np.log10(min(found.m[0], m))), float(np.log10(max(found.m[-1], m)))
    figure.update_xaxes(range=[first - 0.03, last + 0.03])
    return place_labels(
        figure, palette, [axis_name(figure, "m", palette), _says_nothing("above right", first, palette)], backed=True
    )


def _ends(*values: Array) -> tuple[float, float]:
    """Decimal logarithms, with a little room."""
    level = np.log10(np.concatenate(values))
    room = ROOM * float(np.ptp(level))
    return float(level.min()) - room, float(level.max()) + room


def _silent(figure: go.Figure, high: float, palette: Palette) -> None:
    """From 1 on a bound says nothing: every machine meets it."""
    figure.add_hrect(y0=1.0, y1=10.0**high, fillcolor=palette.grid, line_width=0, layer="below")
    marks.add_rule(figure, palette, palette.quiet, y=1.0)


def _says_nothing(side: str, x: float, palette: Palette) -> Label:
    return Label(_("from 1 on: says nothing"), x, 0.0, palette.quiet, side)

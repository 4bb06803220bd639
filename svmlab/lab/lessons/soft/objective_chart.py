"""The objective in the plane of w: its two terms as contours with the path of the optimum, a section, and how steep the
slack is (S4, S13, S14).
"""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.lab.charts import marks
from svmlab.lab.charts.contours import contours
from svmlab.lab.charts.frame import axis_range, blank
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.soft.plane import Landscape, Section
from svmlab.lab.words import _

THIN, THICK = 1.2, 3.0
FLAT = 0.5  # height of the plane of w in its width


def plane(
    found: Landscape,
    C: float,
    best: Array,
    least: float,
    path: Array,
    own: Array,
    together: bool,
    palette: Palette,
) -> go.Figure:
    """Circles of 1/2 |w|^2 and contours of C sum xi, each through `best` too, or those of their sum with `together`.

    path (k, 2): the optimum along C; best (2,): at the present C, where C sum xi is `least`; own (2,): the w of a line
    by hand.
    """
    figure = blank(palette, height=150)
    total, price = found.size + C * found.slack, C * found.slack
    here = 0.5 * float(best @ best)
    if together:
        steps = float(total.min()) + np.ptp(total) * np.linspace(0.0, 0.75, 14)[1:] ** 2
        figure.add_trace(contours(found.w1, found.w2, total, steps, palette.pen(palette.accent, THIN), "½|w|² + C Σ ξ"))
    else:
        reach = float(np.sqrt(2 * found.size.max()))
        rings = 0.5 * (reach * np.linspace(0.0, 1.0, 13)[1:]) ** 2
        figure.add_trace(contours(found.w1, found.w2, found.size, rings, palette.pen(palette.quiet, THIN), "½|w|²"))
        steps = float(price.min()) + np.ptp(price) * np.linspace(0.0, 0.8, 11)[1:] ** 2
        figure.add_trace(contours(found.w1, found.w2, price, steps, palette.pen(palette.other, THIN), "C Σ ξ"))
        figure.add_trace(
            contours(found.w1, found.w2, found.size, np.array([here]), palette.pen(palette.quiet, THICK), "½|w|²", 1.0)
        )
        figure.add_trace(
            contours(found.w1, found.w2, price, np.array([least]), palette.pen(palette.other, THICK), "C Σ ξ", 1.0)
        )
    hover = "w = (%{x:.5g}, %{y:.5g})<extra></extra>"
    way = go.Scatter(x=path[:, 0], y=path[:, 1], mode="lines", name="path", hovertemplate=hover)
    figure.add_trace(way.update(line=palette.pen(palette.accent, THICK)))
    seen = found.w1[0] <= own[0] <= found.w1[-1] and found.w2[0] <= own[1] <= found.w2[-1]
    x, y = _ranges(np.vstack([np.zeros(2), path, best, own if seen else best]))
    figure.update_xaxes(range=x, nticks=5, zeroline=True, constrain="domain")
    figure.update_yaxes(range=y, nticks=4, zeroline=True, scaleanchor="x", constrain="domain")
    names = [_mark(figure, best, _("best"), palette.accent, "circle", palette)]
    if seen:
        names.append(_mark(figure, own, _("yours"), palette.text, "diamond", palette))
    return place_labels(figure, palette, names, backed=True)


def _ranges(places: Array) -> tuple[list[float], list[float]]:
    """The ends of both axes around places (k, 2), in the proportions of the chart: units are equal, so neither side may
    be much longer.
    """
    (x0, x1), (y0, y1) = (axis_range(side, room=0.15) for side in places.T)
    wide, high = max(x1 - x0, (y1 - y0) / FLAT), max(y1 - y0, FLAT * (x1 - x0))
    x, y = 0.5 * (x0 + x1), 0.5 * (y0 + y1)
    return [x - 0.5 * wide, x + 0.5 * wide], [y - 0.5 * high, y + 0.5 * high]


def section(found: Section, own: tuple[float, float], palette: Palette) -> go.Figure:
    """F and its mean hinge along a line through the optimum, the parabola that F stays above, and one's own (t, F)."""
    figure = blank(palette, height=150)
    total = found.size + found.loss
    curves = (
        (_("mean ξ"), found.loss, palette.other, "solid", 2.5),
        ("F", total, palette.accent, "solid", 3),
        (_("parabola"), found.below, palette.accent, "dash", 2),
    )
    for name, y, colour, dash, width in curves:
        trace = go.Scatter(x=found.t, y=y, name=name, mode="lines", line=palette.pen(colour, width, dash))
        figure.add_trace(trace.update(hovertemplate=f"{name} = %{{y:.6g}}<br>t = %{{x:.4g}}<extra></extra>"))
    _mark(figure, np.array(own), _("yours"), palette.text, "diamond", palette)
    figure.update_xaxes(range=[found.t[0], found.t[-1]])
    figure.update_yaxes(range=[0.0, axis_range(total, found.below, found.loss, 0.0)[1]], nticks=4)
    ends = (Label(name, float(found.t[-1]), float(y[-1]), colour) for name, y, colour, *_x in curves)
    return place_labels(figure, palette, [*ends, axis_name(figure, "t", palette)])


def steep(data: Dataset, slopes: Array, selected: int | None, palette: Palette) -> go.Figure:
    """A bar for each point: how much its slack changes per unit of way (m,), below a tick at its own length; the
    farthest first.

    customdata of the bars: the ids.
    """
    lengths = np.linalg.norm(data.X, axis=1)
    order = np.argsort(-lengths, kind="stable")
    ranks, ids = np.arange(1, len(order) + 1), data.ids[order]
    figure = blank(palette, "", _("slope of ξᵢ"), height=150)
    hover = _("point {id}").format(id="%{customdata}") + "<br>%{y:.4g}<extra></extra>"
    bars = marks.bars(palette, ranks, slopes[order], data.y[order], ids, ids == selected, name="slope", hover=hover)
    figure.add_trace(bars)
    wide = np.stack([ranks - 0.42, ranks + 0.42, np.full(len(ranks), np.nan)], 1).ravel()
    tops = go.Scatter(
        x=wide, y=np.repeat(lengths[order], 3), name="|x|", mode="lines", line=palette.pen(palette.quiet, 2.5)
    )
    figure.add_trace(tops.update(hoverinfo="skip"))
    figure.update_xaxes(range=[0.4, len(order) + 0.6], showticklabels=False, showgrid=False)
    figure.update_yaxes(range=[0.0, 1.12 * (float(lengths.max()) or 1.0)], nticks=4).update_layout(bargap=0.16)
    first = Label("X", 0.6, float(lengths.max()), palette.quiet, "above right")
    return place_labels(figure, palette, [first, Label("|xᵢ|", len(order) + 0.6, float(lengths.min()), palette.quiet)])


def _mark(figure: go.Figure, at: Array, name: str, colour: str, symbol: str, palette: Palette) -> Label:
    """A mark, and its name beside it."""
    marker = {"size": 14 * palette.stroke, "symbol": symbol, "color": colour, "line": palette.pen(palette.paper, 2)}
    hover = f"{name}<br>(%{{x:.8g}}, %{{y:.8g}})<extra></extra>"
    trace = go.Scatter(x=at[:1], y=at[1:], mode="markers", name=name, marker=marker, hovertemplate=hover)
    figure.add_trace(trace)
    return Label(name, float(at[0]), float(at[1]), colour)

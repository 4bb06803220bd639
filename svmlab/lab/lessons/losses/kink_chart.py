"""The hinge of one point with a line that touches it, and the slopes that the optimum chooses for all points (L3)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.palette import Palette, faded
from svmlab.lab.lessons.losses.names import LOSS, pen
from svmlab.lab.lessons.losses.subgradients import above, hinge, slopes
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.words import _

REACH, LOW, HIGH = 3.0, -1.2, 4.2  # of f to both sides, and of the loss
HINGE = LOSS["hinge"]
F = np.linspace(-REACH, REACH, 601)  # the kinks at -1 and 1 are among them
KINK = 1e-9  # how near to 1 a y f counts as 1


def hinge_and_line(y: float, f0: float, slope: float, own: tuple[float, str], palette: Palette) -> go.Figure:
    """The hinge of a point of class y, the line of this slope through (f0, l(f0)), pink where it is above, and all
    lines that stay below, pale.

    own: f at the point, and what the point is called.
    """
    figure = blank(palette, height=300)
    f = F
    at, (lo, hi) = float(hinge(y, np.array([f0]))[0]), slopes(y, f0)
    ends = [at + s * (f - f0) for s in (lo, hi)]
    fan = go.Scatter(
        x=np.r_[f, f[::-1]],
        y=np.r_[np.maximum(*ends), np.minimum(*ends)[::-1]],
        fill="toself",
        fillcolor=faded(palette.accent, 0.2),
        line=palette.pen(palette.accent, 1.0, "dot"),
        mode="lines",
        name="below",
        hoverinfo="skip",
    )
    figure.add_trace(fan)
    told = "f = %{x:.3g}<br>%{y:.4g}<extra></extra>"
    curve = go.Scatter(x=f, y=hinge(y, f), mode="lines", name="hinge", line=pen("hinge", palette, 3.5))
    figure.add_trace(curve.update(hovertemplate=told))
    line = at + slope * (f - f0)
    over = above(y, f0, slope, f) > ROUNDING
    for name, where, colour, width in (("line", ~over, palette.text, 2.5), ("above", over, palette.other, 4.5)):
        part = go.Scatter(x=f, y=np.where(where, line, np.nan), mode="lines", name=name, hovertemplate=told)
        figure.add_trace(part.update(line=palette.pen(colour, width)))
    for name, place, label in (("f0", f0, None), ("own", own[0], y)):
        if abs(place) <= REACH:
            figure.add_trace(_mark(name, place, float(hinge(y, np.array([place]))[0]), label, own[1], palette))
    figure.update_xaxes(range=[-REACH, REACH], dtick=1, zeroline=True)
    figure.update_yaxes(range=[LOW, HIGH], dtick=1, zeroline=True)
    inside = np.flatnonzero((line >= LOW) & (line <= HIGH))
    end = int(inside[np.abs(f[inside] - f0).argmax()])
    side = "above right" if f[end] < f0 else "above left"
    words = _("slope {slope}").format(slope=short(slope, 3, ROUNDING))
    colour = palette.other if over.any() else palette.text
    names = [
        Label(words, float(f[end]), float(line[end]), colour, side),
        Label(_(HINGE), 2.2 * y, 0.0, palette.accent, "above"),
        axis_name(figure, "f", palette),
    ]
    return place_labels(figure, palette, names, backed=True)


def _mark(name: str, f: float, loss: float, label: float | None, words: str, palette: Palette) -> go.Scatter:
    """The place through which the line goes, or the point itself in the colour of its class."""
    colour = palette.text if label is None else palette.class_colour(label)
    marker = {
        "symbol": "circle" if label is None or label > 0 else "square",
        "size": palette.stroke * (marks.SIZE if label is None else marks.CHOSEN),
        "color": colour if label is None else palette.paper,
        "line": palette.pen(colour, marks.RING),
    }
    told = (f"{words}<br>" if label is not None else "") + "f = %{x:.4g}<br>%{y:.4g}<extra></extra>"
    found = go.Scatter(x=np.array([f]), y=np.array([loss]), mode="markers", name=name)
    return found.update(marker=marker, hovertemplate=told)


def balance(s: Array, t: Array, y: Array, ids: Index, selected: int | None, palette: Palette) -> go.Figure:
    """A bar for each point: the slope s (m,) that the optimum chooses, the points by their t = y f, smallest first.

    customdata of the bars: ids, t.
    """
    order = np.argsort(t, kind="stable")
    ranks, sides = np.arange(1.0, len(s) + 1), np.where(np.abs(t - 1) < KINK, 0, np.sign(t - 1))
    figure = blank(palette, "", _("slope"), height=300)
    custom = np.stack([ids[order].astype(float), t[order]], 1)
    hover = _("point {id}").format(id="%{customdata[0]}") + "<br>y f = %{customdata[1]:.5g}<br>%{y:.5g}<extra></extra>"
    bars = marks.bars(
        palette, ranks, s[order] + 0.0, y[order], custom, ids[order] == selected, name="slopes", hover=hover
    )
    figure.add_trace(bars)
    free = np.flatnonzero((np.abs(s[order]) > ROUNDING) & (np.abs(s[order]) < 1 - ROUNDING))
    figure.add_trace(
        marks.dots(
            palette,
            ranks[free],
            s[order][free],
            custom[free],
            np.zeros(len(free), bool),
            palette.text,
            name="free",
            hover=hover,
        )
    )
    for level in (-1.0, 1.0):
        marks.add_rule(figure, palette, palette.quiet, "dot", y=level)
    names = []
    for side, words in ((-1, "y f < 1"), (0, "= 1"), (1, "> 1")):
        rows = ranks[sides[order] == side]
        if len(rows):
            names.append(Label(words, float(rows.mean()), 1.12, palette.quiet, ""))
            if rows[-1] < len(s):
                marks.add_rule(figure, palette, palette.quiet, "dash", x=float(rows[-1]) + 0.5)
    figure.update_xaxes(range=[0.4, len(s) + 0.6], showticklabels=False, showgrid=False)
    figure.update_yaxes(range=[-1.25, 1.25], tickvals=[-1, 0, 1], zeroline=True).update_layout(bargap=0.16)
    return place_labels(figure, palette, names, backed=True)

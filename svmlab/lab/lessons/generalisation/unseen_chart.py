"""How much goes wrong of what a machine has seen and of what it has not: two bars for the board, a dot for each of many draws (G0)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.generalisation import Cloud
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import SIZE, dots, add_rule
from svmlab.lab.charts.palette import Palette, faded
from svmlab.lab.numbers import short
from svmlab.lab.words import _

BARS = (-0.62, -0.24)  # where the bars stand: left of the axis, which ends at 1
WIDE, EDGE = 0.24, -0.84
STEPS = (0.02, 0.05, 0.1, 0.2, 0.5)


def seen_unseen(
    found: Cloud, train: float, true: float, own: int | None, best: float | None, palette: Palette
) -> go.Figure:
    """Bars for the board's shares `train` and `true`; dots at those of each draw, above the diagonal where the unseen go wrong more often.

    own: which draw the board is, None where it is none of them. best: the least true error that any machine has. customdata of the
    dots: the number of the draw.
    """
    figure = blank(palette, _("share wrong of the seen points"), _("share wrong"), height=260)
    right = 1.1 * max(float(found.train.max()), train, 0.05)
    top = 1.2 * max(float(found.true.max()), true, train, 0.05)
    diagonal = np.array([0.0, min(right, top)])
    x = right * np.array(BARS)
    bars = go.Bar(x=x, y=np.array([train, true]), width=right * WIDE, name="board")
    colours = np.array([palette.quiet, palette.accent])
    figure.add_trace(bars.update(marker={"color": colours}, hovertemplate="%{y:.4g}<extra></extra>"))
    for name, xs, ys, pen in (
        ("equal", diagonal, diagonal, palette.pen(palette.quiet, 1.5, "dash")),
        ("unseen", np.array([x[1], train]), np.array([true, true]), palette.pen(palette.accent, 1.5, "dot")),
        ("gap", np.array([train, train]), np.array([train, true]), palette.pen(palette.accent, 2.5)),
    ):
        figure.add_trace(go.Scatter(x=xs, y=ys, mode="lines", name=name, line=pen, hoverinfo="skip"))
    if best is not None:
        add_rule(figure, palette, palette.other, "dot", y=best)
    add_rule(figure, palette, palette.zero, x=0.0, width=1)
    number = np.arange(len(found.train))
    hover = _("draw {n}: {train} of the seen, {true} of the unseen").format(
        n="%{customdata}", train="%{x:.3g}", true="%{y:.3g}"
    )
    every = dots(
        palette, found.train, found.true, number, number == own, palette.quiet, name="draws", hover=hover, edge=1
    )
    figure.add_trace(every.update(hovertemplate=hover + "<extra></extra>"))
    mean = float(found.train.mean()), float(found.true.mean())
    star = {"size": (SIZE + 6) * palette.stroke, "symbol": "cross", "color": palette.text}
    star["line"] = palette.pen(palette.paper, 2)
    middle = go.Scatter(x=np.array([mean[0]]), y=np.array([mean[1]]), mode="markers", name="mean", marker=star)
    said = _("mean: {train} of the seen, {true} of the unseen").format(train="%{x:.4g}", true="%{y:.4g}")
    figure.add_trace(middle.update(hovertemplate=said + "<extra></extra>"))
    ring = {"size": (SIZE + 5) * palette.stroke, "color": faded(palette.accent, 0.2)}
    ring["line"] = palette.pen(palette.accent, 3)
    here = go.Scatter(x=np.array([train]), y=np.array([true]), mode="markers", name="now", hoverinfo="skip")
    figure.add_trace(here.update(marker=ring))
    step = next((each for each in STEPS if right / each < 5), STEPS[-1])
    ticks = step * np.arange(int(right / step) + 1)
    figure.update_xaxes(
        range=[EDGE * right, right],
        tickvals=np.r_[x, ticks],
        ticktext=[_("seen"), _("unseen"), *(short(float(each), 2) for each in ticks)],
        showgrid=False,
        zeroline=False,
    )
    figure.update_yaxes(range=[0.0, top], nticks=5)
    labels = [
        Label(short(train, 3), float(x[0]), train, palette.quiet, "above"),
        Label(short(true, 3), float(x[1]), true, palette.accent, "above"),
        Label(_("equal"), float(diagonal[1]), float(diagonal[1]), palette.quiet),
    ]
    if best is not None:
        labels.append(Label(_("least {best}").format(best=short(best, 3)), right, best, palette.other))
    return place_labels(figure, palette, labels, backed=True)

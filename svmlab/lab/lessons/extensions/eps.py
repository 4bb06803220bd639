"""Eps and C: a wider tube needs fewer points to hold it and in the end none, and no far point pulls with more than C
(X2).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.board import tube_picture
from svmlab.lab.board.payload import sliders
from svmlab.lab.charts.frame import axis_range, blank
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import SIZE, add_rule, dots
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.glossary.extensions import OF_A_TUBE
from svmlab.lab.lessons.extensions.boards import NEAR_A_LINE, OF_VALUES, SOLVED, values
from svmlab.lab.lessons.extensions.growing import (
    HEIGHTS,
    by,
    far,
    fitted,
    flat,
    growing,
    pulled,
    raised,
    slope,
    squares,
)
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.session.controls import CONTROLS
from svmlab.lab.teach.overlay import dial, reading, set_dials, set_machine, set_picks, stroke
from svmlab.lab.teach.requirements import BIAS, LINEAR, SOFT
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Need, Op, Part, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.regression import Along, Fit

VIEWS = {"along": N_("along ε"), "outlier": N_("one far point")}
WIDEST = CONTROLS["eps"].high  # as much as half the range of any board
TOP = 0.97  # of the way to the edge: so far an arrow is seen whole
LEVEL = Need(
    lambda stage: stage.lab.regression_problem.constant_fit_eps > 0,
    N_("All values are the same here, and the line is level whatever ε is."),
    {},
)


def draw(stage: Stage) -> Data:
    """The sliders of what is looked at; with a far point the tube and the line of least squares that it has when it is
    raised.
    """
    price, wide, *_others = sliders(stage.lab)
    wide = wide | {
        "hi": min(WIDEST, max(float(wide["hi"]), math.ceil(11 * stage.lab.regression_problem.constant_fit_eps) / 10))
    }
    if not stage.shown or stage.pick("growing") == "along":
        return {"sliders": [price, wide]} | ({"message": None} if stage.moving else {})
    height, row, half = by(stage), far(stage), stage.lab.view
    up = dial("raised", _("How far one point is raised"), _("raised"), height, 0.0, HEIGHTS[-1], 0.5)
    fit, x = fitted(stage, height), stage.lab.coordinates[row]
    if fit is None:
        return {"sliders": [price, up]}
    ends = np.array([[-half], [half]])
    items = [stroke(np.hstack([ends, squares(stage, height).decision(ends)[:, None]]), "witness-line")]
    top = min(x[1] + height, TOP * half)
    if top > x[1]:
        items.append(stroke(np.array([x, (x[0], top)]), "accent", "arrow"))
    items.append(stroke(np.array([*x, 0.06 * half]), "accent", "disc"))
    seen = tube_picture.picture(raised(stage, height), fit, with_values=not stage.moving)
    return seen | {"sliders": [price, up], "overlay": items, "message": None}


def play(stage: Stage) -> Data | None:
    """The tube opens until it is level, and closes again; or the point goes up."""
    if stage.pick("growing") == "outlier":
        return {"key": "raised", "to": HEIGHTS[-1], "ms": 2600, "back": True}
    return {
        "key": "eps",
        "to": min(WIDEST, round(1.05 * stage.lab.regression_problem.constant_fit_eps, 2)),
        "ms": 3200,
        "back": True,
    }


def numbers(stage: Stage) -> Sequence[Reading]:
    """What carries the line and how steep it is; with a far point both slopes."""
    fit = stage.fit
    if stage.shown and stage.pick("growing") == "outlier":
        now = fitted(stage, by(stage))
        return [
            reading(_("raised by"), by(stage)),
            reading(_("slope of the tube"), slope(now) if now else "–"),
            reading(_("slope of least squares"), slope(squares(stage, by(stage)))),
        ]
    return [
        reading("ε", fit.problem.eps),
        reading(_("support vectors"), str(int(fit.support.sum()))),
        reading("|w|", fit.norm_w),
        *([reading(_("half the range"), fit.problem.constant_fit_eps)] if stage.shown else []),
    ]


def verdict(stage: Stage) -> str:
    """From where to where, on this board."""
    level = short(stage.lab.regression_problem.constant_fit_eps)
    first = stage.cache.task_outcome(replace(stage.lab, eps=0.0)).solution
    if not isinstance(first, Fit):
        return _("it falls: none is left from ε = {level} on, where w = 0.").format(level=level)
    return _("it falls, here from {first} at ε = 0 to none at ε ≥ {level}, where w = 0.").format(
        first=int(first.support.sum()), level=level
    )


def chart(stage: Stage) -> Chart:
    """What is looked at; a click sets the board."""
    if stage.pick("growing") == "outlier":
        found = pulled(stage)
        figure = slopes(found.by, found.tube, found.squares, np.array(HEIGHTS), by(stage), stage.palette)
        return Chart(figure, lambda height: set_dials(raised=float(height)))
    fit = stage.fit
    here = fit.problem.eps, int(fit.support.sum()), fit.norm_w
    figure = carried(growing(stage), fit.problem.constant_fit_eps, here, stage.palette)
    return Chart(figure, lambda value: set_machine(eps=min(float(value), WIDEST)))


def says(stage: Stage) -> str:
    """What the picture shows."""
    if stage.pick("growing") == "outlier":
        return _(
            "Pink: the line of least squares, in which a point pulls with its distance. Outside the tube it "
            "pulls with $C$, however far it is. Select another, or turn **raised**."
        )
    return _(
        "From half the range of $x_2$ on, a level line has all points inside its tube, and no $w$ is "
        "shorter than 0. Click a mark, or turn $\\varepsilon$."
    )


def formula(stage: Stage) -> str:
    """Why."""
    if stage.pick("growing") == "outlier":
        return r"w=\sum_i(\alpha_i-\alpha_i^*)\,x_i,\qquad |\alpha_i-\alpha_i^*|\le C"
    return r"\varepsilon\ge\tfrac12\big(\max_i y_i-\min_i y_i\big)\ \Longrightarrow\ w=0,\ N=0"


def more(stage: Stage) -> Sequence[Part]:
    """Why, two ways, what happens in between, and the neighbour that fails."""
    found, problem = growing(stage), stage.lab.regression_problem
    level, length, moved = problem.constant_fit_eps, flat(stage), pulled(stage)
    at = [int(np.searchsorted(moved.by, height)) for height in HEIGHTS]
    told = ", ".join(short(float(moved.tube[i])) for i in at), ", ".join(short(float(moved.squares[i])) for i in at)
    rises = int((np.diff(found.count) > 0).sum())
    longest = float(found.eps[int(found.norm_w.argmax())])
    return [
        _(
            "**Why.** Every point that lies strictly inside the tube has the multiplier 0. At $\\varepsilon "
            "= {level}$ the line halfway between the lowest and the highest value "
            "has no slack, and $\\frac12\\|w\\|^2 = 0$: nothing costs less."
        ).format(level=short(level)),
        _(
            "**Two ways.** That is the theorem. The second solver, which knows nothing of it, gets $\\|w\\|$ "
            "= {length} there from the program as it is written."
        ).format(length=short(length, 2))
        if math.isfinite(length)
        else _(
            "**Two ways.** That is the theorem. The second solver comes to no end there at this C: try one nearer 1."
        ),
        _(
            "**On the way** nothing is promised from one $\\varepsilon$ to the next: neither $N$ nor "
            "$\\|w\\|$ has to fall at each step. Here $N$ rises at {rises} of "
            "{pairs} steps, and $\\|w\\|$ is largest at $\\varepsilon = {longest}$."
        ).format(rises=rises, pairs=len(found.eps) - 1, longest=short(longest, 3)),
        _(
            "**Least squares does not do that.** One point raised by 0, 2, 5, 50: the slopes of the tube are "
            "{tube}, those of least squares {squares}. Once the point is outside "
            "the tube its multiplier is $C$, and all conditions of optimality hold on, however far it goes. "
            "In least squares it pulls with its distance."
        ).format(tube=told[0], squares=told[1]),
    ]


def opened(stage: Stage) -> Op:
    """The tube as wide as half the range."""
    return set_machine(eps=stage.lab.regression_problem.constant_fit_eps)


LOWER = 1.5  # by which the scale of |w| is longer than |w| itself, so that it begins below N
SEVEN = 7  # px of a mark


def carried(found: Along, level: float, here: tuple[float, int, float], palette: Palette) -> go.Figure:
    """N, on the left scale, and |w|, on the right one, over eps; a rule at `level`, from which on both are 0.

    here: eps, N and |w| of the board, ringed. A click on a mark tells its eps.
    """
    figure = blank(palette, height=240)
    x, N, w = found.eps, found.count.astype(float), found.norm_w
    steepest = max(float(w.max()), here[2])
    most, longest = 1.12 * max(float(N.max()), 1.0), LOWER * (steepest if steepest > ROUNDING else 1.0)
    end = max(float(x[-1]), 1.02 * here[0])
    figure.add_vrect(x0=level, x1=1.02 * end, fillcolor=palette.grid, line_width=0, layer="below")
    add_rule(figure, palette, palette.quiet, "dot", x=level)
    told = "ε = %{x:.4g}<br>|w| = %{y:.4g}<extra></extra>"
    length = go.Scatter(x=x, y=w, mode="lines", name="|w|", line=palette.pen(palette.other), hovertemplate=told)
    figure.add_trace(length.update(yaxis="y2"))
    stairs = go.Scatter(x=x, y=N, mode="lines", name="N", line=palette.pen(palette.accent, 2.0), hoverinfo="skip")
    figure.add_trace(stairs)
    hover = "ε = %{x:.4g}<br>" + _("support vectors") + " = %{y}<extra></extra>"
    small = dots(palette, x, N, x, np.zeros(len(x), dtype=bool), palette.accent, name="tubes", hover=hover)
    small.marker.size = SEVEN * palette.stroke
    figure.add_trace(small)
    add_rule(figure, palette, palette.text, "dot", x=here[0])
    for y, axis in ((here[1], "y"), (here[2], "y2")):
        figure.add_trace(_ring(here[0], float(y), palette).update(yaxis=axis, hoverinfo="skip"))
    figure.update_layout(
        yaxis2={
            "overlaying": "y",
            "side": "right",
            "range": [-0.04 * longest, longest],
            "tickmode": "auto",
            "nticks": 5,
            "showgrid": False,
            "tickfont": {"color": palette.ink(palette.other)},
            "fixedrange": True,
        }
    )
    figure.update_yaxes(range=[-0.04 * most, most], nticks=5, tickformat="d", selector=0)
    figure.update_yaxes(tickfont={"color": palette.ink(palette.accent)}, selector=0)
    figure.update_xaxes(range=[-0.02 * end, 1.02 * end], tickvals=_ticks(0.95 * end), tickformat="~g")
    near, middle = (int(np.searchsorted(x, part * level)) for part in (0.35, 0.6))
    labels = [
        axis_name(figure, "ε", palette),
        Label(_("support vectors"), float(x[middle]), float(N[middle]), palette.accent, "above"),
        Label("|w|", float(x[near]), float(w[near]) * most / longest, palette.other, "above right"),
        Label(_("half the range"), level, most, palette.quiet, "below left"),
    ]
    return place_labels(figure, palette, labels, backed=True)


def slopes(raised: Array, tube: Array, squares: Array, marked: Array, now: float, palette: Palette) -> go.Figure:
    """The slopes (k,) of the tube's line and of least squares over how far one point is `raised` (k,), a ring where it
    is now.

    marked: heights among them that a click on their mark tells.
    """
    figure = blank(palette, height=240)
    at = np.searchsorted(raised, marked)
    for name, y, colour, symbol in (
        (_("least squares"), squares, palette.other, "square"),
        (_("tube"), tube, palette.accent, "circle"),
    ):
        hover = f"{name}: %{{y:.4f}}<br>" + _("raised by") + " %{x:.4g}<extra></extra>"
        line = go.Scatter(x=raised, y=y, mode="lines", name=name, line=palette.pen(colour))
        figure.add_trace(line.update(hovertemplate=hover))
        none = np.zeros(len(at), dtype=bool)
        figure.add_trace(dots(palette, marked, y[at], marked, none, colour, name=name, hover=hover, symbol=symbol))
        figure.add_trace(_ring(now, float(np.interp(now, raised, y)), palette).update(hoverinfo="skip"))
    add_rule(figure, palette, palette.text, "dot", x=now)
    last = float(raised[-1])
    figure.update_xaxes(range=[-0.02 * last, 1.02 * last], nticks=6)
    figure.update_yaxes(range=axis_range(0.0, tube, squares), nticks=5)
    labels = [
        axis_name(figure, _("raised by"), palette),
        Label(
            _("slope of least squares"),
            0.5 * last,
            float(np.interp(0.5 * last, raised, squares)),
            palette.other,
            "above left",
        ),
        Label(_("slope of the tube"), 0.5 * last, float(np.interp(0.5 * last, raised, tube)), palette.accent, "below"),
    ]
    return place_labels(figure, palette, labels)


def _ticks(end: float) -> Array:
    """Four to eight round places from 0 to `end`: the name of the axis stands right of them."""
    unit = 10.0 ** np.floor(np.log10(end))
    step = next(part * unit for part in (0.2, 0.5, 1.0, 2.0) if end / (part * unit) < 7)
    return step * np.arange(int(end / step) + 1)


def _ring(x: float, y: float, palette: Palette) -> go.Scatter:
    ring = {"size": (SIZE + 5) * palette.stroke, "color": CLEAR, "line": palette.pen(palette.text, 2.5)}
    return go.Scatter(x=np.array([x]), y=np.array([y]), name="now", mode="markers", marker=ring, cliponaxis=False)


EPS = Step(
    key="eps",
    title=N_("ε and C"),
    question=N_("The tube gets wider: $\\varepsilon$ grows. What becomes of the number of support vectors?"),
    choices=(
        right(N_("It falls, in the end to 0 with w = 0")),
        wrong(
            N_("It rises"),
            N_("More points come into the tube; but those inside are the ones that are not felt."),
        ),
        wrong(N_("It stays"), N_("Points that come to lie inside the tube carry nothing any more.")),
    ),
    verdict=verdict,
    board=values(NEAR_A_LINE, eps=0.3, value=1.0),
    needs=(OF_VALUES, SOFT, BIAS, LINEAR, LEVEL, SOLVED),
    draw=draw,
    play=play,
    numbers=numbers,
    picks=(Pick("growing", N_("Look at"), tuple(VIEWS), "along", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=formula,
    letters=OF_A_TUBE,
    more=more,
    tries=(
        Try(N_("ε at half the range"), opened),
        Try("C = 0.01", set_machine(face="C", value=0.01)),
        Try(N_("A far point"), set_picks(growing="outlier")),
    ),
    shows=("X2",),
)

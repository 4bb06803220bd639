"""The support vectors of the tube: each residual with its multiplier, from two programs (X2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.marks import RING, add_rule, dots
from svmlab.lab.glossary.extensions import OF_A_TUBE
from svmlab.lab.lessons.extensions.boards import OF_VALUES, ON_EDGE, SOLVED, flower_values
from svmlab.lab.lessons.extensions.programs import as_written, both_programs, kkt_violation
from svmlab.lab.lessons.extensions.tube import WIDE, residual_segment
from svmlab.lab.lessons.extensions.tube_chart import colours, groups
from svmlab.lab.numbers import ROUNDING, short, zero_if_rounding
from svmlab.lab.session.controls import EDGE as BORDER
from svmlab.lab.teach.overlay import select_point, stroke
from svmlab.lab.teach.requirements import PRODUCT, SOFT, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Op, Part, Step, Try, right, wrong
from svmlab.lab.words import N_, _, written
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import MARGIN, Label, place_labels
from svmlab.plot.palette import Palette
from svmlab.regression import Fit

INSIDE, ON_AN_EDGE, OUTSIDE = range(3)
SAYS = {
    INSIDE: N_("The circled point is inside. If you drag it, $w$ does not change until the point reaches an edge."),
    ON_AN_EDGE: N_("If you drag the circled point a little, the edge follows it, and the height of its bar changes."),
    OUTSIDE: N_("The circled point is outside. If you drag it farther away, $w$ does not change."),
}
AT_A_LIMIT = N_("The circled point has the multiplier {value}. If you drag it a little, the edge need not follow.")
SCALE = 2.2  # the chart shows C up to so many times the largest bar


def selected_row(stage: Stage) -> int:
    """Return the row of the selected point, otherwise of the one on an edge, or of all, with the largest multiplier."""
    if stage.selected_row is not None:
        return stage.selected_row
    fit = stage.fit
    return int((np.abs(fit.beta) + 2 * fit.problem.C * fit.free).argmax())


def group(stage: Stage) -> int:
    """Return whether the selected point is inside the tube, on an edge or outside."""
    return int(groups(stage.fit)[selected_row(stage)])


def multiplier(stage: Stage) -> float:
    """Return alpha − alpha* of the selected point."""
    return float(stage.fit.beta[selected_row(stage)])


def multiplier_sum(stage: Stage) -> float:
    """Return the sum of alpha − alpha* over all points, and 0 if it is only rounding."""
    problem = stage.fit.problem
    return zero_if_rounding(float(stage.fit.beta.sum()), ROUNDING * max(1.0, problem.C * problem.data.m))


def primal_and_dual(stage: Stage) -> tuple[Fit, Fit] | None:
    """Return the solutions from which the residuals and the multipliers are taken, or None while they are computed.

    The exact method replaces a program that cannot be solved as it is written.
    """
    programs = both_programs(stage)
    return None if programs is None else (programs[0] or stage.fit, programs[1] or stage.fit)


def situation(stage: Stage) -> str:
    """Return what the multipliers are, and where the circled point lies."""
    multipliers = _(
        "In support vector regression, every point $(x_i, y_i)$ has a **multiplier** $\\alpha_i$ for the upper edge "
        "$f(x) + \\varepsilon$ of the tube, and $\\alpha_i^*$ for the lower edge. At most one of them is positive, and "
        "then the point is a **support vector**. The slope is $w = \\sum_i(\\alpha_i - \\alpha_i^*)x_i$."
    )
    if group(stage) != ON_AN_EDGE:
        return multipliers
    return multipliers + " " + _("The circled point lies exactly on an edge.")


def draw(stage: Stage) -> Data:
    """Return the mark of the selected point, and after Show its residual."""
    row = selected_row(stage)
    overlay = [stroke(residual_segment(stage, row), "accent")] if stage.shown else []
    return {"overlay": overlay, "selected": stage.lab.points[row].id}


def play(stage: Stage) -> Data | None:
    """Return the animation in which the selected point goes from the line to the edge and takes the edge with it."""
    row = selected_row(stage)
    if stage.selected_row is None or group(stage) == INSIDE:
        return None
    x, y = residual_segment(stage, row)[0].tolist()
    return {"point": stage.lab.points[row].id, "from": [x, y], "ms": 3200} if abs(y) <= BORDER / 1000 else None


def verdict(stage: Stage) -> str:
    """Return the answer, with the multiplier of the selected point if it is on an edge."""
    if group(stage) != ON_AN_EDGE:
        return _("Any value from 0 to C. Strictly inside the tube the multiplier is 0, and outside it is C.")
    words = _("Any value from 0 to C, here {value}. Strictly inside the tube the multiplier is 0, and outside it is C.")
    return words.format(value=short(abs(multiplier(stage)), 3))


def chart(stage: Stage) -> Chart:
    """Return the multiplier of each point as a bar. A click selects a point."""
    primal, dual = primal_and_dual(stage) or (stage.fit, stage.fit)
    if stage.fit.alpha_unique is not True:  # several optima: show the one of the board
        dual = stage.fit
    selected = stage.lab.points[selected_row(stage)].id
    return Chart(multiplier_bars(dual.beta, primal, groups(primal), selected, stage.palette), select_point)


def says(stage: Stage) -> str:
    """Return what the bars are, and what to see."""
    if not stage.fit.support.any():
        return _("All points are inside a horizontal tube, or on its edges. So every multiplier is 0.")
    bars = _("Each bar is the multiplier of one point, positive for the upper edge and negative for the lower.")
    if group(stage) == ON_AN_EDGE and not stage.fit.free[selected_row(stage)]:
        value = "C" if stage.fit.support[selected_row(stage)] else "0"
        return bars + " " + _(AT_A_LIMIT).format(value=value)
    return bars + " " + _(SAYS[group(stage)])


def more(stage: Stage) -> Sequence[Part]:
    """Return the two programs, the KKT conditions, the sum of the multipliers, and what is not unique."""
    fit, solutions, programs = stage.fit, primal_and_dual(stage), as_written(stage)
    parts = [] if programs is None else [programs]
    if solutions is not None:
        parts.append(
            _(
                "**Residual and multiplier.** The colours come from the residuals of the primal program, and the "
                "heights from the multipliers of the dual program. By the KKT conditions, the multiplier is 0 inside "
                "the tube, $C$ = {C} outside, and between 0 and $C$ on an edge. The largest violation is {violation}."
            ).format(C=short(fit.problem.C), violation=short(kkt_violation(*solutions), 2))
        )
    parts += [
        _(
            "**Two edges.** For $\\varepsilon > 0$, no point lies on both edges. So $\\alpha_i$ or $\\alpha_i^*$ is 0, "
            "and $\\alpha_i\\alpha_i^* = 0$. A point on or above the upper edge pulls the line up, and one on or below "
            "the lower edge pulls it down."
        ),
        _(
            "**The sum.** At the optimum, the derivative with respect to $b$ is 0. This is $\\sum_i(\\alpha_i - "
            "\\alpha_i^*) = 0$, so the upward and the downward pulls are equal. Without $b$, the sum can differ from 0."
        ),
        _(
            "**On an edge.** The multipliers of the points outside are fixed at $C$. Those of the points on an edge "
            "balance the sums for $w$ and $b$. Such a multiplier can also be exactly 0 or exactly $C$."
        ),
    ]
    if fit.alpha_unique is False:
        parts.append(
            _(
                "**Not unique.** Here several choices of multipliers give the same line. The board and the chart show "
                "the one with the smallest sum of squares."
            )
        )
    return parts


def pushed_in(stage: Stage) -> Op:
    """Return the operation that moves the selected point nearer to the line by a third of eps, and selects it."""
    lab, row = stage.lab, selected_row(stage)
    residual = float(stage.fit.residuals[row])
    move = -np.sign(residual) * min(abs(residual), lab.eps / 3)
    points = tuple(p._replace(y=round(p.y + 1000 * move)) if i == row else p for i, p in enumerate(lab.points))
    return {"op": "load", "lab": replace(lab, points=points, selected=lab.points[row].id)}


def solved_with(C: float, eps: float, stage: Stage) -> Op:
    """Return the operation that sets C and eps, and selects nothing, so that a point on the new edge is circled."""
    return {"op": "load", "lab": replace(stage.lab, face="C", value=C, eps=eps, selected=None)}


def multiplier_bars(beta: Array, fit: Fit, group: Index, selected: int, palette: Palette) -> go.Figure:
    """Draw beta = alpha − alpha* (m,) in the order of x1, coloured by `group` (m,) from the residuals of `fit`.

    customdata: the id of the point and its residual. The selected point is ringed.
    """
    data, C = fit.problem.data, fit.problem.C
    order = np.argsort(data.X[:, 0], kind="stable")
    beta, ids = beta[order], data.ids[order]
    largest = float(np.abs(beta).max())
    shows_C = largest == 0 or SCALE * largest >= C
    unit = C if shows_C else largest
    top = 1.25 * unit
    figure = empty_chart(palette, "", "α − α*", height=270)
    add_rule(figure, palette, palette.quiet, y=0.0, width=1)
    for level in (C, -C) if shows_C else ():
        add_rule(figure, palette, palette.text, "dash", y=level)
    at, colour, is_selected = np.arange(data.m), colours(palette)[group[order]], ids == selected
    hover = _("point {id}").format(id="%{customdata[0]}")
    hover += written("<br>α − α* = %{y:.4g}<br>y − f = %{customdata[1]:.4g}<extra></extra>")
    custom = np.column_stack([ids, fit.residuals[order]])
    outline = {"color": palette.accent, "width": palette.stroke * np.where(is_selected, RING, 0)}
    bars = go.Bar(x=at, y=beta, width=min(0.6, 0.1 + 0.05 * data.m), name="multipliers", customdata=custom)
    figure.add_trace(bars.update(hovertemplate=hover, marker={"color": colour, "line": outline}))
    figure.add_trace(dots(palette, at, beta, custom, is_selected, colour, name="points", hover=hover, edge=1))
    figure.update_xaxes(range=[-0.7, data.m - 0.3], showticklabels=False, showgrid=False)
    figure.update_yaxes(range=[-top, top], nticks=5)
    inside, edge, outside = colours(palette)
    end = data.m - 0.4
    labels = [
        Label(_("inside: 0"), end, 0.0, inside),
        Label(_("upper edge: 0 to C"), end, 0.5 * unit, edge),
        Label(_("lower edge: 0 to −C"), end, -0.5 * unit, edge),
    ]
    if shows_C:
        labels += [Label(_("outside: C"), end, C, outside), Label(_("outside: −C"), end, -C, outside)]
    else:
        labels.append(
            Label(_("C = {C} is outside the chart").format(C=short(C)), -0.6, top, palette.quiet, "below right")
        )
    place_labels(figure, palette, labels)
    figure.layout.margin.b += round(MARGIN)
    order_words = Label(_("points in the order of x"), 0.5 * (data.m - 1), -top, palette.quiet, "below")
    return place_labels(figure, palette, [order_words])


EDGE = Step(
    key="edge",
    title=N_("Support vectors of the tube"),
    situation=situation,
    question=N_("Which values can the multiplier of a point have if the point lies exactly on an edge of the tube?"),
    choices=(
        wrong(
            N_("Only 0"),
            N_("This holds strictly inside the tube. On an edge 0 is possible, but so is every other value up to C."),
        ),
        wrong(
            N_("Only C"),
            N_("This holds outside the tube. On an edge C is possible, but so is every smaller value down to 0."),
        ),
        right(N_("Any value from 0 to C")),
    ),
    verdict=verdict,
    board=flower_values(ON_EDGE),
    needs=(OF_VALUES, SOFT, PRODUCT, WIDE, at_most(100), SOLVED),
    introduces=("multiplier-below",),
    draw=draw,
    play=play,
    rests_on_answer=lambda stage: group(stage) == ON_AN_EDGE and 0 < abs(multiplier(stage)) < stage.fit.problem.C,
    numbers=(
        Measure("α − α*", multiplier, N_("the multiplier of the circled point, negative for the lower edge"), True),
        Measure(
            N_("support vectors"),
            lambda stage: str(int(stage.fit.support.sum())),
            N_("the points with a positive multiplier"),
            True,
        ),
        Measure("Σ (α − α*)", multiplier_sum, N_("the sum over all points"), True),
    ),
    chart=chart,
    says=says,
    formula=r"w=\sum_i(\alpha_i-\alpha_i^*)\,x_i,\qquad \alpha_i\,\alpha_i^*=0",
    letters=OF_A_TUBE,
    more=more,
    tries=(
        Try(N_("Push it in"), pushed_in),
        Try("C = 0.1", partial(solved_with, 0.1, 0.2)),
        Try("ε = 0.6", partial(solved_with, 1.0, 0.6)),
    ),
    shows=("X2",),
)

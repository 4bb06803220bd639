"""Who holds the tube: where a point stands and what its multiplier is, from two programs (X2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import MARGIN, Label, place_labels
from svmlab.lab.charts.marks import RING, add_rule, dots
from svmlab.lab.charts.palette import Palette
from svmlab.lab.glossary.extensions import OF_A_TUBE
from svmlab.lab.lessons.extensions.boards import NEAR_A_LINE, OF_VALUES, SOLVED, values
from svmlab.lab.lessons.extensions.programs import answers, misfit, written
from svmlab.lab.lessons.extensions.tube import WIDE, upright
from svmlab.lab.lessons.extensions.tube_chart import colours, groups
from svmlab.lab.numbers import ROUNDING, short, zero_if_rounding
from svmlab.lab.session.controls import EDGE as BORDER
from svmlab.lab.teach.overlay import reading, select_point, stroke
from svmlab.lab.teach.requirements import PRODUCT, SOFT, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Op, Part, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.regression import Fit

HEARD = {
    0: N_("The marked point is inside: drag it, and nothing moves before it is at an edge."),
    1: N_("Drag the marked point a little: the edge goes along, and its bar changes."),
    2: N_("The marked point is outside: drag it farther out, and nothing moves."),
}


def chosen(stage: Stage) -> int:
    """The row of the selected point, else of the one on the edge with the largest multiplier, else of the largest of
    all.
    """
    if stage.selected_row is not None:
        return stage.selected_row
    fit = stage.fit
    return int((np.abs(fit.beta) + 2 * fit.problem.C * fit.free).argmax())


def _where(stage: Stage) -> int:
    """Whether the chosen point is inside the tube, on its edge or outside: 0, 1, 2."""
    return int(groups(stage.fit)[chosen(stage)])


def ways(stage: Stage) -> tuple[Fit, Fit] | None:
    """Where the residuals are from, and where the multipliers: the primal program and the dual, each as it is written,
    or the exact method in the place of one that cannot be solved so. None while that is worked on.
    """
    found = answers(stage)
    return None if found is None else (found[0] or stage.fit, found[1] or stage.fit)


def draw(stage: Stage) -> Data:
    """A point on the edge is marked, or the one that is selected; once shown with its residual."""
    row = chosen(stage)
    overlay = [stroke(upright(stage, row), "accent")] if stage.shown else []
    return {"overlay": overlay, "selected": stage.lab.points[row].id}


def play(stage: Stage) -> Data | None:
    """The chosen point comes from the line to the edge and takes it along: its multiplier grows from 0 on."""
    row = chosen(stage)
    if stage.selected_row is None or not _where(stage):
        return None
    x, y = upright(stage, row)[0].tolist()
    return {"point": stage.lab.points[row].id, "from": [x, y], "ms": 3200} if abs(y) <= BORDER / 1000 else None


def numbers(stage: Stage) -> Sequence[Reading]:
    """The chosen point's multiplier, how many there are, their sum, and how far the two programs are apart."""
    if not stage.shown:
        return ()
    fit, row, found = stage.fit, chosen(stage), ways(stage)
    total = zero_if_rounding(float(fit.beta.sum()), ROUNDING * max(1.0, fit.problem.C * fit.problem.data.m))
    return [
        reading(_("its α − α*"), float(fit.beta[row])),
        reading(_("support vectors"), float(fit.support.sum())),
        reading("Σ (α − α*)", total),
        reading(_("two ways differ by"), "…" if found is None else misfit(*found)),
    ]


def chart(stage: Stage) -> Chart:
    """The multiplier of each point as a bar; a click selects it."""
    primal, dual = ways(stage) or (stage.fit, stage.fit)
    if stage.fit.alpha_unique is not True:  # of many optima the one that the board draws
        dual = stage.fit
    return Chart(
        signed(dual.beta, primal, groups(primal), stage.lab.points[chosen(stage)].id, stage.palette), select_point
    )


def says(stage: Stage) -> str:
    """How the chart is read."""
    if stage.fit.norm_w == 0 and not stage.fit.support.any():
        return _("Here the tube holds every point while it is level: no point holds it, and all multipliers are 0.")
    return _("Colours are from residuals of the primal program, heights from the dual.") + " " + _(HEARD[_where(stage)])


def more(stage: Stage) -> Sequence[Part]:
    """Two ways, above and below, the sum, and who could be another."""
    fit, C = stage.fit, short(stage.fit.problem.C)
    found, told = ways(stage), written(stage)
    parts = [] if told is None else [told]
    if found is not None:
        parts.append(
            _(
                "**Residual and multiplier.** A residual inside the tube asks for 0, one outside for $C$ = {C}, "
                "an edge allows what is "
                "between. The dual's multipliers are off by {apart} from what the primal's residuals ask for."
            ).format(C=C, apart=short(misfit(*found), 2))
        )
    parts += [
        _(
            "**Above and below.** $\\alpha_i$ belongs to the upper edge, $\\alpha_i^*$ to the lower one. A "
            "point that is at one is away from the other by "
            "$2\\varepsilon$, so one of the two is 0: $\\alpha_i\\alpha_i^* = 0$. A bar upwards lifts the "
            "line, one downwards presses it."
        ),
        _(
            "**The sum.** Raising $b$ alone must not pay, so those above pull as hard as those below: "
            "$\\sum_i(\\alpha_i - \\alpha_i^*) = 0$. Without $b$ nothing asks for it."
        ),
        _(
            "**In between.** The points outside pull with $C$ each, and the few on the edges with what the "
            "balance still lacks. "
            "That may be exactly 0 or exactly $C$, by coincidence."
        ),
    ]
    if fit.alpha_unique is False:
        parts.append(
            _(
                "Here the load can be shared in several ways. The board and the chart have the one with the "
                "least sum of squares."
            )
        )
    return parts


def push_in(stage: Stage) -> Op:
    """The chosen point a third of ε nearer to the line, and selected."""
    lab, row = stage.lab, chosen(stage)
    r = float(stage.fit.residuals[row])
    way = -np.sign(r) * min(abs(r), lab.eps / 3)
    points = tuple(p._replace(y=round(p.y + 1000 * way)) if i == row else p for i, p in enumerate(lab.points))
    return {"op": "load", "lab": replace(lab, points=points, selected=lab.points[row].id)}


def priced(C: float, eps: float, stage: Stage) -> Op:
    """Another machine on these points, and nothing selected, so that a point on the new edge is marked."""
    return {"op": "load", "lab": replace(stage.lab, face="C", value=C, eps=eps, selected=None)}


FAR = 2.2  # times the largest bar: from there on C is off the chart


def signed(beta: Array, fit: Fit, place: Index, chosen: int, palette: Palette) -> go.Figure:
    """Beta = alpha - alpha* (m,) in the order of x1; place (m,): 0 inside, 1 on the edge, 2 outside, by the residuals
    of `fit`.

    customdata: the point's id; `chosen` is ringed.
    """
    data, C = fit.problem.data, fit.problem.C
    order = np.argsort(data.X[:, 0], kind="stable")
    beta, place, ids, r = beta[order], place[order], data.ids[order], fit.residuals[order]
    most = float(np.abs(beta).max())
    near = most == 0 or FAR * most >= C
    top = 1.25 * (C if near else most)
    figure = blank(palette, "", "α − α*", height=270)
    add_rule(figure, palette, palette.quiet, y=0.0, width=1)
    if near:
        for level in (C, -C):
            add_rule(figure, palette, palette.text, "dash", y=level)
    at, colour = np.arange(data.m), colours(palette)[place]
    told = _("point {id}").format(id="%{customdata[0]}")
    told += "<br>α − α* = %{y:.4g}<br>y − f = %{customdata[1]:.4g}<extra></extra>"
    custom, here = np.column_stack([ids, r]), ids == chosen
    figure.add_trace(
        go.Bar(
            x=at,
            y=beta,
            width=min(0.6, 0.1 + 0.05 * data.m),
            name="multipliers",
            customdata=custom,
            hovertemplate=told,
            marker={
                "color": colour,
                "line": {"color": palette.accent, "width": palette.stroke * np.where(here, RING, 0)},
            },
        )
    )
    figure.add_trace(dots(palette, at, beta, custom, here, colour, name="points", hover=told, edge=1))
    figure.update_xaxes(range=[-0.7, data.m - 0.3], showticklabels=False, showgrid=False)
    figure.update_yaxes(range=[-top, top], nticks=5)
    inside, edge, outside = colours(palette)
    right, half = data.m - 0.4, 0.5 * (C if near else most)
    labels = [
        Label(_("inside: 0"), right, 0.0, inside),
        Label(_("edge: up to C"), right, half, edge),
        Label(_("edge: up to −C"), right, -half, edge),
    ]
    if near:
        labels += [Label(_("outside: C"), right, C, outside), Label(_("outside: −C"), right, -C, outside)]
    else:
        labels.append(Label(_("C = {C} is far above").format(C=short(C)), -0.6, top, palette.quiet, "below right"))
    place_labels(figure, palette, labels)
    figure.layout.margin.b += round(MARGIN)
    return place_labels(
        figure, palette, [Label(_("points in the order of x₁"), 0.5 * (data.m - 1), -top, palette.quiet, "below")]
    )


EDGE = Step(
    key="edge",
    title=N_("Who holds the tube"),
    question=N_("A point lies exactly on the edge of the tube, neither inside nor outside. What is its multiplier?"),
    choices=(
        wrong(N_("0"), N_("So it is inside. On the edge it may be, where others hold the tube.")),
        wrong("C", N_("So it is outside, where it can pull no harder. On the edge it may be.")),
        right(N_("Anything from 0 to C")),
    ),
    verdict=lambda stage: _("anything from 0 to C. Inside it is 0, outside it is C."),
    board=values(NEAR_A_LINE, eps=0.3, value=1.0, selected=2),
    needs=(OF_VALUES, SOFT, PRODUCT, WIDE, at_most(100), SOLVED),
    draw=draw,
    play=play,
    numbers=numbers,
    chart=chart,
    says=says,
    formula=r"w=\sum_i(\alpha_i-\alpha_i^*)\,x_i,\qquad \alpha_i\,\alpha_i^*=0",
    letters=OF_A_TUBE,
    more=more,
    tries=(
        Try(N_("Push it in"), push_in),
        Try("C 0.1, ε 0.1", partial(priced, 0.1, 0.1)),
        Try("C 10, ε 0.6", partial(priced, 10.0, 0.6)),
    ),
    shows=("X2",),
)

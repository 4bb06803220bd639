"""Points that no line separates: the contradiction, and the dual without bound (H11)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab import NotSeparable
from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import add_rule, mark_current
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.duality.ascent import ascent
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import dial, place, reading, set_dials
from svmlab.lab.teach.requirements import BOTH_CLASSES, HARD, PRODUCT
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Need, Part, Pick, Reading, Step, Table, Try, right, wrong
from svmlab.lab.teach.table import head, number, row, table, words
from svmlab.lab.words import N_, _

CLIMB = 200
FAR = 10.0
PRICES = {"none": math.inf, "4": 4.0, "1": 1.0}


def proof(stage: Stage) -> tuple[Array, Index] | None:
    """The weights v (m,) of the contradiction and the rows that carry them; None where there is a line."""
    error = stage.outcome.error
    if not isinstance(error, NotSeparable) or error.separation.weights is None:
        return None
    return error.separation.weights, error.separation.witness


NO_LINE = Need(
    lambda stage: proof(stage) is not None, N_("There is a line between these classes, so the dual has a best α."), {}
)


def found(stage: Stage) -> tuple[Array, Index]:
    """The same where the need NO_LINE is met."""
    known = proof(stage)
    assert known is not None, "this step needs NO_LINE"
    return known


def curve(stage: Stage) -> float:
    """The quadratic term of the dual along v: 0, or what rounding leaves of it."""
    problem, v = stage.lab.problem, found(stage)[0]
    signed = v * problem.data.y
    value, size = float(signed @ problem.gram @ signed), float(v @ np.abs(problem.gram) @ v)
    return 0.0 if value <= 1e-10 * size else value


def end(stage: Stage) -> float:
    """The t at which a weight reaches C."""
    return PRICES[stage.pick("ceiling")] / float(found(stage)[0].max())


def along(stage: Stage) -> float:
    """How far the weights have grown."""
    return min(stage.dial("along", 1.0), end(stage))


def draw(stage: Stage) -> Data:
    """The points of the contradiction fill up as their weights grow."""
    if not stage.shown:
        return {"message": None}
    v, t = found(stage)[0], along(stage)
    m = stage.data.m
    look = {
        "fill": np.round(np.minimum(1.0, t * v / (FAR * float(v.max()))), 3).tolist(),
        "state": ["none"] * m,
        "cat": ["outside"] * m,
        "wrong": [False] * m,
    }
    return {
        "message": None,
        "marks": look,
        "sliders": [dial("along", _("How far along the weights v"), "t", stage.dial("along", 1.0), 0.0, FAR, 0.1)],
    }


def numbers(stage: Stage) -> Sequence[Reading]:
    """The dual along the weights, and its two terms."""
    if not stage.shown:
        return ()
    v, t = found(stage)[0], along(stage)
    slope = float(v.sum())
    return [
        reading(_("weights"), f"{short(t)} v"),
        reading("Σ t v", t * slope),
        reading(_("quadratic term"), 0.5 * curve(stage) * t * t),
        reading(_("dual"), t * slope - 0.5 * curve(stage) * t * t),
    ]


def chart(stage: Stage) -> Chart:
    """The dual along t v, cut off where a finite C would stop it."""
    v = found(stage)[0]
    return Chart(ray(float(v.sum()), curve(stage), end(stage), along(stage), FAR, stage.palette))


def says(stage: Stage) -> str:
    """What v proves."""
    if stage.pick("ceiling") != "none":
        return _("The way out: with a finite C no weight may pass C, and the dual is bounded again. That is slack.")
    return _(
        "Every line gives the weighted sum of $y f$ exactly 0, while the constraints ask it for at least {asked}."
    ).format(asked=short(float(found(stage)[0].sum())))


def more(stage: Stage) -> Sequence[Part]:
    """The contradiction in full, and how a climb fares."""
    data, (v, rows) = stage.data, found(stage)
    body = [
        row(
            int(data.ids[i]),
            str(i + 1),
            float(data.y[i]),
            [words(place(data.X[i])), number(float(v[i]), 4)],
            stage.lab.selected,
        )
        for i in rows
    ]
    run = stage.cached("climb", lambda: ascent(stage.lab.problem, CLIMB))
    climb = (
        _("A climb from α = 0 meets a direction along which the dual grows for ever.")
        if run.unbounded
        else _(
            "A climb from α = 0 has reached {dual} after {steps} steps, and not one feasible machine above it."
        ).format(dual=short(float(run.dual[-1])), steps=run.steps)
    )
    return [
        _(
            "The hulls of the classes share a place (ringed points), so weights $v \\ge 0$ exist whose sum "
            "vanishes. This is where "
            "Gruber's German handout and the Italian notes on half-spaces and hinge leave the hard margin. "
            "On points with a line "
            "the dual along $t\\,\\alpha^*$ is a parabola instead, with its top at $t = 1$."
        ),
        r"$$\sum_iv_iy_i\varphi(x_i)=0\;\Rightarrow\;\sum_iv_i\,y_if(x_i)=0\;\text{ for every }(w,b)$$",
        Table(table(head("x", "v"), body)),
        climb,
    ]


def ray(slope: float, curve: float, end: float, here: float, far: float, palette: Palette) -> go.Figure:
    """The value slope t - curve t^2 / 2 for t up to `far`, or to `end` where a ceiling on the weights stops it; the
    board stands at `here`.
    """
    figure = blank(palette, "t", _("dual at t v"), height=300)
    t = np.linspace(0.0, min(end, far), 80)
    value = slope * t - 0.5 * curve * t * t
    figure.add_trace(
        go.Scatter(
            x=t,
            y=value,
            mode="lines",
            line=palette.pen(palette.other, 3),
            hovertemplate="t = %{x:.3g}<br>%{y:.5g}<extra></extra>",
            name="dual",
        )
    )
    top = slope * far
    figure.update_xaxes(range=[0.0, 1.02 * far])
    figure.update_yaxes(range=[-0.06 * top, 1.1 * top], nticks=4)
    if here <= end:
        mark_current(figure, palette, here, slope * here - 0.5 * curve * here * here)
    if end <= far:
        add_rule(figure, palette, palette.quiet, "dash", x=end)
        return place_labels(figure, palette, [Label(_("a weight reaches C"), end, 0.9 * top, palette.text, "right")])
    return place_labels(
        figure, palette, [Label(_("without end"), 0.55 * far, 0.55 * top, palette.other, "below right")]
    )


NONE = Step(
    key="none",
    title=N_("When there is no line"),
    question=N_(
        "No line separates these points, and still the hard margin is asked for: the primal has no feasible point. "
        "What happens to the dual?"
    ),
    choices=(
        wrong(
            N_("It has no feasible α either"), N_("The primal fails, but α = 0 always meets the dual's constraints.")
        ),
        right(N_("It grows without bound")),
        wrong(
            N_("Its best α is 0"), N_("At α = 0 it is 0, but along the weights of the ringed points it rises for ever.")
        ),
    ),
    board=preset("xor", size=8, seed=0, hard=True),
    needs=(BOTH_CLASSES, PRODUCT, HARD, NO_LINE),
    draw=draw,
    play=lambda stage: {"key": "along", "op": "dial", "from": 0.0, "to": 8.0, "ms": 2000},
    numbers=numbers,
    picks=(Pick("ceiling", N_("C"), tuple(PRICES), "none", lambda name: "C = ∞" if name == "none" else f"C = {name}"),),
    chart=chart,
    says=says,
    formula=lambda stage: (
        r"\sum_iv_i\,y_i\,\varphi(x_i)=0,\quad v\ge0" + (r",\quad y^\top v=0" if stage.lab.bias else "")
    ),
    more=more,
    tries=(
        Try("t = 10", set_dials(along=10.0)),
        Try(
            N_("One point astray"),
            board=board_of_points(
                (
                    (1.2, 1, 1),
                    (2, -0.5, 1),
                    (2.6, 1.8, 1),
                    (1.6, 2.4, 1),
                    (3, 0.4, 1),
                    (-1.4, 0.6, 1),
                    (-1, -1, -1),
                    (-2.2, 0.4, -1),
                    (-1.6, 1.6, -1),
                    (-2.8, -1.2, -1),
                    (-0.8, 0.8, -1),
                ),
                hard=True,
            ),
        ),
        Try(
            N_("Both in one place"), board=board_of_points(((0, 0, 1), (0, 0, -1), (2, 1, 1), (-2, -1, -1)), hard=True)
        ),
    ),
    shows=("H11",),
)

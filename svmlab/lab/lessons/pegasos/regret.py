"""Regret, run by run: both sides of its bound along the steps, with three factors (P6)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Mask
from svmlab.lab.lessons.pegasos.arrows import scale
from svmlab.lab.lessons.pegasos.runs import (
    IN_THE_PLANE,
    OTHER_DRAWS,
    labelled_value,
    seed,
    short_comparison,
)
from svmlab.lab.numbers import grouped, short
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import POINTS_ONLY, set_machine, stroke
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Need, Pick, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.pegasos import PegasosRun, comparator_loss, corrected_factor, harmonic, printed_factor, regret_bound
from svmlab.plot.frame import axis_range
from svmlab.plot.lines import Line, curves
from svmlab.plot.palette import Palette

RUNS = 5  # the inequality holds for each by itself
STEPS = Pick("regret", N_("steps T"), (10, 100, 1_000, 10_000), 10, lambda n: labelled_value("T", n, 10))
SINGLE = Need(
    lambda stage: len(stage.lab.points) <= 3,
    N_("This step needs one to three points, so that you can check its numbers by hand."),
    {},
)


def runs(stage: Stage) -> PegasosRun:
    """Return a few runs, made at once."""
    return short_comparison(stage, int(stage.pick("regret")), RUNS).run


def left_side(stage: Stage) -> Array:
    """Return the regret of each run after each number of steps, (runs, k)."""
    result = short_comparison(stage, int(stage.pick("regret")), RUNS)
    return stage.cached(
        f"regret {result.run.t[-1]} {seed(stage)}", lambda: result.run.regret - comparator_loss(result.run, result.w)
    )


def above(stage: Stage) -> Mask:
    """Return where the regret is above the bound with ln(T+1), (runs, k)."""
    run = runs(stage)
    over: Mask = left_side(stage) > regret_bound(run.G, run.lam, run.t, printed_factor(run.t)) + 1e-12
    return over


def draw(stage: Stage) -> Data:
    """Return, with the answer, w* and the average iterate of the first run as arrows."""
    if not stage.shown:
        return POINTS_ONLY | {"message": None, "legend": None}
    result = short_comparison(stage, int(stage.pick("regret")), RUNS)
    vectors = (result.w, result.run.averages[0, -1])
    by = min(1.0, scale(max(float(np.hypot(*w)) for w in vectors), stage.lab.view))
    arrows = [
        stroke(np.stack([np.zeros(2), by * w]), style, "arrow")
        for w, style in zip(vectors, ("witness-line", "accent"), strict=True)
    ]
    return POINTS_ONLY | {"message": None, "legend": None, "overlay": arrows}


def bound_after_one_step(stage: Stage, factor: float) -> float:
    """Return the bound of the first run after one step, with this factor."""
    run = runs(stage)
    return float(regret_bound(float(run.G[0, 0]), run.lam, 1, factor))


def verdict(stage: Stage) -> str:
    """Return the bound that holds, with the numbers after one step or the reason."""
    first = float(left_side(stage)[0, 0])
    if above(stage)[0, 0]:
        return _(
            "(1 + ln T) · G²/(2λT), because 1 + ½ + … + 1/T ≤ 1 + ln T. For T\u00a0=\u00a01, ln(T + 1) gives "
            "{bound}, but the regret is {regret}."
        ).format(bound=short(bound_after_one_step(stage, float(np.log(2.0))), 3), regret=short(first, 3))
    return _(
        "(1 + ln T) · G²/(2λT). The proof needs the sum 1 + ½ + … + 1/T ≤ 1 + ln T, which is larger than ln(T + 1)."
    )


def says(stage: Stage) -> str:
    """Return what the curves and crosses are."""
    if above(stage).any():
        return _(
            "The unit of the vertical axis is $G^2/(2\\lambda T)$. Crosses mark regrets above $\\ln(T + 1)$. "
            "No regret is above the dotted curve. On the board, $w^*$ is pink, and the average iterate of the "
            "first run is green."
        )
    return _(
        "The vertical axis is the regret in units of $G^2/(2\\lambda T)$. These runs stay below $\\ln(T + 1)$ too. "
        "With the one point $(1, 0)$ and $\\lambda = 1$, the regret starts above it."
    )


def chart(stage: Stage) -> Chart:
    """Return the regret of all runs, in units of G^2 / (2 lam T)."""
    return Chart(regret(runs(stage), left_side(stage), stage.palette))


def more(stage: Stage) -> Sequence[str]:
    """Return both sides after all steps, the difference of the factors, and what the lecture notes state."""
    run = runs(stage)
    G, end = float(run.G[0, -1]), int(run.t[-1])
    right_sides = [
        short(float(regret_bound(G, run.lam, end, factor)), 3)
        for factor in (printed_factor(end), float(harmonic(end)), 1.0 + np.log(end))
    ]
    return [
        _(
            "**The three factors.** The proof adds up the step sizes, which gives the sum $H_T = 1 + \\frac12 + "
            "\\dots + \\frac1T$. It satisfies $\\ln(T + 1) < H_T \\le 1 + \\ln T$. For large $T$, it is larger than "
            "$\\ln(T + 1)$ by about 0.577. The proof stands in the step *Comparator u*."
        ),
        _(
            "**On this board.** After {T} steps of the first run, the regret is {left}. The bound is {printed} with "
            "$\\ln(T + 1)$, {exact} with $H_T$, and {valid} with $1 + \\ln T$. The longest subgradient of this run "
            "has the length $G$ = {G}. Hover a curve to see the values without the unit."
        ).format(
            T=grouped(end),
            left=short(float(left_side(stage)[0, -1]), 3),
            printed=right_sides[0],
            exact=right_sides[1],
            valid=right_sides[2],
            G=short(G, 3),
        ),
        _(
            "**One point.** For $x = (1, 0)$ and $\\lambda = 1$, the minimiser is $w^* = (1, 0)$. In the first step, "
            "$w_1 = 0$ has the loss 1, and $w^*$ has the loss ½. So the regret is ½. The subgradient has the length "
            "$G = 1$, so the bound is ½ with $1 + \\ln T$, and 0.347 with $\\ln(T + 1)$."
        ),
        _(
            "**On the board.** The pink arrow is $w^*$. The green arrow is the average iterate of the first run after "
            "all steps of the chart. Thin curves in the chart are four other runs."
        ),
        _(
            "**Lecture notes.** The Italian notes on Pegasos state the regret bound with $\\ln(T + 1)$, and use it "
            "with $\\ln T + 1$."
        ),
    ]


def units(run: PegasosRun) -> Array:
    """Return G^2 / (2 lam t) at the checkpoints, (runs, k)."""
    return run.G**2 / (2.0 * run.rule.sigma * run.t)


def regret(run: PegasosRun, left: Array, palette: Palette) -> go.Figure:
    """Draw the regrets `left` (runs, k), each run divided by its unit, so that the bounds are the factors.

    Crosses mark where a run is above ln(t+1). The exact sum is a thin curve below its bound 1 + ln t.
    """
    t, unit = np.asarray(run.t, dtype=float), np.maximum(units(run), 1e-300)
    own, printed, repaired, *_rest = palette.series
    lines = [
        Line(_("regret"), t, left[0] / unit[0], own, width=3),
        Line("1 + ln T", t, corrected_factor(run.t), repaired),
        Line("ln(T + 1)", t, printed_factor(run.t), printed, "dash"),
        Line("1 + … + 1/T", t, harmonic(run.t), palette.quiet, "dot", 1.5),
    ]
    top = max(float((left / unit).max()), float(lines[1].y[-1]))
    ends = axis_range(left / unit, np.log(2.0), top, room=0.05)
    figure = curves(lines, _("number of steps T"), _("regret · 2λT/G²"), palette, log_y=False, height=160, levels=ends)
    for other in (left / unit)[1:]:
        pen = palette.pen(own, 1.5)
        figure.add_trace(go.Scatter(x=t, y=other, name="run", mode="lines", line=pen, opacity=0.6, hoverinfo="skip"))
    for trace in figure.data[:4]:
        absolute = np.asarray(trace.y) * unit[0]
        trace.update(customdata=absolute, hovertemplate="%{y:.4g} (= %{customdata:.3g})")
    which, k = np.nonzero(left / unit > printed_factor(run.t) + 1e-12)
    if len(k):
        figure.add_trace(
            go.Scatter(
                x=t[k],
                y=(left / unit)[which, k],
                name=_("above ln(T + 1)"),
                mode="markers",
                cliponaxis=False,
                marker={"symbol": "x", "size": 11 * palette.stroke, "color": printed},
            )
        )
    return figure


REGRET = Step(
    key="regret",
    title=N_("Regret"),
    deeper=True,
    situation=N_(
        "Step $t$ draws point $Z_t$. Its loss $\\ell_{Z_t}(w)$ is $\\frac\\lambda2\\|w\\|^2$ plus its hinge "
        "loss. The **regret** of a run is the mean of $\\ell_{Z_t}(w_t) - \\ell_{Z_t}(w^*)$ over its $T$ "
        "steps, where $w^*$ minimises $F$. The proof of convergence bounds the regret first. The bound is "
        "$G^2/(2\\lambda T)$ times a factor."
    ),
    question=N_(
        "The longest subgradient of a run has length $G$. Which is the smallest listed bound that always holds "
        "for the regret of the run after $T$ steps?"
    ),
    choices=(
        wrong(
            N_("ln(T + 1) · G²/(2λT)"),
            N_(
                "The Italian notes state it. However, one point (1, 0) with λ\u00a0=\u00a01 has regret ½ after one "
                "step, above 0.347."
            ),
        ),
        right(N_("(1 + ln T) · G²/(2λT)")),
        wrong(
            N_("None, because only the mean over all runs is bounded"),
            N_("The bound for F(w̄) is about a mean. However, the proof for the regret uses no probability at all."),
        ),
    ),
    verdict=verdict,
    board=board_of_points(((1.0, 0.0, 1),), face="lambda", value=1.0, bias=False),
    introduces=("regret", "largest-gradient"),
    needs=(SINGLE, *IN_THE_PLANE),
    draw=draw,
    rests_on_answer=lambda stage: bool(
        (left_side(stage) <= units(runs(stage)) * corrected_factor(runs(stage).t) + 1e-12).all()
    ),
    numbers=(
        Measure(
            N_("regret"),
            lambda stage: float(left_side(stage)[0, 0]),
            N_("Regret of the first run after one step"),
            after_show=True,
        ),
        Measure(
            N_("with ln(T + 1)"),
            lambda stage: bound_after_one_step(stage, float(np.log(2.0))),
            N_("Bound after one step with the factor ln(T + 1), so ln 2"),
            after_show=True,
        ),
        Measure(
            N_("with 1 + ln T"),
            lambda stage: bound_after_one_step(stage, 1.0),
            N_("Bound after one step with the factor 1 + ln T, so 1"),
            after_show=True,
        ),
    ),
    picks=(STEPS,),
    chart=chart,
    says=says,
    formula=(
        r"\tfrac1T\textstyle\sum_{t\le T}\bigl(\ell_{Z_t}(w_t) - \ell_{Z_t}(w^*)\bigr) \;\le\; "
        r"\frac{G^2}{2\lambda T}\,(1+\ln T)"
    ),
    more=more,
    tries=(
        Try(
            N_("Two points"),
            board=board_of_points(((1.0, 0.0, 1), (0.0, 1.0, 1)), face="lambda", value=1.0, bias=False),
        ),
        Try(N_("λ = 0.1"), set_machine(face="lambda", value=0.1)),
        OTHER_DRAWS,
    ),
    shows=("P6",),
)

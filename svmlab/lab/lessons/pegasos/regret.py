"""Regret, run by run: the left and the right side of its bound along t, with three factors (P6)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Mask
from svmlab.lab.charts.frame import axis_range
from svmlab.lab.charts.lines import Line, curves
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.pegasos.runs import (
    IN_THE_PLANE,
    OTHER_DRAWS,
    average_line,
    labelled_value,
    seed,
    short_comparison,
    when_shown,
)
from svmlab.lab.numbers import grouped, short
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import reading, set_machine
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Need, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.pegasos import PegasosRun, harmonic, hindsight, printed_factor, regret_bound, repaired_factor

RUNS = 5  # the inequality holds for each by itself
STEPS = Pick("regret", N_("steps T"), (10, 100, 1_000, 10_000), 10, lambda n: labelled_value("T", n, 10))
SINGLE = Need(
    lambda stage: len(stage.lab.points) <= 3,
    N_("Among many points the print mostly holds; a single one refutes it."),
    {},
)


def runs(stage: Stage) -> PegasosRun:
    """A few runs, made on the spot."""
    return short_comparison(stage, int(stage.pick("regret")), RUNS).run


def left_side(stage: Stage) -> Array:
    """Mean loss met less that of w* on the same draws, (runs, k)."""
    now = short_comparison(stage, int(stage.pick("regret")), RUNS)
    return stage.cached(f"regret {now.run.t[-1]} {seed(stage)}", lambda: now.run.regret - hindsight(now.run, now.w))


def above(stage: Stage) -> Mask:
    """Where the left side is above the printed right side, (runs, k)."""
    run = runs(stage)
    over: Mask = left_side(stage) > regret_bound(run.G, run.lam, run.t, printed_factor(run.t)) + 1e-12
    return over


def numbers(stage: Stage) -> Sequence[Reading]:
    """Both sides after one step, and how many of the runs are above the print somewhere."""
    run = runs(stage)
    G = float(run.G[0, 0])
    return [
        reading(_("T = 1: regret"), float(left_side(stage)[0, 0])),
        reading(_("printed"), float(regret_bound(G, run.lam, 1, np.log(2.0)))),
        reading(_("repaired"), float(regret_bound(G, run.lam, 1, 1.0))),
        reading(_("above the print"), _("{n} of {runs} runs").format(n=int(above(stage).any(1).sum()), runs=RUNS)),
    ]


def says(stage: Stage) -> str:
    """Where the crosses are, or where to find some."""
    repaired = _(
        "With $1 + \\ln T$ for $\\ln(T+1)$ it holds, for every run and every $T$: the sum is $1 + 1/2 + \\dots + 1/T$."
    )
    if above(stage).any():
        return _("Crosses: above the print.") + " " + repaired
    return _("These runs stay below the print; one point refutes it.") + " " + repaired


def chart(stage: Stage) -> Chart:
    """All runs in units of their right sides."""
    return Chart(regret(runs(stage), left_side(stage), stage.palette))


def more(stage: Stage) -> Sequence[str]:
    """Both sides at the end, and where the print comes from."""
    run = runs(stage)
    G, end = float(run.G[0, -1]), int(run.t[-1])
    right = [
        short(float(regret_bound(G, run.lam, end, factor)), 3)
        for factor in (printed_factor(end), float(np.sum(1.0 / np.arange(1, end + 1))), 1.0 + np.log(end))
    ]
    return [
        _(
            "In the chart everything is divided by $G^2/(2\\lambda t)$, so that the right sides are the "
            "factors alone; hover for the sides as they are. "
            "After {T} steps of the first run the left side is **{left}**, the right sides **{printed}** as "
            "printed, **{exact}** with the exact sum, "
            "**{repaired}** with $1 + \\ln T$, for the longest gradient met, $G = {G}$."
        ).format(
            T=grouped(end),
            left=short(float(left_side(stage)[0, -1]), 3),
            printed=right[0],
            exact=right[1],
            repaired=right[2],
            G=short(G, 3),
        ),
        _(
            "**Where the print slips.** The proof adds up $1 + 1/2 + \\dots + 1/T$. That sum is at most $1 + "
            "\\ln T$; $\\ln(T+1)$ is below it, "
            "by as much as 0.577 for large $T$. For one point $x = (1, 0)$ and $\\lambda = 1$ the first step "
            "meets the loss 1, $w^*$ the loss 1/2."
        ),
    ]


def units(run: PegasosRun) -> Array:
    """G^2 / (2 lam t) at the checkpoints, (runs, k)."""
    return run.G**2 / (2.0 * run.rule.sigma * run.t)


def regret(run: PegasosRun, left: Array, palette: Palette) -> go.Figure:
    """`left` (runs, k): the mean loss on the way less that of w*; each run is divided by its unit, so that the right
    sides are factors.

    Crosses mark where a run is above the printed one; the exact sum is a thin line below its bound 1 + ln t.
    """
    t, unit = np.asarray(run.t, dtype=float), np.maximum(units(run), 1e-300)
    own, printed, repaired, *_rest = palette.series
    lines = [
        Line(_("regret"), t, left[0] / unit[0], own, width=3),
        Line("1 + ln t", t, repaired_factor(run.t), repaired),
        Line("ln(t+1)", t, printed_factor(run.t), printed, "dash"),
    ]
    top = max(float((left / unit).max()), float(lines[1].y[-1]))
    ends = axis_range(left / unit, np.log(2.0), top, room=0.05)
    figure = curves(lines, _("steps t"), _("in G²/(2λt)"), palette, log_y=False, height=160, levels=ends)
    exact = go.Scatter(x=t, y=harmonic(run.t), name="1 + … + 1/t", mode="lines", line=palette.pen(palette.quiet, 1.5))
    figure.add_trace(exact)
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
                name=_("above ln(t+1)"),
                mode="markers",
                cliponaxis=False,
                marker={"symbol": "x", "size": 11 * palette.stroke, "color": printed},
            )
        )
    return figure


REGRET = Step(
    key="regret",
    title=N_("Regret"),
    question=N_(
        "Italian notes bound the mean loss met less that of $w^*$, in every run, by $G^2/(2\\lambda T)$ "
        "times **ln(T+1)**. "
        "Is that always so?"
    ),
    choices=(
        wrong(
            N_("Yes, whatever is drawn"), N_("In most runs it is; but a bound of every run fails by one that is above.")
        ),
        right(N_("No, a run can be above")),
    ),
    verdict=lambda stage: _("no: one point with λ = 1 is enough. At T = 1: **1/2** against **0.35**."),
    board=board_of_points(((1.0, 0.0, 1),), face="lambda", value=1.0, bias=False),
    needs=(SINGLE, *IN_THE_PLANE),
    draw=average_line,
    numbers=when_shown(numbers),
    picks=(STEPS,),
    chart=chart,
    says=says,
    formula=r"\tfrac1T\textstyle\sum_{t\le T}\bigl(\ell_t(w_t) - \ell_t(w^*)\bigr) \le G^2(1+\ln T)/(2\lambda T)",
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

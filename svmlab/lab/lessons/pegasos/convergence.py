"""How fast Pegasos arrives: F - F(w*) of the average against its bound, from where on that says anything, and what an
accuracy takes (P7).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.lab.charts.lines import FLOOR, Line, band, curves
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.pegasos.runs import (
    IN_THE_PLANE,
    OTHER_DRAWS,
    RUNS,
    STEPS,
    picked_average_line,
    picked_comparison,
    when_shown,
)
from svmlab.lab.numbers import ROUNDING, grouped, short
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import reading, set_machine
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Part, Reading, Step, Table, Try
from svmlab.lab.words import N_, _
from svmlab.pegasos import PegasosRun, sharp_gap_bound
from svmlab.pegasos.rates import rate, steps_for_bound, steps_for_gap

ACCURACIES = (0.1, 0.03, 0.01, 0.003, 0.001, 0.0003, 0.0001)
FACTORS = (10**0.5, 10.0, 100.0)  # what the choices of the question stand for
LEAST = 1e-16  # a gap below is round-off


def gain(stage: Stage) -> float:
    """By what factor the mean gap of the average falls over the last decade of steps."""
    run, gaps = picked_comparison(stage).run, np.maximum(picked_comparison(stage).gaps("average"), LEAST)
    return float(gaps[np.searchsorted(run.t, run.t[-1] / 10)] / gaps[-1])


def answer(stage: Stage) -> int:
    """The choice nearest to what the run has shown."""
    return int(np.abs(np.log(np.array(FACTORS) / gain(stage))).argmin())


def verdict(stage: Stage) -> str:
    """The factor, and the two numbers of steps."""
    said = (
        _("less than that: **{gain} times** nearer after {T} steps than after {before}."),
        _("nearly ten: **{gain} times** nearer after {T} steps than after {before}."),
        _("far more: **{gain} times** nearer after {T} steps than after {before}."),
    )
    T = int(stage.pick("T"))
    return said[answer(stage)].format(gain=short(gain(stage), 3), T=grouped(T), before=grouped(T // 10))


def start(stage: Stage) -> float:
    """F(0) - F(w*), the gap of whoever never learns; round-off as 0."""
    gap = 1.0 - picked_comparison(stage).F
    return gap if gap > ROUNDING else 0.0


def speaks(stage: Stage) -> int | None:
    """The least T whose bound is below the gap at the start; None where there is none to close."""
    run = picked_comparison(stage).run
    return steps_for_bound(run.X, run.lam, start(stage)) if start(stage) else None


def says(stage: Stage) -> str:
    """What the bound is silent about."""
    T = speaks(stage)
    if T is None:
        return _("Here even $w = 0$ is best, so there is nothing for the bound to promise. Thin lines are single runs.")
    told = _(
        "Before T = {T} the bound lets even a $w$ pass that **stays 0**; then it falls like $\\ln T/T$. "
        "Thin lines are single runs."
    )
    return told.format(T=grouped(T))


def numbers(stage: Stage) -> Sequence[Reading]:
    """The gap at the end, what the bounds allow, and the slopes."""
    result = picked_comparison(stage)
    run, gaps = result.run, result.gaps("average")
    return [
        reading(_("mean gap"), float(gaps[-1])),
        reading(_("bound"), float(run.bound[-1])),
        reading(_("slope"), short(rate(run.t, gaps), 2)),
        reading(_("of ln T/T"), short(-1.0 + 1.0 / float(np.log(run.t[-1])), 2)),
    ]


def chart(stage: Stage) -> Chart:
    """The gap of the average below its bounds."""
    result = picked_comparison(stage)
    return Chart(convergence(result.run, result.F, start(stage), stage.palette))


def more(stage: Stage) -> Sequence[Part]:
    """The bounds in numbers, and the steps that an accuracy takes."""
    result = picked_comparison(stage)
    run, gaps = result.run, result.gaps("average")
    bounds = _(
        "$F(w^*) = {F}$ at $\\lambda = {lam}$. After {T} steps the bound allows **{bound}**; with the "
        "gradients really met, "
        "$G$ for $2X$, **{met}**; the sharper sum $(4H_T - 3)X^2/(2\\lambda T)$, whose first gradient is "
        "at most $X$, **{sharp}**. "
        "The bound is about the mean over the draws: single runs, drawn thin, may be above it. "
        "On the board: accent, the average of the first run; solid, $w^*$."
    ).format(
        F=short(result.F),
        lam=short(run.lam),
        T=grouped(int(run.t[-1])),
        bound=short(float(run.bound[-1]), 3),
        met=short(float(run.realised_bound[-1]), 3),
        sharp=short(float(sharp_gap_bound(run.X, run.lam, run.t)[-1]), 3),
    )
    beyond = _("more than {T}").format(T=grouped(int(run.t[-1])))
    rows = []
    for eps in ACCURACIES:
        measured = steps_for_gap(run.t, gaps, eps)
        promised = [steps_for_bound(run.X, run.lam, eps, sharp) for sharp in (False, True)]
        cells = [beyond if measured is None else grouped(measured)]
        cells += ["–" if steps is None else grouped(steps) for steps in promised]
        rows.append(table.named_row(f"ε = {short(eps)}", [table.words(cell, "") for cell in cells]))
    head = table.head(_("measured"), _("promised"), _("by the sharper bound"))
    caption = _("Steps until the average stays within ε of F(w*)")
    return [
        bounds,
        Table(table.table(head, rows, caption=caption)),
        _(
            "The Italian notes on Pegasos print the last factor as $\\ln(T+1)$. It does not follow from their own sum, "
            "which is $1 + 1/2 + \\dots + 1/T$, but the bound is true with it all the same, by way of the sharper one. "
            "With the gradients met it is tight: on one point, $x = (1, 0)$ and $\\lambda = 1$, the gap "
            "after one step is 1/2, and so is $G^2/(2\\lambda)$."
        ),
    ]


SINGLE = 12  # runs drawn one by one, at most


def convergence(run: PegasosRun, best: float, start: float, palette: Palette) -> go.Figure:
    """The mean over the repetitions of the average's gap to `best` = F(w*), its spread and single runs; the bound, that
    with the G met, and the gap at the `start`.

    Gaps are floored at 1e-16 so that a run that has arrived still shows.
    """
    t = np.asarray(run.t, dtype=float)
    gaps = np.maximum(run.average - best, FLOOR)
    average, met = palette.series[0], palette.series[3]
    lines = [
        Line(_("average"), t, gaps.mean(0), average),
        Line(_("bound"), t, run.bound, palette.quiet, "dash"),
        Line(_("with G met"), t, run.realised_bound, met, "dash"),
        *([Line(_("w stays 0"), t, np.full(len(t), start), palette.text, "dashdot", 2)] if start else []),
    ]
    figure = curves(lines, _("steps t"), _("gap of F"), palette, height=160)
    if run.runs > 1:
        for one in gaps[:SINGLE]:
            thin = palette.pen(average, 1)
            figure.add_trace(
                go.Scatter(x=t, y=one, mode="lines", name="run", hoverinfo="skip", opacity=0.28, line=thin)
            )
        low, high = np.quantile(gaps, [0.1, 0.9], axis=0)
        band(figure, t, low, high, average)
    return figure


CONVERGENCE = Step(
    key="convergence",
    title=N_("Convergence"),
    question=N_(
        "You grant **ten times the steps**. How much nearer does $F$ at the average of all $w_t$ come to "
        "$F(w^*)$, on the whole?"
    ),
    choices=(
        Choice(
            N_("About 3 times"), N_("Errors of averages shrink like a root; but λ makes F curved, which is better.")
        ),
        Choice(N_("Nearly 10 times"), N_("So falls the bound; F itself may be quicker, or slower for a while.")),
        Choice(N_("About 100 times"), N_("A method that looks at all points may do so; here every draw brings noise.")),
    ),
    answer=answer,
    verdict=verdict,
    board=preset("overlapping", size=24, face="lambda", value=1.0, bias=False),
    needs=IN_THE_PLANE,
    draw=picked_average_line,
    numbers=when_shown(numbers),
    picks=(STEPS, RUNS),
    chart=chart,
    says=says,
    formula=r"\mathbb{E}\,F(\bar w) - F(w^*) \;\le\; 2X^2\,(1+\ln T)\,/\,(\lambda T)",
    more=more,
    tries=(
        Try(N_("λ = 0.001"), set_machine(face="lambda", value=0.001)),
        Try(N_("One point"), board=board_of_points(((1.0, 0.0, 1),), face="lambda", value=1.0, bias=False)),
        OTHER_DRAWS,
    ),
    shows=("P7",),
)

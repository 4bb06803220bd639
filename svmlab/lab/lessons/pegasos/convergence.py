"""How fast the objective at the average iterate decreases to its minimum, beside its bound (P7)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.lab.charts.marks import mark_current
from svmlab.lab.lessons.pegasos.runs import (
    IN_THE_PLANE,
    LONG,
    MADE,
    RUNS,
    STEPS,
    column,
    fixed_comparison,
    lines_of_runs,
    picked_comparison,
)
from svmlab.lab.numbers import ROUNDING, grouped, short
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import set_machine
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Measure, Part, Step, Table, Try
from svmlab.lab.words import N_, _
from svmlab.pegasos import PegasosRun, sharp_gap_bound
from svmlab.pegasos.rates import steps_for_bound, steps_for_gap
from svmlab.plot.lines import FLOOR, Line, curves
from svmlab.plot.palette import Palette

ACCURACIES = (0.1, 0.01, 0.001, 0.0001)
LIMITS = (5.0, 20.0)  # the factors between the choices
SMALLEST = 1e-16  # a gap below is rounding


def last_decade(stage: Stage) -> tuple[float, float]:
    """Return the mean gap of the average iterate after 1000 and after 10,000 steps of the 20 fixed runs."""
    result = fixed_comparison(stage)
    gaps = np.maximum(result.gaps("average"), SMALLEST)
    return float(gaps[np.searchsorted(result.run.t, LONG // 10)]), float(gaps[-1])


def gain(stage: Stage) -> float:
    """Return the factor by which the mean gap decreases from 1000 to 10,000 steps."""
    before, after = last_decade(stage)
    return before / after


def answer(stage: Stage) -> int:
    """Return the choice whose range has the factor."""
    return int(np.searchsorted(LIMITS, gain(stage)))


def verdict(stage: Stage) -> str:
    """Return the factor with both gaps."""
    words = (
        _(
            "By less than 5, slower than 1/T. The gap decreases from {before} to {after}, by a factor of "
            "{gain} (the bound by 7.7)."
        ),
        _(
            "By 5 to 20, about like 1/T. The gap decreases from {before} to {after}, by a factor of {gain} "
            "(the bound by 7.7)."
        ),
        _(
            "By more than 20, faster than 1/T. The gap decreases from {before} to {after}, by a factor of "
            "{gain} (the bound by 7.7)."
        ),
    )
    before, after = last_decade(stage)
    return words[answer(stage)].format(before=short(before, 3), after=short(after, 3), gain=short(gain(stage), 3))


def start(stage: Stage) -> float:
    """Return F(0) - F(w*), the gap before the first step, and 0 for rounding."""
    gap = 1.0 - fixed_comparison(stage).F
    return gap if gap > ROUNDING else 0.0


def first_below_start(stage: Stage) -> int | None:
    """Return the smallest T whose bound is at most the gap of w = 0, or None if w = 0 is the minimiser."""
    run = fixed_comparison(stage).run
    return steps_for_bound(run.X, run.lam, start(stage)) if start(stage) else None


def says(stage: Stage) -> str:
    """Return what the curves are, and from when on the bound gives information."""
    T = first_below_start(stage)
    if T is None:
        return _(
            "Both axes are logarithmic. The solid curve is the mean gap, and thin curves are single runs. Here $w = 0$ "
            "is the minimiser, so the gap at $w = 0$ is 0."
        )
    return _(
        "Both axes are logarithmic. Thin curves are single runs. The mean gap is below the bound. Before $T$ = "
        "{T}, the bound is useless, because it is above the gap of $w = 0$ (dash-dotted)."
    ).format(T=grouped(T))


def chart(stage: Stage) -> Chart:
    """Return the gap of the average iterate and its bound, with a ring where the slider stands."""
    result = picked_comparison(stage)
    figure = convergence(result.run, result.F, start(stage), stage.palette)
    k = column(stage, result.run)
    at = max(float(result.gaps("average")[k]), FLOOR)
    mark_current(figure, stage.palette, float(result.run.t[k]), at)
    return Chart(figure)


def more(stage: Stage) -> Sequence[Part]:
    """Return the bounds in numbers, and the steps that an accuracy needs."""
    result = picked_comparison(stage)
    run, gaps = result.run, result.gaps("average")
    bounds = _(
        "**The bound on this board.** $F(w^*) = {F}$ at $\\lambda = {lam}$. After {T} steps the bound is {bound}. It "
        "uses that no subgradient of a run is longer than $2X$. With the largest length $G$ that these runs really "
        "had, the bound is {met}. The first subgradient is at most $X$ long, which gives the second bound "
        "$(4H_T - 3)X^2/(2\\lambda T)$ with $H_T = 1 + \\frac12 + \\dots + \\frac1T$, here {sharp}."
    ).format(
        F=short(result.F),
        lam=short(run.lam),
        T=grouped(int(run.t[-1])),
        bound=short(float(run.bound[-1]), 3),
        met=short(float(run.realised_bound[-1]), 3),
        sharp=short(float(sharp_gap_bound(run.X, run.lam, run.t)[-1]), 3),
    )
    not_reached = _("more than {T}").format(T=grouped(int(run.t[-1])))
    rows = []
    for eps in ACCURACIES:
        measured = steps_for_gap(run.t, gaps, eps)
        needed = [steps_for_bound(run.X, run.lam, eps, sharp) for sharp in (False, True)]
        cells = [not_reached if measured is None else grouped(measured)]
        cells += ["–" if steps is None else grouped(steps) for steps in needed]
        rows.append(table.named_row(f"ε = {short(eps)}", [table.words(cell, "") for cell in cells]))
    head = table.head(_("measured"), _("by the bound"), _("by the second bound"))
    return [
        _(
            "**What the bound says.** $X = \\max_i\\|x_i\\|$ is the length of the longest training point. The bound is "
            "about the expected gap over all random draws. A single run can be above it. The gap on your board can "
            "fall faster or more slowly than the bound, because the bound is only an upper limit."
        ),
        bounds,
        Table(table.table(head, rows, caption=_("Steps until the mean gap stays at most ε"))),
        _(
            "**On the board.** You see the boundary of $w^*$, and the boundaries of the average iterates of 20 "
            "runs after the number of steps of the slider. The green one belongs to the first run."
        ),
        _(
            "**Lecture notes.** The Italian notes on Pegasos state the bound twice, with the factor $\\ln T + 1$ and "
            "with $\\ln(T + 1)$. The second form does not follow from their proof, but it is true because of the "
            "second bound. The inequality with the $G$ of the run can be an equality. For the one point $x = (1, 0)$ "
            "and $\\lambda = 1$, gap and $G^2/(2\\lambda)$ are both ½ after one step."
        ),
    ]


SINGLE = 12  # runs drawn one by one, at most


def convergence(run: PegasosRun, best: float, start: float, palette: Palette) -> go.Figure:
    """Draw the mean gap of the average iterates to `best` = F(w*), single runs, the bound, and the gap at the `start`.

    Gaps are floored at 1e-16 so that a run that has converged still shows.
    """
    t = np.asarray(run.t, dtype=float)
    gaps = np.maximum(run.average - best, FLOOR)
    average = palette.series[0]
    lines = [
        Line(_("mean gap"), t, gaps.mean(0), average, width=3),
        Line(_("bound"), t, run.bound, palette.quiet, "dash"),
        *([Line(_("gap of w = 0"), t, np.full(len(t), start), palette.text, "dashdot", 2)] if start else []),
    ]
    figure = curves(lines, _("number of steps T"), "F(w̄) − F(w*)", palette, height=160)
    for one in gaps[:SINGLE] if run.runs > 1 else ():
        thin = palette.pen(average, 1)
        figure.add_trace(go.Scatter(x=t, y=one, mode="lines", name="run", hoverinfo="skip", opacity=0.28, line=thin))
    return figure


CONVERGENCE = Step(
    key="convergence",
    title=N_("Rate of convergence"),
    situation=N_(
        "After $T$ steps, Pegasos returns the **average iterate** $\\bar w = \\frac1T(w_1 + \\dots + w_T)$. "
        "Its **gap** $F(\\bar w) - F(w^*)$ is measured from the minimum of $F$. This objective is **strongly "
        "convex**: $F(w) - F(w^*) \\ge \\frac\\lambda2\\|w - w^*\\|^2$. The draws are random, so you look at "
        "the mean gap of 20 runs. The thick line belongs to $w^*$ (no bias)."
    ),
    question=N_(
        "By what factor does the mean gap $F(\\bar w) - F(w^*)$ decrease on this board from 1000 to 10 000 steps?"
    ),
    choices=(
        Choice(
            N_("By less than 5, slower than 1/T"),
            N_(
                "The error of a mean of T measurements falls by only √10 ≈ 3.2. However, F is strongly convex, "
                "so faster convergence is possible."
            ),
        ),
        Choice(
            N_("By 5 to 20, about like 1/T"),
            N_(
                "The upper bound (1 + ln T)/T falls by 7.7. However, the gap on a board can fall faster or "
                "more slowly than its bound."
            ),
        ),
        Choice(
            N_("By more than 20, faster than 1/T"),
            N_(
                "Gradient descent on a smooth objective can be this fast. However, each step of Pegasos uses one "
                "random point, which adds noise."
            ),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=preset("overlapping", size=24, face="lambda", value=1.0, bias=False),
    introduces=("average", "rate", "steps", "longest", "strongly-convex"),
    needs=IN_THE_PLANE,
    dials=(MADE,),
    draw=lines_of_runs,
    play=MADE.play(0.3, MADE.hi, 2600),
    rests_on_answer=lambda stage: MADE(stage) == MADE.hi,
    numbers=(
        Measure(
            N_("mean gap"),
            lambda stage: float(picked_comparison(stage).gaps("average")[-1]),
            N_("Mean of F(w̄) − F(w*) over the runs of the chart, after all steps"),
            after_show=True,
        ),
        Measure(
            N_("bound"),
            lambda stage: float(picked_comparison(stage).run.bound[-1]),
            N_("The bound of the formula after all steps"),
            after_show=True,
        ),
        Measure(
            N_("factor"),
            lambda stage: short(gain(stage), 3),
            N_("The mean gap of 20 runs after 1000 steps, divided by the one after 10 000 steps"),
            after_show=True,
        ),
    ),
    picks=(STEPS, RUNS),
    chart=chart,
    says=says,
    formula=r"\mathbb{E}\,F(\bar w) - F(w^*) \;\le\; \frac{2X^2\,(1+\ln T)}{\lambda T}, \qquad X = \max_i\|x_i\|",
    more=more,
    tries=(
        Try(N_("λ = 0.001"), set_machine(face="lambda", value=0.001)),
        Try(N_("λ = 0.1"), set_machine(face="lambda", value=0.1)),
        Try(N_("One point"), board=board_of_points(((1.0, 0.0, 1),), face="lambda", value=1.0, bias=False)),
    ),
    shows=("P7",),
)

"""What a bound on the mean gap says about one run: the probability of a large gap tends to 0 (P15)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.lessons.pegasos.runs import (
    IN_THE_PLANE,
    MADE,
    Compared,
    column,
    fixed_comparison,
    labelled_value,
    line_of,
)
from svmlab.lab.numbers import grouped, short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import set_machine
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Pick, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.pegasos.rates import steps_for_bound, steps_for_gap
from svmlab.plot.lines import Line, curves
from svmlab.plot.palette import Palette
from svmlab.statements.pegasos_bounds import markov, share_within

T, RUNS = 10_000, 50
EPS = Pick("eps", N_("ε"), (0.2, 0.05, 0.01), 0.05, lambda eps: labelled_value("ε", eps, 0.2))


def compared(stage: Stage) -> Compared:
    """Return the 50 runs of the chart."""
    return fixed_comparison(stage, T, RUNS)


def accuracy(stage: Stage) -> float:
    """Return the accuracy epsilon that is picked."""
    return float(stage.pick("eps"))


def within(stage: Stage) -> Array:
    """Return the proportion of the runs whose gap is at most epsilon, at the checkpoints, (k,)."""
    return share_within(compared(stage).run, compared(stage).F, accuracy(stage))


def draw(stage: Stage) -> Data:
    """Return, with the answer, the boundary of each average iterate, in pink where its gap is above epsilon."""
    if not stage.shown:
        return {}
    result = compared(stage)
    k = column(stage, result.run)
    is_large = result.run.average[:, k] - result.F > accuracy(stage)
    lines = [
        line_of(w, stage.lab.view, "witness-line" if large else "faint")
        for w, large in zip(result.run.averages[:, k], is_large, strict=True)
    ]
    return {"overlay": [item for items in lines for item in items]}


def first_step(stage: Stage, allowed: float) -> str:
    """Return from which step on at most this proportion of the runs has a gap above epsilon."""
    t = steps_for_gap(compared(stage).run.t, 1.0 - within(stage), allowed)
    return _("more than {T}").format(T=grouped(T)) if t is None else grouped(t)


def by_the_bound(stage: Stage) -> str:
    """Return from which step on the bound of the mean implies that the probability is at least one half."""
    run = compared(stage).run
    t = steps_for_bound(run.X, run.lam, accuracy(stage) / 2)
    return "–" if t is None else grouped(t)


def chart(stage: Stage) -> Chart:
    """Return the measured proportion, and what Markov's inequality derives from the mean gap and from the bound."""
    result, eps = compared(stage), accuracy(stage)
    by_mean, by_bound = markov(result.gaps("average"), eps), markov(result.run.bound, eps)
    return Chart(shares(result.run.t, within(stage), by_mean, by_bound, stage.palette))


def shares(t: Index, measured: Array, by_mean: Array, by_bound: Array, palette: Palette) -> go.Figure:
    """Draw three proportions (k,) after the steps t (k,)."""
    x = np.asarray(t, dtype=float)
    lines = [
        Line(_("50 runs"), x, measured, palette.series[0], width=3),
        Line(_("from their mean gap"), x, by_mean, palette.series[3], "dash"),
        Line(_("from the bound"), x, by_bound, palette.quiet, "dot"),
    ]
    return curves(
        lines, _("number of steps T"), _("runs with gap ≤ ε"), palette, log_y=False, height=160, levels=(-0.04, 1.06)
    )


def more(stage: Stage) -> Sequence[str]:
    """Return Markov's inequality, the same for the distance, and what the lecture notes leave out."""
    return [
        _(
            "**Markov's inequality.** A gap is never negative. If it is larger than $\\varepsilon$ with probability "
            "$p$, its expectation is at least $p\\,\\varepsilon$. So $p$ is at most the expected gap divided by "
            "$\\varepsilon$, and the expected gap is at most the bound. For every $\\varepsilon > 0$ this tends to 0."
        ),
        _(
            "**The distance to w\\*.** If the gap is at most $\\varepsilon$, then $\\|\\bar w - w^*\\| \\le "
            "\\sqrt{{2\\varepsilon/\\lambda}}$, here {distance}, because $F$ is strongly convex. So $\\bar w$ "
            "converges to $w^*$ in probability."
        ).format(distance=short((2.0 * accuracy(stage) / stage.lab.lam) ** 0.5, 3)),
        _(
            "**On the board.** You see the boundaries of the average iterates of 50 runs after the number of steps of "
            "the slider. They are pink while the gap is larger than $\\varepsilon$."
        ),
        _(
            "**Lecture notes.** The Italian notes on Pegasos state convergence in probability without a proof, “Con un "
            "po' di fatica in più” (with a little more effort). Markov's inequality is one line."
        ),
    ]


CHANCE = Step(
    key="chance",
    title=N_("In probability"),
    deeper=True,
    situation=N_(
        "The draws of Pegasos are random, so the **gap** $F(\\bar w) - F(w^*)$ of the average iterate $\\bar w$ is "
        "random too. The expected gap after $T$ steps is at most $2X^2(1 + \\ln T)/(\\lambda T)$, with $X = \\max_i "
        "\\|x_i\\|$. This bound tends to 0. You make one run only."
    ),
    question=N_(
        "Let $\\varepsilon > 0$ be fixed, and let $T$ grow. What does the bound for the expected gap imply for "
        "the gap $F(\\bar w) - F(w^*)$ of a single run?"
    ),
    choices=(
        wrong(
            N_("Nothing"),
            N_(
                "A mean alone can hide large values. However, no gap is negative, so a small mean allows few large "
                "gaps."
            ),
        ),
        wrong(
            N_("It is at most the bound in every run"),
            N_(
                "The bound holds for the mean over all draws. Single runs can be above the mean, and above the bound "
                "too."
            ),
        ),
        right(N_("It is at most ε with a probability that tends to 1")),
    ),
    verdict=N_(
        "It is at most ε with a probability that tends to 1. A larger gap has probability at most bound/ε, "
        "which tends to 0."
    ),
    board=preset("overlapping", size=24, face="lambda", value=1.0, bias=False),
    introduces=("precision",),
    needs=IN_THE_PLANE,
    dials=(MADE,),
    draw=draw,
    play=MADE.play(0.3, MADE.hi, 2600),
    rests_on_answer=lambda stage: MADE(stage) == MADE.hi,
    numbers=(
        Measure(
            N_("T for half the runs"),
            lambda stage: first_step(stage, 0.5),
            N_("Number of steps after which at least half of the 50 runs have a gap of at most ε"),
            after_show=True,
        ),
        Measure(
            N_("T for all runs"),
            lambda stage: first_step(stage, 0.0),
            N_("Number of steps after which all 50 runs have a gap of at most ε"),
            after_show=True,
        ),
        Measure(
            N_("T by the bound"),
            by_the_bound,
            N_(
                "Number of steps after which the bound implies that the gap is at most ε with a probability of at "
                "least ½"
            ),
            after_show=True,
        ),
    ),
    picks=(EPS,),
    chart=chart,
    says=N_(
        "The solid curve is the proportion of 50 runs with a gap of at most $\\varepsilon$. Markov's "
        "inequality gives the dashed and the dotted curve. On the board, the boundaries of runs with a larger "
        "gap are pink."
    ),
    formula=r"\Pr\bigl(F(\bar w) - F(w^*) > \varepsilon\bigr) \;\le\; \frac{2X^2(1+\ln T)}{\varepsilon\,\lambda T}",
    more=more,
    tries=(
        Try(N_("λ = 0.1"), set_machine(face="lambda", value=0.1)),
        Try(N_("λ = 10"), set_machine(face="lambda", value=10.0)),
    ),
    shows=("P15",),
)

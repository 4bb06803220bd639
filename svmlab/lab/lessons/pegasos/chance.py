"""What a bound on the mean says of one run: the share of runs within eps goes to 1 (P15)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.lines import Line, curves
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.pegasos.runs import (
    IN_THE_PLANE,
    OTHER_DRAWS,
    average_line,
    labelled_value,
    short_comparison,
    when_shown,
)
from svmlab.lab.numbers import grouped, short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import reading, set_machine
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.pegasos.rates import steps_for_bound, steps_for_gap
from svmlab.statements.pegasos_bounds import markov, share_within

T, RUNS = 10_000, 50
EPS = Pick("eps", N_("ε"), (0.2, 0.05, 0.01), 0.05, lambda eps: labelled_value("ε", eps, 0.2))


def within(stage: Stage) -> Array:
    """The share of the runs within eps, at the checkpoints, (k,)."""
    now = short_comparison(stage, T, RUNS)
    return share_within(now.run, now.F, float(stage.pick("eps")))


def numbers(stage: Stage) -> Sequence[Reading]:
    """When half and when all runs are within eps, and when the bound promises half."""
    now, eps = short_comparison(stage, T, RUNS), float(stage.pick("eps"))
    outside = 1.0 - within(stage)
    readings = [
        reading(said, _("never yet") if t is None else grouped(t))
        for said, t in (
            (_("half of them from T ="), steps_for_gap(now.run.t, outside, 0.5)),
            (_("all from T ="), steps_for_gap(now.run.t, outside, 0.0)),
        )
    ]
    promised = steps_for_bound(now.run.X, now.run.lam, eps / 2)
    return [*readings, reading(_("half promised from"), _("never") if promised is None else grouped(promised))]


def chart(stage: Stage) -> Chart:
    """The measured share above what Markov's inequality promises by the mean gap and by the bound."""
    now, eps = short_comparison(stage, T, RUNS), float(stage.pick("eps"))
    by_mean, by_bound = markov(now.gaps("average"), eps), markov(now.run.bound, eps)
    return Chart(shares(now.run.t, within(stage), by_mean, by_bound, stage.palette))


def shares(t: Index, measured: Array, by_mean: Array, by_bound: Array, palette: Palette) -> go.Figure:
    """Three shares (k,) at the steps t (k,)."""
    x = np.asarray(t, dtype=float)
    lines = [
        Line(_("50 runs"), x, measured, palette.series[0], width=3),
        Line(_("by their mean"), x, by_mean, palette.series[3], "dash"),
        Line(_("by the bound"), x, by_bound, palette.quiet, "dot"),
    ]
    return curves(lines, _("steps t"), _("share"), palette, log_y=False, height=160, levels=(-0.04, 1.06))


CHANCE = Step(
    key="chance",
    title=N_("In probability"),
    question=N_(
        "The bound is about the **mean** over all draws. What does it promise of $F(\\bar w)$ in the "
        "**one run** that you make?"
    ),
    choices=(
        wrong(N_("Nothing"), N_("No gap is below 0, so a small mean leaves no room for many large ones.")),
        wrong(N_("That it keeps the bound, too"), N_("Some runs are above the mean, and may be above the bound.")),
        right(N_("That it is near F(w*), with a chance that goes to 1")),
    ),
    verdict=lambda stage: _("near, with a chance that goes to 1: a gap above ε has at most bound/ε."),
    board=preset("overlapping", size=24, face="lambda", value=1.0, bias=False),
    needs=IN_THE_PLANE,
    draw=average_line,
    numbers=when_shown(numbers),
    picks=(EPS,),
    chart=chart,
    says=N_(
        "Of 50 runs, the share whose average is within ε. Below it what Markov's inequality makes of "
        "their mean gap, and of the bound."
    ),
    formula=r"\Pr\bigl(F(\bar w) - F(w^*) > \varepsilon\bigr) \le 2X^2(1+\ln T)/(\varepsilon\lambda T)",
    more=lambda stage: [
        _(
            "**Markov's inequality.** Gaps are never below 0; if a share $p$ of them is above "
            "$\\varepsilon$, their mean is above $p\\,\\varepsilon$. "
            "The Italian notes on Pegasos say that this takes some effort and leave it out; it takes a line. "
            "Within ε in $F$ the distance "
            "$\\|\\bar w - w^*\\|$ is at most $\\sqrt{{2\\varepsilon/\\lambda}}$, here {distance}, so the "
            "average goes to $w^*$ in probability, too."
        ).format(distance=short((2.0 * float(stage.pick("eps")) / stage.lab.lam) ** 0.5, 3))
    ],
    tries=(
        Try(N_("λ = 0.1"), set_machine(face="lambda", value=0.1)),
        Try(N_("λ = 10"), set_machine(face="lambda", value=10.0)),
        OTHER_DRAWS,
    ),
    shows=("P15",),
)

"""Average against last: F at the mean of the iterates is at most the mean of F over them (P8)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.lines import FLOOR, Line, curves
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.pegasos.runs import IN_THE_PLANE, OTHER_DRAWS, average_line, seed, short_comparison, when_shown
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import reading, set_machine
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.pegasos import mean_objective

T = 2000


def middle(stage: Stage) -> Array:
    """The mean of F(w_1) .. F(w_t) at the checkpoints, (k,)."""
    run = short_comparison(stage, T).run
    return stage.cached(f"mean {seed(stage)}", lambda: mean_objective(run))


def numbers(stage: Stage) -> Sequence[Reading]:
    """The three at the end, above F(w*)."""
    now = short_comparison(stage, T)
    return [
        reading(_("F at the mean"), float(now.run.average[0, -1]) - now.F),
        reading(_("mean of F"), float(middle(stage)[-1]) - now.F),
        reading(_("F at the last"), float(now.run.last[0, -1]) - now.F),
    ]


def chart(stage: Stage) -> Chart:
    """The three along the run."""
    now = short_comparison(stage, T)
    run = now.run
    return Chart(jensen(run.t, run.average[0] - now.F, middle(stage) - now.F, run.last[0] - now.F, stage.palette))


def jensen(t: Index, at_mean: Array, mean: Array, last: Array, palette: Palette) -> go.Figure:
    """Gaps (k,) to F(w*) at the steps t (k,), on log-log axes, floored at 1e-16."""
    x = np.asarray(t, dtype=float)
    blue, red, *_rest = palette.series
    lines = [
        Line(_("last"), x, np.maximum(last, FLOOR), palette.quiet, "dot", 1.5),
        Line(_("mean of F"), x, np.maximum(mean, FLOOR), red),
        Line(_("F at the mean"), x, np.maximum(at_mean, FLOOR), blue),
    ]
    return curves(lines, _("steps t"), _("above F(w*)"), palette, height=160)


MEAN = Step(
    key="mean",
    title=N_("The average"),
    question=N_("Take $F$ at the **mean** of all $w$ so far, or take the **mean of all** their $F$. Which is smaller?"),
    choices=(
        right(N_("F at the mean")),
        wrong(N_("The mean of F"), N_("It contains the good ones, but the bad ones as well, and those weigh more.")),
        wrong(N_("Now one, now the other"), N_("The last w does jump about both; but F is convex, which settles it.")),
    ),
    verdict=lambda stage: _("F at the mean, or they are equal: F is convex."),
    board=preset("overlapping", size=24, seed=1, face="lambda", value=0.1, bias=False),
    needs=IN_THE_PLANE,
    draw=average_line,
    numbers=when_shown(numbers),
    chart=chart,
    says=N_(
        "Regret bounds the **mean of F**, so it bounds $F$ at the average too. Of the last $w$ it says "
        "nothing: that one jumps."
    ),
    formula=r"F(\bar w) \;\le\; \tfrac1T\textstyle\sum_{t\le T} F(w_t)",
    more=lambda stage: [
        _(
            "**The whole proof**, each line a step of this lesson: $\\mathbb{E}\\,F(\\bar w) \\le "
            "\\mathbb{E}\\,\\tfrac1T\\sum F(w_t)$ (the average) "
            "$= \\mathbb{E}\\,\\tfrac1T\\sum \\ell_{Z_t}(w_t)$ (one draw) $\\le \\mathbb{E}\\,\\tfrac1T\\sum "
            "\\ell_{Z_t}(w^*) + \\frac{\\mathbb{E}\\,G^2}{2\\lambda T}(1 + \\ln T)$ (regret) "
            "$\\le F(w^*) + \\frac{2X^2}{\\lambda T}(1 + \\ln T)$ (the ball and the gradients, $G \\le 2X$)."
        )
    ],
    tries=(
        Try(N_("λ = 1"), set_machine(face="lambda", value=1.0)),
        Try(N_("λ = 0.01"), set_machine(face="lambda", value=0.01)),
        OTHER_DRAWS,
    ),
    shows=("P8",),
)

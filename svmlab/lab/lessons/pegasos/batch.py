"""Batch descent with the constant step of the slides, and with the step 1/r (L6)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab.core.arrays import Array
from svmlab.firstorder.subgradient import Descent, batch_descent
from svmlab.lab.lessons.pegasos.distance_chart import distances
from svmlab.lab.lessons.pegasos.runs import IN_THE_PLANE, labelled_value, line_of, optimum_without_bias, when_shown
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import reading, set_machine
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Pick, Reading, Step, Try
from svmlab.lab.words import N_, _
from svmlab.pegasos import Progress

ROUNDS = Pick("rounds", N_("rounds"), (300, 3_000, 30_000), 3_000, lambda n: labelled_value("r", n, 300))
ETA = Pick("eta", N_("constant step"), (0.5, 0.2, 0.05), 0.2, lambda eta: labelled_value("η", eta, 0.5))


def runs(stage: Stage) -> tuple[Descent, Descent]:
    """With the constant step, and with 1/r. Raises Working until both are there."""
    data, lam, steps, eta = stage.data, stage.lab.lam, int(stage.pick("rounds")), float(stage.pick("eta"))

    def make(report: Progress) -> tuple[Descent, Descent]:
        printed = batch_descent(data, lam, steps, eta=eta, on_progress=lambda done: report(0.5 * done))
        return printed, batch_descent(data, lam, steps, on_progress=lambda done: report(0.5 + 0.5 * done))

    return stage.background_result(("batch", data.key, lam, steps, eta), make)


def far(stage: Stage) -> tuple[Array, Array]:
    """How far the last w of both is from w* at the checkpoints, (k,) each."""
    w = optimum_without_bias(stage).w
    assert w is not None
    printed, repaired = runs(stage)
    return np.hypot(*(printed.iterates[0] - w).T), np.hypot(*(repaired.iterates[0] - w).T)


def band(stage: Stage) -> float:
    """The farthest that the constant step is from w* at the checkpoints of the last half of its rounds."""
    t, printed = runs(stage)[0].t, far(stage)[0]
    return float(printed[t >= t[-1] / 2].max())


def answer(stage: Stage) -> int:
    """Whether the constant step stays three times as far off as 1/r."""
    return int(band(stage) > 3 * float(far(stage)[1][-1]))


def verdict(stage: Stage) -> str:
    """Both distances."""
    values = {"band": short(band(stage), 2), "repaired": short(float(far(stage)[1][-1]), 2)}
    if answer(stage):
        return _("no: it still goes as far as **{band}** from w*; steps 1/r end at {repaired}.").format(**values)
    return _("yes: within **{band}** of w*; steps 1/r end at {repaired}.").format(**values)


def draw(stage: Stage) -> Data:
    """Where both have got to, over the board of w*."""
    if not stage.shown:
        return {}
    data, lam, steps, eta = stage.data, stage.lab.lam, 300, float(stage.pick("eta"))
    pair = stage.cached(
        f"batch lines {eta}", lambda: (batch_descent(data, lam, steps, eta=eta), batch_descent(data, lam, steps))
    )
    items = []
    for run, style in zip(pair, ("faint dashed", "accent"), strict=True):
        items += line_of(run.iterates[0, -1], stage.lab.view, style)
    return {"overlay": items}


def numbers(stage: Stage) -> Sequence[Reading]:
    """Where both are after all rounds."""
    printed, repaired = far(stage)
    return [
        reading(_("distance, constant step"), float(printed[-1])),
        reading(_("steps 1/r"), float(repaired[-1])),
    ]


def chart(stage: Stage) -> Chart:
    """The distances along the rounds."""
    printed, repaired = far(stage)
    lines = {_("constant η"): (printed, "dash"), _("1/r"): (repaired, "solid")}
    return Chart(distances(runs(stage)[0].t, lines, stage.palette))


BATCH = Step(
    key="batch",
    title=N_("In batches"),
    question=N_(
        "Gambosi's slides print subgradient descent over **all** points with a **constant** step η. Does "
        "$w$ come to $w^*$?"
    ),
    choices=(
        Choice(N_("Yes"), N_("So it is where F is smooth; at a kink the subgradient does not fade near w*.")),
        Choice(
            N_("No, it stays in a band around w*"), N_("So it is at a kink; where F is smooth at w*, the steps fade.")
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=preset("overlapping", size=12, seed=3, face="lambda", value=0.1, bias=False),
    needs=IN_THE_PLANE,
    draw=draw,
    numbers=when_shown(numbers),
    picks=(ROUNDS, ETA),
    chart=chart,
    says=N_(
        "At a kink of $F$ a constant step jumps to and fro for ever; steps $1/r$ become shorter and still lead any way."
    ),
    formula=r"w \leftarrow w - \tfrac1r w + \tfrac1r\, C \textstyle\sum_{i\in L} y_i x_i",
    more=lambda stage: [
        _(
            "$L$ are the points that violate, $y_i\\langle w, x_i\\rangle < 1$, and $C = 1/(\\lambda m)$. "
            "The print also drops the weight $\\alpha$ of the norm and uses its letter for the step. "
            "On the board, after 300 rounds: accent with steps $1/r$, pale and dashed with the constant "
            "step, solid $w^*$."
        )
    ],
    tries=(
        Try(N_("λ = 1"), set_machine(face="lambda", value=1.0)),
        Try(N_("Separable"), board=preset("separable", size=12, face="lambda", value=0.05, bias=False)),
    ),
    shows=("L6",),
)

"""W as a chain of arrows, and what the classes weigh (H5, H6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from svmlab.lab.lessons.duality.boards import EIGHT, FOUR
from svmlab.lab.lessons.duality.expansion import partial_sums
from svmlab.lab.lessons.duality.lemma_chart import lemma
from svmlab.lab.lessons.duality.sum_chart import balance
from svmlab.lab.numbers import zero_if_rounding, short
from svmlab.lab.teach.film import film, frame
from svmlab.lab.teach.overlay import place, reading, set_machine, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, NONZERO_W, LINEAR, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Need, Pick, Reading, Step, Try
from svmlab.lab.words import N_, _

MOST = 12
LEMMA = {
    "classes": None,
    "0.1": 0.1,
    "0.01": 0.01,
    "0.0001": 1e-4,
    "0": 0.0,
}  # the picture of the classes, or of the lemma at this ε
ARROWS = Need(
    lambda stage: int(stage.solution.support.sum()) <= MOST,
    N_("So many support vectors make a chain that nobody can follow."),
    {"hard": True},
)


def zoom(reach: float, half: float) -> float:
    """The factor, a power of two, that makes a chain of this reach fill a good part of the board."""
    return float(2.0 ** np.floor(np.log2(0.94 * half / reach))) if reach > 0 else 1.0


def draw(stage: Stage) -> Data:
    """The film of the chain, once the answer is shown."""
    if not stage.shown:
        return {}
    return {"film": stage.cached(f"film of the sum {stage.lab.view}", lambda: chain(stage)), "sliders": []}


def chain(stage: Stage) -> Data:
    """One frame a support vector: its arrow head to tail, and at the end w from the origin."""
    solution, data = stage.solution, stage.data
    sums = partial_sums(solution)
    factor = zoom(float(np.abs(sums.w).max()), stage.lab.view)
    times = f"{factor:g}" if factor > 1 else f"1/{1 / factor:g}"
    note = "" if factor == 1 else " " + _("Arrows drawn {factor} times as long.").format(factor=times)
    items: list[Data] = []
    frames = [frame(items, _("An empty sum: w = 0.") + note)]
    for k, i in enumerate(sums.rows, start=1):
        style = "plus" if data.y[i] > 0 else "minus"
        items = [*items, stroke(factor * sums.w[k - 1 : k + 1], style, "arrow")]
        caption = _(
            "Add α<sub>{i}</sub> y<sub>{i}</sub> x<sub>{i}</sub> = {alpha} · ({y}) · {x}.<br>So far w = {w}"
        ).format(
            i=i + 1,
            alpha=short(float(solution.alpha[i])),
            y="+1" if data.y[i] > 0 else "−1",
            x=place(data.X[i]),
            w=place(sums.w[k]),
        )
        if stage.lab.bias:
            caption += ", Σ α y = " + short(zero_if_rounding(float(sums.balance[k]), 1e-9))
        frames.append(frame(items, caption + note, int(data.ids[i])))
    whole = stroke(np.array([np.zeros(2), factor * sums.w[-1]]), "accent", "arrow")
    end = _("The chain ends at <b>w = {w}</b>. The boundary is perpendicular to it.").format(w=place(sums.w[-1]))
    frames.append(frame([*items, whole], end + note))
    return film(f"sum {stage.lab.problem.key}", frames, len(frames) - 1, speed=1)


def numbers(stage: Stage) -> Sequence[Reading]:
    """How many arrows there are, and where they end."""
    if not stage.shown:
        return ()
    solution = stage.solution
    assert solution.w is not None
    return [
        reading(_("points"), float(stage.data.m)),
        reading(_("arrows"), float(solution.support.sum())),
        reading("w", place(solution.w)),
    ]


def chart(stage: Stage) -> Chart:
    """What the classes weigh in this machine, and in the one with the bias switched the other way; or the lemma without its condition."""
    eps = LEMMA[stage.pick("lemma")]
    if eps is not None:
        return Chart(lemma(eps, stage.palette))
    labs = {bias: stage.lab if stage.lab.bias == bias else replace(stage.lab, bias=bias) for bias in (True, False)}
    found = {bias: stage.cache.outcome(lab.problem).solution for bias, lab in labs.items()}
    y = stage.data.y
    sums = {
        bias: None if s is None else (float(s.alpha[y > 0].sum()), float(s.alpha[y < 0].sum()))
        for bias, s in found.items()
    }
    return Chart(balance(sums[True], sums[False], stage.palette))


def says(stage: Stage) -> str:
    """Why the classes balance, or why the multipliers exist at all."""
    if stage.pick("lemma") == "classes":
        return _(
            "With a bias both classes weigh the same: otherwise shifting $b$ alone would pay. Without one nothing asks for it."
        )
    return _(
        "Why they exist: our constraints are **linear**. Minimise $w$ where $w^2 \\le \\varepsilon$: the multiplier "
        "$1/(2\\sqrt\\varepsilon)$ runs off, and at 0 there is none."
    )


def formula(stage: Stage) -> str:
    """The sum, and the balance where there is a bias; or the condition on the multiplier of the lemma."""
    if stage.pick("lemma") != "classes":
        return r"\min\, w,\;\; w^2\le\varepsilon:\quad w_0=-\sqrt\varepsilon,\quad 1-2\,\alpha\sqrt\varepsilon=0"
    return r"w=\sum_i\alpha_i\,y_i\,x_i,\quad \alpha_i\ge 0" + (r",\quad \sum_i\alpha_iy_i=0" if stage.lab.bias else "")


SUM = Step(
    key="sum",
    title=N_("w, piece by piece"),
    question=N_(
        "The multipliers are there, the line is not. Lay an arrow $\\alpha_i y_i x_i$ for each point, head to tail. "
        "Which points have an arrow at all?"
    ),
    choices=(
        Choice(N_("Those with α > 0")),
        Choice(N_("All of them"), N_("The sum runs over all points, but where α = 0 it adds nothing.")),
        Choice(
            N_("Only the nearest point of each class"),
            N_("Two may do, but a line also leans on pairs: every point with α > 0 adds its arrow."),
        ),
    ),
    answer=lambda stage: 0,
    is_theorem=True,
    board=EIGHT,
    needs=(BOTH_CLASSES, LINEAR, SOLVED, NONZERO_W, at_most(30), ARROWS),
    draw=draw,
    play=lambda stage: {"film": True},
    numbers=numbers,
    picks=(
        Pick(
            "lemma",
            N_("Picture"),
            tuple(LEMMA),
            "classes",
            lambda name: _("the classes") if name == "classes" else f"ε = {name}",
        ),
    ),
    chart=chart,
    says=says,
    formula=formula,
    more=lambda stage: [
        _(
            "That the weights are not negative matters: each point can only push $w$ away from its own side. "
            "The Italian notes on SVM without bias and Pegasos get this sum from a lemma that leaves the sign out and needs a "
            "condition on the constraints, for instance that they are linear, as here. Their machine has no bias, and so "
            "no balance of the classes."
        ),
    ],
    tries=(
        Try(N_("Without bias"), set_machine(bias=False)),
        Try(N_("With bias"), set_machine(bias=True)),
        Try(N_("Four points"), board=FOUR),
    ),
    shows=("H5", "H6"),
)

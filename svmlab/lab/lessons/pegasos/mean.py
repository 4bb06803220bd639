"""F at the average iterate is at most the mean of F over the iterates (P8)."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.lab.lessons.pegasos.arrows import scale, scaled
from svmlab.lab.lessons.pegasos.drawn_run import FULL, NO_BOUNDARY, ORIGIN, arrow, steps_of_run
from svmlab.lab.lessons.pegasos.runs import IN_THE_PLANE, OTHER_DRAWS, optimum_without_bias, seed
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.curves import Curve, curves_over
from svmlab.lab.teach.overlay import set_machine, stroke
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Dial, Measure, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.pegasos import objective

T = 40
USED = Dial("averaged", N_("Number t of iterates that are averaged"), "t", 1.0, T, 1.0, T, after_show=True)


def iterates(stage: Stage) -> Array:
    """Return w_1 to w_T, (T, 2)."""
    return steps_of_run(stage, T).before


def averages(stage: Stage) -> Array:
    """Return the mean of w_1 to w_t for each t, (T, 2)."""
    return np.asarray(np.cumsum(iterates(stage), axis=0) / np.arange(1, T + 1)[:, None])


def gaps(stage: Stage, w: Array) -> Array:
    """Return F - F(w*) at each row of w (n, 2), (n,)."""
    data, lam = stage.data, stage.lab.lam
    return np.asarray(objective(data, lam, w) - optimum_without_bias(stage).objective * lam)


def gap_of_average(stage: Stage, t: float) -> float:
    """Return the gap at the average of t iterates."""
    return float(_kept(stage)[0][round(t) - 1])


def mean_gap(stage: Stage, t: float) -> float:
    """Return the mean of the gaps of t iterates."""
    return float(_kept(stage)[1][round(t) - 1])


def _kept(stage: Stage) -> tuple[Array, Array]:
    def make() -> tuple[Array, Array]:
        last = gaps(stage, iterates(stage))
        return gaps(stage, averages(stage)), np.asarray(np.cumsum(last) / np.arange(1, T + 1))

    return stage.cached(f"gaps of means {seed(stage)}", make)


def scale_of(stage: Stage) -> float:
    """Return how many times as long w is on the board."""
    return scale(FULL * float(np.hypot(*iterates(stage).T).max()), stage.lab.view)


def draw(stage: Stage) -> Data:
    """Return, after Show, the path of the iterates and their average as an arrow."""
    if not stage.shown:
        return {}
    t, by = round(USED(stage)), scale_of(stage)
    path = stroke(by * iterates(stage)[:t], "faint")
    return NO_BOUNDARY | {"overlay": [path, *arrow(ORIGIN, by * averages(stage)[t - 1], "accent")]}


def verdict(stage: Stage) -> str:
    """Return both gaps on the board."""
    return _(
        "F at the average, because F is convex. Here its gap F − F(w*) is {average}, and the mean of the gaps "
        "is {mean}."
    ).format(average=short(gap_of_average(stage, T), 3, ROUNDING), mean=short(mean_gap(stage, T), 3, ROUNDING))


MEAN = Step(
    key="mean",
    title=N_("Average iterate"),
    situation=N_(
        "A run of Pegasos makes the iterates $w_1, \\dots, w_T$. The bound on the regret limits the expected "
        "mean of their objective values, $\\frac1T\\sum_t F(w_t)$. However, the run returns one vector, the "
        "average iterate $\\bar w = \\frac1T\\sum_t w_t$, and its objective value is $F(\\bar w)$."
    ),
    question=N_(
        "Which is never larger than the other, $F$ at the average iterate or the mean of $F$ over all iterates?"
    ),
    choices=(
        right(N_("F at the average")),
        wrong(
            N_("The mean of F"),
            N_("The mean of F includes the best iterates. However, it also includes the bad ones, and F is convex."),
        ),
        wrong(
            N_("It depends on the run"),
            N_(
                "The iterates depend on the random draws. However, for a convex F the same inequality holds for all "
                "iterates."
            ),
        ),
    ),
    verdict=verdict,
    board=preset("overlapping", size=24, seed=1, face="lambda", value=0.5, bias=False),
    needs=IN_THE_PLANE,
    deeper=True,
    dials=(USED,),
    draw=draw,
    play=USED.play(1.0, T, 4000),
    rests_on_answer=lambda stage: stage.shown and gap_of_average(stage, USED(stage)) < mean_gap(stage, USED(stage)),
    numbers=(
        Measure(
            N_("gap of the average"),
            lambda stage: gap_of_average(stage, USED(stage)),
            N_("F − F(w*) at the average of the first t iterates"),
            after_show=True,
        ),
        Measure(
            N_("mean gap"),
            lambda stage: mean_gap(stage, USED(stage)),
            N_("mean of F − F(w*) over the first t iterates"),
            after_show=True,
        ),
    ),
    chart=curves_over(
        USED,
        N_("number t of iterates"),
        "F − F(w*)",
        Curve(N_("mean gap"), mean_gap, "other"),
        Curve(N_("gap of the average"), gap_of_average),
    ),
    says=lambda stage: _(
        "The curves are gaps $F - F(w^*)$. The mean gap (pink) is nowhere below the gap of the average "
        "(green). On the board ({scale}), the arrow is the average of the iterates on the thin path."
    ).format(scale=scaled(scale_of(stage))),
    formula=r"F(\bar w) \;\le\; \tfrac1T\textstyle\sum_{t\le T} F(w_t)",
    more=(
        N_(
            "**Proof.** Convexity means $F(a w + (1 - a) w') \\le a F(w) + (1 - a) F(w')$ for $0 \\le a \\le 1$. "
            "Applied repeatedly, it gives the inequality for any mean of vectors. Here $F$ is strictly convex, so "
            "both sides are equal only if all iterates are equal. You can see this if you average only one iterate."
        ),
        N_(
            "**The whole proof of the bound.** (1) $\\mathbb{E}\\,F(\\bar w) \\le \\mathbb{E}\\,\\tfrac1T\\sum_t "
            "F(w_t)$, this step. (2) The right-hand side is $\\mathbb{E}\\,\\tfrac1T\\sum_t \\ell_{Z_t}(w_t)$, "
            "because a "
            "random point has the expected loss $F$. (3) This is at most $\\mathbb{E}\\,\\tfrac1T\\sum_t "
            "\\ell_{Z_t}(w^*) + \\frac{\\mathbb{E}\\,G^2}{2\\lambda T}(1 + \\ln T)$, the bound on the regret. (4) This "
            "is at most $F(w^*) + \\frac{2X^2}{\\lambda T}(1 + \\ln T)$, because $G \\le 2X$."
        ),
    ),
    tries=(
        Try(N_("λ = 5"), set_machine(face="lambda", value=5.0)),
        Try(N_("λ = 0.05"), set_machine(face="lambda", value=0.05)),
        OTHER_DRAWS,
    ),
    shows=("P8",),
)

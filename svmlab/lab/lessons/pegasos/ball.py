"""The largest length of an iterate, X/lambda, in the plane of w (P3)."""

from __future__ import annotations

import math

import numpy as np

from svmlab.core.arrays import Array
from svmlab.lab.lessons.pegasos.arrows import scale, scaled
from svmlab.lab.lessons.pegasos.drawn_run import NO_BOUNDARY, ORIGIN, arrow, circle, steps_of_run
from svmlab.lab.lessons.pegasos.runs import IN_THE_PLANE, ITERATES_FIT, OTHER_DRAWS, optimum_without_bias
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.curves import Curve, curves_over
from svmlab.lab.teach.overlay import set_machine, stroke
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Dial, Measure, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.pegasos.step_rule import largest_norm

T = 60
MADE = Dial("iterates", N_("Number of steps that the run has made"), N_("steps"), 0.0, T, 1.0, T, after_show=True)
LARGE, SMALL = 10.0, 0.2  # values of lambda to try


def iterates(stage: Stage) -> Array:
    """Return w_1 = 0 and the iterates after 1, 2, .. T steps, (T + 1, 2)."""
    return np.vstack([ORIGIN, steps_of_run(stage, T).after])


def norm(stage: Stage, steps: float) -> float:
    """Return the length of the iterate after that number of steps."""
    return float(np.hypot(*iterates(stage)[round(steps)]))


def radius(stage: Stage) -> float:
    """Return X/lambda."""
    return largest_norm(stage.data) / stage.lab.lam


def bound_of_minimiser(stage: Stage) -> float:
    """Return 1/sqrt(lambda), which is at least the length of the minimiser."""
    return 1.0 / math.sqrt(stage.lab.lam)


def norm_of_minimiser(stage: Stage) -> float:
    """Return the length of w*."""
    w = optimum_without_bias(stage).w
    assert w is not None
    return float(np.hypot(*w))


def draw(stage: Stage) -> Data:
    """Return the longest point as an arrow. After Show there are the path of the iterates and two circles."""
    X = stage.data.X
    if not stage.shown:
        return NO_BOUNDARY | {"overlay": arrow(ORIGIN, X[np.hypot(*X.T).argmax()], "faint")}
    by = scale(max(radius(stage), bound_of_minimiser(stage)), stage.lab.view)
    path = iterates(stage)[: round(MADE(stage)) + 1]
    items = [circle(by * radius(stage), "accent"), circle(by * bound_of_minimiser(stage), "witness-line dashed")]
    items.append(stroke(by * path, "faint"))
    return NO_BOUNDARY | {"overlay": items + arrow(ORIGIN, by * path[-1], "accent")}


def rests_on_answer(stage: Stage) -> bool:
    """Return whether an iterate on the board has the length X/lambda."""
    lengths = np.hypot(*iterates(stage)[: round(MADE(stage)) + 1].T)
    return float(lengths.max()) > (1 - 1e-9) * radius(stage)


def verdict(stage: Stage) -> str:
    """Return the bound with its number and the two reasons."""
    return _(
        "X/λ\u00a0=\u00a0{radius}. w is 1/λ times a mean of pushes of length at most X. A first draw of the longest "
        "point reaches this."
    ).format(radius=short(radius(stage), 3))


def says(stage: Stage) -> str:
    """Say what the curves are, and at which scale the board shows the iterates."""
    by = scale(max(radius(stage), bound_of_minimiser(stage)), stage.lab.view)
    if radius(stage) <= bound_of_minimiser(stage):
        return _(
            "The curve is the length of $w$ after each step. On the board ({scale}), the path of $w$ stays in the "
            "green circle of radius $X/\\lambda$. Here this circle lies in the dashed pink one."
        ).format(scale=scaled(by))
    return _(
        "The curve is the length of $w$ after each step. On the board ({scale}), the path of $w$ stays in the green "
        "circle of radius $X/\\lambda$ and can leave the dashed pink one."
    ).format(scale=scaled(by))


BALL = Step(
    key="ball",
    title=N_("Bound on ‖w‖"),
    situation=N_(
        "Pegasos starts at $w_1 = 0$. In step $t$ it multiplies $w_t$ by $1 - 1/t$. If the drawn point $(x, "
        "y)$ has $y\\langle w_t, x\\rangle < 1$, it then adds $v_t/(\\lambda t)$ with the push $v_t = y x$. "
        "Otherwise $v_t = 0$. With a small $\\lambda$, it adds long vectors. The arrow on the board leads to "
        "the point with the largest distance $X$ from the origin."
    ),
    question=N_(
        "The longest training point has length $X$. Whatever $X$ and $\\lambda$ are, what is the largest length of $w$ "
        "that a run can reach?"
    ),
    choices=(
        wrong(
            N_("There is none, because w can grow without bound"),
            N_(
                "Many vectors are added. However, each step also multiplies w by 1 − 1/t, so w remains a mean divided "
                "by λ."
            ),
        ),
        right(N_("X/λ")),
        wrong(
            N_("1/√λ"),
            N_("The minimiser w* is never longer than this. However, w₂ can have length X/λ, and that can be larger."),
        ),
    ),
    verdict=verdict,
    board=board_of_points(
        (
            (1.6, 1.2, 1),
            (0.3, 1.5, 1),
            (1.5, 0.2, 1),
            (0.9, 0.8, 1),
            (-0.2, 0.6, 1),
            (-1.4, -0.5, -1),
            (-0.4, -1.3, -1),
            (-0.9, -0.9, -1),
            (0.4, -0.5, -1),
            (-1.5, 0.3, -1),
        ),
        face="lambda",
        value=1.0,
        bias=False,
    ),
    needs=(*IN_THE_PLANE, ITERATES_FIT),
    deeper=True,
    introduces=("longest",),
    dials=(MADE,),
    draw=draw,
    play=MADE.play(0.0, T, 4000),
    rests_on_answer=rests_on_answer,
    numbers=(
        Measure(
            "X", lambda stage: largest_norm(stage.data), N_("length of the longest training point"), after_show=True
        ),
        Measure(
            N_("largest ‖w‖"),
            lambda stage: float(np.hypot(*iterates(stage).T).max()),
            N_("largest length of an iterate in the first 60 steps of this run"),
            after_show=True,
        ),
        Measure("‖w*‖", norm_of_minimiser, N_("length of the minimiser of F"), after_show=True),
    ),
    chart=curves_over(
        MADE,
        N_("number of steps"),
        N_("length"),
        Curve("‖w‖", norm, "text"),
        Curve("X/λ", lambda stage, t: radius(stage)),
        Curve("1/√λ", lambda stage, t: bound_of_minimiser(stage), "other"),
    ),
    says=says,
    formula=r"\|w_{t+1}\| = \tfrac1\lambda \bigl\| \tfrac1t\textstyle\sum_{s\le t} v_s \bigr\| \le \tfrac{X}{\lambda}",
    more=(
        N_(
            "**Proof.** By the formula for the sum of pushes, $w_{t+1} = \\frac{1}{\\lambda t}\\sum_{s\\le t} v_s$. "
            "This is $1/\\lambda$ times the mean of the pushes, and the length of each push is at most $X$. So "
            "$\\|w_{t+1}\\| \\le X/\\lambda$."
        ),
        N_(
            "**The bound is attained.** Because $w_1 = 0$, the first drawn point always has $y\\langle w_1, x\\rangle "
            "= 0 < 1$. So $w_2 = y x/\\lambda$, and if the longest point is drawn first, $\\|w_2\\| = X/\\lambda$. "
            "On the first board, you can see this in the first run."
        ),
        N_(
            "**The minimiser.** At the optimum, $\\lambda w^* = \\frac1m\\sum_i a_i y_i x_i$ with $0 \\le a_i \\le "
            "1$, and $a_i > 0$ "
            "only if $y_i\\langle w^*, x_i\\rangle \\le 1$. The inner product with $w^*$ gives $\\lambda\\|w^*\\|^2 "
            "\\le 1$. So $w^*$ "
            "lies in the ball of radius $1/\\sqrt\\lambda$. For $X < \\sqrt\\lambda$, the ball of radius $X/\\lambda$ "
            "is smaller."
        ),
        N_(
            "**Projection.** The original paper on Pegasos projects $w$ onto the ball of radius $1/\\sqrt\\lambda$ "
            "after every step. The Italian notes on Pegasos omit this, and you do not need it for their proof of the "
            "bound."
        ),
    ),
    tries=(
        Try(N_("λ = 0.2"), set_machine(face="lambda", value=SMALL)),
        Try(N_("λ = 10"), set_machine(face="lambda", value=LARGE)),
        OTHER_DRAWS,
    ),
    shows=("P3", "T3"),
)

"""Every w stays in the ball of radius X/lambda, seen on the plane of w (P3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab.lab.lessons.pegasos.ball_chart import ball
from svmlab.lab.lessons.pegasos.runs import (
    IN_THE_PLANE,
    NEAR,
    OTHER_DRAWS,
    average_line,
    optimum_without_bias,
    short_comparison,
    seed,
    when_shown,
)
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import reading, set_machine
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Reading, Step, Try
from svmlab.lab.words import N_, _
from svmlab.pegasos import Stretch, replay

T = 500


def path(stage: Stage) -> Stretch:
    """All steps of a run."""
    run = short_comparison(stage, T).run
    return stage.cached(f"path {seed(stage)}", lambda: replay(run, 0, 1, T + 1))


def numbers(stage: Stage) -> Sequence[Reading]:
    """The longest w of the run, the radius, and w*."""
    run = short_comparison(stage, T).run
    w = optimum_without_bias(stage).w
    return [
        reading(_("longest w"), float(np.hypot(*path(stage).after.T).max())),
        reading("X/λ", run.X / run.lam),
        reading("1/√λ", run.rule.radius),
        reading("|w*|", 0.0 if w is None else float(np.hypot(*w))),
    ]


def chart(stage: Stage) -> Chart:
    """The plane of w."""
    now, steps = short_comparison(stage, T), path(stage)
    way = np.vstack([steps.before[:1], steps.after])
    return Chart(ball(way, now.run.X / now.run.lam, now.run.rule.radius, now.w, stage.palette))


BALL = Step(
    key="ball",
    title=N_("Inside a ball"),
    question=N_(
        "A push $y\\,x/(\\lambda t)$ is long where λ is small. How far from 0 can the pushes bring $w$? $X$ is the longest $x$."
    ),
    choices=(
        Choice(N_("As far as they like"), N_("Pushes add up, but each step also shrinks what is there by 1 − 1/t.")),
        Choice(N_("At most X/λ")),
        Choice(
            N_("At most 1/√λ"), N_("So short is w*, and so is every w that is projected; without, w may overshoot.")
        ),
    ),
    answer=lambda stage: 1,
    is_theorem=True,
    verdict=lambda stage: _("at most X/λ: w is 1/λ times a mean of pushes v, none longer than X."),
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
    needs=(*IN_THE_PLANE, NEAR),
    draw=average_line,
    numbers=when_shown(numbers),
    chart=chart,
    says=N_(
        "The plane of $w$: the path from 0 to $w^*$, whose start may reach the circle and never leaves it. Dashed: the ball of $w^*$."
    ),
    formula=r"\|w_{t+1}\| = \tfrac1\lambda \bigl\| \tfrac1t\textstyle\sum_{s\le t} v_s \bigr\| \le \tfrac{X}{\lambda}",
    more=lambda stage: [
        _(
            "A first step onto the farthest point reaches the circle: $w_2 = y\\,x/\\lambda$. The dashed circle has the radius $1/\\sqrt\\lambda$: "
            "$\\tfrac\\lambda2\\|w^*\\|^2 \\le \\tfrac12$ by strong duality, so $w^*$ lies inside. The original paper on Pegasos projects $w$ onto that ball "
            "after every step; the notes leave it out, and the proof does without."
        )
    ],
    tries=(
        Try(N_("λ = 0.2"), set_machine(face="lambda", value=0.2)),
        Try(N_("λ = 4"), set_machine(face="lambda", value=4.0)),
        OTHER_DRAWS,
    ),
    shows=("P3",),
)

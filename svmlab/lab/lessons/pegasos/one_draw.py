"""The gradient of the loss of one random point equals the gradient of F on average (P5)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab.core.arrays import Array
from svmlab.lab.lessons.pegasos.arrows import scale
from svmlab.lab.lessons.pegasos.drawn_run import NO_BOUNDARY, arrow
from svmlab.lab.lessons.pegasos.runs import IN_THE_PLANE
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.curves import Curve, curves_over
from svmlab.lab.teach.overlay import probe, set_dials, set_machine
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data, Dial, Measure, Need, Part, Pick, Step, Try, right, wrong
from svmlab.lab.words import N_, _, written
from svmlab.pegasos import draws
from svmlab.pegasos.estimate import outcomes

N = 200  # the largest number of draws
DRAWN = Dial(
    "sampled", N_("Number of random draws whose gradients are averaged"), N_("draws"), 1.0, N, 1.0, N, "", True
)
AT = Pick(
    "at", N_("Step t that is made at w"), (1, 2, 5, 20), 2, lambda t: written("t\u00a0=\u00a0") + str(t), in_more=True
)
START = (0.1, -0.2)  # of the half-width of the board: the first w
DIFFERENT = Need(
    lambda stage: bool(np.ptp(stage.data.y[:, None] * stage.data.X, axis=0).any()),
    N_("All vectors y x are equal on this board, so all points have the same gradient. Move one of the points."),
    {},
)


def position(stage: Stage) -> tuple[float, float]:
    """Return w, which is drawn at the position with its coordinates."""
    view = stage.lab.view
    return stage.dial("unbiased1", START[0] * view), stage.dial("unbiased2", START[1] * view)


def gradients(stage: Stage) -> Array:
    """Return the subgradient of the loss of each point at w, lambda w - v_i (m, 2)."""
    data, w = stage.data, np.array(position(stage))
    pushes = data.y[:, None] * data.X * (data.y * (data.X @ w) < 1.0)[:, None]
    return np.asarray(stage.lab.lam * w - pushes)


def mean_of_draws(stage: Stage, n: float) -> Array:
    """Return the mean (2,) of the gradients of the first n of the drawn points. The draws are always the same."""
    rows = draws(stage.data.m, 0, 0, 0, round(n))
    return np.asarray(gradients(stage)[rows].mean(0))


def error_of_mean(stage: Stage, n: float) -> float:
    """Return the distance between the mean gradient of n draws and the gradient of F."""
    return float(np.hypot(*(mean_of_draws(stage, n) - gradients(stage).mean(0))))


def typical_error(stage: Stage, n: float) -> float:
    """Return the root mean square of this distance over all possible draws."""
    G = gradients(stage)
    return float(np.sqrt(((G - G.mean(0)) ** 2).sum(1).mean() / n))


def draw(stage: Stage) -> Data:
    """Return w and the negative gradient of each point. After Show there are two means of them."""
    w, G = np.array(position(stage)), gradients(stage)
    by = scale(float(np.hypot(*G.T).max()), stage.lab.view)
    items: list[Data] = []
    for label, g in zip(stage.data.y, G, strict=True):
        items += arrow(w, w - by * g, "plus" if label > 0 else "minus")
    items = [item | {"width": 1.25} for item in items]
    if stage.shown:
        for g, style, width in ((G.mean(0), "witness-line", 6.0), (mean_of_draws(stage, DRAWN(stage)), "accent", 3.0)):
            items += [item | {"width": width} for item in arrow(w, w - by * g, style)]
    return NO_BOUNDARY | {"overlay": items, "probe": probe("unbiased1", "unbiased2", position(stage), "w")}


def more(stage: Stage) -> Sequence[Part]:
    """Return the proof, the same for the loss, and what changes after the step."""
    t = int(stage.pick("at"))
    after = float(outcomes(stage.data, stage.lab.lam, np.array(position(stage)), t)[1].mean())
    return [
        _(
            "**Proof.** $F$ is the mean of the losses $\\ell_i$ of all $m$ points, with $\\ell_i(w) = "
            "\\frac\\lambda2\\|w\\|^2 + \\max(0, 1 - y_i\\langle w, x_i\\rangle)$. Each point is drawn with "
            "probability "
            "$1/m$. So the expectation of $\\nabla\\ell_Z(w)$ is $\\frac1m\\sum_i\\nabla\\ell_i(w) = \\nabla F(w)$. "
            "Where a margin is exactly 1, both sides use the same subgradient, with $v = 0$ for this point."
        ),
        _(
            "**The loss.** In the same way, the expected loss of the drawn point is $F(w)$. In a run, $w_t$ depends "
            "only on the earlier draws, so $\\mathbb{E}[\\ell_{Z_t}(w_t) \\mid Z_1, \\dots, Z_{t-1}] = F(w_t)$. This "
            "is equation (5) of the Italian notes on Pegasos."
        ),
        _(
            "**After the step.** $w_{{t+1}}$ depends on the drawn point, so the equation does not hold for "
            "$\\ell_{{Z_t}}(w_{{t+1}})$. If you make step $t$ = {t} at the $w$ on the board, the mean of "
            "$\\ell_{{Z_t}}(w_{{t+1}}) - F(w_{{t+1}})$ over all draws is {after}."
        ).format(t=t, after=short(after, 3, ROUNDING)),
        _(
            "**How fast.** For one draw, the mean square of the distance is the mean of $\\|\\nabla\\ell_i(w) - "
            "\\nabla F(w)\\|^2$ over all points. For the mean of $n$ draws, it is $n$ times smaller. To halve the root "
            "mean square of the distance, you need four times as many draws."
        ),
    ]


def verdict(stage: Stage) -> str:
    """Return the answer with the distance on the board."""
    return _(
        "Its mean over all draws is ∇F(w), because F is the mean of all losses. Here the mean of {n} draws is "
        "{error} away."
    ).format(n=round(DRAWN(stage)), error=short(error_of_mean(stage, DRAWN(stage)), 2, ROUNDING))


DRAW = Step(
    key="unbiased",
    former_key="draw",
    title=N_("Gradient of a random point"),
    situation=N_(
        "$F(w)$ is the mean of the losses $\\ell_i(w) = \\frac\\lambda2\\|w\\|^2 + \\max(0, 1 - y_i\\langle w, "
        "x_i\\rangle)$ of all $m$ training points. A step of Pegasos uses the gradient of only one loss "
        "$\\ell_Z$. Its number $Z$ is drawn at random, each with probability $1/m$. The thin arrows at $w$ are "
        "the negative gradients of all $\\ell_i$. Drag $w$ to see that they can differ."
    ),
    question=N_("One training point is drawn at random. At every $w$, what is true of the gradient of its loss?"),
    choices=(
        wrong(
            N_("It is equal to ∇F(w)"),
            N_(
                "The step uses it like the gradient of F. However, each point has its own gradient, and they can "
                "differ."
            ),
        ),
        right(N_("Its mean over all draws is ∇F(w)")),
        wrong(
            N_("Its mean over all draws is ∇F(w)/m"),
            N_("One point is 1/m of the training set. However, F is the mean of the losses, not their sum."),
        ),
        wrong(
            N_("Its mean over all draws points another way than ∇F(w)"),
            N_(
                "A single draw can have another direction. However, all points are equally likely, so these "
                "errors cancel."
            ),
        ),
    ),
    verdict=verdict,
    board=preset("overlapping", size=16, seed=4, face="lambda", value=0.5, bias=False),
    needs=(*IN_THE_PLANE, DIFFERENT),
    introduces=("unbiased", "subgradient"),
    dials=(DRAWN,),
    draw=draw,
    play=DRAWN.play(1.0, N, 5000),
    rests_on_answer=lambda stage: DRAWN(stage) == N and error_of_mean(stage, N) < 2 * typical_error(stage, N),
    numbers=(
        Measure(
            "‖∇F(w)‖",
            lambda stage: float(np.hypot(*gradients(stage).mean(0))),
            N_("length of the gradient of F at w"),
            after_show=True,
        ),
        Measure(
            N_("distance of the mean"),
            lambda stage: error_of_mean(stage, DRAWN(stage)),
            N_("distance between the mean gradient of the drawn points and the gradient of F"),
            after_show=True,
        ),
        Measure(
            N_("of one draw"),
            lambda stage: typical_error(stage, 1.0),
            N_("root mean square of the distance between the gradient of a single draw and the gradient of F"),
            after_show=True,
        ),
    ),
    picks=(AT,),
    chart=curves_over(
        DRAWN,
        N_("number of draws n"),
        N_("distance to ∇F(w)"),
        Curve(N_("typical"), typical_error, "quiet"),
        Curve(N_("these draws"), error_of_mean),
    ),
    says=N_(
        "The green curve is the distance of the mean gradient of $n$ draws from $\\nabla F(w)$, the grey one "
        "its root mean square. On the board, the green arrow (minus this mean) approaches $-\\nabla F(w)$ "
        "(pink)."
    ),
    formula=r"\mathbb{E}\,[\nabla\ell_Z(w)] = \tfrac1m\textstyle\sum_i \nabla\ell_i(w) = \nabla F(w)",
    more=more,
    tries=(
        Try(N_("One draw"), DRAWN.to(1.0)),
        Try("w = 0", set_dials(unbiased1=0.0, unbiased2=0.0)),
        Try(N_("λ = 10"), set_machine(face="lambda", value=10.0)),
    ),
    shows=("P5",),
)

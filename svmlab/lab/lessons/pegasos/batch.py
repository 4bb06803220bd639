"""Subgradient descent on all points with a constant step size, and with the step size 1/(lambda t) (L6)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.firstorder.subgradient import Descent, batch_descent
from svmlab.lab.lessons.pegasos.runs import IN_THE_PLANE, labelled_value, line_of, optimum_without_bias
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import set_machine
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Pick, Step, Try, right, wrong
from svmlab.lab.words import N_, _, written
from svmlab.pegasos import Progress
from svmlab.plot.lines import FLOOR, Line, curves
from svmlab.plot.palette import Palette

EXACT = 1e-9  # a distance up to here is a rounding error
LAST = 8  # iterates with the constant step size whose lines are drawn
ROUNDS = Pick(
    "rounds", N_("Number of steps"), (300, 3_000, 30_000), 3_000, lambda n: labelled_value("t", n, 300), in_more=True
)
ETA = Pick("eta", N_("Constant step size"), (0.5, 0.2, 0.05), 0.2, lambda eta: labelled_value("η", eta, 0.5))


def minimiser(stage: Stage) -> Array:
    """Return w* (2,)."""
    w = optimum_without_bias(stage).w
    assert w is not None
    return w


def both(stage: Stage) -> tuple[Descent, Descent]:
    """Return the descents with the step sizes eta/lambda and 1/(lambda t). Raises Working until both are known."""
    data, lam, T, eta = stage.data, stage.lab.lam, int(stage.pick("rounds")), float(stage.pick("eta"))

    def make(report: Progress) -> tuple[Descent, Descent]:
        constant = batch_descent(data, lam, T, eta=eta, on_progress=lambda done: report(0.5 * done))
        return constant, batch_descent(data, lam, T, on_progress=lambda done: report(0.5 + 0.5 * done))

    return stage.background_result(("batch", data.key, lam, T, eta), make)


def constant(stage: Stage) -> Descent:
    """Return the descent with the constant step size eta/lambda."""
    return both(stage)[0]


def decreasing(stage: Stage) -> Descent:
    """Return the descent with the step size 1/(lambda t)."""
    return both(stage)[1]


def distances(stage: Stage, descent: Descent) -> Array:
    """Return the distance of the iterates from w* at the checkpoints, (k,)."""
    return np.asarray(np.hypot(*(descent.iterates[0] - minimiser(stage)).T))


def largest_late_distance(stage: Stage) -> float:
    """Return the largest distance with the constant step size at the checkpoints of the last half of the steps."""
    descent = constant(stage)
    return float(distances(stage, descent)[descent.t >= descent.t[-1] / 2].max())


def draw(stage: Stage) -> Data:
    """Return, after Show, the lines of the last iterates of both descents."""
    if not stage.shown:
        return {}
    half = stage.lab.view
    lines = [line for w in constant(stage).iterates[0, -LAST:] for line in line_of(w, half, "witness-line dashed")]
    return {
        "overlay": [line | {"width": 1.5} for line in lines]
        + line_of(decreasing(stage).iterates[0, -1], half, "accent")
    }


def chart(stage: Stage) -> Chart:
    """Return both distances over the steps."""
    return Chart(
        over_steps(
            constant(stage).t, distances(stage, constant(stage)), distances(stage, decreasing(stage)), stage.palette
        )
    )


def over_steps(t: Index, constant: Array, decreasing: Array, palette: Palette) -> go.Figure:
    """Draw the distances (k,) at the steps t (k,) on logarithmic axes."""
    x = np.asarray(t, dtype=float)
    lines = [
        Line(_("constant"), x, np.maximum(constant, FLOOR), palette.other, "dash"),
        Line(written("1/(λt)"), x, np.maximum(decreasing, FLOOR), palette.accent),
    ]
    return curves(lines, _("step t"), "‖w − w*‖", palette, height=160)


def verdict(stage: Stage) -> str:
    """Return both distances on this board."""
    reached = float(distances(stage, constant(stage))[-1])
    if stays_away(stage):
        reached = largest_late_distance(stage)
        words = _(
            "Only for some of them. Here w keeps jumping, up to {constant} away from w*. With 1/(λt) it ends "
            "{decreasing} away."
        )
    else:
        words = _("Only for some of them. Here w ends {constant} away from w*, and {decreasing} away with 1/(λt).")
    return words.format(
        constant=short(reached, 2, ROUNDING),
        decreasing=short(float(distances(stage, decreasing(stage))[-1]), 2, ROUNDING),
    )


def shrinks(stage: Stage) -> bool:
    """Return whether each late step multiplies the distance by 1 - eta or less, so that w does not jump."""
    descent = constant(stage)
    is_late = descent.t >= descent.t[-1] / 2
    late, steps = distances(stage, descent)[is_late], np.diff(descent.t[is_late])
    expected = late[:-1] * (1.0 - float(stage.pick("eta"))) ** steps
    return bool((late[1:] <= (1.0 + 1e-6) * expected + EXACT).all())


def stays_away(stage: Stage) -> bool:
    """Return whether w jumps, and ends more than three times as far from w* as with the decreasing step size."""
    threshold = 3 * float(distances(stage, decreasing(stage))[-1]) + EXACT
    return largest_late_distance(stage) > threshold and not shrinks(stage)


def says(stage: Stage) -> str:
    """Say what the curves are, and whether the constant step size converges on this board."""
    if stays_away(stage):
        return _(
            "The curves are the distances to $w^*$. With the constant step size (dashed pink), $w$ jumps back and "
            "forth across a kink of $F$, and so do its last boundaries on the board. Green is the step size "
            "$1/(\\lambda t)$."
        )
    if shrinks(stage):
        return _(
            "The curves are the distances to $w^*$. On this board, $w$ does not jump with the constant step size "
            "(dashed pink). So it converges, as with $1/(\\lambda t)$ (green)."
        )
    return _(
        "The curves are the distances to $w^*$. On this board, the constant step size (dashed pink) comes about as "
        "close as $1/(\\lambda t)$ (green) in these steps."
    )


BATCH = Step(
    key="batch",
    title=N_("Constant step size"),
    situation=N_(
        "Subgradient descent uses **all** points in each step. It replaces $w$ by $w - "
        "\\frac{\\eta}{\\lambda}\\,g$, where $g$ is a subgradient of the objective $F(w) = "
        "\\frac\\lambda2\\|w\\|^2$ + mean hinge loss. The step size $\\eta/\\lambda$ is constant (you can "
        "choose $\\eta$ after “Show”). Pegasos has the step size $1/(\\lambda t)$ in step $t$. The board shows "
        "the boundary of the minimiser $w^*$."
    ),
    question=N_(
        "For which training sets does subgradient descent with a constant step size converge to the minimiser $w^*$?"
    ),
    choices=(
        wrong(
            N_("For all of them, if the step size is small enough"),
            N_(
                "This is true for smooth functions. However, at a kink the subgradients do not tend to 0, so w keeps "
                "jumping."
            ),
        ),
        right(N_("Only for some of them")),
        wrong(
            N_("For none of them"),
            N_(
                "At a kink w keeps jumping. However, where F is smooth around w*, the gradient tends to 0 and w can "
                "converge."
            ),
        ),
    ),
    verdict=verdict,
    board=preset("overlapping", size=12, seed=3, face="lambda", value=0.1, bias=False),
    needs=IN_THE_PLANE,
    introduces=("descent",),
    draw=draw,
    rests_on_answer=lambda stage: stage.shown and stays_away(stage),
    numbers=(
        Measure(
            N_("distance, constant"),
            largest_late_distance,
            N_("largest distance from w* in the second half of the steps, with the constant step size"),
            after_show=True,
        ),
        Measure(
            N_("distance, 1/(λt)"),
            lambda stage: float(distances(stage, decreasing(stage))[-1]),
            N_("distance from w* after the last step, with the step size 1/(λt)"),
            after_show=True,
        ),
    ),
    picks=(ETA, ROUNDS),
    chart=chart,
    says=says,
    formula=(
        r"w \leftarrow w - \tfrac\eta\lambda\,g, \qquad "
        r"g = \lambda w - \tfrac1m\textstyle\sum_{y_i\langle w, x_i\rangle < 1} y_i x_i"
    ),
    more=(
        N_(
            "**Why it fails at a kink.** Let some point with $y_i\\langle w^*, x_i\\rangle = 1$ be needed with only a "
            "part "
            "of its push, so that its multiplier is strictly between 0 and its bound. Near $w^*$ the subgradient uses "
            "either the whole push or nothing. So it does not tend to 0, and neither do the steps. If you choose a "
            "smaller $\\eta$, the jumps become shorter, but they do not vanish."
        ),
        N_(
            "**Why it can work elsewhere.** If no point has $y_i\\langle w^*, x_i\\rangle = 1$, then $F$ is quadratic "
            "near "
            "$w^*$, with the gradient $\\lambda(w - w^*)$. A step there multiplies $w - w^*$ by $1 - \\eta$. With a "
            "large "
            "$\\eta$, however, $w$ may never reach this region."
        ),
        N_(
            "**Decreasing step sizes.** $1/(\\lambda t)$ tends to 0, so the jumps become shorter. Its sum over all "
            "$t$ is "
            "infinite, so $w$ can still reach $w^*$ from any start. One step uses all $m$ points, and Pegasos uses one."
        ),
        N_(
            "**Lecture notes.** Gambosi's slides minimise $\\frac12\\|w\\|^2$ + the sum of the hinge losses. Their "
            "update is "
            "“$\\mathbf{w}^{(r+1)} = \\mathbf{w}^{(r)} - \\alpha \\mathbf{w}^{(r)} + \\alpha \\sum_{\\mathbf{x}_i "
            "\\in L} t_i "
            "\\phi(\\mathbf{x}_i)$” with a constant $\\alpha$. They use the same letter for the weight of the norm, "
            "which "
            "they then omit. They do not say that the step size must decrease."
        ),
    ),
    tries=(
        Try(N_("λ = 10"), set_machine(face="lambda", value=10.0)),
        Try(N_("Separable"), board=preset("separable", size=12, face="lambda", value=0.05, bias=False)),
    ),
    shows=("L6",),
)

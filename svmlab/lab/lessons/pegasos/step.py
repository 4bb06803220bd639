"""The update of Pegasos, one step at a time on the board (P1)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index, Mask
from svmlab.lab.lessons.pegasos.arrows import scale, scaled
from svmlab.lab.lessons.pegasos.runs import (
    IN_THE_PLANE,
    OTHER_DRAWS,
    line_of,
    optimum_without_bias,
    seed,
    short_comparison,
)
from svmlab.lab.numbers import grouped, short
from svmlab.lab.teach.boards import flowers, has_points_of, preset
from svmlab.lab.teach.overlay import POINTS_ONLY, film, frame, place, set_machine, stroke
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Pick, Step, Try, right, wrong
from svmlab.lab.words import N_, _, written
from svmlab.pegasos import RecordedSteps, replay
from svmlab.plane.contours import line_through_origin
from svmlab.plot.frame import axis_range, empty_chart
from svmlab.plot.palette import Palette

FRAMES = 40
START = Pick(
    "start",
    N_("first step"),
    (1, 100, 1_000, 10_000),
    1,
    lambda t: (_("from t\u00a0=\u00a0{t}") if t == 1 else "{t}").format(t=grouped(t)),
)
FLOWERS = flowers(
    "versicolor",
    "virginica",
    ("petal_length", "petal_width"),
    centre=(4.9, 1.7),
    every=6,
    face="lambda",
    value=0.1,
    bias=False,
    view=3.0,
)


def stretch(stage: Stage) -> RecordedSteps:
    """Return the steps that the board shows one after the other."""
    start = int(stage.pick("start"))
    run = short_comparison(stage, start + FRAMES - 1).run
    return stage.cached(f"stretch {start} {seed(stage)}", lambda: replay(run, 0, start, start + FRAMES))


def picture(stage: Stage, steps: RecordedSteps, i: int) -> Data:
    """Return one step: both boundaries, and as arrows w before, the push and w after. The caption has the numbers."""
    half, row = stage.lab.view, int(steps.drawn[i, 0])
    by = scale(max(float(np.hypot(*steps.before[i])), float(np.hypot(*steps.after[i]))), half)
    before, shrunk, after = (by * v for v in (steps.before[i], steps.shrink[i], steps.after[i]))
    pushed = after if steps.violates[i, 0] else shrunk
    items = [
        stroke(_ends(steps.before[i], half), "faint dashed"),
        stroke(_ends(steps.after[i], half), "accent"),
        stroke(np.stack([np.zeros(2), before]), "faint", "arrow"),
        stroke(np.stack([shrunk, pushed]), "plus" if stage.lab.points[row].label > 0 else "minus", "arrow"),
        stroke(np.stack([np.zeros(2), after]), "accent", "arrow"),
    ]
    return frame(items, caption(stage, steps, i, row, by), stage.lab.points[row].id)


def _ends(w: Array, half: float) -> Array:
    ends = line_through_origin(w, half)
    return ends if len(ends) else np.zeros((2, 2))


def caption(stage: Stage, steps: RecordedSteps, i: int, row: int, by: float) -> str:
    """Return the update with its numbers, and the reason for it."""
    t, x, y = int(steps.t[i]), stage.lab.data.X[row], stage.lab.points[row].label
    violates = bool(steps.violates[i, 0])
    push = f"{'+' if y > 0 else '−'} {short(1.0 / (stage.lab.lam * t), 3)}·{place(x)}" if violates else ""
    why = _("margin violation, so y x/(λt) is added") if violates else _("no margin violation, so nothing is added")
    return _(
        "<b>t = {t}</b> ({first} to {last}) · drawn {x}, label {y} · y⟨w, x⟩ = {margin} {sign} 1: {why}<br>"
        "w<sub>{next}</sub> = {shrink}·{before} {push} = {after} · {scale}"
    ).format(
        t=grouped(t),
        first=grouped(int(steps.t[0])),
        last=grouped(int(steps.t[-1])),
        next=grouped(t + 1),
        x=place(x),
        y="+1" if y > 0 else "−1",
        margin=short(float(steps.margin[i, 0]), 3),
        sign="&lt;" if violates else "≥",
        why=why,
        shrink=short(1.0 - 1.0 / t, 4),
        before=place(steps.before[i]),
        push=push,
        after=place(steps.after[i]),
        scale=scaled(by),
    )


def opening(steps: RecordedSteps) -> int:
    """Return the first step without a margin violation, or the first of all if there is none."""
    return 0 if steps.violates.all() else int(np.argmax(~steps.violates[:, 0]))


def draw(stage: Stage) -> Data:
    """Return the steps and the boundary of w*, or before the answer only the points."""
    quiet = POINTS_ONLY | {"message": None, "legend": None}
    if not stage.shown:
        return quiet
    steps, lab = stretch(stage), stage.lab
    key, at = f"{lab.data.key} {lab.lam} {lab.view} {int(steps.t[0])} {seed(stage)}", opening(steps)
    if stage.moving:  # while something is dragged only up to the frame that stands there
        frames = [picture(stage, steps, i) for i in range(at + 1)]
    else:
        frames = stage.cached(f"film {key}", lambda: [picture(stage, steps, i) for i in range(len(steps.t))])
    w = optimum_without_bias(stage).w
    goal = [] if w is None else line_of(w, lab.view, "witness-line dashed")
    course = _("step t from {first} to {last}").format(first=grouped(int(steps.t[0])), last=grouped(int(steps.t[-1])))
    return quiet | {"overlay": goal, "film": film(key, frames, course, at)}


def violations(stage: Stage) -> str:
    """Return the number of margin violations and the number of steps."""
    return _("{n} of {steps} steps").format(n=int(stretch(stage).violates.sum()), steps=FRAMES)


def situation(stage: Stage) -> str:
    """Return what step t draws, and what the points are if they are the flowers."""
    words = _(
        "**Pegasos** minimises $F(w) = \\frac\\lambda2\\|w\\|^2$ plus the mean hinge loss. Step $t$ draws one "
        "point $(x, y)$ at random. If $y\\langle w_t, x\\rangle < 1$ (a **margin violation**), the step adds a "
        "multiple of $y\\,x$ to the weights $w_t$."
    )
    if has_points_of(stage.lab, FLOWERS):
        named = _("The points are iris flowers (petal length and width, centred).")
        return f"{named} {words}"
    return words


def verdict(stage: Stage) -> str:
    """Return the answer with the first step that shows it, if there is one."""
    steps = stretch(stage)
    if steps.violates.all():
        return _(
            "It makes wₜ shorter. It multiplies wₜ by 1 − 1/t, because the regulariser λ/2 ‖w‖² has the gradient λw."
        )
    t = int(steps.t[opening(steps)])
    return _(
        "It makes wₜ shorter. In step t\u00a0=\u00a0{t}, the factor 1 − 1/t is {factor}, and nothing is added."
    ).format(t=grouped(t), factor=short(1.0 - 1.0 / t, 4))


def chart(stage: Stage) -> Chart:
    """Return the length of w, step by step."""
    steps = stretch(stage)
    labels = stage.data.y[steps.drawn[:, 0]]
    return Chart(lengths(steps.t, np.hypot(*steps.after.T), steps.violates[:, 0], labels, stage.palette))


def lengths(t: Index, norms: Array, pushed: Mask, labels: Array, palette: Palette) -> go.Figure:
    """Draw |w_{t+1}| after each step t (n,). Steps with a margin violation are dots in the colour of the label (n,)."""
    figure = empty_chart(palette, _("step t"), written("‖wₜ₊₁‖"), height=160)
    x = np.asarray(t, dtype=float)
    figure.add_trace(
        go.Scatter(x=x, y=norms, name="length", mode="lines", line=palette.pen(palette.quiet, 1.5), hoverinfo="skip")
    )
    for name, here, size in (("push", pushed, 9.0), ("shrink", ~pushed, 4.0)):
        colour = palette.classes(labels[here]) if name == "push" else palette.quiet
        words = _("margin violation") if name == "push" else _("no margin violation")
        figure.add_trace(
            go.Scatter(
                x=x[here],
                y=norms[here],
                name=name,
                mode="markers",
                marker={"size": size * palette.stroke, "color": colour, "opacity": 1},
                hovertemplate=written("t = %{x:d}, ") + f"‖w‖ = %{{y:.4g}}, {words}<extra></extra>",
            )
        )
    figure.update_xaxes(range=axis_range(x, room=0.02))
    return figure.update_yaxes(range=axis_range(norms, 0.0))


STEP = Step(
    key="step",
    title=N_("The Pegasos update"),
    situation=situation,
    question=N_("What does step $t$ do to $w_t \\ne 0$ if the drawn point has $y\\langle w_t, x\\rangle \\ge 1$?"),
    choices=(
        wrong(
            N_("It does not change wₜ"),
            N_("The hinge loss of the point is 0. However, the objective also has the regulariser λ/2 ‖w‖²."),
        ),
        right(N_("It makes wₜ shorter")),
        wrong(
            N_("It adds a multiple of y x to wₜ"),
            N_(
                "This happens at a margin violation, y⟨wₜ, x⟩ < 1. Otherwise Pegasos uses the slope 0 of the hinge "
                "loss."
            ),
        ),
    ),
    verdict=verdict,
    board=FLOWERS,
    introduces=("pegasos", "stochastic", "violation", "step-length"),
    needs=IN_THE_PLANE,
    draw=draw,
    rests_on_answer=lambda stage: not bool(stretch(stage).violates[opening(stretch(stage)), 0]),
    numbers=(
        Measure(
            N_("margin violations"),
            violations,
            N_("Number of the steps shown on the board whose drawn point has y⟨w, x⟩ < 1"),
            after_show=True,
        ),
    ),
    picks=(START,),
    chart=chart,
    says=N_(
        "Play the steps. The drawn point is circled, $w_t$ is pale, and $w_{t+1}$ is green. The dashed pink "
        "line belongs to the minimiser $w^*$. In the chart, large dots are margin violations, and small dots "
        "the rest."
    ),
    formula=(
        r"w_{t+1} = \left(1-\tfrac1t\right) w_t + \tfrac{1}{\lambda t}\,v_t, \qquad "
        r"v_t = \begin{cases} y\,x & y\langle w_t, x\rangle < 1\\ 0 & \text{otherwise}\end{cases}"
    ),
    more=(
        N_(
            "**Where the update comes from.** The loss of the drawn point, with the regulariser, is "
            "$\\frac\\lambda2\\|w\\|^2 + \\max(0, 1 - y\\langle w, x\\rangle)$. Its subgradient at $w_t$ is $\\lambda "
            "w_t - v_t$. Here $v_t = y\\,x$ at a margin violation, and $v_t = 0$ otherwise. Pegasos makes a step "
            "against it with the **step size** (learning rate) $\\eta_t = 1/(\\lambda t)$. So $w_{t+1} = w_t - "
            "\\eta_t(\\lambda w_t - v_t) = (1 - \\frac1t)\\,w_t + \\frac{1}{\\lambda t}\\,v_t$. The vector $v_t$ is "
            "called the **push** of the step."
        ),
        N_(
            "**The start.** Pegasos starts at $w_1 = 0$. There $y\\langle w_1, x\\rangle = 0$, so the first step "
            "always has a margin violation, and $w_2 = y\\,x/\\lambda$."
        ),
        N_(
            "**The objective.** It is $F(w) = \\frac\\lambda2\\|w\\|^2$ plus the mean hinge loss of all $m$ points, "
            "for an SVM without bias. So the boundary goes through the origin."
        ),
        N_(
            "**On the board.** The coordinates of a flower are the length and the width of its petals in cm, minus "
            "(4.9, 1.7). The green line is the boundary of $w_{t+1}$, and the pale dashed line is the boundary of "
            "$w_t$. At a margin violation, the arrow in the colour of a class is the push. The dashed pink line is "
            "the boundary of the minimiser $w^*$ of $F$."
        ),
    ),
    tries=(
        Try(N_("λ = 1"), set_machine(face="lambda", value=1.0)),
        Try(N_("One against many"), board=preset("one_against_many", size=16, face="lambda", value=0.1, bias=False)),
        OTHER_DRAWS,
    ),
    shows=("P1",),
)

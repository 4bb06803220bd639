"""One update at a time, as a film on the board (P1)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index, Mask
from svmlab.lab.charts.frame import axis_range, blank
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.pegasos.arrows import scale, scaled
from svmlab.lab.lessons.pegasos.runs import (
    IN_THE_PLANE,
    OTHER_DRAWS,
    line_of,
    optimum_without_bias,
    seed,
    short_comparison,
    when_shown,
)
from svmlab.lab.numbers import ROUNDING, grouped, short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import POINTS_ONLY, film, frame, reading, set_machine, stroke
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.pegasos import Stretch, replay
from svmlab.plane.contours import line_through_origin

FRAMES = 40
START = Pick("start", N_("from step"), (1, 100, 1_000, 10_000), 1, lambda t: f"t = {grouped(t)}")


def stretch(stage: Stage) -> Stretch:
    """The steps of the film."""
    start = int(stage.pick("start"))
    run = short_comparison(stage, start + FRAMES - 1).run
    return stage.cached(f"stretch {start} {seed(stage)}", lambda: replay(run, 0, start, start + FRAMES))


def picture(stage: Stage, steps: Stretch, i: int) -> Data:
    """One step: both lines, w before, the shrink, the push and w after as arrows, and the numbers in words."""
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


def caption(stage: Stage, steps: Stretch, i: int, row: int, by: float) -> str:
    """The formula with its numbers, and why."""
    t, x, y = int(steps.t[i]), stage.lab.data.X[row], stage.lab.points[row].label
    violates = bool(steps.violates[i, 0])
    push = f"{'+' if y > 0 else '−'} {short(1.0 / (stage.lab.lam * t), 3)}·{_pair(x)}" if violates else ""
    why = _("it violates, so w shrinks and is pushed by y x/(λt)") if violates else _("no violation, so w only shrinks")
    return _(
        "<b>t = {t}</b> · drawn {x}, class {y} · margin y⟨w, x⟩ = {margin} {sign} 1: {why}<br>"
        "w<sub>{next}</sub> = {shrink}·{before} {push} = {after} · {scale}"
    ).format(
        t=grouped(t),
        next=grouped(t + 1),
        x=_pair(x),
        y="+1" if y > 0 else "−1",
        margin=short(float(steps.margin[i, 0]), 3),
        sign="&lt;" if violates else "≥",
        why=why,
        shrink=short(1.0 - 1.0 / t, 4),
        before=_pair(steps.before[i]),
        push=push,
        after=_pair(steps.after[i]),
        scale=scaled(by),
    )


def _pair(v: Array) -> str:
    return f"({short(float(v[0]), 3)}, {short(float(v[1]), 3)})"


def opening(steps: Stretch) -> int:
    """The first step without a push; the first of all where every one pushes."""
    return 0 if steps.violates.all() else int(np.argmax(~steps.violates[:, 0]))


def draw(stage: Stage) -> Data:
    """The film; before the answer only the points."""
    quiet = POINTS_ONLY | {"message": None, "legend": None}
    if not stage.shown:
        return quiet
    steps, lab = stretch(stage), stage.lab
    key, at = f"{lab.data.key} {lab.lam} {lab.view} {int(steps.t[0])} {seed(stage)}", opening(steps)
    if stage.moving:  # under a moving hand only up to the frame that it opens with
        frames = [picture(stage, steps, i) for i in range(at + 1)]
    else:
        frames = stage.cached(f"film {key}", lambda: [picture(stage, steps, i) for i in range(len(steps.t))])
    w = optimum_without_bias(stage).w
    goal = [] if w is None else line_of(w, lab.view, "witness-line dashed")
    return quiet | {"overlay": goal, "film": film(key, frames, at)}


def numbers(stage: Stage) -> Sequence[Reading]:
    """How often w was pushed, and how far one step turns it."""
    steps = stretch(stage)
    count = int(steps.violates.sum())
    return [
        reading(_("steps"), f"{grouped(int(steps.t[0]))} … {grouped(int(steps.t[-1]))}"),
        reading(_("pushes"), float(count)),
        reading(_("only shrunk"), float(len(steps.t) - count)),
        reading(_("largest turn"), f"{short(math.degrees(turn(steps)), 3, ROUNDING)}°"),
    ]


def turn(steps: Stretch) -> float:
    """The largest angle that one step turns w by."""
    a, b = steps.before, steps.after
    moved = (np.hypot(*a.T) > 0) & (np.hypot(*b.T) > 0)
    a, b = a[moved], b[moved]
    angles = np.arctan2(np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]), (a * b).sum(1))
    return float(angles.max(initial=0.0))


def chart(stage: Stage) -> Chart:
    """The length of w, step by step."""
    steps = stretch(stage)
    labels = stage.data.y[steps.drawn[:, 0]]
    return Chart(lengths(steps.t, np.hypot(*steps.after.T), steps.violates[:, 0], labels, stage.palette))


def lengths(t: Index, norms: Array, pushed: Mask, labels: Array, palette: Palette) -> go.Figure:
    """|w_{t+1}| after each step t (n,); the steps that pushed are dots in the colour of the drawn point's class
    (n,).
    """
    figure = blank(palette, _("step t"), _("|w| after it"), height=160)
    x = np.asarray(t, dtype=float)
    figure.add_trace(
        go.Scatter(x=x, y=norms, name="length", mode="lines", line=palette.pen(palette.quiet, 1.5), hoverinfo="skip")
    )
    for name, here, size in (("push", pushed, 8.0), ("shrink", ~pushed, 4.0)):
        colour = palette.classes(labels[here]) if name == "push" else palette.quiet
        words = _("pushed") if name == "push" else _("only shrunk")
        figure.add_trace(
            go.Scatter(
                x=x[here],
                y=norms[here],
                name=name,
                mode="markers",
                marker={"size": size * palette.stroke, "color": colour, "opacity": 1},
                hovertemplate=f"t = %{{x:d}}, |w| = %{{y:.4g}}, {words}<extra></extra>",
            )
        )
    figure.update_xaxes(range=axis_range(x, room=0.02))
    return figure.update_yaxes(range=axis_range(norms, 0.0))


STEP = Step(
    key="step",
    title=N_("One step"),
    question=N_(
        "A step draws a point that is **right with room to spare**: $y\\langle w, x\\rangle \\ge 1$. "
        "What happens to $w$?"
    ),
    choices=(
        wrong(
            N_("Nothing"), N_("The point asks for nothing, but the price (λ/2)|w|² pulls w towards 0 at every step.")
        ),
        right(N_("It becomes a little shorter")),
        wrong(N_("It moves towards y x"), N_("That is the push of a violation, y⟨w, x⟩ < 1, and this is none.")),
    ),
    verdict=lambda stage: _("it becomes a little shorter, by the factor 1 − 1/t; no push."),
    board=preset("overlapping", size=16, seed=4, face="lambda", value=0.1, bias=False),
    needs=IN_THE_PLANE,
    draw=draw,
    play=lambda stage: {"film": True},
    numbers=when_shown(numbers),
    picks=(START,),
    chart=chart,
    says=N_(
        "$w$ shrinks at **every** step, whoever is drawn; only a violation, $y\\langle w, x\\rangle < 1$, "
        "also pushes it towards $y\\,x$."
    ),
    formula=r"w_{t+1} = \left(1-\tfrac1t\right) w_t + \tfrac{1}{\lambda t}\, y\,x\;[\,y\langle w_t, x\rangle < 1\,]",
    more=lambda stage: [
        _(
            "**On the board.** Accent: $w$ and its line after the step. Pale: before it. Arrow in a class "
            "colour: the push. "
            "Dashed pink: the line of $w^*$. In the chart dots are pushes, in the colour of the drawn point."
        ),
        _(
            "**Where it comes from.** The loss of one drawn point is $\\tfrac\\lambda2\\|w\\|^2 + \\max(0, 1 "
            "- y\\langle w, x\\rangle)$. "
            "A step of length $\\eta_t = 1/(\\lambda t)$ against its (sub)gradient $\\lambda w - v$ is "
            "$w - \\eta_t(\\lambda w - v) = (1 - \\tfrac1t)\\,w + \\tfrac{1}{\\lambda t}\\,v$, with $v = "
            "y\\,x$ on a violation and $v = 0$ else."
        ),
    ],
    tries=(
        Try(N_("λ = 1"), set_machine(face="lambda", value=1.0)),
        Try(N_("One against many"), board=preset("one_against_many", size=16, face="lambda", value=0.1, bias=False)),
        OTHER_DRAWS,
    ),
    shows=("P1",),
)

"""Each push made so far has the same coefficient in w, 1/(lambda t) (P2)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index, Mask
from svmlab.lab.charts import marks
from svmlab.lab.lessons.pegasos.arrows import scale, scaled
from svmlab.lab.lessons.pegasos.drawn_run import FULL, NO_BOUNDARY, ORIGIN, arrow, steps_of_run
from svmlab.lab.lessons.pegasos.runs import IN_THE_PLANE, ITERATES_FIT, OTHER_DRAWS
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import place, select_point, set_machine
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Dial, Measure, Step, Try, right, wrong
from svmlab.lab.words import N_, _, written
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import Palette

T = 8
MADE = Dial("pushes", N_("Number of steps that the run has made"), N_("steps"), 1.0, T, 1.0, T, after_show=True)


def current_step(stage: Stage) -> int:
    """Return the number of steps made."""
    return round(min(max(MADE(stage), 1.0), float(T)))


def coefficient(stage: Stage) -> float:
    """Return 1/(lambda t), the coefficient of each push after t steps."""
    return 1.0 / (stage.lab.lam * current_step(stage))


def by_updates(stage: Stage) -> Array:
    """Return w_2, w_3, .. (T, 2), computed update by update from w_1 = 0."""
    stretch = steps_of_run(stage, T)
    iterates, w = np.empty_like(stretch.after), ORIGIN
    for i, (t, push) in enumerate(zip(stretch.t.tolist(), stretch.push, strict=True)):
        w = (1.0 - 1.0 / t) * w + push
        iterates[i] = w
    return iterates


def draw(stage: Stage) -> Data:
    """Return the pushes with their present coefficient, each at the tip of the one before, and the w at their end."""
    if not stage.shown:
        return NO_BOUNDARY
    t, stretch = current_step(stage), steps_of_run(stage, T)
    ends = np.vstack([ORIGIN, np.cumsum(stretch.push[:t] * (stretch.t[:t] / t)[:, None], axis=0)])
    by = scale_of(stage)
    items: list[Data] = []
    for row, start, end in zip(stretch.drawn[:t, 0], ends[:-1], ends[1:], strict=True):
        items += arrow(by * start, by * end, "plus" if stage.data.y[row] > 0 else "minus")
    return NO_BOUNDARY | {"overlay": items + arrow(ORIGIN, by * ends[-1], "accent")}


def scale_of(stage: Stage) -> float:
    """Return how many times as long the vectors are on the board, the same for every number of steps."""
    stretch = steps_of_run(stage, T)
    sums = np.cumsum(stretch.push * stretch.t[:, None], axis=0)
    longest = max(float(np.hypot(*(sums[:t] / t).T).max()) for t in range(1, T + 1))
    return scale(FULL * longest, stage.lab.view)


def chart(stage: Stage) -> Chart:
    """Return a bar for each push, with its first and its present coefficient. A click selects the drawn point."""
    lab, stretch, t = stage.lab, steps_of_run(stage, T), current_step(stage)
    rows = stretch.drawn[:t, 0]
    figure = coefficients(
        lab.lam, T, stretch.violates[:t, 0], lab.data.y[rows], lab.data.ids[rows], lab.selected, stage.palette
    )
    return Chart(figure, select_point)


def coefficients(
    lam: float, most: int, pushed: Mask, labels: Array, ids: Index, selected: int | None, palette: Palette
) -> go.Figure:
    """Draw bars of the steps that `pushed` (t,), up to 1/(lam t), with a pale part above up to 1/(lam s).

    most: the largest step on the axis. customdata of a bar: the id of the drawn point, and 1/(lam s).
    """
    t, s = len(pushed), np.flatnonzero(pushed) + 1
    present, first = 1.0 / (lam * t), 1.0 / (lam * s)
    figure = empty_chart(palette, _("step s of the push"), _("coefficient in w"), height=160)
    custom, colours = np.c_[ids[pushed], first], labels[pushed]
    figure.add_trace(
        marks.bars(
            palette,
            s,
            np.full(len(s), present),
            colours,
            custom,
            ids[pushed] == selected,
            name="present",
            hover=_("step %{x}: first %{customdata[1]:.4g}, now %{y:.4g}<extra></extra>"),
        )
    )
    lost = {"color": palette.classes(colours), "opacity": 0.22}
    figure.add_trace(go.Bar(x=s, y=first - present, name="lost", hoverinfo="skip", customdata=custom, marker=lost))
    marks.add_rule(figure, palette, palette.text, "dash", y=present)
    figure.update_layout(barmode="stack", bargap=0.25)
    figure.update_xaxes(range=[0.4, most + 0.6], dtick=1, showgrid=False)
    figure.update_yaxes(range=[0.0, 1.06 / lam], nticks=4)
    return place_labels(figure, palette, [Label(written("1/(λt)"), most + 0.6, present, palette.text)])


def says(stage: Stage) -> str:
    """Say what the bars and the arrows are."""
    return _(
        "Each bar is the coefficient of one push. Later steps have removed the pale part. A step without push "
        "has no bar. On the board ({scale}), the pushes with these coefficients end at $w$."
    ).format(scale=scaled(scale_of(stage)))


def verdict(stage: Stage) -> str:
    """Return the coefficient that both pushes have after eight steps."""
    return _(
        "Neither, both coefficients are equal. After step 8, every push has the coefficient "
        "1/(8λ)\u00a0=\u00a0{now}, with λ\u00a0=\u00a0{lam}."
    ).format(now=short(1.0 / (T * stage.lab.lam), 3), lam=short(stage.lab.lam, 3))


PUSHES = Step(
    key="pushes",
    title=N_("w as a sum of pushes"),
    situation=N_(
        "Step $t$ of Pegasos multiplies $w$ by $1 - 1/t$. If the drawn point $(x, y)$ has $y\\langle w, "
        "x\\rangle < 1$, the step then adds $\\frac{1}{\\lambda t}$ times the **push** $v_t = y x$. So the "
        "push of step 1 gets the large coefficient $1/\\lambda$, and the push of step 8 only $1/(8\\lambda)$. "
        "However, steps 2 to 8 also shrink the push of step 1."
    ),
    question=N_("Which push has the larger coefficient in $w$ after step 8, the push of step 1 or the push of step 8?"),
    choices=(
        wrong(
            N_("The push of step 1"),
            N_(
                "It was added with the larger coefficient. However, steps 2 to 8 multiply it by 1/2 · 2/3 · … · 7/8 = "
                "1/8."
            ),
        ),
        wrong(
            N_("The push of step 8"),
            N_("No later step has made it smaller. However, it was added with the small coefficient 1/(8λ)."),
        ),
        right(N_("Neither, both coefficients are equal")),
    ),
    verdict=verdict,
    board=preset("overlapping", size=16, seed=2, face="lambda", value=1.0, bias=False),
    needs=(*IN_THE_PLANE, ITERATES_FIT),
    introduces=("push",),
    dials=(MADE,),
    draw=draw,
    play=MADE.play(1.0, T, 4000),
    rests_on_answer=lambda stage: current_step(stage) == T and bool(steps_of_run(stage, T).violates[[0, -1], 0].all()),
    numbers=(
        Measure("1/(λt)", coefficient, N_("coefficient of each push after t steps"), after_show=True),
        Measure(
            N_("w by updates"),
            lambda stage: place(by_updates(stage)[current_step(stage) - 1]),
            N_("w after these steps, computed update by update"),
            after_show=True,
        ),
        Measure(
            N_("w as a sum"),
            lambda stage: place(steps_of_run(stage, T).after[current_step(stage) - 1]),
            N_("the same w, computed as 1/(λt) times the sum of all pushes"),
            after_show=True,
        ),
    ),
    chart=chart,
    says=says,
    formula=(
        r"\tfrac{1}{\lambda s}\cdot\tfrac{s}{s+1}\cdots\tfrac{t-1}{t} = \tfrac{1}{\lambda t}, "
        r"\quad w_{t+1} = \tfrac{1}{\lambda t}\sum_{s\le t} v_s"
    ),
    more=(
        N_(
            "**Proof.** The push $v_s$ of step $s$ is added with the coefficient $\\frac{1}{\\lambda s}$. The later "
            "steps multiply it by $\\frac{s}{s+1}\\cdot\\frac{s+1}{s+2}\\cdots\\frac{t-1}{t} = \\frac{s}{t}$, because "
            "all other factors cancel. The product is $\\frac{1}{\\lambda t}$ for every $s$."
        ),
        N_(
            "**Consequence.** $w_{t+1}$ is $1/\\lambda$ times the mean of the pushes $v_1, \\dots, v_t$. So you only "
            "have to store their sum. If the drawn point of step $s$ has $y\\langle w_s, x\\rangle \\ge 1$, then "
            "$v_s = 0$, and the chart has no bar at $s$."
        ),
        N_("**Lecture notes.** The Italian notes on Pegasos derive this formula in the same way."),
        N_("**Selecting.** You can click a bar to select the point that was drawn in this step."),
    ),
    tries=(
        Try(N_("λ = 0.1"), set_machine(face="lambda", value=0.1)),
        Try(N_("λ = 10"), set_machine(face="lambda", value=10.0)),
        OTHER_DRAWS,
    ),
    shows=("P2",),
)

"""No gradient that a step follows is longer than 2X (P4)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index, Mask
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import blank, log
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.pegasos.runs import (
    IN_THE_PLANE,
    NEAR,
    OTHER_DRAWS,
    average_line,
    seed,
    short_comparison,
    when_shown,
)
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import reading, set_machine
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.pegasos import Stretch, replay

T = 100


def steps(stage: Stage) -> Stretch:
    """All steps of a run."""
    run = short_comparison(stage, T).run
    return stage.cached(f"gradients {seed(stage)}", lambda: replay(run, 0, 1, T + 1))


def parts(stage: Stage) -> tuple[Array, Array]:
    """Lam w_t and v_t of each step, (T, 2) each."""
    lam, stretch = stage.lab.lam, steps(stage)
    return lam * stretch.before, stretch.push * (lam * stretch.t)[:, None]


def lengths(stage: Stage) -> Array:
    """|lam w_t - v_t|, (T,)."""
    pull, push = parts(stage)
    return np.hypot(*(pull - push).T)


def numbers(stage: Stage) -> Sequence[Reading]:
    """The longest gradient of the run, and what it is made of."""
    pull, push = parts(stage)
    at = int(lengths(stage).argmax())
    return [
        reading(_("longest"), float(lengths(stage)[at])),
        reading("λ|w|", float(np.hypot(*pull[at]))),
        reading("|v|", float(np.hypot(*push[at]))),
        reading("2X", 2 * short_comparison(stage, T).run.X),
    ]


def chart(stage: Stage) -> Chart:
    """The length of every gradient below the two levels."""
    stretch = steps(stage)
    labels = stage.data.y[stretch.drawn[:, 0]]
    figure = gradients(
        stretch.t, lengths(stage), stretch.violates[:, 0], labels, short_comparison(stage, T).run.X, stage.palette
    )
    return Chart(figure)


def gradients(t: Index, lengths: Array, pushed: Mask, labels: Array, X: float, palette: Palette) -> go.Figure:
    """Dots (n,), in the colour of the drawn point's class (n,) where the step pushed; rules at X and 2X."""
    figure = blank(palette, _("step t"), _("gradient"), height=160)
    x = np.asarray(t, dtype=float)
    for name, here, size in (("shrink", ~pushed, 5.0), ("push", pushed, 7.0)):
        colour = palette.classes(labels[here]) if name == "push" else palette.quiet
        words = _("pushed") if name == "push" else _("only shrunk")
        figure.add_trace(
            go.Scatter(
                x=x[here],
                y=lengths[here],
                name=name,
                mode="markers",
                marker={"size": size * palette.stroke, "color": colour, "opacity": 1},
                hovertemplate=f"t = %{{x:d}}: %{{y:.4g}}, {words}<extra></extra>",
            )
        )
    marks.add_rule(figure, palette, palette.quiet, "dot", y=X)
    marks.add_rule(figure, palette, palette.text, "dash", y=2 * X)
    last = float(np.log10(x[-1]))
    figure.update_xaxes(**log(-0.05, last + 0.03))
    figure.update_yaxes(range=[0.0, 2.15 * X], nticks=4)
    ends = (Label("X", last + 0.03, X, palette.quiet), Label("2X", last + 0.03, 2 * X, palette.text))
    return place_labels(figure, palette, ends)


GRADIENTS = Step(
    key="gradients",
    title=N_("Gradients"),
    question=N_(
        "A step follows $\\lambda w_t - v_t$, where $v_t$ is $y\\,x$ on a violation and 0 else. "
        "How long can that get on the way? $X$ is the longest $x$."
    ),
    choices=(
        wrong(N_("At most X"), N_("So long is the push alone; λw may point the other way, and then it adds.")),
        right(N_("At most 2X")),
        wrong(N_("There is no bound"), N_("For any w there is none; but the w of a run stay in their ball.")),
    ),
    verdict=lambda stage: _("at most 2X: λw and the push are each no longer than X."),
    board=board_of_points(
        (
            (2.5, 0.9, 1),
            (1.0, 1.7, 1),
            (2.4, 1.1, -1),
            (0.6, 0.9, 1),
            (1.7, -0.4, 1),
            (-0.5, 1.2, 1),
            (-1.6, -0.9, -1),
            (-0.7, -1.6, -1),
            (-1.9, 0.4, -1),
            (0.4, -1.2, -1),
        ),
        face="lambda",
        value=0.5,
        bias=False,
    ),
    needs=(*IN_THE_PLANE, NEAR),
    draw=average_line,
    numbers=when_shown(numbers),
    chart=chart,
    says=N_(
        "Two far points that contradict each other come close to $2X$. Grey dots only shrink: there it is $\\lambda w$."
    ),
    formula=r"\|\lambda w_t - v_t\| \;\le\; \lambda\|w_t\| + \|v_t\| \;\le\; X + X",
    more=lambda stage: [
        _(
            "With $w$ in the ball of radius $X/\\lambda$, $\\lambda\\|w\\| \\le X$. The bound is attained "
            "where one place has both labels and λ is so large that every draw pushes: when the label "
            "changes first. "
            "The first gradient is at most $X$, since $w_1 = 0$: from that comes the sharper sum $(4H_T - "
            "3)X^2/(2\\lambda T)$."
        )
    ],
    tries=(
        Try(
            N_("Both labels"),
            board=board_of_points(((1.0, 0.0, 1), (1.0, 0.0, -1)), face="lambda", value=2.0, bias=False),
        ),
        Try(N_("λ = 0.05"), set_machine(face="lambda", value=0.05)),
        OTHER_DRAWS,
    ),
    shows=("P4",),
)

"""The subgradient of a step joins two vectors in a disc of radius X, so its length is at most 2X (P4)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index, Mask
from svmlab.lab.charts import marks
from svmlab.lab.lessons.pegasos.drawn_run import NO_BOUNDARY, ORIGIN, arrow, circle, steps_of_run
from svmlab.lab.lessons.pegasos.runs import IN_THE_PLANE, ITERATES_FIT, OTHER_DRAWS
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import set_machine
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Dial, Measure, Step, Try, right, wrong
from svmlab.lab.words import N_, _, written
from svmlab.pegasos.step_rule import largest_norm
from svmlab.plot.frame import empty_chart, log_axis
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import Palette

T = 100
BOTH_LABELS = ((1.0, 0.0, 1), (1.0, 0.0, -1), (0.4, 0.6, 1), (0.2, -0.7, 1), (-0.6, -0.5, -1))
LONGEST_AT = 2  # the step with the longest subgradient on the first board
AT = Dial("gradient", N_("Step t of the run"), "t", 1.0, T, 1.0, LONGEST_AT, after_show=True)


def parts(stage: Stage) -> tuple[Array, Array]:
    """Return lambda w_t and the push v_t of each step, (T, 2) each."""
    lam, stretch = stage.lab.lam, steps_of_run(stage, T)
    return lam * stretch.before, stretch.push * (lam * stretch.t)[:, None]


def lengths(stage: Stage) -> Array:
    """Return the length of the subgradient lambda w_t - v_t of each step, (T,)."""
    scaled, push = parts(stage)
    return np.hypot(*(scaled - push).T)


def X(stage: Stage) -> float:
    """Return the length of the longest training point."""
    return largest_norm(stage.data)


def row(stage: Stage) -> int:
    """Return the row of the step that the board shows."""
    return round(AT(stage)) - 1


def draw(stage: Stage) -> Data:
    """Return the circle of radius X. After Show there are lambda w_t, v_t and their difference."""
    items = [circle(X(stage), "faint dashed")]
    if stage.shown:
        i, (scaled, push) = row(stage), parts(stage)
        style = "plus" if stage.data.y[steps_of_run(stage, T).drawn[i, 0]] > 0 else "minus"
        items += [*arrow(ORIGIN, scaled[i], "accent"), *arrow(ORIGIN, push[i], style)]
        items += arrow(push[i], scaled[i], "witness-line")
    return NO_BOUNDARY | {"overlay": items}


def chart(stage: Stage) -> Chart:
    """Return the length of each subgradient. A click on a dot shows its step on the board."""
    stretch = steps_of_run(stage, T)
    labels = stage.data.y[stretch.drawn[:, 0]]
    figure = over_steps(stretch.t, lengths(stage), stretch.violates[:, 0], labels, X(stage), row(stage), stage.palette)
    return Chart(figure, lambda t: AT.to(float(t)))


def over_steps(
    t: Index, lengths: Array, pushed: Mask, labels: Array, X: float, current: int, palette: Palette
) -> go.Figure:
    """Draw the `lengths` (n,) of the subgradients, a dot in the colour of the class where the step `pushed`.

    There are levels at X and 2X, and a ring on the `current` step. customdata of a dot: its step.
    """
    figure = empty_chart(palette, _("step t"), _("length"), height=160)
    for name, rows, size in ((_("without push"), ~pushed, 5.0), (_("with push"), pushed, 7.0)):
        colour = palette.classes(labels[rows]) if rows is pushed else palette.quiet
        figure.add_trace(
            go.Scatter(
                x=t[rows],
                y=lengths[rows],
                customdata=t[rows],
                name=name,
                mode="markers",
                marker={"size": size * palette.stroke, "color": colour, "opacity": 1},
                hovertemplate=written("t = %{x:d}: ") + f"%{{y:.4g}}, {name}<extra></extra>",
            )
        )
    marks.add_rule(figure, palette, palette.quiet, "dot", y=X)
    marks.add_rule(figure, palette, palette.text, "dash", y=2 * X)
    marks.mark_current(figure, palette, float(t[current]), float(lengths[current]))
    last = float(np.log10(t[-1]))
    figure.update_xaxes(**log_axis(-0.05, last + 0.03))
    figure.update_yaxes(range=[0.0, 2.15 * X], nticks=4)
    ends = (Label("X", last + 0.03, X, palette.quiet), Label("2X", last + 0.03, 2 * X, palette.text))
    return place_labels(figure, palette, ends)


def verdict(stage: Stage) -> str:
    """Return the bound with its number, and why it holds."""
    return _(
        "2X\u00a0=\u00a0{bound}, because λw and v lie in the disc of radius X. Here X\u00a0=\u00a0{X}, and the "
        "longest gradient has length {longest}."
    ).format(bound=short(2 * X(stage), 3), X=short(X(stage), 3), longest=short(float(lengths(stage).max()), 3))


GRADIENTS = Step(
    key="gradients",
    title=N_("Gradient bound"),
    situation=N_(
        "Step $t$ of Pegasos uses the subgradient $\\lambda w_t - v_t$ of the drawn point's loss. The push "
        "$v_t$ is $y x$ if $y\\langle w_t, x\\rangle < 1$, and 0 otherwise. The proof of convergence needs a "
        "bound on the length of this subgradient. The dashed circle has the radius $X$, the length of the "
        "longest training point."
    ),
    question=N_(
        "Which is the smallest bound on the gradient length $\\|\\lambda w_t - v_t\\|$ for all runs and all training "
        "sets whose longest point has length $X$?"
    ),
    choices=(
        wrong(
            N_("X"),
            N_(
                "The push alone is at most that long. However, λw can point the other way, and then both lengths add "
                "up."
            ),
        ),
        right(N_("2X")),
        wrong(
            N_("There is no bound"),
            N_("For arbitrary w there is none, because λw is unbounded. However, in a run ‖λw‖ is always at most X."),
        ),
    ),
    verdict=verdict,
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
    needs=(*IN_THE_PLANE, ITERATES_FIT),
    deeper=True,
    introduces=("largest-gradient",),
    dials=(AT,),
    draw=draw,
    play=AT.play(40.0, LONGEST_AT, 4000),
    rests_on_answer=lambda stage: bool(lengths(stage)[row(stage)] == lengths(stage).max() > 1.9 * X(stage)),
    numbers=(
        Measure(
            "‖λw − v‖",
            lambda stage: float(lengths(stage)[row(stage)]),
            N_("length of the gradient in this step"),
            after_show=True,
        ),
        Measure(
            "‖λw‖",
            lambda stage: float(np.hypot(*parts(stage)[0][row(stage)])),
            N_("length of its first part, the gradient of the regulariser"),
            after_show=True,
        ),
        Measure(
            "‖v‖",
            lambda stage: float(np.hypot(*parts(stage)[1][row(stage)])),
            N_("length of the push"),
            after_show=True,
        ),
    ),
    chart=chart,
    says=N_(
        "Each dot is the length of one gradient, grey without a push. On the board, the pink arrow from $v_t$ "
        "(class colour) to $\\lambda w_t$ (green) is the gradient. Its length is at most the diameter $2X$."
    ),
    formula=r"\|\lambda w_t - v_t\| \;\le\; \lambda\|w_t\| + \|v_t\| \;\le\; X + X",
    more=(
        N_(
            "**Proof.** The push has at most the length $X$. An iterate has at most the length $X/\\lambda$, so "
            "$\\|\\lambda w_t\\| \\le X$. Both vectors lie in the ball of radius $X$, so their distance is at most "
            "$2X$."
        ),
        N_(
            "**The bound is attained.** If you choose *Both labels*, one position has a point of each class. With $w_2 "
            "= "
            "x/\\lambda$ and the other label drawn next, the gradient is $x + x = 2x$. So no smaller bound holds for "
            "all training sets."
        ),
        N_(
            "**The first step.** Because $w_1 = 0$, the first gradient is at most $X$. With this, the sum of the "
            "bounds "
            "of all steps gives $(4H_T - 3)X^2/(2\\lambda T)$ instead of $4H_T X^2/(2\\lambda T)$. Here $H_T = 1 + "
            "\\frac12 + \\dots + \\frac1T$."
        ),
    ),
    tries=(
        Try(
            N_("Both labels"),
            board=board_of_points(BOTH_LABELS, face="lambda", value=2.0, bias=False),
        ),
        Try(N_("λ = 0.05"), set_machine(face="lambda", value=0.05)),
        OTHER_DRAWS,
    ),
    shows=("P4",),
)

"""Pegasos with a kernel stores one signed count for each point in place of w (P9)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab import KernelRun, Linear, pegasos
from svmlab.core.arrays import Array, Index
from svmlab.lab.charts import marks
from svmlab.lab.lessons.pegasos.runs import FEW, OTHER_DRAWS, labelled_value, optimum_without_bias, seed
from svmlab.lab.numbers import ROUNDING, grouped, short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import select_point, set_machine, stroke
from svmlab.lab.teach.requirements import PRODUCT, SOFT
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Part, Pick, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.pegasos import Rule, run_kernel
from svmlab.plane.contours import zero_lines
from svmlab.plot.frame import empty_chart
from svmlab.plot.palette import Palette

STEPS = Pick("counts", N_("Steps T"), (100, 1_000, 10_000, 100_000), 10_000, lambda n: labelled_value("T", n, 100))
TALL = 0.22  # of the half-width of the board: the highest bar on the board
SAME = 2000  # steps that are compared with a run of Pegasos on w


def run(stage: Stage) -> KernelRun:
    """Return the run that uses kernel values only."""
    lab, draws, T = stage.lab, seed(stage), int(stage.pick("counts"))
    return stage.cached(
        f"kernel {T} {draws}", lambda: run_kernel(lab.data, Rule(lab.lam), T, lab.kernel_function, seed=draws)
    )


def draw(stage: Stage) -> Data:
    """Return, after Show, a bar on each point that has a count, and the boundary of the averaged run."""
    if not stage.shown:
        return {}
    lab, coefficients = stage.lab, run(stage).averages[0, -1]
    items = [stroke(line, "accent") for line in zero_lines(lab.kernel_function, lab.data.X, coefficients, lab.view)]
    largest = float(np.abs(coefficients).max())
    for x, label, coefficient in zip(lab.data.X, lab.data.y, coefficients.tolist(), strict=True):
        if coefficient:
            height = TALL * lab.view * abs(coefficient) / largest
            items.append(stroke(np.stack([x, x + np.array([0.0, height])]), "plus" if label > 0 else "minus"))
    return {"overlay": items, "slack": []}


def difference(stage: Stage) -> float:
    """Return the largest difference of f at the points between counts and w, for the linear kernel."""
    lab = stage.lab

    def make() -> float:
        linear = pegasos(lab.data, lab.lam, SAME)
        kernel = run_kernel(lab.data, Rule(lab.lam), SAME, Linear())
        f = kernel.iterates[0] @ (lab.data.X @ lab.data.X.T)
        return float(np.abs(f - linear.iterates[0] @ lab.data.X.T).max())

    return stage.cached("counts and w", make)


def counted_points(stage: Stage) -> str:
    """Return how many of the points have a count other than 0."""
    return _("{n} of {m}").format(n=np.count_nonzero(run(stage).beta[0, -1]), m=stage.data.m)


def gap(stage: Stage) -> float:
    """Return F at the average iterate minus its minimum."""
    current = run(stage)
    return float(current.average[0, -1]) - optimum_without_bias(stage).objective * current.lam


def largest_error(stage: Stage) -> float:
    """Return the largest difference of f at the points between the averaged run and the exact solution."""
    current, X = run(stage), stage.data.X
    return float(np.abs(current.decision(X) - optimum_without_bias(stage).decision(X)).max())


def chart(stage: Stage) -> Chart:
    """Return the coefficient of each point, and the exact one. A click selects the point."""
    current, optimum = run(stage), optimum_without_bias(stage)
    figure = coefficients(
        current.data.ids,
        current.data.y,
        current.beta[0, -1],
        current.iterates[0, -1],
        optimum.alpha * current.data.y,
        stage.lab.selected,
        stage.palette,
    )
    return Chart(figure, select_point)


def coefficients(
    ids: Index, y: Array, beta: Array, values: Array, exact: Array, selected: int | None, palette: Palette
) -> go.Figure:
    """Draw the coefficients of the points (m,) as bars, largest first, and the exact ones as ticks.

    Points without either are left out. customdata of a bar: the id of the point, and |beta|.
    """
    order = np.lexsort((np.arange(len(y)), -np.abs(values)))
    order = order[(np.abs(values) + np.abs(exact))[order] > 0]
    ranks = np.arange(1, len(order) + 1)
    custom = np.c_[np.asarray(ids)[order], np.abs(beta[order])]
    figure = empty_chart(
        palette, _("points, by coefficient"), _("coefficient"), height=160, top=8, along=True, zoom=True
    )
    hover = _("count %{customdata[1]}, coefficient %{y:.4g}")
    figure.add_trace(
        marks.bars(
            palette, ranks, values[order], y[order], custom, ids[order] == selected, name=_("this run"), hover=hover
        )
    )
    tick = {"symbol": "line-ew-open", "size": 9, "color": palette.quiet, "line": {"width": 2.5 * palette.stroke}}
    figure.add_trace(
        go.Scatter(
            x=ranks,
            y=exact[order],
            name=_("exact y α"),
            mode="markers",
            customdata=custom,
            hovertemplate="%{y:.4g}",
            marker=tick,
        )
    )
    figure.update_xaxes(showgrid=False).update_yaxes(zeroline=True)
    return figure.update_layout(bargap=0.15)


def more(stage: Stage) -> Sequence[Part]:
    """Return why the counts suffice, what the steps compare, and what the notes state."""
    parts: list[Part] = [
        _(
            "**Why counts are enough.** $w_t$ is $\\frac{1}{\\lambda(t-1)}$ times the sum of the pushes, and each "
            "push is "
            "$y_i\\phi(x_i)$ of a training point. So you only need the number of pushes of each point. $\\beta_i$ is "
            "this "
            "number with the sign of $y_i$. The margin of a drawn point needs only kernel values."
        ),
        _(
            "**The cost.** A step adds up to $m$ kernel values, so it takes time of order $m$. A step on an explicit "
            "$w$ "
            "takes time of order $d$."
        ),
        _(
            "**Lecture notes.** The Italian notes on half-spaces state the same method. In the condition of one "
            "listing "
            "they write “$y_{1}$” instead of $y_i$. Their listings divide by $t$ instead of $t - 1$."
        ),
        _("**Selecting.** You can click a bar to select its point."),
    ]
    if stage.lab.kernel_function.is_linear:
        parts.insert(
            1,
            _(
                "**Comparison.** With the linear kernel, $w$ can be stored too. Over {steps} steps with the same "
                "draws, "
                "$f$ from the counts and $f$ from $w$ differ by at most {difference}."
            ).format(steps=grouped(SAME), difference=short(difference(stage), 2, ROUNDING)),
        )
    return parts


KERNEL = Step(
    key="kernel",
    title=N_("Kernel Pegasos"),
    situation=N_(
        "The feature vector $\\phi(x)$ of a Gaussian kernel has infinitely many components, and so has $w$ in "
        "$f(x) = \\langle w, \\phi(x)\\rangle$. A step multiplies $w$ by $1 - 1/t$. If the drawn point has "
        "$y_i f(x_i) < 1$, it then adds $y_i\\phi(x_i)/(\\lambda t)$. The kernel gives the inner products "
        "$k(x_j, x) = \\langle\\phi(x_j), \\phi(x)\\rangle$."
    ),
    question=N_("What must you store to run exactly the same Pegasos with a Gaussian kernel?"),
    choices=(
        wrong(
            N_("The first components of w, as an approximation"),
            N_(
                "w has infinitely many components. However, it is a sum of finitely many φ(xᵢ), so no approximation "
                "is needed."
            ),
        ),
        right(N_("One number for each training point")),
        wrong(
            N_("All iterates w₁, w₂, ..., one after the other"),
            N_(
                "The average uses all iterates. However, only sums are needed, and each iterate follows from its "
                "counts."
            ),
        ),
    ),
    verdict=lambda stage: _(
        "One number for each training point, its signed count βᵢ of pushes. Here βᵢ is not 0 for {points} points."
    ).format(points=counted_points(stage)),
    board=preset("moons", size=24, kernel="gaussian", sigma=0.7, face="lambda", value=0.01, bias=False),
    needs=(SOFT, PRODUCT, FEW),
    deeper=True,
    introduces=("counts",),
    draw=draw,
    rests_on_answer=lambda stage: stage.shown and bool(run(stage).beta.any()),
    numbers=(
        Measure(
            N_("points with a count"),
            counted_points,
            N_("training points that were drawn at least once with a margin violation"),
            after_show=True,
        ),
        Measure(
            N_("error of f"),
            largest_error,
            N_("largest difference from the exact f at the training points"),
            after_show=True,
        ),
        Measure("F − F(w*)", gap, N_("F at the average iterate, minus its minimum"), after_show=True),
    ),
    picks=(STEPS,),
    chart=chart,
    says=N_(
        "Each bar is the coefficient $\\beta_i/(\\lambda(T-1))$ of one point, and the tick is the exact $y_i\\alpha_i$ "
        "of the dual. On the board, the green curve is the boundary of the averaged run, and the bars stand at the "
        "points."
    ),
    formula=r"f_t(x) = \tfrac{1}{\lambda(t-1)}\textstyle\sum_j \beta_j\,k(x_j, x), \qquad \beta_i \mathrel{+}= y_i",
    more=more,
    tries=(
        Try(N_("Linear kernel"), set_machine(kernel="linear")),
        Try(
            N_("Circles"),
            board=preset("circles", size=24, kernel="polynomial", degree=2, face="lambda", value=0.01, bias=False),
        ),
        OTHER_DRAWS,
    ),
    shows=("P9",),
)

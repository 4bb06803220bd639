"""The kernel form: one count on each point instead of w (P9)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab import KernelRun, Linear, pegasos
from svmlab.core.arrays import Array, Index
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.pegasos.runs import FEW, OTHER_DRAWS, labelled_value, optimum_without_bias, seed, when_shown
from svmlab.lab.numbers import ROUNDING, grouped, short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import reading, select_point, set_machine, stroke
from svmlab.lab.teach.requirements import PRODUCT, SOFT
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.pegasos import Rule, run_kernel
from svmlab.plane.contours import zero_lines

STEPS = Pick("counts", N_("steps T"), (100, 1_000, 10_000, 100_000), 10_000, lambda n: labelled_value("T", n, 100))
TALL = 0.22  # of the view: the tallest bar on the board
SAME = 2000  # steps compared with the linear run


def run(stage: Stage) -> KernelRun:
    """The run in kernel values."""
    lab, draws, T = stage.lab, seed(stage), int(stage.pick("counts"))
    return stage.cached(
        f"kernel {T} {draws}", lambda: run_kernel(lab.data, Rule(lab.lam), T, lab.kernel_function, seed=draws)
    )


def draw(stage: Stage) -> Data:
    """A bar on every point that has been added, and the line of the averaged run over the exact one."""
    if not stage.shown:
        return {}
    lab, a = stage.lab, run(stage).averages[0, -1]
    items = [stroke(line, "accent") for line in zero_lines(lab.kernel_function, lab.data.X, a, lab.view)]
    top = float(np.abs(a).max())
    for x, label, share in zip(lab.data.X, lab.data.y, a.tolist(), strict=True):
        if share:
            tall = TALL * lab.view * abs(share) / top
            items.append(stroke(np.stack([x, x + np.array([0.0, tall])]), "plus" if label > 0 else "minus"))
    return {"overlay": items, "slack": []}


def apart(stage: Stage) -> float:
    """The largest difference of f at the points, over the checkpoints, between counts and w; the linear kernel."""
    lab, draws = stage.lab, seed(stage)

    def make() -> float:
        linear = pegasos(lab.data, lab.lam, SAME, seed=draws)
        kernel = run_kernel(lab.data, Rule(lab.lam), SAME, Linear(), seed=draws)
        f = kernel.iterates[0] @ (lab.data.X @ lab.data.X.T)
        return float(np.abs(f - linear.iterates[0] @ lab.data.X.T).max())

    return stage.cached(f"apart {draws}", make)


def numbers(stage: Stage) -> Sequence[Reading]:
    """How many points have a count, and how near the run's f is to the exact one; with an explicit w, to that of w."""
    now, optimum = run(stage), optimum_without_bias(stage)
    exact = optimum.decision(now.data.X)
    readings = [
        reading(_("points with a count"), f"{np.count_nonzero(now.beta[0, -1])}/{now.data.m}"),
        reading(_("f off the exact f"), float(np.abs(now.decision(now.data.X) - exact).max())),
    ]
    if stage.lab.kernel_function.is_linear:
        return [*readings, reading(_("counts off w"), short(apart(stage), 2, ROUNDING))]
    return [*readings, reading(_("F off its least"), float(now.average[0, -1]) - optimum.objective * now.lam)]


def chart(stage: Stage) -> Chart:
    """What each count is worth, beside the exact multiplier."""
    now, optimum = run(stage), optimum_without_bias(stage)
    figure = counts(
        now.data.ids,
        now.data.y,
        now.beta[0, -1],
        now.iterates[0, -1],
        optimum.alpha * now.data.y,
        stage.lab.selected,
        stage.palette,
    )
    return Chart(figure, select_point)


def counts(
    ids: Index,
    y: Array,
    beta: Array,
    share: Array,
    exact: Array | None,
    selected: int | None,
    palette: Palette,
) -> go.Figure:
    """Bars of `share` (m,) signed, what the counts beta (m,) are worth in alpha, and the exact signed alpha as ticks.

    Points that have either, in falling order of their bars. Each bar carries its id as customdata; the selected one is
    outlined.
    """
    order = np.lexsort((np.arange(len(y)), -np.abs(share)))
    order = order[(np.abs(share) + (0.0 if exact is None else np.abs(exact)))[order] > 0]
    ranks = np.arange(1, len(order) + 1)
    data = np.c_[np.asarray(ids)[order], np.abs(beta[order])]
    figure = blank(
        palette, _("points, by size of their bar"), _("share in w"), height=160, top=8, along=True, zoom=True
    )
    chosen = ids[order] == selected
    hover = _("added %{customdata[1]} times, worth %{y:.4g}")
    figure.add_trace(marks.bars(palette, ranks, share[order], y[order], data, chosen, name=_("worth now"), hover=hover))
    if exact is not None:
        tick = {"symbol": "line-ew-open", "size": 9, "color": palette.quiet, "line": {"width": 2.5 * palette.stroke}}
        figure.add_trace(
            go.Scatter(
                x=ranks,
                y=exact[order],
                name=_("exact y α"),
                mode="markers",
                customdata=data,
                hovertemplate="%{y:.4g}",
                marker=tick,
            )
        )
    figure.update_xaxes(showgrid=False).update_yaxes(zeroline=True)
    return figure.update_layout(bargap=0.15)


KERNEL = Step(
    key="kernel",
    title=N_("Kernel form"),
    question=N_(
        "With a Gaussian kernel $w$ lives in infinitely many dimensions. What must one keep to run the "
        "**very same** algorithm?"
    ),
    choices=(
        wrong(
            N_("A truncated w, so it is only approximate"),
            N_("w is infinite, but it is a sum of pushes: of points that one has."),
        ),
        right(N_("One number for each point")),
        wrong(N_("All w so far"), N_("The average needs only sums, and each w is known by its counts.")),
    ),
    verdict=lambda stage: _("one number for each point: how often it was drawn and violated."),
    board=preset("moons", size=24, kernel="gaussian", sigma=0.7, face="lambda", value=0.01, bias=False),
    needs=(SOFT, PRODUCT, FEW),
    draw=draw,
    numbers=when_shown(numbers),
    picks=(STEPS,),
    chart=chart,
    says=N_(
        "Bars: what each count is worth, $\\beta_i/(\\lambda(T-1))$; ticks: $y_i\\alpha_i$ of the exact "
        "solver. On the board, accent: the averaged run."
    ),
    formula=r"f_t(x) = \tfrac{1}{\lambda(t-1)}\textstyle\sum_j \beta_j\,k(x_j, x), \qquad \beta_i \mathrel{+}= y_i",
    more=lambda stage: [
        _(
            "$\\beta_i$ changes where the drawn point violates, $y_i f_t(x_i) < 1$, and nowhere else: with "
            "the same draws the classifier is the same. "
            "With the linear kernel, where $w$ is explicit too, the numbers compare both: over {steps} "
            "steps, $f$ by counts and $f$ by $w$ differ by rounding alone. "
            "The Italian notes on half-spaces print $y_1$ for $y_i$ in that line. Click a bar to select its point."
        ).format(steps=grouped(SAME))
    ],
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

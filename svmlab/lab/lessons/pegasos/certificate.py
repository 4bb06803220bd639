"""An upper bound for the gap of F without w*: a feasible dual point from the counts, beside dual coordinate ascent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from svmlab import KernelRun
from svmlab.core.arrays import Array, Index
from svmlab.lab.lessons.pegasos.runs import FEW, OTHER_DRAWS, STEPS, optimum_without_bias, seed
from svmlab.lab.numbers import short
from svmlab.lab.session.worker import Report
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import set_machine, stroke
from svmlab.lab.teach.requirements import PRODUCT, SOFT
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.pegasos import DualAscentRun, Rule, certificate, dual_coefficients, dual_coordinate_ascent, run_kernel
from svmlab.plane.contours import zero_lines
from svmlab.plot.lines import FLOOR, Line, curves
from svmlab.plot.palette import Palette

TALL = 0.2  # the height of the bar of alpha_i = C, in parts of the half-width of the board


@dataclass(frozen=True, eq=False)
class Certified:
    """A run in counts, its upper bound and its gap (k,), and dual coordinate ascent with the same draws."""

    run: KernelRun
    promised: Array
    gap: Array
    ascent: DualAscentRun


def certified(stage: Stage) -> Certified:
    """Return both over the STEPS that are picked. Raises Working until they are there."""
    lab, draws, T = stage.lab, seed(stage), int(stage.pick("T"))
    minimum = optimum_without_bias(stage).objective * lab.lam

    def make(report: Report) -> Certified:
        run = run_kernel(
            lab.data, Rule(lab.lam), T, lab.kernel_function, seed=draws, on_progress=lambda done: report(0.5 * done)
        )
        ascent = dual_coordinate_ascent(
            lab.data, lab.lam, T, lab.kernel_function, draws, on_progress=lambda done: report(0.5 + 0.5 * done)
        )
        return Certified(run, certificate(run)[0], run.average[0] - minimum, ascent)

    return stage.background_result(("certified", lab.data.key, lab.kernel_function.key, lab.lam, T, draws), make)


def draw(stage: Stage) -> Data:
    """Return, with the answer, a bar of alpha_i at every point, and the boundary of the average iterate."""
    if not stage.shown or stage.moving:
        return {}
    lab, run = stage.lab, certified(stage).run
    lines = zero_lines(lab.kernel_function, lab.data.X, run.averages[0, -1], lab.view)
    items = [stroke(line, "accent") for line in lines]
    heights = np.minimum(1.0, dual_coefficients(run)[0, -1] * lab.lam * len(lab.points))  # alpha_i / C
    for x, label, height in zip(lab.data.X, lab.data.y, heights.tolist(), strict=True):
        if height:
            tip = x + np.array([0.0, TALL * lab.view * height])
            items.append(stroke(np.stack([x, tip]), "plus" if label > 0 else "minus"))
    return {"overlay": items, "slack": []}


def verdict(stage: Stage) -> str:
    """Return the answer with the upper bound of this run."""
    return _(
        "From how often each point was a margin violation. The counts nᵢ give a feasible α, and the gap is at "
        "most {bound}."
    ).format(bound=short(float(certified(stage).promised[-1]), 3))


def chart(stage: Stage) -> Chart:
    """Return the gap and both upper bounds along the steps."""
    result = certified(stage)
    return Chart(certificates(result.run.t, result.promised, result.gap, result.ascent.certificate, stage.palette))


def more(stage: Stage) -> Sequence[str]:
    """Return why it is a bound, why it is not the gap itself, and what dual ascent does."""
    result = certified(stage)
    C = 1.0 / (stage.lab.lam * len(stage.lab.points))
    n_above_C = int((dual_coefficients(result.run)[0, -1] > C * (1 + 1e-9)).sum())
    return [
        _(
            "**Why it is an upper bound.** The dual objective is $D(\\alpha) = \\sum_i \\alpha_i - \\frac12\\|\\sum_i "
            "\\alpha_i y_i x_i\\|^2$, with a kernel $\\frac12\\sum_{{i,j}} \\alpha_i\\alpha_j y_i y_j k(x_i, x_j)$. "
            "Without bias, every $\\alpha$ with $0 \\le \\alpha_i \\le C = 1/(\\lambda m)$ is feasible. So $\\lambda "
            "D(\\alpha) \\le F(w^*)$ by weak duality, and $F(\\bar w) - \\lambda D(\\alpha)$ is at least the gap."
        ),
        _(
            "**Where α comes from.** Let $n_i$ be the number of margin violations of point $i$ in the first $t$ "
            "steps. Then $w_{{t+1}} = \\sum_i \\frac{{n_i}}{{\\lambda t}}\\,y_i x_i$, so $n_i/(\\lambda t)$ plays the "
            "role of $\\alpha_i$. At the end of this run, {beyond} of the {m} values are larger than $C$ and are "
            "replaced by $C$."
        ).format(beyond=n_above_C, m=len(stage.lab.points)),
        _(
            "**Dual coordinate ascent** (SDCA, Shalev-Shwartz and Zhang 2013) draws a point in each step as well. It "
            "sets the $\\alpha_i$ of this point to its optimal value between 0 and $C$. Without bounds it would be "
            "$\\alpha_i + (1 - y_i f(x_i))/k(x_i, x_i)$. It needs no step size, but it stores one number for each "
            "point."
        ),
        _(
            "**On the board.** The height of the bar at a point is its $\\alpha_i$, and the longest possible bar is "
            "$C$. The green line is the boundary of the average iterate. None of the lecture notes has this bound."
        ),
    ]


def certificates(t: Index, promised: Array, gap: Array, ascent: Array, palette: Palette) -> go.Figure:
    """Draw three gaps (k,) after the steps t (k,) on log-log axes, floored at 1e-16."""
    x = np.asarray(t, dtype=float)
    lines = [
        Line(_("upper bound"), x, np.maximum(promised, FLOOR), palette.series[0], width=3),
        Line(_("gap"), x, np.maximum(gap, FLOOR), palette.quiet, "dot"),
        Line(_("dual ascent"), x, np.maximum(ascent, FLOOR), palette.series[1], "dash"),
    ]
    return curves(lines, _("number of steps T"), _("gap and bounds"), palette, height=160)


CERTIFICATE = Step(
    key="certificate",
    title=N_("Duality gap"),
    deeper=True,
    situation=N_(
        "You want to stop Pegasos when the **gap** $F(\\bar w) - F(w^*)$ of its average iterate $\\bar w$ is "
        "small. However, $F(w^*)$ is unknown. Choose a number $\\alpha_i$ from 0 to $C = 1/(\\lambda m)$ for "
        "each point (a **feasible** $\\alpha$). Then $\\lambda D(\\alpha) \\le F(w^*)$, with the dual "
        "objective $D(\\alpha) = \\sum_i \\alpha_i - \\frac12\\|\\sum_i \\alpha_i y_i x_i\\|^2$."
    ),
    question=N_(
        "From what can a run of Pegasos compute an upper bound for its gap $F(\\bar w) - F(w^*)$, without "
        "knowing $w^*$?"
    ),
    choices=(
        wrong(
            N_("From nothing, because F(w*) is unknown"),
            N_("F(w*) is indeed unknown. However, a lower bound for F(w*) is enough, and the dual problem gives one."),
        ),
        wrong(
            N_("From the length of its last step"),
            N_("A short step looks like convergence. However, the step size 1/(λt) makes late steps short everywhere."),
        ),
        right(N_("From how often each point was a margin violation")),
    ),
    verdict=verdict,
    board=preset("overlapping", size=24, face="lambda", value=0.1, bias=False),
    needs=(SOFT, PRODUCT, FEW),
    draw=draw,
    rests_on_answer=lambda stage: bool((certified(stage).promised >= certified(stage).gap - 1e-12).all()),
    numbers=(
        Measure(
            N_("upper bound"),
            lambda stage: float(certified(stage).promised[-1]),
            N_("F(w̄) − λ D(α) after all steps, with α from the counts"),
            after_show=True,
        ),
        Measure(
            N_("gap"),
            lambda stage: float(certified(stage).gap[-1]),
            N_("F(w̄) − F(w*) after all steps, with w* from the exact solver"),
            after_show=True,
        ),
        Measure(
            N_("dual ascent"),
            lambda stage: float(certified(stage).ascent.certificate[-1]),
            N_(
                "The same upper bound for another method, dual coordinate ascent, with the same draws (0 up to "
                "rounding errors, if it is exact)"
            ),
            after_show=True,
        ),
    ),
    picks=(STEPS,),
    chart=chart,
    says=N_(
        "$n_i$ counts the margin violations of point $i$. The bar at a point is its $\\alpha_i$. The gap of "
        "one run can rise, but not above the upper bound. The dashed curve is another method."
    ),
    formula=(
        r"F(\bar w) - F(w^*) \;\le\; F(\bar w) - \lambda D(\alpha), \qquad \alpha_i = \min\bigl(C, "
        r"\tfrac{n_i}{\lambda t}\bigr)"
    ),
    more=more,
    tries=(
        Try(N_("λ = 1"), set_machine(face="lambda", value=1.0)),
        Try(
            N_("Gaussian"),
            board=preset("moons", size=24, kernel="gaussian", sigma=0.7, face="lambda", value=0.02, bias=False),
        ),
        OTHER_DRAWS,
    ),
    shows=("S1",),
)

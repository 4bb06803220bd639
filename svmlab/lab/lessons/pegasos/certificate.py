"""How far F still is from the least, told without w*: a dual point from the counts, beside dual coordinate ascent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from svmlab import KernelRun
from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.lines import FLOOR, Line, curves
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.pegasos.runs import FEW, OTHER_DRAWS, STEPS, optimum_without_bias, seed, when_shown
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import reading, set_machine, stroke
from svmlab.lab.teach.requirements import PRODUCT, SOFT
from svmlab.lab.teach.stage import Report, Stage
from svmlab.lab.teach.step import Chart, Data, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.pegasos import Ascent, Rule, ascend, certificate, counted, run_kernel
from svmlab.plane.contours import zero_lines


@dataclass(frozen=True, eq=False)
class Certified:
    """A run in counts with its certificate and its true gap (k,), and dual ascent with the same draws."""

    run: KernelRun
    promised: Array
    gap: Array
    ascent: Ascent


def certified(stage: Stage) -> Certified:
    """Both over the STEPS that are picked. Raises Working until they are there."""
    lab, draws, T, least = (
        stage.lab,
        seed(stage),
        int(stage.pick("T")),
        optimum_without_bias(stage).objective * stage.lab.lam,
    )

    def make(report: Report) -> Certified:
        run = run_kernel(
            lab.data, Rule(lab.lam), T, lab.kernel_function, seed=draws, on_progress=lambda done: report(0.5 * done)
        )
        ascent = ascend(
            lab.data, lab.lam, T, lab.kernel_function, draws, on_progress=lambda done: report(0.5 + 0.5 * done)
        )
        return Certified(run, certificate(run)[0], run.average[0] - least, ascent)

    return stage.background_result(("certified", lab.data.key, lab.kernel_function.key, lab.lam, T, draws), make)


def draw(stage: Stage) -> Data:
    """The line of the averaged run over the exact one."""
    if not stage.shown or stage.moving:
        return {}
    lab, a = stage.lab, certified(stage).run.averages[0, -1]
    return {"overlay": [stroke(line, "accent") for line in zero_lines(lab.kernel_function, lab.data.X, a, lab.view)]}


def numbers(stage: Stage) -> Sequence[Reading]:
    """The certificate and the true gap at the end, and that of dual ascent."""
    now = certified(stage)
    return [
        reading(_("certificate"), float(now.promised[-1])),
        reading(_("true gap"), float(now.gap[-1])),
        reading(_("dual ascent"), float(now.ascent.certificate[-1])),
    ]


def chart(stage: Stage) -> Chart:
    """The three along the steps."""
    now = certified(stage)
    return Chart(certificates(now.run.t, now.promised, now.gap, now.ascent.certificate, stage.palette))


def more(stage: Stage) -> Sequence[str]:
    """Why it is a bound, what is cut, and what dual ascent does."""
    now = certified(stage)
    C = 1.0 / (stage.lab.lam * len(stage.lab.points))
    beyond = int((counted(now.run)[0, -1] > C * (1 + 1e-9)).sum())
    return [
        _(
            "$D(\\alpha) = \\sum_i \\alpha_i - \\frac12\\|\\sum_i \\alpha_i y_i x_i\\|^2$ is the dual. "
            "Without bias any $0 \\le \\alpha_i \\le C = 1/(\\lambda m)$ "
            "will do, so $\\lambda D(\\alpha) \\le F(w^*)$ for each. A run has $w_{{t+1}} = "
            "\\frac1{{\\lambda t}}\\sum_i n_i y_i x_i$, with $n_i$ pushes of the point $i$: "
            "$n_i/(\\lambda t)$ is nearly such an α. At the end {beyond} of the {m} leave the box and are "
            "cut; what is cut is what keeps the certificate above the true gap."
        ).format(beyond=beyond, m=len(stage.lab.points)),
        _(
            "**Dual coordinate ascent** (SDCA, Shalev-Shwartz and Zhang 2013) draws a point as well, and "
            "sets its $\\alpha_i$ to the best one in the box: "
            "$\\alpha_i + (1 - y_i f(x_i))/\\|x_i\\|^2$, cut. It needs no step length, but one number a "
            "point. No notes have either of the two."
        ),
    ]


def certificates(t: Index, promised: Array, gap: Array, ascent: Array, palette: Palette) -> go.Figure:
    """Three gaps (k,) at the steps t (k,) on log-log axes, floored at 1e-16."""
    x = np.asarray(t, dtype=float)
    lines = [
        Line(_("certificate"), x, np.maximum(promised, FLOOR), palette.series[0], width=3),
        Line(_("true gap"), x, np.maximum(gap, FLOOR), palette.quiet, "dot"),
        Line(_("dual ascent"), x, np.maximum(ascent, FLOOR), palette.series[1], "dash"),
    ]
    return curves(lines, _("steps t"), _("F at most off by"), palette, height=160)


CERTIFICATE = Step(
    key="certificate",
    title=N_("A certificate"),
    question=N_(
        "Nobody knows $w^*$ while a run goes on. Can the run tell by itself how far its $F$ still is "
        "from the least, at most?"
    ),
    choices=(
        wrong(N_("No: for that one needs w*"), N_("It takes the least F or anything below it; the dual is below.")),
        wrong(
            N_("Yes, by how much w still moves"),
            N_("The steps 1/(λt) become short wherever w is; that proves nothing."),
        ),
        right(N_("Yes, by how often each point has pushed")),
    ),
    verdict=lambda stage: _("yes: from the counts comes a dual point, and its value is below F(w*)."),
    board=preset("overlapping", size=24, face="lambda", value=0.1, bias=False),
    needs=(SOFT, PRODUCT, FEW),
    draw=draw,
    numbers=when_shown(numbers),
    picks=(STEPS,),
    chart=chart,
    says=N_(
        "The true gap is never above it. Dual ascent sets one $\\alpha_i$ a step to its best, and proves "
        "more with fewer steps."
    ),
    formula=(
        r"F(\bar w) - F(w^*) \le F(\bar w) - \lambda D(\alpha), \quad \alpha_i = \min\bigl(C, "
        r"\tfrac{n_i}{\lambda t}\bigr)"
    ),
    more=more,
    tries=(
        Try(N_("λ = 1"), set_machine(face="lambda", value=1.0)),
        Try(
            N_("Gaussian moons"),
            board=preset("moons", size=24, kernel="gaussian", sigma=0.7, face="lambda", value=0.02, bias=False),
        ),
        OTHER_DRAWS,
    ),
    shows=("S1",),
)

"""The gap of F bounds the square of the distance to w*, so the distance has the square root of its rate (P12)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.marks import mark_current
from svmlab.lab.lessons.pegasos.arrows import scale
from svmlab.lab.lessons.pegasos.runs import (
    IN_THE_PLANE,
    LONG,
    MADE,
    RUNS,
    STEPS,
    column,
    fixed_comparison,
    picked_comparison,
)
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import POINTS_ONLY, set_machine, stroke
from svmlab.lab.teach.requirements import NONZERO_W
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.pegasos import PegasosRun
from svmlab.plot.lines import FLOOR, Line, curves
from svmlab.plot.palette import Palette

SMALLEST = 1e-16  # a gap below is rounding
AS_FAST = 0.75  # from this exponent on, the distance falls about like the gap itself


def falls(stage: Stage) -> tuple[float, float]:
    """Return the factors by which the mean gap of F and the mean distance fall from 1000 to 10,000 steps."""
    result = fixed_comparison(stage)
    k = int(np.searchsorted(result.run.t, LONG // 10))
    gaps, distance = np.maximum(result.gaps("average"), SMALLEST), np.maximum(result.distance, SMALLEST)
    return float(gaps[k] / gaps[-1]), float(distance[k] / distance[-1])


def exponent(stage: Stage) -> float:
    """Return the p for which the distance falls like the gap to the power p."""
    of_F, of_w = np.log(falls(stage))
    return float(of_w / of_F) if of_F > 0 else 0.5


def verdict(stage: Stage) -> str:
    """Return the answer, with both factors on this board."""
    of_F, of_w = falls(stage)
    return _(
        "To one tenth, because √100 = 10. Here the gap falls to 1/{F} from 1000 to 10 000 steps, the distance to 1/{w}."
    ).format(F=short(of_F, 3), w=short(of_w, 3))


def draw(stage: Stage) -> Data:
    """Return w* as an arrow and, with the answer, a segment from its tip to the average iterate of each run."""
    run, w = fixed_comparison(stage).run, fixed_comparison(stage).w
    by = scale(float(np.hypot(*w)), stage.lab.view)
    items = [stroke(np.stack([np.zeros(2), by * w]), "witness-line", "arrow")]
    if stage.shown:
        averages = run.averages[:, column(stage, run)]
        items += [stroke(by * np.stack([w, average]), "accent") for average in averages]
    return POINTS_ONLY | {"message": None, "legend": None, "overlay": items}


def chart(stage: Stage) -> Chart:
    """Return the gap, the distance, and the bound of the distance by the gap."""
    result = picked_comparison(stage)
    figure = two_rates(result.run, result.F, result.w, stage.palette)
    k = column(stage, result.run)
    mark_current(figure, stage.palette, float(result.run.t[k]), max(float(result.distance[k]), FLOOR))
    return Chart(figure)


def says(stage: Stage) -> str:
    """Return what the curves are, and why the distance falls more slowly or as fast."""
    if exponent(stage) > AS_FAST:
        return _(
            "Both axes are logarithmic. Here the distance falls about as fast as the gap, and faster than its bound. "
            "This can happen at a kink of $F$, where $F$ grows like the distance itself."
        )
    return _(
        "Both axes are logarithmic. Because of the square root, the bound of the distance (dashed) falls about "
        "half as steeply as the gap. Green lines lead from the tip of $w^*$ to average iterates of 20 runs."
    )


def two_rates(run: PegasosRun, best: float, w: Array, palette: Palette) -> go.Figure:
    """Draw the mean gap of the average iterates, their mean distance to w (d,), and its bound sqrt(2 gap / lam)."""
    t = np.asarray(run.t, dtype=float)
    gaps = np.maximum(run.average - best, FLOOR)
    distance = np.sqrt(((run.averages - w) ** 2).sum(-1))
    lines = (
        Line(_("gap of F"), t, gaps.mean(0), palette.series[0]),
        Line(_("distance"), t, distance.mean(0), palette.series[2]),
        Line(_("bound of the distance"), t, np.sqrt(2 * gaps / run.lam).mean(0), palette.quiet, "dash"),
    )
    return curves(lines, _("number of steps T"), "", palette, height=160)


RATES = Step(
    key="rates",
    title=N_("Gap and distance"),
    deeper=True,
    situation=N_(
        "The objective $F$ is **strongly convex**: $F(w) - F(w^*) \\ge \\frac\\lambda2\\|w - w^*\\|^2$ for "
        "every $w$. So the gap $F(\\bar w) - F(w^*)$ of the average iterate $\\bar w$ gives an upper bound for "
        "the distance $\\|\\bar w - w^*\\|$. The arrow on the board has the direction of the minimiser $w^*$."
    ),
    question=N_(
        "If the gap $F(\\bar w) - F(w^*)$ falls to one hundredth, to what fraction does the bound for "
        "the distance $\\|\\bar w - w^*\\|$ fall?"
    ),
    choices=(
        wrong(
            N_("To one hundredth"),
            N_(
                "If F has a kink at w* in every direction, the distance itself can fall like this. However, "
                "its bound has a square root."
            ),
        ),
        right(N_("To one tenth")),
        wrong(
            N_("It need not fall"),
            N_("For a flat F this would be true. However, λ/2 ‖w − w*‖² makes F curved in every direction."),
        ),
    ),
    verdict=verdict,
    board=preset("overlapping", size=24, face="lambda", value=1.0, bias=False),
    introduces=("strongly-convex",),
    needs=(*IN_THE_PLANE, NONZERO_W),
    dials=(MADE,),
    draw=draw,
    play=MADE.play(0.6, 2.0, 2600),
    rests_on_answer=lambda stage: MADE(stage) == 2.0,
    numbers=(
        Measure(
            N_("gap"),
            lambda stage: float(picked_comparison(stage).gaps("average")[-1]),
            N_("Mean of F(w̄) − F(w*) over the runs of the chart, after all steps"),
            after_show=True,
        ),
        Measure(
            N_("distance"),
            lambda stage: float(picked_comparison(stage).distance[-1]),
            N_("Mean of ‖w̄ − w*‖ over the runs of the chart, after all steps"),
            after_show=True,
        ),
    ),
    picks=(STEPS, RUNS),
    chart=chart,
    says=says,
    formula=r"\tfrac{\lambda}{2}\,\|\bar w - w^*\|^2 \;\le\; F(\bar w) - F(w^*)",
    more=(
        N_(
            "**Strong convexity.** $F(w) - \\frac\\lambda2\\|w\\|^2$ is a mean of hinge losses, so it is convex. "
            "Therefore $F$ is $\\lambda$-strongly convex, and with the minimiser $w^*$ the inequality follows. Solved "
            "for the distance, it reads $\\|\\bar w - w^*\\| \\le \\sqrt{2\\,(F(\\bar w) - F(w^*))/\\lambda}$. Its "
            "mean over the runs is the dashed curve."
        ),
        N_(
            "**When the distance falls faster.** If $F$ has a kink at $w^*$ in every direction, then $F(w) - F(w^*) "
            "\\ge c\\,\\|w - w^*\\|$ near $w^*$ for some $c > 0$. So the distance falls at least as fast as the gap. "
            "You see this with *Kink at w\\**."
        ),
        N_(
            "**On the board.** The arrow is $w^*$. After you show the answer, a green segment leads from its tip to "
            "the average iterate of each of 20 runs. The slider is the number of steps. All lengths have one scale."
        ),
        N_(
            "**Lecture notes.** The Italian notes on Pegasos call $(\\ln T)/T$ the rate at which $\\bar w$ converges "
            "to $w^*$. It is the rate of the bound for $F$. The bound for the distance has the square root of this "
            "rate."
        ),
    ),
    tries=(
        Try(
            N_("Kink at w*"),
            board=board_of_points(((1.0, 0.0, 1), (0.0, 1.0, 1)), face="lambda", value=0.1, bias=False),
        ),
        Try(N_("λ = 0.1"), set_machine(face="lambda", value=0.1)),
        Try(N_("Moons"), board=preset("moons", size=24, face="lambda", value=1.0, bias=False)),
    ),
    shows=("P12",),
)

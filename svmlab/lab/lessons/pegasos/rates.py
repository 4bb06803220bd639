"""Two rates: F falls like ln T/T, the distance to w* only like the root of that (P12)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.lines import FLOOR, Line, curves
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.pegasos.runs import (
    IN_THE_PLANE,
    OTHER_DRAWS,
    RUNS,
    STEPS,
    picked_average_line,
    picked_comparison,
    when_shown,
)
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import reading
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Reading, Step, Try
from svmlab.lab.words import N_, _
from svmlab.pegasos import PegasosRun
from svmlab.pegasos.rates import rate

LEAST = 1e-16  # a gap below is round-off


def falls(stage: Stage) -> tuple[float, float]:
    """By what factors the mean gap of F and the mean distance fall over the last decade of steps."""
    result = picked_comparison(stage)
    t = result.run.t
    k = int(np.searchsorted(t, t[-1] / 10))
    gaps, distance = np.maximum(result.gaps("average"), LEAST), np.maximum(result.distance, LEAST)
    return float(gaps[k] / gaps[-1]), float(distance[k] / distance[-1])


def answer(stage: Stage) -> int:
    """The same factor, its root, or none: the nearest on a logarithmic scale."""
    of_F, of_w = np.log(falls(stage))
    return int(np.abs(of_w - np.array([1.0, 0.5, 0.0]) * of_F).argmin())


def verdict(stage: Stage) -> str:
    """Both factors."""
    said = (
        _("alike: the gap of F fell to 1/{F}, the distance to 1/{w}."),
        _("by the root: the gap of F fell to 1/{F}, the distance to 1/{w}; the root is {root}."),
        _("it stays: the gap of F fell to 1/{F}, the distance to 1/{w}."),
    )
    of_F, of_w = falls(stage)
    return said[answer(stage)].format(F=short(of_F, 3), w=short(of_w, 3), root=short(of_F**0.5, 3))


def numbers(stage: Stage) -> Sequence[Reading]:
    """Where both stand, and their slopes on log-log axes."""
    result = picked_comparison(stage)
    return [
        reading(_("gap of F"), float(result.gaps("average")[-1])),
        reading(_("slope"), short(rate(result.run.t, result.gaps("average")), 2)),
        reading(_("distance"), float(result.distance[-1])),
        reading(_("slope"), short(rate(result.run.t, result.distance), 2)),
    ]


def chart(stage: Stage) -> Chart:
    """The gap, the distance, and what the gap allows the distance."""
    result = picked_comparison(stage)
    return Chart(two_rates(result.run, result.F, result.w, stage.palette))


def says(stage: Stage) -> str:
    """Why it is the root, or where it is not."""
    if answer(stage) == 0:
        return _(
            "Here $w^*$ is a corner of $F$: it climbs at once in every direction, so the distance falls as fast as $F$."
        )
    return _(
        "$\\ln T/T$ is the rate of $F$. The gap bounds the **square** of the distance, so the distance "
        "has only the root of that rate."
    )


def two_rates(run: PegasosRun, best: float, w: Array, palette: Palette) -> go.Figure:
    """Mean gap of the average, its mean distance to w (d,), and sqrt(2 gap / lam), which the distance never exceeds."""
    t = np.asarray(run.t, dtype=float)
    gaps = np.maximum(run.average - best, FLOOR)
    distance = np.sqrt(((run.averages - w) ** 2).sum(-1))
    lines = (
        Line(_("gap of F"), t, gaps.mean(0), palette.series[0]),
        Line(_("distance"), t, distance.mean(0), palette.series[2]),
        Line(_("√(2 gap/λ)"), t, np.sqrt(2 * gaps / run.lam).mean(0), palette.quiet, "dash"),
    )
    return curves(lines, _("steps t"), "", palette, height=160)


RATES = Step(
    key="rates",
    title=N_("Two rates"),
    question=N_(
        "Ten times the steps bring $F$ at the average some ten times nearer to $F(w^*)$. "
        "By what factor does the **distance** to $w^*$ fall?"
    ),
    choices=(
        Choice(
            N_("By the same factor"), N_("So it is at a corner of F; elsewhere F is flat there and hides the distance.")
        ),
        Choice(N_("By about its root"), N_("So much the gap allows; at a corner of F the distance falls faster.")),
        Choice(N_("It does not fall"), N_("λ curves F in every direction, so w cannot stay off while F arrives.")),
    ),
    answer=answer,
    verdict=verdict,
    board=preset("overlapping", size=24, face="lambda", value=1.0, bias=False),
    needs=IN_THE_PLANE,
    draw=picked_average_line,
    numbers=when_shown(numbers),
    picks=(STEPS, RUNS),
    chart=chart,
    says=says,
    formula=r"\tfrac{\lambda}{2}\,\|\bar w - w^*\|^2 \;\le\; F(\bar w) - F(w^*)",
    more=lambda stage: [
        _(
            "The Italian notes on Pegasos call $\\ln T/T$ the rate of convergence, without saying of what: "
            "it is that of $F$. "
            "$F$ is λ-strongly convex and $w^*$ its minimum, hence the inequality. The dashed line is what it allows: "
            "$\\sqrt{2\\,(F(\\bar w) - F(w^*))/\\lambda}$. Where $w^*$ is a corner of $F$, kinked in every "
            "direction, $F$ grows like the distance, and both fall alike."
        )
    ],
    tries=(
        Try(
            N_("A corner of F"),
            board=board_of_points(((1.0, 0.0, 1), (0.0, 1.0, 1)), face="lambda", value=0.1, bias=False),
        ),
        Try(N_("Moons"), board=preset("moons", size=24, face="lambda", value=1.0, bias=False)),
        OTHER_DRAWS,
    ),
    shows=("P12",),
)

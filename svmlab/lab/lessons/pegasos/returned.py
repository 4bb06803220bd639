"""Which w to return: the last, the average, or that of the second half (P11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
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
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import reading, set_machine
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Reading, Step, Try
from svmlab.lab.words import N_, _
from svmlab.pegasos.rates import rate

NAMES = ("last", "average", "suffix")  # in the order of the choices


def ends(stage: Stage) -> list[float]:
    """The mean gaps of the three after all steps."""
    result = picked_comparison(stage)
    return [float(result.gaps(name)[-1]) for name in NAMES]


def answer(stage: Stage) -> int:
    """The smallest."""
    return int(np.argmin(ends(stage)))


def verdict(stage: Stage) -> str:
    """It, and how far off the others are."""
    names = (_("the last"), _("the average of all"), _("the second half"))
    gaps, k = ends(stage), answer(stage)
    return _("{name}, {gap} above F(w*); the others {others}.").format(
        name=names[k],
        gap=short(gaps[k], 2),
        others=_(" and ").join(short(gap, 2) for i, gap in enumerate(gaps) if i != k),
    )


def numbers(stage: Stage) -> Sequence[Reading]:
    """The slopes of the three."""
    result = picked_comparison(stage)
    names = (_("slope: last"), _("average"), _("second half"))
    return [
        reading(said, short(rate(result.run.t, result.gaps(name)), 2)) for said, name in zip(names, NAMES, strict=True)
    ]


def chart(stage: Stage) -> Chart:
    """The gaps of the three."""
    result = picked_comparison(stage)
    return Chart(three(result.run.t, {name: result.gaps(name) for name in NAMES}, stage.palette))


def three(t: Index, gaps: Mapping[str, Array], palette: Palette) -> go.Figure:
    """The mean gaps (k,) of "last", "average" and "suffix" at the steps t (k,), floored at 1e-16."""
    average, last, suffix, *_rest = palette.series
    forms = {
        "last": (_("last"), last),
        "average": (_("average"), average),
        "suffix": (_("second half"), suffix),
    }
    steps = np.asarray(t, dtype=float)
    lines = [Line(said, steps, np.maximum(gaps[name], FLOOR), colour) for name, (said, colour) in forms.items()]
    return curves(lines, _("steps t"), _("gap of F"), palette, height=160)


RETURNED = Step(
    key="returned",
    title=N_("Which w"),
    question=N_(
        "A run may return its **last** $w$, the **average** of all, or that of the **second half**. "
        "Whose $F$ is nearest to $F(w^*)$, in the mean?"
    ),
    choices=(
        Choice(N_("The last"), N_("It has seen most, but it still jumps with every draw.")),
        Choice(N_("The average of all"), N_("The proof is about it, but it drags the first, far-off w along.")),
        Choice(
            N_("The average of the second half"), N_("It forgets the first w; where they were good, that is a loss.")
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=preset("separable", size=24, seed=1, face="lambda", value=0.1, bias=False),
    needs=IN_THE_PLANE,
    draw=picked_average_line,
    numbers=when_shown(numbers),
    picks=(STEPS, RUNS),
    chart=chart,
    says=N_(
        "The bound is proved for the **average of all**; the second half forgets the first, far-off $w$ "
        "and is often nearer."
    ),
    formula=r"\bar w = \tfrac1T\textstyle\sum_{t\le T} w_t, \qquad w_T, \qquad \tfrac2T\sum_{t>T/2} w_t",
    more=lambda stage: [
        _(
            "The Italian notes on Pegasos return the average, those on half-spaces and hinge the last $w$. "
            "The last one has a bound of its own, "
            "of the order $\\ln T/T$ (Harvey and others, 2018). For odd $T$ the second half is the last $T - "
            "\\lfloor T/2\\rfloor$ of them."
        )
    ],
    tries=(
        Try(N_("λ = 1"), set_machine(face="lambda", value=1.0)),
        Try(N_("Moons"), board=preset("moons", size=24, face="lambda", value=0.02, bias=False)),
        OTHER_DRAWS,
    ),
    shows=("P11",),
)

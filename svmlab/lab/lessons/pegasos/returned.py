"""Which w a run should return: the last iterate, or one of two averages (P11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.lessons.pegasos.runs import (
    IN_THE_PLANE,
    MADE,
    RUNS,
    STEPS,
    column,
    fixed_comparison,
    line_of,
    picked_comparison,
)
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Measure, Step, Try
from svmlab.lab.words import N_, _
from svmlab.plot.lines import FLOOR, Line, curves
from svmlab.plot.palette import Palette

NAMES = ("last", "average", "suffix")  # in the order of the choices
STYLES = ("own-2", "own-1", "own-3")  # of their boundaries, in the colours of the chart


def ends(stage: Stage) -> list[float]:
    """Return the mean gaps of the three after 10,000 steps of the 20 fixed runs."""
    result = fixed_comparison(stage)
    return [float(result.gaps(name)[-1]) for name in NAMES]


def answer(stage: Stage) -> int:
    """Return the one with the smallest mean gap."""
    return int(np.argmin(ends(stage)))


def verdict(stage: Stage) -> str:
    """Return its mean gap, and those of the others."""
    words = (
        _("The last iterate. Its mean gap is {least}, and the others have {one} and {other}."),
        _("The average of all iterates. Its mean gap is {least}, and the others have {one} and {other}."),
        _("The average of the last 5000 iterates. Its mean gap is {least}, and the others have {one} and {other}."),
    )
    gaps, k = ends(stage), answer(stage)
    one, other = (short(gap, 3) for i, gap in enumerate(gaps) if i != k)
    return words[k].format(least=short(gaps[k], 3), one=one, other=other)


def draw(stage: Stage) -> Data:
    """Return, with the answer, the boundaries of the three after the steps of the slider, in one run."""
    if not stage.shown:
        return {}
    run = fixed_comparison(stage).run
    k, half = column(stage, run), stage.lab.view
    vectors = (run.iterates, run.averages, run.suffixes)
    lines = [line_of(w[0, k], half, style) for w, style in zip(vectors, STYLES, strict=True)]
    return {"overlay": [item for items in lines for item in items]}


def gap_of(name: str, label: str) -> Measure:
    """Return the mean gap of one of the three after all steps of the chart."""
    return Measure(
        label,
        lambda stage: short(float(picked_comparison(stage).gaps(name)[-1]), 3),
        N_("Mean of F(w) − F(w*) over the runs of the chart, after all steps"),
        after_show=True,
    )


def chart(stage: Stage) -> Chart:
    """Return the mean gaps of the three."""
    result = picked_comparison(stage)
    return Chart(three(result.run.t, {name: result.gaps(name) for name in NAMES}, stage.palette))


def three(t: Index, gaps: Mapping[str, Array], palette: Palette) -> go.Figure:
    """Draw the mean gaps (k,) of "last", "average" and "suffix" after the steps t (k,), floored at 1e-16."""
    average, last, suffix, *_rest = palette.series
    forms = {
        "last": (_("last iterate"), last),
        "average": (_("average of all"), average),
        "suffix": (_("second half"), suffix),
    }
    steps = np.asarray(t, dtype=float)
    lines = [Line(label, steps, np.maximum(gaps[name], FLOOR), colour) for name, (label, colour) in forms.items()]
    return curves(lines, _("number of steps T"), "F(w) − F(w*)", palette, height=160)


def more(stage: Stage) -> Sequence[str]:
    """Return what is proved for each of the three, and what the lecture notes return."""
    return [
        _(
            "**The average of all iterates.** The bound $2X^2(1 + \\ln T)/(\\lambda T)$ is proved for it. However, the "
            "first iterates are often far from $w^*$, and they all keep their weight $1/T$."
        ),
        _(
            "**The average of the second half.** It leaves out the first $\\lfloor T/2\\rfloor$ iterates. Its expected "
            "gap is at most of the order $1/T$, without the factor $\\ln T$ (Rakhlin and others, 2012)."
        ),
        _(
            "**The last iterate.** It needs no average. Its gap is at most of the order $(\\ln T)/T$ with high "
            "probability (Harvey and others, 2018). However, it still moves with every draw."
        ),
        _(
            "**On the board.** You see the boundary of $w^*$ and three boundaries of one run after the steps "
            "of the slider. They are the last iterate, the average of all, and the average of the second half, in the "
            "colours of the chart."
        ),
        _(
            "**Lecture notes.** The Italian notes on Pegasos return the average of all iterates. The Italian notes on "
            "half-spaces return the last iterate."
        ),
    ]


RETURNED = Step(
    key="returned",
    title=N_("Last iterate or average"),
    situation=N_(
        "A run of Pegasos makes the iterates $w_1, \\dots, w_T$. After $T$ steps, you can return the last "
        "iterate, the average of all of them, or the average of the second half. The **gap** $F(w) - F(w^*)$ "
        "of each is measured from the minimum of the objective $F$. You compare the mean gaps of 20 runs with "
        "different random draws."
    ),
    question=N_("Which vector has the smallest mean gap $F(w) - F(w^*)$ on this board after 10 000 steps of Pegasos?"),
    choices=(
        Choice(
            N_("The last iterate"),
            N_(
                "It comes after the most steps. However, it still moves with every random draw, and an average moves "
                "less."
            ),
        ),
        Choice(
            N_("The average of all iterates"),
            N_("The usual proof is about it. However, it also includes the first iterates, which can be far from w*."),
        ),
        Choice(
            N_("The average of the last 5000 iterates"),
            N_(
                "It leaves out the first iterates. However, it still moves with the draws and contains older "
                "iterates, and here another vector is better."
            ),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=preset("separable", size=24, seed=1, face="lambda", value=0.1, bias=False),
    needs=IN_THE_PLANE,
    dials=(MADE,),
    draw=draw,
    play=MADE.play(0.3, MADE.hi, 2600),
    rests_on_answer=lambda stage: MADE(stage) == MADE.hi,
    numbers=(
        gap_of("last", N_("last iterate")),
        gap_of("average", N_("average of all")),
        gap_of("suffix", N_("second half")),
    ),
    picks=(STEPS, RUNS),
    chart=chart,
    says=N_(
        "The curves are mean gaps, on logarithmic axes. The boundaries on the board have the same colours, and "
        "the thick one belongs to $w^*$. The second half leaves out the first iterates, often far from $w^*$."
    ),
    formula=r"w_T, \qquad \tfrac1T\textstyle\sum_{t\le T} w_t, \qquad \tfrac2T\sum_{t>T/2} w_t",
    more=more,
    tries=(
        Try(N_("Overlapping"), board=preset("overlapping", size=24, face="lambda", value=1.0, bias=False)),
        Try(N_("Moons"), board=preset("moons", size=24, face="lambda", value=0.02, bias=False)),
    ),
    shows=("P11",),
)

"""One draw as an estimate: the loss of the drawn point before its step is F in the mean, after it is not (P5)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import axis_range, blank
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.pegasos.runs import IN_THE_PLANE, NEAR, OTHER_DRAWS, seed, short_comparison, when_shown
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import reading, select_point, set_machine
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Pick, Reading, Step, Try
from svmlab.lab.words import N_, _
from svmlab.pegasos import objective
from svmlab.pegasos.estimate import estimate, outcomes

SAMPLES = 4000
ROUND_OFF = 1e-12  # of a mean that is 0, in the largest loss
AT = Pick("at", N_("the step"), (1, 2, 5, 20), 2, lambda t: f"t = {t}")


def here(stage: Stage) -> Array:
    """The w of the step that is looked at."""
    t = int(stage.pick("at"))
    return short_comparison(stage, t).run.iterates[0, -1]


def errors(stage: Stage) -> tuple[Array, Array]:
    """Of each point as the draw: its loss less F before the step, and after it, (m,) each."""
    t, lab, w = int(stage.pick("at")), stage.lab, here(stage)

    def make() -> tuple[Array, Array]:
        before, after = outcomes(lab.data, lab.lam, w, t)
        return before - float(objective(lab.data, lab.lam, w)), after

    return stage.cached(f"draw {t} {seed(stage)}", make)


def means(stage: Stage) -> tuple[float, float]:
    """The means of the two over all points, round-off as 0."""
    before, after = errors(stage)
    scale = max(1.0, float(np.abs(before).max()), float(np.abs(after).max()))
    left, right = float(before.mean()), float(after.mean())
    return (left if abs(left) > ROUND_OFF * scale else 0.0), (right if abs(right) > ROUND_OFF * scale else 0.0)


def answer(stage: Stage) -> int:
    """Only the loss before the step, unless the one after it hits F as well."""
    return 1 if means(stage)[1] else 0


def verdict(stage: Stage) -> str:
    """How far the mean of the loss after the step is off."""
    off = means(stage)[1]
    if not off:
        return _("both: no step from this w answers to its own point alone.")
    side = _("below") if off < 0 else _("above")
    return _("only before. After it the mean is **{off}** {side} F: w has answered to that point.").format(
        off=short(abs(off), 3), side=side
    )


def numbers(stage: Stage) -> Sequence[Reading]:
    """F at this w, both means over all points, and both over many draws in standard errors."""
    t, lab, w = int(stage.pick("at")), stage.lab, here(stage)
    sample = stage.cached(
        f"sample {t} {seed(stage)}", lambda: estimate(lab.data, lab.lam, w, t, SAMPLES, seed=seed(stage) + 1)
    )
    before, after = means(stage)
    return [
        reading(_("mean before − F"), before),
        reading(_("after − F"), after),
        reading(_("{n} draws: z").format(n=SAMPLES), f"{short(sample.z, 2)}, {short(sample.z_after, 2)}"),
    ]


def chart(stage: Stage) -> Chart:
    """Every point as the draw, before and after."""
    before, after = errors(stage)
    return Chart(
        one_draw(before, after, stage.data.y, stage.data.ids, stage.lab.selected, stage.palette),
        select_point,
    )


def one_draw(before: Array, after: Array, y: Array, ids: Index, selected: int | None, palette: Palette) -> go.Figure:
    """Two rows of marks (m,), `before` above `after`, with the mean of each as a tall tick and a rule at F.

    Each mark carries the id of its point as customdata; the selected one is ringed.
    """
    figure = blank(palette, _("loss of the draw − F"), height=160)
    ends = axis_range(before, after, 0.0)
    marks.add_rule(figure, palette, palette.quiet, "dash", x=0.0)
    for level, values in ((1.0, before), (0.0, after)):
        lift = 0.11 * marks.stacked(values, 0.03 * (ends[1] - ends[0]), rows=4)
        figure.add_trace(
            marks.points(
                palette,
                values,
                level + lift,
                y,
                ids,
                ids == selected,
                name="before" if level else "after",
                hover="%{x:.4g}<extra></extra>",
                edge=1.0,
            )
        )
        tick = {"symbol": "line-ns-open", "size": 30 * palette.stroke, "line": palette.pen(palette.accent, 4)}
        figure.add_trace(
            go.Scatter(
                x=np.array([values.mean()]),
                y=np.array([level]),
                name=_("mean"),
                mode="markers",
                marker=tick | {"color": palette.accent},
                hovertemplate=_("mean %{x:.4g}<extra></extra>"),
            )
        )
    figure.update_xaxes(range=ends)
    return figure.update_yaxes(range=[-0.45, 1.6], tickvals=[0, 1], ticktext=[_("after"), _("before")], showgrid=False)


DRAW = Step(
    key="draw",
    title=N_("One draw"),
    question=N_(
        "A draw $Z$ moves $w$. Which loss **of the drawn point** is in the mean, over all that $Z$ may "
        "be, the $F$ at the same $w$?"
    ),
    choices=(
        Choice(
            N_("Both, before and after the step"),
            N_("The formula is the same; but after the step w depends on the draw."),
        ),
        Choice(N_("Only the loss before the step"), N_("In general; here no step favours the point that was drawn.")),
        Choice(
            N_("Only the loss after the step"),
            N_("There w suits the draw better than other points, so it is no fair sample."),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=preset("overlapping", size=16, seed=4, face="lambda", value=0.5, bias=False),
    needs=(*IN_THE_PLANE, NEAR),
    numbers=when_shown(numbers),
    picks=(AT,),
    chart=chart,
    says=N_(
        "So one drawn point may stand for all: its gradient is that of $F$ in the mean. Each dot is a "
        "point as the draw; ticks: their mean."
    ),
    formula=r"\mathbb{E}\,[\,\ell_Z(w_t) \mid Z_1,\dots,Z_{t-1}\,] = F(w_t)",
    more=lambda stage: [
        _(
            "Before the step $w_t$ depends on the earlier draws alone, and $Z_t$ is any of the $m$ points, "
            "each with the probability $1/m$: the mean is $F(w_t)$ "
            "by definition. After it, $w_{t+1}$ has been pushed for $Z_t$. The last numbers are the same "
            "means over random draws, in standard errors: "
            "within some 3 of 0 is chance, far beyond is not."
        )
    ],
    tries=(
        Try(N_("λ = 10"), set_machine(face="lambda", value=10.0)),
        Try(N_("Four corners"), board=preset("four_corners", face="lambda", value=0.5, bias=False)),
        OTHER_DRAWS,
    ),
    shows=("P5",),
)

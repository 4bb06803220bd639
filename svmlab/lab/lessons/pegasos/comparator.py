"""Regret against any fixed u, w* being the one that it is largest for in the long run (P14)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import axis_range, blank
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.pegasos.arrows import scale, scaled
from svmlab.lab.lessons.pegasos.runs import (
    IN_THE_PLANE,
    labelled_value,
    line_of,
    optimum_without_bias,
    seed,
    short_comparison,
    when_shown,
)
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import dial, reading, set_dials, set_machine, stroke
from svmlab.lab.teach.requirements import NONZERO_W
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.pegasos import PegasosRun, hindsight, regret_bound, repaired_factor

RUNS, LONGEST = 5, 5.0  # the inequality holds for each run by itself; u in lengths of w*
SHARES = np.linspace(0.0, LONGEST, 101)
STEPS = Pick("against", N_("steps T"), (10, 100, 1_000, 10_000), 100, lambda n: labelled_value("T", n, 10))


def run(stage: Stage) -> PegasosRun:
    """A few runs, made on the spot."""
    return short_comparison(stage, int(stage.pick("against")), RUNS).run


def way(stage: Stage) -> Array:
    """w*, turned by the dial, (2,)."""
    w, angle = optimum_without_bias(stage).w, np.radians(stage.dial("turned", 0.0))
    assert w is not None
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ w


def length(stage: Stage) -> float:
    """How long u is, in lengths of w*."""
    return min(max(stage.dial("length", 1.0), 0.0), LONGEST)


def left(stage: Stage, U: Array) -> Array:
    """Mean loss met less that of each u (n, 2) on the same draws, after all steps of each run, (n, runs)."""
    made = run(stage)
    return made.regret[:, -1] - hindsight(made, U)[..., -1]


def along(stage: Stage) -> Array:
    """The left side of every length in the direction of the dial, (101, runs)."""
    key = f"against {stage.pick('against')} {stage.dial('turned', 0.0):g} {seed(stage)}"
    return stage.cached(key, lambda: left(stage, np.outer(SHARES, way(stage))))


def bound(stage: Stage) -> float:
    """The bound of the first run."""
    made = run(stage)
    return float(regret_bound(made.G[0, -1], made.lam, made.t[-1], repaired_factor(made.t[-1])))


def draw(stage: Stage) -> Data:
    """Both arrows, the line of u, and the two dials."""
    if not stage.shown:
        return {}
    turned, half, w = way(stage), stage.lab.view, optimum_without_bias(stage).w
    assert w is not None
    u, by = length(stage) * turned, scale(LONGEST * float(np.hypot(*w)), half)
    items = [stroke(np.stack([np.zeros(2), by * w]), "witness-line", "arrow"), *line_of(u, half, "accent dashed")]
    items.append(stroke(np.stack([np.zeros(2), by * u]), "accent", "arrow"))
    title = _("How long u is, in lengths of w* ({scale})").format(scale=scaled(by))
    sliders = [
        dial("length", title, "|u|/|w*|", length(stage), 0.0, LONGEST, 0.05),
        dial(
            "turned", _("How far u is turned from w*"), _("turned"), stage.dial("turned", 0.0), -180.0, 180.0, 5.0, "°"
        ),
    ]
    return {"overlay": items, "sliders": sliders}


def numbers(stage: Stage) -> Sequence[Reading]:
    """Both sides for this u, and the length for which the left one is largest."""
    here = left(stage, length(stage) * way(stage)[None])[0, 0]
    return [
        reading(_("left side"), float(here)),
        reading(_("bound"), bound(stage)),
        reading(
            _("largest at"), _("{length} |w*|").format(length=short(float(SHARES[along(stage)[:, 0].argmax()]), 3))
        ),
    ]


def chart(stage: Stage) -> Chart:
    """The left side over the length of u, below the bound."""
    here = float(left(stage, length(stage) * way(stage)[None])[0, 0])
    straight = stage.dial("turned", 0.0) == 0
    return Chart(against(SHARES, along(stage), bound(stage), (length(stage), here), straight, stage.palette))


def against(
    shares: Array, left: Array, bound: float, here: tuple[float, float], straight: bool, palette: Palette
) -> go.Figure:
    """`left` (n, runs) over |u|/|w*| = shares (n,), the first run strong; rules at the bound and at the length of w*,
    which is w* itself where u is `straight`, and a mark `here`.
    """
    figure = blank(palette, "", _("left side"), height=160)
    for k in reversed(range(left.shape[1])):
        pen = palette.pen(palette.series[0], 3 if k == 0 else 1.2)
        hover = "|u| = %{x:.3g} |w*|: %{y:.4g}<extra></extra>" if k == 0 else None
        line = go.Scatter(x=shares, y=left[:, k], name="run", mode="lines", line=pen, opacity=1 if k == 0 else 0.45)
        figure.add_trace(line.update(hovertemplate=hover) if hover else line.update(hoverinfo="skip"))
    marks.add_rule(figure, palette, palette.series[1], "dash", y=bound, width=2.5)
    marks.add_rule(figure, palette, palette.quiet, "dot", x=1.0)
    ring = {"size": 13 * palette.stroke, "color": palette.accent, "line": palette.pen(palette.paper, 2)}
    mark = go.Scatter(
        x=np.array(here[:1]), y=np.array(here[1:]), name="u", mode="markers", marker=ring, cliponaxis=False
    )
    figure.add_trace(mark.update(hovertemplate="u: %{y:.4g}<extra></extra>"))
    ends = axis_range(left, bound, 0.0)
    figure.update_xaxes(range=[float(shares[0]), float(shares[-1])], dtick=1).update_yaxes(range=ends, nticks=4)
    last = float(shares[-1])
    labels = (
        Label(_("bound"), last, bound, palette.series[1]),
        Label("w*" if straight else "|w*|", 1.0, ends[0], palette.quiet, "above right"),
        Label(_("run"), last, float(left[-1, 0]), palette.series[0]),
        axis_name(figure, "|u|/|w*|", palette),
    )
    return place_labels(figure, palette, labels)


COMPARATOR = Step(
    key="comparator",
    title=N_("Against any u"),
    question=N_(
        "The regret compares a run with $w^*$. Take another fixed $u$ in its place, longer, or turned: "
        "is the same bound still true?"
    ),
    choices=(
        wrong(N_("Only for u = w*"), N_("That w* is the minimum of F is not used anywhere in the proof.")),
        wrong(N_("Only for u in the ball, |u| ≤ X/λ"), N_("Only the gradients on the way count; u may lie outside.")),
        right(N_("For every u")),
    ),
    verdict=lambda stage: _("for every u, and whatever losses come: the proof asks nothing of u."),
    board=preset("overlapping", size=24, face="lambda", value=0.1, bias=False),
    needs=(*IN_THE_PLANE, NONZERO_W),
    draw=draw,
    play=lambda stage: {"key": "length", "op": "dial", "from": 0.0, "to": LONGEST, "ms": 2600, "back": True},
    numbers=when_shown(numbers),
    picks=(STEPS,),
    chart=chart,
    says=N_(
        "In the long run the mean loss of $u$ is $F(u)$, so the left side is largest at $w^*$: no other "
        "$u$ is as hard to keep up with."
    ),
    formula=r"\tfrac1T\textstyle\sum_{t\le T}\bigl(\ell_t(w_t) - \ell_t(u)\bigr) \le G^2(1+\ln T)/(2\lambda T)",
    more=lambda stage: [
        _(
            "**Proof.** $\\ell_t$ is λ-strongly convex: $\\ell_t(w_t) - \\ell_t(u) \\le \\langle g_t, w_t - "
            "u\\rangle - \\frac\\lambda2\\|w_t - u\\|^2$. "
            "With the step $1/(\\lambda t)$ the first term is $\\frac{\\lambda t}2(\\|w_t - u\\|^2 - "
            "\\|w_{t+1} - u\\|^2) + \\frac{\\|g_t\\|^2}{2\\lambda t}$. "
            "Summed, the distances cancel but for $-\\frac{\\lambda T}2\\|w_{T+1} - u\\|^2$, and what is "
            "left is $\\frac1{2\\lambda}\\sum \\|g_t\\|^2/t$."
        ),
        _(
            "Neither draws nor the hinge enter: it holds for convex losses that somebody chooses to do harm. "
            "The Italian notes on Pegasos call upon this analysis of OGD, for $u = w^*$. Thin lines: other runs."
        ),
    ],
    tries=(
        Try(N_("u = 0"), set_dials(length=0.0)),
        Try(N_("Turned by 90°"), set_dials(turned=90.0)),
        Try(N_("λ = 1"), set_machine(face="lambda", value=1.0)),
    ),
    shows=("P14",),
)

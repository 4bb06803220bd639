"""Regret against any fixed vector u (P14)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts import marks
from svmlab.lab.lessons.pegasos.arrows import scale
from svmlab.lab.lessons.pegasos.runs import (
    IN_THE_PLANE,
    labelled_value,
    line_of,
    optimum_without_bias,
    seed,
    short_comparison,
)
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import POINTS_ONLY, set_machine, stroke
from svmlab.lab.teach.requirements import NONZERO_W
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Dial, Measure, Pick, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.pegasos import PegasosRun, comparator_loss, corrected_factor, regret_bound
from svmlab.plot.frame import axis_range, empty_chart
from svmlab.plot.labels import Label, axis_name, place_labels
from svmlab.plot.palette import Palette

RUNS, LONGEST = 5, 5.0  # the inequality holds for each run by itself; u in multiples of the length of w*
LENGTHS = np.linspace(0.0, LONGEST, 101)
STEPS = Pick("against", N_("steps T"), (10, 100, 1_000, 10_000), 100, lambda n: labelled_value("T", n, 10))
LENGTH = Dial(
    "length",
    N_("Length of u, as a multiple of the length of w*"),
    "‖u‖/‖w*‖",
    0.0,
    LONGEST,
    0.05,
    start=1.0,
    after_show=True,
)
TURNED = Dial(
    "turned", N_("Angle by which u is turned from w*"), N_("angle"), -180.0, 180.0, 5.0, unit="°", after_show=True
)


def run(stage: Stage) -> PegasosRun:
    """Return a few runs, made at once."""
    return short_comparison(stage, int(stage.pick("against")), RUNS).run


def direction(stage: Stage) -> Array:
    """Return w*, turned by the slider, (2,)."""
    w, angle = optimum_without_bias(stage).w, np.radians(TURNED(stage))
    assert w is not None
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ w


def length(stage: Stage) -> float:
    """Return the length of u, as a multiple of the length of w*."""
    return min(max(LENGTH(stage), 0.0), LONGEST)


def left(stage: Stage, U: Array) -> Array:
    """Return the regret against each u (n, 2) after all steps of each run, (n, runs)."""
    made = run(stage)
    return made.regret[:, -1] - comparator_loss(made, U)[..., -1]


def along(stage: Stage) -> Array:
    """Return the regret against u of every length in the direction of the slider, (101, runs)."""
    key = f"against {stage.pick('against')} {TURNED(stage):g} {seed(stage)}"
    return stage.cached(key, lambda: left(stage, np.outer(LENGTHS, direction(stage))))


def current(stage: Stage) -> float:
    """Return the regret of the first run against the u of the sliders."""
    return float(left(stage, length(stage) * direction(stage)[None])[0, 0])


def bound(stage: Stage) -> float:
    """Return the bound of the first run."""
    made = run(stage)
    return float(regret_bound(made.G[0, -1], made.lam, made.t[-1], corrected_factor(made.t[-1])))


def draw(stage: Stage) -> Data:
    """Return w* as an arrow and, with the answer, u and its boundary."""
    half, w = stage.lab.view, optimum_without_bias(stage).w
    assert w is not None
    by = scale(LONGEST * float(np.hypot(*w)), half)
    items = [stroke(np.stack([np.zeros(2), by * w]), "witness-line", "arrow")]
    if stage.shown:
        u = length(stage) * direction(stage)
        items += [*line_of(u, half, "accent dashed"), stroke(np.stack([np.zeros(2), by * u]), "accent", "arrow")]
    return POINTS_ONLY | {"message": None, "legend": None, "overlay": items}


def largest_at(stage: Stage) -> str:
    """Return the length of u for which the regret of the first run is largest, in this direction."""
    return _("{length} ‖w*‖").format(length=short(float(LENGTHS[along(stage)[:, 0].argmax()]), 3))


def verdict(stage: Stage) -> str:
    """Return the answer with both sides for the u of the sliders."""
    return _(
        "For every u. The proof only follows how ‖wₜ − u‖ changes in each step. Here the regret is {left}, the "
        "bound {bound}."
    ).format(left=short(current(stage), 3, 1e-9), bound=short(bound(stage), 3))


def chart(stage: Stage) -> Chart:
    """Return the regret over the length of u, below the bound."""
    here, straight = current(stage), TURNED(stage) == 0
    return Chart(against(LENGTHS, along(stage), bound(stage), (length(stage), here), straight, stage.palette))


def against(
    lengths: Array, left: Array, bound: float, here: tuple[float, float], straight: bool, palette: Palette
) -> go.Figure:
    """Draw `left` (n, runs) over |u|/|w*| = lengths (n,), the first run thick, with the bound and a mark `here`.

    A vertical line stands at the length of w*, which is w* itself if u has its direction (`straight`).
    """
    figure = empty_chart(palette, "", _("regret against u"), height=160)
    for k in reversed(range(left.shape[1])):
        pen = palette.pen(palette.series[0], 3 if k == 0 else 1.2)
        hover = "‖u‖ = %{x:.3g} ‖w*‖: %{y:.4g}<extra></extra>" if k == 0 else None
        curve = go.Scatter(x=lengths, y=left[:, k], name="run", mode="lines", line=pen, opacity=1 if k == 0 else 0.45)
        figure.add_trace(curve.update(hovertemplate=hover) if hover else curve.update(hoverinfo="skip"))
    marks.add_rule(figure, palette, palette.series[1], "dash", y=bound, width=2.5)
    marks.add_rule(figure, palette, palette.quiet, "dot", x=1.0)
    ring = {"size": 13 * palette.stroke, "color": palette.accent, "line": palette.pen(palette.paper, 2)}
    mark = go.Scatter(
        x=np.array(here[:1]), y=np.array(here[1:]), name="u", mode="markers", marker=ring, cliponaxis=False
    )
    figure.add_trace(mark.update(hovertemplate="u: %{y:.4g}<extra></extra>"))
    ends = axis_range(left, bound, 0.0)
    figure.update_xaxes(range=[float(lengths[0]), float(lengths[-1])], dtick=1).update_yaxes(range=ends, nticks=4)
    last = float(lengths[-1])
    labels = (
        Label(_("bound"), last, bound, palette.series[1]),
        Label("w*" if straight else "‖w*‖", 1.0, ends[0], palette.quiet, "above right"),
        Label(_("first run"), last, float(left[-1, 0]), palette.series[0]),
        axis_name(figure, "‖u‖/‖w*‖", palette),
    )
    return place_labels(figure, palette, labels)


COMPARATOR = Step(
    key="comparator",
    title=N_("Comparator u"),
    deeper=True,
    situation=N_(
        "The **regret** of a run compares the losses of its iterates with those of $w^*$. It is at most $G^2(1 "
        "+ \\ln T)/(2\\lambda T)$ after $T$ steps, where $G$ is the length of the longest subgradient. Now "
        "another vector $u$, the same in all steps, takes the role of $w^*$. The pink arrow on the board has "
        "the direction of $w^*$."
    ),
    question=N_("For which fixed vectors $u$ does the regret bound still hold, if $u$ replaces $w^*$?"),
    choices=(
        wrong(
            N_("Only for u\u00a0=\u00a0w*"),
            N_("The bound is often stated for w* alone. However, its proof does not use that w* minimises F."),
        ),
        wrong(
            N_("Only for u with ‖u‖ ≤ max ‖xᵢ‖/λ"),
            N_(
                "No iterate is longer than this. However, the proof uses only the subgradients of the run, so u can "
                "be longer."
            ),
        ),
        right(N_("For every u")),
    ),
    verdict=verdict,
    board=preset("overlapping", size=24, face="lambda", value=0.1, bias=False),
    introduces=("regret",),
    needs=(*IN_THE_PLANE, NONZERO_W),
    dials=(LENGTH, TURNED),
    draw=draw,
    play=LENGTH.play(0.0, 3.0, 2600),
    rests_on_answer=lambda stage: length(stage) != 1.0 and current(stage) <= bound(stage),
    numbers=(
        Measure(
            N_("regret"),
            current,
            N_("Regret of the first run against the u of the board, after all T steps"),
            after_show=True,
        ),
        Measure(N_("bound"), bound, N_("The bound of the first run, which does not depend on u"), after_show=True),
        Measure(
            N_("largest at ‖u‖\u00a0="),
            largest_at,
            N_("Length of u for which the regret of the first run is largest, in this direction"),
            after_show=True,
        ),
    ),
    picks=(STEPS,),
    chart=chart,
    says=N_(
        "The thick curve is the regret of the first run against $u$, over the length of $u$. Thin curves are "
        "other runs. The regret is negative where $u$ has larger losses than the run."
    ),
    formula=(
        r"\tfrac1T\textstyle\sum_{t\le T}\bigl(\ell_{Z_t}(w_t) - \ell_{Z_t}(u)\bigr) \;\le\; "
        r"\frac{G^2}{2\lambda T}\,(1+\ln T)"
    ),
    more=(
        N_(
            "**Proof.** Let $g_t$ be the subgradient in step $t$. Each loss is $\\lambda$-strongly convex, so "
            "$\\ell_{Z_t}(w_t) - \\ell_{Z_t}(u) \\le \\langle g_t, w_t - u\\rangle - \\frac\\lambda2\\|w_t - u\\|^2$. "
            "With $w_{t+1} = w_t - g_t/(\\lambda t)$, the inner product is $\\frac{\\lambda t}2(\\|w_t - u\\|^2 - "
            "\\|w_{t+1} - u\\|^2) + \\frac{\\|g_t\\|^2}{2\\lambda t}$. In the sum over $t$, the distances cancel "
            "except for $-\\frac{\\lambda T}2\\|w_{T+1} - u\\|^2 \\le 0$. What remains is at most "
            "$\\frac1{2\\lambda}\\sum_t \\|g_t\\|^2/t \\le \\frac{G^2}{2\\lambda}(1 + \\ln T)$."
        ),
        N_(
            "**What the proof does not use.** Neither random draws nor the hinge loss appear in it. The bound holds "
            "for every sequence of $\\lambda$-strongly convex losses, even if an opponent chooses them."
        ),
        N_(
            "**Why w\\* is special.** The expected mean loss of a fixed $u$ is $F(u)$, and this is smallest at "
            "$w^*$. So for a long run, the regret against $w^*$ is close to the largest one. In every "
            "direction, the regret is largest near the minimum of $F$ in this direction."
        ),
        N_(
            "**On the board.** The green arrow is $u$, and the dashed green line is its boundary. Both arrows have the "
            "same scale. You can change the length and the direction of $u$ with the sliders."
        ),
        N_(
            "**Lecture notes.** The Italian notes on Pegasos take the bound from the analysis of online gradient "
            "descent (OGD), for $u = w^*$."
        ),
    ),
    tries=(
        Try(N_("u = 0"), LENGTH.to(0.0)),
        Try(N_("Turned by 90°"), TURNED.to(90.0)),
        Try(N_("λ = 1"), set_machine(face="lambda", value=1.0)),
    ),
    shows=("P14",),
)

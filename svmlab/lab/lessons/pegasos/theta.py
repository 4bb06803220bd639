"""The form in theta: what its factor minimises, where its index stands, and what its loop returns (P10, P13)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from svmlab import Linear, Problem, pegasos
from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.lines import FLOOR, Line, curves
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.lessons.pegasos.runs import (
    IN_THE_PLANE,
    OTHER_DRAWS,
    average_line,
    optimum_without_bias,
    seed,
    when_shown,
)
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import reading, set_picks
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Pick, Reading, Step, Try
from svmlab.lab.words import N_, _
from svmlab.pegasos import Stretch, objective, replay

T, RUNS, ROUNDS = 10_000, 5, 5
VIEWS = {"factor": N_("λ or 2λ"), "index": N_("t or t − 1"), "loop": N_("the loop")}
VIEW = Pick("theta", N_("compare"), tuple(VIEWS), "factor", lambda view: _(VIEWS[view]))


@dataclass(frozen=True, eq=False)
class Readings:
    """Gaps (k,) of the average at the steps t (k,): each by the F that it is measured by, to the least value of that F.

    "printed", "double": theta/(lam t) and theta/(2 lam (t-1)) by F with lam |w|^2. "theta", "w": theta/(lam t) and
    theta/(lam (t-1)) by F with (lam/2) |w|^2. limit: where the first of them ends.
    """

    t: Index
    gaps: Mapping[str, Array]
    limit: float


def compare(stage: Stage) -> Readings:
    """The four readings, with the same draws."""
    data, lam, draws, w = stage.data, stage.lab.lam, seed(stage), optimum_without_bias(stage).w
    assert w is not None

    def make() -> Readings:
        twice = stage.cache.outcome(Problem.from_lambda(data, Linear(), 2 * lam, bias=False)).solution
        assert twice is not None
        least = {1: optimum_without_bias(stage).objective * lam, 2: twice.objective * 2 * lam}
        runs = {
            "printed": pegasos(data, lam, T, RUNS, draws, form="theta", price=2),
            "double": pegasos(data, lam, T, RUNS, draws, step=2),
            "theta": pegasos(data, lam, T, RUNS, draws, form="theta"),
            "w": pegasos(data, lam, T, RUNS, draws),
        }
        gaps = {name: run.average.mean(0) - least[run.rule.price or 1] for name, run in runs.items()}
        return Readings(runs["w"].t, gaps, float(objective(data, 2 * lam, w)) - least[2])

    return stage.cached(f"readings {draws}", make)


def rounds(stage: Stage) -> Stretch:
    """The rounds of the loop: w^(t) before round t, and what would follow it."""
    lab, draws = stage.lab, seed(stage)
    return stage.cached(
        f"loop {draws}",
        lambda: replay(pegasos(lab.data, lab.lam, ROUNDS, seed=draws, form="theta"), 0, 1, ROUNDS + 1),
    )


def answer(stage: Stage) -> int:
    """A gap remains, unless both F have the same minimum."""
    return 1 if compare(stage).limit > 1e-9 else 0


def verdict(stage: Stage) -> str:
    """How large it is."""
    if answer(stage) == 0:
        return _("yes: here both have the same w*.")
    return _("no: it goes to another w, **{limit}** above their minimum.").format(limit=short(compare(stage).limit, 3))


def numbers(stage: Stage) -> Sequence[Reading]:
    """The ends of what is compared."""
    view = str(stage.pick("theta"))
    if view == "loop":
        stretch = rounds(stage)
        return [
            reading(_("rounds"), float(ROUNDS)),
            reading("|w⁽⁵⁾|", float(np.hypot(*stretch.before[-1]))),
            reading("|w⁽⁶⁾|", float(np.hypot(*stretch.after[-1]))),
        ]
    gaps = compare(stage).gaps
    if view == "index":
        return [reading("θ/(λt)", float(gaps["theta"][-1])), reading("θ/(λ(t−1))", float(gaps["w"][-1]))]
    return [
        reading(_("as printed"), float(gaps["printed"][-1])),
        reading(_("in the end"), compare(stage).limit),
        reading("θ/(2λ(t−1))", float(gaps["double"][-1])),
    ]


def chart(stage: Stage) -> Chart:
    """Two readings, or the rounds of the loop."""
    view = str(stage.pick("theta"))
    if view == "loop":
        stretch = rounds(stage)
        norms = np.hypot(*np.vstack([stretch.before, stretch.after[-1:]]).T)
        return Chart(loop(norms, stage.palette))
    now = compare(stage)
    if view == "index":
        lines = {"θ/(λt)": now.gaps["theta"], "θ/(λ(t−1))": now.gaps["w"]}
        return Chart(readings(now.t, lines, None, stage.palette))
    lines = {_("as printed"): now.gaps["printed"], "θ/(2λ(t−1))": now.gaps["double"]}
    return Chart(readings(now.t, lines, now.limit, stage.palette))


def says(stage: Stage) -> str:
    """What is compared."""
    return {
        "factor": _(
            "The step must fit the price: $1/(\\lambda t)$ belongs to $\\frac\\lambda2\\|w\\|^2$, half of it "
            "to $\\lambda\\|w\\|^2$."
        ),
        "index": _(
            "$\\theta_t/(\\lambda t)$ is Pegasos' twin with the step $1/(\\lambda(t+1))$; it arrives too, by "
            "$\\frac\\lambda2\\|w\\|^2$."
        ),
        "loop": _(
            "Round $t$ forms $w^{(t)}$. After 5 rounds the loop holds $w^{(5)}$; the $w^{(6)}$ that it "
            "promises is never formed."
        ),
    }[str(stage.pick("theta"))]


def readings(t: Index, gaps: Mapping[str, Array], limit: float | None, palette: Palette) -> go.Figure:
    """Gaps (k,) by name at the steps t (k,), floored at 1e-16, and a level where the first of them ends."""
    x = np.asarray(t, dtype=float)
    blue, red, *_rest = palette.series
    lines = [
        Line(name, x, np.maximum(gap, FLOOR), colour)
        for (name, gap), colour in zip(gaps.items(), (red, blue), strict=True)
    ]
    if limit:
        lines.append(Line(_("in the end"), x, np.full(len(x), limit), palette.quiet, "dot", 2))
    return curves(lines, _("steps t"), _("gap of its F"), palette, height=160)


def loop(norms: Array, palette: Palette) -> go.Figure:
    """|w^(t)| for t = 1, 2, .. (n,): what the rounds form as dots, the last, which is only promised, as a ring."""
    figure = blank(palette, _("t"), "|w⁽ᵗ⁾|", height=160)
    t = np.arange(1, len(norms) + 1)
    formed = {"size": 12 * palette.stroke, "color": palette.series[0]}
    ring = {"size": 12 * palette.stroke, "color": CLEAR, "line": palette.pen(palette.series[1], 2.5)}
    for name, here, mark in (("formed", slice(0, -1), formed), ("promised", slice(-1, None), ring)):
        figure.add_trace(
            go.Scatter(
                x=t[here],
                y=norms[here],
                name=name,
                mode="markers",
                marker=mark,
                hovertemplate="t = %{x}: %{y:.4g}<extra></extra>",
                cliponaxis=False,
            )
        )
    top = float(norms.max()) or 1.0
    figure.update_xaxes(range=[0.7, len(norms) + 0.3], dtick=1).update_yaxes(range=[0.0, 1.12 * top], nticks=4)
    labels = [
        Label(_("held"), len(norms) - 1, float(norms[-2]), palette.series[0], "below"),
        Label(_("promised"), len(norms), float(norms[-1]), palette.series[1], "below"),
    ]
    return place_labels(figure, palette, labels)


THETA = Step(
    key="theta",
    title=N_("Form in θ"),
    question=N_(
        "Italian notes minimise $\\lambda\\|w\\|^2$ + mean hinge by $w_t = \\theta_t/(\\lambda t)$, "
        "$\\theta_t$ the sum of the pushes. Do they arrive?"
    ),
    choices=(
        Choice(
            N_("Yes, the factor does not matter"),
            N_("A factor of the whole F would not; this one changes price against loss."),
        ),
        Choice(N_("No, at another w"), N_("In general the factor moves the minimum; on these points it does not.")),
        Choice(N_("No, they get nowhere"), N_("They do arrive: at the minimum of another F, with λ/2 for λ.")),
    ),
    answer=answer,
    verdict=verdict,
    board=preset("overlapping", size=24, seed=1, face="lambda", value=0.5, bias=False),
    needs=IN_THE_PLANE,
    draw=average_line,
    numbers=when_shown(numbers),
    picks=(VIEW,),
    chart=chart,
    says=says,
    formula=r"\tfrac\lambda2\|w\|^2\!:\; \theta_t/(\lambda(t-1)), \quad \lambda\|w\|^2\!:\; \theta_t/(2\lambda(t-1))",
    more=lambda stage: [
        _(
            "These are the Italian notes on half-spaces and hinge. **Factor:** they write "
            "$\\lambda\\|w\\|^2$ and the step $1/(\\lambda t)$, which belongs to "
            "$\\frac\\lambda2\\|w\\|^2$. **Index:** $\\theta_t$ holds $t - 1$ pushes, so the mean push is "
            "$\\theta_t/(t-1)$; with $t$ it is another method, which arrives as well. "
            "**Loop:** the listings promise $w^{(T+1)}$, but the first never forms it, the coefficients of "
            "the second give $w^{(T)}$, and the third stops after $T - 1$ rounds."
        )
    ],
    tries=(
        Try(N_("The loop"), set_picks(theta="loop")),
        Try(N_("One point"), board=board_of_points(((1.0, 0.0, 1),), face="lambda", value=1.0, bias=False)),
        OTHER_DRAWS,
    ),
    shows=("P10", "P13"),
)

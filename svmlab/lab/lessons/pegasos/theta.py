"""The step size 1/(lambda t) belongs to the regulariser (lambda/2)|w|^2, not to lambda |w|^2 (P10, P13)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from svmlab import Linear, PegasosRun, Problem, pegasos
from svmlab.core.arrays import Array, Index
from svmlab.lab.lessons.pegasos.arrows import scale, scaled
from svmlab.lab.lessons.pegasos.drawn_run import NO_BOUNDARY, ORIGIN, arrow
from svmlab.lab.lessons.pegasos.runs import IN_THE_PLANE, OTHER_DRAWS, optimum_without_bias, seed
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Measure, Part, Pick, Step, Try
from svmlab.lab.words import N_, _, written
from svmlab.pegasos import objective, replay
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.lines import FLOOR, Line, curves
from svmlab.plot.palette import CLEAR, Palette

T, RUNS, ROUNDS = 10_000, 5, 5
VIEWS = {"factor": N_("λ or 2λ"), "index": N_("t or t − 1"), "loop": N_("output of the loop")}
VIEW = Pick("theta", N_("Comparison"), tuple(VIEWS), "factor", lambda view: _(VIEWS[view]), in_more=True)
SAME = 1e-9  # a gap of F up to here is a rounding error


@dataclass(frozen=True, eq=False)
class Forms:
    """Runs of four forms with the same draws, and the gap of F at the average iterate at their checkpoints (k,).

    "notes": theta/(lambda t), F with lambda |w|^2. "corrected": theta/(2 lambda (t - 1)), the same F. "t", "t - 1":
    theta/(lambda t) and theta/(lambda (t - 1)), F with (lambda/2) |w|^2. minimiser: of F with lambda |w|^2. limit: the
    gap of that F to which the first tends.
    """

    runs: Mapping[str, PegasosRun]
    gaps: Mapping[str, Array]
    minimiser: Array
    limit: float


def compared(stage: Stage) -> Forms:
    """Return the four forms."""
    data, lam, draws, half_optimum = stage.data, stage.lab.lam, seed(stage), optimum_without_bias(stage)

    def make() -> Forms:
        optimum = stage.cache.outcome(Problem.from_lambda(data, Linear(), 2 * lam, bias=False)).solution
        assert optimum is not None
        assert optimum.w is not None
        assert half_optimum.w is not None
        smallest = {1: half_optimum.objective * lam, 2: optimum.objective * 2 * lam}
        runs = {
            "notes": pegasos(data, lam, T, RUNS, draws, form="theta", penalty_factor=2),
            "corrected": pegasos(data, lam, T, RUNS, draws, step=2),
            "t": pegasos(data, lam, T, RUNS, draws, form="theta"),
            "t - 1": pegasos(data, lam, T, RUNS, draws),
        }
        gaps = {name: run.average.mean(0) - smallest[run.rule.penalty_factor or 1] for name, run in runs.items()}
        return Forms(runs, gaps, optimum.w, float(objective(data, 2 * lam, half_optimum.w)) - smallest[2])

    return stage.cached(f"forms of theta {draws}", make)


def loop_norms(stage: Stage) -> Array:
    """Return |w^(t)| for t = 1 to 6. A loop of five rounds computes all but the last."""
    draws = seed(stage)
    steps = stage.cached(
        f"loop of theta {draws}",
        lambda: replay(pegasos(stage.data, stage.lab.lam, ROUNDS, seed=draws, form="theta"), 0, 1, ROUNDS + 1),
    )
    return np.asarray(np.hypot(*np.vstack([steps.before, steps.after[-1:]]).T))


def answer(stage: Stage) -> int:
    """Return 1, another w, unless both objectives have the same minimiser."""
    return 1 if compared(stage).limit > SAME else 0


def verdict(stage: Stage) -> str:
    """Return where the iterates converge to, and how much F differs there."""
    if answer(stage) == 0:
        return _("Yes, they converge to the minimiser of F. On this board, λ/2 ‖w‖² and λ‖w‖² lead to the same one.")
    return _(
        "No, they converge to another w, which minimises λ/2 ‖w‖² + mean hinge loss. There, F is {limit} above "
        "its minimum."
    ).format(limit=short(compared(stage).limit, 3))


def scale_of(stage: Stage) -> float:
    """Return how many times as long w is on the board."""
    forms = compared(stage)
    vectors = np.vstack([forms.minimiser, forms.runs["notes"].averages[0, -1]])
    return scale(float(np.hypot(*vectors.T).max()), stage.lab.view)


def draw(stage: Stage) -> Data:
    """Return, after Show, the last average iterate and the minimiser of F as arrows."""
    if not stage.shown:
        return {}
    forms, by = compared(stage), scale_of(stage)
    end = by * forms.runs["notes"].averages[0, -1]
    items = [*arrow(ORIGIN, by * forms.minimiser, "witness-line"), *arrow(ORIGIN, end, "accent")]
    return NO_BOUNDARY | {"overlay": items}


def chart(stage: Stage) -> Chart:
    """Return the gap of F with two step sizes or two indices, or the rounds of the loop."""
    if stage.pick("theta") == "loop":
        return Chart(loop(loop_norms(stage), stage.palette))
    forms, view = compared(stage), stage.pick("theta")
    names = ("notes", "corrected") if view == "factor" else ("t", "t - 1")
    texts = ("1/(λt)", "1/(2λt)") if view == "factor" else ("θ/(λt)", "θ/(λ(t − 1))")
    gaps = {written(text): forms.gaps[name] for text, name in zip(texts, names, strict=True)}
    return Chart(over_steps(forms.runs["notes"].t, gaps, forms.limit if view == "factor" else 0.0, stage.palette))


def over_steps(t: Index, gaps: Mapping[str, Array], limit: float, palette: Palette) -> go.Figure:
    """Draw two gaps (k,) by name at the steps t (k,) on logarithmic axes, and the level of a limit above 0."""
    x = np.asarray(t, dtype=float)
    looks = ((palette.accent, "solid"), (palette.other, "dash"))
    lines = [
        Line(name, x, np.maximum(gap, FLOOR), *look) for (name, gap), look in zip(gaps.items(), looks, strict=True)
    ]
    if limit > SAME:
        lines.append(Line(_("limit"), x, np.full(len(x), limit), palette.quiet, "dot", 2))
    return curves(lines, _("step t"), "F − min F", palette, height=160)


def loop(norms: Array, palette: Palette) -> go.Figure:
    """Draw |w^(t)| for t = 1, 2, .. (n,) as dots, and the last, which the loop does not compute, as a ring."""
    figure = empty_chart(palette, _("round t"), written("‖w⁽ᵗ⁾‖"), height=160)
    t = np.arange(1, len(norms) + 1)
    dot = {"size": 12 * palette.stroke, "color": palette.accent}
    ring = {"size": 12 * palette.stroke, "color": CLEAR, "line": palette.pen(palette.other, 2.5)}
    parts = ((_("computed"), slice(0, -1), dot), (_("not computed"), slice(-1, None), ring))
    for name, rows, marker in parts:
        figure.add_trace(
            go.Scatter(
                x=t[rows],
                y=norms[rows],
                name=name,
                mode="markers",
                marker=marker,
                hovertemplate=written("t = %{x}: %{y:.4g}<extra></extra>"),
                cliponaxis=False,
            )
        )
    top = float(norms.max()) or 1.0
    figure.update_xaxes(range=[0.7, len(norms) + 0.3], dtick=1).update_yaxes(range=[0.0, 1.12 * top], nticks=4)
    labels = [
        Label(_("computed"), len(norms) - 1, float(norms[-2]), palette.accent, "below"),
        Label(_("not computed"), len(norms), float(norms[-1]), palette.other, "below"),
    ]
    return place_labels(figure, palette, labels)


def says(stage: Stage) -> str:
    """Say what the curves and the arrows are."""
    if stage.pick("theta") == "loop":
        return _(
            "Round $t$ of the listing computes $w^{(t)}$. After 5 rounds, the last computed vector is $w^{(5)}$ (dot). "
            "The notes return $w^{(6)}$ (ring), which no round has computed."
        )
    if stage.pick("theta") == "index":
        return _(
            "The curves show $F - \\min F$ at the average iterate, now with $\\frac\\lambda2\\|w\\|^2$ in $F$. Both "
            "forms converge. $\\theta_t/(\\lambda t)$ is Pegasos with the step size $1/(\\lambda(t+1))$."
        )
    return _(
        "The curves show $F - \\min F$ at the average iterate. $1/(2\\lambda t)$ fits this $F$. On the board "
        "({scale}), the green arrow is the last average with $1/(\\lambda t)$, and the pink one minimises $F$."
    ).format(scale=scaled(scale_of(stage)))


def more(stage: Stage) -> Sequence[Part]:
    """Return why the factor matters, and the three details in which the notes differ."""
    gaps, norms = compared(stage).gaps, loop_norms(stage)
    return [
        _(
            "**The factor.** The gradient of $\\lambda\\|w\\|^2$ is $2\\lambda w$, so a step against it multiplies "
            "$w$ by $1 - 2\\lambda\\eta_t$. With $\\eta_t = 1/(2\\lambda t)$ this is the factor $1 - 1/t$ of Pegasos. "
            "If you keep this factor and use $\\eta_t = 1/(\\lambda t)$, you run Pegasos for "
            "$\\frac\\lambda2\\|w\\|^2$."
        ),
        _(
            "**Lecture notes.** The Italian notes on half-spaces state the objective with $\\lambda\\|w\\|^2$ and the "
            "update $w^{(t)} = \\frac{1}{\\delta t}\\theta^{(t)}$. They do not explain $\\delta$. With $\\delta = "
            "\\lambda$ the iterates converge to the minimiser for $\\frac\\lambda2\\|w\\|^2$."
        ),
        _(
            "**Division by t or t − 1.** $\\theta_t$ is the sum of $t - 1$ pushes, so their mean is $\\theta_t/(t-1)$. "
            "Division by $t$ is Pegasos with the step size $1/(\\lambda(t+1))$. Both converge to the same minimiser. "
            "After {T} steps, $F - \\min F$ is {by_t} and {by_mean}."
        ).format(
            T=T, by_t=short(float(gaps["t"][-1]), 2, ROUNDING), by_mean=short(float(gaps["t - 1"][-1]), 2, ROUNDING)
        ),
        _(
            "**The output of the loop.** The listings in the notes announce $w^{{(T+1)}}$. After 5 rounds, the last "
            "computed vector is $w^{{(5)}}$, of length {last}. The announced $w^{{(6)}}$ would have length "
            "{following}, but no round computes it. The second listing returns $w^{{(T)}}$, and the third stops after "
            "$T - 1$ rounds."
        ).format(last=short(float(norms[-2]), 3), following=short(float(norms[-1]), 3)),
    ]


THETA = Step(
    key="theta",
    title=N_("The factor 1/2"),
    situation=N_(
        "The Italian notes on half-spaces minimise $F(w) = \\lambda\\|w\\|^2$ + mean hinge loss, without the "
        "factor $\\frac12$. Their iterate in step $t$ is $w_t = \\theta_t/(\\lambda t)$, where $\\theta_t$ is "
        "the sum of the pushes of the earlier steps. The push is $y x$ if the drawn point $(x, y)$ has "
        "$y\\langle w_t, x\\rangle < 1$, and 0 otherwise."
    ),
    question=N_(
        "Do the iterates with the step size $1/(\\lambda t)$ converge to the minimiser of the objective $F(w) = "
        "\\lambda\\|w\\|^2$ + "
        "mean hinge loss?"
    ),
    choices=(
        Choice(
            N_("Yes, they converge to the minimiser of F"),
            N_("A factor in front of the whole F would not matter. However, here it changes only the regulariser."),
        ),
        Choice(
            N_("No, they converge to another w"),
            N_("In general the factor moves the minimiser. On this board, both objectives have the same minimiser."),
        ),
        Choice(
            N_("No, they do not converge"),
            N_(
                "The step size does not fit F. However, the iterates converge to the minimiser of λ/2 ‖w‖² + mean "
                "hinge loss."
            ),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=preset("overlapping", size=24, seed=1, face="lambda", value=0.5, bias=False),
    needs=IN_THE_PLANE,
    deeper=True,
    introduces=("theta",),
    draw=draw,
    rests_on_answer=lambda stage: stage.shown and answer(stage) == 1,
    numbers=(
        Measure(
            N_("F − min F: with 1/(λt)"),
            lambda stage: float(compared(stage).gaps["notes"][-1]),
            N_("F − min F at the average iterate after the last step, with the step size 1/(λt)"),
            after_show=True,
        ),
        Measure(
            N_("limit"),
            lambda stage: compared(stage).limit,
            N_("F − min F at the minimiser for λ/2 ‖w‖²"),
            after_show=True,
        ),
        Measure(
            N_("with 1/(2λt)"),
            lambda stage: float(compared(stage).gaps["corrected"][-1]),
            N_("F − min F at the average iterate after the last step, with the step size 1/(2λt)"),
            after_show=True,
        ),
    ),
    picks=(VIEW,),
    chart=chart,
    says=says,
    formula=(
        r"\eta_t = \tfrac{1}{\lambda t}\ \text{for}\ \tfrac\lambda2\|w\|^2, \qquad "
        r"\eta_t = \tfrac{1}{2\lambda t}\ \text{for}\ \lambda\|w\|^2"
    ),
    more=more,
    tries=(
        Try(N_("Separable"), board=preset("separable", size=12, face="lambda", value=0.01, bias=False)),
        Try(N_("One point"), board=board_of_points(((1.0, 0.0, 1),), face="lambda", value=1.0, bias=False)),
        OTHER_DRAWS,
    ),
    shows=("P10", "P13"),
)

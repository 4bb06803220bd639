"""From the soft to the hard margin: the smallest C for which both are equal (S10)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab import Solution
from svmlab.lab.charts.marks import add_rule
from svmlab.lab.lessons.soft.along import PathSamples, sample_path
from svmlab.lab.lessons.soft.walk import SMALL_C, marked, play_C, sampled_path, sampled_path_or_none
from svmlab.lab.numbers import short
from svmlab.lab.session.controls import CONTROLS
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import set_machine, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, PRODUCT, SEPARABLE, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Op, Part, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plot.frame import axis_range, empty_chart
from svmlab.plot.labels import Label, axis_name, place_labels
from svmlab.plot.palette import Palette
from svmlab.statements.c_tradeoff import threshold


def limit(stage: Stage) -> tuple[Solution, float]:
    """Return the hard margin and the smallest C that reaches it, once for the points, whatever C is."""
    lab = stage.lab

    def make() -> tuple[Solution, float]:
        return stage.situation.hard_solution, threshold(stage.situation)

    return stage.cache.get_or_compute(("soft", "limit", lab.data.key, lab.kernel_function.key, lab.bias), make)


def C0(stage: Stage) -> float:
    """Return the smallest C for which the soft margin is the hard margin."""
    return limit(stage)[1]


def is_slow(stage: Stage) -> bool:
    """Return whether points are being dragged on a board on which the hard margin takes longer than a picture."""
    return stage.dragging and (not stage.lab.kernel_function.is_linear or len(stage.lab.points) > 100)


def draw(stage: Stage) -> Data:
    """Return the hard margin behind the SVM, and its C on the slider."""
    if is_slow(stage):
        return {}
    if not stage.shown:
        return marked(stage, np.zeros(0))
    hard = stage.cache.drawing(limit(stage)[0], stage.lab.view)
    levels = ((hard.zero, "witness-line"), (hard.plus, "witness-line dashed"), (hard.minus, "witness-line dashed"))
    strokes = [stroke(line, style) for level, style in levels for line in level]
    return marked(stage, np.array([C0(stage)])) | {"overlay": strokes}


NORM = Measure("‖w‖", lambda stage: stage.solution.norm_w, N_("the norm of w at the C of the board"))
BEFORE = (
    Measure("C", lambda stage: stage.solution.problem.C, N_("the factor of the slack in the objective")),
    NORM,
    Measure("Σ ξ", lambda stage: float(stage.solution.xi.sum()), N_("the sum of all slack variables")),
)
AFTER = (
    Measure("C₀", C0, N_("the smallest C for which the soft margin is the hard margin")),
    NORM,
    Measure(N_("hard ‖w‖"), lambda stage: limit(stage)[0].norm_w, N_("the norm of w of the hard margin")),
)


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return C, the norm and the slack, or how far the SVM is from the hard margin."""
    return [measure.reading(stage) for measure in (AFTER if stage.shown and not is_slow(stage) else BEFORE)]


def chart(stage: Stage) -> Chart:
    """Return |w| and the total slack near C0."""
    path, start = sampled_path(stage).path, C0(stage)
    samples = stage.cache.get_or_compute(
        ("soft", "near", stage.data.key, stage.lab.kernel_function.key, stage.lab.bias),
        lambda: sample_path(path, 0.25 * start, 1.6 * start, 61),
    )
    return Chart(near_threshold(samples, start, stage.lab.C, stage.palette))


def near_threshold(samples: PathSamples, C0: float, C: float, palette: Palette) -> go.Figure:
    """Draw |w| and the total slack around C0, above which nothing changes, with C on a linear axis."""
    figure = empty_chart(palette, height=150)
    curves = (("‖w‖", samples.norm_w, palette.accent), ("Σ ξ", samples.slack, palette.other))
    for name, y, colour in curves:
        trace = go.Scatter(x=samples.C, y=y, name=name, mode="lines", line=palette.pen(colour))
        figure.add_trace(trace.update(hovertemplate=f"{name} = %{{y:.6g}}<br>C = %{{x:.6g}}<extra></extra>"))
    add_rule(figure, palette, palette.quiet, "dash", x=C0)
    lo, hi = float(samples.C[0]), float(samples.C[-1])
    top = axis_range(samples.norm_w, samples.slack, 0.0)[1]
    figure.update_xaxes(range=[lo, hi], nticks=6).update_yaxes(range=[0.0, top], nticks=4)
    if lo <= C <= hi:
        add_rule(figure, palette, palette.accent, "dot", x=C)
    ends = [Label(name, hi, float(y[-1]), colour) for name, y, colour in curves]
    return place_labels(
        figure, palette, [*ends, Label("C₀", C0, 0.5 * top, palette.quiet, "right"), axis_name(figure, "C", palette)]
    )


def situation(stage: Stage) -> str:
    """Return what is on the board and what varies."""
    separable = (
        _("A line separates these points, so the **hard margin** exists.")
        if stage.lab.kernel_function.is_linear
        else _("With this kernel the classes are separable, so the **hard margin** exists.")
    )
    rest = _(
        "Its $w$ has the smallest norm of all $w$ for which every slack $\\xi_i$ is 0. The soft margin allows "
        "slack and minimises $\\frac12\\|w\\|^2 + C\\sum_i\\xi_i$."
    )
    return f"{separable} {rest}"


def verdict(stage: Stage) -> str:
    """Return the answer with C0."""
    words = _(
        "Yes, for every C above a finite value, here {C0}. Then an optimal α of the hard margin also satisfies αᵢ ≤ C."
    )
    return words.format(C0=short(C0(stage), 3))


def more(stage: Stage) -> Sequence[Part]:
    """Return the proof, numbers at C0 and below it, and the case of several optimal multipliers."""
    known, start = sampled_path_or_none(stage), C0(stage)
    parts = [
        _(
            "**Proof.** The dual of the hard margin has the constraint $\\alpha_i \\ge 0$, and the dual of the soft "
            "margin has $0 \\le \\alpha_i \\le C$. Everything else is equal. If an optimal $\\alpha$ of the hard "
            "margin has no entry above $C$, it is feasible for the soft margin and therefore optimal there. Then both "
            "have the same $w$. If every optimal $\\alpha$ has an entry above $C$, the two minimum values differ."
        ),
        _(
            "**Several optimal multipliers.** Where the $\\alpha$ of the hard margin is not unique, $C_0$ is the "
            "smallest value that the largest entry can have."
        ),
    ]
    if known is not None:
        at, below = known.path.at(start * (1 + 1e-9)), known.path.at(0.9 * start)
        words = _(
            "**On this board.** At $C_0$, $\\|w\\|$ = {at} and $\\sum_i\\xi_i$ = {slack}. At $0.9\\,C_0$, $\\|w\\|$ = "
            "{below} and $\\sum_i\\xi_i$ = {more_slack}."
        )
        parts.append(
            words.format(
                at=short(at.norm_w),
                slack=short(float(at.xi.sum()), noise=1e-7),
                below=short(below.norm_w),
                more_slack=short(float(below.xi.sum())),
            )
        )
    return parts


def at_threshold(factor: float) -> Callable[[Stage], Op]:
    """Return the operation that sets C to a multiple of C0."""

    def op(stage: Stage) -> Op:
        limits = CONTROLS["value"]
        return set_machine(face="C", value=min(max(factor * C0(stage), limits.low), limits.high))

    return op


HARD = Step(
    key="hard",
    title=N_("From soft to hard margin"),
    situation=situation,
    question=N_(
        "If the classes are separable, is the soft margin equal to the hard margin for every large enough $C$?"
    ),
    choices=(
        wrong(
            N_("No, only in the limit C → ∞"),
            N_(
                "The bound αᵢ ≤ C disappears only in the limit. However, the multipliers of the hard margin are "
                "finite, so a finite C is enough."
            ),
        ),
        right(N_("Yes, for every C above a finite value")),
        wrong(
            N_("No, not even in the limit C → ∞"),
            N_(
                "Slack makes a shorter w possible. However, a unit of slack saves only a limited amount of "
                "½‖w‖², so a large C excludes it."
            ),
        ),
    ),
    verdict=verdict,
    board=preset("separable", size=24, seed=3, value=0.1),
    needs=(BOTH_CLASSES, SOFT, PRODUCT, SEPARABLE, SOLVED),
    introduces=("hard-margin",),
    draw=draw,
    play=lambda stage: play_C(stage, SMALL_C, 1.5 * C0(stage)),
    rests_on_answer=lambda stage: C0(stage) <= stage.lab.C,
    numbers=numbers,
    chart=chart,
    says=N_(
        "The curves are $\\|w\\|$ and the total slack. From $C_0$ on (dashed grey line), the slack is 0 and $w$ "
        "is constant. The dotted line is your $C$. The pink lines on the board are the hard margin."
    ),
    formula=r"C\ \ge\ C_0=\min_{\alpha^*}\max_i\alpha_i^*\ \ \Longrightarrow\ \ w_C=w_{\text{hard}}",
    more=more,
    tries=(
        Try(N_("C = 0.9 C₀"), at_threshold(0.9)),
        Try(N_("C = 0.5 C₀"), at_threshold(0.5)),
        Try(N_("Gaussian moons"), board=preset("moons", size=30, kernel="gaussian", sigma=0.5)),
    ),
    shows=("S10", "T9"),
)

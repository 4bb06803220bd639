"""Up to the hard margin: the C from which on the soft margin is the hard one (S10)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from svmlab import Solution
from svmlab.lab.lessons.soft.along import sample_path
from svmlab.lab.lessons.soft.hard_chart import threshold as figure
from svmlab.lab.lessons.soft.walk import marked, play_C, sampled_path, sampled_path_or_none
from svmlab.lab.numbers import short
from svmlab.lab.session.controls import CONTROLS
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import reading, set_machine, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, PRODUCT, SEPARABLE, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Op, Part, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.statements.c_tradeoff import threshold


def limit(stage: Stage) -> tuple[Solution, float]:
    """The hard margin and the C from which on it is reached; once for the points, whatever C is."""
    lab = stage.lab

    def make() -> tuple[Solution, float]:
        return stage.situation.hard_solution, threshold(stage.situation)

    return stage.cache.get_or_compute(("soft", "limit", lab.data.key, lab.kernel_function.key, lab.bias), make)


def slow(stage: Stage) -> bool:
    """Whether points are being dragged on a board on which the hard margin takes longer than a picture."""
    return stage.dragging and (not stage.lab.kernel_function.is_linear or len(stage.lab.points) > 100)


def draw(stage: Stage) -> Data:
    """The hard margin behind the machine, and its C on the slider."""
    if slow(stage):
        return {}
    hard, C0 = limit(stage)
    ghost = stage.cache.scene(hard, stage.lab.view)
    lines = ((ghost.zero, "witness-line"), (ghost.plus, "witness-line dashed"), (ghost.minus, "witness-line dashed"))
    items = [stroke(line, style) for level, style in lines for line in level] if stage.shown else []
    return marked(stage, np.array([C0] if stage.shown else [])) | {"overlay": items}


def numbers(stage: Stage) -> Sequence[Reading]:
    """Where C is, and how far the machine is from the hard one."""
    solution = stage.solution
    slack = reading("Σ ξ", float(solution.xi.sum()))
    if slow(stage):
        return [reading("C", solution.problem.C), reading("|w|", solution.norm_w), slack]
    hard, C0 = limit(stage)
    norms = [reading("|w|", solution.norm_w), reading(_("hard |w|"), hard.norm_w)]
    return [reading("C", solution.problem.C), *([reading("C₀", C0), *norms] if stage.shown else [*norms, slack])]


def chart(stage: Stage) -> Chart:
    """|w| and the total slack around C0."""
    path, (_hard, C0) = sampled_path(stage).path, limit(stage)
    near = stage.cache.get_or_compute(
        ("soft", "near", stage.data.key, stage.lab.kernel_function.key, stage.lab.bias),
        lambda: sample_path(path, 0.25 * C0, 1.6 * C0, 61),
    )
    return Chart(figure(near, C0, stage.lab.C, stage.palette))


def says(stage: Stage) -> str:
    """C0 of this board."""
    told = _("C₀ = {C0} here, the largest α of the hard margin: from there on the ceiling is not felt any more.")
    return told.format(C0=short(limit(stage)[1]))


def more(stage: Stage) -> Sequence[Part]:
    """At C0 and just below; alpha that is not unique."""
    known, (_hard, C0) = sampled_path_or_none(stage), limit(stage)
    told = []
    if known is not None:
        at, below = known.path.at(C0 * (1 + 1e-9)), known.path.at(0.9 * C0)
        sentence = _(
            "At $C_0$ itself |w| = {at} and Σ ξ = {slack}; at nine tenths of it |w| = {below} and Σ ξ = {loose}."
        )
        slack = float(at.xi.sum())
        told = [
            sentence.format(
                at=short(at.norm_w),
                slack=short(0.0 if slack < 1e-7 else slack),
                below=short(below.norm_w),
                loose=short(float(below.xi.sum())),
            )
        ]
    return [
        *told,
        _(
            "Where the multipliers of the hard margin are not unique, $C_0$ is the least that the largest of "
            "them can be. "
            "The dual with the ceiling C then still has one of those optima, and so the same w."
        ),
    ]


def at_threshold(share: float) -> Callable[[Stage], Op]:
    """The price at a share of C0."""

    def op(stage: Stage) -> Op:
        limits = CONTROLS["value"]
        return set_machine(face="C", value=min(max(share * limit(stage)[1], limits.low), limits.high))

    return op


HARD = Step(
    key="hard",
    title=N_("Up to the hard margin"),
    question=N_(
        "On separable points slack gets dearer as C grows. From which C on is the soft margin the hard margin, exactly?"
    ),
    choices=(
        wrong(
            N_("Only in the limit C → ∞"),
            N_("The ceiling α ≤ C goes to infinity, but the α of the hard margin are finite."),
        ),
        right(N_("From a finite C on")),
        wrong(
            N_("Never, some slack always stays"),
            N_("Slack saves only so much norm. Once it costs more than that, there is none."),
        ),
    ),
    verdict=lambda stage: _("From a finite C₀ on."),
    board=preset("separable", size=24, seed=3, value=0.1),
    needs=(BOTH_CLASSES, SOFT, PRODUCT, SEPARABLE, SOLVED),
    draw=draw,
    play=lambda stage: play_C(stage, 0.01, 1.5 * limit(stage)[1], back=False),
    numbers=numbers,
    chart=chart,
    says=says,
    formula=r"C\ \ge\ C_0=\min_{\alpha^*}\max_i\alpha_i^*\ \ \Longrightarrow\ \ w_C=w_\infty",
    more=more,
    tries=(
        Try(N_("C = C₀"), at_threshold(1 + 1e-9)),
        Try(N_("C = 0.9 C₀"), at_threshold(0.9)),
        Try(
            N_("Gaussian moons"),
            board=preset("moons", size=30, kernel="gaussian", sigma=0.5),
        ),
    ),
    shows=("S10",),
)

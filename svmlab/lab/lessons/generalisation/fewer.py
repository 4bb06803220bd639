"""The number of support vectors of an SVM with a Gaussian kernel, compared with the linear SVM (G5, G9)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from svmlab import Linear, Polynomial, Solution, solve
from svmlab.generalisation import compression_bound
from svmlab.kernels.base import Kernel
from svmlab.lab.board import payload
from svmlab.lab.charts.marks import add_rule, dots, mark_current
from svmlab.lab.lessons.generalisation.counting import (
    NOISE,
    SEED,
    SIGMAS,
    SIZE,
    WIDTHS,
    Counts,
    compared,
    count,
    counted,
    recounted,
)
from svmlab.lab.numbers import short
from svmlab.lab.session.worker import Report
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import replace_machine, set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, GAUSSIAN, SOFT, SOLVED, sigma_of
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Measure, Op, Part, Pick, Step, Table, Try
from svmlab.lab.words import N_, _
from svmlab.plane.contours import draw_solution
from svmlab.plot.frame import empty_chart, log_axis
from svmlab.plot.labels import Label, axis_name, place_labels
from svmlab.plot.palette import Palette

SHAPES = {
    "separable": N_("separable"),
    "overlapping": N_("overlapping"),
    "moons": N_("moons"),
    "circles": N_("circles"),
}
KERNELS = {"own": N_("Gaussian"), "line": N_("linear"), "degree": N_("degree 2")}
OTHERS: dict[str, Kernel] = {"line": Linear(), "degree": Polynomial(2)}
FEW = 80  # points up to which the second solver counts within a picture
CHOSEN_C = 10.0  # of the boards that are lent and compared


def shape(name: str) -> Callable[[], Any]:
    """Return a preset with the Gaussian that the table compares."""
    return preset(name, size=SIZE, noise=NOISE, seed=SEED, kernel="gaussian", sigma=1.0, value=CHOSEN_C)


def other(stage: Stage, name: str) -> Solution:
    """Return the SVM with another kernel, for the C and the bias of the board."""
    return stage.cached(f"counted {name}", lambda: solve(replace(stage.lab.problem, kernel=OTHERS[name])))


def both_counts(stage: Stage) -> tuple[int, int]:
    """Return the numbers of support vectors of the Gaussian on the board and of the linear SVM."""
    return count(stage.solution), count(other(stage, "line"))


def _along_widths(stage: Stage) -> tuple[tuple[Any, ...], Callable[[Report], Counts]]:
    problem = stage.lab.problem
    return ("counted", problem.data.key, problem.C, problem.bias), lambda report: counted(problem, report)


def draw(stage: Stage) -> Data:
    """Return the linear SVM before Show, and then the SVM that is chosen."""
    stage.background_result_or_none(*_along_widths(stage))
    name = str(stage.pick("fewer")) if stage.shown else "line"
    if name not in OTHERS:
        return {}
    solution, half = other(stage, name), stage.lab.view
    drawing = stage.cached(f"scene {name} {half}", lambda: draw_solution(solution, half))
    sliders = payload.sliders(replace(stage.lab, kernel="linear"))  # neither has a sigma
    return replace_machine(stage, solution, drawing) | {"sliders": sliders, "message": None}


NUMBERS = (
    Measure(
        N_("linear"),
        lambda stage: f"{count(other(stage, 'line'))}/{stage.data.m}",
        N_("Support vectors of the linear SVM, of all training points"),
    ),
    Measure(
        N_("degree 2"),
        lambda stage: f"{count(other(stage, 'degree'))}/{stage.data.m}",
        N_("Support vectors of the SVM with the polynomial kernel of degree 2"),
        after_show=True,
    ),
    Measure(
        N_("Gaussian"),
        lambda stage: f"{count(stage.solution)}/{stage.data.m}",
        N_("Support vectors of the SVM with the Gaussian kernel, at the current σ"),
        after_show=True,
    ),
)


def answer(stage: Stage) -> int:
    """Return whether the Gaussian has fewer support vectors than the linear SVM, as many, or more."""
    own, linear = both_counts(stage)
    return 0 if own < linear else 1 if own == linear else 2


def situation(stage: Stage) -> str:
    """Return what is on the board, with the width of the kernel."""
    return _(
        "The ringed points are the support vectors of the linear SVM, which is drawn. Some lecture notes expect an SVM "
        "with a kernel to have fewer support vectors. Now the linear kernel is replaced by a Gaussian kernel with the "
        "width $\\sigma$ = {sigma}. The training points and $C$ stay the same."
    ).format(sigma=short(sigma_of(stage), 3))


def verdict(stage: Stage) -> str:
    """Return the right choice with both counts."""
    own, linear = both_counts(stage)
    words = (
        _(
            "Fewer than the linear SVM. The number is {own} of {m} points with σ = {sigma}, and {line} with the linear "
            "kernel."
        ),
        _("As many as the linear SVM. The number is {own} of {m} points with σ = {sigma} and with the linear kernel."),
        _(
            "More than the linear SVM. The number is {own} of {m} points with σ = {sigma}, and {line} with the linear "
            "kernel."
        ),
    )[answer(stage)]
    return words.format(own=own, m=stage.data.m, sigma=short(sigma_of(stage), 3), line=linear)


def chart(stage: Stage) -> Chart:
    """Return the counts for all widths. A click sets the width and draws the Gaussian."""
    own, _line = both_counts(stage)
    here = sigma_of(stage), own
    figure = counts(stage.background_result(*_along_widths(stage)), stage.data.m, here, stage.palette)

    def put(sigma: float) -> Op:
        return {**set_machine(kernel="gaussian", sigma=float(sigma)), "picks": {"fewer": "own"}}

    return Chart(figure, put)


def play(stage: Stage) -> Data | None:
    """Return the animation of the width, or None for a kernel without a width."""
    if stage.pick("fewer") in OTHERS:
        return None
    return {"key": "sigma", "op": "set", "from": sigma_of(stage), "to": 0.1, "ms": 2600, "back": True}


def says(stage: Stage) -> str:
    """Return whether some width has fewer support vectors than the linear SVM, and the count of the narrowest."""
    along = stage.background_result(*_along_widths(stage))
    fewest, narrow = int(along.gaussian.min()), int(along.gaussian[0])
    words = (
        _(
            "Each dot is the number of support vectors for one $\\sigma$ (click it). Some width has only {fewest}, "
            "fewer than the linear SVM (dashed). A narrow kernel reaches few points, so the smallest $\\sigma$ has "
            "{narrow} of {m}."
        )
        if fewest < along.linear
        else _(
            "Each dot is the number of support vectors for one $\\sigma$ (click it). No dot is below the linear SVM "
            "(dashed). A narrow kernel reaches few points, so the smallest $\\sigma$ has {narrow} of {m}."
        )
    )
    return words.format(fewest=fewest, narrow=narrow, m=stage.data.m)


def comparison() -> Table:
    """Return the counts of four shapes and five kernels."""
    names = (_("linear"), _("degree 2"), *(f"σ = {short(sigma)}" for sigma in SIGMAS))
    rows = [
        table.named_row(_(SHAPES[name]), [table.number(float(n)) for n in row])
        for name, row in compared(CHOSEN_C).items()
    ]
    caption = _("Support vectors of {m} points, C = {C}").format(m=SIZE, C=short(CHOSEN_C))
    return Table(table.table(table.head(*names), rows, caption=caption))


def more(stage: Stage) -> Sequence[Part]:
    """Return the reason, all shapes, the compression bound, a second count, and the lecture notes."""
    own, linear = both_counts(stage)
    m, problem = stage.data.m, stage.lab.problem
    parts: list[Part] = [
        _(
            "**Why the width matters.** If $\\sigma$ is very small and no two points coincide, every kernel value of "
            "two points is almost 0. Then each point must have $\\alpha_i > 0$, because no other point contributes to "
            "$f(x_i)$. A very wide kernel bends the boundary only slightly. In between, the number depends on the "
            "shape of the classes. On *Moons* and *Circles*, the linear SVM has many points with slack, and each of "
            "them is a support vector."
        ),
        comparison(),
        _(
            "**The compression bound.** It depends on $N$ and $m$ alone. On this board it is {bound} for the Gaussian "
            "and {other} for the linear SVM, with $\\delta = 0.05$."
        ).format(bound=short(compression_bound(own, m), 3), other=short(compression_bound(linear, m), 3)),
    ]
    again = stage.cached("recounted", lambda: recounted(problem)) if m <= FEW else None
    if again is not None:
        parts.append(
            _(
                "**Two computations.** The exact solver finds {own} multipliers above 0. A second solver, whose "
                "multipliers are never exactly 0, finds {again} above $10^{{-6}}\\,C$."
            ).format(own=own, again=again)
        )
    parts.append(
        _(
            "**Lecture notes.** The Italian notes on Pegasos expect a kernel to reduce the number of support vectors. "
            "Gambosi's slides state that support vectors are usually few. Both are expectations, and both fail if "
            "$\\sigma$ is very small. Such an SVM usually overfits."
        )
    )
    return parts


EDGE = 0.06  # of a decade, beyond the widths
TICKS = np.array([0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20])


def counts(along: Counts, m: int, here: tuple[float, int], palette: Palette) -> go.Figure:
    """Draw the number of support vectors over sigma.

    m: the number of all points. here: sigma and the number on the board. customdata of a dot: its sigma.
    """
    figure = empty_chart(palette, "", _("support vectors"), height=300)
    widths = np.array(WIDTHS)
    curve = go.Scatter(x=widths, y=along.gaussian, name="N", mode="lines", line=palette.pen(palette.text))
    figure.add_trace(curve.update(hoverinfo="skip"))
    hover = _("σ = {sigma}: {n} of {m}").format(sigma="%{x:g}", n="%{y}", m=m) + "<extra></extra>"
    off = np.zeros(len(widths), dtype=bool)
    marked = dots(palette, widths, along.gaussian.astype(float), widths, off, palette.text, name="widths", hover=hover)
    figure.add_trace(marked)
    first, last = (float(np.log10(end(here[0], widths[i]))) for end, i in ((min, 0), (max, -1)))
    levels = ((_("linear"), along.linear, palette.other, "dash"), (_("degree 2"), along.degree_2, palette.quiet, "dot"))
    for name, n, colour, dash in levels:
        hover = f"{name}: {n}<extra></extra>"
        x = np.geomspace(10**first, 10**last, 9)
        pen = palette.pen(colour, 2.0, dash)
        figure.add_trace(go.Scatter(x=x, y=np.full(9, n), name=name, mode="lines", line=pen, hovertemplate=hover))
    add_rule(figure, palette, palette.quiet, y=m, width=1.0)
    mark_current(figure, palette, *here)
    figure.update_xaxes(
        **(log_axis(first - EDGE, last + EDGE) | {"tickvals": TICKS, "ticktext": [f"{t:g}" for t in TICKS]})
    )
    figure.update_yaxes(range=[-0.03 * m, 1.1 * m], nticks=6)
    labels = [
        axis_name(figure, "σ", palette),
        Label(_("all {m}").format(m=m), last + EDGE, m, palette.quiet),
        *(Label(f"{name}: {n}", last, n, colour) for name, n, colour, _dash in levels),
    ]
    return place_labels(figure, palette, labels)


FEWER = Step(
    key="fewer",
    title=N_("Support vectors with a kernel"),
    situation=situation,
    question=N_("How many support vectors does the SVM with the Gaussian kernel have, compared with the linear SVM?"),
    choices=(
        Choice(
            N_("Fewer than the linear SVM"),
            N_(
                "This happens if the classes have a curved shape that suits σ, for example on Moons and Circles with "
                "σ = 1."
            ),
        ),
        Choice(
            N_("As many as the linear SVM"),
            N_(
                "Both SVMs have the same points and the same C. However, the multipliers also depend on the kernel, "
                "and here their numbers differ."
            ),
        ),
        Choice(
            N_("More than the linear SVM"),
            N_("This happens for example if σ is very small, because then almost every point is a support vector."),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=shape("separable"),
    deeper=True,
    needs=(BOTH_CLASSES, SOFT, GAUSSIAN, SOLVED),
    draw=draw,
    play=play,
    rests_on_answer=lambda stage: stage.pick("fewer") == "own" and answer(stage) == 2,
    numbers=NUMBERS,
    picks=(Pick("fewer", N_("Kernel on the board"), tuple(KERNELS), "own", lambda name: _(KERNELS[name])),),
    chart=chart,
    says=says,
    formula=r"N = \#\{\,i : \alpha_i > 0\,\}",
    more=more,
    tries=(
        Try(N_("Overlapping"), board=shape("overlapping")),
        Try(N_("Moons"), board=shape("moons")),
        Try(N_("Circles"), board=shape("circles")),
    ),
    shows=("G5", "G9"),
)

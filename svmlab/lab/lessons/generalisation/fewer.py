"""Whether a kernel needs fewer support vectors than a line: an expectation, met on some boards (G5, G9)."""

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
from svmlab.lab.charts.frame import blank, log
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import add_rule, dots, mark_current
from svmlab.lab.charts.palette import Palette
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
from svmlab.lab.teach import table
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import reading, replace_machine, set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, GAUSSIAN, SOFT, SOLVED, sigma_of
from svmlab.lab.teach.stage import Report, Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Op, Part, Pick, Reading, Step, Table, Try
from svmlab.lab.words import N_, _
from svmlab.plane.contours import draw_solution

MACHINES = {"own": N_("Gaussian"), "line": N_("line"), "degree": N_("degree 2")}
OTHERS: dict[str, Kernel] = {"line": Linear(), "degree": Polynomial(2)}
SHOWN = {"separable": N_("separable"), "overlapping": N_("overlapping"), "moons": N_("moons"), "circles": N_("circles")}
FEW = 80  # points on which the second solver counts, in a blink
CHOSEN_C = 10.0  # of the boards that are lent and compared


def shape(name: str) -> Callable[[], Any]:
    """A preset with the Gaussian that the table compares."""
    return preset(name, size=SIZE, noise=NOISE, seed=SEED, kernel="gaussian", sigma=1.0, value=CHOSEN_C)


def other(stage: Stage, name: str) -> Solution:
    """The line, or the polynomial, with the C and the bias of the board."""
    return stage.cached(f"counted {name}", lambda: solve(replace(stage.lab.problem, kernel=OTHERS[name])))


def found(stage: Stage) -> tuple[int, int]:
    """Support vectors of the Gaussian on the board, and of the line."""
    return count(stage.solution), count(other(stage, "line"))


def _work(stage: Stage) -> tuple[tuple[Any, ...], Callable[[Report], Counts]]:
    problem = stage.lab.problem
    return ("counted", problem.data.key, problem.C, problem.bias), lambda report: counted(problem, report)


def draw(stage: Stage) -> Data:
    """The line until it is shown; then the Gaussian, or what is picked in its place."""
    stage.background_result_or_none(*_work(stage))
    name = str(stage.pick("fewer")) if stage.shown else "line"
    if name not in OTHERS:
        return {}
    machine, half = other(stage, name), stage.lab.view
    seen = stage.cached(f"scene {name} {half}", lambda: draw_solution(machine, half))
    sliders = payload.sliders(replace(stage.lab, kernel="linear"))  # neither has a sigma
    return replace_machine(stage, machine, seen) | {"sliders": sliders, "message": None}


def numbers(stage: Stage) -> Sequence[Reading]:
    """How many points carry each machine."""
    m = len(stage.lab.points)
    readings = [reading(_("line"), f"{count(other(stage, 'line'))}/{m}")]
    if not stage.shown:
        return readings
    return [
        *readings,
        reading(_("degree 2"), f"{count(other(stage, 'degree'))}/{m}"),
        reading(_("Gaussian"), f"{count(stage.solution)}/{m}"),
        reading("σ", sigma_of(stage)),
    ]


def answer(stage: Stage) -> int:
    """Fewer, as many, or more than the line's."""
    own, line = found(stage)
    return 0 if own < line else 1 if own == line else 2


def verdict(stage: Stage) -> str:
    """Both counts."""
    own, line = found(stage)
    said = (
        _("fewer: {own} of {m} with σ = {sigma}, and {line} with the line."),
        _("as many: {own} of {m} with σ = {sigma}, and with the line."),
        _("more: {own} of {m} with σ = {sigma}, and {line} with the line."),
    )[answer(stage)]
    return said.format(own=own, m=stage.data.m, sigma=short(sigma_of(stage), 3), line=line)


def chart(stage: Stage) -> Chart:
    """All widths; a click sets one, and puts the Gaussian on the board."""
    own, _line = found(stage)
    here = sigma_of(stage), own
    figure = counts(stage.background_result(*_work(stage)), stage.data.m, here, stage.palette)

    def put(sigma: float) -> Op:
        return {**set_machine(kernel="gaussian", sigma=float(sigma)), "picks": {"fewer": "own"}}

    return Chart(figure, put)


def play(stage: Stage) -> Data | None:
    """The Gaussian becomes narrow and comes back; a line has nothing that moves."""
    if stage.pick("fewer") in OTHERS:
        return None
    return {"key": "sigma", "op": "set", "from": sigma_of(stage), "to": 0.1, "ms": 2600, "back": True}


def says(stage: Stage) -> str:
    """Whether any width needs fewer than the line, and what a narrow one needs."""
    now = stage.background_result(*_work(stage))
    least, narrow = int(now.gaussian.min()), int(now.gaussian[0])
    said = (
        _("Some width needs only {least}: its shape fits where a line's does not.")
        if least < now.line
        else _("No width here needs fewer than the line's {line}.")
    )
    rest = _("The narrowest needs {narrow} of {m}. A click on a dot sets σ.")
    return " ".join(each.format(least=least, line=now.line, narrow=narrow, m=stage.data.m) for each in (said, rest))


def comparison() -> Table:
    """Four shapes and five kernels."""
    names = (_("line"), _("degree 2"), *(f"σ = {short(sigma)}" for sigma in SIGMAS))
    rows = [
        table.named_row(_(SHOWN[name]), [table.number(float(n)) for n in row])
        for name, row in compared(CHOSEN_C).items()
    ]
    caption = _("Support vectors of {m} points, C = {C}").format(m=SIZE, C=short(CHOSEN_C))
    return Table(table.table(table.head(*names), rows, caption=caption))


def more(stage: Stage) -> Sequence[Part]:
    """All shapes, why, what it costs in the bound, a second count, and the notes."""
    own, line = found(stage)
    m, problem = stage.data.m, stage.lab.problem
    parts: list[Part] = [
        comparison(),
        _(
            "**Why.** With a narrow $\\sigma$ no point sees another: $K$ is nearly the identity, $y_i "
            "f(x_i)$ is $\\alpha_i$ but for $b$, and each point has to carry itself. "
            "A wide one bends little and comes near to the line. In between it depends on the shape: on "
            "moons and circles a line leaves many points with slack, and each of these carries."
        ),
        _(
            "**What it costs.** $N$ is what the compression bound is made of: {own} in place of {line} makes "
            "it {bound} in place of {other}, at $\\delta = 0.05$."
        ).format(
            own=own, line=line, bound=short(compression_bound(own, m), 3), other=short(compression_bound(line, m), 3)
        ),
    ]
    again = stage.cached("recounted", lambda: recounted(problem)) if m <= FEW else None
    if again is not None:
        parts.append(
            _(
                "**Two ways.** The exact method has {own} multipliers above 0. A second solver, whose "
                "multipliers are never quite 0, has {again} above $10^{{-6}}\\,C$."
            ).format(own=own, again=again)
        )
    parts.append(
        _(
            "The Italian notes on Pegasos expect the number to be reduced with a kernel; Gambosi's slides "
            "say that support vectors are usually few. Both are expectations, "
            "met where the kernel fits the shape, and neither where it is too narrow."
        )
    )
    return parts


EDGE = 0.06  # of a decade, beyond the widths
TICKS = np.array([0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20])


def counts(found: Counts, m: int, here: tuple[float, int], palette: Palette) -> go.Figure:
    """N along sigma; a mark's customdata is its sigma. m: all points. here: sigma and N of the board."""
    figure = blank(palette, "", _("support vectors"), height=300)
    widths = np.array(WIDTHS)
    line = go.Scatter(x=widths, y=found.gaussian, name="N", mode="lines", line=palette.pen(palette.text))
    figure.add_trace(line.update(hoverinfo="skip"))
    told = _("σ = {sigma}: {n} of {m}").format(sigma="%{x:g}", n="%{y}", m=m) + "<extra></extra>"
    off = np.zeros(len(widths), dtype=bool)
    marked = dots(palette, widths, found.gaussian.astype(float), widths, off, palette.text, name="widths", hover=told)
    figure.add_trace(marked)
    first, last = (float(np.log10(end(here[0], widths[i]))) for end, i in ((min, 0), (max, -1)))
    levels = ((_("line"), found.line, palette.other, "dash"), (_("degree 2"), found.degree_2, palette.quiet, "dot"))
    for name, n, colour, dash in levels:
        told = f"{name}: {n}<extra></extra>"
        x = np.geomspace(10**first, 10**last, 9)
        pen = palette.pen(colour, 2.0, dash)
        figure.add_trace(go.Scatter(x=x, y=np.full(9, n), name=name, mode="lines", line=pen, hovertemplate=told))
    add_rule(figure, palette, palette.quiet, y=m, width=1.0)
    mark_current(figure, palette, *here)
    figure.update_xaxes(**(log(first - EDGE, last + EDGE) | {"tickvals": TICKS, "ticktext": [f"{t:g}" for t in TICKS]}))
    figure.update_yaxes(range=[-0.03 * m, 1.1 * m], nticks=6)
    labels = [
        axis_name(figure, "σ", palette),
        Label(_("all {m}").format(m=m), last + EDGE, m, palette.quiet),
        *(Label(f"{name}: {n}", last, n, colour) for name, n, colour, _dash in levels),
    ]
    return place_labels(figure, palette, labels)


FEWER = Step(
    key="fewer",
    title=N_("Fewer with a kernel?"),
    question=N_(
        "The line is carried by the points that are ringed. The notes expect fewer of them with a "
        "kernel. How many has the Gaussian with the same $C$?"
    ),
    choices=(
        Choice(
            N_("Fewer"),
            N_("That is where the shape calls for a curve, and the kernel fits it."),
        ),
        Choice(N_("As many"), N_("The same points at the same C; but each kernel chooses for itself.")),
        Choice(
            N_("More"),
            N_("That is where a line will do, or where σ is narrow; here the kernel fits."),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=shape("separable"),
    needs=(BOTH_CLASSES, SOFT, GAUSSIAN, SOLVED),
    draw=draw,
    play=play,
    numbers=numbers,
    picks=(Pick("fewer", N_("On the board"), tuple(MACHINES), "own", lambda name: _(MACHINES[name])),),
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

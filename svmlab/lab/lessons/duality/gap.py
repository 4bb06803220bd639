"""The gap between a rising dual and a falling primal (H3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.duality.ascent import Ascent, ascent
from svmlab.lab.lessons.duality.boards import FOUR, NARROW, TWELVE
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.overlay import film, frame, line_strokes, reading, set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, PRODUCT, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Part, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line

STEPS = 200
CLOSED = 1e-6


def run(stage: Stage) -> Ascent:
    """The climb on this board."""
    return stage.cached("ascent", lambda: ascent(stage.lab.problem, STEPS, CLOSED))


def left(climb: Ascent) -> float:
    """What is left between the two values, relative to the primal: round-off is 0."""
    if not np.isfinite(climb.primal[-1]):
        return float(np.inf)
    return max(float((climb.primal[-1] - climb.dual[-1]) / climb.primal[-1]), 0.0)


def draw(stage: Stage) -> Data:
    """The film of the climb, once the answer is shown."""
    if not stage.shown:
        return {}
    return {"film": stage.cached(f"film of the climb {stage.lab.view}", lambda: climbing(stage)), "sliders": []}


def climbing(stage: Stage) -> Data:
    """One frame a step: the line of its w and best b, and a ring round a point that moved."""
    data, half, climb = stage.data, stage.lab.view, run(stage)
    frames = []
    for k in range(climb.steps + 1):
        w = (climb.alpha[k] * data.y) @ data.X
        straight = stage.lab.kernel_function.is_linear and float(np.abs(w).max()) > 1e-12
        i, j = (int(v) for v in climb.moved[k])
        who = _("nothing weighs yet, there is no line")
        if i >= 0:
            who = _("points {i} and {j} move") if j >= 0 else _("point {i} moves")
        primal = short(float(climb.primal[k])) if np.isfinite(climb.primal[k]) else _("none yet")
        caption = _("Step {k} of {n}: {who}.<br>dual {dual}, best primal {primal}").format(
            k=k,
            n=climb.steps,
            who=who.format(i=i + 1, j=j + 1),
            dual=short(float(climb.dual[k])),
            primal=primal,
        )
        items = line_strokes(Line(w, float(climb.b[k])), half, "accent") if straight else []
        frames.append(frame(items, caption, None if i < 0 else int(data.ids[i])))
    return film(f"ascent {stage.lab.problem.key}", frames, len(frames) - 1, speed=5)


def numbers(stage: Stage) -> Sequence[Reading]:
    """Where the climb ends."""
    if not stage.shown:
        return ()
    climb = run(stage)
    return [
        reading(_("steps"), float(climb.steps)),
        reading(_("dual"), float(climb.dual[-1])),
        reading(_("primal"), float(climb.primal[-1])),
        reading(_("gap"), short(left(climb), 2, ROUNDING)),
    ]


def says(stage: Stage) -> str:
    """What each step tells, and how far this climb came."""
    if left(run(stage)) <= CLOSED:
        return _(
            "No dual value ever lies above a primal one: stop anywhere, and the optimum is caught between the two."
        )
    return _(
        "This climb is cut off after {n} steps: it goes on in ever smaller ones. The optimum is caught between the two."
    ).format(n=run(stage).steps)


def more(stage: Stage) -> Sequence[Part]:
    """How the climb is made."""
    how = (
        _(
            "Sequential minimal optimisation (Platt 1998): always the pair that violates optimality most, because "
            "$y^\\top\\alpha = 0$ does not let one multiplier move alone. Each step is the exact maximum "
            "along its direction."
        )
        if stage.lab.bias
        else _("Coordinate ascent: always the multiplier that gains most. Without a bias each may move alone.")
    )
    lines = (
        _(
            "The film under the board shows the line of each step: $w = \\sum_i \\alpha_i y_i x_i$ and the "
            "best $b$ beside it."
        )
        if stage.lab.kernel_function.is_linear
        else _("With this kernel the lines of the steps are not drawn.")
    )
    return [how, lines, r"$$Q_{ij} = y_i\,y_j\,k(x_i, x_j)$$"]


def gap(run: Ascent, best: float, palette: Palette) -> go.Figure:
    """Both values along the steps, and the exact optimum `best` as a line between them."""
    figure = blank(palette, _("step"), _("value"), height=320, along=True, zoom=True)
    t = np.arange(run.steps + 1)
    feasible = np.isfinite(run.primal)
    lines = [
        ("dual", _("dual"), t, run.dual, palette.accent),
        ("primal", _("primal"), t[feasible], run.primal[feasible], palette.text),
    ]
    labels = [Label(_("optimum"), run.steps, best, palette.other)]
    for name, said, x, y, colour in lines:
        figure.add_trace(
            go.Scatter(
                x=x,
                y=y,
                name=name,
                mode="lines+markers" if run.steps <= 60 else "lines",
                marker={"size": 6 * palette.stroke},
                line=palette.pen(colour) | {"shape": "hv" if name == "primal" else "linear"},
                hovertemplate="%{y:.8g}",
            )
        )
        if len(x):  # in the middle, where they are still apart
            k = min(max(1, len(x) // 6), len(x) - 1)
            side = "below right" if name == "dual" else "above right"
            labels.append(Label(said, float(x[k]), float(y[k]), colour, side))
    dashed = palette.pen(palette.other, 2, "dash")
    figure.add_shape(type="line", x0=0, x1=run.steps, y0=best, y1=best, line=dashed)
    top = float(run.primal[feasible][0]) if feasible.any() else float(run.dual.max())
    ceiling = min(top, 3.0 * best)
    figure.update_xaxes(range=[-0.02 * run.steps, 1.02 * run.steps + 0.1])
    figure.update_yaxes(range=[-0.04 * ceiling, 1.12 * ceiling], nticks=4)
    return place_labels(figure, palette, labels)


GAP = Step(
    key="gap",
    title=N_("Climbing the dual"),
    question=N_(
        "Start at $\\alpha = 0$ and climb. The dual value rises, and every $\\alpha$ also gives a machine. "
        "What does the best primal value seen so far do?"
    ),
    choices=(
        right(N_("It falls, and both meet")),
        wrong(
            N_("It falls, but a gap remains"),
            N_("Two different problems might well stop apart, but these constraints are linear."),
        ),
        wrong(
            N_("It crosses the dual value"),
            N_("One falls, one rises, yet each dual value is a lower bound for all machines."),
        ),
    ),
    board=TWELVE,
    needs=(BOTH_CLASSES, PRODUCT, SOLVED, at_most(30)),
    draw=draw,
    play=lambda stage: {"film": True},
    numbers=numbers,
    chart=lambda stage: Chart(gap(run(stage), stage.solution.objective, stage.palette)),
    says=says,
    formula=lambda stage: (
        r"\mathbf 1^\top\alpha-\tfrac12\alpha^\top Q\alpha\;\le\;\text{optimum}\;\le\;\tfrac12\|w\|^2"
        + ("" if stage.lab.hard else r"+C\textstyle\sum_i\xi_i")
    ),
    more=more,
    tries=(
        Try(N_("Four points"), board=FOUR),
        Try(N_("A long climb"), board=NARROW),
        Try("C = 0.1", set_machine(hard=False, face="C", value=0.1)),
    ),
    shows=("H3",),
)

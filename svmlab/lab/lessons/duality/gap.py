"""The duality gap between the dual value, which increases, and the smallest primal value, which decreases (H3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.lab.lessons.duality.ascent import Ascent, ascent
from svmlab.lab.lessons.duality.boards import FOUR, NARROW, TWELVE
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.overlay import POINTS_ONLY, film, frame, line_strokes, set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, PRODUCT, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Part, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import Palette

STEPS = 200
CLOSED = 1e-6


def run(stage: Stage) -> Ascent:
    """Return the iterates of the ascent on this board."""
    return stage.cached("ascent", lambda: ascent(stage.lab.problem, STEPS, CLOSED))


def relative_gap(iterates: Ascent) -> float:
    """Return the last (P - D) / P, infinite before the first feasible w, and at least 0 in spite of rounding."""
    if not np.isfinite(iterates.primal[-1]):
        return float(np.inf)
    return max(float((iterates.primal[-1] - iterates.dual[-1]) / iterates.primal[-1]), 0.0)


def draw(stage: Stage) -> Data:
    """Show the film of the ascent once the answer is shown, and only the points before."""
    if not stage.shown:
        return {**POINTS_ONLY, "legend": None}
    return {"film": stage.cached(f"film of the ascent {stage.lab.view}", lambda: ascent_film(stage)), "sliders": []}


def ascent_film(stage: Stage) -> Data:
    """Return one frame for each step: the line of its w and best b, and a ring around a point whose alpha changed."""
    data, half, iterates = stage.data, stage.lab.view, run(stage)
    frames = []
    for k in range(iterates.steps + 1):
        w = (iterates.alpha[k] * data.y) @ data.X
        has_line = stage.lab.kernel_function.is_linear and float(np.abs(w).max()) > 1e-12
        i, j = (int(v) for v in iterates.moved[k])
        change = _("Every α is 0, so there is no line.")
        if i >= 0:
            change = _("The α of points {i} and {j} change.") if j >= 0 else _("The α of point {i} changes.")
        caption = _("Step {k} of {n}. {change}<br>D = {dual}, P = {primal}").format(
            k=k,
            n=iterates.steps,
            change=change.format(i=i + 1, j=j + 1),
            dual=short(float(iterates.dual[k])),
            primal=finite_or_none(float(iterates.primal[k])),
        )
        items = line_strokes(Line(w, float(iterates.b[k])), half, "accent") if has_line else []
        frames.append(frame(items, caption, None if i < 0 else int(data.ids[i])))
    course = _("steps of the ascent from 0 to {n}").format(n=iterates.steps)
    return film(f"ascent {stage.lab.problem.key}", frames, course, len(frames) - 1, speed=5)


def finite_or_none(primal: float) -> str:
    """Return a primal value as text, or that no feasible w has been found yet."""
    return short(primal) if np.isfinite(primal) else _("none yet")


def verdict(stage: Stage) -> str:
    """Say how far the gap has closed after the last step."""
    iterates = run(stage)
    gap = relative_gap(iterates)
    if gap <= CLOSED:
        return _(
            "It tends to 0. After {n} steps, P − D is less than 10⁻⁶ P, and the optimal value lies between D and P."
        ).format(n=iterates.steps)
    if not np.isfinite(gap):
        return _("It tends to 0, but slowly here. After {n} steps, no feasible w and b have been found.").format(
            n=iterates.steps
        )
    return _("It tends to 0, but slowly here. After {n} steps, P − D is still {gap} P.").format(
        n=iterates.steps, gap=short(gap, 2)
    )


def more(stage: Stage) -> Sequence[Part]:
    """Describe the algorithm and how it finds feasible w and b, and prove weak duality."""
    algorithm = (
        _(
            "**The algorithm** is sequential minimal optimisation, called SMO (Platt 1998). The condition "
            "$\\sum_i\\alpha_iy_i=0$ does not allow a single multiplier to change alone. So each step "
            "changes the two multipliers that violate optimality most, and it maximises $D$ exactly along this "
            "direction."
        )
        if stage.lab.bias
        else _(
            "**The algorithm** is coordinate ascent. Without a bias, each multiplier can change alone. Each step "
            "changes the multiplier that increases $D$ most."
        )
    )
    feasible = (
        _(
            "**A feasible solution from α.** The vector $w=\\sum_i\\alpha_iy_ix_i$ and its best $b$ are multiplied by "
            "a factor, so that the smallest $y_if(x_i)$ is exactly 1. This is possible only if the line of $w$ and $b$ "
            "separates the classes."
        )
        if stage.lab.hard
        else _(
            "**A feasible solution from α.** The vector $w=\\sum_i\\alpha_iy_ix_i$ is used with its best $b$ and the "
            "slack $\\xi_i=\\max(0, 1-y_if(x_i))$. So every α gives a primal value."
        )
    )
    return [
        algorithm,
        feasible,
        _(
            "**What the gap tells you.** Every dual value is at most the optimal value, and every primal value is at "
            "least the optimal value. So you can stop at any step, and $P-D$ bounds the remaining error."
        ),
        r"$$D(\alpha)=\sum_i\alpha_i-\tfrac12\sum_{i,j}\alpha_i\alpha_jy_iy_jk(x_i,x_j)$$",
    ]


def gap(run: Ascent, best: float, palette: Palette) -> go.Figure:
    """Draw both values after each step, and the exact optimal value `best` as a line between them."""
    figure = empty_chart(palette, _("step"), _("value"), height=320, along=True, zoom=True)
    t = np.arange(run.steps + 1)
    feasible = np.isfinite(run.primal)
    lines = [
        ("dual", "D", t, run.dual, palette.accent),
        ("primal", "P", t[feasible], run.primal[feasible], palette.text),
    ]
    labels = [Label(_("optimal value"), run.steps, best, palette.other)]
    for name, label, x, y, colour in lines:
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
        if len(x):  # where the two curves are still far from each other
            k = min(max(1, len(x) // 6), len(x) - 1)
            side = "below right" if name == "dual" else "above right"
            labels.append(Label(label, float(x[k]), float(y[k]), colour, side))
    dashed = palette.pen(palette.other, 2, "dash")
    figure.add_shape(type="line", x0=0, x1=run.steps, y0=best, y1=best, line=dashed)
    top = float(run.primal[feasible][0]) if feasible.any() else float(run.dual.max())
    ceiling = min(top, 3.0 * best)
    figure.update_xaxes(range=[-0.02 * run.steps, 1.02 * run.steps + 0.1])
    figure.update_yaxes(range=[-0.04 * ceiling, 1.12 * ceiling], nticks=4)
    return place_labels(figure, palette, labels)


GAP = Step(
    key="gap",
    title=N_("The duality gap"),
    deeper=True,
    introduces=("duality-gap", "smo"),
    situation=N_(
        "The **dual value** $D$ is the objective of the dual problem. An algorithm starts at $\\alpha=0$ and increases "
        "$D$ step by step. From each $\\alpha$ it also computes, if possible, $w$ and $b$ that satisfy "
        "the constraints of the primal problem. The **primal value** $P$ is the smallest primal objective of these "
        "$w, b$ so far."
    ),
    question=N_(
        "What happens to the duality gap $P-D$ while the algorithm increases the dual value $D$ step by step to its "
        "maximum?"
    ),
    choices=(
        right(N_("It tends to 0")),
        wrong(
            N_("It tends to a positive number"),
            N_(
                "For some optimisation problems this is true. However, here the problem is convex with linear "
                "constraints, so both optimal values are equal."
            ),
        ),
        wrong(
            N_("It becomes negative"),
            N_(
                "P decreases and D increases, so it may seem that they cross. However, no dual value is larger than a "
                "primal value."
            ),
        ),
    ),
    verdict=verdict,
    board=TWELVE,
    needs=(BOTH_CLASSES, PRODUCT, SOLVED, at_most(30)),
    draw=draw,
    play={"film": True},
    rests_on_answer=lambda stage: relative_gap(run(stage)) <= CLOSED,
    numbers=(
        Measure(
            N_("dual value D"), lambda stage: float(run(stage).dual[-1]), N_("After the last step"), after_show=True
        ),
        Measure(
            N_("primal value P"),
            lambda stage: finite_or_none(float(run(stage).primal[-1])),
            N_("The smallest primal objective after the last step"),
            after_show=True,
        ),
        Measure(
            "(P − D)/P",
            lambda stage: (
                short(relative_gap(run(stage)), 2, ROUNDING) if np.isfinite(relative_gap(run(stage))) else "∞"
            ),
            N_("The relative duality gap after the last step"),
            after_show=True,
        ),
    ),
    chart=lambda stage: Chart(gap(run(stage), stage.solution.objective, stage.palette)),
    says=N_(
        "The chart shows $P$ and $D$ after each step, and $P$ starts at the first feasible $w, b$. The optimal value "
        "(dashed line) lies between them, so each differs from it by at most $P-D$."
    ),
    formula=lambda stage: (
        r"D(\alpha)\;\le\;\text{optimal value}\;\le\;\tfrac12\|w\|^2"
        + ("" if stage.lab.hard else r"+C\textstyle\sum_i\xi_i")
    ),
    more=more,
    tries=(
        Try(N_("Four points"), board=FOUR),
        Try(N_("Narrow margin"), board=NARROW),
        Try("C = 0.1", set_machine(hard=False, face="C", value=0.1)),
    ),
    shows=("H3", "T2", "T14"),
)

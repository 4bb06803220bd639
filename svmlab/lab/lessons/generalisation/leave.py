"""Leave one out: each point classified by the machine of the others, and what one machine says of that beforehand (H9,
S9).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go

from svmlab import Dataset, Solution
from svmlab.core.arrays import Array, Index, Mask
from svmlab.generalisation import Unseen, leave_one_out, promised, reach_squared, suspects
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import boundary_strokes, reading, select_point, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, NONZERO_W, PRODUCT, SOLVED, at_most
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import Chart, Choice, Data, Part, Reading, Step, Try
from svmlab.lab.words import N_, _

FEW = 30  # points up to which all machines without one are solved within a picture
RING, CIRCLE = 0.075, 0.1  # of the view: around what goes wrong, around the point that is left out


def left_out(stage: Stage) -> Unseen:
    """Every point by the machine of all others. Raises Working."""
    problem, machine = stage.lab.problem, stage.solution
    if problem.data.m <= FEW:
        return stage.cached("left out", lambda: leave_one_out(problem, machine))
    return stage.background_result(("left out", problem.key), lambda tell: leave_one_out(problem, machine, tell))


def so_far(stage: Stage) -> Unseen | None:
    """The same, None while it is worked on or many points are dragged."""
    try:
        return left_out(stage)
    except Working:
        return None


def pulling(stage: Stage) -> Mask:
    """The points with 2 alpha R^2 + xi >= 1."""
    return stage.cached("suspects", lambda: suspects(stage.solution))


def chosen(stage: Stage) -> int:
    """The row that is left out: the selected point, else the one that goes most wrong, else the one with the largest
    multiplier.
    """
    if stage.selected_row is not None:
        return stage.selected_row
    found = so_far(stage)
    if found is not None and found.errors:
        return int((found.y * found.f).argmin())
    return int(stage.solution.alpha.argmax())


def without(stage: Stage) -> Solution | None:
    """The machine without the chosen point; None where none was found."""
    data, problem = stage.data, stage.lab.problem
    rest = np.arange(data.m) != chosen(stage)
    few = Dataset(data.X[rest], data.y[rest], data.ids[rest])
    return stage.cache.outcome(replace(problem, data=few)).solution


def draw(stage: Stage) -> Data:
    """The machine without one point beside that of all, and rings around the points that go wrong when they are left
    out.
    """
    if not stage.shown:
        return {}
    data, half, i, found, machine = stage.data, stage.lab.view, chosen(stage), so_far(stage), without(stage)
    wrong = [] if found is None else np.flatnonzero(found.wrong).tolist()
    rings = [stroke(np.r_[data.X[row], RING * half], "witness-line", "disc") for row in wrong]
    circle = stroke(np.r_[data.X[i], CIRCLE * half], "accent", "disc")
    line = [] if machine is None else boundary_strokes(stage, f"without {data.ids[i]}", machine, "accent dashed")
    return {"overlay": [*line, *rings, circle]}


def play(stage: Stage) -> Data | None:
    """The point comes from deep among its own class, and pulls the line from where it is without it."""
    i, machine, y = chosen(stage), without(stage), stage.data.y
    others = np.flatnonzero((y == y[i]) & (np.arange(len(y)) != i))
    if machine is None or not len(others):
        return None
    deep = others[int((y[others] * machine.decision(stage.data.X[others])).argmax())]
    x = stage.data.X[deep]
    return {"point": stage.lab.points[i].id, "from": [float(x[0]), float(x[1])], "ms": 2600}


def numbers(stage: Stage) -> Sequence[Reading]:
    """What the machine of all and that without it say of the chosen point, as y f; and what tells nothing of it."""
    if not stage.shown:
        return ()
    i, machine, solution = chosen(stage), without(stage), stage.solution
    readings = [reading(_("its y f"), float(solution.margins[i]))]
    if machine is not None:
        f = float(machine.decision(stage.data.X[i : i + 1])[0])
        readings.append(reading(_("left out"), float(stage.data.y[i]) * f))
    slack = float((solution.xi > ROUNDING).sum())
    return [
        *readings,
        reading(_("training errors"), float((solution.margins <= 0).sum())),
        reading(_("points with slack"), slack),
    ]


def turned(stage: Stage) -> Mask:
    """The points that carry nothing, and go wrong all the same: only where b was a matter of choice."""
    return left_out(stage).wrong & ~stage.solution.support


def answer(stage: Stage) -> int:
    """Whether a point that carries nothing goes wrong."""
    return 1 if turned(stage).any() else 0


def verdict(stage: Stage) -> str:
    """What happens, and why."""
    if turned(stage).any():
        return _("it can where b may be any of an interval: w stays, the choice of b moves.")
    if stage.solution.support.all():
        return _("never; but here every point is a support vector.")
    return _("never: without it the machine is the same, and it has y f ≥ 1.")


def chart(stage: Stage) -> Chart:
    """Three bars, of the points that go wrong, of those that could, and of the support vectors."""
    found, data = so_far(stage), stage.data
    at = np.arange(data.m) == chosen(stage)
    wrong = None if found is None else found.wrong
    figure = nested(wrong, pulling(stage), stage.solution.support, data.y, data.ids, at, stage.palette)
    return Chart(figure, select_point)


def says(stage: Stage) -> str:
    """How it is tried, and where the order may break."""
    said = _(
        "Click a point, or drag it: the thick dashed line is the machine without it. Ringed points go "
        "wrong when left out."
    )
    found = so_far(stage)
    if found is None or not (found.wrong & ~pulling(stage)).any():
        return said
    return _(
        "Here b may be any of an interval, and its middle went against a ringed point that the second bar has not."
    )


def more(stage: Stage) -> Sequence[Part]:
    """Two ways, R, why, and what does not tell it."""
    found, solution, m = left_out(stage), stage.solution, stage.data.m
    sure = promised(solution, found)
    parts = [
        _(
            "**Two ways.** {m} machines solved afresh, each without one point: {errors} of {m} go wrong. One "
            "machine alone: {count} points have "
            "$2\\alpha_i R^2 + \\xi_i \\ge 1$, and {N} are support vectors."
        ).format(m=m, errors=found.errors, count=int(pulling(stage).sum()), N=int(solution.support.sum())),
        _(
            "**Why.** A point with $\\alpha = 0$ holds nothing: without it all conditions of optimality "
            "still hold. Another one can go wrong only "
            "if it lies far on the wrong side or pulls hard: without its pull $y_i f(x_i)$ falls by "
            "$2\\alpha_i R^2$ at most."
        ),
        _(
            "**R.** All $k(x, x')$ lie between some $c$ and $c + R^2$. Here $R^2$ = {R2}. With a bias it is "
            "the largest squared distance in feature "
            "space or the range of $k$, whichever is less, without one the largest $k(x, x)$; for a Gaussian 1 at most."
        ).format(R2=short(reach_squared(stage.lab.problem))),
        _(
            "**What does not tell it.** The training errors, {train} here, and the points with slack, "
            "{slack} here: either may be above or below the {errors} that "
            "go wrong. The share {errors}/{m} is right on average: it is the error of machines of {fewer} "
            "points on one that they have not seen."
        ).format(
            train=int((solution.margins <= 0).sum()),
            slack=int((solution.xi > ROUNDING).sum()),
            errors=found.errors,
            m=m,
            fewer=m - 1,
        ),
    ]
    if not sure.all():
        parts.append(
            _(
                "**A condition.** With a bias the first inequality needs a free vector, with the point and "
                "without it, which pins $b$. For {n} of {m} points "
                "there is none: $b$ is the middle of an interval then, a choice that the count does not know."
            ).format(m=m, n=int((~sure).sum()))
        )
    return parts


THICK, GAP = 0.4, 0.07  # of a row, and of a point's place on each side


def nested(
    wrong: Mask | None, pulling: Mask, support: Mask, y: Array, ids: Index, chosen: Mask, palette: Palette
) -> go.Figure:
    """Each bar has a cell for each of its points (m,), in one order for all three. wrong: None while it is not known.

    customdata: the id, and the point's number.
    """
    m = len(y)
    first = np.zeros(m, dtype=bool) if wrong is None else wrong
    place = np.empty(m, dtype=int)
    place[np.lexsort((-y, ~support, ~pulling, ~first))] = np.arange(m)
    figure = blank(palette, _("points"), height=250)
    rows = (
        (2, first, _("go wrong when left out"), wrong is not None),
        (1, pulling, _("2αR² + ξ ≥ 1"), True),
        (0, support, _("support vectors"), True),
    )
    labels = []
    for level, mask, name, known in rows:
        at = np.flatnonzero(mask)
        hover = _("point") + " %{customdata[1]}<br>" + name + "<extra></extra>"
        cells = marks.bars(
            palette,
            np.full(len(at), 1.0 - 2 * GAP),
            np.full(len(at), float(level)),
            y[at],
            np.stack([ids[at], at + 1], 1),
            chosen[at],
            name=name,
            hover=hover,
            base=place[at] + GAP,
            width=THICK,
            orientation="h",
        )
        figure.add_trace(cells)
        told = f"{name}: {int(mask.sum())}" if known else f"{name} …"
        labels.append(Label(told, 0.0, level + 0.5 * THICK, palette.text, "above right"))
    figure.update_xaxes(range=[0.0, float(m)], nticks=7)
    figure.update_yaxes(range=[-0.35, 2.75], showticklabels=False, showgrid=False)
    figure.update_layout(barmode="overlay")
    return place_labels(figure, palette, labels)


LEAVE = Step(
    key="leave",
    title=N_("Leave one out"),
    question=N_(
        "A point that is no support vector is left out, and then classified by the machine of the "
        "others. Can it go wrong?"
    ),
    choices=(
        Choice(
            N_("Never"),
            N_("It holds nothing, and w stays; but where b may be any of an interval it is a choice."),
        ),
        Choice(N_("Sometimes"), N_("It is a point like any other, but it holds nothing: the machine stays as it is.")),
        Choice(
            N_("Only with slack"), N_("All points with slack are support vectors. This one holds nothing, at any C.")
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=preset("overlapping", size=24, noise=0.1, seed=2, value=1.0),
    needs=(BOTH_CLASSES, PRODUCT, at_most(60), SOLVED, NONZERO_W),
    draw=draw,
    play=play,
    numbers=numbers,
    chart=chart,
    says=says,
    formula=(
        r"\textstyle\sum_i \mathbf 1[\,y_i f_{-i}(x_i) \le 0\,] \;\le\; \#\{\,2\alpha_i R^2 + \xi_i \ge 1\,\} "
        r"\;\le\; N"
    ),
    more=more,
    tries=(
        Try(
            "σ = 0.5, C = 10",
            board=preset("moons", size=24, noise=0.1, seed=2, kernel="gaussian", sigma=0.5, value=10.0),
        ),
        Try("σ = 0.2", board=preset("moons", size=24, noise=0.1, seed=2, kernel="gaussian", sigma=0.2, value=100.0)),
        Try(N_("Hard margin"), board=preset("separable", size=24, noise=0.1, seed=2, hard=True)),
    ),
    shows=("H9", "S9"),
)

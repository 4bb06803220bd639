"""The number of leave-one-out errors is at most the number of support vectors (H9, S9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab import Dataset, Solution
from svmlab.core.arrays import Array, Index, Mask
from svmlab.generalisation import (
    CrossValidation,
    bound_is_guaranteed,
    leave_one_out,
    possible_leave_one_out_errors,
    radius_squared,
)
from svmlab.lab.charts import marks
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import boundary_strokes, select_point, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, NONZERO_W, PRODUCT, SOLVED, at_most
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import Chart, Data, Measure, Part, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import Palette

FEW = 30  # points up to which all SVMs without one point are solved within a picture
RING, CIRCLE = 0.075, 0.1  # of the view: around a leave-one-out error, around the removed point


def left_out(stage: Stage) -> CrossValidation:
    """Return the leave-one-out classification of all points. Raises Working."""
    problem, solution = stage.lab.problem, stage.solution
    if problem.data.m <= FEW:
        return stage.cached("left out", lambda: leave_one_out(problem, solution))
    return stage.background_result(("left out", problem.key), lambda report: leave_one_out(problem, solution, report))


def left_out_or_none(stage: Stage) -> CrossValidation | None:
    """Return the same, or None while it is computed or many points are dragged."""
    try:
        return left_out(stage)
    except Working:
        return None


def training_errors(stage: Stage) -> Mask:
    """Return the training errors, (m,)."""
    return stage.solution.margins <= 0


def with_slack(stage: Stage) -> Mask:
    """Return the points with slack, (m,)."""
    return stage.solution.xi > ROUNDING


def removed(stage: Stage) -> int:
    """Return the row of the removed point.

    It is the selected point, or else the leave-one-out error with the smallest y f, if possible one that is no
    training error. Without an error it is the point with the largest multiplier.
    """
    if stage.selected_row is not None:
        return stage.selected_row
    result = left_out_or_none(stage)
    if result is None or not result.error_count:
        return int(stage.solution.alpha.argmax())
    new = result.errors & ~training_errors(stage)
    return int(np.where(new if new.any() else result.errors, result.y * result.f, np.inf).argmin())


def without(stage: Stage) -> Solution | None:
    """Return the SVM without the removed point, or None if it has no solution."""
    data, problem = stage.data, stage.lab.problem
    rest = np.arange(data.m) != removed(stage)
    others = Dataset(data.X[rest], data.y[rest], data.ids[rest])
    return stage.cache.outcome(replace(problem, data=others)).solution


def draw(stage: Stage) -> Data:
    """Return the boundary without one point, and rings around the leave-one-out errors."""
    if not stage.shown:
        return {}
    data, half, i, result, solution = (
        stage.data,
        stage.lab.view,
        removed(stage),
        left_out_or_none(stage),
        without(stage),
    )
    errors = [] if result is None else np.flatnonzero(result.errors).tolist()
    rings = [stroke(np.r_[data.X[row], RING * half], "witness-line", "disc") for row in errors]
    circle = stroke(np.r_[data.X[i], CIRCLE * half], "accent", "disc")
    boundary = [] if solution is None else boundary_strokes(stage, f"without {data.ids[i]}", solution, "accent dashed")
    return {"overlay": [*boundary, *rings, circle]}


def play(stage: Stage) -> Data | None:
    """Return the animation of the point, from deep in its own class to its position."""
    i, solution, y = removed(stage), without(stage), stage.data.y
    others = np.flatnonzero((y == y[i]) & (np.arange(len(y)) != i))
    if solution is None or not len(others):
        return None
    start = stage.data.X[others[int((y[others] * solution.decision(stage.data.X[others])).argmax())]]
    return {"point": stage.lab.points[i].id, "from": [float(start[0]), float(start[1])], "ms": 2600}


def both_values(stage: Stage) -> str:
    """Return y f of the removed point with and without it in the training set."""
    i, solution = removed(stage), without(stage)
    before = short(float(stage.solution.margins[i]), 3, ROUNDING)
    if solution is None:
        return before
    f = float(solution.decision(stage.data.X[i : i + 1])[0])
    return f"{before} → {short(float(stage.data.y[i]) * f, 3, ROUNDING)}"


def verdict(stage: Stage) -> str:
    """Return the answer with its reason, and both numbers on this board."""
    return _(
        "The number of support vectors. Removing any other point leaves w as it is. Here: {errors}\u00a0≤\u00a0{N}."
    ).format(errors=left_out(stage).error_count, N=int(stage.solution.support.sum()))


def chart(stage: Stage) -> Chart:
    """Return the cells of the four counts. A click on a cell selects its point."""
    result, data, solution = left_out_or_none(stage), stage.data, stage.solution
    rows = (
        Row(_("training errors"), training_errors(stage)),
        Row(_("points with slack"), with_slack(stage)),
        Row(_("leave-one-out errors"), None if result is None else result.errors),
        Row(_("support vectors"), solution.support),
    )
    selected = np.arange(data.m) == removed(stage)
    return Chart(counted_points(rows, data.y, data.ids, selected, stage.palette), select_point)


def more(stage: Stage) -> Sequence[Part]:
    """Return the proof, a smaller bound, both computations, what the error estimates, and the condition on b."""
    result, solution, m = left_out(stage), stage.solution, stage.data.m
    guaranteed = bound_is_guaranteed(solution, result)
    parts = [
        _(
            "**Why the bound holds.** If $\\alpha_i = 0$, all optimality conditions still hold without point $i$. So "
            "$w$ stays the same. The point has $y_i f(x_i) \\ge 1$, so it stays on its correct side. Therefore only a "
            "support vector can be a leave-one-out error. This requires the same $C$ in all SVMs, and $w \\ne 0$."
        ),
        _(
            "**A smaller bound.** If $\\alpha_i > 0$, removing the point lowers $y_i f(x_i)$ by at most "
            "$2\\alpha_i\\Delta$, provided that $b$ is unique in both SVMs. Because $y_i f(x_i) \\ge 1 - \\xi_i$, an "
            "error then requires $2\\alpha_i\\Delta + \\xi_i \\ge 1$. On this board, {count} points satisfy this. With "
            "a bias, $\\Delta$ is the largest squared distance of two points in feature space, or the range of the "
            "kernel values if it is smaller. Without a bias, it is the largest $k(x, x)$. Here $\\Delta$ = {delta}."
        ).format(
            count=int(possible_leave_one_out_errors(solution).sum()), delta=short(radius_squared(stage.lab.problem))
        ),
        _(
            "**Two computations.** Training {m} SVMs, each without one point, gives {errors} leave-one-out errors. "
            "The single SVM on the board has {N} support vectors."
        ).format(m=m, errors=result.error_count, N=int(solution.support.sum())),
        _(
            "**What the error estimates.** The leave-one-out error rate is {errors}/{m}. Over random training sets, "
            "its mean equals the mean true error of SVMs that are trained on {others} points with this $C$. It is "
            "usually too optimistic if you choose $C$ with it, because the smallest of several estimates is usually "
            "too small."
        ).format(errors=result.error_count, m=m, others=m - 1),
    ]
    if not guaranteed.all():
        parts.append(
            _(
                "**The bias.** The smaller bound requires a free support vector with the point and without it, because "
                "such a vector determines $b$. For {n} of {m} points there is none. Then $b$ is the midpoint of an "
                "interval, and the smaller bound can fail. The number of support vectors is still an upper bound."
            ).format(m=m, n=int((~guaranteed).sum()))
        )
    return parts


THICK, GAP = 0.4, 0.07  # the height of a cell in parts of a row, and the space on each side in parts of a column


class Row(NamedTuple):
    """A name and the points (m,) that it counts, or None while they are not known."""

    name: str
    points: Mask | None


def counted_points(rows: Sequence[Row], y: Array, ids: Index, selected: Mask, palette: Palette) -> go.Figure:
    """Draw a cell for each counted point, in the same column in every row.

    customdata of the cells: the id, and the number of the point.
    """
    m = len(y)
    masks = [np.zeros(m, dtype=bool) if row.points is None else row.points for row in rows]
    column = np.empty(m, dtype=int)
    column[np.lexsort((-y, *(~mask for mask in masks)))] = np.arange(m)
    figure = empty_chart(palette, _("points"), height=250)
    labels = []
    for level, row, mask in zip(range(len(rows) - 1, -1, -1), rows, masks, strict=True):
        counted = np.flatnonzero(mask)
        cells = marks.bars(
            palette,
            np.full(len(counted), 1.0 - 2 * GAP),
            np.full(len(counted), float(level)),
            y[counted],
            np.stack([ids[counted], counted + 1], 1),
            selected[counted],
            name=row.name,
            hover=_("point") + " %{customdata[1]}<br>" + row.name + "<extra></extra>",
            base=column[counted] + GAP,
            width=THICK,
            orientation="h",
        )
        figure.add_trace(cells)
        words = f"{row.name} …" if row.points is None else f"{row.name}: {int(mask.sum())}"
        labels.append(Label(words, 0.0, level + 0.5 * THICK, palette.text, "above right"))
    figure.update_xaxes(range=[0.0, float(m)], nticks=7)
    figure.update_yaxes(range=[-0.35, len(rows) - 0.25], showticklabels=False, showgrid=False)
    figure.update_layout(barmode="overlay")
    return place_labels(figure, palette, labels)


LEAVE_ONE_OUT = Step(
    key="leave-one-out",
    former_key="leave",
    title=N_("The leave-one-out bound"),
    situation=N_(
        "Each of the $m$ training points is removed once. An SVM is trained on the other points with the same $C$, and "
        "it classifies the removed point. Each wrong classification is a **leave-one-out error**. The SVM on the board "
        "is trained on all points. It has training errors, points with slack $\\xi_i > 0$, and support vectors "
        "(ringed, $\\alpha_i > 0$)."
    ),
    question=N_("Which number is always at least as large as the number of leave-one-out errors?"),
    choices=(
        wrong(
            N_("The number of training errors"),
            N_(
                "Both numbers count misclassified points. However, removing a point that is classified correctly can "
                "move the boundary past it."
            ),
        ),
        wrong(
            N_("The number of points with slack"),
            N_(
                "Points with slack already violate the margin. However, a support vector without slack can also be a "
                "leave-one-out error."
            ),
        ),
        right(N_("The number of support vectors")),
        wrong(
            N_("Only the number m of all training points"),
            N_(
                "Each removal could change the SVM. However, removing a point with αᵢ\u00a0=\u00a00 leaves w as it is, "
                "so this point stays correct."
            ),
        ),
    ),
    verdict=verdict,
    board=preset("overlapping", size=20, noise=0.3, seed=18, value=1.0),
    introduces=("leave-one-out", "number-of-support-vectors"),
    needs=(BOTH_CLASSES, PRODUCT, at_most(60), SOLVED, NONZERO_W),
    draw=draw,
    play=play,
    rests_on_answer=lambda stage: left_out(stage).error_count > with_slack(stage).sum(),
    numbers=(
        Measure(
            N_("y f of the removed point"),
            both_values,
            N_("y f(x) of the circled point: by the SVM trained with it, and by the SVM trained without it"),
            after_show=True,
        ),
    ),
    chart=chart,
    says=N_(
        "Each column is one point. Every leave-one-out error (pink ring) is a support vector. If you click point $i$, "
        "you see the boundary of $f_{-i}$ (thick dashed), the SVM trained without it."
    ),
    formula=r"\#\{\,i : y_i f_{-i}(x_i) \le 0\,\} \;\le\; \#\{\,i : \alpha_i > 0\,\} = N",
    more=more,
    tries=(
        Try(
            "σ = 0.5, C = 10",
            board=preset("moons", size=24, noise=0.1, seed=2, kernel="gaussian", sigma=0.5, value=10.0),
        ),
        Try("σ = 0.2", board=preset("moons", size=24, noise=0.1, seed=2, kernel="gaussian", sigma=0.2, value=100.0)),
        Try(N_("Hard margin"), board=preset("separable", size=24, noise=0.1, seed=2, hard=True)),
    ),
    shows=("H9", "S9", "T6", "T8"),
)

"""The epsilon-insensitive tube: points strictly inside it have no influence on w (X2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from svmlab.core.arrays import Array
from svmlab.lab.board import tube_picture
from svmlab.lab.glossary.extensions import OF_A_TUBE
from svmlab.lab.lessons.extensions.boards import (
    NEAR_THE_LINE,
    OF_VALUES,
    SOLVED,
    flower_values,
    shows_flower_values,
    values,
)
from svmlab.lab.lessons.extensions.programs import as_written, both_programs
from svmlab.lab.lessons.extensions.tube_chart import losses
from svmlab.lab.numbers import format_interval, zero_if_rounding
from svmlab.lab.session.controls import EDGE
from svmlab.lab.teach.boards import without_points
from svmlab.lab.teach.overlay import select_point, stroke
from svmlab.lab.teach.requirements import PRODUCT, SOFT, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Need, Op, Part, Pick, Reading, Step, Try, reading, right, wrong
from svmlab.lab.words import N_, _, bias_interval
from svmlab.regression import Fit, TubeCategory

WIDE = Need(
    lambda stage: stage.lab.eps > 0, N_("With ε = 0, no point can be inside the tube. Choose a larger ε."), {"eps": 0.3}
)
VIEWS = {"tube": N_("ε-insensitive loss"), "street": N_("with hinge loss")}
INSIDE, OUTSIDE = 0.8, 3.0  # distances from the line, in eps, to which the selected point is moved


def is_inside(fit: Fit, row: int) -> bool:
    """Return whether a point is strictly inside the tube."""
    return fit.categories[row] is TubeCategory.INSIDE


def selected_row(stage: Stage) -> int:
    """Return the row of the selected point, otherwise of the point inside the tube nearest to x1 = 0."""
    if stage.selected_row is not None:
        return stage.selected_row
    fit = stage.fit
    rows = [i for i in range(fit.problem.data.m) if is_inside(fit, i)] or range(fit.problem.data.m)
    return min(rows, key=lambda i: abs(float(fit.problem.data.X[i, 0])))


def fit_without(stage: Stage) -> Fit | None:
    """Return the solution without the selected point, or None if there is no other point or no solution."""
    lab = stage.lab
    rest = without_points(lab, [lab.points[selected_row(stage)].id])
    if not rest.points:
        return None
    solution = stage.cache.task_outcome(replace(rest, face="C", value=lab.C)).solution
    assert solution is None or isinstance(solution, Fit)
    return solution


def change_of_f(stage: Stage) -> float | None:
    """Return the largest change of f at the training points without the selected point, or None."""
    fit, other = stage.fit, fit_without(stage)
    if other is None:
        return None
    X = fit.problem.data.X
    change = float(np.abs(fit.decision(X) - other.decision(X)).max())
    return zero_if_rounding(change, 16 * max(fit.noise, other.noise) + 1e-12)


def residual_segment(stage: Stage, row: int) -> Array:
    """Return the vertical segment (2, 2) from the line to a point."""
    fit = stage.fit
    x, y = float(fit.problem.data.X[row, 0]), float(fit.problem.data.y[row])
    return np.array([(x, y - float(fit.residuals[row])), (x, y)])


def situation(stage: Stage) -> str:
    """Return what is predicted, and what the tube is."""
    method = (
        _("**Support vector regression** predicts $y$ by a line $f(x) = w x + b$.")
        if stage.fit.problem.kernel.is_linear
        else _("**Support vector regression** with a kernel predicts $y$ by a curve $f(x)$.")
    )
    method += " " + _(
        "Its **tube** contains all points with $|y - f(x)| \\le \\varepsilon$. Only points outside have a loss, which "
        "is $|y - f(x)| - \\varepsilon$. The function $f$ minimises $\\frac12\\|w\\|^2 + C$ times the sum of the "
        "losses."
    )
    if not shows_flower_values(stage):
        return _("The input of a point is $x = x_1$, and its **target** is $y = x_2$.") + " " + method
    flowers = _(
        "The points are iris flowers. The inputs $x$ are petal lengths, and the **targets** $y$ are petal widths "
        "(centred, in cm)."
    )
    return f"{flowers} {method}"


def draw(stage: Stage) -> Data:
    """Return the residual of the selected point, and the line without this point."""
    if not stage.shown:
        return {}
    row, other = selected_row(stage), fit_without(stage)
    overlay = [stroke(residual_segment(stage, row), "accent")]
    if other is not None:
        line = tube_picture.lines(other, stage.lab.view)["zero"][0]
        overlay.insert(0, stroke(np.reshape(line, (-1, 2)), "accent dashed"))
    return {"overlay": overlay, "selected": stage.lab.points[row].id}


def play(stage: Stage) -> Data | None:
    """Return the animation in which the selected point crosses the tube, while the line does not move."""
    row = selected_row(stage)
    if not is_inside(stage.fit, row):
        return None
    return {"point": stage.lab.points[row].id, "from": list(_position(stage, -INSIDE)), "ms": 2600}


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return w, the loss of the selected point, and the change of f without it."""
    if not stage.shown:
        return ()
    fit, row, change = stage.fit, selected_row(stage), change_of_f(stage)
    is_line = fit.problem.kernel.is_linear and fit.w is not None
    readings = [
        reading("w", float(fit.w[0]), _("the slope of the line"))  # type: ignore[index]
        if is_line
        else reading("‖w‖", fit.norm_w, _("the norm of w")),
        reading(_("loss"), float(fit.xi[row] + fit.xi_star[row]), _("the loss of the circled point")),
    ]
    if change is not None:
        words = _("the largest change of f at a training point if the circled point is removed")
        readings.append(reading(_("change of f"), change, words))
    return readings


def verdict(stage: Stage) -> str:
    """Return the answer with the number of points inside the tube."""
    inside = sum(is_inside(stage.fit, i) for i in range(stage.fit.problem.data.m))
    words = _("Points strictly inside the tube, because their multipliers are 0. On this board, {n} of {m} are inside.")
    return words.format(n=inside, m=stage.fit.problem.data.m)


def chart(stage: Stage) -> Chart:
    """Return the chart of the loss over the residual. A click selects a point."""
    both_programs(stage)  # begins here if it takes long, because "More" reports it
    selected = stage.lab.points[selected_row(stage)].id
    return Chart(losses(stage.fit, selected, stage.pick("beside") == "street", stage.palette), select_point)


def says(stage: Stage) -> str:
    """Return what the axes and the dashed line are, and what to see."""
    if stage.pick("beside") == "street":
        return _(
            "The axes are the residual $y - f$ and the loss. The dashed curve is a hinge loss with a margin as wide as "
            "the tube. It is positive inside, where the $\\varepsilon$-insensitive loss is 0."
        )
    lo, hi = bias_interval(stage.fit.b_interval)
    if hi > lo and is_inside(stage.fit, selected_row(stage)) and change_of_f(stage):
        first, last = format_interval(lo, hi)
        return _(
            "Here every $b$ from {lo} to {hi} is optimal, and the middle one is drawn. Removing a point inside the "
            "tube can change this choice of $b$, but it does not change $w$."
        ).format(lo=first, hi=last)
    return _(
        "The axes are the residual $y - f$ and the loss. On the board, the dashed line in the middle is "
        "trained without the circled point. Inside the tube, you can drag this point and both lines stay "
        "equal."
    )


def more(stage: Stage) -> Sequence[Part]:
    """Return the two programs, the proof, the comparison with the margin, and the flowers."""
    programs = as_written(stage)
    return [
        *([] if programs is None else [programs]),
        _(
            "**The problem.** Minimise $\\frac12\\|w\\|^2 + C\\sum_i(\\xi_i + \\xi_i^*)$ such that $y_i - f(x_i) \\le "
            "\\varepsilon + \\xi_i$, $f(x_i) - y_i \\le \\varepsilon + \\xi_i^*$ and $\\xi_i, \\xi_i^* \\ge 0$. The "
            "slack variables are vertical distances, not distances across the line."
        ),
        _(
            "**Proof.** Strictly inside the tube, both constraints of a point are inactive, so both multipliers are 0. "
            "The point is missing in $w = \\sum_i(\\alpha_i - \\alpha_i^*)x_i$. Without it, $w$ and $b$ still satisfy "
            "the KKT conditions, and $w$ is unique."
        ),
        _(
            "**Tube and margin.** In classification, points between the margin lines have a loss. In regression, "
            "points between the edges of the tube have none. In both cases $\\|w\\|$ should be small. This makes a "
            "margin wide, and the line of a tube flat."
        ),
        _(
            "**The flowers.** The first board has every tenth flower of each species from R. A. Fisher's data of 1936. "
            "$x$ is the petal length minus 3.8 cm, and $y$ is the width of the petal minus 1.2 cm."
        ),
    ]


def moved_inside(stage: Stage) -> Op:
    """Return the operation that moves the selected point inside the tube, to the other side of the line."""
    return _moved(stage, _position(stage, -INSIDE))


def moved_outside(stage: Stage) -> Op:
    """Return the operation that moves the selected point outside, or to the other outside if it is there already."""
    return _moved(stage, _position(stage, OUTSIDE if is_inside(stage.fit, selected_row(stage)) else -OUTSIDE))


def _position(stage: Stage, multiple: float) -> tuple[float, float]:
    """Return a position `multiple` eps from the line without the selected point, negative on the other side.

    Where the board ends, the sign changes.
    """
    fit, p = fit_without(stage) or stage.fit, stage.lab.points[selected_row(stage)]
    x, y = p.x / 1000, p.y / 1000
    f = float(fit.decision(np.array([[x]]))[0])
    shift = (1 if y > f else -1) * multiple * stage.lab.eps
    return x, f - shift if abs(f + shift) > min(stage.lab.view, EDGE / 1000) else f + shift


def _moved(stage: Stage, position: tuple[float, float]) -> Op:
    lab, row = stage.lab, selected_row(stage)
    y = min(max(round(1000 * position[1]), -EDGE), EDGE)
    points = tuple(p._replace(y=y) if i == row else p for i, p in enumerate(lab.points))
    return {"op": "load", "lab": replace(lab, points=points, selected=lab.points[row].id)}


TUBE = Step(
    key="tube",
    title=N_("The ε-insensitive tube"),
    situation=situation,
    question=N_("Which training points can you always remove without changing $w$?"),
    choices=(
        wrong(
            N_("Only points exactly on the line"),
            N_("Their loss is 0. However, so is the loss of every point strictly inside the tube."),
        ),
        right(N_("Points strictly inside the tube")),
        wrong(
            N_("Points far outside the tube"),
            N_("They look like errors. However, their multipliers have the size C, so they belong to the sum for w."),
        ),
    ),
    verdict=verdict,
    board=flower_values(NEAR_THE_LINE),
    needs=(OF_VALUES, SOFT, PRODUCT, WIDE, at_most(100), SOLVED),
    introduces=("regression", "tube", "insensitive-loss", "value-to-be-told", "slope", "residual", "precision"),
    draw=draw,
    play=play,
    rests_on_answer=lambda stage: is_inside(stage.fit, selected_row(stage)) and change_of_f(stage) == 0.0,
    numbers=numbers,
    picks=(Pick("beside", N_("Loss"), tuple(VIEWS), "tube", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=r"\min_{w,b}\;\tfrac12\|w\|^2+C\sum_i\max\bigl(0,\;|y_i-f(x_i)|-\varepsilon\bigr)",
    letters=OF_A_TUBE,
    more=more,
    tries=(
        Try(N_("Move inside"), moved_inside),
        Try(N_("Move outside"), moved_outside),
        Try(N_("Two points"), board=values([(0, 0), (1, 1)], eps=0.25, value=1000.0, selected=2)),
    ),
    shows=("X2",),
)

"""A tube in place of a street: values told from x1, and points that are felt only outside the tube (X2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from svmlab.core.arrays import Array
from svmlab.lab.board import tube_picture as drawn
from svmlab.lab.glossary.extensions import OF_A_TUBE
from svmlab.lab.lessons.extensions.boards import OF_VALUES, SOLVED, values
from svmlab.lab.lessons.extensions.programs import answers, written
from svmlab.lab.lessons.extensions.tube_chart import losses
from svmlab.lab.numbers import format_interval, zero_if_rounding
from svmlab.lab.session.controls import EDGE
from svmlab.lab.teach.boards import moved_away
from svmlab.lab.teach.overlay import reading, select_point, stroke
from svmlab.lab.teach.requirements import PRODUCT, SOFT, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Need, Op, Part, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.regression import Fit, Place

TEN = (
    (-3, -1.6),
    (-2.4, -1.1),
    (-1.8, -1.2),
    (-1.1, 0.2),
    (-0.4, 0.1),
    (0.3, 0.9),
    (0.9, 0.5),
    (1.7, 1.9),
    (2.3, 1.4),
    (3, 2.6),
)
WIDE = Need(
    lambda stage: stage.lab.eps > 0, N_("A tube without width has no inside. A larger ε gives it one."), {"eps": 0.3}
)
BESIDE = {"tube": N_("the tube"), "street": N_("beside a street")}
# how far from the line, in ε, a point is put within the tube and across its edge
DEEP, OUT = 0.8, 3.0


def inside(fit: Fit, row: int) -> bool:
    """Whether a point is strictly within the tube."""
    return fit.categories[row] is Place.INSIDE


def chosen(stage: Stage) -> int:
    """The row of the selected point, else of the one inside the tube that is nearest to the middle of the board."""
    if stage.selected_row is not None:
        return stage.selected_row
    fit = stage.fit
    rows = [i for i in range(fit.problem.data.m) if inside(fit, i)] or range(fit.problem.data.m)
    return min(rows, key=lambda i: abs(float(fit.problem.data.X[i, 0])))


def without(stage: Stage) -> Fit | None:
    """The tube of all points but the chosen one; None where it is the only one, or nothing was found."""
    lab = stage.lab
    rest = moved_away(lab, [lab.points[chosen(stage)].id])
    if not rest.points:
        return None
    found = stage.cache.task_outcome(replace(rest, face="C", value=lab.C)).solution
    assert found is None or isinstance(found, Fit)
    return found


def felt(stage: Stage) -> float | None:
    """By how much f would change at most, where there are points, without the chosen one; 0 but for rounding is 0."""
    fit, other = stage.fit, without(stage)
    if other is None:
        return None
    X = fit.problem.data.X
    apart = float(np.abs(fit.decision(X) - other.decision(X)).max())
    return zero_if_rounding(apart, 16 * max(fit.noise, other.noise) + 1e-12)


def upright(stage: Stage, row: int) -> Array:
    """From the line straight up or down to a point, (2, 2): its residual."""
    fit = stage.fit
    x, y = float(fit.problem.data.X[row, 0]), float(fit.problem.data.y[row])
    return np.array([(x, y - float(fit.residuals[row])), (x, y)])


def draw(stage: Stage) -> Data:
    """The chosen point's residual, and the line that there is without it."""
    if not stage.shown:
        return {}
    row, other = chosen(stage), without(stage)
    overlay = [stroke(upright(stage, row), "accent")]
    if other is not None:
        line = drawn.lines(other, stage.lab.view)["zero"][0]
        overlay.insert(0, stroke(np.reshape(line, (-1, 2)), "accent dashed"))
    return {"overlay": overlay, "selected": stage.lab.points[row].id}


def play(stage: Stage) -> Data | None:
    """The chosen point comes from the other side of the tube, and nothing else moves."""
    fit, row = stage.fit, chosen(stage)
    if not inside(fit, row):
        return None
    x, y = _away(stage, -DEEP)
    return {"point": stage.lab.points[row].id, "from": [x, y], "ms": 2600}


def numbers(stage: Stage) -> Sequence[Reading]:
    """The line, and of the chosen point what it pays and how much it is felt."""
    if not stage.shown:
        return ()
    fit, row, moves = stage.fit, chosen(stage), felt(stage)
    slope = (
        reading("w", float(fit.w[0]))
        if fit.problem.kernel.is_linear and fit.w is not None
        else reading("|w|", fit.norm_w)
    )
    own = reading(_("its ξ"), float(fit.xi[row] + fit.xi_star[row]))
    readings = [slope, reading("b", fit.b), own]
    return readings if moves is None else [*readings, reading(_("moves f by"), moves)]


def chart(stage: Stage) -> Chart:
    """Every point on the loss by its residual; a click selects it."""
    answers(stage)  # begun here where it takes long, told under "More"
    fit, row = stage.fit, chosen(stage)
    street = stage.pick("beside") == "street"
    return Chart(losses(fit, stage.lab.points[row].id, street, stage.palette), select_point)


def says(stage: Stage) -> str:
    """How it is read, and where b could be another."""
    if stage.pick("beside") == "street":
        return _(
            "A street as wide as the tube, for a point of class +1: what is inside the street costs, and "
            "only beyond it is free. "
            "What is inside the tube is free."
        )
    lo, hi = stage.fit.b_interval
    moves = felt(stage)
    if hi > lo and inside(stage.fit, chosen(stage)) and moves:
        first, last = format_interval(lo, hi)
        return _(
            "Here every $b$ from {lo} to {hi} is as good, and the middle is drawn: a point inside may only "
            "change that choice."
        ).format(lo=first, hi=last)
    return _(
        "Click a point, or drag it: the dashed line is the one without it. While the point is inside the "
        "tube, the two are one."
    )


def more(stage: Stage) -> Sequence[Part]:
    """The program and its dual, solved as they are written; why; the street."""
    parts = [
        _(
            "**The program.** $\\min \\frac12\\|w\\|^2 + C\\sum_i(\\xi_i + \\xi_i^*)$ with $y_i - f(x_i) "
            "\\le \\varepsilon + \\xi_i$ and "
            "$f(x_i) - y_i \\le \\varepsilon + \\xi_i^*$: the slacks are measured straight up and down, as "
            "$y$ is, not across the line."
        ),
        _(
            "**Why.** Inside the tube both constraints of a point hold with room to spare, so both its "
            "multipliers are 0, and "
            "$w = \\sum_i(\\alpha_i - \\alpha_i^*)\\,x_i$ does not know it."
        ),
        _(
            "**The street.** A street is to be free of points: each in it pays. A tube is to hold the "
            "points: each in it is free. "
            "Both keep $\\|w\\|$ small: that makes a street wide, and the line of a tube flat."
        ),
    ]
    told = written(stage)
    return parts if told is None else [told, *parts]


def within(stage: Stage) -> Op:
    """The chosen point into the tube, on the other side of the line than it is."""
    return _put(stage, _away(stage, -DEEP))


def across(stage: Stage) -> Op:
    """The chosen point beyond the edge that is nearer, or where it is there already, beyond the other."""
    return _put(stage, _away(stage, OUT if inside(stage.fit, chosen(stage)) else -OUT))


def _away(stage: Stage, part: float) -> tuple[float, float]:
    """A place `part` of ε from the line that there is without the chosen point, below 0 on the other side; turned over
    where the board ends.
    """
    fit, p = without(stage) or stage.fit, stage.lab.points[chosen(stage)]
    x, y = p.x / 1000, p.y / 1000
    f = float(fit.decision(np.array([[x]]))[0])
    way = (1 if y > f else -1) * part * stage.lab.eps
    return x, f - way if abs(f + way) > min(stage.lab.view, EDGE / 1000) else f + way


def _put(stage: Stage, place: tuple[float, float]) -> Op:
    """The chosen point there, and selected."""
    lab, row, y = stage.lab, chosen(stage), place[1]
    at = min(max(round(1000 * y), -EDGE), EDGE)
    points = tuple(p._replace(y=at) if i == row else p for i, p in enumerate(lab.points))
    return {"op": "load", "lab": replace(lab, points=points, selected=lab.points[row].id)}


TUBE = Step(
    key="tube",
    title=N_("A tube"),
    question=N_(
        "Now x₂ is a value to be told from x₁ by a line, with a tube of ±ε round it. Which points does "
        "the line not feel?"
    ),
    choices=(
        wrong(N_("Those on the line alone"), N_("They are not felt, but neither is any other inside the tube.")),
        right(N_("Those inside the tube")),
        wrong(N_("Those far out"), N_("Each of them pays for its way to the edge, and pulls as hard as C allows.")),
    ),
    verdict=lambda stage: _("those inside the tube: where |y − f| < ε nothing is paid."),
    board=values(TEN, eps=0.4, value=10.0, selected=2),
    needs=(OF_VALUES, SOFT, PRODUCT, WIDE, at_most(100), SOLVED),
    draw=draw,
    play=play,
    numbers=numbers,
    picks=(Pick("beside", N_("The loss"), tuple(BESIDE), "tube", lambda name: _(BESIDE[name])),),
    chart=chart,
    says=says,
    formula=r"\min_{w,b}\;\tfrac12\|w\|^2+C\sum_i\max\bigl(0,\;|y_i-f(x_i)|-\varepsilon\bigr)",
    letters=OF_A_TUBE,
    more=more,
    tries=(
        Try(N_("Put inside"), within),
        Try(N_("Put outside"), across),
        Try(N_("Two points"), board=values([(0, 0), (1, 1)], eps=0.25, value=1000.0, selected=2)),
    ),
    shows=("X2",),
)

"""The losses as curves over t = y f(x), and which of them lie nowhere below the 0/1 step (L1, L2, L12)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab.core.arrays import Array
from svmlab.lab.lessons.losses.names import COUNT, LOSS, OF_T
from svmlab.lab.lessons.losses.over_t_chart import GRID, HI, LO, Curve, Dots, over_t
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import reading, select_point, set_picks
from svmlab.lab.teach.requirements import BOTH_CLASSES, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Op, Part, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.losses import LOSSES
from svmlab.losses import wrong as zero_one

TOP = 4.0  # of the chart
FINE = np.linspace(-4.0, 4.0, 2001)  # where the curves are compared with the step; 0 is among them
DIVIDED = ("logistic",)  # drawn times its `above`: divided by log 2
SPOTS = {
    COUNT: (-2.9, 1.0, "above right"),
    "squared": (2.65, 2.72, "left"),
    "logistic": (-1.42, 2.48, "below left"),
    "exponential": (-1.37, 3.93, "left"),
    "hinge": (-2.4, 3.3, "left"),
    "perceptron": (-0.35, 0.25, "left"),
    "sigmoid": (-2.0, 0.88, "below right"),
}
SAYS = {
    "squared": N_(
        "Nowhere below the step, so the losses add up to at least the errors. But it rises again: far on "
        "their own side points pay too."
    ),
    "logistic": N_(
        "Divided by log 2 it is 1 at $t = 0$ and nowhere below the step. Every point pays something, "
        "however far on its own side."
    ),
    "exponential": N_(
        "Nowhere below the step. Each unit farther on the wrong side costs 2.7 times as much: one point "
        "may outweigh all others."
    ),
    "hinge": N_(
        "1 at $t = 0$, and 0 from $t = 1$ on: nowhere below the step. So the slacks add up to at least "
        "the number of errors."
    ),
    "perceptron": N_(
        "The hinge moved to the left by 1: at $t = 0$ it is 0, where the step is 1. Errors near the line "
        "pay less than they count."
    ),
    "sigmoid": N_(
        "Errors weigh ½ or more, the others ½ or less, and on each side they are less than ½ apart. An "
        "error never weighs 1."
    ),
}


def worth(name: str, t: Array) -> Array:
    """The curve of a loss at t, as it is drawn."""
    if name == COUNT:
        return zero_one(t)
    loss = LOSSES[name]
    return loss.value(t) * (loss.upper_bound_factor if name in DIVIDED and loss.upper_bound_factor else 1.0)


def bounds(name: str) -> bool:
    """Whether the curve, as it is drawn, lies nowhere below the step."""
    above = LOSSES[name].upper_bound_factor
    return above is not None and (above <= 1.0 or name in DIVIDED)


def gap(name: str, t: Array) -> float:
    """The least difference of the curve to the step at these places."""
    return float((worth(name, t) - zero_one(t)).min())


def bend(name: str) -> float:
    """The least second difference of the curve on the fine grid, divided by the square of its width: below 0 where it
    is not convex.
    """
    least = float(np.diff(worth(name, FINE), 2).min()) / float(FINE[1] - FINE[0]) ** 2
    return 0.0 if abs(least) < 1e-6 else least  # values of order 1e2 in squares of 4e-3


def places(stage: Stage) -> Array:
    """T = y f(x) of every point for the machine on the board, 0 where it is no more than rounding, (m,)."""
    t = stage.solution.margins
    return np.where(np.abs(t) <= stage.solution.floor, 0.0, t)


def curve(name: str) -> Curve:
    """A curve of the chart."""
    t = np.array([LO, 0.0, np.nextafter(0.0, 1.0), HI]) if name == COUNT else GRID
    return Curve(t, worth(name, t), SPOTS[name])


def chart(stage: Stage) -> Chart:
    """All curves, the chosen one with the points on it, each on a stem from the step; a click selects the point."""
    name, t = stage.pick("curve"), places(stage)
    found = {each: curve(each) for each in LOSS}
    at = Dots(t, worth(name, t), zero_one(t))
    figure = over_t(found, name, COUNT, at, stage.data, stage.lab.selected, _("loss"), TOP, stage.palette)
    return Chart(figure, on_click=select_point)


def numbers(stage: Stage) -> Sequence[Reading]:
    """Errors and the sum of the losses; the least difference of curve and step on a grid, and at the points."""
    if not stage.shown:
        return ()
    name, t = stage.pick("curve"), places(stage)
    return [
        reading(_("errors"), str(int(zero_one(t).sum()))),
        reading(_("sum of losses"), float(worth(name, t).sum())),
        reading(_("least gap to the step"), gap(name, FINE)),
        reading(_("at the points"), gap(name, t)),
    ]


def says(stage: Stage) -> str:
    """What the chosen curve does."""
    name = stage.pick("curve")
    return _(SAYS[name])


def formula(stage: Stage) -> str:
    """The step against the chosen curve."""
    name = stage.pick("curve")
    front = r"\tfrac{1}{\log 2}" if name in DIVIDED else ""
    sign = r"\le" if bounds(name) else r"\nleq"
    return rf"{OF_T[COUNT]}\ {sign}\ {front}{OF_T[name]}"


def in_question(stage: Stage) -> int:
    """The row of the selected point, else of the one that is farthest on the wrong side."""
    return int(places(stage).argmin()) if stage.selected_row is None else stage.selected_row


def among(stage: Stage, label: float) -> list[float]:
    """The middle of a class."""
    centre: list[float] = np.round(stage.data.X[stage.data.y == label].mean(0), 3).tolist()
    return centre


def play(stage: Stage) -> Data:
    """The point in question comes from the middle of its class."""
    row = in_question(stage)
    return {"point": stage.lab.points[row].id, "from": among(stage, stage.data.y[row]), "ms": 2600}


def crosses(stage: Stage) -> Op:
    """The nearest of the points on their own side goes into the middle of the other class."""
    t = places(stage)
    row = int(np.where(t > 0, t, np.inf).argmin())
    x, y = among(stage, -stage.data.y[row])
    return {"op": "move", "id": stage.lab.points[row].id, "x": x, "y": y}


def more(stage: Stage) -> Sequence[Part]:
    """The bend of the chosen curve, the factor that the others need, what the slides say."""
    name, loss = stage.pick("curve"), LOSSES[stage.pick("curve")]
    bent = bend(name)
    shape = (
        _("**Shape.** On {n} places from −4 to 4 the second difference is nowhere below 0: this curve is convex.")
        if loss.convex
        else _("**Shape.** On {n} places from −4 to 4 the second difference falls to {bend}: this curve is not convex.")
    )
    return [
        shape.format(n=len(FINE), bend=short(bent, 3, ROUNDING))
        + " "
        + _("All but the sigmoid are, so that a descent cannot end in a valley that is not the lowest."),
        _(
            "**A factor.** Without the division by $\\log 2$ the logistic loss is $\\log 2 = 0.69$ at $t = "
            "0$. Twice the sigmoid "
            "lies nowhere below the step as well. The perceptron's loss does not for any factor: it is 0 at $t = 0$."
        ),
        _(
            "**The slides.** Where Gambosi's slides say that the perceptron's loss is no lower bound of the "
            "0/1 loss, they mean no "
            "upper one. They list the hinge among the smooth losses; it has a kink at $t = 1$, as they say "
            "two slides on. Of the "
            "sigmoid they say that errors weigh at least 0.5 and differ by about 0.5: by less than that."
        ),
        _("Here $f$ is the machine on the board: drag a point through its line, and its dot walks along the curve."),
    ]


CURVES = Step(
    key="curves",
    title=N_("Curves above the step"),
    question=N_(
        "The 0/1 step counts errors: 1 where $t = y f(x)\\le 0$, else 0. Other curves stand in for it. "
        "Which of these lies **nowhere** below it?"
    ),
    choices=(
        right(N_("Hinge: max(0, 1 − t)")),
        wrong(
            N_("Perceptron: max(0, −t)"),
            N_("It begins to rise at t = 0, where an error already counts 1: at t = −½ it is ½."),
        ),
        wrong(N_("Sigmoid: 1/(1 + eᵗ)"), N_("Errors weigh more than ½, but never 1: at t = −½ it is 0.622.")),
    ),
    verdict=lambda stage: _("The hinge. Perceptron and sigmoid are below 1 for errors near the line."),
    board=preset("overlapping", size=16, noise=0.3, seed=2, value=1.0),
    needs=(BOTH_CLASSES, SOLVED),
    play=play,
    numbers=numbers,
    picks=(Pick("curve", N_("loss"), tuple(LOSSES), "hinge", lambda name: _(LOSS[name])),),
    chart=chart,
    says=says,
    formula=formula,
    more=more,
    tries=(
        Try(N_("A point crosses"), crosses),
        Try(N_("Perceptron"), set_picks(curve="perceptron")),
        Try(N_("Sigmoid"), set_picks(curve="sigmoid")),
    ),
    shows=("L1", "L2", "L12"),
)

"""The losses as curves over t = y f(x), and which of them are nowhere below the 0-1 loss (L1, L2, L12)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab.core.arrays import Array
from svmlab.lab.lessons.losses.names import COUNT, LOSS, OF_T
from svmlab.lab.lessons.losses.over_t_chart import GRID, HI, LO, Curve, Dots, over_t
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import select_point, set_picks, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Op, Part, Pick, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.losses import LOSSES
from svmlab.losses import zero_one_loss as zero_one

TOP = 4.0  # of the chart
RING = 0.055  # of the view: around a training error
COMPARED_AT = np.linspace(-4.0, 4.0, 2001)  # where the curves are compared with the 0-1 loss; 0 is among them
DIVIDED = ("logistic",)  # drawn times its `upper_bound_factor`: divided by log 2
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
        "Each dot is one point on the selected curve. The squared loss is nowhere below the 0–1 loss. However, it "
        "grows again for $t > 1$, so points far on their correct side have a large loss."
    ),
    "logistic": N_(
        "Each dot is one point on the selected curve. Divided by $\\log 2$, the logistic loss is 1 at $t = 0$ and "
        "nowhere below the 0–1 loss. It is positive for every point."
    ),
    "exponential": N_(
        "Each dot is one point on the selected curve. The exponential loss is nowhere below the 0–1 loss. If $t$ falls "
        "by 1, it grows by the factor 2.7, so one point can have most of the sum."
    ),
    "hinge": N_(
        "Each dot is one point on the selected curve, with a bar from the step of the 0–1 loss. The hinge "
        "loss is at least 1 for $t \\le 0$ and never negative, so it is nowhere below the step."
    ),
    "perceptron": N_(
        "Each dot is one point on the selected curve. The perceptron loss is the hinge loss moved to the left by 1. It "
        "is below the 0–1 loss for errors near $t = 0$."
    ),
    "sigmoid": N_(
        "Each dot is one point on the selected curve. The sigmoid loss of an error is at least ½, but below 1. So it "
        "is below the 0–1 loss for every error."
    ),
}


def curve_value(name: str, t: Array) -> Array:
    """Return the curve of a loss at t, as it is drawn."""
    if name == COUNT:
        return zero_one(t)
    loss = LOSSES[name]
    return loss.value(t) * (loss.upper_bound_factor if name in DIVIDED and loss.upper_bound_factor else 1.0)


def bounds(name: str) -> bool:
    """Return whether the curve, as it is drawn, is nowhere below the 0-1 loss."""
    factor = LOSSES[name].upper_bound_factor
    return factor is not None and (factor <= 1.0 or name in DIVIDED)


def smallest_difference(name: str, t: Array) -> float:
    """Return the smallest value of the curve minus the 0-1 loss at the given t."""
    return float((curve_value(name, t) - zero_one(t)).min())


def smallest_curvature(name: str) -> float:
    """Return the smallest second difference of the curve on the fine grid, divided by the square of its step.

    It is negative if the curve is not convex.
    """
    curvature = float(np.diff(curve_value(name, COMPARED_AT), 2).min()) / float(COMPARED_AT[1] - COMPARED_AT[0]) ** 2
    return 0.0 if abs(curvature) < 1e-6 else curvature  # values of order 1e2 in squares of 4e-3


def functional_margins(stage: Stage) -> Array:
    """Return y f(x) of every point for the SVM on the board, 0 where it is only rounding, (m,)."""
    t = stage.solution.margins
    return np.where(np.abs(t) <= stage.solution.floor, 0.0, t)


def curve(name: str) -> Curve:
    """Return a curve of the chart."""
    t = np.array([LO, 0.0, np.nextafter(0.0, 1.0), HI]) if name == COUNT else GRID
    return Curve(t, curve_value(name, t), SPOTS[name])


def chart(stage: Stage) -> Chart:
    """Return all curves, the selected one with the points on it. A click selects the point."""
    name, t = stage.pick("curve"), functional_margins(stage)
    curves = {each: curve(each) for each in LOSS}
    dots = Dots(t, curve_value(name, t), zero_one(t))
    figure = over_t(curves, name, COUNT, dots, stage.data, stage.lab.selected, _("loss"), TOP, stage.palette)
    return Chart(figure, on_click=select_point)


def draw(stage: Stage) -> Data:
    """Return rings around the training errors after Show."""
    if not stage.shown:
        return {}
    rows = np.flatnonzero(zero_one(functional_margins(stage)))
    rings = [stroke(np.r_[stage.data.X[row], RING * stage.lab.view], "witness-line", "disc") for row in rows]
    return {"overlay": rings}


NUMBERS = (
    Measure(
        N_("errors"),
        lambda stage: float(zero_one(functional_margins(stage)).sum()),
        N_("Number of training errors of the SVM on the board, the sum of the 0–1 losses"),
        after_show=True,
    ),
    Measure(
        N_("sum of losses"),
        lambda stage: float(curve_value(stage.pick("curve"), functional_margins(stage)).sum()),
        N_("Sum of the selected loss over all points"),
        after_show=True,
    ),
    Measure(
        N_("smallest difference"),
        lambda stage: smallest_difference(stage.pick("curve"), COMPARED_AT),
        N_("Smallest value of the selected loss minus the 0–1 loss, for t from −4 to 4"),
        after_show=True,
    ),
)


def verdict(stage: Stage) -> str:
    """Say the sum of the hinge losses and the number of errors on the board."""
    t = functional_margins(stage)
    total, errors = short(float(curve_value("hinge", t).sum()), 3, ROUNDING), int(zero_one(t).sum())
    return _(
        "Hinge loss: max(0, 1 − t), ≥ 1 for t ≤ 0 and never negative. Its sum {total} is at least the "
        "number of errors, {errors}."
    ).format(total=total, errors=errors)


def says(stage: Stage) -> str:
    """Say how the selected loss compares with the 0-1 loss."""
    name = stage.pick("curve")
    return _(SAYS[name])


def formula(stage: Stage) -> str:
    """Return the 0-1 loss compared with the selected loss."""
    name = stage.pick("curve")
    front = r"\tfrac{1}{\log 2}" if name in DIVIDED else ""
    sign = r"\le" if bounds(name) else r"\nleq"
    return rf"{OF_T[COUNT]}\ {sign}\ {front}{OF_T[name]}"


def moving_row(stage: Stage) -> int:
    """Return the row of the selected point, else of the one with the smallest y f(x)."""
    return int(functional_margins(stage).argmin()) if stage.selected_row is None else stage.selected_row


def class_mean(stage: Stage, label: float) -> list[float]:
    """Return the mean of a class."""
    mean: list[float] = np.round(stage.data.X[stage.data.y == label].mean(0), 3).tolist()
    return mean


def play(stage: Stage) -> Data:
    """Return the animation in which one point moves from the mean of its class to its position."""
    row = moving_row(stage)
    return {"point": stage.lab.points[row].id, "from": class_mean(stage, stage.data.y[row]), "ms": 2600}


def crosses(stage: Stage) -> Op:
    """Return the move of the correctly classified point nearest to the boundary to the mean of the other class."""
    t = functional_margins(stage)
    row = int(np.where(t > 0, t, np.inf).argmin())
    x, y = class_mean(stage, -stage.data.y[row])
    return {"op": "move", "id": stage.lab.points[row].id, "x": x, "y": y}


def more(stage: Stage) -> Sequence[Part]:
    """Return the shape of the selected curve, the factors that others need, and what the slides state."""
    name, loss = stage.pick("curve"), LOSSES[stage.pick("curve")]
    curvature = smallest_curvature(name)
    shape = (
        _(
            "**Convexity.** For {n} values of $t$ from −4 to 4, the second difference of the selected loss is never "
            "negative. This loss is convex."
        )
        if loss.convex
        else _(
            "**Convexity.** For {n} values of $t$ from −4 to 4, the second difference of the selected loss falls to "
            "{curvature}. This loss is not convex."
        )
    )
    return [
        _(
            "**Why the sum is an upper bound.** If a loss is nowhere below the 0–1 loss, this holds for each point. "
            "The inequality stays true if you add it up over all points. The 0–1 losses add up to the number of "
            "training errors."
        ),
        shape.format(n=len(COMPARED_AT), curvature=short(curvature, 3, ROUNDING))
        + " "
        + _(
            "All six losses except the sigmoid loss are convex. For a convex objective, every local minimum is a "
            "global minimum."
        ),
        _(
            "**A factor.** Without the division by $\\log 2$, the logistic loss is $\\log 2 = 0.69$ at $t = 0$. Twice "
            "the sigmoid loss is nowhere below the 0–1 loss either. The perceptron loss is 0 at $t = 0$, so no factor "
            "makes it an upper bound."
        ),
        _(
            "**The perceptron loss.** The perceptron follows subgradients of this loss. If a point has $y f(x) \\le "
            "0$, the perceptron adds $y x$ to $w$ and $y$ to $b$. It changes nothing for all other points."
        ),
        _(
            "**On the board.** You see a ring around each training error of the SVM on the board. Drag a point across "
            "the decision boundary, and its dot moves along the curve."
        ),
        _(
            "**The slides.** Gambosi's slides say that the perceptron loss is no lower bound of the 0–1 loss, but they "
            "mean no upper bound. They list the hinge loss among the smooth losses, although it has a kink at $t = 1$, "
            "as they state two slides later. For the sigmoid loss they state that errors have a loss of at least 0.5 "
            "and that the losses of errors differ by about 0.5. The difference is always below 0.5."
        ),
    ]


CURVES = Step(
    key="curves",
    title=N_("Surrogate losses"),
    situation=N_(
        "The 0–1 loss of a point is 1 if $t = y f(x) \\le 0$, and otherwise 0. A **surrogate loss** "
        "replaces it, because it is easier to minimise. If the surrogate loss is nowhere below the 0–1 loss "
        "(at least as large for each $t$), its sum over all points is at least the number of training "
        "errors."
    ),
    question=N_("Which loss is nowhere below the 0–1 loss, as a function of the functional margin $t = y f(x)$?"),
    choices=(
        right(N_("Hinge loss: max(0, 1 − t)")),
        wrong(
            N_("Perceptron loss: max(0, −t)"),
            N_(
                "It also grows with the distance on the wrong side. However, at t = −½ it is only ½, and the 0–1 loss "
                "is 1."
            ),
        ),
        wrong(
            N_("Sigmoid loss: 1/(1 + eᵗ)"),
            N_(
                "Far from t = 0 it is close to the 0–1 loss. However, it is always below 1, and at t = −½ it is only "
                "0.622."
            ),
        ),
    ),
    verdict=verdict,
    board=preset("overlapping", size=16, noise=0.3, seed=2, value=1.0),
    introduces=("surrogate", "sigmoid-loss", "perceptron"),
    needs=(BOTH_CLASSES, SOLVED),
    draw=draw,
    play=play,
    rests_on_answer=lambda stage: smallest_difference("hinge", functional_margins(stage)) >= 0,
    numbers=NUMBERS,
    picks=(Pick("curve", N_("Loss"), tuple(LOSSES), "hinge", lambda name: _(LOSS[name])),),
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

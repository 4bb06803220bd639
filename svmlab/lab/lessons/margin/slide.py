"""The smallest distance without a sign: a line that is moved away from all points (M11)."""

from __future__ import annotations

import math

import numpy as np

from svmlab.lab.lessons.margin.flowers import BOARD, SEPARABLE_POINTS, largest_margin
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.curves import Curve, curves_over
from svmlab.lab.teach.overlay import boundary_line, line_strokes, stroke
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Dial, Measure, Step, Try, right, wrong
from svmlab.lab.words import N_, _

RANGE = 3.0  # of the shift, in units of half the board
BEYOND_POINTS = 3.0  # how far beyond all points the line ends, in units of the largest margin


def outside(stage: Stage) -> float:
    """Return a shift beyond all points on the side of class +1, so that the nearest point is farther than gamma*."""
    distances = boundary_line(stage).margins(stage.data.X, np.ones(stage.data.m))
    return math.ceil(10 * (float(distances.max()) + BEYOND_POINTS * largest_margin(stage))) / 10


def shift(stage: Stage) -> Dial:
    """Return the slider, whose range fits the board."""
    limit, start = max(RANGE * stage.lab.view, outside(stage)), outside(stage) if stage.shown else 0.0
    return Dial(
        "slide",
        N_("How far the line is moved along its normal, towards the + points if t > 0"),
        "t",
        -limit,
        limit,
        0.1,
        start,
    )


def unsigned(stage: Stage, t: float) -> float:
    """Return the smallest distance of the points from the line moved by t."""
    return float(np.abs(boundary_line(stage).shifted(t).margins(stage.data.X, stage.data.y)).min())


def signed(stage: Stage, t: float) -> float:
    """Return the smallest geometric margin for that line."""
    return boundary_line(stage).shifted(t).margin(stage.data.X, stage.data.y)


def draw(stage: Stage) -> Data:
    """The moved line, and an arrow to it from the boundary, which ends inside the board."""
    dial, boundary, half = shift(stage), boundary_line(stage), stage.lab.view
    t = dial(stage)
    overlay = line_strokes(boundary.shifted(t), half, "accent")
    start, direction = boundary.foot(np.zeros(2)), np.sign(t) * boundary.normal
    room = (0.97 * half - start * np.sign(direction)) / np.maximum(np.abs(direction), 1e-9)  # to each side of the board
    length = min(abs(t), float(room.min()))
    if length > 0.02 * half:
        overlay.append(stroke(np.array([start, start + length * direction]), "accent", "arrow"))
    return {"overlay": overlay, "sliders": [dial.as_json(stage)], "legend": None}  # the legend counts for t = 0


def chart(stage: Stage) -> Chart:
    """The smallest distance and the smallest geometric margin against the shift."""
    curves = (Curve(N_("distance"), unsigned, "minus"), Curve(N_("with sign"), signed, "plus"))
    return curves_over(shift(stage), N_("shift t of the line"), N_("smallest value"), *curves)(stage)


def verdict(stage: Stage) -> str:
    t = outside(stage)
    return _(
        "A line far away from all points. Its nearest point is {far} away at t\u00a0=\u00a0{t}, and only "
        "{near} at t\u00a0=\u00a00."
    ).format(t=short(t, 3), far=short(unsigned(stage, t), noise=ROUNDING), near=short(largest_margin(stage)))


def more(stage: Stage) -> list[str]:
    return [
        _(
            "**Why the sign is needed.** Far outside, one whole class is on the wrong side, so its geometric margins "
            "are negative. With the sign there is a maximum. Without it, you must also require that the line separates "
            "the classes, and then both formulas have the same maximum."
        ),
        _(
            "**Without bound.** At $t = 100$ the smallest distance is {near}, and at $t = 1000$ it is {far}. At the "
            "shift $t$, the smallest geometric margin is $\\gamma^* - |t|$."
        ).format(
            near=short(unsigned(stage, 100.0), noise=ROUNDING), far=short(unsigned(stage, 1000.0), noise=ROUNDING)
        ),
        _(
            "**The lecture notes.** In the Italian notes on half-spaces, the first definition of the margin has no "
            "sign: “$\\text{Margin}_{s}(\\vec{w},b)=\\min_{1\\leq i \\leq m}Dist(\\vec{x},(\\vec{w},b))$”. The next "
            "one has the sign and requires that the line separates: “$\\text{Margin}_{s}(\\vec{w},b)=\\min_{1\\leq i "
            "\\leq m}\\frac{y_{i}\\cdot(<\\vec{w},\\vec{x_{i}}>+b)}{\\|\\vec{w}\\|} >0$”. When they maximise the "
            "margin, only the second definition has a maximum."
        ),
    ]


SLIDE = Step(
    key="slide",
    title=N_("Distance with and without sign"),
    deeper=True,
    situation=N_(
        "The distance of a point from a line is $|f(x)|/\\|w\\|$, on whichever side it lies. The geometric "
        "margin $y\\,f(x)/\\|w\\|$ is negative on the wrong side. With the slider, you move the green line by "
        "$t$, towards the + points if $t > 0$. At $t = 0$ it has the largest margin $\\gamma^*$."
    ),
    question=N_("Without the sign, which line can have an arbitrarily large distance from its nearest point?"),
    choices=(
        wrong(
            N_("The line with the largest margin"),
            N_(
                "It is the best of all separating lines. However, if the sides are ignored, the line need not separate."
            ),
        ),
        right(N_("A line far away from all points")),
        wrong(
            N_("A line in a gap within one class"),
            N_(
                "Such a gap can be wide. However, points on both sides limit it, and outside of all points nothing "
                "does."
            ),
        ),
    ),
    verdict=verdict,
    board=BOARD,
    needs=SEPARABLE_POINTS,
    draw=draw,
    play=lambda stage: {"key": "slide", "op": "dial", "from": 0.0, "to": outside(stage), "ms": 2500},
    rests_on_answer=lambda stage: unsigned(stage, shift(stage)(stage)) > largest_margin(stage),
    numbers=(
        Measure(
            N_("distance"),
            lambda stage: unsigned(stage, shift(stage)(stage)),
            N_("Smallest distance of the points from the green line, on either side"),
        ),
        Measure(
            N_("with sign"),
            lambda stage: signed(stage, shift(stage)(stage)),
            N_("Smallest geometric margin for the green line, negative on the wrong side"),
            True,
        ),
    ),
    chart=chart,
    says=N_(
        "The chart shows the smallest distance and the smallest geometric margin (with sign) against the shift $t$. "
        "The distance grows without bound, and the geometric margin is largest at $t = 0$."
    ),
    formula=(
        r"\max_{w, b}\, \min_i \frac{y_i f(x_i)}{\|w\|} \quad \text{not} \quad \max_{w, b}\, \min_i "
        r"\frac{|f(x_i)|}{\|w\|}"
    ),
    more=more,
    tries=(
        Try(N_("t = 0"), lambda stage: shift(stage).to(0.0)),
        Try(N_("Other side"), lambda stage: shift(stage).to(shift(stage).lo / 2)),
        Try(N_("Off the board"), lambda stage: shift(stage).to(shift(stage).hi)),
    ),
    shows=("M11",),
)

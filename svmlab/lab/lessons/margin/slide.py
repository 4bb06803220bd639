"""The smallest distance without a sign: a line that is moved away from all points (M11)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from svmlab.lab.lessons.margin.flowers import BOARD, SEPARABLE_POINTS, largest_margin
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.curves import Curve, curves_over
from svmlab.lab.teach.overlay import boundary_line, line_strokes, stroke
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Dial, Measure, Op, Step, Try, right, wrong
from svmlab.lab.words import N_, _

RANGE, AWAY = 3.0, 1.2  # of the shift, and where it is far away, in units of half the board


def shift(stage: Stage) -> Dial:
    """Return the slider, whose range fits the board."""
    far = RANGE * stage.lab.view
    start = AWAY * stage.lab.view if stage.shown else 0.0
    return Dial("slide", N_("How far the line is moved along its normal"), "t", -far, far, 0.1, start)


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
    return {"overlay": overlay, "sliders": [dial.as_json(stage)]}


def chart(stage: Stage) -> Chart:
    """The smallest distance and the smallest geometric margin against the shift."""
    curves = (Curve(N_("distance"), unsigned, "minus"), Curve(N_("with sign"), signed, "plus"))
    return curves_over(shift(stage), N_("shift t of the line"), N_("smallest value"), *curves)(stage)


def verdict(stage: Stage) -> str:
    t = AWAY * stage.lab.view
    return _(
        "A line far away from all points. At t = {t} its nearest point is {far} away, and at t = 0 only {near}."
    ).format(t=short(t, 3), far=short(unsigned(stage, t), 3, ROUNDING), near=short(largest_margin(stage), 3))


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
            "**The lecture notes.** In the Italian notes on half-spaces, the first formula maximises a distance "
            "without a sign: “$(\\vec{w}^*,b^*)=\\arg \\max_{(\\vec{w},b)\\in "
            "R^{d+1}}\\text{Margin}_{S}((\\vec{w},b))$”. A later formula has the sign and requires that the line "
            "separates: “$\\text{Margin}_{s}(\\vec{w},b)=\\min_{1\\leq i \\leq "
            "m}\\frac{y_{i}\\cdot(<\\vec{w},\\vec{x_{i}}>+b)}{\\|\\vec{w}\\|} >0$”."
        ),
    ]


def _move(halves: float) -> Callable[[Stage], Op]:
    return lambda stage: shift(stage).to(halves * stage.lab.view)


SLIDE = Step(
    key="slide",
    title=N_("Distance with and without sign"),
    deeper=True,
    situation=N_(
        "The distance of a point from a line is $|f(x)|/\\|w\\|$, on whichever side it lies. The geometric margin "
        "$y\\,f(x)/\\|w\\|$ is negative on the wrong side. With the slider you move the green line by $t$ along its "
        "normal. At $t = 0$ it has the largest margin $\\gamma^*$."
    ),
    question=N_("Which line is farthest from its nearest point if the sides are ignored?"),
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
    play=lambda stage: {"key": "slide", "op": "dial", "from": 0.0, "to": AWAY * stage.lab.view, "ms": 2500},
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
        Try(N_("t = 0"), _move(0.0)),
        Try(N_("Other side"), _move(-AWAY)),
        Try(N_("Off the board"), _move(RANGE)),
    ),
    shows=("M11",),
)

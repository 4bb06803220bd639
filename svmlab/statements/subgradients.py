"""L3: subgradients, and the subgradients of the hinge at its kink."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.losses import LOSSES
from svmlab.statements.situation import Situation
from svmlab.statements.soft_margin import BOTH_CLASSES, OVERLAPPING_LABELS, OVERLAPPING_POINTS
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement

AROUND = np.arange(-200, 201) * 0.02  # points around f_0 in units of f
INSIDE = 1e-6  # in units of C: a multiplier closer to 0 or C than this is at the bound


def chord_slopes(y: float, f0: float) -> tuple[float, float]:
    """Return the largest slope of a chord of the hinge that ends at f_0, and the least of one that begins there.

    Lines through the point at f_0 with a slope between the two are nowhere above the loss.
    """
    offsets = AROUND[AROUND != 0]
    slopes = (np.maximum(0.0, 1.0 - y * (f0 + offsets)) - max(0.0, 1.0 - y * f0)) / offsets
    return float(slopes[offsets < 0].max()), float(slopes[offsets > 0].min())


def side_slopes(y: float, f0: float) -> tuple[float, float]:
    """Return the slopes of the hinge in f to the left and to the right of f_0, from its slopes in t = y f."""
    left, right = (float(slope) for slope in LOSSES["hinge"].slopes(np.array(y * f0)))
    low, high = sorted((y * left, y * right))
    return low, high


def line_value(value: Array | float, slope: Array | float, way: Array | float) -> Array:
    """Return the value, at the distance `way`, of the line through a point with the given loss and slope."""
    return np.asarray(value + slope * way)


def reversed_difference(tol: float) -> Reading:
    """Return the reading of the inequality with f_0 - f in place of f - f_0.

    It is evaluated for y = 1 at f_0 = 0, where the hinge has the slope -1, and at f = 1.
    """
    f0, f, slope = 0.0, 1.0, side_slopes(1.0, 0.0)[0]
    loss_at_f0, loss_at_f = max(0.0, 1.0 - f0), max(0.0, 1.0 - f)
    printed, corrected = (float(line_value(loss_at_f0, slope, offset)) for offset in (f0 - f, f - f0))
    return reading(
        tol,
        printed - loss_at_f,
        Side("loss at f = 1", loss_at_f, r"\ell(f)"),
        Side("what it must reach, as printed", printed, r"\ell(f_0) + g\,(f_0 - f)"),
        Side("with the difference turned round", corrected, r"\ell(f_0) + g\,(f - f_0)"),
        words=N_("For the hinge with y = 1, f₀ = 0 and its slope −1 there."),
    )


@statement(
    "L3",
    N_("Lines that stay below a loss"),
    sentence=N_(
        "g is a subgradient of a convex loss at f₀ where the line through its value there with the slope "
        "g is nowhere above it. The hinge has all slopes between −y and 0 at its corner y f₀ = 1, and "
        "one elsewhere. Where the SVM is optimal, some of them balance w: −y α/C at each point."
    ),
    formula=(
        r"\ell(f) \ge \ell(f_0) + g\,(f - f_0), \qquad g \in \bigl[\min(-y, 0),\, \max(-y, 0)\bigr] \ "
        r"\text{ at } y f_0 = 1"
    ),
    source=(
        Source(
            "B",
            N_("Subgradient"),
            "misprint",
            r"$f(x') \ge f(x) + \overline{\nabla}(x)(x - x')$",
            N_("The difference is turned round: the line goes up by its slope times the way from x to x′."),
            65,
        ),
        Source(
            "B",
            N_("Subgradient and hinge loss"),
            quote=r"any line whose slope in $[-t,0]$ (if t=1, in $[0,-t]$ if t=-1) is a subgradient",
        ),
        Source(
            "B",
            N_("Subgradient and hinge loss, the one that is chosen"),
            "misprint",
            (
                r"$\frac{\overline{\partial}}{\partial b} L_H = \begin{cases} -t & t(\mathbf{w}^T \mathbf{x} + b) "
                r"\le 1\\ 0 & t(\mathbf{w}^T \mathbf{x} + b) \ge 1 \end{cases}$"
            ),
            N_("At equality both cases hold; with the slope 0 that is chosen there, the first is for less than 1."),
            68,
        ),
    ),
    repair=N_("The slope is multiplied by f − f₀, the way from f₀ to f."),
    conditions=join_phrases(BOTH_CLASSES, N_("The loss is convex.")),
    tolerance=1e-6,
    page="losses",
    machine="soft",
    witness=Witness(
        OVERLAPPING_POINTS,
        OVERLAPPING_LABELS,
        N_("For a hinge that falls from 1 at f = 0 to 0 at f = 1 the printed line asks for 0 ≥ 2."),
    ),
)
def subgradients(s: Situation, tol: float) -> Outcome:
    """Compare the slopes at the kink from 400 chords, from the two sides, and from the interval.

    The slopes of the optimum by t are -alpha/C, with alpha from the exact method and t from the primal program. No line
    with such a slope may be above the hinge, and together the slopes make w. A slope outside the interval gives a line
    above the hinge, which the chords detect.
    """
    difference, sides = 0.0, list[Side]()
    for y in (1.0, -1.0):
        low, high = chord_slopes(y, y)
        intervals = (side_slopes(y, y), (min(-y, 0.0), max(-y, 0.0)))
        difference = max(difference, *(abs(low - a) for a, _ in intervals), *(abs(high - b) for _, b in intervals))
        sides.append(Side(Phrase("least slope at the corner, y = {y}", y="−1" if y < 0 else "1"), low))
        sides.append(Side(Phrase("largest slope at the corner, y = {y}", y="−1" if y < 0 else "1"), high))
        for f0 in (-3.0, -0.5, 0.5, 3.0):
            difference = max(difference, *np.abs(np.subtract(chord_slopes(y, f0), side_slopes(y, f0))))
    p, a = s.soft_primal, s.soft_solution.alpha / s.soft_problem.C
    t = s.y * (s.Phi @ p.w + p.b)
    unit = max(1.0, float(np.abs(t).max()))
    hinge = LOSSES["hinge"]
    largest_above = float(
        (line_value(hinge.value(t)[:, None], -a[:, None], AROUND) - hinge.value(t[:, None] + AROUND)).max()
    )
    balance = s.distance_in_margins(s.soft_problem.C * s.expand(a), p.w)
    imbalance = abs(float(s.y @ a)) / max(1.0, float(a.sum())) if s.problem.bias else 0.0
    free = np.flatnonzero((a > INSIDE) & (a < 1.0 - INSIDE))
    if len(free):
        sides.append(Side("slope by t that balances at a point on the margin", -float(a[free[0]]), r"-\alpha_i/C"))
    sides.append(
        Side("most that a line of the optimum is above its hinge", largest_above if largest_above > tol else 0.0)
    )
    sides.append(Side("way of w to the sum of these slopes, in margin units", balance))
    return Outcome(
        reversed_difference(tol),
        reading(tol, max(difference, tangent_excess(), largest_above / unit, balance, imbalance), *sides),
    )


def tangent_excess() -> float:
    """Return the most by which a tangent of a convex loss is above the loss."""
    worst = 0.0
    for loss in LOSSES.values():
        if loss.convex:
            for t0 in np.linspace(-3.0, 3.0, 25):
                loss_at_t0 = loss.value(np.array(t0))
                for slope in loss.slopes(np.array(t0)):
                    worst = max(worst, float((line_value(loss_at_t0, slope, AROUND) - loss.value(t0 + AROUND)).max()))
    return worst

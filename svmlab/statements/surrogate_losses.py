"""L1 to L3 and L12: the surrogate losses of the 0/1 loss, their convexity and their subgradients."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.losses import LOSSES, Loss, zero_one_loss
from svmlab.statements.situation import Situation
from svmlab.statements.soft_margin import BOTH_CLASSES, OVERLAPPING_LABELS, OVERLAPPING_POINTS
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement

PLACE = N_("Convex surrogate loss functions")
T = np.arange(-1000, 1001) / 250  # values of t = y f on both sides of 0, with 0 and 1 among them
# F is scaled to at most this value, because e^-t would overflow; only the decision boundary matters here.
LARGEST_F = 30.0
NAMES = {
    "squared": N_("squared"),
    "logistic": N_("logistic"),
    "exponential": N_("exponential"),
    "hinge": N_("hinge"),
    "perceptron": N_("perceptron"),
    "sigmoid": N_("sigmoid"),
}
# functions of a label and a value of f, as the slides print them
PRINTED: dict[str, Callable[[Array, Array], Array]] = {
    "squared": lambda y, f: (y - f) ** 2,
    "logistic": lambda y, f: np.log2(1.0 + np.exp(-y * f)),
    "exponential": lambda y, f: np.exp(-y * f),
    "hinge": lambda y, f: np.where(y * f < 1.0, 1.0 - y * f, 0.0),
}
BELOW = ((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0), (-0.5, 0.0))


def decision_values(s: Situation) -> Array:
    """Return f of the exact solution at the points, shape (m,)."""
    e = s.soft_solution
    return s.Phi @ s.expand(e.alpha) + e.b


def scaled_to_bound(loss: Loss, t: Array) -> Array:
    """Return the loss times its smallest factor with which it is nowhere below the 0/1 loss.

    Where no factor has this property the loss is returned unchanged.
    """
    return (loss.upper_bound_factor or 1.0) * loss.value(t)


@statement(
    "L1",
    N_("Surrogate losses of the 0–1 loss"),
    sentence=N_(
        "The squared loss, the logistic loss divided by log 2, the exponential loss and the hinge loss are "
        "nowhere below the 0–1 loss, as functions of t = y f(x). So the sum of each of them over the "
        "points is at least the number of training errors."
    ),
    formula=r"\mathbb 1[t \le 0] \;\le\; (1-t)^2,\quad \frac{\log(1+e^{-t})}{\log 2},\quad e^{-t},\quad \max(0,\, 1-t)",
    source=(
        Source(
            "B",
            PLACE,
            "misprint",
            "Approximate from above 0/1 loss: real 0/1 error always less than function loss",
            N_(
                "The 0–1 loss is at most the surrogate loss, and at t = 0 both are 1. The slides claim that it "
                "is always less."
            ),
            60,
        ),
        Source(
            "B",
            PLACE,
            "misprint",
            "Smooth: may use derivatives to find minimum",
            N_(
                "The squared, logistic and exponential losses are differentiable. The hinge loss has a kink at t = "
                "1, where it has no derivative. The slides call it smooth here, and mention the kink two pages "
                "later."
            ),
            61,
        ),
        Source(
            "B",
            N_("Subgradient, hinge loss and perceptron"),
            "misprint",
            (
                "is not however a lower bound to 0/1 loss: for small errors (distance y from the hyperplane less "
                "than 1) it returns costs smaller than 1"
            ),
            N_(
                "The perceptron loss is not an upper bound of the 0–1 loss, because it is below 1 for errors near "
                "the boundary. The slides write “lower bound” instead."
            ),
            69,
        ),
        Source(
            "D",
            N_("section Soft SVM"),
            quote=r"$L_S^{hinge}$ è una funzione convessa ed è la surrogata di $L_S^{0-1}$.",
        ),
    ),
    conditions=join_phrases(
        BOTH_CLASSES,
        Phrase(
            "If a value of f is beyond ±{far:g}, w and b are scaled down. This does not change the decision boundary.",
            far=LARGEST_F,
        ),
    ),
    tolerance=1e-9,
    page="losses",
    subject="soft",
    witness=Witness(
        BELOW,
        (1, 1, -1, -1, 1),
        N_(
            "The only error has t = −1/2. There the 0–1 loss is 1, the perceptron loss is 1/2, and the sigmoid "
            "loss is 0.622."
        ),
    ),
)
def above(s: Situation, tol: float) -> Outcome:
    """Compare the losses with the 0/1 loss along t = y f, and sums of the printed formulas with the errors.

    At t = 0 all four losses are 1, so the least difference is 0 and no smaller factor is possible. At the points the
    errors are counted by the side on which a point lies.
    """
    f = decision_values(s)
    f = f * min(1.0, LARGEST_F / max(float(np.abs(f).max()), 1e-300))
    t, misclassified = s.y * f, np.sign(f) != s.y
    errors, worst = float(misclassified.sum()), 0.0
    sides = [Side("training errors", errors, r"\sum_i\mathbb 1[t_i\le 0]")]
    for name, formula in PRINTED.items():
        least_difference = float((scaled_to_bound(LOSSES[name], T) - zero_one_loss(T)).min())
        total, printed = float(scaled_to_bound(LOSSES[name], t).sum()), float(formula(s.y, f).sum())
        worst = max(worst, abs(least_difference), (errors - printed) / s.m, abs(total - printed) / max(1.0, printed))
        sides.append(Side(Phrase("sum of the losses, {name}", name=NAMES[name]), total))
        sides.append(Side(Phrase("smallest difference from the 0–1 loss, {name}", name=NAMES[name]), least_difference))
    shortfalls = {
        name: float((1.0 - LOSSES[name].value(t[misclassified])).max(initial=0.0)) for name in ("perceptron", "sigmoid")
    }
    return Outcome(
        reading(tol, worst, *sides),
        control=reading(
            tol,
            max(shortfalls.values()),
            *(
                Side(Phrase("smallest loss of a training error, {name}", name=NAMES[n]), 1.0 - shortfall)
                for n, shortfall in shortfalls.items()
            ),
            words=N_("The perceptron loss and the sigmoid loss of a training error are never below 1."),
        ),
    )


def sigmoid_loss(t: Array) -> Array:
    """Return the sigmoid loss of each t."""
    return LOSSES["sigmoid"].value(t)


@statement(
    "L12",
    N_("Bounds on the sigmoid loss"),
    sentence=N_(
        "The sigmoid loss of a misclassified point is at least 1/2, and that of a correctly classified "
        "point is at most 1/2. The losses of two errors differ by less than 1/2, and so do the losses of "
        "two correct points. The variable is t = y f(x)."
    ),
    formula=(
        r"\tfrac12 \le \frac{1}{1+e^{t}} < 1 \ \ (t \le 0), \qquad 0 < \frac{1}{1+e^{t}} \le \tfrac12 \ \ "
        r"(t \ge 0)"
    ),
    source=(
        Source(
            "B",
            N_("Surrogate smooth loss functions, wrong points"),
            "hedged",
            (
                "they always weigh at least 0.5, but the difference in weights between points nearby the "
                "hyperplane and very distant points is about 0.5"
            ),
            N_(
                "The difference between two errors is always less than 1/2. It comes close to 1/2 if one of them "
                "is far from the boundary and the other one is near it. The slides say “about 0.5”."
            ),
            58,
        ),
        Source(
            "B",
            N_("Surrogate smooth loss functions, right points"),
            quote="the same for well classified points: they always weigh at most 0.5",
        ),
    ),
    conditions=BOTH_CLASSES,
    tolerance=1e-9,
    page="losses",
    subject="soft",
    witness=Witness(
        (*BELOW[:4], (1.0, 0.0), (-1.0, 0.0), (-0.5, 0.0), (-2.0, 0.0)),
        (1, 1, -1, -1, 1, -1, 1, 1),
        N_("The hinge losses of the two errors differ by more than 1. Their sigmoid losses differ by about a quarter."),
    ),
)
def sigmoid(s: Situation, tol: float) -> Outcome:
    """Compare the weights of the points by the formula with a hyperbolic tangent.

    Errors are told apart by the side of the decision boundary. Far from it the difference of two errors, or of two
    correct points, reaches 1/2.
    """
    f = decision_values(s)
    t, misclassified = s.y * f, np.sign(f) != s.y
    weight, hinge = sigmoid_loss(t), LOSSES["hinge"].value(t)
    tangent = 0.5 - 0.5 * np.tanh(0.5 * t)
    errors, correct = weight[misclassified], weight[~misclassified]
    least_of_errors, largest_of_correct = float(errors.min(initial=1.0)), float(correct.max(initial=0.0))
    spreads = [float(np.ptp(side)) if len(side) else 0.0 for side in (errors, correct)]
    curve = sigmoid_loss(10.0 * T)
    ranges_of_curve = [float(np.ptp(curve[side])) for side in (T <= 0, T >= 0)]
    worst = max(
        0.5 - least_of_errors,
        largest_of_correct - 0.5,
        *(x - 0.5 for x in spreads),
        *(abs(x - 0.5) for x in ranges_of_curve),
        np.abs(weight - tangent).max(),
    )
    sides = [
        *([Side("smallest sigmoid loss of an error", least_of_errors)] if misclassified.any() else []),
        *([Side("largest sigmoid loss of a correct point", largest_of_correct)] if not misclassified.all() else []),
        Side("largest difference between two errors", spreads[0]),
        Side("largest difference between two correct points", spreads[1]),
        Side(Phrase("difference between errors at t = {t} and t = 0", t="−40"), ranges_of_curve[0]),
    ]
    hinge_range = float(np.ptp(hinge[misclassified])) if misclassified.any() else 0.0
    return Outcome(
        reading(tol, float(worst), *sides),
        control=reading(
            tol,
            max(hinge_range - 0.5, 0.0),
            Side("largest difference between two errors, hinge loss", hinge_range),
            words=N_("The hinge losses of two errors also differ by less than 1/2."),
        ),
    )


CHORD_T = np.arange(-10_000, 10_001) / 2500  # values of t = y f, with the corners at 0 and 1 among them
EVERY = 1000  # of the values of t, one in so many is an end point of chords
PAIRS, SHARES = 40, (0.25, 0.5, 0.8)  # number of chords of F, and the fractions along each at which it is compared


def chord_ends() -> tuple[Index, Index]:
    """Return where in T the chords begin and end, (n,) each."""
    p, q = np.meshgrid(np.arange(0, len(CHORD_T), EVERY), np.arange(0, len(CHORD_T), EVERY))
    return p[p < q], q[p < q]


def chord_heights(values: Array) -> Array:
    """Return how far the middle of each chord is above the curve with the given values (len(T),), shape (n,)."""
    p, q = chord_ends()
    return 0.5 * (values[p] + values[q]) - values[(p + q) // 2]


def loss_chord_heights(loss: Loss) -> Array:
    """Return how far the middles of the chords of a loss are above it, shape (n,)."""
    return chord_heights(loss.value(CHORD_T))


def summed_slopes(loss: Loss) -> Array:
    """Return the same as `bends` from the slopes of the loss alone, which are summed along t."""
    left, right = loss.slopes(CHORD_T)
    return chord_heights(np.r_[0.0, np.cumsum(0.5 * (right[:-1] + left[1:]) * np.diff(CHORD_T))])


def under_chords(loss: Loss, one: Array, other: Array) -> Array:
    """Return how far the mean loss is below its chords, relative to their height, shape (shares, n).

    The chords connect the values of t in `one` with those in `other`, both (n, m).
    """
    distances = []
    for a in SHARES:
        chord = a * loss.value(one).mean(1) + (1.0 - a) * loss.value(other).mean(1)
        distances.append((chord - loss.value(a * one + (1.0 - a) * other).mean(1)) / np.maximum(1.0, chord))
    return np.array(distances)


@statement(
    "L2",
    N_("Convexity of the losses"),
    sentence=N_(
        "The squared, logistic, exponential, hinge and perceptron losses are convex functions of t = y "
        "f(x). So they are convex in w and b, and nowhere above a chord. The sigmoid loss is not convex, "
        "because it is concave for t ≤ 0. F is the mean loss of the points."
    ),
    formula=r"F\bigl(a\,u + (1-a)\,v\bigr) \;\le\; a\,F(u) + (1-a)\,F(v), \qquad 0 \le a \le 1",
    source=(
        Source(
            "B",
            N_("Surrogate smooth loss functions"),
            quote="however we would prefer dealing with a convex loss function",
        ),
        Source(
            "B",
            N_("Convex loss functions"),
            quote="first derivative monotonically non-decreasing",
        ),
        Source("D", N_("section Soft SVM"), quote=r"$L_S^{hinge}$ è una funzione convessa"),
        Source("A", N_("before Pegasos, strong convexity"), quote=r"$h_t$ è convessa"),
    ),
    conditions=N_(
        "There is at least one point. Points on a board can refute that a function is convex, but they cannot prove it."
    ),
    tolerance=1e-7,
    page="losses",
    subject="points",
    witness=Witness(
        ((2.0, 0.0), (0.0, 2.0), (-2.0, -2.0)),
        (1, 1, 1),
        N_("With the sigmoid loss, F is above many of its chords on this board."),
        bias=False,
    ),
)
def convex(s: Situation, tol: float) -> Outcome:
    """Compare chords from values with sums of slopes along t, and F at random w and b with its chords.

    The slopes of a convex loss must not fall. Each chord connects two random pairs (w, b) on the board.
    """
    rng = np.random.Generator(np.random.Philox(s.m))
    sizes = np.geomspace(0.1, 10.0, PAIRS)[:, None]
    first_ends, second_ends = (
        s.y
        * (
            sizes * rng.standard_normal((PAIRS, s.Phi.shape[1])) @ s.Phi.T / s.max_norm
            + sizes * rng.standard_normal((PAIRS, 1)) * s.problem.bias
        )
        for _ in range(2)
    )
    (p, q), worst, sides = chord_ends(), 0.0, list[Side]()
    for name, loss in LOSSES.items():
        middle_heights = loss_chord_heights(loss)
        difference = float(
            (np.abs(middle_heights - summed_slopes(loss)) / np.maximum(1.0, loss.value(CHORD_T[p]))).max()
        )
        left, right = loss.slopes(CHORD_T)
        slope_changes = np.diff(0.5 * (left + right))
        if loss.convex:
            least_below = float(under_chords(loss, first_ends, second_ends).min())
            worst = max(
                worst,
                difference,
                -float(middle_heights.min()),
                -float((right - left).min()),
                -float(slope_changes.min()),
                -least_below,
            )
            sides.append(
                Side(Phrase("smallest relative distance of F below a chord, {name}", name=NAMES[name]), least_below)
            )
        else:
            left_of_0 = CHORD_T[1:] <= 0
            worst = max(
                worst,
                difference,
                float(middle_heights[CHORD_T[q] <= 0].max()),
                float(slope_changes[left_of_0].max()),
                -float(slope_changes[~left_of_0].min()),
            )
            sides.append(
                Side(
                    Phrase("largest height of the loss above a chord, {name}", name=NAMES[name]),
                    -float(middle_heights.min()),
                )
            )
    sigmoid_above = -float(under_chords(LOSSES["sigmoid"], first_ends, second_ends).min())
    return Outcome(
        reading(tol, worst, *sides),
        control=reading(
            tol,
            sigmoid_above,
            Side("largest relative height of F above a chord, sigmoid", sigmoid_above),
            words=N_("With the sigmoid loss, F is nowhere above a chord either."),
        ),
    )


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


def line_value(value: Array | float, slope: Array | float, distance: Array | float) -> Array:
    """Return the value, at the distance `distance`, of the line through a point with the given loss and slope."""
    return np.asarray(value + slope * distance)


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
        Side("hinge loss at f = 1", loss_at_f, r"\ell(f)"),
        Side("lower bound in the slides", printed, r"\ell(f_0) + g\,(f_0 - f)"),
        Side("lower bound with f − f₀", corrected, r"\ell(f_0) + g\,(f - f_0)"),
        words=N_("The slides use f₀ − f. This is the hinge loss for y = 1, with its slope −1 at f₀ = 0."),
    )


@statement(
    "L3",
    N_("Subgradients of the hinge loss"),
    sentence=N_(
        "A slope g is a subgradient of a convex loss at f₀ if the line with slope g through the point (f₀, "
        "ℓ(f₀)) is nowhere above the loss. At its kink y f₀ = 1, the hinge loss has every slope between −y "
        "and 0 as a subgradient. At every other f₀ it has exactly one. At the optimum of the SVM, gᵢ = −yᵢ "
        "αᵢ/C is a subgradient for each point, and w = −C Σᵢ gᵢ φ(xᵢ)."
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
            N_(
                "The slope is multiplied by x′ − x, because the line starts at x. The slides have the difference "
                "with the opposite sign."
            ),
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
            N_(
                "At t(⟨w, x⟩ + b) = 1 only one case may apply. The slides choose the slope 0 there, so the first "
                "case needs “< 1”. They print “≤ 1”."
            ),
            68,
        ),
    ),
    repair=N_("The slope g is multiplied by f − f₀."),
    conditions=join_phrases(BOTH_CLASSES, N_("The loss is convex.")),
    tolerance=1e-6,
    page="losses",
    subject="soft",
    witness=Witness(
        OVERLAPPING_POINTS,
        OVERLAPPING_LABELS,
        N_(
            "For y = 1, the hinge loss is 1 at f₀ = 0 with slope −1, and 0 at f = 1. The inequality of the "
            "slides would require 0 ≥ 2."
        ),
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
        sides.append(Side(Phrase("smallest subgradient at the kink, y = {y}", y="−1" if y < 0 else "1"), low))
        sides.append(Side(Phrase("largest subgradient at the kink, y = {y}", y="−1" if y < 0 else "1"), high))
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
        sides.append(Side("slope in t at a point on its margin line", -float(a[free[0]]), r"-\alpha_i/C"))
    sides.append(
        Side("largest height of such a line above the hinge loss", largest_above if largest_above > tol else 0.0)
    )
    sides.append(Side("distance of w from the sum of these slopes, in margin units", balance))
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

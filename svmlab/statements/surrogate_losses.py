"""L1 and L12: the surrogate losses of the 0/1 loss, and where they lie above it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.losses import LOSSES, Loss, wrong
from svmlab.statements.situation import Situation
from svmlab.statements.soft_margin import BOTH_CLASSES
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

PLACE = N_("Convex surrogate loss functions")
T = np.arange(-1000, 1001) / 250  # values of t = y f on both sides of 0, with 0 and 1 among them
FAR = 30.0  # f is scaled to at most this value, because e^-t would overflow; only the decision boundary matters here
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
    N_("Curves above the count of errors"),
    sentence=N_(
        "At every t = y f(x) the squared loss, the logistic loss over log 2, the exponential loss and "
        "the hinge lie nowhere below the 0/1 loss, so their sum over the points is never below the "
        "number of errors."
    ),
    formula=r"\mathbb 1[t \le 0] \;\le\; (1-t)^2,\quad \frac{\log(1+e^{-t})}{\log 2},\quad e^{-t},\quad \max(0,\, 1-t)",
    source=(
        Source(
            "B",
            PLACE,
            "misprint",
            "Approximate from above 0/1 loss: real 0/1 error always less than function loss",
            N_("At most the loss is meant: at t = 0 both are 1."),
            60,
        ),
        Source(
            "B",
            PLACE,
            "hedged",
            "Smooth: may use derivatives to find minimum",
            N_("The hinge has a corner and no derivative there, as the slides say two pages on."),
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
            N_("An upper bound is meant: smaller costs than the 0/1 loss are what keeps it from being one."),
            69,
        ),
        Source(
            "D",
            N_("section Soft SVM"),
            quote=r"$L_S^{hinge}$ è una funzione convessa ed è la surrogata di $L_S^{0-1}$.",
        ),
    ),
    conditions=join_phrases(
        BOTH_CLASSES, Phrase("Where values of f go beyond {far:g}, w and b are shortened: the line stays.", far=FAR)
    ),
    tolerance=1e-9,
    page="losses",
    machine="soft",
    witness=Witness(
        BELOW,
        (1, 1, -1, -1, 1),
        N_("At the one error t = −1/2: the perceptron's loss is 1/2 there, the sigmoid 0.622, the 0/1 loss 1."),
    ),
)
def above(s: Situation, tol: float) -> Outcome:
    """Compare the losses with the 0/1 loss along t = y f, and sums of the printed formulas with the errors.

    At t = 0 all four losses are 1, so the least difference is 0 and no smaller factor is possible. At the points the
    errors are counted by the side on which a point lies.
    """
    f = decision_values(s)
    f = f * min(1.0, FAR / max(float(np.abs(f).max()), 1e-300))
    t, misclassified = s.y * f, np.sign(f) != s.y
    errors, worst = float(misclassified.sum()), 0.0
    sides = [Side("training errors", errors, r"\sum_i\mathbb 1[t_i\le 0]")]
    for name, formula in PRINTED.items():
        least_difference = float((scaled_to_bound(LOSSES[name], T) - wrong(T)).min())
        total, printed = float(scaled_to_bound(LOSSES[name], t).sum()), float(formula(s.y, f).sum())
        worst = max(worst, abs(least_difference), (errors - printed) / s.m, abs(total - printed) / max(1.0, printed))
        sides.append(Side(Phrase("sum of the loss, {name}", name=NAMES[name]), total))
        sides.append(Side(Phrase("least difference to the 0/1 loss, {name}", name=NAMES[name]), least_difference))
    shortfalls = {
        name: float((1.0 - LOSSES[name].value(t[misclassified])).max(initial=0.0)) for name in ("perceptron", "sigmoid")
    }
    return Outcome(
        reading(tol, worst, *sides),
        control=reading(
            tol,
            max(shortfalls.values()),
            *(
                Side(Phrase("least loss of an error, {name}", name=NAMES[n]), 1.0 - shortfall)
                for n, shortfall in shortfalls.items()
            ),
            words=N_("No error has a loss below 1 by the perceptron's loss or by the sigmoid."),
        ),
    )


def sigmoid_loss(t: Array) -> Array:
    """Return the sigmoid loss of each t."""
    return LOSSES["sigmoid"].value(t)


@statement(
    "L12",
    N_("How much the sigmoid loss weighs errors"),
    sentence=N_(
        "By the sigmoid loss of t = y f(x) an error weighs 1/2 or more, a right point 1/2 or less, and "
        "two errors, or two right points, differ by less than 1/2."
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
            N_("It comes near 1/2 far out and is below it everywhere."),
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
    machine="soft",
    witness=Witness(
        (*BELOW[:4], (1.0, 0.0), (-1.0, 0.0), (-0.5, 0.0), (-2.0, 0.0)),
        (1, 1, -1, -1, 1, -1, 1, 1),
        N_("By the hinge the two errors differ by more than 1, by the sigmoid by a quarter."),
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
        *([Side("least weight of an error", least_of_errors)] if misclassified.any() else []),
        *([Side("largest weight of a right point", largest_of_correct)] if not misclassified.all() else []),
        Side("largest difference of two errors", spreads[0]),
        Side("largest difference of two right points", spreads[1]),
        Side(Phrase("difference of errors at t = {t} and t = 0", t="−40"), ranges_of_curve[0]),
    ]
    hinge_range = float(np.ptp(hinge[misclassified])) if misclassified.any() else 0.0
    return Outcome(
        reading(tol, float(worst), *sides),
        control=reading(
            tol,
            max(hinge_range - 0.5, 0.0),
            Side("largest difference of two errors, hinge", hinge_range),
            words=N_("By the hinge two errors differ by less than 1/2 too."),
        ),
    )

"""Which classifiers change when one more point is added, and where the boundaries are afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Mistake, Number, Numbers, Question, distinct, one_of, question_type

Side = tuple[int, ...]
BEYOND, INSIDE, WRONG = "beyond", "inside", "wrong"  # where the new point lies
SQUARES_AND_LOGISTIC = N_("Least squares and logistic regression change.")
ALL_BUT_PERCEPTRON = N_("The SVM, least squares and logistic regression change.")
ALL = N_("All four change.")
ONLY_SQUARES = N_("Only least squares changes.")
NONE = N_("All four stay the same.")
RIGHT = {BEYOND: SQUARES_AND_LOGISTIC, INSIDE: ALL_BUT_PERCEPTRON, WRONG: ALL}


@question_type(N_("One more point and four classifiers"), lesson="losses", needs=("losses.far",))
def far_outlier(draw: Draw, difficulty: int) -> Question:
    """Return the question for a far point (1), any point (2), or the boundaries of two classifiers (3)."""
    low = draw.whole(-3, 1)
    gap = 2 * draw.whole(2, 3)
    high = low + gap
    minus = (low, *(low - draw.whole(1, 3) for _ in range(draw.whole(1, 2))))
    plus = (high, *(high + draw.whole(1, 3) for _ in range(draw.whole(1, 2))))
    draw.need(len(set(minus)) == len(minus) and len(set(plus)) == len(plus))
    y = draw.sign()
    if difficulty == 3:
        return _boundaries(draw, minus, plus)
    place = draw.one_of((BEYOND, WRONG) if difficulty == 1 else (BEYOND, INSIDE, WRONG))
    middle = (low + high) // 2
    x = {BEYOND: middle + y * draw.whole(15, 40), INSIDE: middle + y, WRONG: middle - y * draw.whole(15, 40)}[place]
    old = _least_squares([*minus, *plus], [-1] * len(minus) + [1] * len(plus))
    draw.need(old[0] * x + old[1] != y)
    return Question(
        Phrase(
            "On the axis of real numbers, class −1 has the points {minus}, and class +1 has the points {plus}. Four "
            "classifiers $f(x) = w x + b$ are trained: the SVM with $C = 1$, least squares on the labels, logistic "
            "regression with a penalty $w^2/10$, and the perceptron, whose present boundary is $x = {middle}$. A new "
            "point $x = {x}$ of class ${y:+d}$ is added. The perceptron continues from its present $w$ and $b$, and "
            "the others are trained again.",
            minus=_listed(minus),
            plus=_listed(plus),
            middle=middle,
            x=x,
            y=y,
        ),
        N_("Which of the four functions $f$ change?"),
        one_of(draw, RIGHT[place], *((words, why) for words, why in _wrong(place) if words != RIGHT[place])),
        _HINTS,
        (
            Phrase(
                "The margin lines of the SVM are $x = {low}$ and $x = {high}$.",
                low=low,
                high=high,
            ),
            _REASONS[place],
        ),
    )


_HINTS = (
    Hint(
        N_(
            "Look at the loss of each classifier at the new point. Its gradient can be exactly 0, or only small. Where "
            "is it exactly 0?"
        )
    ),
    Hint(N_("The step on outliers and loss functions compares the losses."), step="losses.far"),
)
_REASONS = {
    BEYOND: N_(
        "The new point lies beyond its margin line, so the hinge loss is 0 and the perceptron is correct. The squared "
        "and the logistic loss have a gradient other than 0."
    ),
    INSIDE: N_(
        "The new point is classified correctly, so the perceptron makes no update. Its $y f$ is below 1 for the SVM, "
        "so its hinge loss is positive."
    ),
    WRONG: N_(
        "The new point is misclassified. The perceptron makes an update, and the gradients of the other three losses "
        "are not 0."
    ),
}


def _wrong(place: str) -> tuple[tuple[str, str], ...]:
    """Return the choices, each with what a person overlooks who takes it although it is wrong here."""
    squares = {
        BEYOND: "",
        INSIDE: N_("The new point lies between the margin lines of the SVM, so its hinge loss is positive."),
        WRONG: N_(
            "The new point is misclassified. The perceptron makes an update. The hinge loss of the point is positive, "
            "so the SVM changes too."
        ),
    }
    without_perceptron = {
        BEYOND: N_("The new point lies beyond its margin line. Its multiplier is 0, so the SVM stays the same."),
        INSIDE: "",
        WRONG: N_("The perceptron makes an update at each misclassified point, and the new point is one."),
    }
    every = {
        BEYOND: N_("The perceptron changes only at a misclassified point, and the SVM only if y f is below 1."),
        INSIDE: N_("The perceptron changes only at a misclassified point, and the new point is classified correctly."),
        WRONG: "",
    }
    return (
        (SQUARES_AND_LOGISTIC, squares[place]),
        (ALL_BUT_PERCEPTRON, without_perceptron[place]),
        (ALL, every[place]),
        (
            ONLY_SQUARES,
            N_("The gradient of the logistic loss can be very small, but it is never 0, so this function changes too."),
        ),
        (NONE, N_("The squared loss and the logistic loss depend on every point, even on correctly classified ones.")),
    )


def _boundaries(draw: Draw, minus: Side, plus: Side) -> Question:
    """Return the question for the boundaries of the SVM and of least squares after a far point of class +1."""
    x = max(plus) + draw.whole(6, 20)
    points, labels = [*minus, *plus, x], [-1] * len(minus) + [1] * (len(plus) + 1)
    w, b = _least_squares(points, labels)
    before = _boundary(points[:-1], labels[:-1])
    after = -b / w
    svm = Fraction(max(minus) + min(plus), 2)
    means = (Fraction(sum(minus), len(minus)) + Fraction(sum(plus) + x, len(plus) + 1)) / 2
    draw.need(abs(after) < 30 and after.denominator < 1000 and w.denominator < 10_000)
    return Question(
        Phrase(
            "On the axis of real numbers, class −1 has the points {minus}, and class +1 has the points {plus}. A far "
            "point $x = {x}$ of class +1 is added. The hard-margin SVM and least squares are trained on all points. "
            "Least squares minimises $\\sum_i (w x_i + b - y_i)^2$, and its boundary is $w x + b = 0$.",
            minus=_listed(minus),
            plus=_listed(plus),
            x=x,
        ),
        N_("At which $x$ do the SVM and least squares have their boundary?"),
        Numbers(
            (
                Number(
                    N_("SVM"),
                    float(svm),
                    distinct(
                        float(svm),
                        Mistake(
                            float(means),
                            N_(
                                "This is the middle between the class means. The SVM depends only on "
                                "the support vectors."
                            ),
                        ),
                        Mistake(
                            float(after),
                            N_("This is the boundary of least squares. The far point has α = 0 in the SVM."),
                        ),
                        Mistake(
                            float(Fraction(max(minus) + x, 2)),
                            N_("The far point is not a support vector. Take the nearest point of each class."),
                        ),
                    ),
                ),
                Number(
                    N_("least squares"),
                    float(after),
                    distinct(
                        float(after),
                        Mistake(
                            float(before),
                            N_(
                                "This is the boundary without the far point. Least squares depends on the far point "
                                "too."
                            ),
                        ),
                        Mistake(
                            float(svm),
                            N_("This is the boundary of the SVM. The squared loss depends on every point."),
                        ),
                        Mistake(
                            float(means),
                            N_("This is the middle between the class means. Least squares has another one here."),
                        ),
                        Mistake(float(-after), N_("The sign is wrong. The equation w x + b = 0 gives x = −b/w.")),
                    ),
                ),
            )
        ),
        _HINTS,
        (
            Phrase(
                "The SVM has its boundary in the middle of $x = {low}$ and $x = {high}$, which is ${svm}$.",
                low=max(minus),
                high=min(plus),
                svm=svm,
            ),
            Phrase("Least squares has $w = {w:.4g}$ and $b = {b:.4g}$.", w=float(w), b=float(b)),
            Phrase(
                "Its boundary is $-b/w = {after:.4g}$. Without the far point it would be ${before:.4g}$.",
                after=float(after),
                before=float(before),
            ),
        ),
    )


def _least_squares(x: Sequence[int], y: Sequence[int]) -> tuple[Fraction, Fraction]:
    """Return w and b of the line with the smallest sum of squares."""
    m, mean_x, mean_y = len(x), Fraction(sum(x), len(x)), Fraction(sum(y), len(y))
    covariance = sum((a * c for a, c in zip(x, y, strict=True)), Fraction(0)) - m * mean_x * mean_y
    w = covariance / (sum((a * a for a in x), Fraction(0)) - m * mean_x**2)
    return w, mean_y - w * mean_x


def _boundary(x: Sequence[int], y: Sequence[int]) -> Fraction:
    w, b = _least_squares(x, y)
    return -b / w


def _listed(points: Side) -> str:
    return ", ".join(f"${x}$" for x in sorted(points))

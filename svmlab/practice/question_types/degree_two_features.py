"""Two points on a line under quadratic features: w, the width of the margin, and b."""

from __future__ import annotations

import math
from fractions import Fraction

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Mistake, Number, Numbers, Question, distinct, question_type
from svmlab.practice.tex import root


@question_type(
    N_("Two points with quadratic features"),
    lesson="kernels",
    needs=("kernels.lift", "K10"),
    difficulties=(1, 2),
    version=2,
)
def degree_two_features(draw: Draw, difficulty: int) -> Question:
    """Return the question for the features (x, x²) (1), or (√2 x, x²), which are those of (1 + xz)² - 1 (2)."""
    negative, positive = draw.whole(-3, 3), draw.whole(-3, 3)
    draw.need(negative != positive and negative != -positive)
    root_square = 1 if difficulty == 1 else 2  # the square of the factor before x
    # d = φ(positive) - φ(negative), w = 2d/‖d‖², and f is 0 at the midpoint
    linear, squares = positive - negative, positive**2 - negative**2
    squared = root_square * linear**2 + squares**2
    at_negative = root_square * linear * negative + squares * negative**2  # ⟨d, φ(negative)⟩
    b = -1 - 2 * at_negative / squared
    draw.need(b != 0)
    factor = math.sqrt(root_square)
    plain = linear**2 + squares**2  # ‖d‖² without the factor √2
    plain_b = -1 - 2 * (linear * negative + squares * negative**2) / plain
    no_root = N_("The factor √2 before x is missing in your features.")

    def without(value: float) -> tuple[Mistake, ...]:
        return (Mistake(value, no_root),) if difficulty == 2 else ()

    w1, w2, width = 2 * factor * linear / squared, 2 * squares / squared, math.sqrt(squared)
    if difficulty == 1:
        features = "(x, x^2)"
        hint = Hint(N_("The statement on the feature map (x, x²) has this case."), statement="K10")
    else:
        features = "(\\sqrt2\\,x, x^2)"
        hint = Hint(N_("The step on feature maps shows how points on a line become separable."), step="kernels.lift")
    return Question(
        Phrase(
            "The training points are the two numbers $x_1 = {p}$ with $y_1 = -1$ and $x_2 = {q}$ with $y_2 = 1$. "
            "A hard-margin SVM uses the features $\\varphi(x) = {features}$, so "
            "$f(x) = \\langle w, \\varphi(x)\\rangle + b$.",
            p=negative,
            q=positive,
            features=features,
        ),
        N_("Which w, which b and which distance between the margin lines in feature space does this SVM have?"),
        Numbers(
            (
                Number("$w_1$", w1, distinct(w1, *_of_w(w1, squared, width), *without(2 * linear / plain))),
                Number("$w_2$", w2, distinct(w2, *_of_w(w2, squared, width), *without(2 * squares / plain))),
                Number(
                    "$b$",
                    b,
                    distinct(
                        b,
                        *without(plain_b),
                        Mistake(-b, N_("The sign of b is wrong. The function must be 1 at the positive point.")),
                        Mistake(
                            b + 1,
                            N_("This makes f zero at the negative point. The SVM has f = −1 there."),
                        ),
                    ),
                ),
                Number(
                    N_("distance between the margin lines"),
                    width,
                    distinct(
                        width,
                        Mistake(width / 2, N_("This is the distance 1/‖w‖ from the boundary to one margin line.")),
                        Mistake(squared, N_("This is the squared distance of the two feature vectors.")),
                        Mistake(abs(linear), N_("This is the distance of the two numbers, not of their features.")),
                        *without(math.sqrt(plain)),
                    ),
                ),
            )
        ),
        (
            Hint(
                N_(
                    "With one point of each class, w is a multiple of φ(x₂) − φ(x₁). "
                    "The function is 1 at one point and −1 at the other."
                )
            ),
            hint,
        ),
        (
            Phrase(
                "The feature vectors differ by $d = ({d1}, {d2})$, and $\\|d\\|^2 = {squared}$.",
                d1=root(linear, root_square),
                d2=squares,
                squared=squared,
            ),
            Phrase(
                "$w = 2d/\\|d\\|^2 = ({w1}, {w2})$",
                w1=root(Fraction(2 * linear, squared), root_square),
                w2=Fraction(2 * squares, squared),
            ),
            Phrase(
                "The distance between the margin lines is $2/\\|w\\| = \\|d\\| = {width}$, and $b = -1 - \\langle w, "
                "\\varphi(x_1)\\rangle = {b}$.",
                width=root(1, squared),
                b=-1 - Fraction(2 * at_negative, squared),
            ),
        ),
    )


def _of_w(value: float, squared: int, width: float) -> tuple[Mistake, ...]:
    return (
        Mistake(value / 2, N_("The function grows from −1 to 1 between the two points, which is 2 and not 1.")),
        Mistake(value * squared / 2, N_("This is the difference of the features. It still needs the factor 2/‖d‖².")),
        Mistake(-value, N_("The vector w must point from the negative to the positive point.")),
        Mistake(value * width, N_("You divided by ‖d‖. The length of w must be 2/‖d‖, so divide by ‖d‖².")),
    )

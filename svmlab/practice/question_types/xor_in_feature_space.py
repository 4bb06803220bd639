"""The XOR problem: the plane of largest margin in a feature space, and its width."""

from __future__ import annotations

import math
from fractions import Fraction

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Mistake, Number, Numbers, Question, question_type
from svmlab.practice.tex import root

MARGIN = (
    Hint(N_("In feature space, a plane separates these two classes. Which plane is halfway between them?")),
    Hint(N_("The step on feature maps shows such a lift."), step="kernels.lift"),
)


@question_type(N_("XOR in feature space"), lesson="kernels", needs=("kernels.lift",), version=2)
def xor_in_feature_space(draw: Draw, difficulty: int) -> Question:
    """Return the question for centred points and x₁x₂ (1), for all quadratic features (2), or for corners at 0 (3)."""
    a, c = draw.whole(1, 6), draw.whole(1, 6)
    sign = draw.sign()
    draw.need(a != c)
    if difficulty == 3:
        return _corners(a, c, sign)
    # ⟨w, φ⟩ = sign · x₁x₂/(ac), because x₁x₂ = ±ac; nothing else differs between the classes
    square = 1 if difficulty == 1 else 2
    factor = math.sqrt(square)
    w, width = sign / (factor * a * c), 2 * factor * a * c
    if difficulty == 1:
        features, name = "(x_1, x_2, x_1x_2)", "$w_3$"
    else:
        features, name = "(x_1^2, \\sqrt2\\,x_1x_2, x_2^2)", "$w_2$"
    return Question(
        Phrase(
            "The points $({a}, {c})$ and $(-{a}, -{c})$ have the label ${y}$. The points $({a}, -{c})$ and "
            "$(-{a}, {c})$ have the label ${z}$. A hard-margin SVM uses the features $\\varphi(x) = {features}$, so "
            "$f(x) = \\langle w, \\varphi(x)\\rangle + b$.",
            a=a,
            c=c,
            y=sign,
            z=-sign,
            features=features,
        ),
        Phrase(
            "Which weight {name} belongs to the product feature, and how far are the margin planes apart "
            "in feature space?",
            name=name,
        ),
        Numbers(
            (
                Number(
                    name,
                    w,
                    (
                        Mistake(-w, N_("The sign is wrong. It decides which class gets a positive f.")),
                        Mistake(
                            w * factor * a * c,
                            N_("The function must be 1 or −1 at the points, so the value of the feature counts."),
                        ),
                        *(
                            (
                                Mistake(
                                    sign / (a * c), N_("The factor √2 of the product feature is missing in your w₂.")
                                ),
                                Mistake(
                                    math.sqrt(2) * sign / (a * c),
                                    N_("You multiplied by √2. The feature is √2 times as large, so divide by √2."),
                                ),
                            )
                            if difficulty == 2
                            else ()
                        ),
                        Mistake(w / 2, N_("The functional margin is 1 on both sides, so f changes by 2 in all.")),
                    ),
                ),
                Number(
                    N_("distance between the margin planes"),
                    width,
                    (
                        Mistake(width / 2, N_("This is the distance from the boundary to one margin plane.")),
                        *(
                            (Mistake(2 * a * c, N_("The factor √2 of the product feature is missing.")),)
                            if difficulty == 2
                            else ()
                        ),
                        Mistake(1 / width, N_("This is the reciprocal. The distance is 2 divided by the norm of w.")),
                        Mistake(
                            2 * min(a, c), N_("This is a distance in the plane of the points, not in feature space.")
                        ),
                    ),
                ),
            )
        ),
        MARGIN,
        (
            Phrase(
                "The product feature is ${high}$ for one class and $-{high}$ for the other.",
                high=root(a * c, square),
            ),
            N_(
                "The midpoints of the classes are the nearest points of the convex hulls. They differ in this feature "
                "alone, so $w$ has only this component and $b = 0$."
            ),
            Phrase(
                "The component is ${w}$, and $2/\\|w\\| = {width}$.",
                w=root(Fraction(sign, square * a * c), square),
                width=root(2 * a * c, square),
            ),
        ),
    )


def _corners(a: int, c: int, sign: int) -> Question:
    # f is ±1 at all four points, which are linearly independent together with the constant
    w = (-2 * sign / a, -2 * sign / c, 4 * sign / (a * c))
    norm = math.sqrt(sum(part * part for part in w))
    width = 2 / norm
    return Question(
        Phrase(
            "The points $(0, 0)$ and $({a}, {c})$ have the label ${y}$. The points $({a}, 0)$ and $(0, {c})$ have the "
            "label ${z}$. A hard-margin SVM uses the features $\\varphi(x) = (x_1, x_2, x_1x_2)$, so "
            "$f(x) = \\langle w, \\varphi(x)\\rangle + b$. All four points are support vectors.",
            a=a,
            c=c,
            y=sign,
            z=-sign,
        ),
        N_("Which b and which weights does this SVM have, and how far are the margin planes apart in feature space?"),
        Numbers(
            (
                Number(
                    "$b$",
                    sign,
                    (
                        Mistake(0, N_("The origin is a training point. There f = b, and f must be 1 or −1.")),
                        Mistake(-sign, N_("At the origin f = b, so b is the label of the origin.")),
                    ),
                ),
                Number("$w_1$", w[0], _of_axis(w[0], sign)),
                Number("$w_2$", w[1], _of_axis(w[1], sign)),
                Number(
                    "$w_3$",
                    w[2],
                    (
                        Mistake(-w[2], N_("The sign is wrong. Insert the point with both coordinates positive.")),
                        Mistake(
                            sign / (a * c),
                            N_(
                                "This holds if the corners lie at plus and minus these coordinates. Here one corner is "
                                "the origin."
                            ),
                        ),
                        Mistake(
                            w[2] / 2, N_("At the point with two positive coordinates, both w₁ and w₂ contribute to f.")
                        ),
                    ),
                ),
                Number(
                    N_("distance between the margin planes"),
                    width,
                    (
                        Mistake(width / 2, N_("This is the distance from the boundary to one margin plane.")),
                        Mistake(width**2 / 2, N_("You divided by ‖w‖². Take the square root first.")),
                        Mistake(norm, N_("This is the norm of w. The distance is 2 divided by it.")),
                    ),
                ),
            )
        ),
        MARGIN,
        (
            Phrase("At the origin $f = b = {b}$.", b=sign),
            Phrase(
                "At $({a}, 0)$ and at $(0, {c})$ the function is ${z}$, so $w_1 = {w1}$ and $w_2 = {w2}$.",
                a=a,
                c=c,
                z=-sign,
                w1=Fraction(-2 * sign, a),
                w2=Fraction(-2 * sign, c),
            ),
            Phrase(
                "At $({a}, {c})$ the function is ${y}$, so $w_3 = {w3}$, and $2/\\|w\\| = {width}$.",
                a=a,
                c=c,
                y=sign,
                w3=Fraction(4 * sign, a * c),
                # ‖w‖² = 4 (a² + c² + 4) / (ac)²
                width=root(Fraction(a * c, a * a + c * c + 4), a * a + c * c + 4),
            ),
        ),
    )


def _of_axis(value: float, sign: int) -> tuple[Mistake, ...]:
    return (
        Mistake(value / 2, N_("The function changes from one label to the other, which is 2 and not 1.")),
        Mistake(-value, N_("The sign is wrong. From the origin to this point, f changes to the other label.")),
        Mistake(0, N_("The weight is 0 only if the points are centred at 0. Here one of them is the origin.")),
    )

"""Entries of a Gram matrix, and the features of a kernel or of a sum of kernels."""

from __future__ import annotations

import math

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Mistake, Number, Numbers, Question, question_type
from svmlab.practice.tex import root

LARGEST = 200  # of the entries


@question_type(
    N_("Gram matrix and feature map"),
    lesson="kernels",
    needs={1: ("kernels.psd",), 2: ("kernels.psd",), 3: ("kernels.coordinates",)},
    version=2,
)
def gram_matrix(draw: Draw, difficulty: int) -> Question:
    """Return the question for K of one kernel (1), of a sum of kernels (2), or for the features of a sum (3)."""
    if difficulty == 3:
        return _features(draw)
    p1, q1, p2, q2 = (draw.whole(-3, 3, excluded=(0,)) for _ in range(4))
    c, d = draw.whole(1, 3), draw.whole(2, 4)
    with_sum = difficulty == 2
    products = {(1, 1): p1 * p1 + q1 * q1, (1, 2): p1 * p2 + q1 * q2, (2, 2): p2 * p2 + q2 * q2}
    draw.need(products[1, 2] != 0 and len(set(products.values())) == 3)
    numbers, lines = [], []
    for (i, j), s in products.items():
        value = (s + c) ** 2 + (d * s if with_sum else 0)
        draw.need(value != 0 and abs(value) <= LARGEST)
        mistakes = [
            Mistake(
                s**2 + c**2 + (d * s if with_sum else 0),
                N_("You squared the two terms one by one. The square of a sum also has the mixed term."),
            ),
            Mistake(s, N_("This is the inner product of the points. The kernel is a function of it.")),
        ]
        if with_sum:
            mistakes += [
                Mistake(
                    (s + c) ** 2, N_("This is the first kernel alone. The entries of both Gram matrices are added.")
                ),
                Mistake((s + c) ** 2 * d * s, N_("You multiplied the two kernels. Here they are added.")),
            ]
        else:
            mistakes.append(Mistake(s**2, N_("The constant inside the bracket is missing.")))
        numbers.append(Number(f"$K_{{{i}{j}}}$", value, tuple(mistakes)))
        lines.append(
            Phrase("$\\langle x_{i}, x_{j}\\rangle = {s}$, so $K_{{{i}{j}}} = {value}$.", i=i, j=j, s=s, value=value)
        )
    formula = f"(\\langle x, z\\rangle + {c})^2" + (f" + {d}\\langle x, z\\rangle" if with_sum else "")
    return Question(
        Phrase(
            "The points are $x_1 = ({p1}, {q1})$ and $x_2 = ({p2}, {q2})$. The kernel is $k(x, z) = {formula}$.",
            p1=p1,
            q1=q1,
            p2=p2,
            q2=q2,
            formula=formula,
        ),
        N_("Which entries K₁₁, K₁₂ and K₂₂ does the Gram matrix have?"),
        Numbers(tuple(numbers)),
        (
            Hint(N_("The entry K₁₂ is k(x₁, x₂). Compute the inner product of the two points first.")),
            Hint(N_("The step on positive semidefinite kernels explains the Gram matrix."), step="kernels.psd"),
        ),
        tuple(lines),
    )


def _features(draw: Draw) -> Question:
    a, c, d = draw.whole(2, 6), draw.whole(1, 6), draw.whole(1, 9)
    linear, product = math.sqrt(2 * a * c + d), math.sqrt(2 * a)
    return Question(
        Phrase(
            "The kernel $k(x, z) = {a}\\langle x, z\\rangle^2 + {linear}\\langle x, z\\rangle + {constant}$ of "
            "points in the plane is the inner product of the features ${root}\\,x_1^2$, "
            "${root}\\,x_2^2$, $e\\,x_1x_2$, $g\\,x_1$, $g\\,x_2$ and $h$.",
            a=a,
            root=root(1, a),
            linear=2 * a * c + d,
            constant=a * c * c,
        ),
        N_("Which positive coefficients e, g and h do these features have?"),
        Numbers(
            (
                Number(
                    "$e$",
                    product,
                    (
                        Mistake(
                            2 * a,
                            N_("This is the coefficient in the kernel. That of the feature is its square root."),
                        ),
                        Mistake(
                            math.sqrt(a), N_("The product x₁x₂ comes twice in the square, so the factor 2 is missing.")
                        ),
                    ),
                ),
                Number(
                    "$g$",
                    linear,
                    (
                        Mistake(
                            2 * a * c + d,
                            N_("This is the coefficient in the kernel. That of the feature is its square root."),
                        ),
                        Mistake(
                            math.sqrt(2 * (2 * a * c + d)),
                            N_("The factor 2 belongs to the product of two coordinates, not to one coordinate."),
                        ),
                    ),
                ),
                Number(
                    "$h$",
                    math.sqrt(a) * c,
                    (
                        Mistake(a * c * c, N_("This is the constant of the kernel. The feature is its square root.")),
                        Mistake(
                            (a * c * c) ** 2, N_("You squared the constant. The feature is its square root instead.")
                        ),
                    ),
                ),
            )
        ),
        (
            Hint(N_("Write out the kernel in x₁, x₂, z₁ and z₂. Each monomial is a product of two equal features.")),
            Hint(N_("The step on the polynomial kernel lists such features."), step="kernels.coordinates"),
        ),
        (
            Phrase(
                "The kernel contains $2\\cdot{a}\\,x_1x_2z_1z_2$, so $e = \\sqrt{{{twice}}} = {e:.4g}$.",
                a=a,
                twice=2 * a,
                e=product,
            ),
            Phrase("It contains ${linear}\\,x_1z_1$, so $g = {g:.4g}$.", linear=2 * a * c + d, g=linear),
            Phrase("The constant is ${constant}$, so $h = {h:.4g}$.", constant=a * c * c, h=math.sqrt(a) * c),
        ),
    )

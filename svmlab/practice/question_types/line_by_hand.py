"""The weight vector and the bias of the hard-margin SVM of three points, by hand."""

from __future__ import annotations

from fractions import Fraction
from math import gcd, lcm

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hard_margin import HardMargin, hard_margin
from svmlab.practice.hint import Hint
from svmlab.practice.question import Mistake, Number, Numbers, Question, distinct, question_type

LARGEST_DENOMINATOR = 13


@question_type(N_("w and b of three points by hand"), lesson="margin", needs=("M5",), version=2)
def line_by_hand(draw: Draw, difficulty: int) -> Question:
    """Return the question for a boundary parallel to an axis (1), any other (2), or only two support vectors (3)."""
    y = draw.sign()
    rows = tuple((draw.whole(-4, 4), draw.whole(-4, 4), label) for label in (y, -y, -y))
    draw.need(len({row[:2] for row in rows}) == 3)
    solution = hard_margin(rows)
    draw.need(solution is not None)
    assert solution is not None
    w1, w2 = solution.w
    draw.need(solution.margin_points_are_support_vectors and len(solution.support) == (2 if difficulty == 3 else 3))
    draw.need((w1 * w2 == 0) == (difficulty == 1) and solution.b != 0)
    draw.need(all(value.denominator <= LARGEST_DENOMINATOR for value in (w1, w2, solution.b)))
    names = {
        f"{name}{i}": value
        for i, row in enumerate(rows, start=1)
        for name, value in zip(("p", "q", "y"), row, strict=True)
    }
    return Question(
        Phrase(
            "Three training points are $x_1 = ({p1}, {q1})$ with $y_1 = {y1}$, $x_2 = ({p2}, {q2})$ with "
            "$y_2 = {y2}$, and $x_3 = ({p3}, {q3})$ with $y_3 = {y3}$. The hard-margin SVM has the decision function "
            "$f(x) = \\langle w, x\\rangle + b$, and its margin lines are $f(x) = 1$ and $f(x) = -1$.",
            **names,
        ),
        N_("What are $w$ and $b$ of the hard-margin SVM of the three points?"),
        Numbers(_fields(solution)),
        (
            Hint(
                N_(
                    "Find the support vectors first. The vector $w$ is orthogonal to the boundary, and $y f = 1$ at "
                    "each support vector."
                )
            ),
            Hint(N_("The statement on the canonical scaling explains why y f = 1 fixes w and b."), statement="M5"),
        ),
        _lines(solution),
    )


def _fields(solution: HardMargin) -> tuple[Number, ...]:
    w, b = solution.w, solution.b
    squared = solution.squared_norm
    difference = [2 * part / squared for part in w]  # between the nearest points of the two hulls
    unscaled = N_("The direction is right, but the length is not. Scale w and b so that y f = 1 at a support vector.")
    # (1, 1, 1) for (1/2, 1/2, 1/2): the multiple with the smallest whole numbers, and twice and half of w
    whole = lcm(*(part.denominator for part in w))
    scales = [Fraction(whole, gcd(*(int(part * whole) for part in w))), Fraction(2)]
    turned = N_("The sign is wrong. The vector w points to the side of class +1.")
    fields = [
        Number(
            Phrase("$w_{i}$", i=i + 1),
            float(w[i]),
            distinct(
                float(w[i]),
                Mistake(float(-w[i]), turned),
                Mistake(
                    float(difference[i]),
                    N_("The direction is right, but the length is not. Scale w so that y f = 1 at a support vector."),
                ),
                Mistake(
                    float(w[i] / 2),
                    N_("Between the margin lines f changes by 2, from −1 to 1. You let it change by 1."),
                ),
                Mistake(float(w[1 - i]), N_("This is the other component of w.")),
                *(Mistake(float(scale * w[i]), unscaled) for scale in (scales if w[i] else ())),
            ),
        )
        for i in (0, 1)
    ]
    bias = Number(
        "$b$",
        float(b),
        distinct(
            float(b),
            *(Mistake(float(scale * b), unscaled) for scale in scales),
            Mistake(float(-b), N_("The sign of b is wrong. Here $f(x) = \\langle w, x\\rangle + b$.")),
            Mistake(
                float(b + 1),
                N_("With this b the boundary would contain a support vector of class −1, where f must be −1."),
            ),
            Mistake(
                float(b - 1),
                N_("With this b the boundary would contain a support vector of class +1, where f must be 1."),
            ),
        ),
    )
    return (*fields, bias)


def _lines(solution: HardMargin) -> tuple[str, ...]:
    rows = solution.rows
    support = sorted(solution.support)
    lines: list[str] = []
    if len(support) == 2:
        other = next(i for i in (1, 2, 3) if i not in support)
        lines.append(
            Phrase(
                "The support vectors are $x_{i}$ and $x_{j}$. The vector $w$ is parallel to their difference.",
                i=support[0],
                j=support[1],
            )
        )
        last: str = Phrase(
            "At $x_{other}$ the functional margin is $y f = {margin}$. It is above 1, so this constraint is inactive.",
            other=other,
            margin=solution.margins[other - 1],
        )
    else:
        lines.append(
            Phrase(
                "All three points are support vectors. The points $x_2$ and $x_3$ lie on one margin line, so "
                "$w$ is orthogonal to $x_3 - x_2 = ({e1}, {e2})$.",
                e1=rows[2][0] - rows[1][0],
                e2=rows[2][1] - rows[1][1],
            )
        )
        last = N_("All three functional margins y f are 1.")
    lines.append(
        Phrase(
            "With this direction of $w$, the equations $y f = 1$ at the support vectors give $w = ({w1}, {w2})$ and $b "
            "= {b}$.",
            w1=solution.w[0],
            w2=solution.w[1],
            b=solution.b,
        )
    )
    return (*lines, last)

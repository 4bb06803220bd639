"""Complementary slackness and the box [0, C]: from a multiplier to the position of its point, and back."""

from __future__ import annotations

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Mistake, Number, Numbers, Question, in_order, question_type
from svmlab.practice.tex import signed

HINTS = (
    Hint(N_("Complementary slackness says αᵢ (yᵢ f(xᵢ) − 1 + ξᵢ) = 0 and (C − αᵢ) ξᵢ = 0.")),
    Hint(N_("The step on multipliers in the soft margin shows the three cases."), step="soft.places"),
)


@question_type(N_("KKT conditions and the box from 0 to C"), lesson="soft", needs=("soft.places",), version=2)
def kkt_box(draw: Draw, difficulty: int) -> Question:
    """Return the question for the position from α (1), for α from the position (2), or for a missing α (3)."""
    return (_position, _multiplier, _missing)[difficulty - 1](draw)


def _position(draw: Draw) -> Question:
    C = draw.one_of((0.5, 1, 2, 4, 5, 10))
    case = draw.whole(0, 2)
    alpha = (0, C * draw.one_of((1, 2, 3, 6, 7, 9)) / 10, C)[case]
    satisfying, on, violating = (
        N_("The functional margin y f(x) is at least 1."),
        N_("The functional margin y f(x) is exactly 1."),
        N_("The functional margin y f(x) is at most 1."),
    )
    why_satisfying = (
        N_("This is known if α is below C. A point with α = C may violate the margin.")
        if case == 2
        else N_("This is true, but more is known. The constraint is active, because α is positive.")
    )
    why_on = N_("This is known only for 0 < α < C. Here α is at an end of the box, so one inequality may be strict.")
    why_violating = (
        N_("This is known if α is positive. With α = 0 the slack is 0, so the point does not violate the margin.")
        if case == 0
        else N_("This is true, but more is known. The slack is 0, because α is below C.")
    )
    return Question(
        Phrase(
            "A soft-margin SVM was solved with $C = {C}$. A training point $x$ with label $y$ has the dual variable "
            "$\\alpha = {alpha}$.",
            C=_short(C),
            alpha=_short(alpha),
        ),
        N_("Which is the strongest statement about the functional margin of this point that the KKT conditions prove?"),
        in_order(
            (satisfying, on, violating)[case], (satisfying, why_satisfying), (on, why_on), (violating, why_violating)
        ),
        HINTS,
        (
            (
                N_("Because $\\alpha = 0$ is below $C$, the slack is 0."),
                N_("Because $\\alpha$ is positive and below $C$, the slack is 0 and the constraint is active."),
                N_("Because $\\alpha = C$ is positive, the constraint is active, so $y f(x) = 1 - \\xi$."),
            )[case],
            (satisfying, on, violating)[case],
        ),
    )


def _multiplier(draw: Draw) -> Question:
    C = draw.one_of((0.5, 1, 2, 3, 4, 5, 10))
    w1, w2 = draw.whole(-3, 3, excluded=(0,)), draw.whole(-3, 3, excluded=(0,))
    b, x1, x2, y = draw.whole(-4, 4, excluded=(0,)), draw.whole(-4, 4), draw.whole(-4, 4), draw.sign()
    f = w1 * x1 + w2 * x2 + b
    margin = y * f
    draw.need(abs(margin) <= 6 and margin not in (-1, 0, 1) and 1 - margin != C)
    draw.need(margin < 1 or draw.whole(1, 16) == 1)  # two answers that are 0 are rare
    alpha, xi = (C, 1 - margin) if margin < 1 else (0, 0)
    of_alpha = [
        Mistake(C if alpha == 0 else 0, N_("You confused the two cases. A point that violates the margin has α = C.")),
        Mistake(C / 2, N_("Between 0 and C the point would lie exactly on its margin line, with y f(x) = 1.")),
    ]
    of_xi = [
        Mistake(
            1 + margin,
            N_("You computed 1 − f(x). The label is y = −1, and the slack is 1 − y f(x).")
            if y < 0
            else N_("You computed 1 + f(x). The label is y = 1, and the slack is 1 − y f(x)."),
        ),
    ]
    if margin < 1:
        of_xi.append(Mistake(0, N_("The slack is positive, because y f(x) is below 1.")))
    else:
        of_xi.append(Mistake(1 - margin, N_("A slack is never negative. This point has y f(x) above 1.")))
    return Question(
        Phrase(
            "A soft-margin SVM was solved with $C = {C}$. It has $f(x) = \\langle w, x\\rangle + b$ with "
            "$w = ({w1}, {w2})$ and $b = {b}$. One of its training points is $x = ({x1}, {x2})$ with $y = {y}$.",
            C=_short(C),
            w1=w1,
            w2=w2,
            b=b,
            x1=x1,
            x2=x2,
            y=y,
        ),
        N_("How large are the dual variable α and the slack ξ of this point?"),
        Numbers((Number("$\\alpha$", alpha, tuple(of_alpha)), Number("$\\xi$", xi, tuple(of_xi)))),
        HINTS,
        (
            Phrase("$y f(x) = {margin}$", margin=margin),
            Phrase(
                "It is below 1, so $\\xi = 1 {minus} = {xi}$ and $\\alpha = C = {C}$.",
                minus=signed(-margin),
                xi=xi,
                C=_short(C),
            )
            if margin < 1
            else N_("It is above 1, so the constraint is inactive. Then $\\alpha = 0$ and $\\xi = 0$."),
        ),
    )


def _missing(draw: Draw) -> Question:
    C = draw.whole(4, 10)
    labels = draw.several_of((1, 1, 1, -1, -1), 5)
    known = [draw.one_of((0, C, draw.whole(1, C - 1))) for _ in range(4)]
    missing = -labels[4] * sum(y * a for y, a in zip(labels, known, strict=False))
    draw.need(0 < missing < C)
    alpha = [*known, missing]
    free = sum(0 < a < C for a in alpha)
    support = sum(a > 0 for a in alpha)
    bound = sum(a == C for a in alpha)
    draw.need(0 in alpha and bound > 0 and free != bound and missing not in (sum(known), free))
    return Question(
        Phrase(
            "A soft-margin SVM with a bias was solved with $C = {C}$. Its five training points have the labels "
            "$({y1}, {y2}, {y3}, {y4}, {y5})$ in this order. The first four dual variables are $\\alpha_1 = {a1}$, "
            "$\\alpha_2 = {a2}$, $\\alpha_3 = {a3}$ and $\\alpha_4 = {a4}$.",
            C=C,
            **{f"y{i}": y for i, y in enumerate(labels, start=1)},
            **{f"a{i}": a for i, a in enumerate(known, start=1)},
        ),
        N_("How large is α₅, and for how many of the five points do the KKT conditions prove y f(x) = 1?"),
        Numbers(
            (
                Number(
                    "$\\alpha_5$",
                    missing,
                    (
                        Mistake(-missing, N_("The sign is wrong. The sum Σ αᵢ yᵢ = 0 contains the label of point 5.")),
                        Mistake(C, N_("The bound C is only the largest possible value. Use Σ αᵢ yᵢ = 0.")),
                        Mistake(0, N_("Without point 5 the sum Σ αᵢ yᵢ is not 0, so α₅ is positive.")),
                    ),
                ),
                Number(
                    N_("number of points"),
                    free,
                    (
                        Mistake(
                            support,
                            N_("This is the number of support vectors. Those with α = C may violate the margin."),
                        ),
                        Mistake(bound, N_("These are the points with α = C. They may violate the margin.")),
                    ),
                    whole=True,
                ),
            )
        ),
        HINTS,
        (
            Phrase(
                "The first four terms of $\\sum_i \\alpha_i y_i = 0$ have the sum ${total}$, so "
                "$\\alpha_5 = {missing}$.",
                total=-labels[4] * missing,
                missing=missing,
            ),
            Phrase("The number of points with $0 < \\alpha_i < C$ is {free}. They satisfy $y f(x) = 1$.", free=free),
        ),
    )


def _short(value: float) -> int | float:
    """Return a whole number as an int, so that it is written without a point."""
    return int(value) if value == int(value) else round(value, 6)

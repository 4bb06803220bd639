"""The dual of the soft margin for three points, whose differences are orthogonal, solved by hand."""

from __future__ import annotations

from fractions import Fraction

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Mistake, Number, Numbers, Question, question_type
from svmlab.practice.tex import term


@question_type(N_("Dual variables of three points"), lesson="soft", needs=("duality.programs", "soft.places"))
def soft_dual_three_points(draw: Draw, difficulty: int) -> Question:
    """Return the question for the hard margin (1), for C that is reached (2), or for any C and directions (3)."""
    p, q, s, t = draw.whole(-2, 2), draw.whole(-2, 2), draw.whole(1, 4), draw.whole(1, 4)
    u = (draw.sign() * s, 0) if difficulty < 3 else (draw.sign() * draw.whole(1, 2), draw.sign() * draw.whole(1, 2))
    v = (0, draw.sign() * t) if difficulty < 3 else (-t * u[1], t * u[0])
    draw.need(difficulty < 3 or t in (2, 3))
    y = draw.sign()  # of the first point
    uu, vv = u[0] ** 2 + u[1] ** 2, v[0] ** 2 + v[1] ** 2
    draw.need(uu != vv)
    # w = -y (α₂ u + α₃ v) and α₁ = α₂ + α₃, so the dual is 2(α₂ + α₃) - (α₂² uu + α₃² vv)/2 under α₁ <= C
    free = Fraction(2, uu), Fraction(2, vv)
    reached = Fraction(0)
    if difficulty > 1:
        C = draw.one_of([Fraction(n, 20) for n in (1, 2, 4, 5, 8, 10, 12, 15, 20, 40)])
        draw.need(abs(C - sum(free)) > Fraction(1, 50) and (difficulty == 3 or sum(free) > C))
        reached = C if sum(free) > C else Fraction(0)
    if reached:
        alpha = reached * vv / (uu + vv), reached * uu / (uu + vv)
    else:
        alpha = free
    given = {"p1": p, "q1": q, "p2": p + u[0], "q2": q + u[1], "p3": p + v[0], "q3": q + v[1], "y": y, "z": -y}
    numbers = (
        Number(
            "$\\alpha_1$",
            float(sum(alpha)),
            (
                Mistake(
                    float(sum(free)) if reached else float(max(free)),
                    N_("This is the value of the hard margin. Here it is above the bound C.")
                    if reached
                    else N_("The constraint Σ αᵢ yᵢ = 0 adds the multipliers of the two other points."),
                ),
                Mistake(float(sum(alpha)) / 2, N_("The multiplier of point 1 equals the sum of the two others.")),
            ),
        ),
        Number("$\\alpha_2$", float(alpha[0]), _mistakes(alpha, free, reached)),
        Number("$\\alpha_3$", float(alpha[1]), _mistakes(alpha[::-1], free[::-1], reached)),
    )
    if difficulty == 1:
        situation = Phrase(
            "A linear hard-margin SVM with a bias has the training points $x_1 = ({p1}, {q1})$ with $y_1 = {y}$, "
            "$x_2 = ({p2}, {q2})$ with $y_2 = {z}$, and $x_3 = ({p3}, {q3})$ with $y_3 = {z}$.",
            **given,
        )
    else:
        situation = Phrase(
            "A linear soft-margin SVM with a bias minimises $\\tfrac12\\|w\\|^2 + C\\sum_i\\xi_i$ with $C = {C}$. The "
            "training points are $x_1 = ({p1}, {q1})$ with $y_1 = {y}$, $x_2 = ({p2}, {q2})$ with $y_2 = {z}$, and "
            "$x_3 = ({p3}, {q3})$ with $y_3 = {z}$.",
            C=float(C),
            **given,
        )
    return Question(
        situation,
        N_("Which dual variables α₁, α₂ and α₃ solve the dual problem?"),
        Numbers(numbers),
        (
            Hint(
                N_(
                    "The constraint Σ αᵢ yᵢ = 0 gives α₁ = α₂ + α₃. The vectors x₂ − x₁ and x₃ − x₁ are orthogonal, "
                    "so no product α₂α₃ is left."
                )
            ),
            Hint(N_("The step on multipliers in the soft margin shows what C limits."), step="soft.places")
            if difficulty > 1
            else Hint(N_("The step on the dual problem states what you maximise."), step="duality.programs"),
        ),
        _lines(alpha, free, reached, uu, vv, difficulty),
    )


def _mistakes(alpha: tuple[Fraction, ...], free: tuple[Fraction, ...], reached: Fraction) -> tuple[Mistake, ...]:
    """Return the known mistakes for the first of two multipliers."""
    swapped = Mistake(
        float(alpha[1]), N_("This is the multiplier of the other point. The nearer point has the larger one.")
    )
    if reached:
        return (
            swapped,
            Mistake(
                float(min(free[0], reached)),
                N_(
                    "You applied the bound C to this multiplier alone. The bound of point 1 limits the sum of the two "
                    "others."
                ),
            ),
            Mistake(float(reached / 2), N_("The bound C is not divided equally, because the distances differ.")),
        )
    return (
        swapped,
        Mistake(
            float(free[0]) / 2,
            N_("The linear part of the dual is α₁ + α₂ + α₃ = 2(α₂ + α₃), so a factor 2 is missing."),
        ),
    )


def _lines(
    alpha: tuple[Fraction, ...], free: tuple[Fraction, ...], reached: Fraction, uu: int, vv: int, difficulty: int
) -> tuple[str, ...]:
    first = Phrase(
        "With $\\alpha_1 = \\alpha_2 + \\alpha_3$ the dual objective is $2(\\alpha_2 + \\alpha_3) - "
        "\\tfrac12({squares})$.",
        squares=term(uu, "\\alpha_2^2", first=True) + " " + term(vv, "\\alpha_3^2"),
    )
    second = Phrase(
        "Without the bound C its maximum is at $\\alpha_2 = {a}$ and $\\alpha_3 = {b}$.", a=free[0], b=free[1]
    )
    if reached:
        third: str = Phrase(
            "Their sum ${total:.4g}$ is above $C$, so $\\alpha_1 = \\alpha_2 + \\alpha_3 = C$. "
            "Then ${left} = {right}$.",
            total=float(sum(free)),
            left=term(uu, "\\alpha_2", first=True),
            right=term(vv, "\\alpha_3", first=True),
        )
    elif difficulty > 1:
        third = Phrase("Their sum ${total:.4g}$ is below $C$, so the bound is inactive.", total=float(sum(free)))
    else:
        third = Phrase("A hard margin has no bound, so $\\alpha_1 = {total:.4g}$.", total=float(sum(free)))
    last = Phrase(
        "So $\\alpha_1 = {a:.4g}$, $\\alpha_2 = {b:.4g}$ and $\\alpha_3 = {c:.4g}$.",
        a=float(sum(alpha)),
        b=float(alpha[0]),
        c=float(alpha[1]),
    )
    return first, second, third, last

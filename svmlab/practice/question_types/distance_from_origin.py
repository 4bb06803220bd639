"""The distance of the decision boundary from the origin, or from a point."""

from __future__ import annotations

import math

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Mistake, Number, Numbers, Question, distinct, question_type

PYTHAGOREAN = ((3, 4), (4, 3), (6, 8), (8, 6), (5, 12), (12, 5))


@question_type(N_("Distance from the decision boundary"), lesson="margin", needs=("M1",), version=2)
def distance_from_origin(draw: Draw, difficulty: int) -> Question:
    """Return the question for the origin and a whole norm (1), any norm (2), or another point than the origin (3)."""
    if difficulty == 1:
        w1, w2 = (draw.sign() * part for part in draw.one_of(PYTHAGOREAN))
    else:
        w1, w2 = draw.whole(-6, 6, excluded=(0,)), draw.whole(-6, 6, excluded=(0,))
    b = draw.whole(-9, 9, excluded=(0,))
    u1, u2 = (0, 0) if difficulty < 3 else (draw.whole(-5, 5), draw.whole(-5, 5, excluded=(0,)))
    f, squared = w1 * u1 + w2 * u2 + b, w1 * w1 + w2 * w2
    draw.need(f != 0)
    norm = math.sqrt(squared)
    ask: str = N_("How far is the decision boundary f(x) = 0 from the origin?")
    if difficulty == 3:
        ask = Phrase("How far is the point $u = ({u1}, {u2})$ from the decision boundary f(x) = 0?", u1=u1, u2=u2)
    mistakes = [
        Mistake(abs(f), N_("This is |f| without the division by ‖w‖. The value f is a distance only if ‖w‖ = 1.")),
        Mistake(abs(f) / squared, N_("You divided by ‖w‖². The formula has the norm ‖w‖, so take the square root.")),
    ]
    if f < 0:
        mistakes.append(Mistake(f / norm, N_("This is the distance with its sign. A distance is the absolute value.")))
    if difficulty == 3:
        turned = abs(f - 2 * b) / norm
        mistakes.append(Mistake(turned, N_("The bias has the wrong sign. Here $f(x) = \\langle w, x\\rangle + b$.")))
    else:
        size = abs(w1) + abs(w2)
        candidates = (
            Mistake(abs(f) / size, N_("You divided by |w₁| + |w₂|. The norm is the root of w₁² + w₂².")),
            *(Mistake(abs(f / part), N_("You divided by one component of w. The norm has both.")) for part in (w1, w2)),
        )
        mistakes = list(distinct(abs(f) / norm, *mistakes, *candidates))
        mistakes.append(
            Mistake(1 / norm, N_("This is the distance from the boundary to a margin line. The origin lies elsewhere."))
        )
    return Question(
        Phrase(
            "A linear SVM has the decision function $f(x) = \\langle w, x\\rangle + b$ with $w = ({w1}, {w2})$ and "
            "$b = {b}$.",
            w1=w1,
            w2=w2,
            b=b,
        ),
        ask,
        Numbers((Number(N_("distance"), abs(f) / norm, tuple(mistakes)),)),
        (
            Hint(N_("The distance of a point $x$ from the boundary is $|f(x)|/\\|w\\|$. What is $f$ at this point?")),
            Hint(N_("The statement on the distance from the boundary explains the formula."), statement="M1"),
        ),
        (
            Phrase(
                "At this point $f = {f}$, and $\\|w\\| = \\sqrt{{{squared}}} = {norm:.4g}$.",
                f=f,
                squared=squared,
                norm=norm,
            ),
            Phrase("The distance is $|{f}|/\\|w\\| = {value:.4g}$.", f=f, value=abs(f) / norm),
        ),
    )

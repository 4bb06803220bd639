"""The distance between the two margin lines, 2/‖w‖."""

from __future__ import annotations

import math

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Mistake, Number, Numbers, Question, question_type
from svmlab.practice.tex import root

PYTHAGOREAN = ((3, 4), (4, 3), (6, 8), (8, 6), (5, 12), (12, 5))


@question_type(N_("Distance between the margin lines"), lesson="margin", needs=("margin.scaling",))
def margin_width(draw: Draw, difficulty: int) -> Question:
    """Return the question for w with a whole norm (1), any w (2), or the two margin lines as equations (3)."""
    if difficulty == 1:
        w1, w2 = (draw.sign() * part for part in draw.one_of(PYTHAGOREAN))
    else:
        w1, w2 = draw.whole(-6, 6, excluded=(0,)), draw.whole(-6, 6, excluded=(0,))
    b = draw.whole(-7, 7, excluded=(0,))
    squared = w1 * w1 + w2 * w2
    norm = math.sqrt(squared)
    shown = root(1, squared) if math.isqrt(squared) ** 2 == squared else f"{norm:.4g}"
    if difficulty < 3:
        width = 2 / norm
        situation = Phrase(
            "A linear SVM has the decision function $f(x) = \\langle w, x\\rangle + b$ with $w = ({w1}, {w2})$ and "
            "$b = {b}$. Its margin lines are $f(x) = 1$ and $f(x) = -1$.",
            w1=w1,
            w2=w2,
            b=b,
        )
        first = (
            Phrase("$\\|w\\| = \\sqrt{{{squared}}} = {norm}$", squared=squared, norm=shown),
            N_("The distance between the margin lines is $2/\\|w\\|$."),
        )
        half = Mistake(
            1 / norm, N_("This is the distance 1/‖w‖ from the boundary to one margin line. The other side counts too.")
        )
        unrooted = Mistake(
            2 / squared, N_("You divided by ‖w‖². The formula has the norm ‖w‖, so take the square root.")
        )
    else:
        gap = draw.whole(3, 9)  # between the two right sides
        width = gap / norm
        situation = Phrase(
            "The two margin lines of a linear SVM are $\\langle v, x\\rangle = {low}$ and "
            "$\\langle v, x\\rangle = {high}$ with $v = ({w1}, {w2})$.",
            w1=w1,
            w2=w2,
            low=b,
            high=b + gap,
        )
        first = (
            Phrase("The norm is $\\|v\\| = \\sqrt{{{squared}}} = {norm}$.", squared=squared, norm=shown),
            Phrase("The right sides differ by ${gap}$, and you divide this by the norm.", gap=gap),
        )
        half = Mistake(
            2 / norm,
            N_("The formula 2/‖w‖ holds for right sides 1 and −1. Here they differ by another number than 2."),
        )
        unrooted = Mistake(
            gap / squared, N_("You divided by the squared norm. Take the square root before you divide.")
        )
    return Question(
        situation,
        N_("How far are the two margin lines apart?"),
        Numbers(
            (
                Number(
                    N_("distance"),
                    width,
                    (
                        half,
                        unrooted,
                        Mistake(
                            norm,
                            N_("This is the norm of the normal vector. The larger it is, the smaller is the distance."),
                        ),
                    ),
                ),
            )
        ),
        (
            Hint(
                N_("The distance from $x$ to the line $f = 0$ is $|f(x)|/\\|w\\|$. How large is it on a margin line?")
            ),
            Hint(N_("The step on functional and geometric margins derives the width."), step="margin.scaling"),
        ),
        (*first, Phrase("The distance is ${width:.4g}$.", width=width)),
    )

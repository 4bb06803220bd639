"""The position of a point with a given functional margin, slack or distance."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Mistake, Number, Numbers, Question, distinct, question_type
from svmlab.practice.tex import signed, term

PYTHAGOREAN = ((3, 4), (4, 3), (6, 8), (8, 6), (5, 12), (12, 5))


@question_type(
    N_("Point with a given functional margin"),
    lesson="margin",
    needs={1: ("margin.scaling",), 2: ("margin.scaling", "soft.slack"), 3: ("margin.places",)},
    version=2,
)
def place_a_point(draw: Draw, difficulty: int) -> Question:
    """Return the question for a given y f (1), a given slack (2), or a given distance along the normal (3)."""
    y, b = draw.sign(), draw.whole(-6, 6, excluded=(0,))
    if difficulty == 3:
        return _along_the_normal(draw, y, b)
    w1, w2 = draw.whole(-4, 4, excluded=(0,)), draw.whole(-4, 4, excluded=(0,))
    first = draw.whole(-5, 5)
    target = Fraction(draw.whole(2, 12, excluded=(4,)), 4 if difficulty == 2 else 2)
    given = {"w1": w1, "w2": w2, "b": b, "p": first, "y": y}
    if difficulty == 1:
        draw.need(target != 1)
        margin = target
        shown, wanted = target, N_("At which $x_2$ is the functional margin $y f(x)$ of the point equal to ${target}$?")
    else:
        margin = 1 - target
        shown, wanted = target, N_("At which $x_2$ does the point have the slack $\\xi = {target}$?")
    f = y * margin
    value = (f - b - w1 * first) / Fraction(w2)
    draw.need(abs(value) <= 9 and value.denominator <= 16)
    if difficulty == 1:
        own = Mistake(
            float((y - b - w1 * first) / Fraction(w2)),
            N_("This point lies on its margin line, where y f = 1. The question asks for another value."),
        )
    else:
        own = Mistake(
            float((y * target - b - w1 * first) / Fraction(w2)),
            N_("You set y f = ξ. The slack is the amount by which y f is below 1, so y f = 1 − ξ."),
        )
    turned = (
        Mistake(
            float((-f - b - w1 * first) / Fraction(w2)),
            N_("You left out the label. Because y = −1, f(x) has the opposite sign of the functional margin y f(x)."),
        )
        if y < 0
        else Mistake(
            float((-f - b - w1 * first) / Fraction(w2)),
            N_("You set y f = ξ − 1. The slack is the amount by which y f is below 1, so y f = 1 − ξ.")
            if difficulty == 2
            else N_("The sign of f is wrong. With y = 1 the value f equals the functional margin y f."),
        )
    )
    of_slack = (
        (
            Mistake(
                float((-y * target - b - w1 * first) / Fraction(w2)),
                N_("You measured from the boundary. The slack is measured from the margin line of the class."),
            ),
        )
        if difficulty == 2
        else ()
    )
    mistakes = distinct(
        float(value),
        own,
        turned,
        *of_slack,
        Mistake(
            float((f + b - w1 * first) / Fraction(w2)),
            N_("The bias has the wrong sign. Here $f(x) = \\langle w, x\\rangle + b$."),
        ),
    )
    return Question(
        Phrase(
            "A linear SVM has the decision function $f(x) = \\langle w, x\\rangle + b$ with $w = ({w1}, {w2})$ and "
            "$b = {b}$. A training point $x = ({p}, x_2)$ has the label $y = {y}$. You can choose its second "
            "coordinate $x_2$.",
            **given,
        ),
        Phrase(wanted, target=shown),
        Numbers((Number("$x_2$", float(value), mistakes),)),
        (
            Hint(N_("Which value must $f(x)$ have? Solve $w_1 x_1 + w_2 x_2 + b = f$ for $x_2$.")),
            Hint(N_("The step on functional and geometric margins explains y f."), step="margin.scaling")
            if difficulty == 1
            else Hint(N_("The step on slack and hinge loss explains the formula."), step="soft.slack"),
        ),
        (
            Phrase("The functional margin must be $y f(x) = {margin}$, so $f(x) = {f}$.", margin=margin, f=f),
            Phrase(
                "The equation ${sum} = {f}$ gives $x_2 = {value}$.",
                sum=f"{w1 * first} {term(w2, 'x_2')} {signed(b)}",
                f=f,
                value=value,
            ),
        ),
    )


def _along_the_normal(draw: Draw, y: int, b: int) -> Question:
    w1, w2 = (draw.sign() * part for part in draw.one_of(PYTHAGOREAN))
    squared = w1 * w1 + w2 * w2
    norm = isqrt(squared)
    # The foot is a whole point of the boundary, so b follows from it.
    foot = draw.whole(-3, 3, excluded=(0,)), draw.whole(-3, 3, excluded=(0,))
    b = -(w1 * foot[0] + w2 * foot[1])
    draw.need(b != 0)
    distance = draw.whole(2, 4)
    margin = distance * norm
    step = [Fraction(y * distance * part, norm) for part in (w1, w2)]
    value = [start + move for start, move in zip(foot, step, strict=True)]
    fields = [
        Number(
            Phrase("$x_{i}$", i=i),
            float(end),
            distinct(
                float(end),
                Mistake(
                    float(start - move), N_("This point lies on the side of the other class. Follow y w, not −y w.")
                ),
                Mistake(
                    float(start + move * norm),
                    N_("You moved by a multiple of w itself. Divide w by its norm to get a step of length 1."),
                ),
                Mistake(
                    float(start + move / norm),
                    N_("You set y f equal to the distance. The distance is y f divided by ‖w‖."),
                ),
            ),
        )
        for i, start, move, end in zip((1, 2), foot, step, value, strict=True)
    ]
    return Question(
        Phrase(
            "A linear SVM has the decision function $f(x) = \\langle w, x\\rangle + b$ with $w = ({w1}, {w2})$ and "
            "$b = {b}$. The point $q = ({q1}, {q2})$ lies on its boundary. A training point $x$ with the label "
            "$y = {y}$ is classified correctly. It lies at distance ${distance}$ from the boundary, and its "
            "nearest point on the boundary is $q$.",
            w1=w1,
            w2=w2,
            b=b,
            q1=foot[0],
            q2=foot[1],
            y=y,
            distance=distance,
        ),
        N_("What are the coordinates of the point $x$?"),
        Numbers(tuple(fields)),
        (
            Hint(
                N_("The shortest connection is orthogonal to the boundary, so it is parallel to $w$. How long is it?")
            ),
            Hint(N_("The step on distance and functional margin shows both on the board."), step="margin.places"),
        ),
        (
            Phrase(
                "$\\|w\\| = {norm}$, so the functional margin is $y f(x) = {distance}\\cdot{norm} = {margin}$.",
                norm=norm,
                distance=distance,
                margin=margin,
            ),
            Phrase(
                "$x = q + y\\cdot{distance}\\cdot w/\\|w\\| = ({a}, {c})$", distance=distance, a=value[0], c=value[1]
            ),
        ),
    )

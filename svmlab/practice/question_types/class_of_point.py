"""The value of the decision function at a point, and its class, from w and b or from the multipliers."""

from __future__ import annotations

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Mistake, Number, Numbers, Question, question_type

Vector = tuple[int, int]


@question_type(N_("Class of a new point"), lesson="start", needs=("start.points",), version=2)
def class_of_point(draw: Draw, difficulty: int) -> Question:
    """Return the question for small numbers (1), larger ones (2), or three support vectors with their α (3)."""
    first: tuple[Phrase, ...] = ()
    extra: tuple[Mistake, ...] = ()
    reach = 3 if difficulty == 1 else 8
    u1, u2 = draw.whole(-reach, reach), draw.whole(-reach, reach)
    b = draw.whole(-reach, reach, excluded=(0,))
    if difficulty < 3:
        w1, w2 = draw.whole(-reach, reach, excluded=(0,)), draw.whole(-reach, reach, excluded=(0,))
        situation = Phrase(
            "A linear SVM has the decision function $f(x) = \\langle w, x\\rangle + b$ with $w = ({w1}, {w2})$ and "
            "$b = {b}$. A new point is at $u = ({u1}, {u2})$.",
            w1=w1,
            w2=w2,
            b=b,
            u1=u1,
            u2=u2,
        )
    else:
        alpha = (draw.whole(1, 3), draw.whole(1, 3))
        alphas = (*alpha, sum(alpha))
        y = draw.sign()
        labels = (y, y, -y)
        points = tuple((draw.whole(-4, 4), draw.whole(-4, 4)) for _ in labels)
        draw.need(len(set(points)) == 3)
        w1, w2 = _normal(alphas, labels, points)
        draw.need((w1, w2) != (0, 0))
        names = {
            f"{name}{i}": value
            for i, row in enumerate(zip(alphas, labels, points, strict=True), start=1)
            for name, value in zip(("alpha", "y", "p", "q"), (row[0], row[1], *row[2]), strict=True)
        }
        situation = Phrase(
            "The dual form $f(x) = \\sum_i \\alpha_i y_i \\langle x_i, x\\rangle + b$ has three terms: "
            "$x_1 = ({p1}, {q1})$ with $y_1 = {y1}$ and "
            "$\\alpha_1 = {alpha1}$, $x_2 = ({p2}, {q2})$ with $y_2 = {y2}$ and $\\alpha_2 = {alpha2}$, "
            "$x_3 = ({p3}, {q3})$ with $y_3 = {y3}$ and $\\alpha_3 = {alpha3}$. "
            "The bias is $b = {b}$. A new point is at "
            "$u = ({u1}, {u2})$.",
            **names,
            b=b,
            u1=u1,
            u2=u2,
        )
        first = (Phrase("$w = \\sum_i \\alpha_i y_i x_i = ({w1}, {w2})$", w1=w1, w2=w2),)
        v1, v2 = _normal(alphas, (1, 1, 1), points)
        extra = (
            Mistake(v1 * u1 + v2 * u2 + b, N_("You left out the labels. Each term of the sum contains its label yᵢ.")),
        )
    inner = w1 * u1 + w2 * u2
    f = inner + b
    draw.need(abs(f) > 1 and (u1, u2) != (0, 0))
    sign = 1 if f > 0 else -1
    return Question(
        situation,
        N_("What is $f(u)$, and which class, +1 or −1, does the SVM predict for $u$?"),
        Numbers(
            (
                Number(
                    "$f(u)$",
                    f,
                    (
                        Mistake(inner - b, N_("The bias has the wrong sign. Here $f(x) = \\langle w, x\\rangle + b$.")),
                        Mistake(inner, N_("You left out the bias b.")),
                        *extra,
                    ),
                ),
                Number(
                    N_("class"),
                    sign,
                    (
                        Mistake(
                            -sign,
                            N_("The class is the sign of the right f(u), which is positive.")
                            if f > 0
                            else N_("The class is the sign of the right f(u), which is negative."),
                        ),
                    ),
                    whole=True,
                ),
            )
        ),
        (
            Hint(
                N_("Multiply the coordinates of $w$ and $u$ in pairs, and add $b$. The sign of the sum is the class.")
            ),
            Hint(N_("The step on classifying a new point shows this on the board."), step="start.points"),
        ),
        (
            *first,
            Phrase("$\\langle w, u\\rangle = {inner}$", inner=inner),
            Phrase("$f(u) = {inner} {b:+d} = {f}$, so the class is ${sign:+d}$.", inner=inner, b=b, f=f, sign=sign),
        ),
    )


def _normal(alpha: tuple[int, ...], y: tuple[int, ...], points: tuple[Vector, ...]) -> Vector:
    """Return w = sum_i alpha_i y_i x_i."""
    rows = list(zip(alpha, y, points, strict=True))
    return sum(a * label * x[0] for a, label, x in rows), sum(a * label * x[1] for a, label, x in rows)

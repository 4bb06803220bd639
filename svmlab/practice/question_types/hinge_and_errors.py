"""The sum of the hinge losses of a few points beside the number of their errors, which it is never below."""

from __future__ import annotations

from fractions import Fraction

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Mistake, Number, Numbers, Question, question_type

N = 5  # points


@question_type(
    N_("Hinge losses and training errors"),
    lesson="losses",
    needs={1: ("losses.errors",), 2: ("losses.errors",), 3: ("losses.errors", "losses.curves")},
)
def hinge_and_errors(draw: Draw, difficulty: int) -> Question:
    """Return the question for the sum of the hinge losses (1), for both sums (2), or for their difference (3)."""
    y = [draw.sign() for _ in range(N)]
    draw.need(len(set(y)) == 2)
    margins = _margins(draw, has_tie=difficulty > 1)
    f = [label * margin for label, margin in zip(y, margins, strict=True)]
    given: dict[str, object] = {f"y{i}": label for i, label in enumerate(y, start=1)}
    if difficulty < 3:
        given |= {f"f{i}": _number(value) for i, value in enumerate(f, start=1)}
        situation: str = Phrase(
            "At five training points, a decision function has the values $f(x_1) = {f1}$, $f(x_2) = {f2}$, "
            "$f(x_3) = {f3}$, $f(x_4) = {f4}$ and $f(x_5) = {f5}$. The labels are $y_1 = {y1}$, $y_2 = {y2}$, "
            "$y_3 = {y3}$, $y_4 = {y4}$ and $y_5 = {y5}$.{tie}",
            tie=Phrase(" A point with $f(x) = 0$ counts as an error.") if difficulty == 2 else "",
            **given,
        )
    else:
        w, root = draw.sign() * Fraction(draw.one_of((1, 2, 4)), 2), draw.whole(-3, 3, excluded=(0,))
        x = [root + value / w for value in f]
        draw.need(len(set(x)) == N)
        given |= {"w": _number(w), "b": _number(-w * root)}
        given |= {f"x{i}": _number(value) for i, value in enumerate(x, start=1)}
        situation = Phrase(
            "The decision function $f(x) = \\langle w, x\\rangle + b$ on the real line has $w = {w}$ and $b = {b}$. "
            "The training points are $x_1 = {x1}$, $x_2 = {x2}$, $x_3 = {x3}$, $x_4 = {x4}$ and $x_5 = {x5}$. Their "
            "labels are $y_1 = {y1}$, $y_2 = {y2}$, $y_3 = {y3}$, $y_4 = {y4}$ and $y_5 = {y5}$. A point with "
            "$f(x) = 0$ counts as an error.",
            **given,
        )
    losses = [max(Fraction(0), 1 - m) for m in margins]
    total, errors = _hinges(margins), sum(m <= 0 for m in margins)
    of_total = Number(N_("sum of the hinge losses"), float(total), _sum_mistakes(f, margins))
    of_errors = Number(N_("number of training errors"), errors, _error_mistakes(margins), whole=True)
    solution = [
        Phrase("In this order, $y_i f(x_i)$ is ${margins}$.", margins=_listed(margins)),
        Phrase(
            "The hinge losses $\\max(0, 1 - y_i f(x_i))$ are ${losses}$, and their sum is ${total}$.",
            losses=_listed(losses),
            total=_number(total),
        ),
    ]
    if difficulty > 1:
        solution.append(Phrase("For {n} of the points, $y_i f(x_i) \\le 0$. These are the training errors.", n=errors))
    if difficulty == 3:
        solution.append(
            Phrase(
                "The difference is ${total} - {n} = {gap}$. It cannot be negative, because no hinge loss is below the "
                "0–1 loss.",
                total=_number(total),
                n=errors,
                gap=_number(total - errors),
            )
        )
    asks = (
        N_("How large is the sum of the hinge losses of the five points?"),
        N_("How large are the number of training errors and the sum of the hinge losses of the five points?"),
        N_("How much larger is the sum of the hinge losses than the number of training errors of the five points?"),
    )
    fields = (
        (of_total,),
        (of_errors, of_total),
        (Number(N_("difference"), float(total - errors), _gap_mistakes(margins)),),
    )
    return Question(
        situation,
        asks[difficulty - 1],
        Numbers(fields[difficulty - 1]),
        (
            Hint(N_("First compute $y f(x)$ for each point. Which losses does a point have at this value?")),
            Hint(N_("The step on 0–1 loss and hinge loss compares both losses."), step="losses.errors"),
        ),
        tuple(solution),
    )


def _margins(draw: Draw, has_tie: bool) -> list[Fraction]:
    """Return y f of a point beyond its margin line, one before it, an error, perhaps a tie, and any others."""
    twice = [draw.whole(3, 6), 1, draw.whole(-6, -1), *([0] if has_tie else [])]
    twice += [draw.whole(-6, 6, excluded=(0, 2)) for _ in range(N - len(twice))]
    return [Fraction(value, 2) for value in draw.several_of(twice, N)]


def _number(value: Fraction) -> int | float:
    """Return a whole number as an int, so that it is written without a point."""
    return int(value) if value == int(value) else float(value)


def _listed(values: list[Fraction]) -> str:
    return ",\\; ".join(f"{float(value):g}" for value in values)


def _hinges(margins: list[Fraction]) -> Fraction:
    return sum((max(Fraction(0), 1 - m) for m in margins), Fraction(0))


def _sum_mistakes(f: list[Fraction], margins: list[Fraction]) -> tuple[Mistake, ...]:
    return (
        Mistake(
            float(sum(1 - m for m in margins)),
            N_("You added 1 − y f(x) for every point. Where it is negative, the hinge loss is 0."),
        ),
        Mistake(
            float(_hinges([m for m in margins if m <= 0])),
            N_("You added only the losses of the errors. A correct point with y f(x) below 1 has a loss, too."),
        ),
        Mistake(
            float(_hinges([m + 1 for m in margins])),
            N_("You added max(0, −y f(x)), the perceptron loss. The hinge loss is positive for all y f(x) below 1."),
        ),
        Mistake(float(_hinges(f)), N_("You added max(0, 1 − f(x)). The hinge loss depends on y f(x).")),
    )


def _error_mistakes(margins: list[Fraction]) -> tuple[Mistake, ...]:
    return (
        Mistake(
            sum(m < 0 for m in margins), N_("One point has the value f(x) = 0, and it counts as an error here, too.")
        ),
        Mistake(
            sum(m < 1 for m in margins),
            N_("You counted all points with a positive hinge loss. Some of them have the right sign of f(x)."),
        ),
    )


def _gap_mistakes(margins: list[Fraction]) -> tuple[Mistake, ...]:
    total, errors = _hinges(margins), sum(m <= 0 for m in margins)
    return (
        Mistake(float(total), N_("This is the sum of the hinge losses. Subtract the number of training errors.")),
        Mistake(
            float(total - sum(m < 0 for m in margins)),
            N_("One point has the value f(x) = 0, and it counts as an error here, too."),
        ),
        Mistake(
            float(total - sum(m < 1 for m in margins)),
            N_("You subtracted 1 for each positive hinge loss. Some of these points have the right sign of f(x)."),
        ),
        Mistake(
            float(_hinges([m for m in margins if m <= 0]) - errors),
            N_("You added only the losses of the errors. A correct point with y f(x) below 1 has a loss, too."),
        ),
    )

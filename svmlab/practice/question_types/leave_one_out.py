"""The leave-one-out error, and its upper bound from the number of support vectors."""

from __future__ import annotations

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Mistake, Number, Numbers, Question, question_type

HINT = Hint(N_("The step on the leave-one-out bound deletes each point in turn."), step="generalisation.leave-one-out")
BOUND_LINE = N_(
    "A point with α = 0 has y f(x) ≥ 1, and nothing changes without it. So it is classified correctly when it is left "
    "out."
)


@question_type(N_("Leave-one-out error"), lesson="generalisation", needs=("generalisation.leave-one-out",), version=2)
def leave_one_out(draw: Draw, difficulty: int) -> Question:
    """Return the question for the bound from counts (1), or for bound and error of points on a line (2, 3)."""
    if difficulty == 1:
        return _from_counts(draw)
    return _on_a_line(draw, 2 if difficulty == 2 else 3)


def _from_counts(draw: Draw) -> Question:
    m, free, at_bound = 10 * draw.whole(4, 20), draw.whole(2, 9), draw.whole(3, 15)
    errors = draw.whole(1, at_bound - 1)
    support = free + at_bound
    return Question(
        Phrase(
            "A soft-margin SVM was trained on {m} points. It has {free} free support vectors with $0 < \\alpha < C$, "
            "and {at_bound} with $\\alpha = C$. The number of its training errors is {errors}.",
            m=m,
            free=free,
            at_bound=at_bound,
            errors=errors,
        ),
        N_("Which upper bound for the leave-one-out error follows from the number of support vectors?"),
        Numbers(
            (
                Number(
                    N_("bound"),
                    support / m,
                    (
                        Mistake(
                            at_bound / m, N_("Free support vectors count too. The boundary depends on all of them.")
                        ),
                        Mistake(free / m, N_("Points with α = C are support vectors too, because their α is not 0.")),
                        Mistake(
                            errors / m, N_("This is the training error. Other points can become errors when left out.")
                        ),
                        Mistake(
                            1 - support / m,
                            N_("This is the fraction of the points with α = 0, which cannot become errors."),
                        ),
                        Mistake(support, N_("This is a number of points. The error is a fraction of all points.")),
                    ),
                ),
            )
        ),
        (Hint(N_("Which points change nothing if you delete them? All others can be errors when left out.")), HINT),
        (
            BOUND_LINE,
            Phrase(
                "The bound is the number of support vectors divided by the number of points: "
                "$({free} + {at_bound})/{m} = {value:.4g}$.",
                free=free,
                at_bound=at_bound,
                m=m,
                value=support / m,
            ),
        ),
    )


def _on_a_line(draw: Draw, each: int) -> Question:
    """Return the question for `each` points in one class and one more in the other, in random order if each is 3."""
    positions = sorted(draw.several_of(range(-12, 13), 2 * each + 1))
    n = each + draw.whole(0, 1)  # points of the class to the left
    left, right = positions[:n], positions[n:]
    inner = left[-1], right[0]
    middles = (left[-2] + inner[1]) / 2, (inner[0] + right[1]) / 2
    draw.need(inner[0] != middles[0] and inner[1] != middles[1])
    wrong = int(inner[0] > middles[0]), int(inner[1] < middles[1])
    m, errors = len(positions), sum(wrong)
    draw.need(errors == 1 or draw.whole(1, 4 if errors == 0 else 16) == 1)
    of_left = draw.sign() if each == 3 else -1
    minus, plus = (left, right) if of_left == -1 else (right, left)
    if each == 3:
        minus, plus = draw.several_of(minus, len(minus)), draw.several_of(plus, len(plus))
    mistakes: list[Mistake] = []
    if errors < 2:
        mistakes.append(
            Mistake(
                2 / m, N_("This is only the upper bound. Check for each support vector whether it becomes an error.")
            )
        )
    if errors:
        mistakes += [
            Mistake(0.0, N_("This is the training error. A support vector can be an error when it is left out.")),
            Mistake(errors / 2, N_("You divided by the number of support vectors. Each point is left out once.")),
            Mistake(errors, N_("This is a number of points. The error is a fraction of all points, so divide by m.")),
        ]
    return Question(
        Phrase(
            "The points are numbers on a line. Those of class −1 are ${minus}$, and those of class +1 are ${plus}$. A "
            "linear hard-margin SVM is trained on them. The leave-one-out error is the fraction of the points that are "
            "misclassified when they are left out.",
            minus=", ".join(map(str, minus)),
            plus=", ".join(map(str, plus)),
        ),
        N_(
            "Which bound for the leave-one-out error follows from the number of support vectors, "
            "and how large is that error?"
        ),
        Numbers(
            (
                Number(
                    N_("bound"),
                    2 / m,
                    (
                        Mistake(2.0, N_("This is the number of support vectors. Divide it by the number of points.")),
                        Mistake(
                            1 - 2 / m, N_("This is the fraction of the points with α = 0, which cannot become errors.")
                        ),
                    ),
                ),
                Number(N_("leave-one-out error"), errors / m, tuple(mistakes)),
            )
        ),
        (
            Hint(N_("The boundary lies midway between the two closest points of different classes. Leave out each.")),
            HINT,
        ),
        (
            Phrase("The support vectors are ${a}$ and ${b}$. {why}", a=inner[0], b=inner[1], why=BOUND_LINE),
            Phrase(
                "Without ${a}$ the boundary is at ${at:g}$, so ${a}$ is {how}.",
                a=inner[0],
                at=middles[0],
                how=_outcome(wrong[0]),
            ),
            Phrase(
                "Without ${b}$ the boundary is at ${at:g}$, so ${b}$ is {how}.",
                b=inner[1],
                at=middles[1],
                how=_outcome(wrong[1]),
            ),
            Phrase(
                "The bound is $2/{m}$ and the leave-one-out error is ${error}$.",
                m=m,
                error=f"{errors}/{m}" if errors else 0,
            ),
        ),
    )


def _outcome(wrong: int) -> str:
    return N_("an error") if wrong else N_("classified correctly")

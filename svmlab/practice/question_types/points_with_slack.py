"""The points of a board whose slack is above 1, or between 0 and 1, for a given line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.board import Board, BoardPoint
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Boundary, Points, Question, WrongPoints, question_type

NUMBER_OF_POINTS = 8


@question_type(N_("Points by their slack"), lesson="soft", needs=("soft.slack",))
def points_with_slack(draw: Draw, difficulty: int) -> Question:
    """Return the question for ξ > 1 with a vertical line (1) or any line (2), or for 0 < ξ < 1 (3)."""
    v1 = 2 * draw.sign() if difficulty == 1 else draw.whole(-2, 2, excluded=(0,))
    v2 = 0 if difficulty == 1 else draw.whole(-2, 2, excluded=(0, v1, -v1))
    c = draw.whole(-3, 3) if difficulty > 1 else draw.one_of((-3, -1, 1, 3))
    # twice the value of f at each grid point where it is neither 0 nor 1 nor -1
    twice = {(i, j): v1 * i + v2 * j + c for i in range(-4, 5) for j in range(-3, 4)}
    positions = [x for x, value in twice.items() if abs(value) <= 8 and value not in (-2, 0, 2)]
    rows: list[BoardPoint] = []
    margins: list[float] = []
    for x1, x2 in draw.several_of(positions, NUMBER_OF_POINTS):
        y = draw.sign()
        rows.append((x1, x2, y))
        margins.append(y * twice[x1, x2] / 2)
    above = _numbers(margins, lambda m: m < 0)
    between = _numbers(margins, lambda m: 0 < m < 1)
    positive = _numbers(margins, lambda m: m < 1)
    strip = _numbers(margins, lambda m: abs(m) < 1)
    draw.need(2 <= len(above) <= 4 and bool(between) and strip not in (above, between))
    without_slack = _numbers(margins, lambda m: m > 1)
    draw.need(bool(without_slack))
    wrong = [
        WrongPoints(
            positive,
            N_(
                "These points have a positive slack. The slack is below 1 where y f(x) > 0, and above 1 where y f(x) < "
                "0."
            ),
        ),
        WrongPoints(
            strip,
            N_(
                "These points lie between the margin lines. Those on their own side of the line f = 0 have a slack "
                "below 1, and the others have a slack above 1."
            ),
        ),
        WrongPoints(
            without_slack, N_("These points lie beyond the margin line of their own class, so their slack is 0.")
        ),
    ]
    if difficulty < 3:
        ask = N_("Which points have a slack ξ above 1?")
        wrong.append(
            WrongPoints(between, N_("Their slack is between 0 and 1. The line still classifies them correctly."))
        )
        right = above
        idea = N_("Which sign does y f(x) have when the slack ξ is above 1?")
        reason = N_("The slack is above 1 if and only if $y f(x) < 0$, so the line misclassifies the point.")
    else:
        ask = N_("Which points have a slack ξ strictly between 0 and 1?")
        wrong.append(WrongPoints(above, N_("The line misclassifies these points, so their slack is above 1.")))
        right = between
        idea = N_("Between which numbers is y f(x) when the slack ξ is between 0 and 1?")
        reason = N_("The slack is between 0 and 1 if and only if $0 < y f(x) < 1$.")
    return Question(
        Phrase(
            "The line $f(x) = \\langle w, x\\rangle + b = 0$ has $w = ({w1}, {w2})$ and $b = {b}$. The discs have "
            "the label 1 and the squares have the label −1. The slack of a point is $\\xi = \\max(0, 1 - y f(x))$.",
            w1=_short(v1 / 2),
            w2=_short(v2 / 2),
            b=_short(c / 2),
        ),
        ask,
        Points(right, tuple(wrong)),
        (Hint(idea), Hint(N_("The step on slack, distance and hinge loss explains the values."), step="soft.slack")),
        (
            reason,
            Phrase(
                "In the order of the points, $y f(x)$ is ${margins}$.",
                margins=",\\; ".join(str(_short(m)) for m in margins),
            ),
            Phrase("The right points have the numbers {points}.", points=", ".join(map(str, sorted(right)))),
        ),
        Board(tuple(rows)),
        (Boundary(v1 / 2, v2 / 2, c / 2),),
    )


def _numbers(margins: Sequence[float], holds: Callable[[float], bool]) -> frozenset[int]:
    return frozenset(i for i, margin in enumerate(margins, start=1) if holds(margin))


def _short(value: float) -> int | float:
    """Return a whole number as an int, so that it is written without a point."""
    return int(value) if value == int(value) else value

"""How a multiplier changes when one point moves: larger, smaller, or not at all."""

from __future__ import annotations

import math
from fractions import Fraction

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.board import Board
from svmlab.practice.draw import Draw
from svmlab.practice.hard_margin import HardMargin, hard_margin, separated_points
from svmlab.practice.hint import Hint
from svmlab.practice.question import Boundary, Question, in_order, question_type

LARGER, SMALLER, SAME = N_("It becomes larger."), N_("It becomes smaller."), N_("It stays the same.")
LARGEST_COORDINATE = 6  # of the coordinates after the move
CLEARLY = 1.1  # the ratio of a multiplier to its value before the move, or its inverse


@question_type(N_("Multiplier α when a point moves"), lesson="duality", needs=("duality.sum",))
def alpha_after_move(draw: Draw, difficulty: int) -> Question:
    """Return the question for two support vectors (1), three and any move (2), or a move along a margin line (3)."""
    rows = separated_points(draw, 5 if difficulty == 1 else 6, 4)
    before = hard_margin(rows)
    draw.need(before is not None)
    assert before is not None
    draw.need(before.margin_points_are_support_vectors and len(before.support) == (2 if difficulty == 1 else 3))
    wanted = draw.one_of((LARGER, SMALLER, SAME))
    idle = [i for i in range(1, len(rows) + 1) if i not in before.support]
    moved = draw.one_of(idle if wanted == SAME and difficulty < 3 else sorted(before.support))
    x = rows[moved - 1]
    step = _along(before) if difficulty == 3 else (draw.whole(-2, 2), draw.whole(-2, 2))
    times = draw.one_of((-3, -2, -1, 1, 2, 3)) if difficulty == 3 else 1
    to = x[0] + times * step[0], x[1] + times * step[1]
    draw.need(step != (0, 0) and max(map(abs, to)) <= LARGEST_COORDINATE and to not in [row[:2] for row in rows])
    after = hard_margin([(*to, x[2]) if i == moved else row for i, row in enumerate(rows, start=1)])
    draw.need(after is not None)
    assert after is not None
    draw.need(after.margin_points_are_support_vectors and after.support == before.support)
    suitable = [i for i in sorted(before.support) if _answer(after.alpha[i - 1] / before.alpha[i - 1]) == wanted]
    draw.need(bool(suitable))
    asked = draw.one_of(suitable)
    return Question(
        Phrase(
            "A hard-margin SVM is trained on the points of the board. The discs have the label 1 and the squares have "
            "the label −1. The point {moved} moves from $({x1}, {x2})$ to "
            "$({to1}, {to2})$, and the SVM is trained again. Before and after the move the support vectors are the "
            "same points. One of them is the point {asked}.",
            moved=moved,
            x1=x[0],
            x2=x[1],
            to1=to[0],
            to2=to[1],
            asked=asked,
        ),
        Phrase("How does the multiplier $\\alpha_{{{asked}}}$ of the point {asked} change?", asked=asked),
        in_order(wanted, *_options(before, after, moved, asked)),
        (
            Hint(
                N_(
                    "Did the moved point lie on a margin line? The multipliers of each class have the sum "
                    "$\\|w\\|^2/2$, and the margin width is $2/\\|w\\|$."
                )
            ),
            Hint(N_("The step on w and the support vectors shows the sum with its α."), step="duality.sum"),
        ),
        (
            Phrase(
                "The margin width is ${before:.3g}$ before the move and ${after:.3g}$ after it.",
                before=before.width,
                after=after.width,
            ),
            Phrase(
                "The sum of the multipliers of each class is ${before:.3g}$ before and ${after:.3g}$ after.",
                before=float(before.squared_norm / 2),
                after=float(after.squared_norm / 2),
            ),
            Phrase(
                "The multiplier of the point {asked} changes from ${before:.3g}$ to ${after:.3g}$.",
                asked=asked,
                before=float(before.alpha[asked - 1]),
                after=float(after.alpha[asked - 1]),
            ),
        ),
        Board(rows, C=math.inf),
        (
            Boundary(
                *before.weights_and_bias, "" if after.weights_and_bias == before.weights_and_bias else N_("before")
            ),
        ),
    )


def _along(solution: HardMargin) -> tuple[int, int]:
    """Return the smallest step with whole coordinates along the margin lines."""
    w1, w2 = solution.w
    scale = w1.denominator * w2.denominator
    a, c = int(w1 * scale), int(w2 * scale)
    return -c // math.gcd(a, c), a // math.gcd(a, c)


def _answer(ratio: Fraction) -> str:
    """Return the answer for the ratio of the multiplier after and before, or no words if the change is small."""
    if ratio == 1:
        return SAME
    return LARGER if ratio >= CLEARLY else SMALLER if ratio <= 1 / CLEARLY else ""


def _options(before: HardMargin, after: HardMargin, moved: int, asked: int) -> tuple[tuple[str, str], ...]:
    """Return the three answers, each with what a person overlooks who takes it although it is wrong here."""
    if moved not in before.support:
        idle = N_(
            "The moved point is not a support vector, neither before nor after. Its α stays 0, so w and all other α "
            "stay."
        )
        return (LARGER, idle), (SMALLER, idle), (SAME, idle)
    label = before.rows[asked - 1][2]
    if sum(before.rows[i - 1][2] == label for i in before.support) == 1:
        alone = N_(
            "This point is the only support vector of its class, so its α is 2 divided by the squared margin width. "
            "Compare the width before and after the move."
        )
        return (LARGER, alone), (SMALLER, alone), (SAME, alone)
    if after.squared_norm == before.squared_norm:
        parallel = N_(
            "The margin width did not change, so the sum of the multipliers of each class is the same. Compare how the "
            "two support vectors of one class share it."
        )
        return (LARGER, parallel), (SMALLER, parallel), (SAME, parallel)
    scale = N_(
        "Two things count. The sum of the multipliers of a class is 2 divided by the squared margin width, and two "
        "support vectors of one class share it."
    )
    return (LARGER, scale), (SMALLER, scale), (SAME, scale)

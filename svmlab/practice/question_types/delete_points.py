"""What happens to boundary and margin when some points, or all but the support vectors, are deleted."""

from __future__ import annotations

import math
from collections.abc import Collection
from itertools import combinations

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.board import Board
from svmlab.practice.conditions import ChangeLimit, Count, Keep, Ratio
from svmlab.practice.draw import Draw
from svmlab.practice.hard_margin import HardMargin, Row, hard_margin, separated_points
from svmlab.practice.hint import Hint
from svmlab.practice.question import BoardAnswer, Boundary, Question, WrongBoard, in_order, question_type

SAME = N_("Both stay the same.")
WIDER = N_("The boundary changes and the margin becomes wider.")
NARROWER = N_("The boundary changes and the margin becomes narrower.")
Rows = tuple[Row, ...]
CLEARLY_WIDER = 1.03
CLOSE = 1.6  # the functional margin of a point that looks close to its margin line


@question_type(N_("Deletion of points"), lesson="duality", needs=("duality.keep",))
def delete_points(draw: Draw, difficulty: int) -> Question:
    """Return the question for all non-support vectors or one support vector (1), some points (2), or a board (3)."""
    rows = separated_points(draw, 6 if difficulty == 1 else 7)
    solution = hard_margin(rows)
    draw.need(solution is not None)
    assert solution is not None
    draw.need(solution.margin_points_are_support_vectors and (difficulty < 3 or len(solution.support) == 3))
    idle = sorted(set(range(1, len(rows) + 1)) - solution.support)
    draw.need(min(solution.margins[i - 1] for i in idle) > 1.1)
    if difficulty == 3:
        return _on_the_board(draw, solution, idle)
    wanted = draw.one_of((SAME, WIDER))
    one = {draw.one_of(sorted(solution.support))}
    if difficulty == 1:
        deleted = set(idle) if wanted == SAME else one
    else:
        draw.need(len(idle) >= 3)
        deleted = set(draw.several_of(idle, 3 if wanted == SAME else 2))
        draw.need(min(solution.margins[i - 1] for i in deleted) < CLOSE)
        deleted |= one if wanted == WIDER else set()
    return _as_choice(draw, solution, frozenset(deleted), wanted)


def _without(rows: Rows, numbers: Collection[int]) -> HardMargin | None:
    return hard_margin([row for i, row in enumerate(rows, start=1) if i not in numbers])


def _as_choice(draw: Draw, solution: HardMargin, deleted: frozenset[int], right: str) -> Question:
    after = _without(solution.rows, deleted)
    draw.need(after is not None)
    assert after is not None
    draw.need(
        (after.w, after.b) == (solution.w, solution.b)
        if right == SAME
        else after.width > CLEARLY_WIDER * solution.width
    )
    return Question(
        Phrase(
            "A hard-margin SVM is trained on the {n} points of the board. The discs have the label 1 and the squares "
            "have the label −1. You delete the points with the numbers "
            "{numbers}, and train the SVM again on the remaining {rest}.",
            n=len(solution.rows),
            numbers=", ".join(map(str, sorted(deleted))),
            rest=len(solution.rows) - len(deleted),
        )
        if len(deleted) > 1
        else Phrase(
            "A hard-margin SVM is trained on the {n} points of the board. The discs have the label 1 and the squares "
            "have the label −1. You delete the point with the number "
            "{numbers}, and train the SVM again on the remaining {rest}.",
            n=len(solution.rows),
            numbers=min(deleted),
            rest=len(solution.rows) - 1,
        ),
        N_("What happens to the boundary and to the margin?"),
        in_order(
            right,
            (
                SAME,
                N_("You deleted a support vector. Its constraint is active, and without it the margin is wider."),
            ),
            (
                WIDER,
                N_("No deleted point is a support vector. All active constraints remain, so the solution remains too."),
            ),
            (
                NARROWER,
                N_("Without a point there is one constraint less. The largest margin can then not become narrower."),
            ),
        ),
        _HINTS,
        (
            Phrase(
                "The support vectors of all points have the numbers {numbers}.",
                numbers=", ".join(map(str, sorted(solution.support))),
            ),
            Phrase(
                "The margin width is ${before:.3g}$ before and ${after:.3g}$ after the deletion.",
                before=solution.width,
                after=after.width,
            ),
        ),
        Board(solution.rows, C=math.inf),
        (
            (Boundary(*solution.weights_and_bias),)
            if right == SAME
            else (Boundary(*solution.weights_and_bias, N_("before")), Boundary(*after.weights_and_bias, N_("after")))
        ),
    )


def _on_the_board(draw: Draw, solution: HardMargin, idle: list[int]) -> Question:
    """Return the question that is answered by a board with only the support vectors."""
    others = [set(stay) for stay in combinations(range(1, len(solution.rows) + 1), 3) if set(stay) != solution.support]
    for stay in others:
        alone = _without(solution.rows, set(range(1, len(solution.rows) + 1)) - stay)
        draw.need(alone is None or alone.width > CLEARLY_WIDER * solution.width)
    missing = draw.one_of(sorted(solution.support))
    fewer = _without(solution.rows, {missing})
    draw.need(fewer is not None and fewer.width > CLEARLY_WIDER * solution.width)
    start = Board(solution.rows, C=math.inf)
    return Question(
        Phrase(
            "A hard-margin SVM is trained on the {n} points of the board. The discs have the label 1 and the squares "
            "have the label −1. You may delete points, but you may not move "
            "or add any. Delete as many as you can without a change of the margin width.",
            n=len(solution.rows),
        ),
        N_("Which board has the fewest points and still the same margin width?"),
        BoardAnswer(
            (Count("points", "exactly", 3), Ratio("width", "about", 1), ChangeLimit(deleted=len(idle)), Keep()),
            start.without(*idle),
            (
                WrongBoard(
                    start.without(*idle, missing),
                    Count("points", "at most", 2),
                    N_("Two points are too few here, because the SVM of all points has three support vectors."),
                ),
                WrongBoard(
                    start.without(missing),
                    Ratio("width", "at least", CLEARLY_WIDER),
                    N_("You deleted a support vector, so the margin became wider. Undo this deletion."),
                ),
            ),
            start,
        ),
        _HINTS,
        (
            Phrase(
                "The support vectors have the numbers {numbers}. All other points have $\\alpha = 0$.",
                numbers=", ".join(map(str, sorted(solution.support))),
            ),
            N_("You can delete all points with α = 0, and no support vector."),
        ),
        start,
        (Boundary(*solution.weights_and_bias),),
    )


_HINTS = (
    Hint(N_("Which constraints $y f(x) \\ge 1$ are active? An inactive constraint can go without any effect.")),
    Hint(N_("The step on deleting training points shows both cases."), step="duality.keep"),
)

"""The point whose removal widens the margin most."""

from __future__ import annotations

import math

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.board import Board
from svmlab.practice.draw import Draw
from svmlab.practice.hard_margin import HardMargin, hard_margin, separated_points
from svmlab.practice.hint import Hint
from svmlab.practice.question import Boundary, Points, Question, WrongPoints, question_type

CLEARLY_WIDER = 1.08  # the ratio of the largest width to the next one
CLOSE = 1.6  # the functional margin of a point that looks close to its margin line


@question_type(N_("Removal that widens the margin most"), lesson="duality", needs=("duality.keep",))
def best_removal(draw: Draw, difficulty: int) -> Question:
    """Return the question for two support vectors (1), three (2), or three where the largest α is not decisive (3)."""
    rows = separated_points(draw, 6 if difficulty == 1 else 7)
    solution = hard_margin(rows)
    draw.need(solution is not None)
    assert solution is not None
    draw.need(solution.margin_points_are_support_vectors and len(solution.support) == (2 if difficulty == 1 else 3))
    widths = {i: _width_without(rows, i) for i in sorted(solution.support)}
    draw.need(all(width is not None for width in widths.values()))
    known = {i: width or 0.0 for i, width in widths.items()}
    ordered = sorted(known, key=lambda i: known[i], reverse=True)
    best = ordered[0]
    draw.need(known[best] > CLEARLY_WIDER * known[ordered[1]] and known[ordered[-1]] > 1.02 * solution.width)
    largest = max(solution.alpha)
    draw.need(difficulty == 1 or (solution.alpha[best - 1] < largest) == (difficulty == 3))
    idle = min((margin, i) for i, margin in enumerate(solution.margins, start=1) if margin > 1)
    draw.need(1.1 < idle[0] < CLOSE)
    return Question(
        Phrase(
            "The board shows {n} training points and the classes are separable. The discs have the label 1 and the "
            "squares have the label −1. You delete one point and train the "
            "hard-margin SVM again on the other {rest}.",
            n=len(rows),
            rest=len(rows) - 1,
        ),
        N_("Which single point must you delete so that the new margin is as wide as possible?"),
        Points(frozenset({best}), _wrong(solution, known, ordered, idle[1]), is_single=True),
        (
            Hint(
                N_(
                    "Only the removal of a support vector can change the margin. For each of them, find the widest "
                    "empty strip between the remaining points."
                )
            ),
            Hint(N_("The step on deleting training points shows each removal."), step="duality.keep"),
        ),
        (
            Phrase("The margin of all points is ${width:.3g}$ wide.", width=solution.width),
            *(
                Phrase("Without the point {i} it is ${width:.3g}$ wide.", i=i, width=known[i])
                for i in sorted(solution.support)
            ),
            Phrase("All other points have $\\alpha = 0$. The point to delete is {best}.", best=best),
        ),
        Board(rows, C=math.inf),
        (Boundary(*solution.weights_and_bias),),
    )


def _width_without(rows: tuple[tuple[int, int, int], ...], number: int) -> float | None:
    solution = hard_margin([row for i, row in enumerate(rows, start=1) if i != number])
    return None if solution is None else solution.width


def _wrong(solution: HardMargin, widths: dict[int, float], ordered: list[int], idle: int) -> tuple[WrongPoints, ...]:
    others = [
        WrongPoints(
            frozenset({i}),
            Phrase(
                "Without this support vector the width is ${width:.3g}$. Another removal yields a wider margin, namely "
                "${best:.3g}$.",
                width=widths[i],
                best=widths[ordered[0]],
            ),
        )
        for i in ordered[1:]
    ]
    return (
        *others,
        WrongPoints(
            frozenset({idle}),
            N_("This point is close to its margin line, but its α is 0. Without it the margin stays as it is."),
        ),
        *(
            WrongPoints(frozenset({i}), N_("The α of this point is 0, so without it the margin stays as it is."))
            for i in range(1, len(solution.rows) + 1)
            if i not in solution.support and i != idle
        ),
    )

"""The support vectors of a hard-margin SVM, chosen on a board."""

from __future__ import annotations

import math

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.board import Board
from svmlab.practice.draw import Draw
from svmlab.practice.hard_margin import HardMargin, hard_margin, separated_points
from svmlab.practice.hint import Hint
from svmlab.practice.question import Boundary, Points, Question, WrongPoints, question_type


@question_type(N_("Circle the support vectors"), lesson="start", needs=("start.holders",), version=2)
def circle_support_vectors(draw: Draw, difficulty: int) -> Question:
    """Return the question for two support vectors (1), two or three (2), or three without the nearest pair (3)."""
    wanted = draw.one_of((2, 3)) if difficulty == 2 else 3
    rows = separated_points(draw, 6 if difficulty == 1 else 7)
    solution = hard_margin(rows)
    draw.need(solution is not None)
    assert solution is not None
    inactive = sorted((margin, i) for i, margin in enumerate(solution.margins, start=1) if margin > 1)
    draw.need(
        solution.margin_points_are_support_vectors and len(solution.support) == (2 if difficulty == 1 else wanted)
    )
    draw.need(len(inactive) >= 2 and inactive[0][0] >= 1.15 and inactive[0][0] < inactive[1][0])
    draw.need(solution.squared_width >= 1)
    if difficulty > 1:
        draw.need(bool(solution.nearest_pair) and (solution.nearest_pair <= solution.support) == (difficulty == 2))
    return Question(
        Phrase(
            "The board shows {n} training points of two classes, which a line separates. The hard-margin SVM is "
            "trained on all of them. The discs have the label 1 and the squares have the label −1.",
            n=len(rows),
        ),
        N_("Which points are the support vectors of this SVM?"),
        Points(solution.support, _wrong(solution, inactive[0][1])),
        (
            Hint(
                N_(
                    "Imagine the widest empty strip between the classes. Which points touch its two margin lines, and "
                    "which of them could you not delete?"
                )
            ),
            Hint(N_("The step on support vectors shows what happens when you delete a point."), step="start.holders"),
        ),
        (
            Phrase(
                "The support vectors have the numbers {numbers}.", numbers=", ".join(map(str, sorted(solution.support)))
            ),
            Phrase(
                "At each of them $y f(x) = 1$. At all other points $y f(x)$ is at least ${low:.3g}$.",
                low=float(inactive[0][0]),
            ),
            Phrase("The margin lines are $2/\\|w\\| = {width:.3g}$ apart.", width=solution.width),
        ),
        Board(rows, C=math.inf),
        (Boundary(*solution.weights_and_bias),),
    )


def _wrong(solution: HardMargin, next_point: int) -> tuple[WrongPoints, ...]:
    pairs = [
        (
            solution.nearest_pair,
            N_(
                "These are the two points of different classes with the smallest distance. With the margin lines of "
                "these two alone, another point would lie on the wrong side of its margin line."
            ),
        ),
        (
            solution.support | {next_point},
            N_("One of these points lies close to its margin line, but beyond it. It is not a support vector."),
        ),
        *(
            (
                solution.support - {i},
                N_("One support vector is missing. It lies on its margin line too, and its multiplier α is positive."),
            )
            for i in sorted(solution.support)
        ),
        *(
            (
                solution.support - {i} | {next_point},
                N_("One of these points lies beyond its margin line, and one support vector is missing."),
            )
            for i in sorted(solution.support)
        ),
        (
            frozenset(range(1, len(solution.rows) + 1)),
            N_("These are all points. The boundary depends only on the points on the margin lines."),
        ),
    ]
    wrong: list[WrongPoints] = []
    for points, why in pairs:
        if points and points != solution.support and points not in [each.points for each in wrong]:
            wrong.append(WrongPoints(frozenset(points), why))
    return tuple(wrong)

"""The margin width of the hard-margin SVM of some points on a board."""

from __future__ import annotations

import math

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.board import Board
from svmlab.practice.draw import Draw
from svmlab.practice.hard_margin import HardMargin, hard_margin, separated_points
from svmlab.practice.hint import Hint
from svmlab.practice.question import Boundary, Mistake, Number, Numbers, Question, distinct, question_type


@question_type(N_("Margin width of given points"), lesson="start", needs=("start.widest",))
def width_of_points(draw: Draw, difficulty: int) -> Question:
    """Return the question for margin lines parallel to an axis (1), two support vectors (2), or three (3)."""
    rows = separated_points(draw, 5 if difficulty == 1 else 6)
    solution = hard_margin(rows)
    draw.need(solution is not None)
    assert solution is not None
    parallel = 0 in solution.w
    draw.need(solution.margin_points_are_support_vectors and parallel == (difficulty == 1))
    if difficulty > 1:
        draw.need(len(solution.support) == difficulty)
    draw.need(all(margin == 1 or margin >= 1.1 for margin in solution.margins))
    support = ", ".join(map(str, sorted(solution.support)))
    listed = ", ".join(f"$x_{i} = ({x1}, {x2})$" for i, (x1, x2, _y) in enumerate(rows, start=1))
    return Question(
        Phrase(
            "A hard-margin SVM is trained on the points of the board, which are {listed}. The discs have the label "
            "1 (numbers: {plus}), and the squares have the label −1.",
            listed=listed,
            plus=", ".join(str(i) for i, row in enumerate(rows, start=1) if row[2] > 0),
        ),
        N_("How large is the margin width $2/\\|w\\|$ of this SVM?"),
        Numbers((Number(N_("width"), solution.width, _mistakes(solution)),)),
        (
            Hint(
                N_(
                    "Find the support vectors. With two of them the width is their distance. With three it is the "
                    "distance from a point to a line."
                )
            ),
            Hint(N_("The step on the largest margin shows the two margin lines."), step="start.widest"),
        ),
        (
            Phrase("The support vectors have the numbers {numbers}.", numbers=support),
            Phrase(
                "The SVM has $w = ({w1}, {w2})$, so $\\|w\\|^2 = {squared}$.",
                w1=solution.w[0],
                w2=solution.w[1],
                squared=solution.squared_norm,
            ),
            Phrase("The width is $2/\\|w\\| = {width:.4g}$.", width=solution.width),
        ),
        Board(rows, C=math.inf),
        (Boundary(*solution.weights_and_bias),),
    )


def _mistakes(solution: HardMargin) -> tuple[Mistake, ...]:
    means = [
        [
            sum(row[k] for row in solution.rows if row[2] == y) / sum(row[2] == y for row in solution.rows)
            for k in (0, 1)
        ]
        for y in (1, -1)
    ]
    nearest = min(math.dist(p[:2], q[:2]) for p in solution.rows for q in solution.rows if p[2] > q[2])
    return distinct(
        solution.width,
        Mistake(
            solution.width / 2,
            N_("This is the distance 1/‖w‖ from the boundary to one margin line. The width is twice as large."),
        ),
        Mistake(
            nearest,
            N_(
                "This is the smallest distance between two points of different classes. The line in the middle between "
                "them does not have the largest margin here."
            ),
        ),
        Mistake(
            float(solution.squared_width),
            N_("This is the square of the width. Take the square root at the end."),
        ),
        Mistake(
            float(solution.squared_norm) ** 0.5,
            N_("This is the norm ‖w‖. The width is 2/‖w‖, so it is small where the norm is large."),
        ),
        Mistake(
            math.dist(*means),
            N_(
                "This is the distance between the means of the two classes. The width depends only on the support "
                "vectors."
            ),
        ),
    )

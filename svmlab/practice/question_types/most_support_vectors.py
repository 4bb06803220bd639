"""The largest number of points on the margin lines after one more point."""

from __future__ import annotations

import math
from itertools import combinations

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.board import Board
from svmlab.practice.draw import Draw
from svmlab.practice.hard_margin import Row, hard_margin, separated_points
from svmlab.practice.hint import Hint
from svmlab.practice.question import Mistake, Number, Numbers, Question, distinct, question_type


@question_type(N_("Most support vectors after one more point"), lesson="duality", needs=("H10",), difficulties=(1, 2))
def most_support_vectors(draw: Draw, difficulty: int) -> Question:
    """Return the question where the new point can join the present margin lines (1), or others have more points (2)."""
    rows = separated_points(draw, 6 if difficulty == 1 else 7, 3)
    solution = hard_margin(rows)
    draw.need(solution is not None)
    assert solution is not None
    present = len(solution.on_margin)
    fullest = max(_touching(rows), key=len)
    most = len(fullest) + 1
    draw.need(most >= 4 and (most == present + 1) == (difficulty == 1) and most < len(rows))
    return Question(
        Phrase(
            "The board shows {n} training points of a hard-margin SVM. The discs have the label 1 and the squares have "
            "the label −1. You add one more point of either class at any "
            "position in the plane, so that the classes stay separable. Here every point on a margin line counts as a "
            "support vector.",
            n=len(rows),
        ),
        Phrase("How many support vectors can the SVM of all {total} points have at most?", total=len(rows) + 1),
        Numbers(
            (
                Number(
                    N_("largest number"),
                    most,
                    distinct(
                        most,
                        Mistake(
                            present,
                            N_("This is the number before the addition. The new point can be a support vector too."),
                        ),
                        Mistake(
                            present + 1,
                            N_(
                                "The margin lines may turn when the new point is added. Other lines can contain more "
                                "points."
                            ),
                        ),
                        Mistake(
                            most - 1,
                            N_("You did not count the new point. It can lie on one of the two margin lines."),
                        ),
                        Mistake(
                            len(rows) + 1,
                            N_(
                                "These are all points. No pair of parallel lines between the classes contains them all."
                            ),
                        ),
                        Mistake(
                            3,
                            N_("Three is a usual number, but margin lines can contain more points of this board."),
                        ),
                    ),
                    whole=True,
                ),
            )
        ),
        (
            Hint(
                N_(
                    "Draw two parallel lines that separate the classes. The new point can turn them into the margin "
                    "lines. Which two such lines contain the most points?"
                )
            ),
            Hint(N_("The statement on the number of points on the margin lines has the background."), statement="H10"),
        ),
        (
            Phrase(
                "Two parallel lines with no point between them can contain the points with the numbers {numbers}.",
                numbers=", ".join(map(str, sorted(fullest))),
            ),
            N_(
                "Put the new point on one of the lines, opposite a point of the other line. Then the two lines are the "
                "margin lines."
            ),
            Phrase("Together there are {most} support vectors, and no other direction yields more.", most=most),
        ),
        Board(rows, C=math.inf),
    )


def _touching(rows: tuple[Row, ...]) -> list[frozenset[int]]:
    """Return which points lie on the two outermost separating lines, for each direction of a segment in a class."""
    touching = []
    for p, q in combinations(rows, 2):
        if p[2] == q[2]:
            for d in ((q[1] - p[1], p[0] - q[0]), (p[1] - q[1], q[0] - p[0])):
                heights = [(d[0] * x1 + d[1] * x2, y) for x1, x2, y in rows]
                low = min(h for h, y in heights if y > 0)
                high = max(h for h, y in heights if y < 0)
                if low > high:
                    touching.append(frozenset(i for i, (h, _y) in enumerate(heights, start=1) if h in (low, high)))
    return touching or [frozenset()]

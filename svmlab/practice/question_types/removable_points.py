"""The points on the margin lines that one can delete without any change of the boundary."""

from __future__ import annotations

import math

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.board import Board
from svmlab.practice.draw import Draw
from svmlab.practice.hard_margin import Row, hard_margin
from svmlab.practice.hint import Hint
from svmlab.practice.question import Boundary, Points, Question, WrongPoints, question_type

FURTHEST = 7  # of all coordinates


@question_type(
    N_("Points on the margin lines that can go"), lesson="duality", needs=("duality.hulls",), difficulties=(1, 2)
)
def removable_points(draw: Draw, difficulty: int) -> Question:
    """Return the question for margin lines parallel to an axis (1), or for others (2)."""
    d = draw.one_of(((1, 0), (0, 1)) if difficulty == 1 else ((1, 1), (1, -1), (2, 1), (1, 2), (2, -1), (-1, 2)))
    along = range(-3, 4) if difficulty == 1 else range(-2, 3)
    height = draw.whole(1, 2) if difficulty == 1 else 1
    rows = _points(draw, d, height, list(along))
    draw.need(len({row[:2] for row in rows}) == len(rows))
    draw.need(all(abs(x) <= FURTHEST for x1, x2, _y in rows for x in (x1, x2)))
    solution = hard_margin(rows)
    draw.need(solution is not None)
    assert solution is not None
    on_margin = sorted(solution.on_margin)
    right: set[int] = set()
    for i in on_margin:
        left = hard_margin([row for j, row in enumerate(rows, start=1) if j != i])
        draw.need(left is not None)
        assert left is not None
        if (left.w, left.b) == (solution.w, solution.b):
            right.add(i)
        else:
            draw.need(left.width > 1.02 * solution.width)
    draw.need(len(on_margin) == 4 and 1 <= len(right) <= 3)
    listed = ", ".join(map(str, on_margin))
    return Question(
        Phrase(
            "A hard-margin SVM is trained on the {n} points of the board. The discs have the label 1 and the squares "
            "have the label −1. The points with the numbers {listed} lie on "
            "its margin lines. You delete exactly one of the four points and train the SVM again.",
            n=len(rows),
            listed=listed,
        ),
        N_("Which of the four points can you delete alone so that the boundary stays the same?"),
        Points(
            frozenset(right),
            (
                WrongPoints(
                    frozenset(on_margin) - right,
                    N_("If you delete one of these points, the margin becomes wider and the boundary changes."),
                ),
                WrongPoints(
                    frozenset(on_margin),
                    N_("These are all points on the margin lines. Without some of them the margin becomes wider."),
                ),
                WrongPoints(
                    frozenset(),
                    N_(
                        "A point on a margin line is not always needed. The other points on the lines can determine "
                        "the same boundary."
                    ),
                ),
            ),
        ),
        (
            Hint(
                N_(
                    "Project the remaining points on the margin lines onto the boundary. Do the segments of the two "
                    "classes still have a common point?"
                )
            ),
            Hint(N_("The step on the dual and convex hulls explains this condition."), step="duality.hulls"),
        ),
        (
            N_(
                "After the deletion, the points of each class on its margin line are a single point or the ends of a "
                "segment. The boundary stays the same if the projections of both classes onto it have a common point."
            ),
            Phrase(
                "This holds after you delete one of the points {numbers}.",
                numbers=", ".join(map(str, sorted(right))),
            ),
            N_("For each of these points the dual has a solution in which the α of the point is 0."),
        ),
        Board(rows, C=math.inf),
        (Boundary(*solution.weights_and_bias),),
    )


def _points(draw: Draw, d: tuple[int, int], height: int, along: list[int]) -> tuple[Row, ...]:
    """Return two points on each of two lines orthogonal to d, and one further point of each class, in random order."""
    turn, sign = (-d[1], d[0]), draw.sign()

    def row(h: int, t: int, y: int) -> Row:
        return h * d[0] + t * turn[0], h * d[1] + t * turn[1], y

    rows = [row(height, t, sign) for t in draw.several_of(along, 2)]
    rows += [row(-height, t, -sign) for t in draw.several_of(along, 2)]
    rows += [row(side * (height + 1), draw.one_of(along), side * sign) for side in (1, -1)]
    return tuple(draw.several_of(rows, len(rows)))

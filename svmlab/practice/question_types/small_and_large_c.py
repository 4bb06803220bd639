"""The boundary at a small and at a large C, on a board with one point near the other class."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from svmlab.binary.solution import Solution
from svmlab.core.phrase import N_, Phrase
from svmlab.practice.board import Board
from svmlab.practice.draw import Draw
from svmlab.practice.hint import Hint
from svmlab.practice.question import Boundary, Question, in_order, question_type

SMALLEST_DIFFERENCE = 0.05  # of f from 0, and relative of two widths
EQUAL = 1e-9  # relative; two exact solutions of the same hard margin differ by less


@question_type(
    N_("The boundary at a small and at a large C"), lesson="soft", needs=("soft.price",), difficulties=(1, 2), version=2
)
def small_and_large_c(draw: Draw, difficulty: int) -> Question:
    """Return the question for the width of the margin (1), or for which boundary classifies the near point (2)."""
    case = draw.whole(0, 2)
    sign, h = draw.sign(), draw.whole(1, 2)
    left, right = draw.whole(-5, -3), draw.whole(2, 4)
    if difficulty == 1:
        nearest = left + draw.whole(2, 4) if case == 2 else draw.whole(left + 1, left + 4)
    else:
        nearest = (draw.whole(left + 3, right - 1), left + 1, left - 1)[case]
    # the board is symmetric about the first axis, so both boundaries are vertical
    columns = [(left, 1), (left - draw.whole(1, 2), 1), (right, -1), (right + draw.whole(1, 2), -1)]
    rows = [(sign * x, side * h, label) for x, label in columns for side in (1, -1)]
    number = draw.whole(1, len(rows) + 1)
    rows.insert(number - 1, (sign * nearest, 0, -1))
    # on a line, the largest multiplier of the hard margin is 2 / (nearest - left)²
    small = 1 if difficulty == 1 and case == 2 else draw.one_of((0.01, 0.02, 0.05))
    large = draw.one_of((10, 100, 1000))
    board = Board(tuple(rows))
    solutions = [replace(board, C=C).solution for C in (small, large)]
    draw.need(None not in solutions)
    at_small, at_large = (solution for solution in solutions if solution is not None)
    situation = Phrase(
        "A linear soft-margin SVM is trained on these points twice, with $C = {small}$ and with $C = {large}$. "
        "The discs have the label 1 and the squares have the label −1. Point {number} is the square that is nearest "
        "to the discs.",
        small=small,
        large=large,
        number=number,
    )
    if difficulty == 1:
        return _width(draw, board, situation, case, at_small, at_large)
    return _near_point(draw, board, situation, case, number, at_small, at_large)


def _width(draw: Draw, board: Board, situation: str, case: int, at_small: Solution, at_large: Solution) -> Question:
    ratio = at_small.norm_w / at_large.norm_w  # of the width at the large C to the width at the small one
    draw.need(abs(ratio - 1) < EQUAL or abs(ratio - 1) > SMALLEST_DIFFERENCE)
    narrower, equal, wider = (
        N_("The margin is narrower at the large C."),
        N_("Both margins have the same width."),
        N_("The margin is wider at the large C."),
    )
    same = abs(ratio - 1) < EQUAL
    draw.need(same == (case == 2))
    draw.need(ratio < 1 or same)
    right = equal if same else narrower
    return Question(
        situation,
        N_("Is the margin narrower, wider, or equally wide at the large C?"),
        in_order(
            right,
            (
                narrower,
                N_("This is usual, but here the small C already gives the hard margin. No slack is left to remove."),
            ),
            (equal, N_("At the small C the SVM still allows slack, and so it has a wider margin.")),
            (wider, N_("A large C penalises slack more, so ‖w‖ cannot become smaller. The width is 2/‖w‖.")),
        ),
        _hints(),
        (
            Phrase(
                "The widths are ${small:.4g}$ at the small C and ${large:.4g}$ at the large C.",
                small=2 / at_small.norm_w,
                large=2 / at_large.norm_w,
            ),
            N_("No point has slack at the small C, so a larger C changes nothing.")
            if same
            else N_("The larger C reduces the sum of the slacks, and this increases ‖w‖."),
        ),
        board,
        _boundaries(at_small, at_large),
    )


def _near_point(
    draw: Draw, board: Board, situation: str, case: int, number: int, at_small: Solution, at_large: Solution
) -> Question:
    margins = [float(solution.margins[number - 1]) for solution in (at_small, at_large)]
    draw.need(all(high - low < EQUAL for low, high in (at_small.b_interval, at_large.b_interval)))
    draw.need(min(abs(margin) for margin in margins) > SMALLEST_DIFFERENCE)
    draw.need(abs(_zero(at_small) - _zero(at_large)) > SMALLEST_DIFFERENCE)
    both, only_large, only_small, neither = (
        N_("Both boundaries classify it correctly."),
        N_("Only the boundary at the large C classifies it correctly."),
        N_("Only the boundary at the small C classifies it correctly."),
        N_("Both boundaries misclassify it."),
    )
    correct = margins[0] > 0, margins[1] > 0
    right = {(True, True): both, (False, True): only_large, (True, False): only_small, (False, False): neither}[correct]
    draw.need(right == (both, only_large, neither)[case])
    small_wrong = N_("At the small C the penalty for one slack is small, so the boundary stays between the two groups.")
    return Question(
        situation,
        Phrase("Which of the two boundaries classifies point {number} correctly?", number=number),
        in_order(
            right,
            (
                both,
                small_wrong
                if right == only_large
                else N_("The point lies among points of the other class, so no line separates it from them."),
            ),
            (
                only_large,
                N_(
                    "At the small C the point has little influence, but it still lies on the correct side of the "
                    "boundary."
                )
                if right == both
                else N_("A large C separates the classes only if a line can do so. Here no line can."),
            ),
            (
                only_small,
                {
                    both: N_(
                        "The boundary at the large C classifies it correctly too. A large C penalises its slack more."
                    ),
                    only_large: N_("It is the large C that penalises the slack of this point more."),
                    neither: N_("The point lies among the discs, so the boundary at the small C misclassifies it too."),
                }[right],
            ),
            (
                neither,
                N_("A line separates the classes, and the large C is large enough to find one.")
                if right == only_large
                else N_(
                    "The point is the square nearest to the discs, but it still lies on its own side of both "
                    "boundaries."
                ),
            ),
        ),
        _hints(),
        (
            Phrase(
                "Both boundaries are vertical. They lie at $x_1 = {small:.4g}$ for the small C and at "
                "$x_1 = {large:.4g}$ for the large C.",
                small=_zero(at_small),
                large=_zero(at_large),
            ),
            Phrase(
                "Point {number} has $y f(x) = {a:.4g}$ at the small C and $y f(x) = {b:.4g}$ at the large C.",
                number=number,
                a=margins[0],
                b=margins[1],
            ),
        ),
        board,
        _boundaries(at_small, at_large),
    )


def _boundaries(*solutions: Solution) -> tuple[Boundary, ...]:
    """Return the boundaries of the solutions, each with its C."""
    boundaries = []
    for solution in solutions:
        at_origin, at_one, at_top = solution.decision(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])).tolist()
        label = Phrase("C = {C:g}", C=solution.problem.C)
        boundaries.append(Boundary(at_one - at_origin, at_top - at_origin, at_origin, label))
    return tuple(boundaries)


def _zero(solution: Solution) -> float:
    """Return where a vertical boundary crosses the first axis."""
    at_one, at_origin = solution.decision(np.array([[1.0, 0.0], [0.0, 0.0]])).tolist()
    return round(-at_origin / (at_one - at_origin), 6) + 0.0


def _hints() -> tuple[Hint, ...]:
    return (
        Hint(N_("A small C allows slack and gives a wide margin. How large is the penalty for one slack at each C?")),
        Hint(N_("The step on the parameter C shows both boundaries."), step="soft.price"),
    )

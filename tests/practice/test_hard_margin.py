"""The hard margin in exact arithmetic is the one that the solver finds."""

import math

import numpy as np
import pytest

from svmlab.practice import Board
from svmlab.practice.draw import Draw, DrawAgain
from svmlab.practice.hard_margin import hard_margin, separated_points
from svmlab.practice.question_types.alpha_after_move import _along


def boards(n: int):
    draw, accepted = Draw("hard margin"), []
    while len(accepted) < n:
        try:
            accepted.append(separated_points(draw, 6))
        except DrawAgain:
            continue
    return accepted


@pytest.mark.parametrize("rows", boards(4), ids=range(4))
def test_it_is_the_solution_of_the_solver(rows) -> None:
    exact, solved = hard_margin(rows), Board(rows, C=math.inf).solution
    assert exact is not None
    assert np.allclose([*map(float, exact.w), float(exact.b)], [*solved.w, solved.b])
    if exact.margin_points_are_support_vectors:
        assert np.allclose([float(a) for a in exact.alpha], solved.alpha)


def test_classes_that_no_line_separates_have_none() -> None:
    assert hard_margin(((0, 0, 1), (2, 2, 1), (0, 2, -1), (2, 0, -1))) is None
    assert hard_margin(((0, 0, 1), (2, 2, 1))) is None


@pytest.mark.parametrize("rows", boards(8), ids=range(8))
def test_the_smallest_step_along_the_margin_lines_is_whole_and_keeps_f(rows) -> None:
    solution = hard_margin(rows)
    assert solution is not None
    step = _along(solution)
    assert math.gcd(*step) == 1
    assert solution.w[0] * step[0] + solution.w[1] * step[1] == 0

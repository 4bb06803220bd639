"""The statements of the Pegasos page: what is particular to them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from svmlab import Dataset, Gaussian, Problem, make_dataset
from svmlab.statements import CATALOGUE, Situation, Verdict
from svmlab.statements.multiplication_counts import exponent, multiplications
from tests.boards import complaints, wide_board

IDS = [id for id, entry in CATALOGUE.items() if entry.page == "pegasos"]
CORNER = ((1.0, 0.5), (0.5, 1.0), (-1.0, -0.5), (-0.5, -1.0))


def check(problem: Problem) -> dict[str, Verdict]:
    situation = Situation(problem)
    return {id: CATALOGUE[id].check(situation) for id in IDS}


def test_the_page_has_its_descents_and_costs_too():
    assert {"L6", "L7", "X3"} < set(IDS)


def test_ln_of_T_plus_1_fails_on_one_point_by_the_numbers_of_the_notes():
    verdict = CATALOGUE["P6"].check(Situation(CATALOGUE["P6"].witness.problem))
    left, right = (side.value for side in verdict.printed.sides)
    assert 2 * left == pytest.approx(1.0, abs=1e-12)
    assert 2 * right == pytest.approx(math.log(2), abs=1e-12)


def test_a_run_of_pegasos_that_never_learns_breaks_the_bound_where_it_says_something():
    s = Situation(Problem(make_dataset("overlapping", 30)))
    verdict = CATALOGUE["P7"].check(s)
    assert verdict.holds
    assert not verdict.control.holds
    idle = replace(s.pegasos_runs.long_runs, average=np.ones_like(s.pegasos_runs.long_runs.average))  # F(0) = 1
    vars(s.pegasos_runs)["long_runs"] = idle
    assert not CATALOGUE["P7"].check(s).holds


def test_the_constant_step_converges_where_no_support_vector_is_free():
    board = Dataset(CORNER, [1, 1, -1, -1])
    assert CATALOGUE["L6"].check(Situation(Problem(board, C=0.05, bias=False))).printed.holds
    assert not CATALOGUE["L6"].check(Situation(Problem(board, C=1.0, bias=False))).printed.holds


def test_the_distance_falls_as_fast_as_the_objective_at_a_corner():
    corner = CATALOGUE["P12"].check(Situation(Problem(Dataset([[1.0, 0.0]], [1]), C=1 / 0.3, bias=False)))
    assert corner.printed.holds
    assert corner.holds


def test_a_board_with_very_many_features_gets_reasons():
    assert complaints(check(Problem(make_dataset("overlapping", 300), Gaussian(0.5)))) == []


def test_a_verdict_says_that_the_board_has_a_bias_and_pegasos_none():
    board = make_dataset("separable", 12)
    assert "no bias" in check(Problem(board))["P1"].note
    assert check(Problem(board, bias=False))["P1"].note == ""
    assert "C = 1" in check(Problem(board, C=math.inf))["P7"].note


def test_a_step_on_w_multiplies_as_often_for_any_number_of_points():
    data = make_dataset("overlapping", 40)
    for m in (4, 20, 40):
        assert multiplications("step", data.X[:m], data.y[:m]) == 3 * 2
        assert multiplications("batch-step", data.X[:m], data.y[:m]) == 4 * m + 2
        assert multiplications("kernel-step", data.X[:m], data.y[:m]) == 3 * m
    assert exponent("dual-qp", data.X, data.y, 80, 160)[0] == pytest.approx(3, abs=0.03)


def test_two_equal_losses_at_a_long_w_differ_by_their_rounding_only():
    """F is a mean of two losses that are equal, and rounding of |w| |x| is far above that of 1."""
    verdict = CATALOGUE["P5"].check(Situation(wide_board(1073)))
    assert verdict.holds, verdict.residual


def test_a_projected_run_stays_in_its_ball_where_others_leave_it():
    verdict = CATALOGUE["P3"].check(Situation(Problem(make_dataset("separable", 12), C=1.0, bias=False)))
    norms = {side.name: side.value for side in verdict.sides}
    assert verdict.holds
    assert (
        norms["largest norm of w in the run"]
        > norms["radius of the ball"]
        >= norms["largest norm of w with projection"] - 1e-12
    )

"""No check raises a false alarm on boards whose numbers are far apart, and none gives up where a better formula
tells."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from svmlab import Composed, Dataset, Gaussian, Linear, Polynomial, Problem, make_dataset
from svmlab.statements import CATALOGUE, Situation
from svmlab.statements.centred import coordinates
from svmlab.statements.representer import exact_double_sum
from tests.boards import check_all, complaints, wide_board
from tests.tampering import by_alpha_and_b

CUBIC = Polynomial(3, 1.0, 0.3)
TINY = Problem(Dataset([[0.029, -0.001], [-0.003, -0.004], [-0.002, -0.002]], [1, -1, 1]), Gaussian(4.0))
SEVEN = Problem(
    Dataset(
        [
            [0.022, 0.011],
            [0.016, -0.013],
            [0.014, 0],
            [-0.008, 0.011],
            [0.044, -0.017],
            [-0.005, 0.028],
            [0.005, -0.021],
        ],
        [1, -1, -1, 1, -1, -1, -1],
    ),
    CUBIC,
)
EIGHT = Problem(
    Dataset(
        [
            [-1.484, 0.258], [2.028, 2.014], [3.123, 2.562], [-0.728, 0.636],
            [-3.771, -0.885], [3.407, 2.704], [-3.244, -0.622], [-2.663, -0.331],
        ],
        [1, -1, 1, -1, -1, -1, -1, -1],
    ),
    CUBIC,
)  # fmt: skip
FOUR = Problem(Dataset([[-0.02, -0.01], [0.01, 0.02], [0.06, -0.01], [-0.04, -0.02]], [1, -1, -1, 1]), CUBIC, 1e4)
CROSSED = Problem(
    Dataset([[-2, -1], [0, 0], [0, 1], [-2, -2], [1, -1], [-2, 0]], [-1, -1, 1, 1, 1, 1]), Linear(), 8e5, False
)
HUGE = Problem(Dataset([[-1e6, 0], [1e6, 1e6], [3e5, -1e6], [0, 2e5]], [1, -1, 1, -1]), Polynomial(3))
APPLIES = (
    (TINY, "M1 M2 M4 M13"),
    (SEVEN, "S12"),
    (EIGHT, "S11"),
    (FOUR, "L6"),
    (CROSSED, "K9"),
    (replace(CROSSED, C=1e3, bias=True), "K9"),
    (HUGE, "M1 H2 H6 S1 K9"),
)
ROUGH_BOARDS = {  # numbers of wide boards: the statements that once compared numbers below their own rounding there
    1115: "S10", 1234: "S11 S13", 1614: "P5", 30527: "T1", 30563: "L5", 31802: "L14", 31871: "T14",
    50135: "T14", 50303: "L14", 51071: "T14", 51143: "T6",
}  # fmt: skip
WORST = (6, 11, 106, 127, 172, 263, 299, 330, 466, 585, 20159, 20529, 20606, 22019)  # numbers of wide boards


@pytest.mark.parametrize(("problem", "ids"), APPLIES)
def test_where_numbers_are_far_apart_the_statement_applies_and_holds(problem, ids):
    situation = Situation(problem)
    for id in ids.split():
        verdict = CATALOGUE[id].check(situation)
        assert verdict.applies, (id, verdict.why)
        assert verdict.holds, (id, verdict.residual)


@pytest.mark.filterwarnings("ignore::svmlab.NotExact")
@pytest.mark.parametrize(("seed", "ids"), ROUGH_BOARDS.items())
def test_an_error_below_its_own_rounding_raises_no_alarm(seed, ids):
    """The slack just below C_0, gaps of a very small objective, a mean of losses that are almost equal, and others.

    Whether the hard margin can be solved on such a board depends on the processor, and so does whether they apply.
    """
    situation = Situation(wide_board(seed))
    for id in ids.split():
        verdict = CATALOGUE[id].check(situation)
        assert verdict.holds is not False, (id, verdict.residual)


@pytest.mark.parametrize(("seed", "id"), [(1617, "S12"), (1689, "S12"), (31871, "T2")])
def test_nothing_is_compared_where_a_second_solver_or_rounding_leaves_it_open(seed, id):
    verdict = CATALOGUE[id].check(Situation(wide_board(seed)))
    assert verdict.holds is not False, verdict.residual


@pytest.mark.filterwarnings("ignore::svmlab.NotExact")
@pytest.mark.one_in(7)
@pytest.mark.parametrize("seed", WORST)
def test_on_the_hardest_boards_whatever_applies_holds(seed):
    assert complaints(check_all(wide_board(seed))) == []


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "first", [2000, 2004, 2008, *(pytest.param(n, marks=pytest.mark.sweep) for n in range(2012, 2048, 4))]
)
def test_on_boards_of_any_kind_whatever_applies_holds(first):
    for seed in range(first, first + 4):
        assert (seed, complaints(check_all(wide_board(seed)))) == (seed, [])


@pytest.mark.parametrize("recipe", ["3*linear+1", "linear*linear", "p(linear+1,0,2,1)"])
def test_a_double_sum_that_cancels_far_is_exact_for_every_kernel_with_values_in_fractions(recipe):
    kernel = Composed(recipe)
    X, c = np.array([[1e8], [1e8 + 1.0], [3.0]]), np.array([1.0, -1.0, 0.0])
    whole = [10**8, 10**8 + 1]
    k = {
        "3*linear+1": lambda t: 3 * t + 1,
        "linear*linear": lambda t: t * t,
        "p(linear+1,0,2,1)": lambda t: (t + 1) * (t + 3),
    }
    exact = sum((-1) ** (i + j) * k[recipe](whole[i] * whole[j]) for i in (0, 1) for j in (0, 1))
    assert exact_double_sum(kernel, X, c) == float(exact)
    assert exact_double_sum(Gaussian(1.0), X, c) is None


@pytest.mark.parametrize("factor", [0.25, 1.0, 9.0])
def test_coordinates_of_near_points_are_those_of_any_kernel_that_keeps_their_digits(factor):
    X, one = TINY.data.X, Gaussian(4.0)
    h, g = one.centred_kernel(X, 0.5)
    times = SimpleNamespace(centred_kernel=lambda X, widest_spread: (lambda A, B: factor * h(A, B), factor * g))
    K = factor * one(X, X)
    Z = coordinates(times, X, K)
    inner = Z @ Z.T
    assert inner == pytest.approx(K, abs=1e-14 * factor)
    apart = Z[:, None] - Z
    assert (apart**2).sum(2) == pytest.approx(factor * -2.0 * np.expm1(-((X[:, None] - X) ** 2).sum(2) / 32), rel=1e-9)


def test_a_second_solver_that_leaves_w_open_gives_a_reason_with_the_number():
    situation = Situation(Problem(make_dataset("overlapping", 16)))
    vars(situation)["soft_primal"] = replace(
        situation.soft_primal, w=0.0 * situation.soft_primal.w, uncertainty_of_w=10.0
    )
    verdict = CATALOGUE["S6"].check(situation)
    assert not verdict.applies
    assert "accurate only to" in verdict.why


@pytest.mark.parametrize("part", [0.9, 0.999])
def test_a_wrong_optimum_is_an_alarm_and_no_matter_of_precision(part):
    problem = Problem(make_dataset("overlapping", 16))
    right = Situation(problem).soft_solution
    wrong = replace(right, alpha=part * right.alpha, evaluation=by_alpha_and_b(right))
    assert CATALOGUE["S6"].check(Situation(problem, wrong)).holds is False

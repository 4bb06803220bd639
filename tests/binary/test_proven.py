"""What is proven and what is not: an answer's own certificate decides, and another method than the one asked for says
so."""

import math
import warnings
from dataclasses import replace

import numpy as np
import pytest

from svmlab import (
    BadInput,
    Dataset,
    Gaussian,
    Linear,
    NotExact,
    NotSeparable,
    Polynomial,
    Problem,
    Sigmoid,
    SolverFailed,
    certify,
    make_dataset,
    solve,
)
from svmlab.solvers import exact

BOARD = make_dataset("overlapping", 24)


def test_an_exact_answer_is_proven():
    assert solve(Problem(BOARD)).proven


@pytest.mark.parametrize("off", [1e-6, -1e-6])
def test_an_answer_beside_the_optimum_is_not_proven(off):
    solution = solve(Problem(BOARD))
    beside = replace(solution, alpha=solution.alpha * (1 + off))
    assert not beside.proven
    assert certify(beside).is_optimal(1e-3)


@pytest.mark.parametrize("method", ["dual-qp", "primal-qp"])
def test_an_interior_point_is_as_proven_as_its_certificate(method):
    solution = solve(Problem(BOARD, C=10.0), method)
    assert solution.proven == certify(solution).is_optimal(solution.floor)


def test_where_the_exact_method_comes_to_no_end_a_warning_says_so(monkeypatch):
    def no_end(*args):
        raise SolverFailed("No end.")

    monkeypatch.setattr(exact, "solve", no_end)
    with pytest.warns(NotExact, match=r"No end.*dual-qp.*proven"):
        solution = solve(Problem(BOARD, C=10.0))
    assert solution.status.startswith("dual-qp")
    with warnings.catch_warnings(action="error"):
        solve(Problem(BOARD, C=10.0), "dual-qp")  # asked for, so nothing to warn of


FOUR = Dataset([[-1, 1, 0], [-2, 0, 1], [-1, 0, 0], [-1, 1, 0]], [1, -1, -1, -1])
FIVE = Dataset([[-2, -2], [4, -3], [-3, 0], [-2, -3], [-1, 1]], [1, 1, 1, -1, -1])


@pytest.mark.parametrize(
    ("problem", "why"),
    [
        (Problem(FOUR, Linear(), 1e12, False), "rounding alone explains residuals"),
        (Problem(FIVE, Linear(), 5e10), "rounding alone explains residuals"),
        (Problem(Dataset([*FIVE.X, FIVE.X[0]], [*FIVE.y, -1]), Gaussian(1e3), 1e12), "rounding alone explains"),
    ],
)
def test_an_exact_answer_that_rounding_leaves_unproven_warns(problem, why):
    with pytest.warns(NotExact, match=why + r".*Solution\.proven is False"):
        solution = solve(problem)
    assert solution.status.startswith("exact")
    assert not solution.proven


@pytest.mark.parametrize("seed", range(60))
def test_a_clipped_problem_is_proven_as_the_problem_that_it_is(seed):
    """The expansion that draws f passes through every clipped value, though the kernel sees 1, which centring hides."""
    rng = np.random.default_rng(seed)
    m = int(rng.integers(4, 40))
    X = rng.integers(-8, 9, (m, 2)) if seed % 2 else rng.uniform(-8, 8, (m, 2)).round(3)
    y = np.where(rng.random(m) < 0.5, 1, -1)
    y[:2] = 1, -1
    solution = solve(Problem(Dataset(X, y), Sigmoid(0.5, 0.0), 10.0 ** rng.uniform(-2, 4), bool(seed % 3)))
    assert solution.proven, certify(solution)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(3), Gaussian(0.7)], ids=lambda k: k.name)
@pytest.mark.parametrize("C", [1e-3, 1.0, 1e4, math.inf])
def test_random_boards_are_proven(kernel, C):
    rng = np.random.default_rng(5)
    for _ in range(20):
        X, y = rng.uniform(-4, 4, (12, 2)).round(1), np.where(rng.random(12) < 0.5, 1, -1)
        try:
            assert solve(Problem(Dataset(X, y), kernel, C)).proven
        except (NotSeparable, BadInput):
            assert math.isinf(C)

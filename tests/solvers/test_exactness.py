"""Right to the last digit: thousands of tiny degenerate problems, every preset with every kernel, and memory."""

from __future__ import annotations

import math
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog

from svmlab import (
    DATASETS,
    Dataset,
    Gaussian,
    Linear,
    NotSeparable,
    Polynomial,
    Problem,
    SolverFailed,
    certify,
    make_dataset,
    solve,
)

KERNELS = [Linear(), Polynomial(2), Polynomial(3), Gaussian(1.0), Gaussian(0.3), Gaussian(4.0)]
EPS = float(np.finfo(float).eps)


def tiny(rng) -> tuple[np.ndarray, np.ndarray]:
    """Two to ten points: lattices, a line, copies, thousandths on the board, anything."""
    m, kind = int(rng.integers(2, 11)), rng.integers(6)
    if kind == 0:
        X = rng.integers(-2, 3, (m, 2)).astype(float)
    elif kind == 1:
        X = rng.integers(-1, 2, (m, 2)).astype(float)
    elif kind == 2:
        X = np.outer(rng.integers(-4, 5, m), [1.0, 2.0]) + [1, 0]
    elif kind == 3:
        X = np.round(rng.uniform(-8, 8, (m, 2)), 3)
    elif kind == 4:
        few = max(1, m // 2)
        X = np.round(rng.uniform(-8, 8, (few, 2)), 3)[rng.integers(few, size=m)]
    else:
        X = rng.standard_normal((m, 2))
    y = rng.choice([-1.0, 1.0], m)
    if (y == y[0]).all() and rng.random() < 0.9:
        y[0] = -y[0]
    return X, y


def worst(s) -> float:
    c = certify(s)
    return max(c.stationarity, c.primal_feasibility, c.dual_feasibility, c.complementarity)


def gap_floor(s) -> float:
    """What rounding alpha to a double does to P: C times the change of every margin."""
    C = s.problem.C if math.isfinite(s.problem.C) else 0.0
    return C * s.problem.data.m * s.noise / max(s.objective, 1e-300)


@pytest.mark.filterwarnings("ignore::svmlab.NotExact")
@pytest.mark.one_in(5)
@pytest.mark.parametrize("seed", [*range(5), *(pytest.param(n, marks=pytest.mark.sweep) for n in range(5, 10))])
def test_thousands_of_tiny_problems_are_solved_to_the_floor_of_round_off(seed):
    rng = np.random.default_rng(seed)
    refused = 0
    for _ in range(1000):
        X, y = tiny(rng)
        C, bias = (10.0 ** rng.uniform(-6, 6) if rng.random() < 0.85 else math.inf), bool(rng.random() < 0.6)
        problem = Problem(Dataset(X, y), KERNELS[rng.integers(len(KERNELS))], C, bias)
        try:
            s = solve(problem)
        except NotSeparable:
            assert problem.hard
            refused += 1
            continue
        where = (X.tolist(), y.tolist(), problem.kernel.key, C, bias)
        assert s.status.startswith("exact"), where
        assert worst(s) <= s.floor, where
        if C <= 1e3:
            assert abs(s.gap) <= max(1e-10, gap_floor(s)), where
    assert 20 < refused < 120


SHARED = [
    ([[2, -1], [-2, -1], [-1, -2], [1, 0], [2, 2], [-1, -2], [1, 2], [0, -2]], [1, -1, 1, -1, 1, -1, -1, -1], True),
    (
        [[1, -2], [1, 1], [0, 1], [-1, -1], [2, 2], [0, -2], [2, 0], [-2, -1], [2, -2]],
        [1, 1, -1, -1, -1, 1, 1, -1, -1],
        False,
    ),
    (
        [[2, 1], [-1, 2], [2, 0], [1, 1], [0, -2], [-2, -2], [0, -2], [0, 2], [1, -1], [-1, 0], [2, 1], [1, -1], [2, 2]]
        + [[-2, 0], [1, 2], [-2, 1], [1, 1], [0, -2], [-2, -2], [1, 1]],
        [1, 1, 1, -1, -1, 1, -1, -1, -1, 1, -1, -1, -1, 1, -1, 1, -1, -1, -1, -1],
        True,
    ),
]  # six features and seven points that share the load


def lattices():
    """Those, and three hundred drawn at random."""
    yield from ((Problem(Dataset(X, y), Polynomial(2), 10.0, bias)) for X, y, bias in SHARED)
    rng = np.random.default_rng(0)
    for k in range(300):
        m = int(rng.integers(8, 21))
        X, y = rng.integers(-2, 3, (m, 2)), rng.choice([-1, 1], m)
        y[:2] = 1, -1
        yield Problem(Dataset(X, y), [Linear(), Polynomial(2)][k % 2], [0.1, 10.0, 100.0][k % 3], bool(k % 5))


def test_alpha_is_the_shortest_of_all_that_are_optimal_wherever_the_solver_starts():
    for problem in lattices():
        data, y = problem.data, problem.data.y
        s = solve(problem)
        where = (data.X.tolist(), y.tolist(), problem.kernel.key, problem.C, problem.bias)
        # z is optimal with alpha where w, sum and y'z are the same; alpha is the shortest if alpha'z >= alpha'alpha for
        # all.
        A = np.vstack([(problem.kernel.feature_map(data.X) * y[:, None]).T, np.ones(data.m), y * problem.bias])
        other = linprog(s.alpha, A_eq=A, b_eq=A @ s.alpha, bounds=(0, problem.C), method="highs")
        assert other.fun >= s.alpha @ s.alpha * (1 - 1e-9), where
        for C in (1.0, 1000.0):
            warm = solve(problem, start=solve(replace(problem, C=C)))
            assert warm.alpha.tolist() == s.alpha.tolist(), where
            assert (warm.b, warm.b_interval, warm.categories) == (s.b, s.b_interval, s.categories), where


@pytest.mark.parametrize("name", DATASETS)
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.key)
def test_every_preset_is_solved_with_every_kernel_at_every_c(name, kernel):
    data = make_dataset(name, 40, 0.2, seed=2)
    for C in (1e-6, 1e-2, 1.0, 100.0, 1e6, math.inf):
        for bias in (True, False):
            try:
                s = solve(Problem(data, kernel, C, bias))
            except NotSeparable:
                continue
            except SolverFailed as error:
                if math.isinf(C) and "too narrow" in str(error):
                    continue
                raise
            assert s.status.startswith("exact"), (C, bias)
            assert worst(s) <= s.floor, (C, bias)


@pytest.mark.parametrize(("name", "m", "sigma"), [("spirals", 1500, 4.0), ("overlapping", 2000, 0.5)])
def test_a_long_walk_among_nearly_dependent_rows_ends_at_the_optimum(name, m, sigma):
    s = solve(Problem(make_dataset(name, m), Gaussian(sigma), 1e4))
    assert s.status.startswith("exact")
    assert worst(s) <= s.floor


def test_five_thousand_points_fit_in_fifty_megabytes_with_their_certificate():
    data = make_dataset("overlapping", 5000)
    tracemalloc.start()
    s = solve(Problem(data, Linear(), 1.0))
    assert certify(s).is_optimal()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50e6
    assert "gram" not in vars(s.problem)


@pytest.mark.filterwarnings("default::svmlab.NotExact")  # the warning says it too
@pytest.mark.parametrize("seed", range(12))
def test_beyond_double_precision_an_answer_is_right_or_says_that_it_is_not_exact(seed):
    rng = np.random.default_rng(seed)
    X, y = np.round(5 * rng.normal(size=(50, 2))), rng.choice([-1.0, 1.0], 50)
    try:
        solution = solve(Problem(Dataset(X, y), Polynomial(8), 2e4))
    except SolverFailed:
        return
    if solution.status.startswith("exact"):
        assert worst(solution) <= solution.floor


def test_a_polynomial_of_millions_of_features_is_proven_without_writing_them_down():
    rng = np.random.default_rng(0)
    s = solve(Problem(Dataset(rng.normal(size=(5, 53)), [1, -1, 1, -1, 1]), Polynomial(6)))
    assert s.w is None
    assert s.proven
    assert s.norm_w > 0

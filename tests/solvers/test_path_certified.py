"""The path from the smallest C to the largest: every alpha is proven beside the machine that is solved at its C."""

import math
import warnings
from dataclasses import replace

import numpy as np
import pytest

from svmlab import (
    DATASETS,
    Dataset,
    Gaussian,
    Linear,
    NotExact,
    Path,
    Polynomial,
    Problem,
    Solution,
    SolverFailed,
    make_dataset,
    regularization_path,
    solve,
)
from svmlab.core.arrays import frozen

GRID = 10.0 ** np.arange(-8, 13)
NAMES = list(DATASETS)
KERNELS = (Linear(), Polynomial(2), Polynomial(4), Gaussian(0.15), Gaussian(0.6), Gaussian(3.0))
COSTS = ((1.0, 1.0), (0.7, 0.8), (30.0, 0.05))


def proven(path: Path, C: float) -> bool:
    """Whether alpha(C) passes the certificate at ten times its floor, where the machine solved at C passes at all.

    b is that of the machine, or what the free points say: where alpha is large, a digit of b more or less counts.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotExact)
        try:
            solved = solve(replace(path.problem, C=C))
        except SolverFailed:
            return True
        alpha = frozen(path.alpha(C))
    if not solved.proven:
        return True
    candidate = replace(solved, alpha=alpha, states=frozen(np.where(alpha > 0, 0, -1), np.int8))
    return _optimal(candidate, solved.floor) or _optimal(_pinned(candidate), solved.floor)


def _optimal(candidate: Solution, floor: float) -> bool:
    return candidate.certificate.is_optimal(10 * max(candidate.floor, floor))


def _pinned(candidate: Solution) -> Solution:
    bounds, y = candidate.problem.bounds, candidate.problem.data.y
    free = (candidate.alpha > 1e-9 * candidate.alpha.max()) & (candidate.alpha < (1 - 1e-9) * bounds)
    if not free.any() or not candidate.problem.bias:
        return candidate
    shift = float(np.median((y - y * candidate.margins)[free]))
    return replace(candidate, b=candidate.b + shift, evaluation=candidate.evaluation.with_bias_moved(shift))


def around(path: Path) -> np.ndarray:
    """Prices over all decades, in the middle of stretches and beside breakpoints, some of each."""
    if not len(path.C):
        return GRID
    few = path.C[np.unique(np.linspace(0, len(path.C) - 1, 4).astype(int))]
    return np.concatenate([GRID[::4], few, few * (1 - 1e-6), few * (1 + 1e-6), 0.5 * (few[1:] + few[:-1])])


def test_at_the_smallest_c_alpha_is_balanced():
    data = Dataset([[0, 0], [1, -4], [1, 3], [-2, -1]], [1, -1, 1, 1])
    path = regularization_path(Problem(data, Gaussian(3.0)))
    for C in (1e-12, 1e-8, 1e-4):
        assert abs(path.alpha(C) @ data.y) <= 1e-15 * C
        assert proven(path, C)


def test_the_last_stretch_is_right_to_round_off_and_so_its_slack_is_none():
    """1e-14 too short on a margin line counts C times: what is left over from earlier stretches must not remain."""
    for problem in (
        Problem(Dataset([[3, 1], [-4, 3], [2, -1], [0, 2]], [1, 1, -1, 1]), Polynomial(4)),
        Problem(Dataset([[3], [-4], [-2], [-3], [0], [-1]], [-1, -1, 1, -1, -1, 1]), Gaussian(3.0)),
    ):
        path = regularization_path(problem)
        assert all(proven(path, C) for C in GRID)


def test_what_pulls_fully_pulls_exactly_as_hard_as_it_may_with_unlike_costs():
    path = regularization_path(Problem(Dataset([[-4], [0], [0]], [-1, -1, 1]), Polynomial(3), costs=(0.7, 0.8)))
    assert all(proven(path, C) for C in GRID)


def test_hundreds_of_points_of_which_many_all_but_depend_on_others_are_followed_to_the_end():
    path = regularization_path(Problem(make_dataset("moons", 300, 0.3, seed=1), Gaussian(1.0)))
    assert path.end == math.inf
    assert path.end_reason is None
    assert all(proven(path, C) for C in (1.0, 1e6, path.C[-1], 2 * path.C[-1]))


def family(seed: int) -> Problem:
    """Boards of thousandths, thirds, integers with points twice, and points in many dimensions, at most 20 of them."""
    r = np.random.default_rng(seed)
    m = int(r.integers(2, 21))
    y = r.choice([-1, 1], m)
    X = (
        np.round(r.uniform(-6, 6, (m, 2)), 3),
        r.integers(-6, 7, (m, int(r.integers(1, 4)))) / 3,
        r.integers(-2, 3, (m, 2)).astype(float),
        r.normal(size=(m, int(r.integers(3, 11)))) + 0.5 * y[:, None],
        make_dataset(NAMES[seed // 5 % len(NAMES)], max(m, 4), 0.2, seed=seed),
    )[seed % 5]
    if seed % 2 and not isinstance(X, Dataset):
        y = np.where(X[:, 0] > 0.1, 1, -1)
    data = X if isinstance(X, Dataset) else Dataset(X, y)
    return Problem(data, KERNELS[seed % 6], 1.0, seed % 7 < 5, COSTS[seed % 4 // 2 * (1 + seed % 2)])


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, 60, 20))
def test_a_family_of_problems_has_no_path_that_raises_and_no_alpha_that_is_wrong(first):
    for seed in range(first, first + 20):
        path = regularization_path(family(seed))
        assert (np.diff(path.C) > 0).all()
        assert [C for C in around(path) if not proven(path, C)] == [], seed


@pytest.mark.filterwarnings("ignore::svmlab.core.errors.NotExact")
def test_where_double_precision_does_not_suffice_the_path_ends_and_says_so():
    """Points on a line under a wide Gaussian: their kernel matrix has a dozen eigenvalues above round-off."""
    x = np.random.default_rng(0).normal(size=(60, 1))
    path = regularization_path(Problem(Dataset(x, np.sign(np.sin(9 * x[:, 0]))), Gaussian(3.0)))
    assert path.C[-1] <= path.end < math.inf
    assert "are not known" in path.end_reason
    larger_C = 2 * path.end
    assert path.alpha(larger_C).tolist() == solve(replace(path.problem, C=larger_C)).alpha.tolist()
    assert path.at(larger_C).alpha.tolist() == path.alpha(larger_C).tolist()

"""The path in C: the same solutions as solving afresh, breakpoints where the partition really changes, ties
included."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from svmlab import (
    DATASETS,
    BadInput,
    Dataset,
    Gaussian,
    Linear,
    NotExact,
    NotSeparable,
    Polynomial,
    Problem,
    make_dataset,
    regularization_path,
    solve,
)

KERNELS = {"linear": Linear(), "quadratic": Polynomial(2), "gaussian": Gaussian(1.0)}
BOARDS = [
    "overlapping",
    "separable",
    "moons",
    "lattice",
    "collinear",
    "one_against_many",
    "four_corners",
    "idle_margin",
]


def between(C) -> list[float]:
    """A value of C in every segment, first and last included."""
    ends = [C[0] / 10, *C, C[-1] * 10] if len(C) else [0.1, 10.0]
    return [math.sqrt(a * b) for a, b in pairwise(ends)]


def dual(problem: Problem, alpha) -> float:
    signed = alpha * problem.data.y
    return float(alpha.sum() - 0.5 * signed @ problem.gram @ signed)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "nobias"])
def test_every_segment_and_every_breakpoint_give_what_solving_gives(name, kernel, bias):
    problem = Problem(make_dataset(name, 24, 0.3), KERNELS[kernel], 1.0, bias)
    path = regularization_path(problem)
    assert (np.diff(path.C) > 0).all()
    for C in [*between(path.C), *path.C]:
        there, afresh = path.at(C), solve(replace(problem, C=C))
        assert there.problem.C == C
        assert dual(there.problem, path.alpha(C)) == pytest.approx(afresh.dual_objective, rel=1e-8)
        if C not in path.C:  # on a breakpoint the partition is decided by the last bit
            assert there.alpha.tolist() == afresh.alpha.tolist()
            assert (there.b, there.b_interval, there.alpha_unique) == (afresh.b, afresh.b_interval, afresh.alpha_unique)


@given(
    st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2), st.sampled_from([-1, 1])), min_size=2, max_size=10),
    st.sampled_from(list(KERNELS.values())),
    st.booleans(),
)
def test_ties_duplicates_and_opposite_twins_are_followed_too(points, kernel, bias):
    P = np.array(points, float)
    problem = Problem(Dataset(P[:, :2], P[:, 2]), kernel, 1.0, bias)
    path = regularization_path(problem)
    for C in between(path.C):
        best = solve(replace(problem, C=C))
        assert dual(best.problem, path.alpha(C)) == pytest.approx(best.dual_objective, rel=1e-9, abs=1e-12)
        assert path.at(C).alpha.tolist() == best.alpha.tolist()


@pytest.mark.parametrize("name", ["overlapping", "moons", "spirals"])
@pytest.mark.parametrize("kernel", KERNELS)
def test_alpha_and_b_are_linear_between_breakpoints_and_the_partition_changes_at_each(name, kernel):
    problem = Problem(make_dataset(name, 30, 0.3, seed=4), KERNELS[kernel])
    path = regularization_path(problem)
    assert len(path.C) > 10
    ends = [path.C[0] / 2, *path.C, path.C[-1] * 2]
    states = []
    for a, b in pairwise(ends):
        left, middle, right = (solve(replace(problem, C=a + t * (b - a))) for t in (0.1, 0.5, 0.9))
        assert left.states.tolist() == middle.states.tolist() == right.states.tolist()
        assert middle.alpha == pytest.approx(0.5 * (left.alpha + right.alpha), abs=1e-9 * middle.alpha.max())
        if middle.free.any():
            assert middle.b == pytest.approx(0.5 * (left.b + right.b), abs=1e-8)
        assert left.categories == middle.categories == right.categories
        states.append((middle.states.tolist(), middle.categories))
    assert all(one != other for one, other in pairwise(states))


def tied(seed: int) -> Problem:
    """Small lattices in one to three dimensions, points twice, symmetric boards: many points share a load in many
    ways."""
    rng = np.random.default_rng(seed)
    m, kind = int(rng.integers(3, 11)), seed % 6
    if kind == 4:
        X = rng.integers(-2, 3, (m // 2 + 1, 2))
        X = np.vstack([X, -X])
    else:
        X = rng.integers(*((-3, 4) if kind == 3 else (-1, 2) if kind == 5 else (-2, 3)), (m, {3: 1, 5: 3}.get(kind, 2)))
    y = rng.choice([-1, 1], len(X)) if rng.integers(2) else np.where(X.sum(1) > 0, 1, -1)
    y[:2] = 1, -1
    weights = rng.integers(1, 4, len(X)) if seed % 5 == 0 else None
    kernel = (Linear(), Gaussian(1.0), Polynomial(2), Linear())[seed % 4]
    costs = (2.0, 1.0) if seed % 7 == 0 else (1.0, 1.0)
    return Problem(Dataset(X, y), kernel, 1.0, bool(rng.integers(4)), costs, weights)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, 240, 40))
def test_ties_or_not_between_breakpoints_the_least_norm_is_linear_and_no_category_changes(first):
    """Against machines that are solved by themselves; and no breakpoint is one too many."""
    parts = (0.03, 0.21, 0.5, 0.83, 0.97)
    for problem in map(tied, range(first, first + 40)):
        path, before = regularization_path(problem), None
        where = (problem, problem.data.X.tolist(), problem.data.y.tolist())
        ends = [path.C[0] / 3, *path.C, path.C[-1] * 3] if len(path.C) else [0.1, 10.0]
        for a, b in pairwise(ends):
            if b - a < 1e-6 * b:
                before = None
                continue
            solutions = [solve(replace(problem, C=a + t * (b - a))) for t in parts]
            alpha, largest = np.stack([s.alpha for s in solutions]), max(s.alpha.max() for s in solutions)
            slope = (alpha[-1] - alpha[0]) / (parts[-1] - parts[0])
            for t, s in zip(parts, solutions, strict=True):
                assert s.alpha == pytest.approx(alpha[0] + (t - parts[0]) * slope, abs=1e-8 * largest), where
                assert path.alpha(s.problem.C) == pytest.approx(s.alpha, abs=1e-9 * largest), where
                assert (s.states == solutions[0].states).all(), where
                assert s.categories == solutions[0].categories, where
            here = (solutions[0].states.tolist(), solutions[0].categories)
            assert here != before, where
            before = here


def test_where_w_is_0_for_every_C_rounding_makes_no_breakpoint():
    data = Dataset([[1, 1, 1], [1, 1, 0], [1, -1, 1], [-1, 1, 0], [1, -1, 0]], [1, -1, -1, 1, 1])
    path = regularization_path(Problem(data))
    assert solve(Problem(data, C=1e6)).norm_w == 0
    assert len(path.C) == 0


def test_an_alpha_that_is_not_unique_turns_where_w_goes_on():
    """w and b are linear in C from 1/14 to 1/6. Four points share a load in many ways; at C = 13/102 one of them comes
    to 0."""
    data = Dataset([[3, 3], [-1, -1], [-2, 3], [3, 0], [1, 3]], [1, -1, 1, -1, 1])
    path = regularization_path(Problem(data))
    assert path.C[2:5] == pytest.approx([1 / 14, 13 / 102, 1 / 6], rel=1e-12)
    for a, b in pairwise(path.C[2:5]):
        left, middle, right = (solve(replace(path.problem, C=a + t * (b - a))).alpha for t in (0.01, 0.5, 0.99))
        assert middle == pytest.approx(0.5 * (left + right), abs=1e-12)


def test_a_point_that_crosses_the_boundary_is_a_breakpoint():
    """Beside such a C the sign of y f differs, although alpha goes on as before."""
    problem = Problem(make_dataset("overlapping", 24, 0.3))
    path = regularization_path(problem)
    crossed = 0
    for C in path.C:
        before, after = (solve(replace(problem, C=C * (1 + t))).margins for t in (-1e-6, 1e-6))
        crossed += bool((before * after < 0).any())
    assert crossed > 5


def test_two_points_leave_their_bound_at_one_half():
    # alpha = C until 2 / |x1 - x2|^2 = 1/2, then the hard margin.
    path = regularization_path(Problem(Dataset([[-1, 0], [1, 0]], [-1, 1])))
    assert path.C.tolist() == pytest.approx([0.5], rel=1e-15)
    assert path.at(0.25).alpha.tolist() == [0.25, 0.25]
    assert path.at(7.0).alpha.tolist() == path.at(math.inf).alpha.tolist() == [0.5, 0.5]
    assert path.hard_margin_solution.norm_w == pytest.approx(1.0)


def test_four_corners_meet_the_hard_margin_at_a_quarter():
    path = regularization_path(Problem(make_dataset("four_corners")))
    assert path.C[0] == pytest.approx(0.25, rel=1e-12)
    assert path.at(0.2).alpha.tolist() == [0.2] * 4
    assert path.at(0.3).alpha == pytest.approx([0.25] * 4)


@pytest.mark.parametrize("name", DATASETS)
def test_the_limit_is_the_hard_margin_or_nothing(name):
    problem = Problem(make_dataset(name, 20))
    path = regularization_path(problem)
    try:
        hard = solve(replace(problem, C=math.inf))
    except NotSeparable:
        assert path.hard_margin_solution is None
        return
    assert path.hard_margin_solution.w.tolist() == hard.w.tolist()
    assert path.at(2 * path.C[-1]).w == pytest.approx(hard.w, rel=1e-9)
    assert path.at(0.999 * path.C[-1]).w != pytest.approx(hard.w, rel=1e-9)


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_norm_never_falls_and_the_slack_never_grows_along_the_path(kernel):
    path = regularization_path(Problem(make_dataset("overlapping", 30, 0.4), KERNELS[kernel]))
    solutions = [path.at(C) for C in between(path.C)]
    norm, slack = np.array([s.norm_w for s in solutions]), np.array([s.xi.sum() for s in solutions])
    assert (np.diff(norm) >= -1e-9 * norm[1:]).all()
    assert (np.diff(slack) <= 1e-9 * slack[:-1] + 1e-9).all()


def test_the_problems_own_C_plays_no_part():
    data = make_dataset("overlapping", 20)
    small, large = (regularization_path(Problem(data, C=C)) for C in (1e-3, math.inf))
    assert small.C.tolist() == large.C.tolist()


def test_one_class_has_no_breakpoints_and_no_points_are_an_error():
    path = regularization_path(Problem(Dataset([[0, 0], [1, 0]], [1, 1])))
    assert len(path.C) == 0
    assert path.at(3.0).norm_w == 0
    assert path.alpha(3.0).tolist() == [0, 0]
    with pytest.raises(BadInput, match="no points"):
        regularization_path(Problem(Dataset(np.zeros((0, 2)), [])))


@pytest.mark.parametrize("C", [0.0, -1.0, math.nan])
def test_a_C_that_is_none_is_named(C):
    path = regularization_path(Problem(make_dataset("moons", 10)))
    with pytest.raises(BadInput, match="C:"):
        path.at(C)
    with pytest.raises(BadInput, match="C:"):
        path.alpha(C)


def test_progress_is_reported_and_can_cancel_the_path():
    seen = []

    def report(x: float) -> None:
        seen.append(x)
        if len(seen) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        regularization_path(Problem(make_dataset("overlapping", 40)), report)
    assert seen == sorted(seen)


@pytest.mark.parametrize(("sigma", "extent"), [(20.0, 0.36), (50.0, 1.0), (1000.0, 1.0)])
def test_where_round_off_hides_the_least_norm_alpha_is_what_solve_returns(sigma, extent):
    y = np.array([1, -1, -1, -1, -1, 1, -1, -1, -1, -1])
    problem = Problem(Dataset(np.linspace(0.0, extent, 10)[:, None], y), Gaussian(sigma))
    path = regularization_path(problem)
    for C in (0.001, 1.0, 5.0):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotExact)
            alpha, solution = path.alpha(C), solve(replace(problem, C=C))
        assert abs(float(y @ alpha)) <= 1e-9 * C
        assert alpha == pytest.approx(solution.alpha, abs=0.01 * C)

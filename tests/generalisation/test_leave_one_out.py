"""Leaving one out, the estimates that need no second machine, folds, and the validation curve."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svmlab import BadInput, Dataset, Gaussian, Linear, NotSeparable, Polynomial, Problem, Sigmoid, make_dataset, solve
from svmlab.generalisation import (
    Blobs,
    bound_is_guaranteed,
    cross_validate,
    leave_one_out,
    possible_leave_one_out_errors,
    radius_squared,
    sample_errors,
    solve_without,
    validation_curve,
)

BOARDS = {
    "overlapping": (Problem(make_dataset("overlapping", 24, 0.1, 2), Linear(), 1.0), (3, 6, 6)),
    "moons": (Problem(make_dataset("moons", 24, 0.1, 2), Gaussian(0.5), 10.0), (1, 14, 19)),
    "narrow": (Problem(make_dataset("moons", 24, 0.1, 2), Gaussian(0.2), 100.0), (7, 19, 23)),
    "hard": (Problem(make_dataset("separable", 24, 0.1, 2), Linear(), math.inf), (0, 3, 3)),
}


@pytest.mark.parametrize("name", BOARDS)
def test_errors_are_at_most_the_count_and_that_the_support_vectors(name):
    problem, (errors, count, N) = BOARDS[name]
    solution = solve(problem)
    left, possible = leave_one_out(problem), possible_leave_one_out_errors(solution)
    assert left.error_count == errors
    assert possible.sum() == count
    assert solution.support.sum() == N
    assert np.flatnonzero(~bound_is_guaranteed(solution, left)).tolist() == ([12] if name == "overlapping" else [])
    assert not (left.errors & ~possible).any()
    assert not (possible & ~solution.support).any()


def test_neither_training_errors_nor_slack_bound_the_leave_one_out_error():
    """The two controls: 3 against 0, and 1 against 0."""
    overlapping, moons = solve(BOARDS["overlapping"][0]), solve(BOARDS["moons"][0])
    assert (overlapping.margins <= 0).sum() == 0
    assert (moons.xi > 0).sum() == 0


def test_each_is_the_svm_without_the_point():
    problem = BOARDS["overlapping"][0]
    data, left = problem.data, leave_one_out(problem)
    for i in (0, 5, 17):
        rest = np.arange(24) != i
        alone = solve(replace(problem, data=Dataset(data.X[rest], data.y[rest])), method="dual-qp")
        assert left.f[i] == pytest.approx(float(alone.decision(data.X[i : i + 1])[0]), abs=1e-4)
    assert np.array_equal(left.fold_of_point, np.arange(24))
    assert left.rate == 3 / 24


boards = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.sampled_from([-1, 1])), min_size=2, max_size=10)
machines = st.tuples(
    st.sampled_from([Linear(), Polynomial(2), Gaussian(0.3), Gaussian(1.0), Gaussian(5.0)]),
    st.sampled_from([0.01, 0.1, 1.0, 10.0, math.inf]),
    st.booleans(),
)


@settings(max_examples=150, deadline=None)
@given(boards, machines)
def test_the_theorem_on_any_board(rows, machine):
    kernel, C, bias = machine
    problem = Problem(Dataset([r[:2] for r in rows], [r[2] for r in rows]), kernel, C, bias)
    try:
        solution = solve(problem)
    except NotSeparable:
        return
    left = leave_one_out(problem, solution)
    possible = possible_leave_one_out_errors(solution)
    assert not (possible & ~solution.support).any()
    assert not (left.errors & ~possible & bound_is_guaranteed(solution, left)).any()
    if solution.norm_w > 1e-9:
        assert not (left.errors & ~solution.support).any()


def test_where_b_may_be_chosen_nothing_is_promised():
    """Two - and one +: without a - the classes balance, all alpha are C, b is any of an interval, and its middle goes
    wrong."""
    problem = Problem(Dataset([[-1, 2], [-1, -1], [1, -1]], [-1, 1, -1]), Gaussian(5.0), 0.001)
    solution, left = solve(problem), leave_one_out(problem)
    assert left.errors[0]
    assert solution.support[0]
    assert not possible_leave_one_out_errors(solution)[0]
    assert not bound_is_guaranteed(solution, left)[0]
    lo, hi = solve_without(problem, np.arange(3) == 0).b_interval
    assert hi - lo > 1.9


def test_a_point_with_alpha_0_can_be_deleted_except_where_w_is_0():
    """With two labels in one place w = 0, and what is left out was all that told b its sign."""
    problem = Problem(Dataset([[2, 3], [2, 3], [1, -2]], [1, -1, 1]), Polynomial(3, 0.0), 0.1)
    solution, left = solve(problem), leave_one_out(problem)
    assert solution.norm_w == 0
    assert left.errors[2]
    assert not solution.support[2]


def test_the_squared_reach_of_the_images():
    data = make_dataset("moons", 24, 0.1, 2)
    square = max(float(((x - z) ** 2).sum()) for x in data.X for z in data.X)
    shifted = Dataset(data.X + 100.0, data.y)
    assert radius_squared(Problem(shifted)) == pytest.approx(square)
    assert radius_squared(Problem(data)) <= square
    K = Problem(data).gram
    assert radius_squared(Problem(data)) == pytest.approx(min(square, np.diag(K).max() - K.min()))
    assert radius_squared(Problem(data, Linear(), 1.0, bias=False)) == pytest.approx((data.X**2).sum(axis=1).max())
    for sigma in (0.2, 1.0, 5.0):
        assert 0 < radius_squared(Problem(data, Gaussian(sigma))) <= 1
    with pytest.raises(BadInput, match="inner product"):
        radius_squared(Problem(data, Sigmoid()))


def test_folds_hold_every_point_once_and_are_as_equal_as_can_be():
    problem = Problem(make_dataset("overlapping", 23, 0.3), Gaussian(1.0), 1.0)
    validation = cross_validate(problem, 5, seed=3)
    assert sorted(np.bincount(validation.fold_of_point)) == [4, 4, 5, 5, 5]
    assert validation.folds == 5
    assert validation.rate == validation.error_count / 23
    assert validation.standard_error > 0
    for k in range(5):
        rows = validation.fold_of_point == k
        assert validation.f[rows] == pytest.approx(
            solve_without(problem, rows).decision(problem.data.X[rows]), abs=1e-9
        )
    assert not np.array_equal(cross_validate(problem, 5, seed=4).fold_of_point, validation.fold_of_point)


def test_as_many_folds_as_points_is_leaving_one_out():
    problem = Problem(make_dataset("overlapping", 15, 0.2), Linear(), 1.0)
    all_folds, left = cross_validate(problem, 15), leave_one_out(problem)
    assert all_folds.f == pytest.approx(left.f, abs=1e-9)
    assert all_folds.error_count == left.error_count


SIGMAS = (0.1, 0.2, 0.4, 0.8, 1.5, 3.0)


def test_the_training_error_is_least_where_the_true_one_is_worst():
    """Means over 40 samples of 60 points at C = 1, along sigma."""
    blobs = Blobs(eta=0.1)
    by_sigma = [
        sample_errors(blobs, 60, lambda data, s=s: Problem(data, Gaussian(s), 1.0), 40, fresh=2000) for s in SIGMAS
    ]
    train, true = [c.train.mean() for c in by_sigma], [c.true.mean() for c in by_sigma]
    assert train == pytest.approx([0.004, 0.020, 0.075, 0.111, 0.124, 0.130], abs=0.01)
    assert true == pytest.approx([0.40, 0.28, 0.19, 0.147, 0.139, 0.137], abs=0.015)
    assert train == sorted(train)
    assert true == sorted(true, reverse=True)
    assert [c.support.mean() / 60 for c in by_sigma] == pytest.approx([1.0, 0.96, 0.81, 0.58, 0.47, 0.5], abs=0.03)


def test_the_validation_curve_on_one_board():
    blobs = Blobs(eta=0.1)
    data = blobs.draw(60, 1)
    problems = [Problem(data, Gaussian(s), 1.0) for s in SIGMAS]
    curve = validation_curve(problems, blobs)
    assert curve.lowest(curve.train) == 0
    assert SIGMAS[curve.lowest(curve.true)] >= 0.8
    assert SIGMAS[curve.lowest(curve.cross_validation)] >= 0.8
    assert (curve.true - curve.train)[0] > 0.35
    for i, problem in enumerate(problems):
        assert curve.train[i] == (solve(problem).margins <= 0).mean()
        assert curve.cross_validation[i] == cross_validate(problem, 5).rate
        assert curve.support[i] == solve(problem).support.mean()
    assert curve.leave_one_out[2] == leave_one_out(problems[2]).rate
    assert (curve.true_standard_error > 0).all()
    # what the sample says of itself is near what the distribution says, and the training error is not
    assert np.abs(curve.cross_validation - curve.true).mean() < 0.5 * np.abs(curve.train - curve.true).mean()


def test_the_curve_along_c_by_the_formula_and_without_a_distribution():
    data = Blobs(eta=0.1).draw(30, 2)
    problems = [Problem(data, Linear(), C) for C in (0.01, 1.0, 100.0)]
    curve = validation_curve(problems, Blobs(eta=0.1), with_leave_one_out=False)
    assert (curve.true_standard_error == 0).all()
    assert (curve.true >= Blobs(eta=0.1).bayes_error).all()
    assert np.isnan(curve.leave_one_out).all()
    own = validation_curve(problems, k=3)
    assert np.isnan(own.true).all()
    assert not np.isnan(own.leave_one_out).any()


def test_the_curve_reports_and_stops():
    seen = []
    problems = [Problem(make_dataset("overlapping", 10), Linear(), C) for C in (0.1, 1.0)]
    validation_curve(problems, on_progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == pytest.approx(1)
    assert len(seen) == 2 * (5 + 10)

    def stop(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        validation_curve(problems, on_progress=stop)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("separable", [2, 3, 18, 52, 60]),
        ("overlapping", [6, 8, 15, 51, 60]),
        ("moons", [21, 21, 12, 36, 57]),
        ("circles", [49, 6, 16, 45, 58]),
    ],
)
def test_fewer_with_a_kernel_where_it_fits_and_more_where_not(name, counts):
    data = make_dataset(name, 60, 0.1, 0)
    kernels = (Linear(), Polynomial(2), Gaussian(1.0), Gaussian(0.3), Gaussian(0.1))
    solutions = [solve(Problem(data, kernel, 10.0)) for kernel in kernels]
    assert [int(one.support.sum()) for one in solutions] == counts
    again = [solve(Problem(data, kernel, 10.0), method="dual-qp").alpha for kernel in kernels]
    assert [int((alpha > 1e-6 * 10.0).sum()) for alpha in again] == counts


def test_what_cannot_be_is_said():
    problem = Problem(make_dataset("overlapping", 6))
    for k in (1, 7, 2.5):
        with pytest.raises(BadInput, match=r"^k: "):
            cross_validate(problem, k)
    with pytest.raises(BadInput, match="left out"):
        leave_one_out(Problem(Dataset([[0, 0]], [1])))

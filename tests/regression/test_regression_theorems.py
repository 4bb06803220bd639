"""The tube: theorems as tests, along eps and beside least squares."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from svmlab import Gaussian, Linear, NotExact, Polynomial
from svmlab.regression import GROUPS, Tube, TubeCategory, Values, certify, epsilon_path, least_squares, solve
from tests.boards import LINE, X15, tube

# theorems


def test_the_signs_the_places_and_the_multipliers_belong_together():
    for C in (0.1, 1.0, 10.0):
        for eps in (0.0, 0.1, 0.5):
            fit = solve(Tube(LINE, C=C, eps=eps))
            r, tol = fit.residuals, 1e-9
            assert (fit.alpha[r < eps - tol] == 0).all()
            assert (fit.alpha_star[r > -eps + tol] == 0).all()
            assert (fit.alpha[r > eps + tol] == C).all()
            assert (fit.alpha_star[r < -eps - tol] == C).all()
            assert (fit.alpha * fit.alpha_star == 0).all()
            assert (np.sign(fit.beta) * (fit.sides * fit.support) >= 0).all()
            of = {place: group for group, many in GROUPS.items() for place in many}
            groups = np.array([of[place] for place in fit.categories])
            assert (groups[np.abs(r) > eps + tol] == "violating").all()
            assert (groups[np.abs(r) < eps - tol] == "safe").all()


def test_a_point_inside_moves_nothing_until_it_meets_the_edge():
    before = solve(Tube(LINE, C=1.0, eps=0.3))
    at = before.categories.index(TubeCategory.INSIDE)
    room = 0.3 - before.residuals[at]
    for part, same in ((0.99, True), (1.2, False)):
        y = LINE.y.copy()
        y[at] += part * room
        after = solve(Tube(Values(LINE.X, y), C=1.0, eps=0.3))
        assert (after.w == pytest.approx(before.w, abs=1e-12)) is same


def test_moving_a_point_outside_farther_away_leaves_the_tube_and_changes_least_squares():
    before = solve(Tube(LINE, C=1.0, eps=0.3))
    squares = least_squares(LINE)
    at = before.categories.index(TubeCategory.OUTSIDE)
    x = X15 - X15.mean()
    for distance in (1.0, 10.0, 1000.0):
        y = LINE.y.copy()
        y[at] += distance * before.sides[at]
        moved = Values(LINE.X, y)
        after = solve(Tube(moved, C=1.0, eps=0.3))
        assert after.beta == pytest.approx(before.beta, abs=1e-11)
        assert (after.w[0], after.b) == pytest.approx((before.w[0], before.b), abs=1e-11)
        step = least_squares(moved).w[0] - squares.w[0]
        assert step == pytest.approx(distance * before.sides[at] * x[at] / (x @ x), rel=1e-9)


def test_one_outlier_moves_the_tube_once_and_least_squares_for_ever():
    slopes = []
    for distance in (0.0, 2.0, 5.0, 50.0):
        y = LINE.y.copy()
        y[-2] += distance
        data = Values(LINE.X, y)
        slopes.append([solve(Tube(data, C=1.0, eps=0.3)).w[0], least_squares(data).w[0]])
    expected = [[0.696375, 0.713113], [0.716454, 0.813113], [0.716454, 0.963113], [0.716454, 3.213113]]
    assert np.array(slopes) == pytest.approx(np.array(expected), abs=1e-6)


@pytest.mark.parametrize("C", [0.1, 1.0, 1e5])
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "nobias"])
def test_a_tube_that_holds_all_values_is_level_and_one_that_just_does_not_is_not(C, bias):
    level = Tube(LINE, bias=bias).constant_fit_eps
    assert level == pytest.approx(np.ptp(LINE.y) / 2 if bias else np.abs(LINE.y).max(), rel=1e-15)
    for eps in (level, level * 1.5):
        fit = solve(Tube(LINE, C=C, eps=eps, bias=bias))
        assert (fit.support.sum(), fit.norm_w, fit.objective) == (0, 0.0, 0.0)
        if bias:
            assert fit.b_interval == pytest.approx((LINE.y.max() - eps, LINE.y.min() + eps), abs=1e-14)
    below = solve(Tube(LINE, C=C, eps=level * (1 - 1e-6), bias=bias))
    assert below.support.any()
    assert below.norm_w > 0
    assert certify(below).is_optimal()


def test_on_the_verge_of_being_level_rounding_makes_no_support_vectors():
    X, y = [[0.737, 0.737], [0.0, 0.0], [-2.948, 0.0]], [5.3, 5.9, 5.3]  # 5.9 - 5.3 > 0.6 in floating point
    problem = Tube(Values(X, y), Polynomial(3, 0.0), C=0.1, eps=0.3)
    assert problem.constant_fit_eps > 0.3
    for start in (None, solve(replace(problem, eps=0.0)), solve(replace(problem, eps=0.2))):
        fit = solve(problem, start=start)
        assert not fit.support.any()
        assert fit.categories == (TubeCategory.EDGE_IDLE,) * 3
        assert fit.sides.tolist() == [-1, 1, -1]
        assert fit.b_interval == (fit.b, fit.b)


@pytest.mark.parametrize(("y", "eps"), [([0.1, 0.3, 0.2], 0.1), ([0.1, 0.5, 0.3], 0.2), ([0.1, 0.7, 0.4], 0.3)])
def test_an_interval_that_rounding_alone_leaves_is_one_number(y, eps):
    fit = tube([[0], [1], [2]], y, 0.7, eps)
    assert fit.b_interval == (fit.b, fit.b)


def test_a_tube_of_any_height_is_level():
    fit = tube([[0], [1]], [1e-3, 3e-3], eps=1e100)
    assert (fit.b, fit.norm_w, fit.b_interval) == (2e-3, 0.0, (-1e100, 1e100))
    assert fit.categories == (TubeCategory.INSIDE, TubeCategory.INSIDE)
    assert certify(fit).is_optimal()


ILL = [  # hardly regular, or much larger than what they explain: where rounding has something to say
    (Gaussian(0.3), 1e5, 0.0, True, [[-2.211, -2.948], [-2.211, -2.948], [-1.474, 0.0], [2.211, -2.948], [0.737, 0.0]],
     [4.649, 4.649, 5.351, 5.117, 5.351]),
    (Gaussian(0.3), 1e5, 0.0, False, [[1.474, -2.211], [1.474, -2.211], [0, -0.737], [-1.474, 2.211], [2.948, 0.737]],
     [2, 2, 0, -1, 3]),
    (Polynomial(2), 1e5, 0.5, False, [[-0.234], [0.468], [-0.468], [-0.117], [0.234], [0.117], [0], [0], [-0.351]],
     [5, 5.351, 4.883, 5.117, 5, 5.117, 5.351, 5.234, 4.883]),
    (Polynomial(2), 100.0, 0.3, True, [[-3], [3], [0], [-3], [-3]], [0.3, 0, -0.3, -0.9, 0.6]),
    (Polynomial(3, 1.0, 0.5), 1e5, 0.3, True,
     [[1.474], [1.474], [-1.474], [-1.474], [0], [2.211], [-1.474], [0.737], [-0.737], [-1.474], [-0.737], [2.948]],
     [4.883, 4.649, 5.234, 5, 4.883, 4.649, 4.649, 4.883, 4.766, 4.649, 5.351, 5.351]),
    (Linear(), 1e5, 0.3, True, [[3], [3], [-2], [-2], [0], [3], [-2], [4]], [0, 0, 0.6, 0.9, -0.6, 0.6, -0.6, 0.6]),
    (Polynomial(3, 0.0), 1.0, 0.0, False, [[0, 0], [0, 0], [1, 2]], [0, 1, 0]),
    (Gaussian(1.0), 1e5, 1e-12, True, [[-2], [3]], [1, 3]),
    (Polynomial(3, 1.0, 0.5), 3.0, 1e-12, False, [[0.468]] * 6, [0, -0.234, -0.234, 0, -0.117, 0.234]),
    (Polynomial(2), 0.1, 1e-12, False, [[-0.737], [0.737], [1.474], [0.737], [0.737], [2.948], [1.474], [-1.474]],
     [-0.117] * 8),
]  # fmt: skip


@pytest.mark.parametrize("board", ILL, ids=lambda board: f"{board[0].name}-{board[1]:g}-{board[2]:g}")
def test_where_rounding_has_something_to_say_the_answer_is_optimal_and_one(board):
    kernel, C, eps, bias, X, y = board
    problem = Tube(Values(X, y), kernel, C, eps, bias)
    cold = solve(problem)
    assert certify(cold).is_optimal()
    for before in (0.1, 1.0, 100.0):
        for height in (0.0, 0.1, 0.2):
            warm = solve(problem, start=solve(replace(problem, C=before, eps=height)))
            assert warm.beta.tolist() == cold.beta.tolist()
            assert (warm.b, warm.b_interval, warm.alpha_unique) == (cold.b, cold.b_interval, cold.alpha_unique)


def test_where_f_is_level_a_constant_is_no_part_of_the_kernel():
    x = [[0.9], [1.2], [0.6], [1.2], [0.3], [0.3], [1.2], [-0.3], [0.6], [1.2], [0.6], [0.6]]
    fit = tube(x, [0, 0, -0.3, -0.6, 0, 0.9, 0, 0, 0, -0.6, 0, 0.9], 1e5, 0.0, Gaussian(3.0))
    assert fit.objective == pytest.approx(330000, rel=1e-9)
    assert fit.decision(x) == pytest.approx(np.zeros(12), abs=1e-9)
    assert certify(fit).is_optimal()


@pytest.mark.parametrize("seed", [3, 9, 12, 13, 18, 35, 43, 65, 76, 106, 112])  # each start fails on some of them
def test_a_curve_of_degree_five_is_solved_from_at_least_one_start(seed):
    rng = np.random.default_rng(seed)
    x = np.round(rng.uniform(-8, 8, 30), 3)
    y = np.round(2 * np.sin(x) + 0.3 * x + 0.1 * rng.standard_normal(30), 3)
    for eps in (0.0, 0.1):
        with pytest.warns(NotExact, match="rounding alone explains"):
            fit = tube(x[:, None], y, 1e5, eps, Polynomial(5, 1.0, 0.5))
        assert fit.status.startswith("exact")
        assert certify(fit).is_optimal(fit.floor)


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1.0)], ids=lambda k: k.name)
def test_the_value_falls_with_eps_at_the_rate_of_the_multipliers_and_rises_with_c_at_that_of_the_slacks(kernel):
    problem, h = Tube(LINE, kernel, C=1.0, eps=0.3), 1e-5
    fit = solve(problem)
    wide, narrow = (solve(replace(problem, eps=0.3 + step)).objective for step in (h, -h))
    assert (wide - narrow) / (2 * h) == pytest.approx(-(fit.alpha + fit.alpha_star).sum(), rel=1e-6)
    dear, cheap = (solve(replace(problem, C=1.0 + step)).objective for step in (h, -h))
    assert (dear - cheap) / (2 * h) == pytest.approx((fit.xi + fit.xi_star).sum(), rel=1e-6)


def test_without_height_the_line_has_the_least_sum_of_absolute_residuals():
    rng = np.random.default_rng(3)
    x, y = rng.uniform(-3, 3, 9), rng.uniform(-2, 2, 9)
    fit = tube(x[:, None], y, 1e5, 0.0)
    i, j = np.triu_indices(9, 1)  # such a line goes through two points
    slope = (y[j] - y[i]) / (x[j] - x[i])
    sums = np.abs(y - (y[i] - slope * x[i])[:, None] - slope[:, None] * x).sum(1)
    assert np.abs(fit.residuals).sum() == pytest.approx(sums.min(), rel=1e-9)
    assert (np.abs(fit.residuals) < 1e-9).sum() == 2


# along eps


def test_along_eps_there_are_fewer_and_fewer_support_vectors_and_in_the_end_none():
    path = epsilon_path(Tube(LINE, C=1.0))
    assert path.eps[[0, -1]] == pytest.approx([0, 1.1 * np.ptp(LINE.y) / 2])
    assert path.count[0] == 15
    assert (np.diff(path.count) <= 0).all()
    wide = path.eps >= np.ptp(LINE.y) / 2
    assert wide.sum() == 4
    assert (path.count[wide] == 0).all()
    assert (path.norm_w[wide] == 0).all()
    assert (path.count[~wide] > 0).all()
    assert (np.diff(path.objective) <= 0).all()
    assert (np.diff(path.objective, 2) >= -1e-12).all()
    assert (np.diff(path.norm_w) > 1e-3).any()  # |w| need not fall all the way


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.7), Polynomial(3)], ids=lambda k: k.name)
def test_along_eps_every_fit_is_the_one_solved_alone(kernel):
    problem = Tube(LINE, kernel, C=3.0)
    path = epsilon_path(problem, [0.6, 0.0, 0.25, 0.3], start=solve(problem))
    for eps, fit in zip(path.eps, path.fits, strict=True):
        alone = solve(replace(problem, eps=eps))
        assert fit.beta.tolist() == alone.beta.tolist()
        assert (fit.b, fit.b_interval) == (alone.b, alone.b_interval)


def test_along_equal_values_there_is_a_grid_too():
    path = epsilon_path(Tube(Values([[0], [1]], [2, 2])))
    assert path.eps[-1] == 1
    assert not path.count.any()


# least squares


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_least_squares_is_the_polynomial_that_numpy_fits(degree):
    fit = least_squares(LINE, Polynomial(degree, 1.0, 0.5))
    Z = np.linspace(-4, 4, 9)
    assert fit.decision(Z[:, None]) == pytest.approx(np.polyval(np.polyfit(X15, LINE.y, degree), Z), abs=1e-9)
    assert fit.residuals.sum() == pytest.approx(0, abs=1e-12)


def test_least_squares_without_bias_goes_through_the_origin_and_far_from_it_keeps_its_digits():
    slope = least_squares(LINE, bias=False).w[0]
    assert slope == pytest.approx(X15 @ LINE.y / (X15 @ X15), rel=1e-14)
    shifted = least_squares(Values(LINE.X + 1e6, LINE.y))
    assert shifted.w == pytest.approx(least_squares(LINE).w, rel=1e-9)
    assert shifted.residuals == pytest.approx(least_squares(LINE).residuals, abs=1e-9)

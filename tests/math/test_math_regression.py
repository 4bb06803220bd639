"""The tube: boards whose answer is known by hand, theorems as tests, and every way in which it says no."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from svmlab import BadInput, Gaussian, Linear, NotExact, Polynomial, Sigmoid, SolverFailed
from svmlab.regression import GROUPS, Fit, Place, Tube, Values, along, certify, least_squares, solve
from svmlab.regression import exact as exact_method
from svmlab.regression.places import sided
from svmlab.solvers import program

METHODS = ["exact", "dual-qp", "primal-qp"]
X15 = np.linspace(-3, 3, 15)
LINE = Values(X15[:, None], 0.7 * X15 + 0.5 + 0.4 * np.random.default_rng(2).standard_normal(15))
TWO = Values([[0], [1]], [0, 1])


def tube(X: list, y: list, C: float = 1.0, eps: float = 0.1, kernel=Linear(), bias: bool = True) -> Fit:
    return solve(Tube(Values(X, y), kernel, C, eps, bias))


# by hand


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("C", [0.5, 1.0, 1e5])
def test_two_points_hold_a_line_of_slope_one_less_two_eps(method, C):
    fit = solve(Tube(TWO, C=C, eps=0.25), method)
    assert fit.w == pytest.approx([0.5], abs=1e-12)
    assert fit.b == pytest.approx(0.25, abs=1e-12)
    assert (fit.objective, fit.dual_objective) == pytest.approx((0.125, 0.125), abs=1e-12)
    assert fit.alpha == pytest.approx([0, 0.5], abs=1e-12)
    assert fit.alpha_star == pytest.approx([0.5, 0], abs=1e-12)
    assert fit.sides.tolist() == [-1, 1]


def test_at_a_price_equal_to_the_multiplier_the_two_points_are_full_and_below_it_they_fall_out():
    at, above, below = (solve(Tube(TWO, C=C, eps=0.25)) for C in (0.5, 0.51, 0.4))
    assert at.categories == (Place.EDGE_FULL, Place.EDGE_FULL)
    assert above.categories == (Place.EDGE_FREE, Place.EDGE_FREE)
    assert below.categories == (Place.OUTSIDE, Place.OUTSIDE)
    assert below.w == pytest.approx([0.4], abs=1e-15)
    assert below.b_interval == pytest.approx((0.25, 0.35), abs=1e-15)  # one is as far above as the other is below
    assert below.b == pytest.approx(0.3, abs=1e-15)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("C", "eps", "value", "carriers"), [(1, 0.3, 1.5166976, 7), (0.1, 0.1, 0.5396403, 13), (10, 0.6, 4.7724232, 4)]
)
def test_the_three_tubes_round_a_line_have_the_values_that_are_told(method, C, eps, value, carriers):
    fit = solve(Tube(LINE, C=C, eps=eps), method)
    assert fit.objective == pytest.approx(value, abs=1e-7)
    assert fit.dual_objective == pytest.approx(fit.objective, rel=1e-10)
    assert fit.support.sum() == carriers
    assert fit.beta.sum() == pytest.approx(0, abs=1e-12)
    assert certify(fit).is_optimal()


@pytest.mark.parametrize(("C", "alpha"), [(10.0, 2.5 / 4), (0.5, 0.5)])
def test_without_bias_one_point_pulls_the_line_to_its_edge_or_as_far_as_its_price_goes(C, alpha):
    fit = tube([[2.0]], [3.0], C, 0.5, bias=False)
    assert fit.alpha == pytest.approx([alpha], rel=1e-15)
    assert fit.w == pytest.approx([2 * alpha], rel=1e-15)
    assert (fit.b, fit.b_interval) == (0.0, (0.0, 0.0))


def test_with_a_bias_one_point_needs_no_line():
    fit = tube([[2.0, 1.0]], [3.0], eps=0.5)
    assert (fit.norm_w, fit.b, fit.b_interval) == (0.0, 3.0, (2.5, 3.5))
    assert fit.categories == (Place.INSIDE,)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(3), Gaussian(1.0)], ids=lambda k: k.name)
@pytest.mark.parametrize("C", [1e-3, 1.0, 1e5])
def test_on_one_place_a_tube_without_height_is_at_the_median(kernel, C):
    odd = tube([[1.5]] * 3, [0, 1, 7], C, 0.0, kernel)
    assert odd.b_interval == pytest.approx((1, 1), abs=1e-9)
    even = tube([[1.5]] * 4, [0, 1, 3, 7], C, 0.0, kernel)
    assert even.b_interval == pytest.approx((1, 3), abs=1e-9)
    assert even.decision([[1.5], [9.0]]) == pytest.approx([2, 2], abs=1e-9)
    assert even.norm_w == odd.norm_w == 0
    assert even.objective == pytest.approx(C * 9, rel=1e-9)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2), Gaussian(0.5)], ids=lambda k: k.name)
@pytest.mark.parametrize("eps", [0.0, 0.1])
def test_equal_values_need_no_line(kernel, eps):
    fit = tube([[0.1], [1.7], [2.3]], [5.1, 5.1, 5.1], 3.0, eps, kernel)
    assert not fit.support.any()
    assert fit.objective == 0
    assert fit.b_interval == pytest.approx((5.1 - eps, 5.1 + eps), abs=1e-15)
    assert fit.proven


def test_equal_values_without_height_can_be_held_by_loads_that_cancel():
    assert tube([[0], [1], [2]], [1, 1, 1], eps=0.0).alpha_unique is False
    assert tube([[0], [1]], [1, 1], eps=0.0).alpha_unique is True
    assert tube([[0], [1], [2]], [1, 1, 1], eps=0.0, kernel=Gaussian(1.0)).alpha_unique is True


@pytest.mark.parametrize(("C", "unique"), [(1.0, True), (2.0, False)])
def test_a_line_through_three_points_is_held_in_one_way_where_it_takes_all_that_two_can_give(C, unique):
    fit = tube([[1], [-1], [0]], [-2, 2, 0], C, 0.0)  # beta_1 - beta_2 = w = -2, and beta_3 is what is left
    assert fit.w == pytest.approx([-2], abs=1e-14)
    assert fit.beta == pytest.approx([-1, 1, 0], abs=1e-14)
    assert fit.alpha_unique is unique


@pytest.mark.parametrize("shift", [0.0, 1e3])
def test_at_a_tiny_price_every_point_outside_pulls_with_all_of_it(shift):
    C = 1e-3
    fit = tube([[-2], [-1], [1], [4]], np.array([1.0, 0.0, 4.0, 5.0]) + shift, C, 0.25)
    assert fit.at_bound.all()
    assert fit.sides.tolist() == [-1, -1, 1, 1]
    assert fit.w == pytest.approx([C * (1 + 4 + 2 + 1)], rel=1e-14)
    assert fit.alpha_unique


def test_with_a_narrow_gaussian_a_tube_without_height_runs_through_every_point():
    rng = np.random.default_rng(0)
    X = np.linspace(-3, 3, 12)[:, None]
    y = np.sin(X[:, 0]) + 0.3 * rng.standard_normal(12)
    fit = tube(X, y, 1e4, 0.0, Gaussian(0.4))
    K = fit.problem.gram
    z = np.linalg.solve(np.block([[K, np.ones((12, 1))], [np.ones((1, 12)), np.zeros((1, 1))]]), np.r_[y, 0.0])
    assert fit.residuals == pytest.approx(np.zeros(12), abs=1e-13)
    assert fit.beta == pytest.approx(z[:12], abs=1e-12)
    assert fit.b == pytest.approx(z[12], abs=1e-12)
    assert fit.objective == pytest.approx(0.5 * z[:12] @ K @ z[:12], rel=1e-12)
    assert set(fit.categories) == {Place.EDGE_FREE}
    assert fit.alpha_unique


def test_a_load_that_twins_can_share_is_shared_and_said_to_be():
    fit = tube([[0], [1], [1], [1]], [0, 1, 1, 1], 5.0, 0.25)
    assert fit.beta == pytest.approx([-0.5, 1 / 6, 1 / 6, 1 / 6], abs=1e-15)
    assert fit.alpha_unique is False
    assert solve(Tube(TWO, C=5.0, eps=0.25)).alpha_unique is True


def test_points_on_a_line_at_the_edges_share_the_load_with_the_least_norm():
    # f = x / 2 touches (-2, -1.5) and (-1, -1) from below, (1, 1) and (2, 1.5) from above: alpha = (1 2) / 10, mirrored.
    fit = tube([[-2], [-1], [1], [2]], [-1.5, -1, 1, 1.5], 5.0, 0.5)
    assert fit.w == pytest.approx([0.5], abs=1e-14)
    assert fit.beta == pytest.approx([-0.1, -0.05, 0.05, 0.1], abs=1e-14)
    assert fit.alpha_unique is False


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
    at = before.categories.index(Place.INSIDE)
    room = 0.3 - before.residuals[at]
    for part, same in ((0.99, True), (1.2, False)):
        y = LINE.y.copy()
        y[at] += part * room
        after = solve(Tube(Values(LINE.X, y), C=1.0, eps=0.3))
        assert (after.w == pytest.approx(before.w, abs=1e-12)) is same


def test_a_point_outside_may_go_as_far_as_it_likes_and_least_squares_goes_with_it():
    before = solve(Tube(LINE, C=1.0, eps=0.3))
    squares = least_squares(LINE)
    at = before.categories.index(Place.OUTSIDE)
    x = X15 - X15.mean()
    for far in (1.0, 10.0, 1000.0):
        y = LINE.y.copy()
        y[at] += far * before.sides[at]
        moved = Values(LINE.X, y)
        after = solve(Tube(moved, C=1.0, eps=0.3))
        assert after.beta == pytest.approx(before.beta, abs=1e-11)
        assert (after.w[0], after.b) == pytest.approx((before.w[0], before.b), abs=1e-11)
        step = least_squares(moved).w[0] - squares.w[0]
        assert step == pytest.approx(far * before.sides[at] * x[at] / (x @ x), rel=1e-9)


def test_one_outlier_moves_the_tube_once_and_least_squares_for_ever():
    slopes = []
    for far in (0.0, 2.0, 5.0, 50.0):
        y = LINE.y.copy()
        y[-2] += far
        data = Values(LINE.X, y)
        slopes.append([solve(Tube(data, C=1.0, eps=0.3)).w[0], least_squares(data).w[0]])
    told = [[0.696375, 0.713113], [0.716454, 0.813113], [0.716454, 0.963113], [0.716454, 3.213113]]
    assert np.array(slopes) == pytest.approx(np.array(told), abs=1e-6)


@pytest.mark.parametrize("C", [0.1, 1.0, 1e5])
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "nobias"])
def test_a_tube_that_holds_all_values_is_level_and_one_that_just_does_not_is_not(C, bias):
    level = Tube(LINE, bias=bias).level
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
    assert problem.level > 0.3
    for start in (None, solve(replace(problem, eps=0.0)), solve(replace(problem, eps=0.2))):
        fit = solve(problem, start=start)
        assert not fit.support.any()
        assert fit.categories == (Place.EDGE_IDLE,) * 3
        assert fit.sides.tolist() == [-1, 1, -1]
        assert fit.b_interval == (fit.b, fit.b)


@pytest.mark.parametrize(("y", "eps"), [([0.1, 0.3, 0.2], 0.1), ([0.1, 0.5, 0.3], 0.2), ([0.1, 0.7, 0.4], 0.3)])
def test_an_interval_that_rounding_alone_leaves_is_one_number(y, eps):
    fit = tube([[0], [1], [2]], y, 0.7, eps)
    assert fit.b_interval == (fit.b, fit.b)


def test_a_tube_of_any_height_is_level():
    fit = tube([[0], [1]], [1e-3, 3e-3], eps=1e100)
    assert (fit.b, fit.norm_w, fit.b_interval) == (2e-3, 0.0, (-1e100, 1e100))
    assert fit.categories == (Place.INSIDE, Place.INSIDE)
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


@pytest.mark.parametrize("seed", [3, 12, 13, 18])
def test_a_curve_of_degree_five_is_found_from_one_start_if_not_from_another(seed):
    rng = np.random.default_rng(seed)
    x = np.round(rng.uniform(-8, 8, 30), 3)
    y = np.round(2 * np.sin(x) + 0.3 * x + 0.1 * rng.standard_normal(30), 3)
    for eps in (0.0, 0.1):
        found = tube(x[:, None], y, 1e5, eps, Polynomial(5, 1.0, 0.5))
        assert found.status.startswith("exact")
        assert certify(found).is_optimal(found.floor)


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1.0)], ids=lambda k: k.name)
def test_the_value_falls_with_eps_at_the_rate_of_the_multipliers_and_rises_with_c_at_that_of_the_slacks(kernel):
    problem, h = Tube(LINE, kernel, C=1.0, eps=0.3), 1e-5
    fit = solve(problem)
    wide, narrow = (solve(replace(problem, eps=0.3 + step)).objective for step in (h, -h))
    assert (wide - narrow) / (2 * h) == pytest.approx(-(fit.alpha + fit.alpha_star).sum(), rel=1e-6)
    dear, cheap = (solve(replace(problem, C=1.0 + step)).objective for step in (h, -h))
    assert (dear - cheap) / (2 * h) == pytest.approx((fit.xi + fit.xi_star).sum(), rel=1e-6)


def test_without_height_and_at_any_price_the_line_leaves_the_least_sum_of_distances():
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
    way = along(Tube(LINE, C=1.0))
    assert way.eps[[0, -1]] == pytest.approx([0, 1.1 * np.ptp(LINE.y) / 2])
    assert way.count[0] == 15
    assert (np.diff(way.count) <= 0).all()
    beyond = way.eps >= np.ptp(LINE.y) / 2
    assert beyond.sum() == 4
    assert (way.count[beyond] == 0).all()
    assert (way.norm_w[beyond] == 0).all()
    assert (way.count[~beyond] > 0).all()
    assert (np.diff(way.objective) <= 0).all()
    assert (np.diff(way.objective, 2) >= -1e-12).all()
    assert (np.diff(way.norm_w) > 1e-3).any()  # |w| need not fall all the way


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.7), Polynomial(3)], ids=lambda k: k.name)
def test_along_eps_every_fit_is_the_one_that_is_found_alone(kernel):
    problem = Tube(LINE, kernel, C=3.0)
    way = along(problem, [0.6, 0.0, 0.25, 0.3], start=solve(problem))
    for eps, fit in zip(way.eps, way.fits, strict=True):
        alone = solve(replace(problem, eps=eps))
        assert fit.beta.tolist() == alone.beta.tolist()
        assert (fit.b, fit.b_interval) == (alone.b, alone.b_interval)


def test_along_equal_values_there_is_a_grid_too():
    way = along(Tube(Values([[0], [1]], [2, 2])))
    assert way.eps[-1] == 1
    assert not way.count.any()


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
    far = least_squares(Values(LINE.X + 1e6, LINE.y))
    assert far.w == pytest.approx(least_squares(LINE).w, rel=1e-9)
    assert far.residuals == pytest.approx(least_squares(LINE).residuals, abs=1e-9)


# certificates


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1.0)], ids=lambda k: k.name)
def test_a_wrong_answer_fails_its_certificate(kernel):
    fit = solve(Tube(LINE, kernel, C=1.0, eps=0.3))
    assert certify(fit).is_optimal()
    b = "offset" if kernel.straight else "b"
    up = np.eye(15)[fit.states.tolist().index(-1)]
    for wrong in (
        replace(fit, alpha=1.001 * fit.alpha),
        replace(fit, alpha=fit.alpha + 0.01 * up),
        replace(fit, alpha=fit.alpha + 0.01 * up, alpha_star=fit.alpha_star + 0.01 * up),
        replace(fit, alpha=fit.alpha_star, alpha_star=fit.alpha),
        replace(fit, alpha=0 * fit.alpha, alpha_star=0 * fit.alpha_star),
        replace(fit, **{b: getattr(fit, b) + 0.001}),
    ):
        assert not certify(replace(wrong, states=np.sign(wrong.alpha + wrong.alpha_star) - 1)).is_optimal()


def test_what_both_edges_have_in_common_is_counted_where_it_costs_nothing():
    fit = tube([[0], [1], [2]], [0, 1, 3], 5.0, 0.0, Gaussian(1.0))
    assert fit.free.all()
    assert fit.proven
    assert not replace(fit, alpha=fit.alpha + 0.01, alpha_star=fit.alpha_star + 0.01).proven


def test_where_both_edges_are_one_and_nothing_pulls_there_is_no_side():
    idle = (Place.EDGE_IDLE,) * 3
    assert sided(np.array([1e-12, -1e-12, 1e-6]), np.zeros(3), idle, 1e-9).tolist() == [0, 0, 1]


@pytest.mark.parametrize("method", METHODS)
def test_a_tube_that_is_level_has_no_support_vectors_whoever_solves_it(method):
    fit = solve(Tube(LINE, eps=3.0), method)
    assert not fit.support.any()
    assert fit.objective == 0


def test_the_certificate_is_the_same_in_other_units():
    one = certify(solve(Tube(LINE, C=1.0, eps=0.3)))
    for unit in (1e-6, 1e6):
        fit = solve(Tube(Values(LINE.X, unit * LINE.y), C=unit, eps=0.3 * unit))
        assert certify(fit).is_optimal()
        off = replace(fit, offset=fit.offset + 0.001 * unit)
        assert certify(off).complementarity == pytest.approx(0.001 / np.ptp(LINE.y) * 2, rel=1e-6)
    assert one.is_optimal()


def test_far_from_0_no_digit_is_lost():
    here = solve(Tube(LINE, C=1.0, eps=0.3))
    there = solve(Tube(Values(LINE.X + 1e5, LINE.y + 1e5), C=1.0, eps=0.3))
    assert there.w == pytest.approx(here.w, rel=1e-8)
    assert there.decision(LINE.X + 1e5) - 1e5 == pytest.approx(here.decision(LINE.X), abs=1e-8)
    assert there.categories == here.categories
    assert certify(there).is_optimal()


# saying no


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0], [1]], [0]), r"X has 2 rows and y has 1 values"),
        (([[0], [1]], [[0], [1]]), r"y must be one-dimensional.*\(2, 1\)"),
        (([[0], [1]], [0, math.nan]), r"y, row 1: nan is not finite"),
        (([[0], [math.inf]], [0, 1]), r"X, row 1: .* is not finite"),
        (([[0], [1, 2]], [0, 1]), r"X must be a table"),
        (([0, 1], [0, 1]), r"X must have shape \(m, d\)"),
        ((3, [1]), r"X must have shape"),
        (([[0], [1]], ["a", "b"]), r"y must be a list of numbers"),
        (([[0], [1]], [0, 1], [4, 4]), r"ids: 4 stands at rows 0 and 1"),
    ],
)
def test_bad_values_are_refused(arguments, message):
    with pytest.raises(BadInput, match=message):
        Values(*arguments)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"data": [[0]]}, r"^data: expected Values such as .*, got \[\[0\]\]"),
        ({"kernel": Linear}, r"^kernel:"),
        ({"kernel": Sigmoid(0.5)}, r"^kernel: Sigmoid.*semidefinite"),
        ({"kernel": Polynomial(2, -1.0)}, r"^kernel: Polynomial.*semidefinite"),
        *(({"C": C}, r"^C:") for C in (0, -1.0, math.inf, math.nan, "1", None)),
        *(({"eps": eps}, r"^eps:") for eps in (-0.1, math.inf, math.nan, "1", None)),
    ],
)
def test_a_bad_problem_is_refused(change, message):
    with pytest.raises(BadInput, match=message):
        replace(Tube(LINE), **change)


def test_whatever_else_is_wrong_is_named():
    problem = Tube(LINE)
    for call, message in (
        (lambda: problem.qp("both"), "'both' is unknown.*'primal', 'dual'"),
        (lambda: solve(problem, "smo"), r"'smo'.*'exact'"),
        (lambda: solve(Tube(Values([], []))), "no points yet"),
        (lambda: least_squares(Values([], [])), "no points yet"),
        (lambda: solve(Tube(LINE, Gaussian()), "primal-qp"), "gaussian.*feature map"),
        (lambda: least_squares(LINE, Gaussian()), "gaussian.*feature map"),
        (lambda: solve(problem).decision([[1.0, 2.0]]), r"\(1, 2\)"),
        (lambda: along(problem, [[0.1]]), r"shape \(1, 1\)"),
        (lambda: along(problem, ["a"]), "^eps must be .* of numbers"),
        (lambda: along(problem, [0.1, -0.1]), "^eps: -0.1"),
    ):
        with pytest.raises(BadInput, match=message):
            call()


def test_a_start_that_leads_nowhere_is_not_to_blame_and_what_cannot_be_solved_is_said(monkeypatch):
    problem = Tube(LINE, eps=0.3)
    start, walk, calls = solve(problem), exact_method.minimise, []

    def tired(*arguments):
        calls.append(arguments)
        if len(calls) <= many:
            raise SolverFailed("tired")
        return walk(*arguments)

    monkeypatch.setattr(exact_method, "minimise", tired)
    for many in (0, 1, 2):  # the earlier tube, pairs, 0
        calls.clear()
        assert solve(problem, start=start).beta.tolist() == start.beta.tolist()
        assert len(calls) == many + 2
    many = 3
    calls.clear()
    with pytest.warns(NotExact, match="tired.*dual-qp"):
        fit = solve(problem, start=start)
    assert fit.proven
    assert fit.objective == pytest.approx(start.objective, rel=1e-9)
    monkeypatch.setattr(program, "answers", lambda qp: iter(()))
    calls.clear()
    with pytest.raises(SolverFailed, match="tired"):
        solve(problem, start=start)


@pytest.mark.parametrize(("kernel", "far"), [(Linear(), 1e200), (Polynomial(3), 1e60)], ids=["linear", "polynomial"])
def test_numbers_beyond_double_precision_are_no_crash(kernel, far):
    with pytest.raises(BadInput, match=r"^X.* too large to calculate with"):
        tube([[far], [1], [3]], [0, 1, 2], kernel=kernel)


@pytest.mark.parametrize("method", ["dual-qp", "primal-qp"])
def test_an_answer_that_cannot_be_proven_is_no_fit(method, monkeypatch):
    answers = program.answers

    def off(qp):
        for answer in answers(qp):
            yield replace(answer, u=0.999 * answer.u, inequality=0.999 * answer.inequality)

    monkeypatch.setattr(program, "answers", off)
    with pytest.raises(SolverFailed, match="method='exact'"):
        solve(Tube(LINE, eps=0.3), method)


# the problem itself


def test_the_two_programs_hold_the_optimum_and_name_its_entries():
    problem = Tube(LINE, Polynomial(2), C=1.0, eps=0.3)
    fit = solve(problem)
    primal, dual = problem.qp("primal"), problem.qp("dual")
    u = np.r_[fit.b, fit.w, fit.xi, fit.xi_star]
    assert primal.variables[:5] == ("b", "w1", "w2", "w3", "xi1")
    assert primal.variables[-1] == "xi_star15"
    assert len(primal.variables) == len(u) == 1 + 3 + 30
    assert 0.5 * u @ primal.P @ u + primal.q @ u == pytest.approx(fit.objective, rel=1e-12)
    assert (primal.A @ u - primal.c).min() >= -1e-12
    a = np.r_[fit.alpha, fit.alpha_star]
    assert dual.variables == (*(f"alpha{i}" for i in range(1, 16)), *(f"alpha_star{i}" for i in range(1, 16)))
    assert 0.5 * a @ dual.P @ a + dual.q @ a == pytest.approx(-fit.dual_objective, rel=1e-12)
    assert (dual.A @ a - dual.c).min() >= 0
    assert dual.E @ a == pytest.approx(dual.e, abs=1e-12)
    assert Tube(LINE, bias=False).qp("primal").variables[0] == "w1"
    assert Tube(LINE, bias=False).qp("dual").E.shape == (0, 30)


def test_the_key_depends_on_every_part():
    other = Values(LINE.X, LINE.y, range(1, 16))
    problems = (
        Tube(LINE),
        Tube(other),
        Tube(LINE, Gaussian()),
        Tube(LINE, C=2.0),
        Tube(LINE, eps=0.2),
        Tube(LINE, bias=False),
    )
    assert len({p.key for p in problems}) == 6
    assert Tube(Values(LINE.X, LINE.y), C=1).key == Tube(LINE).key
    assert Values(LINE.X, LINE.y).key != other.key

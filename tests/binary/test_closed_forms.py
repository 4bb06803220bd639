"""Boards whose answer is known by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from svmlab import Category, Dataset, Gaussian, Linear, NotSeparable, Polynomial, Problem, make_dataset, solve
from svmlab.binary.solution import Solution
from svmlab.solvers.bias import bias_is_unique

HARD = math.inf


def answer(X: list, y: list, C: float = HARD, kernel=Linear(), bias: bool = True) -> Solution:
    return solve(Problem(Dataset(X, y), kernel, C, bias))


@pytest.mark.parametrize("C", [0.5, 1.0, 1e6, HARD])
def test_two_points_one_each_side_give_halves_and_width_two(C):
    s = answer([[1, 0], [-1, 0]], [1, -1], C)
    assert s.alpha == pytest.approx([0.5, 0.5], abs=1e-15)
    assert s.b == pytest.approx(0, abs=1e-15)
    assert 2 * s.geometric_margin == pytest.approx(2, abs=1e-15)
    assert s.alpha_unique
    assert s.b_interval == (s.b, s.b)
    assert bias_is_unique(*s.b_interval)


def test_an_upper_bound_equal_to_the_multiplier_makes_the_points_full_and_leaves_the_line():
    s = answer([[1, 0], [-1, 0]], [1, -1], 0.5)
    assert s.categories == (Category.MARGIN_FULL, Category.MARGIN_FULL)
    assert answer([[1, 0], [-1, 0]], [1, -1], 0.6).categories == (Category.MARGIN_FREE, Category.MARGIN_FREE)


@pytest.mark.parametrize("d", [0.001, 0.7, 3.0, 4000.0])
def test_two_points_at_distance_d_have_margin_half_d(d):
    s = answer([[1.0 + d, 2.0], [1.0, 2.0]], [1, -1])
    assert s.geometric_margin == pytest.approx(d / 2, rel=1e-11)
    assert s.alpha == pytest.approx([2 / d**2] * 2, rel=1e-11)
    assert s.decision([[1.0 + d / 2, 7.0]])[0] == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("C", [1e-4, 0.1, 0.4])
def test_two_points_with_little_slack_cost_leave_b_an_interval(C):
    d = 2.0  # C d^2 < 2: both multipliers stand at C and w = C d
    s = answer([[d / 2, 0], [-d / 2, 0]], [1, -1], C)
    assert s.alpha.tolist() == [C, C]
    assert s.w == pytest.approx([C * d, 0], rel=1e-14)
    assert s.b_interval == pytest.approx((-(1 - 2 * C), 1 - 2 * C), rel=1e-14)
    assert not bias_is_unique(*s.b_interval)
    assert s.b == pytest.approx(0, abs=1e-15)
    assert not s.free.any()


def test_one_point_against_a_symmetric_pair():
    s = answer([[2, 0], [0, 1], [0, -1]], [1, -1, -1])
    assert s.w == pytest.approx([1, 0], abs=1e-14)
    assert s.b == pytest.approx(-1, abs=1e-14)
    assert s.alpha == pytest.approx([0.5, 0.25, 0.25], abs=1e-14)
    assert s.alpha_unique


@pytest.mark.parametrize("sigma", [0.3, 1.0, 5.0])
def test_two_points_under_the_gaussian(sigma):
    k = math.exp(-(3.0**2 + 4.0**2) / (2 * sigma**2))
    s = answer([[0, 0], [3, 4]], [-1, 1], kernel=Gaussian(sigma))
    assert s.alpha == pytest.approx([1 / (1 - k)] * 2, rel=1e-12)
    assert s.norm_w**2 == pytest.approx(2 / (1 - k), rel=1e-12)
    assert s.b == pytest.approx(0, abs=1e-12)
    assert s.w is None


def test_without_bias_each_of_two_perpendicular_points_pays_for_itself():
    s = answer([[1, 0], [0, 2]], [1, -1], bias=False)
    assert s.w == pytest.approx([1, -0.5], abs=1e-15)
    assert s.alpha == pytest.approx([1, 0.25], abs=1e-15)
    assert s.b == 0


def test_without_bias_the_line_touches_one_side_only():
    s = answer([[1, 0], [-5, 0]], [1, -1], bias=False)
    assert s.w == pytest.approx([1, 0], abs=1e-15)
    assert s.alpha == pytest.approx([1, 0], abs=1e-15)
    assert s.categories == (Category.MARGIN_FREE, Category.OUTSIDE)


@pytest.mark.parametrize("C", [0.1, HARD])
@pytest.mark.parametrize("label", [-1, 1])
def test_one_class_with_bias_has_no_w_and_a_half_line_of_b(label, C):
    s = answer([[0, 0], [3, 1], [2, 5]], [label] * 3, C)
    assert s.norm_w == 0
    assert not s.alpha.any()
    assert s.b_interval == ((1, math.inf) if label > 0 else (-math.inf, -1))
    assert s.b == label
    assert math.isnan(s.geometric_margin)
    assert "one class" in s.status


def test_one_class_without_bias_is_kept_from_the_origin():
    s = answer([[1, 1], [3, 1], [2, 2]], [1, 1, 1], bias=False)
    assert s.w == pytest.approx([0.5, 0.5], abs=1e-14)
    assert s.alpha == pytest.approx([0.5, 0, 0], abs=1e-14)


@pytest.mark.parametrize("C", [1.0, HARD])
def test_four_corners_share_the_weight_equally(C):
    s = solve(Problem(make_dataset("four_corners"), C=C))
    assert s.alpha == pytest.approx([0.25] * 4, abs=1e-15)
    assert s.alpha_unique is False
    assert s.w == pytest.approx([1, 0], abs=1e-15)


@pytest.mark.parametrize("C", [10.0, HARD])
def test_a_point_on_the_margin_may_have_no_multiplier(C):
    data = make_dataset("idle_margin")
    s = solve(Problem(data, C=C))
    row = data.X.tolist().index([1, 2])
    assert s.margins[row] == pytest.approx(1, abs=1e-12)
    assert s.alpha[row] == 0
    assert s.categories[row] is Category.MARGIN_IDLE
    assert s.categories.count(Category.MARGIN_FREE) == 2
    assert s.alpha_unique


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1.0)])
def test_opposite_twins_cancel_and_leave_b_between_minus_one_and_one(kernel):
    s = answer([[1, 2], [1, 2]], [1, -1], 3.0, kernel)
    assert s.alpha.tolist() == [3.0, 3.0]
    assert s.norm_w == pytest.approx(0, abs=1e-14)
    assert s.b_interval == pytest.approx((-1, 1), abs=1e-14)
    with pytest.raises(NotSeparable):
        answer([[1, 2], [1, 2]], [1, -1], HARD, kernel)


def test_duplicates_share_their_multiplier_equally():
    s = answer([[-1, 0], [1, 0], [1, 0]], [-1, 1, 1])
    assert s.alpha == pytest.approx([0.5, 0.25, 0.25], abs=1e-15)
    assert s.alpha_unique is False


def test_a_pair_of_duplicates_pushes_a_single_point_onto_the_line():
    s = answer([[-1, 0], [1, 0], [1, 0]], [-1, 1, 1], 0.25)
    assert s.alpha == pytest.approx([0.25, 0.125, 0.125], abs=1e-15)
    assert s.categories == (Category.ON_LINE, Category.MARGIN_FREE, Category.MARGIN_FREE)
    assert s.xi == pytest.approx([1, 0, 0], abs=1e-14)


@pytest.mark.parametrize(
    ("X", "y", "C"),
    [
        ([[1, 0], [-1, 0]], [1, -1], 0.1),
        ([[0, 0], [1, 3], [4, 1], [2, 2]], [1, -1, 1, -1], 0.01),
        ([[0, 0], [1, 0], [3, 0], [2, 1]], [1, -1, -1, 1], 0.02),
    ],
)
def test_where_no_vector_is_free_the_ends_of_b_are_the_flat_stretch_of_the_hinge(X, y, C):
    s = answer(X, y, C)
    assert not s.free.any()
    X, y = np.array(X, float), np.array(y, float)
    at = np.linspace(-3, 3, 60001)
    loss = np.maximum(0, 1 - y[:, None] * ((X @ s.w)[:, None] + at)).sum(0)
    flat = at[loss <= loss.min() + 1e-9]
    assert s.b_interval == pytest.approx((flat[0], flat[-1]), abs=1.1e-4)
    assert s.b_interval[1] - s.b_interval[0] > 0.1


@pytest.mark.parametrize(("many", "b"), [(-1, -1.0), (1, 1.0)])
def test_where_w_is_0_and_kernel_values_are_huge_b_is_that_of_the_larger_class(many, b):
    """The hulls of the classes meet in feature space, so w = 0, and P max(0, 1 - b) + N max(0, 1 + b) decides b."""
    X = [
        [510.139, 107.859], [507.299, 108.427], [509.324, 107.393], [511.517, 108.019],
        [508.188, 108.122], [508.647, 109.113], [507.619, 107.215], [510.998, 108.881],
    ]  # fmt: skip
    s = solve(Problem(Dataset(X, [-many, -many] + 6 * [many]), Polynomial(2, 0.5), 0.0058))
    assert s.is_constant
    assert (s.b, s.b_interval) == (b, (b, b))
    assert s.objective == pytest.approx(4 * 0.0058, rel=1e-9)
    assert s.proven


@pytest.mark.parametrize("method", ["exact", "dual-qp"])
def test_a_point_on_the_boundary_is_an_error_and_so_is_every_point_where_w_and_b_are_0(method):
    crosswise = solve(Problem(Dataset([[1, 1], [-1, -1], [1, -1], [-1, 1]], [1, 1, -1, -1]), C=1.0), method=method)
    assert crosswise.is_constant
    assert crosswise.errors.tolist() == [True] * 4
    lopsided = solve(
        Problem(Dataset([[1, 1], [-1, -1], [1, -1], [-1, 1], [0, 0]], [1, 1, -1, -1, 1]), C=1.0), method=method
    )
    assert (
        lopsided.errors.tolist()
        == (lopsided.margins <= lopsided.tolerance).tolist()
        == [False, False, True, True, False]
    )
    middle = solve(Problem(Dataset([[2, 0], [0, 0], [-2, 0], [0, 0]], [1, 1, -1, -1]), C=1.0), method=method)
    assert middle.errors.tolist() == [False, True, False, True]

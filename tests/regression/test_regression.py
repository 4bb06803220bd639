"""The tube: boards whose answer is known by hand, and the problem itself."""

from __future__ import annotations

import numpy as np
import pytest

from svmlab import Gaussian, Linear, Polynomial
from svmlab.regression import Tube, TubeCategory, Values, certify, solve
from tests.boards import LINE, tube

METHODS = ["exact", "dual-qp", "primal-qp"]
TWO = Values([[0], [1]], [0, 1])


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


def test_at_c_equal_to_the_multiplier_two_points_are_at_their_bound_and_below_it_outside():
    at, above, below = (solve(Tube(TWO, C=C, eps=0.25)) for C in (0.5, 0.51, 0.4))
    assert at.categories == (TubeCategory.EDGE_FULL, TubeCategory.EDGE_FULL)
    assert above.categories == (TubeCategory.EDGE_FREE, TubeCategory.EDGE_FREE)
    assert below.categories == (TubeCategory.OUTSIDE, TubeCategory.OUTSIDE)
    assert below.w == pytest.approx([0.4], abs=1e-15)
    assert below.b_interval == pytest.approx((0.25, 0.35), abs=1e-15)  # one is as far above as the other is below
    assert below.b == pytest.approx(0.3, abs=1e-15)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("C", "eps", "value", "carriers"), [(1, 0.3, 1.5166976, 7), (0.1, 0.1, 0.5396403, 13), (10, 0.6, 4.7724232, 4)]
)
def test_the_three_tubes_round_a_line_have_their_closed_forms(method, C, eps, value, carriers):
    fit = solve(Tube(LINE, C=C, eps=eps), method)
    assert fit.objective == pytest.approx(value, abs=1e-7)
    assert fit.dual_objective == pytest.approx(fit.objective, rel=1e-10)
    assert fit.support.sum() == carriers
    assert fit.beta.sum() == pytest.approx(0, abs=1e-12)
    assert certify(fit).is_optimal()


@pytest.mark.parametrize(("C", "alpha"), [(10.0, 2.5 / 4), (0.5, 0.5)])
def test_without_bias_one_point_moves_the_line_to_its_edge_or_until_alpha_is_c(C, alpha):
    fit = tube([[2.0]], [3.0], C, 0.5, bias=False)
    assert fit.alpha == pytest.approx([alpha], rel=1e-15)
    assert fit.w == pytest.approx([2 * alpha], rel=1e-15)
    assert (fit.b, fit.b_interval) == (0.0, (0.0, 0.0))


def test_with_a_bias_one_point_needs_no_line():
    fit = tube([[2.0, 1.0]], [3.0], eps=0.5)
    assert (fit.norm_w, fit.b, fit.b_interval) == (0.0, 3.0, (2.5, 3.5))
    assert fit.categories == (TubeCategory.INSIDE,)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(3), Gaussian(1.0)], ids=lambda k: k.name)
@pytest.mark.parametrize("C", [1e-3, 1.0, 1e5])
def test_of_points_with_one_x_a_tube_without_height_is_at_the_median(kernel, C):
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


def test_equal_values_without_height_can_have_multipliers_that_cancel():
    assert tube([[0], [1], [2]], [1, 1, 1], eps=0.0).alpha_unique is False
    assert tube([[0], [1]], [1, 1], eps=0.0).alpha_unique is True
    assert tube([[0], [1], [2]], [1, 1, 1], eps=0.0, kernel=Gaussian(1.0)).alpha_unique is True


@pytest.mark.parametrize(("C", "unique"), [(1.0, True), (2.0, False)])
def test_a_line_through_three_points_has_unique_multipliers_where_two_are_at_their_bound(C, unique):
    fit = tube([[1], [-1], [0]], [-2, 2, 0], C, 0.0)  # beta_1 - beta_2 = w = -2, and beta_3 is what is left
    assert fit.w == pytest.approx([-2], abs=1e-14)
    assert fit.beta == pytest.approx([-1, 1, 0], abs=1e-14)
    assert fit.alpha_unique is unique


@pytest.mark.parametrize("shift", [0.0, 1e3])
def test_at_a_tiny_c_every_point_outside_is_at_its_bound(shift):
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
    assert set(fit.categories) == {TubeCategory.EDGE_FREE}
    assert fit.alpha_unique


def test_a_multiplier_is_shared_between_equal_points_and_marked_as_not_unique():
    fit = tube([[0], [1], [1], [1]], [0, 1, 1, 1], 5.0, 0.25)
    assert fit.beta == pytest.approx([-0.5, 1 / 6, 1 / 6, 1 / 6], abs=1e-15)
    assert fit.alpha_unique is False
    assert solve(Tube(TWO, C=5.0, eps=0.25)).alpha_unique is True


def test_points_on_a_line_at_the_edges_share_the_load_with_the_least_norm():
    # f = x / 2 touches (-2, -1.5) and (-1, -1) from below, (1, 1) and (2, 1.5) from above: alpha = (1 2) / 10,
    # mirrored.
    fit = tube([[-2], [-1], [1], [2]], [-1.5, -1, 1, 1.5], 5.0, 0.5)
    assert fit.w == pytest.approx([0.5], abs=1e-14)
    assert fit.beta == pytest.approx([-0.1, -0.05, 0.05, 0.1], abs=1e-14)
    assert fit.alpha_unique is False


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

"""Curves through values with noise: what is claimed of narrow ones, of folds, and of one tube computed twice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from svmlab import Gaussian, Linear, Polynomial
from svmlab.lab.lessons.extensions import noisy
from svmlab.regression import Tube, Values, epsilon_path, least_squares, solve

X15 = np.linspace(-3, 3, 15)
Y15 = 0.7 * X15 + 0.5 + 0.4 * np.random.default_rng(2).standard_normal(15)


def of(rows, kernel=Linear(), C=1.0, eps=0.1, bias=True):
    X, y = np.array(rows, dtype=float).T
    return Tube(Values(X[:, None], y), kernel, C, eps, bias)


def a_wave(seed=38, **machine):
    return of(np.array(noisy.wave(25, seed)) / 1000, **machine)


# a far point, and eps


@pytest.mark.parametrize(
    ("height", "tube", "squares"), [(0, 0.6964, 0.7131), (2, 0.7165, 0.8131), (5, 0.7165, 0.9631), (50, 0.7165, 3.2131)]
)
def test_an_outlier_moves_the_tube_up_to_a_limit_and_least_squares_without_limit(height, tube, squares):
    y = Y15.copy()
    y[-2] += height
    data = Values(X15[:, None], y)
    assert solve(Tube(data, C=1.0, eps=0.3)).w == pytest.approx([tube], abs=5e-5)
    assert least_squares(data).w == pytest.approx([squares], abs=5e-5)


def test_there_are_support_vectors_exactly_below_half_the_range():
    rng = np.random.default_rng(4)
    for _ in range(40):
        m = int(rng.integers(2, 20))
        problem = of(rng.normal(0, 2, (m, 2)), C=float(10 ** rng.uniform(-2, 3)))
        level = problem.data.half_range
        path = epsilon_path(problem, [0.0, 0.5 * level, 0.999 * level, level, 1.001 * level, 2 * level])
        assert (path.count[:3] > 0).all()
        assert path.count[3:].tolist() == [0, 0, 0]
        assert path.norm_w[3:].tolist() == [0.0, 0.0, 0.0]
        assert solve(replace(problem, eps=level), "primal-qp").norm_w < 1e-8


def test_the_norm_of_w_may_rise_along_the_path():
    path = epsilon_path(Tube(Values(X15[:, None], Y15), C=1.0))
    assert path.norm_w.argmax() > 0


# where points come from


def test_the_same_seed_is_the_same_draw_and_half_of_it_is_still_known():
    places = noisy.wave(25, 3)
    assert places == noisy.wave(25, 3) != noisy.wave(25, 4)
    assert noisy.is_wave(places, 25, 3)
    assert noisy.is_wave([*places[:13], *[(1, i) for i in range(12)]], 25, 3)
    assert not noisy.is_wave([*places[:12], *[(1, i) for i in range(13)]], 25, 3)
    assert not noisy.is_wave(places, 25, 4)
    assert not noisy.is_wave([], 25, 3)


def test_no_fit_has_a_smaller_error_on_test_points_than_the_wave_itself():
    data = noisy.fresh_points()
    wave = noisy.HEIGHT * np.sin(noisy.FREQUENCY * data.X[:, 0])
    assert np.abs(data.y - wave).mean() == pytest.approx(noisy.SMALLEST_ERROR, abs=0.01)
    assert pytest.approx(0.4 * np.sqrt(2 / np.pi)) == noisy.SMALLEST_ERROR
    for sigma in (0.1, 0.5, 2.0):
        assert noisy.mean_error(solve(a_wave(kernel=Gaussian(sigma), C=100.0, eps=0.0)), data) > noisy.SMALLEST_ERROR


# a narrow Gaussian


def test_a_narrow_gaussian_interpolates_every_point_with_a_distinct_x():
    rng = np.random.default_rng(11)
    for i in range(60):
        m = int(rng.integers(2, 60))
        x = np.round(rng.uniform(-6, 6, m), int(rng.integers(1, 4)))
        problem = of(np.column_stack([x, rng.normal(0, 2, m)]), C=0.01, eps=0.5, bias=bool(i % 3))
        fit = solve(noisy.nearly_interpolating(problem))
        own = np.array([(x == place).sum() == 1 for place in x])
        assert np.abs(fit.residuals[own]).max(initial=0.0) <= fit.tolerance
        assert noisy.points_on_curve(fit) >= m - noisy.with_equal_inputs(problem.data)
        assert not fit.at_bound[own].any()


@pytest.mark.parametrize("values", [(1.7, 1.7), (5.0, 5.1, 5.2), (-3.0, -3.0, -2.9)])
def test_without_a_bias_values_far_from_0_are_met_too(values):
    """All of a value is made from bumps then, however near to each other the values are."""
    problem = of([(float(x), y) for x, y in enumerate(values)], C=0.01, eps=0.5, bias=False)
    assert noisy.points_on_curve(solve(noisy.nearly_interpolating(problem))) == len(values)


def test_points_with_the_same_x_are_crowded():
    data = of([(0, 1), (0, 1), (1, 2), (1, 3), (2, 0)]).data
    assert noisy.with_equal_inputs(data) == 2
    assert noisy.with_equal_inputs(of([(0, 1), (0, 1), (1, 2)]).data) == 0


def test_neither_a_wide_gaussian_nor_a_small_c_interpolates():
    wide = solve(a_wave(kernel=Gaussian(6.0), C=100.0, eps=0.0))
    cheap = solve(a_wave(kernel=Gaussian(0.1), C=0.01, eps=0.0))
    assert noisy.points_on_curve(solve(a_wave(kernel=Gaussian(0.1), C=100.0, eps=0.0))) == 25
    assert noisy.points_on_curve(wide) < 6
    assert noisy.points_on_curve(cheap) < 3


# seen and unseen


def test_narrow_is_least_on_seen_points_and_a_wider_one_on_others():
    widths = (0.1, 0.3, 1.1, 2.0, 6.0)
    problems = [(s, a_wave(kernel=Gaussian(s), C=100.0, eps=0.0)) for s in widths]
    error_curves = noisy.errors(problems, noisy.fresh_points())
    assert error_curves.at.tolist() == list(widths)
    assert error_curves.training[0] < 1e-9
    assert (np.diff(error_curves.training) > -1e-9).all()
    assert widths[int(error_curves.test.argmin())] == 2.0
    assert error_curves.test[0] > error_curves.test[3] + 0.1
    by_folds = noisy.errors(problems, None)
    assert np.array_equal(by_folds.training, error_curves.training)
    assert by_folds.test[0] > by_folds.test.min() + 0.05


def test_a_fold_is_judged_by_a_tube_that_has_not_seen_it():
    problem = a_wave(kernel=Gaussian(0.1), C=100.0, eps=0.0)
    assert noisy.mean_error(solve(problem)) < 1e-9
    assert noisy.cross_validation_error(problem) > noisy.SMALLEST_ERROR
    collinear = of(np.column_stack([X15, 2 * X15]), C=1e4, eps=0.0)
    assert noisy.cross_validation_error(collinear) < 1e-9
    assert np.isnan(noisy.cross_validation_error(of([(1, 1)])))


# two ways


@pytest.mark.parametrize(("C", "eps"), [(1.0, 0.3), (10.0, 0.0), (100.0, 0.3)])
def test_a_cubic_by_kernel_values_is_that_by_coordinates(C, eps):
    problem = a_wave(kernel=Polynomial(3, 1.0), C=C, eps=eps)
    cubic = noisy.computed_twice(problem, 4.0)
    assert cubic.difference < 1e-9
    assert len(cubic.coefficients) == 4
    assert np.polynomial.polynomial.polyval(cubic.x, cubic.coefficients) == pytest.approx(cubic.features, abs=1e-9)
    Phi = problem.kernel.feature_map(problem.data.X)
    other = solve(replace(problem, data=Values(Phi, problem.data.y), kernel=Linear()), "primal-qp")
    assert other.decision(problem.kernel.feature_map(cubic.x[:, None])) == pytest.approx(cubic.kernel, abs=1e-7)


def test_without_the_roots_of_3_it_is_another_curve():
    problem = a_wave(kernel=Polynomial(3, 1.0), C=0.01, eps=0.3)
    x, data = np.linspace(-4, 4, 161), problem.data
    plain = replace(problem, data=Values(data.X ** [0, 1, 2, 3], data.y), kernel=Linear())
    apart = solve(plain).decision(x[:, None] ** [0, 1, 2, 3]) - noisy.computed_twice(problem, 4.0).kernel
    assert np.abs(apart).max() > 1e-3

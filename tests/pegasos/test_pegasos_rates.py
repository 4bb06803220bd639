"""Slopes, steps for an accuracy, the two estimates of P5, and level lines of a kernel run."""

import math

import numpy as np
import pytest

from svmlab import Gaussian, Linear, make_dataset
from svmlab.pegasos import gap_bound, objective, sharp_gap_bound
from svmlab.pegasos.estimate import estimate
from svmlab.pegasos.rates import rate, steps_for_bound, steps_for_gap
from svmlab.plane.contours import zero_lines


def test_a_power_has_its_exponent_as_slope():
    t = np.unique(np.geomspace(1, 1e4, 50).astype(int))
    assert rate(t, 7.0 * t**-0.8) == pytest.approx(-0.8)
    assert rate(t, np.where(t < 100, 1.0, 1.0 / t)) == pytest.approx(-1, abs=0.15), "the early steps do not count"
    assert math.isnan(rate(t, np.zeros(len(t))))
    assert math.isnan(rate(t[:1], np.ones(1)))


def test_measured_steps_are_those_from_which_on_the_gap_stays_small():
    t, gaps = np.array([1, 2, 4, 8, 16]), np.array([1.0, 0.05, 0.2, 0.08, 0.01])
    assert steps_for_gap(t, gaps, 0.1) == 8
    assert steps_for_gap(t, gaps, 2.0) == 1
    assert steps_for_gap(t, gaps, 0.001) is None
    assert steps_for_gap(t, np.full(5, math.nan), 0.1) is None


@pytest.mark.parametrize(("sharp", "bound"), [(False, gap_bound), (True, sharp_gap_bound)])
@pytest.mark.parametrize("eps", [10.0, 0.5, 1e-3])
def test_promised_steps_are_the_least_that_the_bound_allows(sharp, bound, eps):
    X, lam = 2.0, 0.1
    T = steps_for_bound(X, lam, eps, sharp)
    assert float(bound(X, lam, T)) <= eps
    assert T == 1 or float(bound(X, lam, T - 1)) > eps
    assert steps_for_bound(X, lam, 1e-30) is None


def test_the_estimate_before_the_step_is_a_draw_of_the_losses_and_after_it_of_theirs():
    data, lam, t = make_dataset("overlapping", 20), 0.1, 3
    w = np.array([0.4, -0.1])
    estimates = estimate(data, lam, w, t, 50_000, seed=1)
    assert pytest.approx(float(objective(data, lam, w))) == estimates.F
    assert abs(estimates.z) < 4
    after = []
    for x, y in zip(data.X, data.y, strict=True):
        v = (1 - 1 / t) * w + (y * (w @ x) < 1) * y * x / (lam * t)
        own = max(0.0, 1 - y * (v @ x)) + 0.5 * lam * (v @ v)
        after.append(own - float(objective(data, lam, v)))
    assert sorted(set(np.round(estimates.after, 9))) == sorted(set(np.round(after, 9)))
    assert estimates.z_after < -10


def test_an_estimate_without_spread_is_exact_or_infinitely_far():
    data = make_dataset("four_corners", 4)
    assert estimate(data, 0.1, np.zeros(2), 1, 100).z == 0.0


def test_zero_lines_are_where_the_sum_of_kernels_is_0():
    data, kernel = make_dataset("moons", 30), Gaussian(0.8)
    a = data.y * np.linspace(0, 1, 30)
    lines = zero_lines(kernel, data.X, a, 4.0)
    assert lines
    f = np.vstack(lines) if len(lines) > 1 else lines[0]
    assert np.abs(a @ kernel(data.X, f)).max() < 0.02
    (straight,) = zero_lines(Linear(), data.X, a, 4.0)
    assert np.abs((a @ data.X) @ straight.T).max() < 1e-9
    assert zero_lines(Linear(), data.X, np.zeros(30), 4.0) == ()
    assert zero_lines(kernel, data.X, np.zeros(30), 4.0) == ()

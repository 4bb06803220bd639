"""One dimension more: points raised by a height, the plane that parts them there, and its shadow on the board."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from svmlab import BadInput, Dataset, Linear, NotSeparable, Polynomial, Problem, make_dataset, separate, solve
from svmlab.kernels.features import Lift, Plane, is_mostly_on_axis
from svmlab.kernels.features.lift import real_roots
from svmlab.statements import CATALOGUE, Situation

INTERVAL = make_dataset("interval", m=12)
CIRCLES = make_dataset("circles", m=40, noise=0.1, seed=1)
PARABOLA = Lift("square", flat=True)


def plane_of(lift, data, C=math.inf):
    """The plane of the exact solver on the raised points, and the machine."""
    machine = solve(Problem(lift.raised(data), Linear(), C))
    return Plane(lift, machine.w, machine.b), machine


def test_an_interval_is_separated_on_the_parabola_by_a_level_line():
    assert not separate(INTERVAL, Linear()).separable
    plane, machine = plane_of(PARABOLA, INTERVAL)
    assert machine.geometric_margin == pytest.approx(0.78, abs=1e-12)
    assert plane.w[0] == pytest.approx(0, abs=1e-12), "x^2 alone decides"
    at = math.sqrt((1.0**2 + 1.6**2) / 2)
    np.testing.assert_allclose(plane.thresholds(), [-at, at], atol=1e-12)
    np.testing.assert_allclose(plane.thresholds(1.0), [-1, 1], atol=1e-12)
    np.testing.assert_allclose(plane.thresholds(-1.0), [-1.6, 1.6], atol=1e-12)


def test_the_lifted_svm_is_that_of_a_kernel_on_the_line():
    plane, _ = plane_of(PARABOLA, INTERVAL)
    on_line = Dataset(INTERVAL.X[:, :1], INTERVAL.y)
    kernel = solve(Problem(on_line, Polynomial(degree=2, coef0=0.5), math.inf))
    at = np.linspace(-8, 8, 200)
    np.testing.assert_allclose(plane.f(np.column_stack([at, at])), kernel.decision(at[:, None]), atol=1e-9)


def test_the_norm_separates_an_interval_too_and_the_cube_does_not():
    norm, machine = plane_of(Lift("norm", flat=True), INTERVAL)
    assert machine.geometric_margin == pytest.approx(0.3, abs=1e-12)
    np.testing.assert_allclose(norm.thresholds(), [-1.3, 1.3], atol=1e-12)
    cubes = Lift("cube", flat=True).raised(INTERVAL)
    assert not separate(cubes, Linear()).separable
    with pytest.raises(NotSeparable):
        plane_of(Lift("cube", flat=True), INTERVAL)


def test_a_paraboloid_separates_circles_and_its_plane_section_projects_to_a_circle():
    assert not separate(CIRCLES, Linear()).separable
    plane, machine = plane_of(Lift(), CIRCLES)
    centre, radius = plane.circle()
    (shadow,) = plane.shadow(4.0)
    np.testing.assert_allclose(np.hypot(*(shadow - centre).T), radius, atol=1e-12)
    inner = CIRCLES.y == CIRCLES.y[np.argmin(np.hypot(*CIRCLES.X.T))]
    away = np.hypot(*(CIRCLES.X - centre).T)
    assert away[inner].max() < radius < away[~inner].min()
    np.testing.assert_allclose(plane.f(CIRCLES.X), machine.decision(plane.lift.features(CIRCLES.X)), atol=1e-9)


@pytest.mark.parametrize("height", ["square", "norm", "cube"])
@pytest.mark.parametrize("flat", [False, True])
def test_the_cut_lies_on_the_surface_and_on_the_plane(height, flat):
    lift = Lift(height, flat)
    plane = Plane(lift, np.array([0.4, 0.7] if flat else [0.4, -0.3, 0.7]), -0.9)
    cuts = plane.zero_line(3.0)
    assert cuts
    for cut in cuts:
        a, b, c, d = plane.normal
        np.testing.assert_allclose(cut @ [a, b, c] + d, 0, atol=1e-9)
        seen = cut[:, :1] if flat else cut[:, :2]
        heights = {
            "square": (seen**2).sum(1),
            "norm": np.hypot(*seen.T) if not flat else abs(seen[:, 0]),
            "cube": (seen**3).sum(1),
        }
        np.testing.assert_allclose(cut[:, 2], heights[height], atol=1e-12)


def test_on_a_line_the_second_coordinate_does_not_count():
    off = Dataset(INTERVAL.X + np.array([0.0, 0.7]), INTERVAL.y)
    np.testing.assert_array_equal(PARABOLA.features(off.X), PARABOLA.features(INTERVAL.X))
    np.testing.assert_array_equal(PARABOLA.slopes(off.X)[:, 1], 0)
    np.testing.assert_array_equal(PARABOLA.raised(INTERVAL).ids, INTERVAL.ids)
    one = INTERVAL.X.copy()
    one[4] = (0.3, 2.0)
    assert is_mostly_on_axis(INTERVAL.X)
    assert is_mostly_on_axis(one)
    assert not is_mostly_on_axis(CIRCLES.X)


@pytest.mark.parametrize("height", ["square", "norm", "cube"])
def test_slopes_are_those_of_the_height(height):
    lift, X, h = Lift(height), np.array([[0.4, -1.2], [2.0, 0.3], [-0.7, -0.9]]), 1e-6
    for j in range(2):
        step = h * np.eye(2)[j]
        np.testing.assert_allclose(
            lift.slopes(X)[:, j], (lift.heights(X + step) - lift.heights(X - step)) / (2 * h), atol=1e-8
        )
    assert not Lift("norm").slopes(np.zeros((1, 2))).any()


@pytest.mark.parametrize(
    ("powers", "roots"),
    [
        ([1, 0, -4], [-2, 2]),
        ([0, 2, -3], [1.5]),
        ([1, 0, 1], []),
        ([1, -2, 1], [1]),
        ([1, -1e9, 1], [1e-9, 1e9]),
        ([2, 0, 0], [0]),
        ([1, -6, 11, -6], [1, 2, 3]),
        ([1, 0, 0, -8], [2]),
        ([0, 0, 5], []),
    ],
)
def test_real_roots(powers, roots):
    np.testing.assert_allclose(real_roots(np.array(powers, dtype=float)), roots, rtol=1e-9, atol=1e-12)


def test_thresholds_of_a_norm_are_on_the_side_of_their_branch():
    tilted = Plane(Lift("norm", flat=True), np.array([0.5, -1.0]), 1.0)
    np.testing.assert_allclose(tilted.thresholds(), [-2 / 3, 2])
    steep = Plane(Lift("norm", flat=True), np.array([2.0, -1.0]), 1.0)
    np.testing.assert_allclose(steep.thresholds(), [-1 / 3])


def test_no_circle_where_the_plane_passes_under_the_bowl():
    assert Plane(Lift(), np.array([0.0, 0.0, 1.0]), 1.0).circle() is None
    assert Plane(Lift(), np.array([0.0, 0.0, 1.0]), 1.0).shadow(2.0) == ()
    assert Plane(Lift("norm"), np.array([0.0, 0.0, 1.0]), -1.0).circle() is None


def test_a_height_that_is_none_is_named():
    with pytest.raises(BadInput, match=r"height: 'fourth' is unknown\. Choose one of 'square', 'norm', 'cube'"):
        Lift("fourth")


def test_the_statement_holds_where_it_should_and_says_where_it_is_not_asked():
    entry = CATALOGUE["K10"]
    problem = entry.witness.problem
    verdict = entry.check(Situation(problem))
    assert verdict.holds
    assert not verdict.control.holds
    turned = entry.check(Situation(replace(problem, data=Dataset(problem.data.X, -problem.data.y))))
    assert turned.holds
    moved = entry.check(
        Situation(replace(problem, data=Dataset(problem.data.X + np.array([4.0, 1.0]), problem.data.y)))
    )
    assert moved.holds, "an interval anywhere on the line"
    assert moved.control.holds, "beside 0 a cube is as good as a square"
    assert not entry.check(Situation(Problem(make_dataset("overlapping", 16, 0.4, seed=1)))).applies


def test_heights_are_those_of_the_script():
    """The same place and the same numbers as in tests/js/space.test.js."""
    at = np.array([[-3.0, 4.0]])
    heights = [
        [float(Lift(height, flat).heights(at)[0]) for flat in (False, True)] for height in ("square", "norm", "cube")
    ]
    assert heights == [[25, 9], [5, 3], [37, -27]]

"""The data inside the charts of the lesson on duality."""

import math

import numpy as np
import pytest

from svmlab import Linear, Problem, make_dataset, solve
from svmlab.lab.lessons.duality.ascent import ascent
from svmlab.lab.lessons.duality.gap import gap
from svmlab.lab.lessons.duality.keep import thinning
from svmlab.lab.lessons.duality.none import ray
from svmlab.lab.lessons.duality.offset import dots
from svmlab.lab.lessons.duality.primal import margin_and_length, plane_of_w
from svmlab.lab.lessons.duality.programs import heat
from svmlab.lab.lessons.duality.sum import balance
from svmlab.lab.lessons.duality.versions import turn
from svmlab.lab.lessons.duality.weights import weights
from svmlab.plot.palette import DARK, LIGHT

PROBLEM = Problem(make_dataset("separable", 8, 0.1, 26), Linear(), math.inf)
SOLUTION = solve(PROBLEM)
DATA = PROBLEM.data


def trace(figure, name):
    return next(t for t in figure.data if t.name == name)


def texts(figure):
    return [a.text for a in figure.layout.annotations]


def test_the_gap_shows_both_values_and_the_optimum():
    run = ascent(PROBLEM)
    figure = gap(run, SOLUTION.objective, LIGHT)
    np.testing.assert_array_equal(trace(figure, "dual").y, run.dual)
    feasible = np.isfinite(run.primal)
    np.testing.assert_array_equal(trace(figure, "primal").x, np.flatnonzero(feasible))
    np.testing.assert_array_equal(trace(figure, "primal").y, run.primal[feasible])
    (flat,) = figure.layout.shapes
    assert (flat.y0, flat.y1) == (SOLUTION.objective, SOLUTION.objective)
    assert set(texts(figure)) == {"P", "D", "optimal value"}


def test_dots_stand_where_each_point_reads_b_and_carry_their_ids():
    b = np.linspace(-1, 1, 8)
    figure = dots(b, DATA.y, DATA.ids, SOLUTION.free, 0.25, int(DATA.ids[2]), True, DARK)
    for t, sign in zip(figure.data, (1, -1), strict=True):
        mine = DATA.y == sign
        np.testing.assert_array_equal(t.x, b[mine])
        np.testing.assert_array_equal([c[0] for c in t.customdata], DATA.ids[mine])
        np.testing.assert_array_equal(np.array(t.y) > 0.5, SOLUTION.free[mine])
        assert set(t.marker.color) == {DARK.class_colour(sign)}
    assert list(figure.data[0].marker.size).count(17) == 1
    assert figure.layout.shapes[0].x0 == 0.25


def test_weights_are_bars_of_alpha_with_whiskers_over_all_optima():
    rows, alpha = np.flatnonzero(SOLUTION.support), SOLUTION.alpha
    figure = weights(alpha, 0.5 * alpha, 3 * alpha, DATA.y, DATA.ids, rows, None, LIGHT)
    bars = trace(figure, "alpha")
    np.testing.assert_array_equal(bars.y, alpha[rows])
    np.testing.assert_allclose(bars.error_y.array, 2 * alpha[rows])
    np.testing.assert_allclose(bars.error_y.arrayminus, 0.5 * alpha[rows])
    assert list(bars.x) == [str(i + 1) for i in rows]
    assert list(bars.marker.color) == [LIGHT.class_colour(v) for v in DATA.y[rows]]
    alone = trace(weights(alpha, alpha, alpha, DATA.y, DATA.ids, rows, None, LIGHT), "alpha")
    assert alone.error_y.array is None
    assert len(alone.text) == len(rows)


@pytest.mark.parametrize("curve", [0.0, 0.1])
def test_the_ray_is_the_dual_along_t_up_to_where_C_stops_it(curve):
    for end, last in ((math.inf, 10.0), (4.0, 4.0)):
        figure = ray(2.0, curve, end, 3.0, 10.0, LIGHT)
        t = np.array(figure.data[0].x)
        assert t[-1] == last
        np.testing.assert_allclose(figure.data[0].y, 2 * t - 0.5 * curve * t * t)
        assert trace(figure, "now").y[0] == pytest.approx(6 - 4.5 * curve)
    assert "now" not in [t.name for t in ray(2.0, curve, 1.0, 3.0, 10.0, LIGHT).data]
    assert texts(ray(2.0, curve, math.inf, 3.0, 10.0, LIGHT)) == ["no upper bound"]
    assert texts(ray(2.0, curve, 12.0, 3.0, 10.0, LIGHT)) == []  # a bound beyond the chart is a bound all the same


def test_a_map_marks_the_selected_point_and_tells_the_row():
    Q, A = PROBLEM.qp("dual").P, PROBLEM.qp("primal").A
    figure = heat(Q, [str(i) for i in range(8)], 2, True, LIGHT)
    np.testing.assert_array_equal(trace(figure, "matrix").z, Q)
    np.testing.assert_array_equal(trace(figure, "matrix").customdata[:, 0], np.arange(8))
    assert [(s.y0, s.y1) for s in figure.layout.shapes] == [(2.5, 3.5), (0.5, 8.5)]
    assert len(heat(A, ["b", "w1", "w2"], 2, False, LIGHT).layout.shapes) == 1
    assert not heat(A, ["b", "w1", "w2"], None, False, LIGHT).layout.shapes


def test_the_classes_sums_stand_side_by_side():
    figure = balance((0.5, 0.5), None, LIGHT)
    np.testing.assert_array_equal([t.y[0] for t in figure.data], [0.5, 0.5])
    assert figure.data[0].marker.color == LIGHT.plus
    assert "no line separates" in texts(figure)
    assert "no line separates" not in texts(balance((0.5, 0.5), (0.2, 0.9), LIGHT))


def test_the_margin_while_points_go():
    margin = np.array([1.0, 1.0, 1.0, 1.5])
    figure = thinning(margin, 2, 1, LIGHT)
    np.testing.assert_array_equal(trace(figure, "margin").y, margin)
    assert (trace(figure, "now").x[0], trace(figure, "now").y[0]) == (1, 1.0)
    assert 2 in [s.x0 for s in figure.layout.shapes]


def test_margin_and_length_of_each_direction_are_multiples_of_the_optimum_and_reciprocal():
    directions = turn(DATA, True, SOLUTION.w)
    figure = margin_and_length(directions, 30.0, 0.4, LIGHT)
    margin, length = trace(figure, "margin"), trace(figure, "length")
    separates = directions.margin > 0
    np.testing.assert_allclose(margin.y, directions.margin[separates] * SOLUTION.norm_w)
    np.testing.assert_allclose(length.y, np.linalg.norm(directions.shortest_w, axis=1) / SOLUTION.norm_w)
    np.testing.assert_allclose(margin.y * length.y, 1.0)
    assert max(margin.y) == pytest.approx(1.0)
    assert margin.x[np.argmax(margin.y)] == length.x[np.argmin(length.y)] == 0
    assert list(trace(figure, "now").x) == [30.0, 30.0]
    assert list(trace(figure, "now").y) == [0.4, 2.5]
    assert len(trace(margin_and_length(directions, 90.0, -0.4, LIGHT), "now").y) == 0


def test_the_plane_of_w_has_the_feasible_region_and_its_shortest_w():
    directions, w = turn(DATA, True, SOLUTION.w), np.asarray(SOLUTION.w)
    plane = plane_of_w(directions, w, 2 * w, LIGHT)
    np.testing.assert_array_equal(trace(plane, "edge").x, directions.shortest_w[:, 0])
    np.testing.assert_array_equal([trace(plane, "best").x[0], trace(plane, "best").y[0]], w)
    np.testing.assert_array_equal([trace(plane, "now").x[0], trace(plane, "now").y[0]], 2 * w)
    assert "feasible" in [t.name for t in plane.data]
    assert plane.layout.yaxis.scaleanchor == "x"
    assert "now" not in [t.name for t in plane_of_w(directions, w, None, LIGHT).data]

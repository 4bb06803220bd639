"""The data inside the charts of the lesson on the margin."""

import numpy as np
import pytest

from svmlab import Dataset
from svmlab.lab.charts.marks import stacked
from svmlab.lab.charts.rows import rows_chart
from svmlab.lab.lessons.margin.perceptron import orders
from svmlab.lab.lessons.margin.scaling import both_margins
from svmlab.lab.lessons.margin.shake import crossings
from svmlab.lab.lessons.margin.slide import SLIDE
from svmlab.lab.lessons.margin.turn import directions
from svmlab.lab.teach.stage import Stage
from svmlab.plot.palette import DARK, LIGHT


def trace(figure, name):
    return next(t for t in figure.data if t.name == name)


def test_under_scaling_one_margin_is_a_line_and_the_other_a_step():
    figure = both_margins(1.5, 0.7, -1.0, LIGHT)
    line, step = trace(figure, "functional"), trace(figure, "geometric")
    np.testing.assert_allclose(line.y, 1.5 * np.array(line.x))
    np.testing.assert_array_equal(step.y, [-0.7, -0.7, np.nan, 0.7, 0.7])
    assert tuple(trace(figure, "now").y) == (-1.5, -0.7)
    assert {a.text for a in figure.layout.annotations} == {"functional", "geometric"}


def test_at_s_zero_there_is_no_geometric_margin():
    figure = both_margins(1.5, 0.7, 0.0, LIGHT)
    assert tuple(trace(figure, "now").y) == (0.0,)


def test_every_point_stands_at_its_number_in_the_row_of_its_class_with_its_id():
    data = Dataset([(2, 0), (-1, 1), (1, 0), (1, 1)], [1, -1, 1, -1], [11, 12, 13, 14])
    values = np.array([2.0, -0.5, 1.0, 1.0])
    figure = rows_chart(values, data, 13, {-1.0: "dash", 0.0: "solid"}, "y f", ("discs", "squares"), LIGHT)
    plus, minus = trace(figure, "discs"), trace(figure, "squares")
    assert list(plus.x) == [2.0, 1.0]
    assert list(plus.customdata) == [11, 13]
    assert list(minus.customdata) == [12, 14]
    assert min(plus.y) > max(minus.y)
    assert list(plus.marker.line.width) == [0, 3]
    assert set(minus.marker.line.width) == {0}
    assert {(s.x0, s.line.dash) for s in figure.layout.shapes} == {(-1.0, "dash"), (0.0, None)}
    low, high = figure.layout.xaxis.range
    assert low < -1.0
    assert high > 2.0


def test_points_that_would_cover_each_other_stand_on_different_levels():
    level = stacked(np.array([0.0, 0.01, 0.02, 1.0]), 0.1)
    assert level.tolist() == [0, 1, 2, 0]


def test_the_directions_above_zero_are_stronger_and_the_peak_is_the_solver_s():
    angle = np.arange(0.0, 361.0)
    margin = np.cos(np.radians(angle)) - 0.5
    figure = directions(angle, margin, (90.0, -0.5), (0.0, 0.5), LIGHT)
    np.testing.assert_array_equal(trace(figure, "below").y, margin)
    above = np.array(trace(figure, "above").y)
    np.testing.assert_array_equal(np.isnan(above), margin <= 0)
    assert (trace(figure, "peak").x[0], trace(figure, "peak").y[0]) == (0.0, 0.5)
    assert list(trace(figure, "above").customdata) == angle.tolist()
    assert trace(figure, "now").x[0] == 90.0


def test_however_deep_the_other_side_is_the_peak_stands_high():
    angle = np.arange(0.0, 361.0)
    figure = directions(angle, 4 * np.cos(np.radians(angle)) - 3.5, (90.0, -3.5), (0.0, 0.5), LIGHT)
    low, high = figure.layout.yaxis.range
    assert high > 0.5
    assert high / (high - low) > 0.3


def test_no_point_crosses_before_the_margin_and_then_one_after_the_other():
    figure = crossings(np.array([1.0, 1.3, 1.0, 2.0]), 1.1, 2, 1.6, LIGHT)
    across = trace(figure, "across")
    assert list(zip(across.x, across.y, strict=True)) == [(0, 0), (1.0, 1), (1.0, 2), (1.3, 3), (1.6, 3)]
    assert across.line.shape == "hv"
    assert (trace(figure, "now").x[0], trace(figure, "now").y[0]) == (1.1, 2.0)


def test_each_order_has_a_mark_and_the_bound_an_upright():
    figure = orders(np.array([2, 5]), np.array([0.4, 0.9]), 30.0, 1, LIGHT)
    marks = trace(figure, "orders")
    assert (list(marks.x), list(marks.y), list(marks.customdata)) == ([2, 5], [0.4, 0.9], [0, 1])
    assert list(marks.marker.line.width) == [0, 3]
    assert figure.layout.xaxis.type == "log"
    assert {s.x0 for s in figure.layout.shapes if s.x0 == s.x1} == {30.0}


def test_the_moved_line_has_both_curves_and_the_present():
    stage = Stage(SLIDE.board(), dials={"slide": 1.0})
    figure, gamma = SLIDE.chart(stage).figure, 1 / stage.solution.norm_w
    t = np.array(trace(figure, "with sign").x)
    np.testing.assert_allclose(trace(figure, "with sign").y, gamma - np.abs(t), atol=1e-9)
    assert (np.array(trace(figure, "distance").y) >= np.array(trace(figure, "with sign").y) - 1e-12).all()
    assert trace(figure, "now").y[1] == pytest.approx(gamma - 1.0)


def test_a_run_that_was_ended_has_a_mark_of_its_own():
    figure = orders(np.array([2, 2000, 5]), np.array([0.4, np.nan, 0.9]), 5e4, 1, LIGHT)
    assert list(trace(figure, "orders").customdata) == [0, 2]
    assert list(trace(figure, "ended").customdata) == [1]
    assert trace(figure, "ended").marker.symbol == "triangle-right"


def test_a_bound_beyond_reckoning_is_left_out():
    figure = orders(np.array([2, 5]), np.array([0.4, 0.9]), np.inf, 0, LIGHT)
    assert not figure.layout.annotations


def test_on_a_dark_page_the_colours_are_those_of_the_dark_board():
    dark = SLIDE.chart(Stage(SLIDE.board(), palette=DARK)).figure
    assert [curve.line.color for curve in dark.data[:2]] == ["#E69F00", "#56B4E9"]

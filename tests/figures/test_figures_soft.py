"""The data inside the charts of the soft margin."""

import numpy as np
import pytest

from svmlab import Problem, make_dataset, regularization_path, solve
from svmlab.lab.charts.palette import DARK, LIGHT
from svmlab.lab.lessons.soft import objective_chart as objective
from svmlab.lab.lessons.soft import path_chart as path
from svmlab.lab.lessons.soft import points_chart as points
from svmlab.lab.lessons.soft.along import along
from svmlab.lab.lessons.soft.carriers import own_offsets
from svmlab.lab.lessons.soft.plane import landscape, section
from tests.figures.boxes import boxes

WORDS = path.TradeWords("C", "|w|", "slack", "support", "errors")
PLANE = objective.PlaneWords("size", "price", "total", "path", "best", "own")


@pytest.fixture(scope="module")
def walked():
    data = make_dataset("overlapping", 40)
    problem = Problem(data)
    return data, solve(problem), along(regularization_path(problem), 1e-3, 1e3)


def trace(figure, name):
    return next(t for t in figure.data if t.name == name)


def test_the_trade_shows_norm_and_slack_at_every_breakpoint_and_a_line_at_the_present_c(walked) -> None:
    _, _, found = walked
    figure = path.trade(found, 1.0, WORDS, LIGHT)
    np.testing.assert_array_equal(trace(figure, "|w|").y, found.norm_w)
    np.testing.assert_array_equal(trace(figure, "slack").y, found.slack)
    assert set(found.breaks) <= set(trace(figure, "|w|").x)
    assert {s.x0 for s in figure.layout.shapes} == {1.0}
    assert len(trace(figure, "support").x) == len(found.breaks) + 2
    assert trace(figure, "errors").line.shape == "hv"
    assert not path.trade(found, np.inf, WORDS, DARK).layout.shapes


def test_every_point_has_a_mark_at_the_present_c_with_its_alpha_and_its_id(walked) -> None:
    data, s, found = walked
    figure = path.multipliers(found, data, 1.0, int(data.ids[3]), "C", "share", True, LIGHT)
    now = trace(figure, "now")
    np.testing.assert_allclose(now.y, s.alpha, atol=1e-9)
    np.testing.assert_array_equal(np.array(now.customdata)[:, 0], data.ids)
    chosen = trace(figure, "selected")
    np.testing.assert_allclose(chosen.y, found.alpha[:, 3] / found.C)


def test_the_lines_of_the_multipliers_lose_nothing_where_they_bend(walked) -> None:
    data, _, found = walked
    figure = path.multipliers(found, data, 1.0, None, "C", "share", True, LIGHT)
    for sign in (1.0, -1.0):
        line = trace(figure, f"{sign:+g}")
        xs, ys, who = (np.asarray(v, float) for v in (line.x, line.y, line.customdata))
        for i in np.flatnonzero(data.y == sign)[:5]:
            mine = (who == data.ids[i]) & ~np.isnan(xs)
            drawn = np.interp(np.log(found.C), np.log(xs[mine]), ys[mine])
            np.testing.assert_allclose(drawn, found.alpha[:, i] / found.C, atol=1e-8)


def test_over_c_itself_the_multipliers_start_at_the_origin(walked) -> None:
    data, _, found = walked
    figure = path.multipliers(found, data, 1.0, int(data.ids[0]), "C", "alpha", False, LIGHT)
    chosen = trace(figure, "selected")
    assert (chosen.x[0], chosen.y[0]) == (0.0, 0.0)
    assert max(chosen.x) <= 2.05
    assert figure.layout.xaxis.type is None


def test_the_threshold_is_marked(walked) -> None:
    _, _, found = walked
    figure = path.threshold(found, 2.0, 1.0, "C", ("|w|", "slack"), LIGHT)
    assert {s.x0 for s in figure.layout.shapes} == {1.0, 2.0}


def test_the_points_on_the_hinge_are_those_of_the_board(walked) -> None:
    data, s, _ = walked
    figure = points.hinge(data, s.margins, s.xi, int(data.ids[1]), ("yf", "xi", "hinge", "01"), LIGHT)
    dots = trace(figure, "points")
    np.testing.assert_array_equal(dots.customdata, data.ids)
    np.testing.assert_allclose(dots.y, np.maximum(0, 1 - np.asarray(dots.x)), atol=1e-12)
    assert max(dots.marker.size) == dots.marker.size[1]
    hinge = trace(figure, "hinge")
    np.testing.assert_allclose(hinge.y, np.maximum(0, 1 - np.asarray(hinge.x)), atol=1e-12)


def test_the_strip_of_offsets_shows_b_and_the_mean_of_all(walked) -> None:
    data, s, _ = walked
    each = own_offsets(s)
    mean = float(each.each.mean())
    words = ("b", "free", "full", "b", "mean")
    figure = points.offsets(data, each.rows, each.each, each.free, s.b_interval, mean, None, words, LIGHT)
    np.testing.assert_array_equal(trace(figure, "points").x, each.each)
    assert {shape.x0 for shape in figure.layout.shapes} == {s.b, mean}
    wide = points.offsets(data, each.rows, each.each, each.free, (0.0, 1.0), mean, None, words, LIGHT)
    assert any(shape.type == "rect" and (shape.x0, shape.x1) == (0.0, 1.0) for shape in wide.layout.shapes)
    alike = np.full(len(each.each), 0.3) + 1e-16 * np.arange(len(each.each))
    strip = points.offsets(data, each.rows, alike, each.free, (0.3, 0.3), 0.3, None, words, LIGHT)
    left, right = strip.layout.xaxis.range
    assert right - left > 1e-7, "rounding is no distance"


def test_circle_and_contour_of_the_slack_pass_through_the_best_w(walked) -> None:
    data, s, found = walked
    ground = landscape(s.problem, 1.3 * s.norm_w)
    way = (found.alpha * data.y) @ data.X
    least = s.objective - 0.5 * s.norm_w**2
    figure = objective.plane(ground, 1.0, s.w, least, way, np.array([0.1, 0.2]), False, PLANE, LIGHT)
    step = ground.w1[1] - ground.w1[0]
    thick = [t for t in figure.data if t.line.width == 3 and t.name in ("size", "price")]
    assert {t.name for t in thick} == {"size", "price"}
    for t in thick:
        assert np.nanmin(np.hypot(np.asarray(t.x) - s.w[0], np.asarray(t.y) - s.w[1])) < 2 * step
    np.testing.assert_array_equal(trace(figure, "path").x, way[:, 0])
    assert list(trace(figure, "own").x) == [0.1]
    together = objective.plane(ground, 1.0, s.w, least, way, None, True, PLANE, LIGHT)
    assert {t.name for t in together.data} == {"total", "path", "best"}


def test_the_section_shows_the_sum_of_its_terms(walked) -> None:
    _, s, _ = walked
    found = section(s.problem, s.w, 0.4, 1.0)
    figure = objective.section(found, ("size", "loss", "F", "below"), "t", LIGHT)
    np.testing.assert_allclose(trace(figure, "F").y, np.asarray(trace(figure, "size").y) + trace(figure, "loss").y)
    middles = sorted((box.low + box.high) / 2 for box in boxes(figure))
    assert min(np.diff(middles)) > 16, "names of lines that end at one height stand apart"

"""The data inside the charts of the soft margin."""

import numpy as np
import pytest

from svmlab import Problem, make_dataset, regularization_path, solve
from svmlab.lab.lessons.soft import objective, price
from svmlab.lab.lessons.soft.along import sample_path
from svmlab.lab.lessons.soft.carriers import own_offsets
from svmlab.lab.lessons.soft.hard import near_threshold
from svmlab.lab.lessons.soft.multipliers import multipliers
from svmlab.lab.lessons.soft.offset import offsets
from svmlab.lab.lessons.soft.plane import landscape, section, window
from svmlab.lab.lessons.soft.slack import losses, slack_over_distance
from svmlab.plot.palette import LIGHT, PROJECTOR
from tests.lab.charts.boxes import boxes


@pytest.fixture(scope="module")
def walked():
    data = make_dataset("overlapping", 40)
    problem = Problem(data)
    return data, solve(problem), sample_path(regularization_path(problem), 1e-3, 1e3)


def trace(figure, name):
    return next(t for t in figure.data if t.name == name)


def test_the_trade_shows_norm_and_slack_at_every_breakpoint_and_a_line_at_the_present_c(walked) -> None:
    _, _, sampled_path = walked
    figure = price.norm_and_slack(sampled_path, 1.0, LIGHT)
    for name, values in (("‖w‖", sampled_path.norm_w), ("Σ ξ", sampled_path.slack)):
        np.testing.assert_array_equal(trace(figure, name).customdata, values)
        np.testing.assert_allclose(trace(figure, name).y, values / values.max())
    assert set(sampled_path.breaks) <= set(trace(figure, "‖w‖").x)
    assert {s.x0 for s in figure.layout.shapes} == {1.0}


def test_the_counts_are_a_step_function_with_a_step_where_they_change(walked) -> None:
    _, _, sampled_path = walked
    figure = price.counts(sampled_path, 1.0, LIGHT)
    assert len(trace(figure, "support vectors").x) == len(sampled_path.breaks) + 2
    assert len(trace(figure, "errors").x) == len(sampled_path.error_changes) + 2
    assert trace(figure, "errors").line.shape == "hv"


def test_the_trade_off_falls_and_the_current_svm_lies_on_it(walked) -> None:
    _, s, sampled_path = walked
    figure = price.trade_off(sampled_path, (s.norm_w, float(s.xi.sum())), 40.0, LIGHT)
    path, here = trace(figure, "path"), trace(figure, "now")
    assert np.interp(here.x[0], path.x, path.y) == pytest.approx(here.y[0], rel=1e-2)
    assert (np.diff(path.y) <= 1e-9).all()
    assert (np.diff(path.x) >= -1e-12).all()


@pytest.mark.parametrize("shares", [True, False])
def test_every_point_has_a_mark_at_the_present_c_with_its_alpha_and_its_id(walked, shares) -> None:
    data, _, sampled_path = walked
    figure = multipliers(sampled_path, data, 2.0, int(data.ids[3]), shares, LIGHT)
    marks, alpha = trace(figure, "now"), solve(Problem(data, C=2.0)).alpha
    np.testing.assert_allclose(marks.y, alpha / 2.0 if shares else alpha, atol=1e-9)
    np.testing.assert_array_equal(np.array(marks.customdata)[:, 0], data.ids)
    chosen = trace(figure, "selected")
    if shares:
        np.testing.assert_allclose(chosen.y, sampled_path.alpha[:, 3] / sampled_path.C)


def test_the_lines_of_the_multipliers_lose_nothing_where_they_bend(walked) -> None:
    data, _, sampled_path = walked
    figure = multipliers(sampled_path, data, 1.0, None, True, LIGHT)
    for sign in (1.0, -1.0):
        curve = trace(figure, f"{sign:+g}")
        xs, ys, who = (np.asarray(v, float) for v in (curve.x, curve.y, curve.customdata))
        for i in np.flatnonzero(data.y == sign)[:5]:
            mine = (who == data.ids[i]) & ~np.isnan(xs)
            drawn = np.interp(np.log(sampled_path.C), np.log(xs[mine]), ys[mine])
            np.testing.assert_allclose(drawn, sampled_path.alpha[:, i] / sampled_path.C, atol=1e-8)


@pytest.mark.parametrize("shares", [True, False])
def test_a_full_board_of_multipliers_fits_into_a_message(shares) -> None:
    data = make_dataset("moons", 300)
    sampled_path = sample_path(regularization_path(Problem(data)), 1e-3, 1e3)
    assert len(multipliers(sampled_path, data, 1.0, None, shares, LIGHT).to_json()) < 2e6


def test_over_c_itself_the_axis_is_linear_and_every_piece_between_breakpoints_is_straight(walked) -> None:
    data, _, sampled_path = walked
    figure = multipliers(sampled_path, data, 1.0, int(data.ids[0]), False, LIGHT)
    chosen = trace(figure, "selected")
    assert figure.layout.xaxis.type is None
    assert (chosen.x[0], chosen.y[0]) == (0.0, 0.0)
    assert max(chosen.x) <= 2.05
    lines = [trace(figure, f"{sign:+g}") for sign in (1.0, -1.0)]
    xs, ys, who = (
        np.concatenate([np.asarray(curve[key], float) for curve in lines]) for key in ("x", "y", "customdata")
    )
    for row in range(0, 40, 5):
        mine = (who == data.ids[row]) & ~np.isnan(xs)
        assert not np.setdiff1d(xs[mine][1:-1], sampled_path.breaks).size, "between breakpoints it does not bend"
        seen = max(xs[mine]) >= sampled_path.C
        np.testing.assert_allclose(
            np.interp(sampled_path.C[seen], xs[mine], ys[mine]), sampled_path.alpha[seen, row], atol=1e-8
        )
    bound = trace(figure, "bound")
    np.testing.assert_array_equal(bound.x, bound.y)


def test_the_threshold_is_marked(walked) -> None:
    _, _, sampled_path = walked
    assert {s.x0 for s in near_threshold(sampled_path, 2.0, 1.0, LIGHT).layout.shapes} == {1.0, 2.0}


def test_each_slack_is_drawn_over_the_distance_and_the_graph_rises_with_the_slope_of_the_norm(walked) -> None:
    data, s, _ = walked
    figure = slack_over_distance(data, s.margins, s.xi, s.norm_w, int(data.ids[1]), LIGHT)
    dots = trace(figure, "points")
    np.testing.assert_array_equal(dots.customdata, data.ids)
    past = data.y - (data.X @ s.w + s.b)  # in units of f, from the margin line of the class
    np.testing.assert_allclose(dots.x, data.y * past / np.linalg.norm(s.w), atol=1e-9)
    np.testing.assert_allclose(dots.y, np.maximum(0, s.norm_w * np.asarray(dots.x)), atol=1e-9)
    assert max(dots.marker.size) == dots.marker.size[1]
    graph = trace(figure, "hinge")
    np.testing.assert_allclose(graph.y, np.maximum(0, s.norm_w * np.asarray(graph.x)), atol=1e-12)
    equal = trace(figure, "equal")
    np.testing.assert_array_equal(equal.x, equal.y)


def test_the_hinge_loss_is_nowhere_below_the_0_1_loss(walked) -> None:
    data, s, _ = walked
    figure = losses(data, s.margins, s.margins <= 0, None, LIGHT)
    graph = trace(figure, "hinge")
    np.testing.assert_allclose(graph.y, np.maximum(0, 1 - np.asarray(graph.x)), atol=1e-12)
    low, high = np.asarray(trace(figure, "stems").y).reshape(-1, 3)[:, :2].T
    np.testing.assert_array_equal(low, s.margins <= 0)
    assert (high >= low - 1e-9).all()


def test_the_strip_of_offsets_shows_b_and_the_mean_of_all(walked) -> None:
    data, s, _ = walked
    each = own_offsets(s)
    mean = float(each.each.mean())
    figure = offsets(data, each, s.b_interval, mean, None, LIGHT)
    np.testing.assert_array_equal(trace(figure, "points").x, each.each)
    assert {shape.x0 for shape in figure.layout.shapes} == {s.b, mean}
    wide = offsets(data, each, (0.0, 1.0), mean, None, LIGHT)
    assert any(shape.type == "rect" and (shape.x0, shape.x1) == (0.0, 1.0) for shape in wide.layout.shapes)
    for mean, end, sides in ((-0.2, 1.0, ("right", "left")), (1.2, 0.0, ("left", "right"))):
        figure = offsets(data, each, (0.0, 1.0), mean, None, LIGHT)
        names = {a.text: (a.x, a.xanchor) for a in figure.layout.annotations}
        assert (names["mean of all"], names["b"]) == ((mean, sides[0]), (end, sides[1]))


def test_circle_and_contour_of_the_slack_pass_through_the_best_w(walked) -> None:
    data, s, sampled_path = walked
    w_path = (sampled_path.alpha * data.y) @ data.X
    ground = landscape(s.problem, *window(w_path))
    slack_penalty = s.objective - 0.5 * s.norm_w**2
    figure = objective.plane_of_w(ground, 1.0, s.w, slack_penalty, w_path, np.array([0.1, 0.2]), False, LIGHT)
    step = ground.w1[1] - ground.w1[0]
    thick = [t for t in figure.data if t.line.width == 3 and t.name in ("½‖w‖²", "C Σ ξ")]
    assert {t.name for t in thick} == {"½‖w‖²", "C Σ ξ"}
    for t in thick:
        assert np.nanmin(np.hypot(np.asarray(t.x) - s.w[0], np.asarray(t.y) - s.w[1])) < 2 * step
    np.testing.assert_array_equal(trace(figure, "path").x, w_path[:, 0])
    assert list(trace(figure, "your line").x) == [0.1]
    away = objective.plane_of_w(ground, 1.0, s.w, slack_penalty, w_path, np.array([99.0, 0.2]), True, LIGHT)
    assert {t.name for t in away.data} == {"F", "path", "minimiser"}


def test_the_cut_shows_f_nowhere_below_its_parabola_and_the_line_of_the_reader(walked) -> None:
    _, s, _ = walked
    cut = section(s.problem, s.w, 0.4, 1.0)
    figure = objective.cut(cut, (0.5, 0.3), LIGHT)
    np.testing.assert_allclose(trace(figure, "F").y, cut.size + cut.loss)
    assert (np.asarray(trace(figure, "F").y) >= np.asarray(trace(figure, "parabola").y) - 1e-12).all()
    assert (trace(figure, "your line").x[0], trace(figure, "your line").y[0]) == (0.5, 0.3)


def test_the_name_of_the_axis_stands_right_of_its_ticks_and_takes_no_height(walked) -> None:
    for palette in (LIGHT, PROJECTOR):
        figure = price.norm_and_slack(walked[2], 1.0, palette)
        (name,) = [box for box in boxes(figure) if box.text.strip() == "C"]
        assert figure.layout.xaxis.title.text == ""
        assert name.high <= figure.layout.margin.b
        assert name.low >= 0

"""The words of the steps on the width of the tube and on overfitting are true on every board, and clicks work."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from svmlab import SolverFailed
from svmlab.lab.lessons.extensions import LESSON, noisy
from svmlab.lab.lessons.extensions import curve as curve_module
from svmlab.lab.lessons.extensions import flat as flat_module
from svmlab.lab.lessons.extensions.boards import values
from svmlab.lab.lessons.extensions.curve import FIRST, SAMPLES, cubic_twice, interpolation
from svmlab.lab.lessons.extensions.flat import HEIGHTS, WIDEST, Slopes, outlier_row, outlier_slopes, path_over_eps
from svmlab.lab.session import state
from svmlab.lab.session.state import History
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.stage import Working
from tests.lessons import DoneAtOnce, stage_of

EPS, CURVE = LESSON.step("flat"), LESSON.step("curve")
X15 = np.linspace(-3, 3, 15)
Y15 = 0.7 * X15 + 0.5 + 0.4 * np.random.default_rng(2).standard_normal(15)
NOISY_LINE = values(np.column_stack([X15, Y15]).tolist(), eps=0.3, value=1.0)()


def at(step, board=None, shown=True, picks=None, **more):
    stage = stage_of(LESSON, board or step.board(), shown)
    return replace(stage, picks={**stage.picks, **(picks or {})}, **more)


def far_point(board=None, **more):
    return at(EPS, board, picks={"growing": "outlier"}, **more)


def bent(by, board=None, **more):
    return at(CURVE, board, picks={"bent": by}, **more)


def read(step, stage):
    return {reading.name: reading.exact for reading in step.numbers(stage)}


def own(rng, m, **machine):
    rows = [(float(a), float(b), 1) for a, b in rng.normal(0, 2, (m, 2)).clip(-7, 7)]
    return board_of_points(rows, task="values", **machine)()


def done(stage, op):
    return state.apply(History(stage.lab), op).present


def wanted(needs, stage):
    return next(need.why for need in needs if not need.is_met(stage))


# eps


def test_on_the_tallest_board_no_tube_is_wider_than_the_control_allows():
    tallest = values([(-8, -8), (8, 8), (-8, 8), (8, -8)], eps=0.3, value=1.0)()
    stage = at(EPS, tallest)
    assert stage.lab.regression_problem.constant_fit_eps == WIDEST == 8
    assert EPS.draw(stage)["sliders"][1]["hi"] == EPS.play(stage)["to"] == WIDEST
    assert done(stage, {"op": "set", "values": {"eps": WIDEST}}).eps == WIDEST
    assert done(stage, EPS.chart(stage).on_click(8.8)).eps == WIDEST


def test_the_scale_of_the_slope_is_readable_if_every_line_is_horizontal():
    figure = EPS.chart(at(EPS, values([(-3, -1), (3, 1), (-3, 1), (3, -1)], eps=0.3, value=1.0)())).figure
    assert figure.layout.yaxis2.range[1] >= 1


@pytest.mark.parametrize("price", [1e-6, *(pytest.param(price, marks=pytest.mark.slow) for price in (1e5, 1e6))])
def test_for_any_c_the_step_shows_no_number_of_a_solver_that_did_not_converge(price):
    """The second solver may come to no end there; then that is said, and no number of it."""
    for seed in range(12):
        stage = at(EPS, own(np.random.default_rng(seed), 20, value=price))
        if EPS.first_unmet_need(stage) is None:
            two_ways = next(part for part in EPS.more(stage) if str(part).startswith("**A second solver**"))
            assert "nan" not in two_ways
    clustered = [(-8, -8, 1), (8, 8, 1), (8, -8, 1), (-8, 8, 1), (8, 8, 1)]
    EPS.more(at(EPS, board_of_points(clustered, task="values", value=price, eps=1.0)()))


def test_the_words_say_that_the_second_solver_did_not_converge(monkeypatch):
    def no_end(*_args):
        raise SolverFailed("no end")

    monkeypatch.setattr(flat_module, "solve", no_end)
    stage = at(EPS)
    slopes = Slopes(*(np.array([0.0, 2.0, 5.0, 50.0]) for _ in range(3)))
    monkeypatch.setattr(flat_module, "outlier_slopes", lambda _stage: slopes)
    assert "did not converge" in EPS.more(stage)[1]


def test_from_half_the_range_on_there_are_no_support_vectors():
    stage = at(EPS, NOISY_LINE)
    path, level = path_over_eps(stage), stage.lab.regression_problem.constant_fit_eps
    assert level == pytest.approx(0.5 * (2.782 + 1.677))
    assert level in path.eps
    assert (path.count[0], path.count[-1]) == (15, 0)
    assert (path.count[path.eps < level] >= 2).all()
    assert path.norm_w[path.eps >= level].tolist() == [0.0] * int((path.eps >= level).sum())
    assert "ε\u00a0≥\u00a02.229" in EPS.verdict_text(stage)


def test_the_words_say_that_the_counts_need_not_decrease():
    stage = at(EPS, NOISY_LINE)
    path = path_over_eps(stage)
    assert path.norm_w.argmax() > 0  # |w| rises on this very board
    text = " ".join(EPS.more(stage))
    assert "$\\|w\\|$ need not decrease" in text
    assert f"occurs at $\\varepsilon$ = {path.eps[path.norm_w.argmax()]:.3g}." in text


@pytest.mark.parametrize("seed", range(6))
def test_on_own_points_the_answer_on_eps_is_right(seed):
    rng = np.random.default_rng(seed)
    stage = at(EPS, own(rng, int(rng.integers(2, 40)), value=float(10 ** rng.uniform(-2, 2))))
    assert EPS.first_unmet_need(stage) is None
    path = path_over_eps(stage)
    assert path.count[0] > path.count[-1] == 0


def test_equal_targets_do_not_meet_the_needs():
    flat = board_of_points([(0, 1, 1), (1, 1, 1), (2, 1, 1)], task="values")()
    assert wanted(EPS.all_needs, at(EPS, flat)).startswith("All targets are equal")
    assert wanted(CURVE.all_needs, at(CURVE, replace(flat, kernel="gaussian"))).startswith("All targets are equal")


def test_a_click_and_the_animation_set_eps():
    stage = at(EPS)
    assert done(stage, EPS.chart(stage).on_click(1.25)).eps == 1.25
    level = done(stage, {"op": "set", "values": {EPS.play(stage)["key"]: EPS.play(stage)["to"]}})
    assert level.eps == pytest.approx(stage.lab.regression_problem.constant_fit_eps, abs=0.01)
    assert level.eps >= stage.lab.regression_problem.constant_fit_eps
    assert at(EPS, level).fit.norm_w == 0
    assert not at(EPS, level).fit.support.any()
    sliders = {each["key"]: each for each in EPS.draw(stage)["sliders"]}
    assert (
        sliders["eps"]["hi"] >= 1.1 * stage.lab.regression_problem.constant_fit_eps
    )  # so far the step itself moves it


def test_an_outlier_changes_the_slope_of_the_tube_only_up_to_a_limit():
    slopes = outlier_slopes(far_point(NOISY_LINE))
    rows = np.searchsorted(slopes.height, HEIGHTS)
    assert slopes.tube[rows] == pytest.approx([0.6964, 0.7165, 0.7165, 0.7165], abs=3e-4)
    assert slopes.squares[rows] == pytest.approx([0.7131, 0.8131, 0.9631, 3.2131], abs=4e-4)
    assert np.ptp(slopes.tube[slopes.height >= 2]) < 1e-9
    assert np.ptp(slopes.squares) > 100 * np.ptp(slopes.tube)  # the control: least squares moves as far


def test_outside_the_tube_no_height_moves_the_line_on_own_points():
    rng = np.random.default_rng(3)
    for _ in range(10):
        stage = far_point(own(rng, int(rng.integers(3, 30)), value=float(10 ** rng.uniform(-2, 1))))
        slopes = outlier_slopes(stage)
        assert np.ptp(slopes.tube[slopes.height >= 40]) < 1e-8
        steps = np.diff(slopes.squares) / np.diff(slopes.height)
        assert steps == pytest.approx(np.full(len(steps), steps[0]), abs=1e-9)


def test_the_board_shows_the_tube_and_least_squares_with_the_outlier():
    stage = far_point(NOISY_LINE, dials={"raised": 5.0})
    drawn, row = EPS.draw(stage), outlier_row(stage)
    assert stage.lab.regression_problem.data.X[row, 0] == 2.571
    lines = [item for item in drawn["overlay"] if item["style"] == "witness-line"]
    x0, y0, x1, y1 = lines[0]["pts"]
    assert (y1 - y0) / (x1 - x0) == pytest.approx(0.963, abs=1e-3)
    a, b, c, d = drawn["lines"]["zero"][0]
    assert (d - b) / (c - a) == pytest.approx(0.7164, abs=1e-3)
    assert any(item["kind"] == "arrow" for item in drawn["overlay"])
    numbers = read(EPS, stage)
    assert float(numbers["slope of the tube"]) == pytest.approx(0.7164, abs=1e-4)
    assert float(numbers["of least squares"]) == pytest.approx(0.963, abs=1e-4)
    assert flat_module.with_outlier(stage, 5.0).points[row].y == stage.lab.points[row].y + 5000
    assert stage.lab == NOISY_LINE  # the points stay where they are


def test_the_selected_point_is_the_outlier_and_a_click_raises_it():
    board = replace(EPS.board(), selected=3)
    stage = far_point(board)
    assert outlier_row(stage) == 2
    assert EPS.chart(stage).on_click(50.0) == {"op": "dial", "values": {"raised": 50.0}}
    keys = [each["key"] for each in EPS.draw(stage)["sliders"]]
    assert keys == ["value", "raised"]
    assert EPS.play(stage)["key"] in keys
    assert [each["key"] for each in EPS.draw(at(EPS))["sliders"]] == ["value", "eps"]


def test_a_board_of_many_points_is_computed_in_the_background():
    rng = np.random.default_rng(8)
    stage = at(EPS, own(rng, 80), request_work=None)
    with pytest.raises(Working):
        EPS.chart(stage)
    assert EPS.verdict_text(stage)
    assert EPS.chart(at(EPS, stage.lab)).figure.data


# the curve


def test_on_the_first_board_a_narrow_curve_passes_through_every_point():
    stage = at(CURVE)
    fit = interpolation(stage)
    assert (fit.problem.kernel.sigma, fit.problem.C, fit.problem.eps) == (0.1, 100.0, 0.0)
    assert noisy.points_on_curve(fit) == 25
    assert "For σ\u00a0=\u00a00.1 and C\u00a0=\u00a0100, it meets 25 of 25." in CURVE.verdict_text(stage)
    play = CURVE.play(stage)
    ends = at(CURVE, replace(stage.lab, **{play["key"]: play["to"]}))
    assert noisy.points_on_curve(ends.fit) == 25  # what is seen at the end is what is said


@pytest.mark.parametrize("seed", range(8))
def test_on_own_points_the_curve_passes_through_every_point(seed):
    rng = np.random.default_rng(seed)
    m = int(rng.integers(2, 60))
    stage = at(CURVE, own(rng, m, kernel="gaussian", sigma=3.0, value=0.01, eps=1.0, bias=bool(seed % 2)))
    assert CURVE.first_unmet_need(stage) is None
    assert noisy.points_on_curve(interpolation(stage)) == m
    assert f"it meets {m} of {m}." in CURVE.verdict_text(stage)
    assert curve_module.test_points(stage) is None
    assert "distribution of these points is unknown" in CURVE.says(stage)
    assert CURVE.chart(stage).figure.data


def test_points_with_equal_inputs_are_named_and_too_many_do_not_meet_the_needs():
    rows = [(0.5 * i, float(i % 3), 1) for i in range(8)]
    stage = at(CURVE, board_of_points([*rows, (0, 2, 1)], task="values", kernel="gaussian")())
    assert CURVE.first_unmet_need(stage) is None
    assert noisy.points_on_curve(interpolation(stage)) in (7, 8)
    assert f"it meets {noisy.points_on_curve(interpolation(stage))} of 9." in CURVE.verdict_text(stage)
    assert any(part.startswith("**Almost all.** 2 points") for part in CURVE.more(stage))
    above = board_of_points([(0, 0, 1), (0, 1, 1), (0, 2, 1), (1, 1, 1)], task="values", kernel="gaussian")()
    assert wanted(CURVE.all_needs, at(CURVE, above)).startswith("Many points have the same")


def test_test_points_are_drawn_behind_a_sample_of_the_wave_only():
    stage = at(CURVE)
    (behind,) = CURVE.draw(stage)["overlay"]
    assert (behind["style"], behind["kind"], len(behind["pts"])) == ("fresh value", "dots", 2 * noisy.DRAWN)
    assert "overlay" not in CURVE.draw(at(CURVE, shown=False))
    moved = replace(stage.lab, points=tuple(p._replace(x=p.x + 7) for p in stage.lab.points))
    assert CURVE.draw(at(CURVE, moved))["overlay"] == []
    assert set(read(CURVE, at(CURVE, moved))) == {"training error", "support vectors"}


def test_the_training_error_is_smallest_for_the_smallest_width_but_the_test_error_is_not():
    stage = at(CURVE, replace(CURVE.board(), sigma=0.1))
    numbers = read(CURVE, stage)
    assert float(numbers["training error"]) < 1e-9
    assert float(numbers["test error"]) == pytest.approx(noisy.mean_error(stage.fit, noisy.fresh_points()))
    assert "(grey) is smallest from σ = 0.1 to 0.3, and the test error (green) at σ = 2." in CURVE.says(stage)
    for turned, best in (("C", "C = 3"), ("eps", "ε = 0")):  # from C = 3 on the curve is the same, but for rounding
        same = bent(turned, replace(stage.lab, sigma=0.1))
        assert f"Here both are smallest at {best}." in CURVE.says(same)
    wide = read(CURVE, at(CURVE, replace(stage.lab, sigma=2.0)))
    assert float(wide["test error"]) < float(numbers["test error"]) - 0.1


@pytest.mark.parametrize(("by", "value", "name"), [("sigma", 0.8, "sigma"), ("C", 30.0, "value"), ("eps", 0.7, "eps")])
def test_a_click_sets_the_parameter_of_the_view(by, value, name):
    stage = bent(by, replace(CURVE.board(), face="lambda", value=0.01))
    after = done(stage, CURVE.chart(stage).on_click(value))
    assert getattr(after, name) == value
    assert after.face == ("C" if by == "C" else "lambda")
    assert after.points == stage.lab.points


@pytest.mark.parametrize("by", ["sigma", "C", "eps"])
def test_each_curve_has_a_mark_for_the_svm_on_the_board(by):
    board = replace(CURVE.board(), sigma=0.37, value=7.0, eps=0.123)
    stage = bent(by, board)
    current = {"sigma": 0.37, "C": 7.0, "eps": 0.123}[by]
    lines = {trace.name: trace for trace in CURVE.chart(stage).figure.data if trace.name != "now"}
    current_row = int(np.flatnonzero(lines["training error"].x == current)[0])
    assert lines["training error"].y[current_row] == pytest.approx(noisy.mean_error(stage.fit))
    assert lines["test error"].y[current_row] == pytest.approx(noisy.mean_error(stage.fit, noisy.fresh_points()))
    sliders = [each["key"] for each in CURVE.draw(stage)["sliders"]]
    assert len(sliders) == 2
    assert {"sigma": "sigma", "C": "value", "eps": "eps"}[by] in sliders


def test_the_cubic_is_on_the_board_and_is_the_same_computed_twice():
    stage = bent("ways")
    cubic = cubic_twice(stage)
    assert cubic.difference < 1e-9
    items = [item for item in CURVE.draw(stage)["overlay"] if item["style"] == "witness-line"]
    assert np.reshape(items[0]["pts"], (-1, 2))[:, 1] == pytest.approx(cubic.kernel, abs=1e-4)
    assert CURVE.play(stage) is None
    traces = {trace.name: trace for trace in CURVE.chart(stage).figure.data}
    assert traces["kernel values"].y == pytest.approx(traces["features"].y, abs=1e-9)


def test_the_next_sample_keeps_the_settings_and_after_the_last_comes_the_first():
    op = CURVE.tries[2].op
    stage = at(CURVE, replace(CURVE.board(), sigma=0.4, eps=0.2))
    following = done(stage, op(stage))
    assert (following.seed, following.sigma, following.eps) == ((FIRST + 1) % SAMPLES, 0.4, 0.2)
    assert curve_module.test_points(at(CURVE, following)) is not None
    last = at(CURVE, replace(following, seed=SAMPLES - 1, points=done(at(CURVE, following), op(stage)).points))
    assert done(last, op(last)).seed == 0


def test_while_something_moves_no_work_is_begun():
    stage = at(CURVE, replace(CURVE.board(), sigma=0.37), moving=True, request_work=DoneAtOnce(most=0))
    assert CURVE.draw(stage)["overlay"]
    assert float(read(CURVE, stage)["test error"]) > 0.3
    assert CURVE.says(stage) == "The small dots are test points. You can click a mark to set the board."

"""What the steps on eps and on a curved tube say is true of the board, whatever is on it, and a click does what is
told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from svmlab import SolverFailed
from svmlab.lab.lessons.extensions import LESSON, noisy
from svmlab.lab.lessons.extensions import eps as eps_module
from svmlab.lab.lessons.extensions import growing as growing_module
from svmlab.lab.lessons.extensions.bending import closest, others, ways
from svmlab.lab.lessons.extensions.boards import values
from svmlab.lab.lessons.extensions.curve import DRAWS, FIRST
from svmlab.lab.lessons.extensions.eps import WIDEST
from svmlab.lab.lessons.extensions.growing import HEIGHTS, Raised, far, growing, pulled, raised
from svmlab.lab.session import state
from svmlab.lab.session.state import History
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.stage import Working
from tests.lessons import DoneAtOnce, stage_of

EPS, CURVE = LESSON.step("eps"), LESSON.step("curve")


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


def test_on_the_tallest_board_nothing_asks_for_a_wider_tube_than_there_is():
    tallest = values([(-8, -8), (8, 8), (-8, 8), (8, -8)], eps=0.3, value=1.0)()
    stage = at(EPS, tallest)
    assert stage.lab.regression_problem.constant_fit_eps == WIDEST == 8
    assert EPS.draw(stage)["sliders"][1]["hi"] == EPS.play(stage)["to"] == WIDEST
    assert done(stage, {"op": "set", "values": {"eps": WIDEST}}).eps == WIDEST
    assert done(stage, EPS.chart(stage).on_click(8.8)).eps == WIDEST


def test_where_no_tube_leans_the_scale_of_its_slope_is_readable():
    figure = EPS.chart(at(EPS, values([(-3, -1), (3, 1), (-3, 1), (3, -1)], eps=0.3, value=1.0)())).figure
    assert figure.layout.yaxis2.range[1] >= 1


@pytest.mark.parametrize("price", [1e-6, *(pytest.param(price, marks=pytest.mark.slow) for price in (1e5, 1e6))])
def test_at_any_price_the_step_on_eps_says_what_it_knows(price):
    """The second solver may come to no end there; then that is said, and no number of it."""
    for seed in range(12):
        stage = at(EPS, own(np.random.default_rng(seed), 20, value=price))
        if EPS.first_unmet_need(stage) is None:
            two_ways = next(part for part in EPS.more(stage) if str(part).startswith("**Two ways.**"))
            assert "nan" not in two_ways
    clustered = [(-8, -8, 1), (8, 8, 1), (8, -8, 1), (-8, 8, 1), (8, 8, 1)]
    EPS.more(at(EPS, board_of_points(clustered, task="values", value=price, eps=1.0)()))


def test_where_the_second_solver_comes_to_no_end_that_is_said(monkeypatch):
    def no_end(*_args):
        raise SolverFailed("no end")

    monkeypatch.setattr(growing_module, "solve", no_end)
    stage = at(EPS)
    pulled_before = Raised(*(np.array([0.0, 2.0, 5.0, 50.0]) for _ in range(3)))
    monkeypatch.setattr(eps_module, "pulled", lambda _stage: pulled_before)
    assert "comes to no end" in EPS.more(stage)[1]


def test_along_eps_support_vectors_end_at_none_where_the_range_is_halved():
    stage = at(EPS)
    found, level = growing(stage), stage.lab.regression_problem.constant_fit_eps
    assert level == pytest.approx(0.5 * (2.782 + 1.677))
    assert level in found.eps
    assert (found.count[0], found.count[-1]) == (15, 0)
    assert (found.count[found.eps < level] >= 2).all()
    assert found.norm_w[found.eps >= level].tolist() == [0.0] * int((found.eps >= level).sum())
    assert "15 at ε = 0" in EPS.verdict_text(stage)
    assert "none at ε ≥ 2.229" in EPS.verdict_text(stage)


def test_the_words_promise_nothing_between_one_eps_and_the_next():
    stage = at(EPS)
    found = growing(stage)
    assert found.norm_w.argmax() > 0  # |w| rises on this very board
    told = " ".join(EPS.more(stage))
    assert "neither $N$ nor $\\|w\\|$ has to fall" in told
    assert f"largest at $\\varepsilon = {found.eps[found.norm_w.argmax()]:.3g}$" in told


@pytest.mark.parametrize("seed", range(6))
def test_on_own_points_the_answer_on_eps_is_right(seed):
    rng = np.random.default_rng(seed)
    stage = at(EPS, own(rng, int(rng.integers(2, 40)), value=float(10 ** rng.uniform(-2, 2))))
    assert EPS.first_unmet_need(stage) is None
    found = growing(stage)
    assert found.count[0] > found.count[-1] == 0
    assert f"{found.count[0]} at" in EPS.verdict_text(stage)


def test_a_level_board_has_nothing_to_show():
    flat = board_of_points([(0, 1, 1), (1, 1, 1), (2, 1, 1)], task="values")()
    assert wanted(EPS.all_needs, at(EPS, flat)).startswith("All values are the same")
    assert wanted(CURVE.all_needs, at(CURVE, replace(flat, kernel="gaussian"))).startswith("All values are the same")


def test_a_click_and_the_try_set_eps():
    stage = at(EPS)
    assert done(stage, EPS.chart(stage).on_click(1.25)).eps == 1.25
    level = done(stage, EPS.tries[0].op(stage))
    assert level.eps == stage.lab.regression_problem.constant_fit_eps
    assert at(EPS, level).fit.norm_w == 0
    assert not at(EPS, level).fit.support.any()
    sliders = {each["key"]: each for each in EPS.draw(stage)["sliders"]}
    assert (
        sliders["eps"]["hi"] >= 1.05 * stage.lab.regression_problem.constant_fit_eps
    )  # so far the step itself moves it


def test_one_far_point_moves_the_slopes_as_was_measured():
    found = pulled(far_point())
    rows = np.searchsorted(found.by, HEIGHTS)
    assert found.tube[rows] == pytest.approx([0.6964, 0.7165, 0.7165, 0.7165], abs=3e-4)
    assert found.squares[rows] == pytest.approx([0.7131, 0.8131, 0.9631, 3.2131], abs=4e-4)
    assert np.ptp(found.tube[found.by >= 2]) < 1e-9
    assert np.ptp(found.squares) > 100 * np.ptp(found.tube)  # the control: least squares moves as far


def test_outside_the_tube_no_height_moves_the_line_on_own_points():
    rng = np.random.default_rng(3)
    for _ in range(10):
        stage = far_point(own(rng, int(rng.integers(3, 30)), value=float(10 ** rng.uniform(-2, 1))))
        found = pulled(stage)
        assert np.ptp(found.tube[found.by >= 40]) < 1e-8
        steps = np.diff(found.squares) / np.diff(found.by)
        assert steps == pytest.approx(np.full(len(steps), steps[0]), abs=1e-9)


def test_on_the_board_stand_the_tube_and_least_squares_of_the_raised_point():
    stage = far_point(dials={"raised": 5.0})
    drawn, row = EPS.draw(stage), far(stage)
    assert stage.lab.regression_problem.data.X[row, 0] == 2.571
    lines = [item for item in drawn["overlay"] if item["style"] == "witness-line"]
    x0, y0, x1, y1 = lines[0]["pts"]
    assert (y1 - y0) / (x1 - x0) == pytest.approx(0.963, abs=1e-3)
    a, b, c, d = drawn["lines"]["zero"][0]
    assert (d - b) / (c - a) == pytest.approx(0.7164, abs=1e-3)
    assert any(item["kind"] == "arrow" for item in drawn["overlay"])
    numbers = read(EPS, stage)
    assert float(numbers["slope of the tube"]) == pytest.approx(0.7164, abs=1e-4)
    assert float(numbers["slope of least squares"]) == pytest.approx(0.963, abs=1e-4)
    assert raised(stage, 5.0).points[row].y == stage.lab.points[row].y + 5000
    assert stage.lab == EPS.board()  # the points stay where they are


def test_the_selected_point_is_the_far_one_and_a_click_raises_it():
    board = replace(EPS.board(), selected=3)
    stage = far_point(board)
    assert far(stage) == 2
    assert EPS.chart(stage).on_click(50.0) == {"op": "dial", "values": {"raised": 50.0}}
    keys = [each["key"] for each in EPS.draw(stage)["sliders"]]
    assert keys == ["value", "raised"]
    assert EPS.play(stage)["key"] in keys
    assert [each["key"] for each in EPS.draw(at(EPS))["sliders"]] == ["value", "eps"]


def test_many_points_are_worked_on_beside_the_page():
    rng = np.random.default_rng(8)
    stage = at(EPS, own(rng, 80), request_work=None)
    with pytest.raises(Working):
        EPS.chart(stage)
    assert EPS.verdict_text(stage)
    assert EPS.chart(at(EPS, stage.lab)).figure.data


# the curve


def test_the_board_to_begin_with_is_met_everywhere_when_it_is_narrow():
    stage = at(CURVE)
    fit = closest(stage)
    assert (fit.problem.kernel.sigma, fit.problem.C, fit.problem.eps) == (0.1, 100.0, 0.0)
    assert noisy.met(fit) == 25
    assert "all 25, at σ = 0.1, ε = 0, C = 100" in CURVE.verdict_text(stage)
    play = CURVE.play(stage)
    ends = at(CURVE, replace(stage.lab, **{play["key"]: play["to"]}))
    assert noisy.met(ends.fit) == 25  # what is seen at the end is what is said


@pytest.mark.parametrize("seed", range(8))
def test_on_own_points_the_curve_meets_nearly_every_one(seed):
    rng = np.random.default_rng(seed)
    m = int(rng.integers(2, 60))
    stage = at(CURVE, own(rng, m, kernel="gaussian", sigma=3.0, value=0.01, eps=1.0, bias=bool(seed % 2)))
    assert CURVE.first_unmet_need(stage) is None
    assert noisy.met(closest(stage)) == m
    assert f"all {m}, " in CURVE.verdict_text(stage)
    assert others(stage) is None
    assert "Nobody knows" in CURVE.says(stage)
    assert CURVE.chart(stage).figure.data


def test_points_above_each_other_are_told_of_and_too_many_are_not_asked_about():
    rows = [(0.5 * i, float(i % 3), 1) for i in range(8)]
    stage = at(CURVE, board_of_points([*rows, (0, 2, 1)], task="values", kernel="gaussian")())
    assert CURVE.first_unmet_need(stage) is None
    assert noisy.met(closest(stage)) in (7, 8)
    assert f"through {noisy.met(closest(stage))} of 9 points" in CURVE.verdict_text(stage)
    assert any(part.startswith("**Nearly.** 2 points") for part in CURVE.more(stage))
    above = board_of_points([(0, 0, 1), (0, 1, 1), (0, 2, 1), (1, 1, 1)], task="values", kernel="gaussian")()
    assert wanted(CURVE.all_needs, at(CURVE, above)).startswith("Many points have the same")


def test_unseen_points_stand_behind_a_draw_and_nowhere_else():
    stage = at(CURVE)
    (behind,) = CURVE.draw(stage)["overlay"]
    assert (behind["style"], behind["kind"], len(behind["pts"])) == ("fresh value", "dots", 2 * noisy.SHOWN)
    assert "overlay" not in CURVE.draw(at(CURVE, shown=False))
    moved = replace(stage.lab, points=tuple(p._replace(x=p.x + 7) for p in stage.lab.points))
    assert CURVE.draw(at(CURVE, moved))["overlay"] == []
    assert set(read(CURVE, at(CURVE, moved))) == {"mean |y − f|", "support vectors"}


def test_seen_points_are_missed_least_where_it_is_narrow_and_unseen_ones_are_not():
    stage = at(CURVE, replace(CURVE.board(), sigma=0.1))
    numbers = read(CURVE, stage)
    assert float(numbers["mean |y − f|"]) < 1e-9
    assert float(numbers["of unseen points"]) == pytest.approx(noisy.missed(stage.fit, noisy.unseen()))
    assert "missed least at σ = 2, seen ones at σ = 0.1:" in CURVE.says(stage)
    for turned, best in (("C", "C = 3"), ("eps", "ε = 0")):  # from C = 3 on the curve is the same, but for rounding
        same = bent(turned, replace(stage.lab, sigma=0.1))
        assert f"they and the seen ones are missed least at {best}." in CURVE.says(same)
    wide = read(CURVE, at(CURVE, replace(stage.lab, sigma=2.0)))
    assert float(wide["of unseen points"]) < float(numbers["of unseen points"]) - 0.1


@pytest.mark.parametrize(("by", "value", "name"), [("sigma", 0.8, "sigma"), ("C", 30.0, "value"), ("eps", 0.7, "eps")])
def test_a_click_sets_what_is_turned(by, value, name):
    stage = bent(by, replace(CURVE.board(), face="lambda", value=0.01))
    after = done(stage, CURVE.chart(stage).on_click(value))
    assert getattr(after, name) == value
    assert after.face == ("C" if by == "C" else "lambda")
    assert after.points == stage.lab.points


@pytest.mark.parametrize("by", ["sigma", "C", "eps"])
def test_each_line_goes_through_the_machine_on_the_board(by):
    board = replace(CURVE.board(), sigma=0.37, value=7.0, eps=0.123)
    stage = bent(by, board)
    now = {"sigma": 0.37, "C": 7.0, "eps": 0.123}[by]
    lines = {trace.name: trace for trace in CURVE.chart(stage).figure.data if trace.name != "now"}
    at_now = int(np.flatnonzero(lines["seen points"].x == now)[0])
    assert lines["seen points"].y[at_now] == pytest.approx(noisy.missed(stage.fit))
    assert lines["unseen points"].y[at_now] == pytest.approx(noisy.missed(stage.fit, noisy.unseen()))
    sliders = [each["key"] for each in CURVE.draw(stage)["sliders"]]
    assert len(sliders) == 2
    assert {"sigma": "sigma", "C": "value", "eps": "eps"}[by] in sliders


def test_a_cubic_stands_on_the_board_and_is_the_same_both_ways():
    stage = bent("ways")
    found = ways(stage)
    assert found.apart < 1e-9
    items = [item for item in CURVE.draw(stage)["overlay"] if item["style"] == "witness-line"]
    assert np.reshape(items[0]["pts"], (-1, 2))[:, 1] == pytest.approx(found.kernel, abs=1e-4)
    assert CURVE.play(stage) is None
    traces = {trace.name: trace for trace in CURVE.chart(stage).figure.data}
    assert traces["kernel values"].y == pytest.approx(traces["coordinates"].y, abs=1e-9)


def test_the_next_draw_keeps_the_machine_and_after_the_last_comes_the_first():
    op = CURVE.tries[2].op
    stage = at(CURVE, replace(CURVE.board(), sigma=0.4, eps=0.2))
    following = done(stage, op(stage))
    assert (following.seed, following.sigma, following.eps) == ((FIRST + 1) % DRAWS, 0.4, 0.2)
    assert others(at(CURVE, following)) is not None
    last = at(CURVE, replace(following, seed=DRAWS - 1, points=done(at(CURVE, following), op(stage)).points))
    assert done(last, op(last)).seed == 0


def test_while_a_hand_moves_the_picture_can_be_drawn_and_nothing_is_begun():
    stage = at(CURVE, replace(CURVE.board(), sigma=0.37), moving=True, request_work=DoneAtOnce(most=0))
    assert CURVE.draw(stage)["overlay"]
    assert float(read(CURVE, stage)["of unseen points"]) > 0.3
    assert CURVE.says(stage) == "Faint: unseen points. Click a mark to set the board."

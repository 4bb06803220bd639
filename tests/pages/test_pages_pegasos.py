"""The steps of the Pegasos lesson on a stage: what they draw and say is what the engine has done."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from svmlab import Linear, Problem, pegasos, solve
from svmlab.lab.board import board_data
from svmlab.lab.lessons.pegasos import (
    LESSON,
    certificate,
    chance,
    comparator,
    convergence,
    rates,
    regret,
    returned,
    step,
)
from svmlab.lab.lessons.pegasos.runs import picked_comparison, short_comparison
from svmlab.lab.numbers import grouped
from svmlab.lab.session.cache import Cache
from svmlab.lab.session.lab import Lab, Point, with_preset
from svmlab.lab.session.lesson_state import PickValue
from svmlab.lab.session.state import History, initial_history
from svmlab.lab.session.tab import Session
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.open_lesson import OpenLesson
from svmlab.lab.teach.requirements import LINEAR
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import Step
from svmlab.pegasos import Rule, comparator_loss, dual_coordinate_ascent, objective, run_kernel
from tests.lessons import stage_of

SEVERAL = tuple(
    Point(i, round(2000 * math.cos(i)), round(2500 * math.sin(2 * i)), 1 if i % 2 else -1) for i in range(1, 25)
)
BOARDS = {
    "one": Lab(points=(Point(1, 1000, 0, 1),)),
    "one class": Lab(points=(Point(1, 1000, 0, 1), Point(2, 0, 1000, 1))),
    "twins": Lab(points=(Point(1, 1000, 0, 1), Point(2, 1000, 0, -1))),
    "origin": Lab(points=(Point(1, 0, 0, 1), Point(2, 0, 0, -1))),
    "many": initial_history().present,
    "several": Lab(points=SEVERAL, face="lambda", value=0.05),
    "gaussian": with_preset(Lab(preset="moons", kernel="gaussian", size=30)),
    "sigmoid": with_preset(Lab(preset="moons", kernel="sigmoid", size=30)),
    "hard": with_preset(Lab(preset="separable", hard=True, size=30)),
    "large C": with_preset(Lab(value=1e6, size=20)),
    "large lambda": with_preset(Lab(face="lambda", value=1e6, size=20)),
}
LAB = preset("overlapping", size=30, face="lambda", value=0.05, bias=False)()


def stage(of: Step, lab: Lab | None = None, shown: bool = True, draws: float = 0.0, **picks: PickValue) -> Stage:
    """A stage for a step, on its own board or another."""
    return replace(stage_of(LESSON, of.board() if lab is None else lab, shown, **picks), dials={"draws": draws})


LONG = ("twins", "large C", "large lambda")  # on which the runs are the longest


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in LONG else ()) for name in BOARDS]
)
def test_every_step_is_sound_on_every_board_that_has_what_it_needs(name: str) -> None:
    for each in LESSON.steps:
        s = stage(each, BOARDS[name])
        if each.first_unmet_need(s) is None:
            assert 0 <= each.answer(s) < len(each.choices)
            assert each.verdict_text(s)
            assert each.readings(s)
            assert each.chart(s)
            assert isinstance(each.draw(s), dict)


def test_a_board_of_many_points_or_without_w_is_replaced_by_the_step_s_own() -> None:
    for name in ("many", "hard", "gaussian", "sigmoid", "origin"):
        session = Session(History(BOARDS[name]))
        for each in (each for each in LESSON.steps[:13] if LINEAR in each.needs):
            session.lessons.open_steps["pegasos"] = each.key
            place = OpenLesson(session, LESSON)
            place.prepare_board()
            assert session.boards.shown == f"pegasos.{each.key}"
            assert each.first_unmet_need(place.stage(each)) is None


def test_no_run_and_no_number_of_a_run_is_shown_before_the_answer() -> None:
    for each in LESSON.steps:
        s = stage(each, shown=False)
        assert "film" not in each.draw(s)
        assert not each.readings(s)
    for each in (convergence.CONVERGENCE, returned.RETURNED, chance.CHANCE, regret.REGRET, certificate.CERTIFICATE):
        assert not each.draw(stage(each, shown=False)).get("overlay")


def test_the_board_shows_the_svm_without_bias() -> None:
    lab = initial_history().present
    data = board_data(Session(History(lab)), LESSON.lab_to_draw(lab))
    best = solve(Problem(lab.data, Linear(), 1.0, bias=False))
    ends = np.array(data["lines"]["zero"][0]).reshape(-1, 2)
    assert np.abs(best.decision(ends)).max() < 1e-3
    assert float(objective(lab.data, lab.lam, best.w)) == pytest.approx(best.objective * lab.lam, rel=1e-9)


# ---------------------------------------------------------------- one step


def test_the_film_is_the_formula_with_the_numbers_of_the_run() -> None:
    s = stage(step.STEP, LAB)
    film = step.draw(s)["film"]
    w = np.zeros(2)
    stretch = step.stretch(s)
    for t, (frame, row) in enumerate(zip(film["frames"], stretch.drawn[:, 0], strict=True), 1):
        x, y = LAB.data.X[row], LAB.data.y[row]
        violates = y * (w @ x) < 1
        after = (1 - 1 / t) * w + violates * y * x / (LAB.lam * t)
        assert frame["ring"] == LAB.points[row].id
        assert f"<b>t = {t}</b>" in frame["caption"]
        assert ("is added" in frame["caption"] and "nothing" not in frame["caption"]) == violates
        arrows = [np.array(item["pts"][2:]) for item in frame["items"] if item["kind"] == "arrow"]
        size = np.hypot(*arrows[-1]) / (np.hypot(*after) or 1)
        np.testing.assert_allclose(arrows[0], size * w, atol=2e-4)
        np.testing.assert_allclose(arrows[-1], size * after, atol=2e-4)
        assert max(np.abs(a).max() for a in arrows) <= LAB.view
        w = after
    assert not stretch.violates[film["at"], 0], "it opens at a step without a push"
    assert {len(frame["items"]) for frame in film["frames"]} == {5}


@pytest.mark.parametrize("first", [100, 10_000])
def test_a_film_may_start_late(first: int) -> None:
    frames = step.draw(stage(step.STEP, LAB, start=first))["film"]["frames"]
    assert f"<b>t = {first:,}</b>".replace(",", "\N{NO-BREAK SPACE}") in frames[0]["caption"]
    assert len(frames) == step.FRAMES


def test_the_verdict_of_a_step_names_the_first_step_without_a_margin_violation() -> None:
    s = stage(step.STEP, LAB)
    assert "t\u00a0=\u00a02, the factor 1 − 1/t is 0.5" in step.verdict(s)
    every_one = stage(step.STEP, replace(step.FLOWERS(), face="lambda", value=1e3))
    assert step.stretch(every_one).violates.all()
    assert "t\u00a0=" not in step.verdict(every_one)


def test_under_a_moving_hand_the_film_has_its_opening_only() -> None:
    s = stage(step.STEP, LAB)
    assert len(step.draw(replace(s, moving=True))["film"]["frames"]) == step.opening(step.stretch(s)) + 1


# ---------------------------------------------------------------- how fast


def test_the_factor_is_measured_from_1000_to_10_000_steps_and_lies_in_the_range_of_the_answer() -> None:
    ranges = ((0.0, 5.0), (5.0, 20.0), (20.0, math.inf))
    own = convergence.CONVERGENCE.board()
    for lab in (own, replace(own, value=0.001), replace(own, value=0.1)):
        s = stage(convergence.CONVERGENCE, lab)
        best = lab.lam * solve(lab.problem).objective
        runs = pegasos(lab.data, lab.lam, 10_000, 20)
        gaps = runs.average.mean(0) - best
        before, after = gaps[np.searchsorted(runs.t, 1_000)], gaps[-1]
        assert convergence.gain(s) == pytest.approx(before / after, rel=1e-9)
        low, high = ranges[convergence.answer(s)]
        assert low <= before / after < high
    assert [convergence.answer(stage(convergence.CONVERGENCE, replace(own, value=v))) for v in (0.001, 0.1)] == [2, 0]


def test_the_answers_do_not_depend_on_what_was_done_in_other_steps() -> None:
    for each in (convergence.CONVERGENCE, returned.RETURNED, rates.RATES, chance.CHANCE):
        texts = {each.verdict_text(stage(each, draws=draws, T=T)) for draws in (0.0, 7.0) for T in (1_000, 10_000)}
        assert len(texts) == 1


def test_long_runs_are_waited_for() -> None:
    with pytest.raises(Working):
        convergence.chart(replace(stage(convergence.CONVERGENCE), request_work=None, cache=Cache()))


def test_new_draws_are_another_run() -> None:
    one, two = (short_comparison(stage(step.STEP, LAB, draws=n), 1_000).run for n in (0.0, 1.0))
    assert (one.average != two.average).any()
    assert (two.average == pegasos(LAB.data, LAB.lam, 1_000, 1, seed=1).average).all()


def test_the_boundaries_of_the_runs_come_together_as_the_slider_moves() -> None:
    spread = []
    for log_t in (1.0, 3.0):
        s = replace(stage(convergence.CONVERGENCE), dials={"made": log_t})
        ends = np.array([item["pts"] for item in convergence.CONVERGENCE.draw(s)["overlay"]]).reshape(-1, 2, 2)
        assert len(ends) == 20
        along = ends[:, 1] - ends[:, 0]
        spread.append(np.ptp(np.arctan2(along[:, 1], along[:, 0]) % np.pi))
    assert spread[1] < 0.3 * spread[0]


def test_the_distance_is_within_what_the_gap_allows() -> None:
    s = stage(rates.RATES)
    result = picked_comparison(s)
    assert (result.distance <= np.sqrt(2 * result.gaps("average") / result.run.lam) + 1e-12).all()
    assert rates.exponent(s) == pytest.approx(0.5, abs=0.1)
    assert "half as" in rates.says(s)


def test_the_w_to_return_is_the_one_of_the_smallest_gap() -> None:
    overlapping, moons = (each.board() for each in returned.RETURNED.tries)
    for lab, right in ((None, 2), (overlapping, 0), (moons, 2)):
        s = stage(returned.RETURNED, lab)
        gaps = [picked_comparison(s).gaps(name)[-1] for name in ("last", "average", "suffix")]
        assert returned.answer(s) == int(np.argmin(gaps)) == right


def test_the_bound_is_at_most_the_gap_of_w_0_from_the_step_that_is_named() -> None:
    s = stage(convergence.CONVERGENCE, LAB, T=1_000)
    run, T = picked_comparison(s).run, convergence.first_below_start(s)
    start = 1.0 - LAB.lam * solve(LAB.problem).objective
    before, there = (2 * run.X**2 / (LAB.lam * t) * (1 + math.log(t)) for t in (T - 1, T))
    assert there <= start < before
    assert f"$T$ = {grouped(T)}" in convergence.says(s)


def test_on_one_point_the_bound_with_the_gradients_met_is_attained() -> None:
    (one,) = [each for each in convergence.CONVERGENCE.tries if each.label == "One point"]
    run = picked_comparison(stage(convergence.CONVERGENCE, one.board(), T=1_000)).run
    np.testing.assert_allclose(run.average[:, 0] - 0.5, 0.5, atol=1e-12)
    assert run.realised_bound[0] == pytest.approx(0.5)


def test_at_a_kink_of_F_both_rates_are_alike_and_the_sentence_says_so() -> None:
    (corner,) = [each for each in rates.RATES.tries if each.board and "Kink" in each.label]
    s = stage(rates.RATES, corner.board())
    of_F, of_w = np.log(rates.falls(s))
    assert of_w == pytest.approx(of_F, rel=0.05)
    assert "half" not in rates.says(s)
    assert "kink" in rates.says(s)


def test_more_runs_than_the_bound_promises_are_within_eps() -> None:
    s = stage(chance.CHANCE)
    run = pegasos(s.data, s.lab.lam, chance.T, chance.RUNS)
    minimum = s.lab.lam * solve(s.lab.problem).objective
    shares = [np.mean(run.average[:, k] - minimum <= 0.05) for k in range(len(run.t))]
    assert chance.within(s).tolist() == shares
    figure = chance.chart(s).figure
    measured, by_mean, by_bound = (np.asarray(trace.y) for trace in figure.data)
    assert (by_bound <= by_mean).all()
    assert (by_mean <= measured + 1e-12).all()
    assert by_bound[-1] > 0.4
    first = min(t for t in range(10_000, 11_000) if 2 * run.X**2 * (1 + math.log(t)) / t <= 0.025)  # lambda = 1
    assert grouped(first) == next(number.text for number in chance.CHANCE.readings(s) if "bound" in number.name)


def test_pink_boundaries_are_those_of_the_runs_with_a_gap_above_eps() -> None:
    s = replace(stage(chance.CHANCE), dials={"made": 1.0})
    run = pegasos(s.data, s.lab.lam, chance.T, chance.RUNS)
    k = int(np.searchsorted(run.t, 10))
    large = run.average[:, k] - s.lab.lam * solve(s.lab.problem).objective > 0.05
    styles = [item["style"] for item in chance.draw(s)["overlay"]]
    assert styles == ["witness-line" if each else "faint" for each in large]
    assert 0 < large.sum() < chance.RUNS


def test_the_certificate_is_above_the_true_gap_and_needs_no_solution() -> None:
    for lab in (None, BOARDS["gaussian"], certificate.CERTIFICATE.tries[1].board()):
        s = stage(certificate.CERTIFICATE, lab, T=1_000)
        if certificate.CERTIFICATE.first_unmet_need(s) is None:
            certified = certificate.certified(s)
            assert (certified.promised >= certified.gap - 1e-12).all()
            ascent = dual_coordinate_ascent(s.data, s.lab.lam, 1_000, s.lab.kernel_function)
            assert (certified.ascent.certificate == ascent.certificate).all()
            assert certified.ascent.certificate[-1] < certified.promised[-1]


# ---------------------------------------------------------------- regret


def test_whatever_u_is_dialled_the_left_side_is_below_the_bound_and_largest_at_w_star_in_the_long_run() -> None:
    largest = []
    for T in (100, 10_000):
        s = stage(comparator.COMPARATOR, against=T)
        for turned in (0.0, 90.0, 180.0):
            turned_stage = replace(s, dials={"turned": turned})
            assert comparator.along(turned_stage)[:, 0].max() <= comparator.bound(turned_stage)
        largest.append(comparator.LENGTHS[comparator.along(s).argmax(0)])
        w = np.array([1.5, -2.0])
        run = comparator.run(s)
        assert comparator.left(s, w[None])[0] == pytest.approx((run.regret - comparator_loss(run, w))[:, -1])
    assert np.abs(largest[1] - 1.0).max() <= 0.1
    here = replace(s, dials={"length": 2.0, "turned": 90.0})
    w = solve(here.lab.problem).w
    u = [np.array(i["pts"][2:]) for i in comparator.draw(here)["overlay"] if i["kind"] == "arrow"]
    assert np.hypot(*u[1]) == pytest.approx(2 * np.hypot(*u[0]), rel=1e-3)
    assert abs(u[0] @ u[1]) < 1e-2
    assert np.abs(u[0][0] * w[1] - u[0][1] * w[0]) < 1e-2


def test_regret_opens_on_the_point_that_refutes_the_factor_of_the_notes() -> None:
    s = stage(regret.REGRET)
    np.testing.assert_allclose(regret.left_side(s)[:, 0], 0.5, atol=1e-12)
    assert regret.above(s)[:, 0].all()
    assert not regret.above(s)[:, 1:].any()
    assert "0.347, but the regret is 0.5" in regret.verdict(s)
    assert regret.REGRET.first_unmet_need(stage(regret.REGRET, LAB)) is not None


def test_where_the_factor_of_the_notes_holds_nothing_else_is_claimed() -> None:
    s = stage(regret.REGRET, replace(regret.REGRET.board(), points=(Point(1, 3000, 0, 1), Point(2, 3000, 500, -1))))
    assert not regret.above(s).any()
    assert "Crosses" not in regret.says(s)
    assert "but the regret" not in regret.verdict(s)


def test_the_bar_of_a_point_is_its_alpha_in_units_of_C() -> None:
    s = stage(certificate.CERTIFICATE, T=1_000)
    bars = [item for item in certificate.draw(s)["overlay"] if item["style"] in ("plus", "minus")]
    heights = [item["pts"][3] - item["pts"][1] for item in bars]
    run = run_kernel(s.data, Rule(s.lab.lam), 1_000, s.lab.kernel_function)
    alpha = np.minimum(np.abs(run.beta[0, -1]) / (s.lab.lam * 1_000), 1 / (s.lab.lam * s.data.m))
    shares = alpha[alpha > 0] * s.lab.lam * s.data.m
    np.testing.assert_allclose(heights, certificate.TALL * s.lab.view * shares, atol=2e-3 * s.lab.view)
    assert max(heights) <= certificate.TALL * s.lab.view * (1 + 1e-3)

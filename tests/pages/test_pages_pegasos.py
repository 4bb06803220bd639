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
from svmlab.lab.lessons.pegasos.runs import picked_comparison
from svmlab.lab.numbers import grouped
from svmlab.lab.session.cache import Cache
from svmlab.lab.session.state import History, Lab, Point, initial_history, with_preset
from svmlab.lab.session.tab import PickValue, Session
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.lesson_state import LessonState
from svmlab.lab.teach.requirements import LINEAR
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import Step
from svmlab.pegasos import ascend, hindsight, objective
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
            assert each.numbers(s)
            assert each.chart(s)
            assert isinstance(each.draw(s), dict)


def test_a_board_of_many_points_or_without_w_is_replaced_by_the_step_s_own() -> None:
    for name in ("many", "hard", "gaussian", "sigmoid", "origin"):
        session = Session(History(BOARDS[name]))
        for each in (each for each in LESSON.steps[:13] if LINEAR in each.needs):
            session.open_steps["pegasos"] = each.key
            place = LessonState(session, LESSON)
            place.prepare_board()
            assert session.board_key == f"pegasos.{each.key}"
            assert each.first_unmet_need(place.stage(each)) is None


def test_nothing_is_told_before_the_answer_is_shown() -> None:
    for each in LESSON.steps:
        s = stage(each, shown=False)
        drawn = each.draw(s)
        assert not drawn.get("overlay")
        assert "film" not in drawn
        assert each.numbers(s) == ()


def test_the_board_shows_the_machine_without_bias() -> None:
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
        assert ("is pushed by" in frame["caption"]) == violates
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
    assert f"<b>t = {first:,}</b>".replace(",", " ") in frames[0]["caption"]
    assert len(frames) == step.FRAMES


def test_under_a_moving_hand_the_film_has_its_opening_only() -> None:
    s = stage(step.STEP, LAB)
    assert len(step.draw(replace(s, moving=True))["film"]["frames"]) == step.opening(step.stretch(s)) + 1


# ---------------------------------------------------------------- how fast


def test_the_gain_is_that_of_the_last_decade_and_no_answer_comes_before_it_is_measured() -> None:
    s = stage(convergence.CONVERGENCE, LAB, T=1_000)
    best = LAB.lam * solve(LAB.problem).objective
    before, after = (pegasos(LAB.data, LAB.lam, T, 20).average[:, -1].mean() - best for T in (100, 1_000))
    run = picked_comparison(s).run
    at = run.t[np.searchsorted(run.t, 100)]
    assert convergence.gain(s) == pytest.approx(before / after, rel=0.2 if at != 100 else 1e-9)
    with pytest.raises(Working):
        convergence.answer(replace(s, request_work=None, cache=Cache()))


def test_other_draws_are_another_run() -> None:
    one, two = (picked_comparison(stage(convergence.CONVERGENCE, LAB, draws=n, T=1_000)).run for n in (0.0, 1.0))
    assert (one.average != two.average).any()
    assert (two.average == pegasos(LAB.data, LAB.lam, 1_000, 20, seed=1).average).all()


def test_the_distance_is_within_what_the_gap_allows() -> None:
    s = stage(rates.RATES)
    result = picked_comparison(s)
    assert (result.distance <= np.sqrt(2 * result.gaps("average") / result.run.lam) + 1e-12).all()
    of_F, of_w = rates.falls(s)
    assert rates.answer(s) == 1
    assert math.log(of_w) / math.log(of_F) == pytest.approx(0.5, abs=0.1)


def test_the_w_to_return_is_the_one_of_the_least_gap() -> None:
    s = stage(returned.RETURNED)
    gaps = [picked_comparison(s).gaps(name)[-1] for name in ("last", "average", "suffix")]
    assert returned.answer(s) == int(np.argmin(gaps)) == 2


def test_the_bound_is_silent_until_it_is_below_the_gap_of_a_w_that_stays_0() -> None:
    s = stage(convergence.CONVERGENCE, LAB, T=1_000)
    run, T = picked_comparison(s).run, convergence.speaks(s)
    start = 1.0 - LAB.lam * solve(LAB.problem).objective
    before, there = (2 * run.X**2 / (LAB.lam * t) * (1 + math.log(t)) for t in (T - 1, T))
    assert there <= start < before
    assert f"T = {grouped(T)}" in convergence.says(s)


def test_on_one_point_the_bound_with_the_gradients_met_is_attained() -> None:
    (one,) = [each for each in convergence.CONVERGENCE.tries if each.label == "One point"]
    run = picked_comparison(stage(convergence.CONVERGENCE, one.board(), T=1_000)).run
    np.testing.assert_allclose(run.average[:, 0] - 0.5, 0.5, atol=1e-12)
    assert run.realised_bound[0] == pytest.approx(0.5)


def test_at_a_corner_of_F_both_rates_are_alike_and_nothing_is_said_of_a_root() -> None:
    (corner,) = [each for each in rates.RATES.tries if each.board and "corner" in each.label]
    s = stage(rates.RATES, corner.board())
    of_F, of_w = np.log(rates.falls(s))
    assert of_w == pytest.approx(of_F, rel=0.05)
    assert rates.answer(s) == 0
    assert "root" not in rates.says(s)
    assert "corner" in rates.says(s)


def test_more_runs_than_the_bound_promises_are_within_eps() -> None:
    s = stage(chance.CHANCE)
    run = pegasos(s.data, s.lab.lam, chance.T, chance.RUNS)
    least = s.lab.lam * solve(s.lab.problem).objective
    counted = [np.mean(run.average[:, k] - least <= 0.05) for k in range(len(run.t))]
    assert chance.within(s).tolist() == counted
    figure = chance.chart(s).figure
    measured, by_mean, by_bound = (np.asarray(trace.y) for trace in figure.data)
    assert (by_bound <= by_mean).all()
    assert (by_mean <= measured + 1e-12).all()
    assert by_bound[-1] > 0.4
    first = min(t for t in range(10_000, 11_000) if 2 * run.X**2 * (1 + math.log(t)) / t <= 0.025)  # lambda = 1
    assert grouped(first) == next(reading.text for reading in chance.numbers(s) if "promised" in reading.name)


def test_the_certificate_is_above_the_true_gap_and_needs_no_solution() -> None:
    for lab in (None, BOARDS["gaussian"], certificate.CERTIFICATE.tries[1].board()):
        s = stage(certificate.CERTIFICATE, lab, T=1_000)
        if certificate.CERTIFICATE.first_unmet_need(s) is None:
            now = certificate.certified(s)
            assert (now.promised >= now.gap - 1e-12).all()
            ascent = ascend(s.data, s.lab.lam, 1_000, s.lab.kernel_function)
            assert (now.ascent.certificate == ascent.certificate).all()
            assert now.ascent.certificate[-1] < now.promised[-1]


# ---------------------------------------------------------------- regret


def test_whatever_u_is_dialled_the_left_side_is_below_the_bound_and_largest_at_w_star_in_the_long_run() -> None:
    largest = []
    for T in (100, 10_000):
        s = stage(comparator.COMPARATOR, against=T)
        for turned in (0.0, 90.0, 180.0):
            turned_stage = replace(s, dials={"turned": turned})
            assert comparator.along(turned_stage)[:, 0].max() <= comparator.bound(turned_stage)
        largest.append(comparator.SHARES[comparator.along(s).argmax(0)])
        w = np.array([1.5, -2.0])
        run = comparator.run(s)
        assert comparator.left(s, w[None])[0] == pytest.approx((run.regret - hindsight(run, w))[:, -1])
    assert np.abs(largest[1] - 1.0).max() <= 0.1
    here = replace(s, dials={"length": 2.0, "turned": 90.0})
    w = solve(here.lab.problem).w
    u = [np.array(i["pts"][2:]) for i in comparator.draw(here)["overlay"] if i["kind"] == "arrow"]
    assert np.hypot(*u[1]) == pytest.approx(2 * np.hypot(*u[0]), rel=1e-3)
    assert abs(u[0] @ u[1]) < 1e-2
    assert np.abs(u[0][0] * w[1] - u[0][1] * w[0]) < 1e-2


def test_regret_opens_on_the_point_that_refutes_the_print() -> None:
    s = stage(regret.REGRET)
    np.testing.assert_allclose(regret.left_side(s)[:, 0], 0.5, atol=1e-12)
    assert regret.above(s)[:, 0].all()
    assert not regret.above(s)[:, 1:].any()
    assert regret.REGRET.first_unmet_need(stage(regret.REGRET, LAB)) is not None


def test_where_the_print_holds_nothing_else_is_claimed() -> None:
    s = stage(regret.REGRET, replace(regret.REGRET.board(), points=(Point(1, 3000, 0, 1), Point(2, 3000, 500, -1))))
    assert not regret.above(s).any()
    assert "one point refutes it" in regret.says(s)
    assert regret.REGRET.verdict_text(s) == regret.REGRET.verdict_text(stage(regret.REGRET))

"""The lesson on the soft margin: what its steps measure, draw and say, on a stage."""

import math
from dataclasses import replace

import numpy as np
import pytest

from svmlab import Category, NotSeparable, regularization_path, solve
from svmlab.lab.lessons.soft import LESSON
from svmlab.lab.lessons.soft.biases import BIASES, centred, treatments
from svmlab.lab.lessons.soft.forms import FORMS, different, solved_forms
from svmlab.lab.lessons.soft.hard import HARD, at_threshold, limit
from svmlab.lab.lessons.soft.multipliers import MULTIPLIERS, largest_slack, objectives
from svmlab.lab.lessons.soft.objective import OBJECTIVE, best, own, steepness
from svmlab.lab.lessons.soft.offset import OFFSET
from svmlab.lab.lessons.soft.places import PLACES, products
from svmlab.lab.lessons.soft.price import PRICE, SMALLEST_C
from svmlab.lab.lessons.soft.slack import SLACK, distance, with_slack
from svmlab.lab.lessons.soft.support import SUPPORT, delete
from svmlab.lab.session.lab import Lab, with_preset
from svmlab.lab.session.state import History, apply
from svmlab.lab.session.worker import Job
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import Chart, Step, Table
from svmlab.solvers.bias import hinges

BLOBS = MULTIPLIERS.board()


def at_once(key: tuple[object, ...], make) -> Job:
    """Work, waited for."""
    job = Job(key, make)
    assert job.wait(20)
    return job


def on(lab: Lab = BLOBS, **more) -> Stage:
    picks = {pick.name: pick.default for step in LESSON.steps for pick in step.picks}
    return Stage(lab, picks=picks | more.pop("picks", {}), request_work=more.pop("ask", at_once), **more)


def reading(step: Step, stage: Stage, name: str) -> float:
    return float(next(r.exact for r in step.readings(stage) if r.name == name))


def after(lab: Lab, op) -> Lab:
    """The board that an operation leaves."""
    return apply(History(lab), op).present


def ends(item) -> np.ndarray:
    """The first and the last place of an overlay item, (2, 2)."""
    return np.array([item["pts"][:2], item["pts"][-2:]])


# along C


@pytest.mark.parametrize("face", ["C", "lambda"])
def test_the_marks_of_the_slider_are_the_breakpoints_in_the_parameter_that_is_shown(face: str) -> None:
    lab = replace(BLOBS, face=face, value=1.0 if face == "C" else 0.04)
    (slider,) = PRICE.draw(on(lab))["sliders"]
    C = regularization_path(lab.problem).C
    expected = C if face == "C" else 1 / (C * len(lab.points))
    assert slider["ticks"] == pytest.approx(np.log10(expected).tolist(), abs=1e-4)


@pytest.mark.parametrize("step", LESSON.steps, ids=lambda step: step.key)
def test_while_points_are_dragged_no_path_is_begun_and_every_step_draws(step: Step) -> None:
    def never(key, make) -> Job:
        raise AssertionError(f"{key} is begun while a hand moves")

    stage = on(step.board(), moving=True, dragging=True, ask=never)
    assert isinstance(step.draw(stage), dict)
    step.readings(stage)


def test_a_chart_along_c_waits_for_its_path_and_the_slider_has_no_marks_yet() -> None:
    stage = on(dragging=True)
    with pytest.raises(Working):
        PRICE.chart(stage)
    assert PRICE.draw(stage)["sliders"][0]["ticks"] == []


@pytest.mark.parametrize("face", ["C", "lambda"])
def test_what_plays_goes_to_the_same_c_on_either_slider(face: str) -> None:
    lab = replace(BLOBS, face=face, value=1.0 if face == "C" else 1 / 24)
    play = PRICE.play(on(lab))
    first, last = (after(lab, {"op": play["op"], "values": {play["key"]: play[end]}}).C for end in ("from", "to"))
    assert (first, last) == pytest.approx((1.0, SMALLEST_C))
    assert "back" not in play


@pytest.mark.parametrize(("view", "axis"), [("plain", None), ("shares", "log")])
def test_the_sentence_on_the_multipliers_speaks_of_the_axis_that_is_drawn(view: str, axis: str | None) -> None:
    stage = on(picks={"pulls": view})
    made = MULTIPLIERS.chart(stage)
    assert isinstance(made, Chart)
    assert made.figure.layout.xaxis.type == axis
    assert ("logarithmic" in MULTIPLIERS.says_text(stage)) == (axis == "log")


@pytest.mark.parametrize("bias", [True, False])
def test_no_dual_objective_is_above_a_primal_one_and_those_of_the_svm_are_equal(bias: bool) -> None:
    stage = on(replace(BLOBS, bias=bias), picks={"pulls": "values"})
    primal, dual = objectives(stage)
    assert primal == pytest.approx(stage.solution.objective, rel=1e-12)
    assert dual == pytest.approx(primal, rel=1e-9)
    costs, worth = MULTIPLIERS.chart(stage).figure.data[:2]
    assert min(costs.y) >= primal * (1 - 1e-9)
    assert max(worth.y) <= dual * (1 + 1e-9)
    assert max(worth.x) == stage.lab.C
    other = solve(replace(stage.lab.problem, C=10.0))
    k = int(np.abs(np.asarray(costs.x) - 10.0).argmin())
    assert costs.x[k] == pytest.approx(10.0)
    assert primal < costs.y[k] <= (0.5 * other.norm_w**2 + stage.lab.C * other.xi.sum()) * (1 + 1e-9)


def test_a_point_is_followed_and_a_click_on_its_mark_selects_it() -> None:
    lab = after(BLOBS, largest_slack(on()))
    assert reading(MULTIPLIERS, on(lab), "αᵢ/C") == 1
    assert MULTIPLIERS.chart(on(lab)).on_click(lab.points[3].id) == {"op": "select", "id": lab.points[3].id}


def test_with_the_answer_a_free_point_is_followed_and_the_breakpoints_are_marked() -> None:
    before, stage = on(shown=False), on()
    assert "selected" not in MULTIPLIERS.draw(before)
    assert MULTIPLIERS.draw(before)["sliders"][0]["ticks"] == []
    row = [p.id for p in BLOBS.points].index(MULTIPLIERS.draw(stage)["selected"])
    assert stage.solution.free[row]
    assert reading(MULTIPLIERS, stage, "αᵢ") == stage.solution.alpha[row]
    assert len(MULTIPLIERS.draw(stage)["sliders"][0]["ticks"]) > 20


def test_the_dual_has_its_balance_with_a_b_only() -> None:
    assert "alpha=0" in MULTIPLIERS.formula(on())
    assert "alpha=0" not in MULTIPLIERS.formula(on(replace(BLOBS, bias=False)))


# points


def test_the_arrow_ends_on_the_margin_line_and_is_as_long_as_the_slack_over_the_norm() -> None:
    lab = SLACK.board()
    slack = np.flatnonzero(on(lab).solution.xi > 1e-6)
    for row in slack:
        stage = on(replace(lab, selected=lab.points[row].id))
        drawn = SLACK.draw(stage)
        start, end = ends(drawn["overlay"][-1])
        solution = stage.solution
        assert drawn["selected"] == lab.points[row].id
        assert start == pytest.approx(stage.data.X[row])
        assert float(solution.decision(end[None])[0]) == pytest.approx(stage.data.y[row], abs=1e-3)
        assert reading(SLACK, stage, "distance") == pytest.approx(float(solution.xi[row]) / solution.norm_w, rel=1e-9)
    safe = int(np.flatnonzero(on(lab).solution.xi == 0)[0])
    stage = on(replace(lab, selected=lab.points[safe].id))
    assert SLACK.draw(stage)["selected"] == lab.points[int(stage.solution.xi.argmax())].id


def test_what_is_asked_is_not_among_the_numbers_before_it_is_shown() -> None:
    for step, names in ((SLACK, {"distance"}), (OFFSET, {"mean of all", "difference"}), (HARD, {"C₀"})):
        asked = {r.name for r in step.readings(on(step.board(), shown=False))}
        shown = {r.name for r in step.readings(on(step.board()))}
        assert names <= shown
        assert not names & asked
    assert HARD.draw(on(HARD.board(), shown=False))["sliders"][0]["ticks"] == []


def test_on_the_board_of_the_places_every_place_is_taken() -> None:
    stage = on(PLACES.board())
    assert set(stage.solution.categories) == set(Category)
    table = PLACES.chart(stage)
    assert isinstance(table, Table)
    assert table.markup.count("<tr") == 1 + len(Category)
    for group, cats in (("safe", 1), ("margin", 3), ("violating", 3)):
        picked = replace(stage, picks={**stage.picks, "seen": group})
        assert len(PLACES.draw(picked)["focus"]["cats"]) == cats
        within = sum(c.value in PLACES.draw(picked)["focus"]["cats"] for c in stage.solution.categories)
        assert PLACES.chart(picked).markup.count("data-id") == within


def test_both_products_are_0_at_the_optimum() -> None:
    for step in (PLACES, PRICE, SLACK):
        assert max(float(np.abs(product).max()) for product in products(on(step.board()))) < 1e-9


# support vectors


def test_deleting_is_one_step_and_leaves_the_support_vectors_at_the_same_constant() -> None:
    lab = SUPPORT.board()
    stage = on(lab)
    for form, kept in (("C", "C"), ("lambda", "lam")):
        left = after(lab, delete(form)(stage))
        assert len(left.points) == stage.solution.support.sum() < len(lab.points)
        assert getattr(left, kept) == pytest.approx(getattr(lab, kept))
    left = after(lab, delete("C")(stage))
    assert SUPPORT.answer(on(left)) == 0
    assert "no point is deleted" in SUPPORT.verdict_text(on(left))


def test_w_stays_at_either_constant_where_the_hard_margin_is_reached() -> None:
    separated = board_of_points([(2.0, 0.0, 1), (-2.0, 0.0, -1), (3.0, 1.0, 1), (-3.0, 1.0, -1)], value=10.0)()
    assert SUPPORT.answer(on(separated)) == 0
    assert "does not change w" in SUPPORT.verdict_text(on(separated))
    assert SUPPORT.answer(on(SUPPORT.board())) == 1


def test_the_arrows_of_the_two_parts_lead_to_the_tip_of_w() -> None:
    slack, margin, w = (ends(item) for item in SUPPORT.draw(on(picks={"kept": "parts"}))["overlay"])
    assert slack[1] == pytest.approx(margin[0])
    assert margin[1] == pytest.approx(w[1])
    assert np.cross(w[1], on().solution.w) == pytest.approx(0, abs=1e-3)


def test_the_svm_of_the_form_that_is_picked_is_drawn() -> None:
    for view, same in (("same_price", True), ("adjusted", True), ("same_lam", False)):
        stage = on(SUPPORT.board(), picks={"kept": view})
        (line,) = (ends(item) for item in SUPPORT.draw(stage)["overlay"])
        assert (np.abs(stage.solution.decision(line)).max() < 1e-2) == same


def test_the_dashed_line_has_the_mean_of_all_support_vectors_as_its_b() -> None:
    stage = on(OFFSET.board())
    (line,) = OFFSET.draw(stage)["overlay"]
    off = reading(OFFSET, stage, "difference")
    assert stage.solution.decision(ends(line)) == pytest.approx(-off, abs=1e-3)
    y, solution = stage.data.y, stage.solution
    assert off == pytest.approx(float((y * solution.xi)[solution.support].mean()), abs=1e-9)


@pytest.mark.parametrize(
    ("lab", "answer", "said"),
    [
        (Lab(preset="overlapping", size=24, noise=0.3, seed=2, value=0.05), 1, "yield b + yᵢξᵢ"),
        (Lab(preset="four_corners", value=0.1), 0, "Every b from"),
        (Lab(preset="one_against_many", size=24, value=0.1), 1, "and b from"),
        (Lab(preset="separable", size=24, seed=3, value=1000.0), 0, "lies on its margin line"),
    ],
)
def test_the_verdict_on_b_covers_every_kind_of_board(lab: Lab, answer: int, said: str) -> None:
    stage = on(with_preset(lab))
    assert OFFSET.answer(stage) == answer
    assert said in OFFSET.verdict_text(stage)
    assert (len(OFFSET.draw(stage)["overlay"]) > 1) == ("b from" in said)


# the program and its forms


def test_ones_own_line_is_never_better_than_the_least_f() -> None:
    lab = OBJECTIVE.board()
    for hand in (((-0.7, 3.0), (1.4, -2.4)), ((1.4, -2.4), (-0.7, 3.0)), ((0.0, 1.0), (2.0, 1.0))):
        stage = on(lab, hand=hand)
        assert reading(OBJECTIVE, stage, "your F") >= reading(OBJECTIVE, stage, "minimum F") - 1e-9
        drawn = OBJECTIVE.draw(stage)["hand"]
        assert (drawn["a"], drawn["b"]) == hand
    assert "minimum F" not in {r.name for r in OBJECTIVE.readings(on(lab, shown=False))}
    assert OBJECTIVE.draw(on(lab, shown=False))["lines"] is None


def test_the_section_leads_through_ones_own_w() -> None:
    stage = on(OBJECTIVE.board(), picks={"valley": "section"})
    made = OBJECTIVE.chart(stage)
    mine = next(t for t in made.figure.data if t.name == "your line")
    total = next(t for t in made.figure.data if t.name == "F")
    assert mine.y[0] >= np.interp(mine.x[0], total.x, total.y) - 1e-6
    assert mine.y[0] == pytest.approx(stage.lab.lam * reading(OBJECTIVE, stage, "your F"))


def test_the_four_forms_are_one_svm_until_they_get_one_number() -> None:
    stage = on(FORMS.board())
    assert {round(form.norm, 5) for form in solved_forms(stage)} == {round(stage.solution.norm_w, 5)}
    lines = [ends(item) for item in FORMS.draw(stage)["overlay"]]
    assert max(float(np.abs(stage.solution.decision(line)).max()) for line in lines) < 1e-3
    same = on(FORMS.board(), picks={"constants": "same"})
    assert len({round(form.norm, 3) for form in solved_forms(same)}) == 4 == different(solved_forms(same))
    equal = on(replace(FORMS.board(), value=1.0), picks={"constants": "same"})
    assert different(solved_forms(equal)) == 3, "the first two forms are the same one for C = a = 1"
    assert len(FORMS.draw(same)["overlay"]) >= 2


def test_programs_that_would_take_too_long_are_refused_with_a_reason() -> None:
    big = with_preset(Lab(preset="moons", size=120, kernel="gaussian"))
    lacking = FORMS.first_unmet_need(on(big))
    assert lacking is not None
    assert "too long" in lacking.why


def test_the_three_svms_are_counted_and_their_values_stand_in_order() -> None:
    stage = on(BIASES.board())
    assert BIASES.answer(stage) == 2
    assert len(BIASES.draw(stage)["overlay"]) == 3
    mirrored = [(x, y, 1) for x, y in ((1.0, 0.5), (2.0, -1.0), (-0.5, 0.3))]
    even = board_of_points([*mirrored, *((-x, -y, -1) for x, y, _ in mirrored)])()
    assert BIASES.answer(on(even)) == 0
    moved = after(stage.lab, centred(stage))
    assert moved.data.X.mean(0) == pytest.approx([0, 0], abs=1e-3)
    assert treatments(on(moved))["free"].norm_w == pytest.approx(treatments(stage)["free"].norm_w, rel=1e-9)


def test_a_line_on_which_a_penalised_b_is_the_free_one_counts_as_two_svms() -> None:
    two = board_of_points([(1.5, 0.0, 1), (-0.5, 0.0, -1)], value=100.0)()
    assert BIASES.answer(on(two)) == 1
    assert "two of the three agree" in BIASES.verdict_text(on(two))


# the hard margin


def test_from_c0_on_the_svm_is_the_hard_one_and_just_below_it_is_not() -> None:
    lab = HARD.board()
    hard, C0 = limit(on(lab))
    assert pytest.approx(solve(replace(lab.problem, C=math.inf)).alpha.max()) == C0
    at, below = (on(after(lab, at_threshold(share)(on(lab)))) for share in (1 + 1e-9, 0.9))
    assert at.solution.norm_w == pytest.approx(hard.norm_w, rel=1e-7)
    assert at.solution.xi.sum() < 1e-6
    assert below.solution.xi.sum() > 1e-3
    assert HARD.draw(at)["sliders"][0]["ticks"] == [round(math.log10(C0), 4)]


def test_where_no_boundary_separates_there_is_no_hard_margin_to_arrive_at() -> None:
    lab = with_preset(Lab())
    with pytest.raises(NotSeparable):
        solve(replace(lab.problem, C=math.inf))
    assert HARD.first_unmet_need(on(lab)) is not None


# what is counted, how steep, and errors in place of slack


def test_errors_are_counted_on_the_step_below_the_hinge() -> None:
    stage = on(SLACK.board(), picks={"loss": "errors"})
    margins, xi = stage.solution.margins, stage.solution.xi
    assert reading(SLACK, stage, "errors") == (margins < 0).sum() == 3
    assert reading(SLACK, stage, "errors") <= reading(SLACK, stage, "Σ ξ") < reading(SLACK, stage, "points with slack")
    (marks,) = [trace for trace in SLACK.chart(stage).figure.data if trace.name == "points"]
    assert list(marks.y) == (margins < 0).astype(float).tolist()
    (stems,) = [trace for trace in SLACK.chart(stage).figure.data if trace.name == "stems"]
    np.testing.assert_allclose(np.asarray(stems.y).reshape(-1, 3)[:, 1], xi, atol=1e-9)


def test_no_slack_changes_faster_than_its_point_is_far_and_along_the_point_it_does() -> None:
    for hand in (None, ((-2.0, 3.0), (2.0, -3.0)), ((3.0, 1.0), (-3.0, 1.0))):
        stage = on(OBJECTIVE.board(), hand=hand, picks={"valley": "steep"})
        slopes, apart = steepness(stage)
        assert (slopes <= np.hypot(*stage.data.X.T) + 1e-12).all()
        assert apart == pytest.approx(float(np.hypot(*(own(stage)[0] - best(stage)))))
        assert reading(OBJECTIVE, stage, "steepest") <= reading(OBJECTIVE, stage, "X")
    alone = board_of_points([(2.0, 1.0, 1), (-2.0, -1.0, -1)], value=0.01)()
    stage = on(alone, hand=((-1.0, 2.0), (1.0, -2.0)))
    slopes, apart = steepness(replace(stage, hand=((1.0, -2.0), (-1.0, 2.0))))
    assert apart > 0
    np.testing.assert_allclose(slopes, math.sqrt(5.0), rtol=1e-9)


def test_shorter_svms_err_no_more_and_w_0_errs_everywhere() -> None:
    stage = on(picks={"trade": "errors"})
    figure = PRICE.chart(stage).figure
    slack, errors, open_end, at_0 = figure.data[:4]
    share = float((stage.solution.margins < 0).mean())
    assert set(errors.y) == {share} == set(open_end.y)
    assert list(at_0.y) == [1.0] == [slack.y[0]]
    assert slack.y[-1] == pytest.approx(stage.solution.xi.mean())
    assert (np.diff(slack.y) < 0).all()
    front = PRICE.chart(on(picks={"trade": "front"})).figure
    (free,) = [trace for trace in front.data if trace.name == "w = 0"]
    assert (free.x[0], free.y[0]) == (0.0, len(BLOBS.points))


def test_the_board_rests_where_slack_costs_almost_nothing_and_w_is_almost_0() -> None:
    lab = PRICE.board()
    play = PRICE.animation(on(lab))
    left = on(after(lab, {"op": play["op"], "values": {play["key"]: play["to"]}}))
    assert PRICE.rests_on_answer(left)
    assert left.solution.norm_w < 0.03
    assert float(left.solution.xi.sum()) > 0.97 * len(lab.points)


def test_with_the_answer_every_point_with_slack_has_its_arrow() -> None:
    lab = SLACK.board()
    before, stage = on(lab, shown=False), on(lab)
    assert len(SLACK.draw(before)["overlay"]) == 1
    assert len(SLACK.draw(stage)["overlay"]) == len(with_slack(stage)) == 12
    assert distance(stage) == pytest.approx(float(stage.solution.xi.max()) / stage.solution.norm_w)


def test_with_the_answer_the_points_at_the_bound_are_highlighted() -> None:
    lab = PLACES.board()
    assert PLACES.draw(on(lab, shown=False)) == {}
    stage = on(lab)
    highlighted = [c.value in PLACES.draw(stage)["focus"]["cats"] for c in stage.solution.categories]
    assert highlighted == stage.solution.at_bound.tolist()


def test_two_points_with_a_small_c_both_yield_an_optimal_b() -> None:
    stage = on(board_of_points([(1.0, 0.0, 1), (-1.0, 0.0, -1)], value=0.1)())
    assert stage.solution.b_interval == pytest.approx((-0.8, 0.8))
    assert not stage.solution.free.any()
    assert OFFSET.answer(stage) == 0
    assert "All support vectors" in OFFSET.verdict_text(stage)


def test_without_a_free_support_vector_one_b_alone_can_be_optimal() -> None:
    rows = [(1.5, 2.0, -1), (-1.4, -0.9, 1), (0.1, -1.5, 1), (-3.4, -1.8, 1), (0.1, -3.3, 1)]
    stage = on(board_of_points(rows, value=0.003)())
    assert not stage.solution.free.any()
    assert "only b" in OFFSET.verdict_text(stage)


@pytest.mark.parametrize("bias", [True, False])
def test_a_shorter_w_has_more_slack_than_the_minimiser(bias: bool) -> None:
    rng = np.random.Generator(np.random.Philox(3))
    stage = on(replace(OBJECTIVE.board(), bias=bias))
    slack = float(stage.solution.xi.sum())
    W = rng.standard_normal((200, 2))
    W *= (stage.solution.norm_w * rng.uniform(0.0, 0.999, 200) / np.linalg.norm(W, axis=1))[:, None]
    assert hinges(stage.data.X, stage.data.y, W, bias).min() > slack


def test_three_lines_count_as_three_classifiers_although_f_is_equal_at_all_points() -> None:
    stage = on(board_of_points([(3.0, 1.0, 1), (1.0, 1.0, -1)], value=100.0)())
    assert BIASES.answer(stage) == 2
    assert "−2 if it is free" in BIASES.verdict_text(stage)


def test_slack_and_distance_are_not_compared_where_w_has_length_1() -> None:
    half = [(1.0, 2.0), (1.0, -2.0), (2.0, 0.0), (-0.5, 0.0)]
    stage = on(board_of_points([(s * x, s * y, s) for s in (1, -1) for x, y in half], value=1.0)())
    assert stage.solution.norm_w == pytest.approx(1.0)
    assert any(not need.is_met(stage) for need in SLACK.needs)

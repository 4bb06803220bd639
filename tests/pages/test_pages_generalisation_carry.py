"""The steps on the compression bound and on the number of support vectors: what they say follows from the board."""

from __future__ import annotations

from dataclasses import replace

import pytest

from svmlab.generalisation import CLEAN, NOISY, compression_bound, sharper_bound
from svmlab.generalisation.sources import KNOWN_SEEDS
from svmlab.lab.lessons.generalisation import LESSON
from svmlab.lab.lessons.generalisation.carry import FLIPPED, SEPARATE
from svmlab.lab.lessons.generalisation.sampled import DRAWS, bounds, on_draws
from svmlab.lab.session import held_out, state
from svmlab.lab.session.lab import Lab, Point
from svmlab.lab.session.point_source import with_sample
from svmlab.lab.session.state import History
from svmlab.lab.teach.boards import board_of_points, preset
from tests.lessons import stage_of

CARRY, FEWER = LESSON.step("carry"), LESSON.step("fewer")


def at(lab, shown=True, **picks):
    stage = stage_of(LESSON, lab, shown)
    return replace(stage, picks={**stage.picks, **picks})


def after(lab, op):
    return state.apply(History(lab), op).present


def numbers_by_name(step, stage):
    return {reading.name: reading.text for reading in step.readings(stage)}


def of(step, label):
    return next(each for each in step.tries if each.label == label)


# the compression bound


@pytest.mark.parametrize(("lab", "right"), [(FLIPPED, 0), (SEPARATE, 1)])
def test_where_the_bound_is_follows_from_the_board(lab, right):
    stage = at(lab())
    assert CARRY.answer(stage) == right
    numbers, errors_on_samples = numbers_by_name(CARRY, stage), on_draws(stage.lab.problem, (NOISY, CLEAN)[right])
    assert float(numbers["bound"]) == pytest.approx(bounds(errors_on_samples)[0], rel=5e-3)
    assert float(numbers["true error"]) == pytest.approx(errors_on_samples.true[0], rel=5e-3)
    assert numbers["support vectors"] == f"{errors_on_samples.support[0]}/120"


def test_where_the_points_left_are_those_that_were_flipped_the_bound_is_below_the_truth():
    lab = with_sample(Lab(value=10.0), NOISY, 300, 0)
    stage = at(replace(lab, points=tuple(p for p in lab.points if p.x * p.label < 0)))
    assert CARRY.first_unmet_need(stage) is None
    assert CARRY.answer(stage) == 2
    numbers = numbers_by_name(CARRY, stage)
    assert float(numbers["bound"]) < float(numbers["true error"])


def test_hardly_any_penalty_of_slack_makes_every_point_a_support_vector():
    assert CARRY.answer(at(with_sample(Lab(value=1e-6, bias=False), CLEAN, 300, 0))) == 0


def test_nothing_but_the_count_is_shown_before():
    stage = at(FLIPPED(), shown=False)
    assert list(numbers_by_name(CARRY, stage)) == ["support vectors"]
    assert "overlay" not in CARRY.drawn(stage)


def test_fresh_points_stand_behind_the_board_and_the_wrong_ones_are_less_faint():
    for lab, highest, lowest in ((FLIPPED, 0.36, 0.26), (SEPARATE, 0.02, 0.0)):
        items = CARRY.drawn(at(lab()))["overlay"]
        sizes = {item["style"]: len(item["pts"]) // 2 for item in items}
        missed = sum(n for style, n in sizes.items() if "missed" in style)
        assert sum(sizes.values()) == held_out.N_TEST_POINTS
        assert lowest <= missed / held_out.N_TEST_POINTS <= highest


def test_another_sample_is_the_next_seed_and_goes_round():
    step = of(CARRY, "New sample")
    lab, seen = FLIPPED(), []
    for _ in range(KNOWN_SEEDS):
        seen.append(lab.points)
        lab = after(lab, step.op(at(lab)))
    assert lab.points == FLIPPED().points
    assert len(set(seen)) == KNOWN_SEEDS
    assert seen[1] == with_sample(lab, NOISY, 120, 1).points


def test_another_sample_keeps_the_svm_and_the_number_of_points():
    lab = with_sample(Lab(value=0.3, kernel="gaussian", sigma=2.0), CLEAN, 50, 4)
    then = after(lab, of(CARRY, "New sample").op(at(lab)))
    assert (then.value, then.sigma, len(then.points)) == (0.3, 2.0, 50)
    assert then.points == with_sample(lab, CLEAN, 50, 5).points


def test_a_click_on_a_draw_puts_it_on_the_board():
    stage = at(FLIPPED())
    chart = CARRY.chart(stage)
    dots = next(trace for trace in chart.figure.data if trace.name == "draws")
    assert len(dots.x) == DRAWS
    for k in (0, 11, 29):
        lab = after(stage.lab, chart.on_click(dots.customdata[k][0]))
        there = numbers_by_name(CARRY, at(lab))
        assert there["support vectors"] == f"{int(dots.x[k])}/120"
        assert float(there["true error"]) == pytest.approx(float(dots.y[k]), rel=5e-3)


def test_how_often_the_bound_fails_is_said():
    for lab, cheap in ((FLIPPED(), 30), (SEPARATE(), 0)):
        words = CARRY.says(at(lab))
        assert "the bound for 0 of 30 samples." in words
        assert f"The bound with $N = 0$ (dotted line) would fail for {cheap}." in words


def test_the_sentence_on_larger_samples_follows_the_bound():
    assert "does not decrease" in CARRY.says(at(FLIPPED(), carried="points"))
    assert CARRY.says(at(SEPARATE(), carried="points")).endswith("The bound decreases.")
    wide = at(replace(SEPARATE(), kernel="gaussian", sigma=20.0, value=1.0), carried="points")
    assert "still at least 1" in CARRY.says(wide)


def test_the_second_bound_is_smaller_wherever_the_first_is_below_1():
    larger = 0
    for m in (2, 5, 17, 120, 401):
        for N in range(m):
            first, second = compression_bound(N, m), sharper_bound(N, m)
            assert first >= 1 or second < first
            larger += second > first
    assert larger > 0


def test_points_of_ones_own_have_no_true_error_and_a_point_that_is_moved_leaves_the_rest():
    assert (
        CARRY.first_unmet_need(at(board_of_points([(x, x * x, 1 - 2 * (x > 0)) for x in (-2, -1, 1, 2)])()))
        is CARRY.needs[0]
    )
    lab = FLIPPED()
    moved = after(lab, {"op": "move", "id": 3, "x": 4.0, "y": 4.0})
    assert CARRY.first_unmet_need(at(moved)) is None
    fewer = after(lab, {"op": "delete", "ids": [p.id for p in lab.points[:80]]})
    assert CARRY.first_unmet_need(at(fewer)) is None
    assert numbers_by_name(CARRY, at(fewer))["support vectors"].endswith("/40")


@pytest.mark.parametrize("settings", [{"face": "lambda", "value": 0.05}, {"bias": False}, {"value": 1e-3}])
def test_any_svm_has_its_samples(settings):
    stage = at(replace(SEPARATE(), **settings))
    assert CARRY.first_unmet_need(stage) is None
    assert CARRY.verdict_text(stage)
    assert CARRY.says(stage)
    assert CARRY.more(stage)
    assert CARRY.chart(stage).figure.data


# fewer with a kernel


@pytest.mark.parametrize(
    ("label", "own", "linear", "degree_2", "right"),
    [("", 18, 2, 3, 2), ("Overlapping", 15, 6, 8, 2), ("Moons", 12, 21, 21, 0), ("Circles", 16, 49, 6, 0)],
)
def test_the_counts_of_the_shapes(label, own, linear, degree_2, right):
    stage = at((of(FEWER, label).board if label else FEWER.board)())
    assert FEWER.answer(stage) == right
    numbers = numbers_by_name(FEWER, stage)
    assert (numbers["Gaussian"], numbers["linear"], numbers["degree 2"]) == (
        f"{own}/60",
        f"{linear}/60",
        f"{degree_2}/60",
    )
    for part in (f"{own} of 60", "σ\u00a0=\u00a01", f"{linear} with the linear kernel"):
        assert part in FEWER.verdict_text(stage)


@pytest.mark.parametrize(("sigma", "right"), [(0.1, 2), (1.0, 0), (10.0, 2)])
def test_the_width_decides(sigma, right):
    assert FEWER.answer(at(replace(of(FEWER, "Moons").board(), sigma=sigma))) == right


def test_as_many_is_an_answer():
    """Two points of different classes are support vectors for any kernel."""
    lab = replace(FEWER.board(), points=(Point(1, 1000, 0, 1), Point(2, -1000, 0, -1)))
    stage = at(lab)
    assert FEWER.answer(stage) == 1
    assert "As many" in FEWER.verdict_text(stage)


def test_the_linear_svm_is_on_the_board_before_show():
    lab = FEWER.board()
    before, after_ = FEWER.drawn(at(lab, shown=False)), FEWER.drawn(at(lab))
    rings = [state for state in before["marks"]["state"] if state != "none"]
    assert len(rings) == 2
    assert [slider["key"] for slider in before["sliders"]] == ["value"]
    assert after_ == {}
    other = FEWER.drawn(at(lab, fewer="degree"))
    assert len([s for s in other["marks"]["state"] if s != "none"]) == 3
    assert [slider["key"] for slider in other["sliders"]] == ["value"]
    assert other["message"] is None


def test_only_a_gaussian_has_a_width_that_moves():
    assert FEWER.animation(at(FEWER.board()))["key"] == "sigma"
    assert FEWER.animation(at(FEWER.board(), fewer="line")) is None


def test_a_click_on_the_chart_sets_the_width():
    stage = at(of(FEWER, "Moons").board())
    chart = FEWER.chart(stage)
    dots = next(trace for trace in chart.figure.data if trace.name == "widths")
    for k in (2, 5, 9):
        op = chart.on_click(dots.customdata[k])
        lab = after(stage.lab, op)
        assert op["picks"] == {"fewer": "own"}
        assert lab.sigma == dots.x[k]
        assert numbers_by_name(FEWER, at(lab))["Gaussian"] == f"{int(dots.y[k])}/60"


def test_the_sentence_says_whether_some_width_has_fewer_and_what_the_narrowest_has():
    words = FEWER.says(at(FEWER.board()))
    assert "No dot is below" in words
    assert "the smallest $\\sigma$ has 60 of 60" in words
    assert "Some width has only 10, fewer" in FEWER.says(at(of(FEWER, "Moons").board()))


def test_more_has_the_table_and_the_second_count():
    parts = FEWER.more(at(FEWER.board()))
    assert any(not isinstance(part, str) and "49" in part.markup for part in parts)
    assert any(isinstance(part, str) and "finds 18 above" in part for part in parts)
    large = at(preset("moons", size=120, kernel="gaussian", value=10.0)())
    assert not any(isinstance(part, str) and "Two computations" in part for part in FEWER.more(large))


def test_another_kernel_gives_way_to_the_gaussian():
    need = FEWER.first_unmet_need(at(preset("moons", value=10.0)()))
    assert need.settings == {"kernel": "gaussian"}


def test_while_a_hand_moves_the_true_error_is_measured_by_fewer_points():
    stage = at(with_sample(Lab(kernel="gaussian", sigma=1.0), NOISY, 60, 0))
    rest, moving = (float(numbers_by_name(CARRY, replace(stage, moving=m))["true error"]) for m in (False, True))
    assert rest == pytest.approx(NOISY.true_error(stage.solution).value, rel=5e-3)
    assert moving == pytest.approx(NOISY.true_error(stage.solution, 2_000).value, rel=5e-3)
    assert moving == pytest.approx(rest, abs=0.05)

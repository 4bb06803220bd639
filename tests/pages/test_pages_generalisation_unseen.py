"""What the step on training error and test error says is true of its board, and its numbers are those of the data."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from svmlab import Linear, Problem, solve
from svmlab.data import Dataset
from svmlab.generalisation import PresetSource, blobs_with_flipped_labels, training_error
from svmlab.lab.lessons.generalisation import LESSON
from svmlab.lab.lessons.generalisation.unseen import errors, origin, samples
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.point_source import with_sample
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.stage import Working
from svmlab.lab.teach.tumours import CENTRE, UNIT, Sample, find_sample
from tests.lessons import board_after, find_try, readings, stage_of

STEP = LESSON.step("unseen")
MOONS = preset("moons", size=30, seed=2, kernel="gaussian", sigma=0.5)
INVENTED = find_try(STEP, "Invented points").board


def at(board=None, shown=True):
    return stage_of(LESSON, board or STEP.board(), shown)


def tried(label, stage):
    op = find_try(STEP, label).op
    return board_after(op(stage) if callable(op) else op, stage.lab)


def marks_of(stage, name="samples"):
    return next(trace for trace in STEP.chart(stage).figure.data if trace.name == name)


def ringed(stage):
    """Which of the dots are the board."""
    size = marks_of(stage).marker.size
    return np.flatnonzero(size > size.min()).tolist()


def test_the_points_are_the_tumours_of_scikit_learn_by_the_stated_rule():
    """The first 30 rows after a shuffle with seed 22, radius and texture in the units that the words state."""
    known = load_breast_cancer()
    rows = np.random.Generator(np.random.Philox(22)).permutation(569)[:30]
    data = STEP.board().data
    assert np.allclose(data.X, (known.data[rows][:, :2] - [14, 19]) / [3.5, 4.3], atol=0.0005)
    assert np.array_equal(data.y > 0, known.target_names[known.target[rows]] == "malignant")
    assert "(radius − 14)/3.5" in STEP.more_parts(at())[0]
    assert find_sample(STEP.board()) == Sample(30, 22)


def test_the_units_are_the_rounded_means_and_standard_deviations_of_the_data_set():
    known = load_breast_cancer().data[:, :10]
    assert np.allclose(known.mean(0), CENTRE, rtol=0.02)
    assert np.allclose(known.std(0), UNIT, rtol=0.04)


def test_on_thirty_tumours_the_training_error_is_smaller():
    stage = at()
    assert STEP.answer(stage) == 0
    assert STEP.verdict_text(stage) == (
        "The training error is smaller. Its mean over 40 samples is 0.101, and that of the test error is 0.132."
    )
    assert STEP.rests_on_answer(stage)
    assert not STEP.rests_on_answer(at(shown=False))


def test_the_errors_are_those_of_another_split_of_the_whole_table():
    """Once more without a board, for the two measurements and for all ten of them."""
    known, stage = load_breast_cancer(), at()
    y = np.where(known.target == 0, 1, -1)
    order = np.random.Generator(np.random.Philox(22)).permutation(569)
    for columns, cloud in ((2, samples(stage).errors), (10, samples(stage).ten)):
        X = (known.data[:, :columns] - CENTRE[:columns]) / UNIT[:columns]
        X = np.rint(1000 * X) / 1000 if columns == 2 else X
        train, test = order[:30], order[30:]
        solution = solve(Problem(Dataset(X[train], y[train]), Linear(), 1.0))
        assert cloud.train[22] == training_error(solution)
        assert cloud.true[22] == np.mean(y[test] * solution.decision(X[test]) <= 0)
    assert readings(STEP, stage) == [
        ("training error", "3/30 = 0.1"),
        ("test error", "70/539 = 0.13"),
        ("ten measurements", "0.033 / 0.074"),
    ]


def test_with_ten_measurements_the_gap_is_larger_and_the_test_error_smaller():
    two, ten = samples(at()).errors, samples(at()).ten
    assert ten.gap > two.gap + 0.02
    assert ten.true.mean() < two.true.mean() - 0.03
    assert np.array_equal(marks_of(at(), "ten").y, ten.true)


def test_on_three_hundred_tumours_no_gap_is_left():
    stage = at(tried("m = 300", at()))
    assert len(stage.lab.points) == 300
    assert STEP.answer(stage) == 1
    assert STEP.verdict_text(stage).startswith("Both are about equal. Their means over 40 samples are 0.11 and 0.112")


def test_a_narrow_gaussian_widens_the_gap():
    narrow = at(tried("Gaussian, σ = 0.1", at()))
    assert samples(narrow).errors.gap > 0.3
    assert STEP.answer(narrow) == 0


def test_a_kernel_for_two_coordinates_leaves_out_the_ten_measurements():
    stage = at(replace(STEP.board(), kernel="composed", recipe="form(2,1,1)"))
    assert STEP.first_unmet_need(stage) is None
    assert samples(stage).ten is None
    assert len(STEP.readings(stage)) == 2
    assert "ten" not in STEP.says_text(stage)


def test_the_board_is_the_sample_that_its_dot_says():
    for board in (STEP.board(), INVENTED()):
        stage = at(board)
        here, dots = origin(stage).seed, marks_of(stage)
        train, test, _error = errors(stage)
        assert (dots.x[here], dots.y[here]) == (train, test)
        assert ringed(stage) == [here]


@pytest.mark.parametrize("board", [STEP.board, INVENTED, MOONS])
def test_a_click_on_a_dot_brings_its_sample(board):
    stage = at(board())
    chart = STEP.chart(stage)
    dots = marks_of(stage)
    for number in (0, 11, 39):
        there = at(board_after(chart.on_click(dots.customdata[number]), stage.lab))
        train, test, _error = errors(there)
        assert (train, test) == (dots.x[number], dots.y[number])
        assert (origin(there).seed, origin(there).moved_count) == (number, 0)
        assert there.lab.kernel_function == stage.lab.kernel_function
        assert samples(there).errors.gap == samples(stage).errors.gap


def test_all_other_tumours_are_drawn_once_shown_and_those_that_are_misclassified_are_counted():
    stage = at()
    assert "overlay" not in STEP.draw(at(shown=False))
    assert [name for name, _text in readings(STEP, at(shown=False))] == ["training error"]
    count = dict.fromkeys(("missed", "fresh"), 0)
    for item in STEP.draw(stage)["overlay"]:
        X = np.reshape(item["pts"], (-1, 2))
        count["missed" if "missed" in item["style"] else "fresh"] += len(X)
        y = 1.0 if "plus" in item["style"] else -1.0
        assert ((y * stage.solution.decision(X) <= 0) == ("missed" in item["style"])).all()
    assert count == {"missed": 70, "fresh": 469}


def test_points_of_ones_own_have_no_test_points():
    own = board_of_points([(x, y, 1 if x + y > 0 else -1) for x in (-2, -1, 1, 2) for y in (-1.5, -0.5, 1)])()
    assert "no test points" in STEP.first_unmet_need(at(own)).why


def test_a_preset_that_is_unchanged_is_its_own_source():
    stage = at(preset("circles", size=60, kernel="gaussian", sigma=0.1)())
    assert STEP.first_unmet_need(stage) is None
    assert origin(stage).source == PresetSource("circles", 0.1)
    assert STEP.answer(stage) == 0
    assert "preset" in STEP.more_parts(stage)[0]
    assert "±" in dict(readings(STEP, stage))["test error"]


def test_where_errors_are_rare_on_both_sides_they_are_about_equal():
    assert STEP.answer(at(preset("separable", size=200, value=100.0)())) == 1


@pytest.mark.parametrize("board", [STEP.board, INVENTED])
def test_a_point_that_is_dragged_is_reported_and_the_samples_stay(board):
    stage = at(board())
    first = stage.lab.points[0]
    moved = at(board_after({"op": "move", "id": first.id, "x": 3.0, "y": -3.0}, stage.lab))
    assert STEP.first_unmet_need(moved) is None
    assert origin(moved).moved_count == 1
    assert STEP.says_text(moved).startswith("You moved or deleted 1 of the points")
    assert "moved" not in STEP.says_text(stage)
    assert STEP.verdict_text(moved) == STEP.verdict_text(stage)
    assert ringed(moved) == []
    assert readings(STEP, moved) != readings(STEP, stage)


def test_a_board_without_its_first_point_is_no_sample_and_without_its_last_one_is():
    lab = INVENTED()
    first, last = (at(replace(lab, points=points)) for points in (lab.points[1:], lab.points[:-1]))
    assert (origin(first).moved_count, ringed(first)) == (1, [])
    assert (origin(last).moved_count, ringed(last)) == (0, [origin(last).seed])
    tumours = STEP.board()
    assert find_sample(replace(tumours, points=tumours.points[1:])) == Sample(30, 22, 1)
    assert find_sample(replace(tumours, points=tumours.points[:10])) == Sample(10, 22)


def test_a_line_that_was_not_trained_has_no_gap_but_chance():
    part = next(part for part in STEP.more_parts(at(INVENTED())) if part.startswith("**The gap comes"))
    share, error = (float(each) for each in part.split("samples is ")[1].split(", and")[0].split(" ± "))
    assert abs(share - blobs_with_flipped_labels(0.1).bayes_error) < 2 * error


def test_the_formula_and_many_new_points_agree():
    stage = at(with_sample(Lab(value=1.0), blobs_with_flipped_labels(0.1), 60, 0))
    part = next(part for part in STEP.more_parts(stage) if part.startswith("**Two computations"))
    exact = float(part.split("true error ")[1].split(". Of")[0])
    share, error = (float(each) for each in part.split("fraction ")[1].split(" is")[0].split(" ± "))
    assert exact == pytest.approx(errors(stage)[1], abs=1e-5)
    assert abs(exact - share) < 3.5 * error


def test_a_drag_waits_for_no_samples():
    stage = replace(at(), dragging=True, request_work=None)
    assert STEP.draw(stage)["overlay"]
    assert len(STEP.readings(stage)) == 2
    with pytest.raises(Working):
        STEP.answer(stage)

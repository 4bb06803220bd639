"""What the step on the width says is true of the board: its four errors, where they come from, and what a click
does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from svmlab.generalisation import (
    Blobs,
    IdentifiedSample,
    PresetSource,
    blobs_with_flipped_labels,
    cross_validate,
    leave_one_out,
    training_error,
    validation_curve,
)
from svmlab.generalisation.sources import KNOWN_SEEDS
from svmlab.lab.lessons.generalisation import LESSON
from svmlab.lab.lessons.generalisation.width import FIRST, VALUES_OF_C, WIDTHS, along, complete, next_sample, source
from svmlab.lab.session import state
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.point_source import find_source, with_next_sample, with_sample
from svmlab.lab.session.state import History
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.stage import Working
from tests.lessons import DoneAtOnce, stage_of

STEP = LESSON.step("width")
GAUSSIAN = {"kernel": "gaussian", "sigma": 0.1, "value": 1.0}
ASK = DoneAtOnce(most=1000)  # each board is measured once for all tests


def at(board=None, shown=True, by="width", **more):
    stage = stage_of(LESSON, board or STEP.board(), shown, ASK)
    return replace(stage, picks={**stage.picks, "along": by}, **more)


def draw_of(m, eta, seed, **machine):
    """A draw of the blobs as a board."""
    return with_sample(replace(Lab(), **machine), blobs_with_flipped_labels(eta), m, seed)


def tried(label):
    return next(each for each in STEP.tries if each.label == label)


def read(stage):
    return {reading.name: reading.exact for reading in STEP.readings(stage)}


@pytest.fixture(scope="module")
def own():
    """The step on its own board, worked out once."""
    stage = at()
    complete(stage, "width")
    return stage


# where points come from


def test_a_board_is_whole_thousandths_and_no_more_than_half_of_one_from_its_draw():
    lab = draw_of(60, 0.1, 7)
    data = Blobs(eta=0.1).draw(60, 7)
    assert all(isinstance(p.x, int) and isinstance(p.y, int) for p in lab.points)
    assert np.abs(lab.data.X - data.X).max() <= 0.0005 + 1e-12
    assert np.array_equal(lab.data.y, data.y)


def test_a_moved_point_does_not_change_where_the_others_are_from():
    lab = draw_of(60, 0.1, 3)
    first, *rest = lab.points
    for points in ((first._replace(x=first.x + 1), *rest), tuple(rest), (first._replace(label=-first.label), *rest)):
        assert source(at(replace(lab, points=points))) == blobs_with_flipped_labels(0.1)
    assert source(at(board_of_points([(0, 0, 1), (1, 0, -1)])())) is None


def test_the_next_sample_has_as_many_points_and_flips_and_after_the_last_comes_the_first():
    lab = draw_of(40, 0.3, KNOWN_SEEDS - 1, **GAUSSIAN)
    following = with_next_sample(lab)
    assert find_source(following) == IdentifiedSample(blobs_with_flipped_labels(0.3), 0, 0)
    assert (len(following.points), following.kernel, following.sigma) == (40, "gaussian", 0.1)
    assert with_next_sample(following).points != following.points
    own = board_of_points([(0, 0, 1), (1, 0, -1)], **GAUSSIAN)()
    assert with_next_sample(own) == own
    assert find_source(next_sample(at(own))["lab"]) == IdentifiedSample(blobs_with_flipped_labels(0.1), FIRST, 0)
    moons = preset("moons", **GAUSSIAN)()
    assert find_source(with_next_sample(moons)) == IdentifiedSample(
        PresetSource("moons", moons.noise), moons.seed + 1, 0
    )


def test_the_same_sample_is_the_same_picture():
    assert draw_of(60, 0.1, 5) == draw_of(60, 0.1, 5)
    step = at(draw_of(60, 0.1, 5, **GAUSSIAN))
    assert STEP.draw(step) == STEP.draw(at(draw_of(60, 0.1, 5, **GAUSSIAN)))


# the curve


def test_the_lines_are_those_of_the_svms_on_the_board(own):
    known = complete(own, "width")
    assert known.at.tolist() == list(WIDTHS)
    row = known.at.tolist().index(0.4)
    problem = replace(own.lab, sigma=0.4).problem
    expected = validation_curve([problem], Blobs(eta=0.1))
    for name in ("train", "cross_validation", "leave_one_out", "true", "support"):
        assert getattr(known.curve, name)[row] == pytest.approx(getattr(expected, name)[0])
    assert known.curve.cross_validation[row] == cross_validate(problem).rate
    assert known.curve.leave_one_out[row] == leave_one_out(problem).rate


def test_the_numbers_of_the_board_to_begin_with(own):
    """Near the means of 40 draws: training .004 .020 .075 .111 .124 .130, true .41 .28 .19 .147 .137 .134."""
    known = complete(own, "width")
    rows = [known.at.tolist().index(s) for s in (0.1, 0.2, 0.4, 0.8, 1.5, 3.0)]
    assert known.curve.train[rows] == pytest.approx([0, 0, 0.05, 0.117, 0.133, 0.117], abs=1e-3)
    assert known.curve.leave_one_out[rows] == pytest.approx([0.367, 0.25, 0.2, 0.167, 0.167, 0.133], abs=1e-3)
    assert known.curve.true[rows] == pytest.approx([0.420, 0.265, 0.171, 0.146, 0.140, 0.137], abs=2e-3)
    assert known.curve.support[rows] == pytest.approx([1, 0.95, 0.8, 0.55, 0.5, 0.5], abs=2e-2)
    assert (known.curve.true >= Blobs(eta=0.1).bayes_error - 0.005).all()


def test_training_is_least_where_the_true_error_is_worst(own):
    assert STEP.choices[STEP.answer(own)].text == "A larger width"
    known = complete(own, "width")
    assert known.curve.lowest(known.curve.train) == 0 == int(known.curve.true.argmax())
    assert "0.42 at σ\u00a0=\u00a00.1" in STEP.verdict_text(own)


def test_the_training_error_is_below_the_true_one_in_the_mean_of_samples():
    """G0 on this step's boards; on a single one it need not be."""
    gaps = []
    for seed in range(12):
        problem = draw_of(60, 0.1, seed, kernel="gaussian", sigma=0.8).problem
        curve = validation_curve([problem], Blobs(eta=0.1), with_leave_one_out=False, fresh=4000)
        gaps.append(float(curve.true[0] - curve.train[0]))
    assert np.mean(gaps) > 0.02
    assert min(gaps) < np.mean(gaps)


def test_the_numbers_are_of_the_svm_on_the_board_on_the_grid_or_not():
    stage = at(replace(STEP.board(), sigma=0.123))
    numbers = read(stage)
    problem = stage.lab.problem
    assert float(numbers["training error"]) == training_error(stage.solution)
    assert float(numbers["5-fold"]) == cross_validate(problem).rate
    assert float(numbers["test error"]) == Blobs(eta=0.1).true_error(stage.solution).value
    assert 0.123 in complete(stage, "width").at


def test_along_c_the_width_is_that_of_the_board():
    stage = at(replace(STEP.board(), sigma=0.8), by="C")
    known = complete(stage, "C")
    assert known.at.tolist() == list(VALUES_OF_C)
    row = known.at.tolist().index(10.0)
    problem = replace(stage.lab, value=10.0).problem
    assert known.curve.cross_validation[row] == cross_validate(problem).rate
    assert known.curve.train[0] > known.curve.train[-1] == 0
    assert known.curve.true[-1] > known.curve.true.min() + 0.04  # it overfits
    assert "$C$ varies" in STEP.says_text(stage)
    assert STEP.says_text(stage) != STEP.says_text(at(stage.lab))


@pytest.mark.parametrize(("by", "value"), [("width", 0.8), ("C", 30.0)])
def test_a_click_sets_the_board(by, value):
    stage = at(replace(STEP.board(), face="lambda", value=0.02), by=by)
    op = STEP.chart(stage).on_click(value)
    after = state.apply(History(stage.lab), op).present
    assert (after.sigma if by == "width" else after.C) == value
    assert after.points == stage.lab.points
    other = after.C if by == "width" else after.sigma
    assert other == pytest.approx(stage.lab.C if by == "width" else stage.lab.sigma)


def test_on_a_preset_the_true_error_is_measured_on_points_of_its_own():
    stage = at(tried("Moons").board())
    lab = stage.lab
    fresh = PresetSource("moons", lab.noise).fresh(20_000)
    share = float(np.mean(fresh.y * stage.solution.decision(fresh.X) <= 0))
    assert float(read(stage)["test error"]) == pytest.approx(share)
    assert STEP.draw(stage)["overlay"]
    assert not any("dotted line" in part for part in STEP.more_parts(stage) if isinstance(part, str))


# points of one's own


def test_on_own_points_there_is_no_true_error_and_it_is_said():
    moons = tried("Moons").board()
    stage = at(replace(moons, points=tuple(p._replace(x=p.x + 11) for p in moons.points)))
    assert read(stage)["test error"] == "unknown"
    assert STEP.draw(stage) == {}
    assert "test error is unknown" in STEP.says_text(stage)
    assert np.isnan(complete(stage, "width").curve.true).all()
    names = [trace.name for trace in STEP.chart(stage).figure.data]
    assert "test" not in names
    assert {"training", "5-fold", "leave-one-out"} <= set(names)
    assert STEP.choices[STEP.answer(stage)].text == "A larger width"


def test_on_a_sample_it_is_there_and_fresh_points_stand_behind(own):
    assert "test error is unknown" not in STEP.says_text(own)
    styles = {item["style"] for item in STEP.draw(own)["overlay"]}
    assert {"fresh plus", "fresh minus", "fresh plus missed"} & styles
    assert all(style.startswith("fresh") for style in styles)
    assert STEP.draw(at(shown=False)) == {}


def test_the_board_rests_on_the_width_with_the_smallest_error(own):
    play = STEP.animation(own)
    assert (play["key"], play["to"], play.get("back")) == ("sigma", 2.0, None)
    assert not STEP.rests_on_answer(own)
    assert STEP.rests_on_answer(at(replace(STEP.board(), sigma=2.0)))
    assert STEP.animation(at(request_work=DoneAtOnce(most=0)))["to"] == 2.0


def test_fewer_points_than_folds_and_labels_without_any_rule():
    four = board_of_points(((0, 0, 1), (1, 1, -1), (0, 1, -1), (1, 0, 1)), **GAUSSIAN)()
    numbers = read(at(four))
    assert "4-fold" in numbers
    assert STEP.choices[STEP.answer(at(four))].text == "All widths give about the same error"


def test_on_any_board_the_answer_is_one_of_the_choices_and_all_of_it_is_shown():
    rng = np.random.default_rng(5)
    answers = set()
    for m in (2, 3, 7, 12, 25):
        X, y = np.round(rng.normal(0, 1.5, (m, 2)), 1), rng.choice([-1, 1], m)
        y[:2] = 1, -1
        rows = [(float(a), float(b), int(s)) for (a, b), s in zip(X, y, strict=True)]
        stage = at(board_of_points([*rows, rows[0]], kernel="gaussian", sigma=0.3, value=0.5, bias=bool(m % 2))())
        assert STEP.first_unmet_need(stage) is None
        answers.add(STEP.answer(stage))
        assert STEP.verdict_text(stage)
        assert STEP.more_parts(stage)
        assert STEP.chart(stage).figure.data
    assert answers <= {0, 1, 2}


# the worker


def test_what_is_known_so_far_is_shown_coarsely_first():
    stage = at(request_work=DoneAtOnce(most=1))
    assert len(along(stage, "width").at) == 6
    assert len(STEP.chart(stage).figure.data) >= 4
    with pytest.raises(Working):
        STEP.answer(stage)
    assert read(stage)["5-fold"] != "–"  # 0.1 is among the first


def test_while_a_hand_moves_nothing_is_begun_and_the_picture_can_be_drawn():
    stage = at(replace(STEP.board(), sigma=0.37), moving=True, request_work=DoneAtOnce(most=0))
    assert "overlay" in STEP.draw(stage)
    assert read(stage)["5-fold"] == "–"
    assert float(read(stage)["test error"]) > 0.1


def test_what_was_measured_is_kept_while_the_board_is_turned():
    ask = DoneAtOnce()
    stage = at(request_work=ask)
    complete(stage, "width")
    asked = len(ask.jobs)
    turned = replace(stage, lab=replace(stage.lab, sigma=0.8))
    complete(turned, "width")
    assert len(ask.jobs) == asked
    complete(replace(stage, lab=replace(stage.lab, sigma=0.37)), "width")
    assert len(ask.jobs) == asked + 1


def test_a_width_on_the_board_outside_of_the_question_does_not_enter_the_answer(own):
    narrow = at(replace(STEP.board(), sigma=0.05))
    assert complete(narrow, "width").at[0] == 0.05
    assert STEP.answer(narrow) == STEP.answer(own)
    assert STEP.verdict_text(narrow) == STEP.verdict_text(own)

"""What the step on recall and precision says is true of the board that it stands on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn import metrics
from sklearn.datasets import load_breast_cancer
from sklearn.svm import SVC

from svmlab.binary.problem import balanced_costs
from svmlab.lab.lessons.generalisation import LESSON
from svmlab.lab.lessons.generalisation.changes import CHANGES, PRICE, TURN, UNITS
from svmlab.lab.lessons.generalisation.units import DIAL, after, before, recall, recalls, solved, split
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.requirements import ROTATION_INVARIANT
from tests.lessons import find_try, readings, stage_of

STEP = LESSON.step("rare")


def at(board=None, change=PRICE, shown=True, **dials):
    stage = stage_of(LESSON, board or STEP.board(), shown)
    return replace(stage, dials=dials, picks={**stage.picks, "change": change})


def test_the_points_are_the_tumours_that_the_words_name():
    known = load_breast_cancer()
    X = (known.data[:, :2] - [14, 19]) / [3.5, 4.3]
    malignant, benign = (np.flatnonzero(known.target == target) for target in (0, 1))
    data, test = split()
    assert np.allclose(data.X, X[np.r_[malignant[::21], benign[::6]]], atol=0.0005)
    assert ((data.y > 0).sum(), (data.y < 0).sum()) == (11, 60)
    assert ((test.y > 0).sum(), (test.y < 0).sum()) == (34, 297)
    assert {tuple(x) for x in test.X[test.y > 0]}.isdisjoint({tuple(x) for x in data.X})


def test_a_larger_c_for_the_rare_class_alone_raises_its_recall():
    stage = at()
    assert STEP.answer(stage) == 1
    assert STEP.verdict_text(stage) == (
        "Multiplying C by 5 for the rare class. Its recall rises from 0.364 to 0.818, because its slack costs more."
    )
    assert recalls(stage)[TURN] == recalls(stage)[UNITS] == recall(before(stage, stage.data))
    assert STEP.rests_on_answer(stage)
    assert not STEP.rests_on_answer(at(change=TURN))


def test_the_matrices_are_those_of_scikit_learn():
    """Another solver, on the training points and on the test points."""
    stage = at()
    data, test = split()
    for weight, matrix in ((1.0, before), (5.0, lambda stage, data: after(stage, data, PRICE, 5.0))):
        other = SVC(kernel="linear", C=0.1, class_weight={1: weight}, tol=1e-8).fit(data.X, data.y)
        for points in (data, test):
            counts = metrics.confusion_matrix(points.y, other.predict(points.X), labels=[1, -1]).tolist()
            assert matrix(stage, points).counts.tolist() == counts
    for text in ("4 → 9", "7 → 2", "0 → 3", "60 → 57", "14 → 29", "20 → 5", "0 → 20", "297 → 277"):
        assert f">{text}<" in STEP.chart(stage).markup
    assert readings(STEP, stage) == [("recall", "0.364 → 0.818"), ("precision", "1 → 0.75")]


def test_where_no_change_raises_the_recall_the_last_choice_is_right():
    stage = at(replace(STEP.board(), value=1.0))
    assert set(recalls(stage).values()) == {recall(before(stage, stage.data))}
    assert STEP.answer(stage) == 3


def test_other_units_can_be_the_change_that_raises_the_recall():
    """x2 separates the classes, and with its small values slack is cheaper, even at a small C for the rare class."""
    rows = [(0.5 * (i % 7) - 1.5, 0.1 * (-1) ** (i // 7) - 0.4, -1) for i in range(14)]
    rows += [(x, 0.2, 1) for x in (-1.5, -0.5, 0.5, 1.5)]
    answers = [STEP.answer(at(board_of_points(rows, value=C)())) for C in (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)]
    assert 3 in answers
    for C in (0.05, 0.5):
        stage = at(board_of_points(rows, value=C)())
        assert STEP.verdict_text(stage).startswith(STEP.choices[STEP.answer(stage)].text)


def test_a_kernel_that_a_rotation_changes_does_not_meet_the_needs():
    stretched = replace(STEP.board(), kernel="composed", recipe="form(4,0,1)")
    assert STEP.first_unmet_need(at(stretched)) is ROTATION_INVARIANT
    assert STEP.first_unmet_need(at(replace(stretched, recipe="linear+p(linear,1,2)"))) is None


@pytest.mark.parametrize("change", CHANGES)
def test_the_slider_changes_what_is_drawn(change):
    none = 0.0 if change == TURN else 1.0
    there, back = (at(change=change, **{DIAL[change]: value}) for value in (4.0, none))
    assert STEP.draw(there)["sliders"][0]["value"] == 4.0
    solution = solved(back, change, none)[1]
    assert solution.w == pytest.approx(back.solution.w, abs=1e-9)
    (boundary,) = STEP.draw(back)["overlay"]
    f = back.solution.decision(np.reshape(boundary["pts"], (-1, 2)))
    assert np.abs(f).max() < 1e-3


def test_before_it_is_shown_nothing_is_given_away():
    stage = at(shown=False)
    assert STEP.draw(stage) == {}
    assert readings(STEP, stage) == [("recall", "0.364"), ("precision", "1")]
    assert "here 4 of 11" in STEP.situation_text(stage)


def test_points_of_ones_own_have_no_test_points_and_no_tumours():
    stage = at(preset("idle_margin", value=1.0)())
    assert "tumour" not in STEP.situation_text(stage)
    assert "test points" not in STEP.chart(stage).markup
    assert "test points" in STEP.chart(at()).markup
    moved = replace(STEP.board(), points=STEP.board().points[5:])
    assert "test points" in STEP.chart(at(moved)).markup


def test_without_predicted_positives_precision_is_a_dash():
    stage = at(replace(STEP.board(), value=0.001), shown=False)
    assert readings(STEP, stage) == [("recall", "0"), ("precision", "–")]


def test_the_balanced_factor_is_that_of_both_classes():
    stage = at()
    balance = find_try(STEP, "Balanced").op(stage)
    costs = balanced_costs(stage.data)
    assert balance["values"]["price"] == pytest.approx(costs[0] / costs[1])
    assert balance["values"]["price"] == 60 / 11
    head, *_words = STEP.more_parts(stage)
    assert "C × 5.45, balanced" in head.markup


def test_no_factor_within_the_slider_is_called_balanced_if_none_is():
    def rows(n):
        others = [(0.3 * i - 2, 0.2 * (i % 3) - 1, -1) for i in range(n)]
        return board_of_points(((0.2, 0.1, 1), *others), value=1.0)()

    assert "balanced" in STEP.more_parts(at(rows(8)))[0].markup
    assert "balanced" not in STEP.more_parts(at(rows(15)))[0].markup

"""What the step on the kernel as a similarity says is true of the board that it stands on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.svm import SVC

from svmlab.lab.lessons.kernels import LESSON
from svmlab.lab.lessons.kernels.similarity import START, current_terms, with_ten
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.tumours import CENTRE, UNIT, find_sample
from tests.lessons import readings, stage_of

STEP = LESSON.step("similarity")


def at(board=None, view="two", shown=True, **dials):
    stage = stage_of(LESSON, board or STEP.board(), shown)
    return replace(stage, dials=dials, picks={**stage.picks, "measurements": view})


def chosen(stage):
    """The right choice and the verdict, which begins with it."""
    choice, verdict = STEP.choices[STEP.answer(stage)].text, STEP.verdict_text(stage)
    assert verdict.startswith(choice)
    return choice, verdict


@pytest.mark.parametrize(
    ("settings", "choice"),
    [
        ({}, "Mainly those near u"),
        ({"sigma": 5.0}, "All of them, with similar kernel values"),
        ({"kernel": "linear"}, "Those in the direction of u or −u, even far away"),
    ],
)
def test_the_answer_depends_on_the_width_and_on_the_kernel(settings, choice):
    assert chosen(at(replace(STEP.board(), **settings)))[0] == choice


def test_the_terms_add_up_to_f_and_half_of_them_lie_within_the_distance():
    stage = at()
    terms, f = current_terms(stage), stage.solution.decision(np.array([START]))[0]
    assert terms.terms.sum() + stage.solution.b == pytest.approx(f)
    assert (np.diff(terms.distances) >= 0).all()
    size, half = np.abs(terms.terms), float(STEP.readings(stage)[1].exact)
    assert size[terms.distances <= half].sum() >= 0.5 * size.sum() > size[terms.distances < half].sum()


def test_near_a_support_vector_of_a_narrow_gaussian_its_term_alone_is_large():
    x, y = STEP.board().data.X[0] + [0.02, 0.0]
    choice, verdict = chosen(at(replace(STEP.board(), sigma=0.1), ux=float(x), uy=float(y)))
    assert choice == "At most one, the nearest"
    assert "Its term, at distance 0.02" in verdict


def test_where_no_support_vector_is_near_not_even_the_nearest_contributes():
    stage = at(replace(STEP.board(), sigma=0.1), ux=6.0, uy=6.0)
    distance = float(np.linalg.norm(stage.data.X[stage.solution.support] - [6.0, 6.0], axis=1).min())
    choice, verdict = chosen(stage)
    assert choice == "At most one, the nearest"
    assert f"at distance {distance:.3g}, is almost 0" in verdict
    assert STEP.says_text(stage).startswith("All terms are almost 0")


def test_at_the_origin_all_terms_of_a_linear_kernel_are_0():
    stage = at(replace(STEP.board(), kernel="linear"), ux=0.0, uy=0.0)
    assert np.abs(current_terms(stage).terms).max() == 0
    assert chosen(stage)[0] == "At most one, the nearest"


def test_terms_that_are_all_0_are_not_drawn():
    """u is orthogonal to both points, and b = 0."""
    stage = at(board_of_points([(1.0, 0.0, 1), (-1.0, 0.0, -1)], kernel="linear", bias=False)(), ux=0.0, uy=1.0)
    assert STEP.draw(stage)["overlay"] == []
    assert STEP.answer(stage) == 2


def test_for_a_linear_kernel_opposite_points_contribute_as_much():
    """The distance is no guide: a distant point opposite to u has the largest kernel value in size."""
    board = board_of_points([(3.0, 0.2, 1), (0.5, 1.0, 1), (-3.0, 0.1, -1), (-0.4, -1.0, -1)], kernel="linear")()
    stage = at(board, ux=1.0, uy=0.0)
    k = stage.lab.kernel_function(stage.data.X, np.array([[1.0, 0.0]]))[:, 0]
    assert abs(k[2]) == abs(k[0]) > abs(k[1])
    assert STEP.answer(stage) == 3


def test_the_result_with_ten_measurements_is_that_of_scikit_learn():
    known, stage = load_breast_cancer(), at(view="ten")
    X, y = (known.data[:, :10] - CENTRE) / UNIT, np.where(known.target == 0, 1, -1)
    sample, ten = find_sample(stage.lab), with_ten(stage)
    train, test = sample.rows, sample.other_rows
    other = SVC(C=1.0, gamma=1 / (2 * 5.0), tol=1e-8).fit(X[train], y[train])
    assert ten.errors[1] == np.mean(other.predict(X[test]) != y[test])
    assert other.decision_function(ten.x[None])[0] == pytest.approx(ten.solution.decision(ten.x[None])[0], abs=1e-5)
    assert ("test error, 2 / 10", "11.1 % / 8.72 %") in readings(STEP, stage)
    nearest = test[np.argmin(np.hypot(*(X[test][:, :2] - START).T))]
    assert ten.x == pytest.approx(X[nearest])
    assert ten.y == y[nearest]


def test_the_view_of_ten_measurements_draws_their_terms_from_the_test_tumour():
    two, ten = (STEP.draw(at(view=view))["overlay"] for view in ("two", "ten"))
    assert ten != two
    assert [item["kind"] for item in ten].count("disc") == 1
    starts = {tuple(item["pts"][:2]) for item in ten if item["kind"] == "line"}
    assert starts == {tuple(next(item["pts"][:2] for item in ten if item["kind"] == "disc"))}
    assert len(STEP.chart(at(view="ten")).figure.data[1].x) != len(STEP.chart(at()).figure.data[1].x)


def test_points_of_ones_own_have_two_coordinates_alone():
    for view in ("two", "ten"):
        stage = at(preset("moons", size=20, kernel="gaussian", sigma=1.0)(), view)
        assert with_ten(stage) is None
        assert "tumour" not in STEP.situation_text(stage) + STEP.says_text(stage)
        assert [name for name, _text in readings(STEP, stage)] == ["f(u)", "50 % within"]


def test_before_it_is_shown_there_are_u_and_the_points():
    assert set(STEP.draw(at(shown=False))) == {"probe"}
    assert STEP.readings(at(shown=False)) == ()


def test_all_support_vectors_count_where_a_polynomial_kernel_has_one_value():
    board = replace(STEP.board(), kernel="polynomial", degree=2, coef0=1.0, scale=1.0)
    choice, verdict = chosen(at(board, ux=0.0, uy=0.0))
    assert choice == "All of them, with similar kernel values"
    assert "between 1 and 1" in verdict


def test_terms_that_are_small_because_of_C_do_not_count_as_far_away():
    points = [(0.0, 0.0, 1), (1.0, 0.0, 1), (0.0, 1.0, 1), (2.0, 1.0, -1)]
    stage = at(board_of_points(points, kernel="gaussian", sigma=5.0, value=1e-4)())
    assert np.abs(current_terms(stage).terms).sum() < 0.01 * abs(stage.solution.b)
    assert chosen(stage)[0] == "All of them, with similar kernel values"
    assert "no support vector is similar" not in STEP.says_text(stage)

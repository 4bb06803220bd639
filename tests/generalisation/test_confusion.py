"""The confusion matrix and its ratios: against scikit-learn, with weights, ties, and denominators that are 0."""

import numpy as np
import pytest
from sklearn import metrics

from svmlab import BadInput, Dataset, Gaussian, Problem, make_dataset, solve
from svmlab.generalisation import confusion, confusion_of_errors, held_out
from svmlab.multiclass import Classes, MulticlassProblem
from svmlab.multiclass import solve as solve_classes

TRUE = np.array([1, 1, 1, 2, 2, 3, 3, 3, 3, 2])
GIVEN = np.array([1, 2, 1, 2, 3, 3, 3, 1, 3, 2])
WEIGHTS = np.array([1.0, 2.0, 1.0, 0.5, 3.0, 1.0, 1.0, 2.0, 0.0, 1.0])


def values(ratios):
    return [ratio.value for ratio in ratios]


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["once", "weighted"])
def test_all_ratios_are_those_of_scikit_learn(weights):
    matrix = confusion(TRUE, GIVEN, weights=weights)
    assert matrix.classes == (1, 2, 3)
    assert matrix.counts == pytest.approx(metrics.confusion_matrix(TRUE, GIVEN, sample_weight=weights))
    precision, recall, f1, size = metrics.precision_recall_fscore_support(TRUE, GIVEN, sample_weight=weights)
    assert values(matrix.recalls) == pytest.approx(recall)
    assert values(matrix.precisions) == pytest.approx(precision)
    assert values(matrix.f1_scores) == pytest.approx(f1)
    assert matrix.sizes == pytest.approx(size)
    expected = metrics.balanced_accuracy_score(TRUE, GIVEN, sample_weight=weights)
    assert matrix.balanced_accuracy.value == pytest.approx(expected)


def test_a_weight_counts_like_copies_of_the_point():
    copies = np.array([1, 2, 1, 3, 1, 2, 1, 1, 0, 1])
    repeated = confusion(np.repeat(TRUE, copies), np.repeat(GIVEN, copies))
    assert confusion(TRUE, GIVEN, weights=copies) == repeated


def test_a_zero_denominator_is_said_in_words():
    matrix = confusion([1, 1], [1, 1], classes=[1, 2])
    assert values(matrix.recalls) == [1.0, None]
    assert str(matrix.recalls[1]) == "Class 2 has no points."
    assert values(matrix.precisions) == [1.0, None]
    assert str(matrix.precisions[1]) == "No point is predicted as class 2."
    assert str(matrix.f1_scores[1]) == "Class 2 has no points, and no point is predicted as class 2."
    assert matrix.balanced_accuracy.value == 1.0, "only classes that have points count"
    nothing = confusion_of_errors([], [])
    assert nothing.balanced_accuracy.value is None
    assert str(nothing.balanced_accuracy) == "There are no points."


def test_a_class_that_is_never_predicted_has_recall_zero_and_no_precision():
    matrix = confusion_of_errors([1.0, -1.0, -1.0], [True, False, False])
    assert matrix.counts.tolist() == [[0, 1], [0, 2]]
    assert values(matrix.recalls) == [0.0, 1.0]
    assert values(matrix.precisions) == [None, pytest.approx(2 / 3)]
    assert values(matrix.f1_scores) == [0.0, pytest.approx(0.8)]
    assert matrix.balanced_accuracy.value == 0.5


def test_the_errors_of_a_solution_are_the_entries_outside_the_diagonal():
    for data in (make_dataset("overlapping"), Dataset([[0.0, 0.0], [0.0, 0.0]], [1, -1]), make_dataset("xor")):
        solution = solve(Problem(data, C=0.5))
        matrix = confusion_of_errors(data.y, solution.errors)
        assert matrix.counts.sum() - np.trace(matrix.counts) == solution.errors.sum()
        assert matrix.sizes.tolist() == [(data.y > 0).sum(), (data.y < 0).sum()]


def test_a_point_on_the_boundary_is_an_error_of_its_class():
    flat = solve(Problem(Dataset([[0.0, 0.0], [0.0, 0.0]], [1, -1])))
    assert confusion_of_errors(flat.problem.data.y, flat.errors).counts.tolist() == [[0, 1], [1, 0]]


def test_class_costs_change_the_solution_and_not_how_often_a_point_counts():
    data = make_dataset("overlapping", 60, noise=0.9)
    matrices = {}
    for costs in ((10.0, 1.0), (1.0, 10.0)):
        solution = solve(Problem(data, C=0.1, costs=costs))
        matrices[costs] = confusion_of_errors(data.y, solution.errors)
        assert matrices[costs].counts.sum() == data.m
    plus_costs_more, minus_costs_more = matrices[10.0, 1.0], matrices[1.0, 10.0]
    assert plus_costs_more.recalls[0].value > minus_costs_more.recalls[0].value
    assert plus_costs_more.recalls[1].value < minus_costs_more.recalls[1].value


def test_test_points_have_a_matrix_of_their_own():
    solution = solve(Problem(make_dataset("moons"), Gaussian(0.5)))
    fresh = make_dataset("moons", 50, seed=7)
    result = held_out(solution, fresh)
    matrix = confusion_of_errors(result.data.y, result.errors)
    predicted = np.where(solution.decision(fresh.X) > 0, 1, -1)
    assert matrix.counts.tolist() == metrics.confusion_matrix(fresh.y, predicted, labels=[1, -1]).tolist()


def test_tied_points_of_several_classes_are_not_found():
    X = [[0.0, 1.0], [2.0, 0.0], [-2.0, 0.0], [0.5, 1.2], [2.2, 0.1], [-2.2, 0.1]]
    machines = solve_classes(MulticlassProblem(Classes(X, [1, 2, 3, 1, 2, 3])))
    labels, predicted = np.array([1, 2, 3]), machines.predict(np.array(X[:3]))
    matrix = confusion(labels, predicted, undecided=[False, True, False], classes=[1, 2, 3])
    assert matrix.undecided.tolist() == [0, 1, 0]
    assert matrix.sizes.tolist() == [1, 1, 1]
    assert values(matrix.recalls) == [1.0, 0.0, 1.0]
    assert values(matrix.precisions) == [1.0, None, 1.0]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"labels": [[1, 2]]}, "labels must be one-dimensional"),
        ({"predicted": [1]}, "predicted has the shape"),
        ({"undecided": [True]}, "undecided has the shape"),
        ({"weights": [1.0]}, "weights has the shape"),
        ({"weights": [1.0, -1.0]}, "weights: -1.0 is negative"),
        ({"classes": [1, 1]}, "names a class twice"),
        ({"classes": [1]}, "labels: class 2 is none of"),
        ({"predicted": [1, 5], "classes": [1, 2]}, "predicted: class 5 is none of"),
    ],
)
def test_wrong_input_is_named(wrong, message):
    with pytest.raises(BadInput, match=message):
        confusion(**{"labels": [1, 2], "predicted": [1, 2]} | wrong)


def test_signs_and_errors_must_fit():
    with pytest.raises(BadInput, match="signs"):
        confusion_of_errors([1, 2], [True, False])
    with pytest.raises(BadInput, match="errors has the shape"):
        confusion_of_errors([1, -1], [True])

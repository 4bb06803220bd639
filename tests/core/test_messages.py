"""What somebody who comes from scikit-learn may try first: it works, or the message says which value is wrong and what
to do."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import svmlab
from svmlab import (
    BadInput,
    Dataset,
    Gaussian,
    NotExact,
    Polynomial,
    Problem,
    Sigmoid,
    SolverFailed,
    make_dataset,
    pegasos,
    separate,
    solve,
)
from svmlab.binary.report import program, report
from svmlab.firstorder.perceptron import augmented, perceptron
from svmlab.kernels.base import Kernel
from svmlab.multiclass import Classes, MulticlassProblem
from svmlab.plane.contours import draw_solution
from svmlab.plane.geometry import Line
from svmlab.regression import Tube, Values
from svmlab.sklearn import ExactSVC
from svmlab.solvers import exact

X, Y = [[0.0, 1.0], [2.0, 0.5], [1.0, 3.0], [-1.0, -0.5]], [1, -1, 1, -1]
FRAME = pd.DataFrame(X, columns=["width", "height"])
SOLUTION = solve(Problem(Dataset(X, Y)))
MOONS = make_dataset("moons", 40)


def refusal(call) -> str:
    with pytest.raises(BadInput) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize(
    ("places", "fragments"),
    [
        (sparse.csr_matrix(X), ["sparse", "toarray()"]),
        (sparse.csr_array(X), ["sparse", "toarray()"]),
        (None, ["must be a table of numbers", "None is not a number"]),
        ([["1", "2"]], ["must be a table of numbers", "'1' is not a number"]),
        ([[1, "two"]], ["must be a table of numbers", "'two' is not a number"]),
        (np.array([[1.5, "two"]], dtype=object), ["'two' is not a number"]),
        (np.array([[1j, 2j]]), ["1j is not a number"]),
        (np.array([["2020-01-01", "2021-01-01"]], dtype="datetime64[D]"), ["2020", "is not a number"]),
        (np.ma.masked_array([[1.0, 2.0]], mask=[[False, True]]), ["masked"]),
        ([[1, 2], [3]], ["must be a table of numbers", "unequal length"]),
        ([np.ones(2), np.ones((2, 2))], ["unequal length"]),
        ([[10**400, 2]], ["too large"]),
        ({"width": [1.0]}, ["{'width': [1.0]} is not a number"]),
        (FRAME.assign(third="a"), ["column 'third'", "'a' is not a number", "leave the column out"]),
        (FRAME.assign(third=pd.Categorical(["a", "b", "a", "b"])), ["column 'third'", "'a'"]),
        (FRAME.assign(third=pd.to_datetime("2020-01-01")), ["column 'third'", "Timestamp"]),
    ],
)
def test_what_is_no_table_of_numbers_is_named_at_every_door_by_its_first_entry(places, fragments):
    doors = {
        "X": [lambda: Dataset(places, Y), lambda: Classes(places, [1]), lambda: Values(places, [1.0])],
        "Z": [lambda: SOLUTION.predict(places), lambda: SOLUTION.decision(places)],
    }
    for field, calls in doors.items():
        for call in calls:
            text = refusal(call)
            assert text.startswith(field), text
            assert [f for f in fragments if f not in text] == [], text


def test_points_without_coordinates_are_not_no_points():
    assert "(4, 0)" in refusal(lambda: Dataset(np.zeros((4, 0)), Y))
    assert Dataset(np.zeros((0, 5)), []).d == 5
    assert Dataset([], []).m == 0


@pytest.mark.parametrize(
    ("ids", "fragments"),
    [
        (["a", "b", "c", "d"], ["list of whole numbers", "'a' is not a number"]),
        ([1, 2, 3, 3], ["rows 2 and 3 have the same id 3"]),
        ([7, 1, 7, 7], ["rows 0 and 2 have the same id 7"]),
        ([1, 2, 3], ["(3,)", "(4,)"]),
        ([[1, 2], [3, 4]], ["(2, 2)", "(4,)"]),
        ([0.5, 1, 2, 3], ["0.5", "whole numbers"]),
        ([0, 1, 2, None], ["row 3"]),
    ],
)
def test_ids_are_refused_by_the_rule_they_break(ids, fragments):
    for call in (lambda: Dataset(X, Y, ids), lambda: Classes(X, [1, 2, 1, 2], ids), lambda: Values(X, Y, ids)):
        text = refusal(call)
        assert text.startswith("ids"), text
        assert [f for f in fragments if f not in text] == [], text


@pytest.mark.parametrize("y", [["a", 1, "a", 1], ["a", True, True, "a"], (0.5, "b", "b", 0.5)])
def test_labels_of_two_types_stay_what_they_are(y):
    assert "labels=(minus, plus)" in refusal(lambda: Dataset(X, y))
    data = Dataset(X, y, labels=(y[0], y[1]))
    assert data.named_labels.tolist() == list(y)
    assert [type(label) for label in data.labels] == [type(y[0]), type(y[1])]


def test_labels_in_an_array_of_objects_are_those_of_python():
    data = Dataset(X, np.array([np.int64(3), np.int64(4)] * 2, dtype=object))
    assert [type(label) for label in data.labels] == [int, int]


@pytest.mark.parametrize("labels", [{"a", "b"}, {"a": 1, "b": 2}, "ab", b"ab", frozenset((1, 2))])
def test_what_has_no_order_or_is_one_name_is_no_pair_of_labels(labels):
    assert "two different values" in refusal(lambda: Dataset(X, ["a", "b", "a", "b"], labels=labels))


def test_where_the_labels_are_known_a_message_does_not_offer_others():
    named = solve(Problem(Dataset(X, ["no", "yes", "no", "yes"])))
    for call in (lambda: named.score(X, Y), lambda: Dataset(X, Y, labels=("no", "yes"))):
        text = refusal(call)
        assert "neither 'no' nor 'yes'" in text
        assert "0 and 1" not in text


def test_named_classes_are_numbered_in_sorted_order_and_mixed_labels_are_refused():
    names = np.array(["setosa", "virginica", "setosa", "versicolor"])
    assert Classes(X, names).y.tolist() == [1, 3, 1, 2]
    assert "y, row 3: label 'versicolor' does not fit" in refusal(lambda: Classes(X, [1, 2, 1, "versicolor"]))


@pytest.mark.parametrize(
    ("how", "weights", "start", "fragments"),
    [
        ({"class_weight": {-1: math.inf}}, None, "class_weight", ["inf"]),
        ({"class_weight": {-1: math.nan}}, None, "class_weight", ["nan"]),
        ({"class_weight": {-1: 0.0}}, None, "class_weight", ["0.0", "above 0"]),
        ({"class_weight": {-1: 1e200}}, None, "class_weight", ["1e+200", "too large"]),
        ({"fit_intercept": "no"}, None, "fit_intercept", ["'no'", "True or False"]),
        ({"gamma": True}, None, "gamma", ["True"]),
        ({"gamma": math.nan}, None, "gamma", ["nan"]),
        ({"gamma": None}, None, "gamma", ["None", "'scale'"]),
        ({"gamma": -1}, None, "gamma", ["-1", "above 0", "'scale'"]),
        ({}, np.full(40, 1e200), "sample_weight, row 0", ["1e+200"]),
        ({}, np.r_[np.zeros(5), np.full(35, 1e-200)], "sample_weight, row 5", ["1e-200"]),
        ({}, np.r_[math.nan, np.ones(39)], "sample_weight, row 0", ["nan"]),
        ({}, ["1"] * 40, "sample_weight", ["'1' is not a number"]),
        ({}, np.ones((40, 1)), "sample_weight", ["(40, 1)", "(40,)"]),
    ],
)
def test_the_classifier_names_its_own_parameters(how, weights, start, fragments):
    text = refusal(lambda: ExactSVC(**how).fit(MOONS.X, MOONS.y, weights))
    assert text.startswith(start), text
    assert [f for f in fragments if f not in text] == [], text


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("linear", "Linear()"),
        ("poly", "Polynomial(degree=3, coef0=0, scale=0.5)"),
        ("rbf", "Gaussian(gamma=0.5)"),
        ("sigmoid", "Sigmoid(scale=0.5, coef0=0)"),
    ],
)
def test_the_message_for_a_kernel_name_of_scikit_learn_says_what_to_write(name, instead):
    data, values, classes = Dataset(X, Y), Values(X, [0.5, 1.0, 2.0, 3.0]), Classes(X, [1, 2, 1, 2])
    doors = [
        lambda: Problem(data, kernel=name),
        lambda: Tube(values, kernel=name),
        lambda: MulticlassProblem(classes, kernel=name),
        lambda: separate(data, name),
        lambda: pegasos(data, 0.1, 5, kernel=name),
    ]
    for call in doors:
        text = refusal(call)
        assert text.startswith(f"kernel: '{name}' is a name of scikit-learn."), text
        assert instead in text
        assert "svmlab.sklearn.ExactSVC" in text
    assert isinstance(eval(instead, vars(svmlab)), Kernel)


@pytest.mark.parametrize("kernel", ["gaussian", "RBF", Gaussian, None, 3])
def test_the_message_for_a_value_that_is_no_kernel_says_how_to_make_one(kernel):
    text = refusal(lambda: Problem(Dataset(X, Y), kernel=kernel))
    assert text.startswith("kernel: expected a kernel such as Linear() or Gaussian(gamma=0.5)"), text


@pytest.mark.parametrize(
    ("field", "call"),
    [
        ("gamma", lambda value: Gaussian(gamma=value)),
        ("sigma", lambda value: Gaussian(value)),
        ("scale", lambda value: Polynomial(3, 1.0, value)),
        ("scale", lambda value: Sigmoid(value)),
    ],
)
def test_the_message_for_a_width_that_depends_on_the_points_gives_the_number(field, call):
    for value, formula in (("scale", "1 / (X.shape[1] * X.var())"), ("auto", "1 / X.shape[1]")):
        text = refusal(lambda value=value: call(value))
        assert text.startswith(f"{field}: '{value}' depends on the points"), text
        assert f"={formula}" in text
        assert f"svmlab.sklearn.ExactSVC(gamma='{value}')" in text
    assert refusal(lambda: call("wide")).startswith(f"{field}: 'wide' is not a finite number")


def test_the_perceptron_and_the_scene_name_what_does_not_fit():
    Z, y, order = np.array(X), np.array(Y, dtype=float), np.arange(4)
    calls = {
        "y": lambda: perceptron(Z, y[:2], order, 10),
        "order": lambda: perceptron(Z, y, np.array([0, 9]), 10),
        "most": lambda: perceptron(Z, y, order, "a"),
        "Z": lambda: perceptron(y, y, order, 10),
        "X": lambda: augmented([1, 2]),
        "half": lambda: draw_solution(SOLUTION, 0.0),
        "n": lambda: draw_solution(SOLUTION, 4.0, 10**6),
    }
    for field, call in calls.items():
        assert refusal(call).startswith(f"{field}: "), field


def test_a_line_goes_through_places_of_whole_numbers():
    line = Line.through((0, 0), (3, 4))
    assert (line.w.tolist(), line.b) == ([-0.8, 0.6], 0.0)


def test_a_report_of_something_else_is_refused():
    for call in (lambda: report(3), lambda: program(Problem(Dataset(X, Y))), lambda: report(SOLUTION, 3)):
        assert "expected" in refusal(call)


def test_the_warning_that_another_method_answers_points_to_the_caller(monkeypatch):
    def tired(*_):
        raise SolverFailed("tired.")

    monkeypatch.setattr(exact, "solve", tired)
    with pytest.warns(NotExact, match="tired") as recorded:
        assert solve(Problem(Dataset(X, Y))).proven
    assert [warning.filename for warning in recorded] == [__file__]

"""Files of several classes and of values: what comes back, what labels mean, and what is said of wrong ones."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from svmlab import BadInput, Dataset
from svmlab.core.rules import LARGEST_MAGNITUDE
from svmlab.multiclass import Classes
from svmlab.regression import Values

finite = st.floats(-LARGEST_MAGNITUDE, LARGEST_MAGNITUDE)


@st.composite
def tables(draw, labels):
    m, d = draw(st.integers(1, 8)), draw(st.integers(1, 4))
    X = draw(st.lists(st.lists(finite, min_size=d, max_size=d), min_size=m, max_size=m))
    return X, draw(st.lists(labels, min_size=m, max_size=m))


def same_bits(a, b):
    return (
        type(a) is type(b)
        and a.X.shape == b.X.shape
        and a.X.tobytes() == b.X.tobytes()
        and (a.y.dtype == b.y.dtype and a.y.tobytes() == b.y.tobytes())
    )


@given(tables(st.integers(1, 9)))
def test_classes_come_back_to_the_last_bit(table):
    data = Classes(*table)
    assert same_bits(Classes.from_csv(data.to_csv()), data)
    assert same_bits(Classes.from_json(data.to_json()), data)


@given(tables(finite))
def test_values_come_back_to_the_last_bit(table):
    data = Values(*table)
    assert same_bits(Values.from_csv(data.to_csv()), data)
    assert same_bits(Values.from_json(data.to_json()), data)


def test_what_is_written_says_what_its_columns_are():
    assert Classes([[0.5, 1]], [3]).to_csv() == "x1,x2,label\n0.5,1.0,3\n"
    assert Values([[0.5]], [-0.25]).to_csv() == "x1,y\n0.5,-0.25\n"
    assert json.loads(Classes([[0.5, 1]], [3]).to_json()) == {"X": [[0.5, 1.0]], "y": [3]}
    assert json.loads(Values([[0.5]], [-0.25]).to_json()) == {"X": [[0.5]], "y": [-0.25]}
    assert '"y": [1]' in Dataset([[0.5, 1]], [1]).to_json()


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (("setosa", "virginica", "versicolor", "setosa"), [1, 3, 2, 1]),
        (("1", "-1", "1.0", "-1"), [1, 2, 1, 2]),
        (("4", "2", "9", "2.0"), [4, 2, 9, 2]),
        (("1", "1", "1", "1"), [1, 1, 1, 1]),
        (("0", "2", "1", "0"), [1, 3, 2, 1]),
        (("0", "1", "1", "0"), [1, 2, 2, 1]),
    ],
)
def test_labels_are_numbers_two_signs_or_names(labels, classes):
    rows = "".join(f"{i},0,{label}\n" for i, label in enumerate(labels))
    assert Classes.from_csv("x1,x2,label\n" + rows).y.tolist() == classes
    as_rows = [{"x1": i, "x2": 0, "label": label} for i, label in enumerate(labels)]
    assert Classes.from_json(json.dumps(as_rows)).y.tolist() == classes


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (["setosa", "virginica", "versicolor"], ("setosa", "versicolor", "virginica")),
        ([0, 2, 2], (0, 1, 2)),
        ([-1, 1, -1.0], (1, -1)),
        ([True, False, True], (False, True)),
        (["9", "10", "9"], ("10", "9")),
        ([1, 2.0, 9], ()),
    ],
)
def test_arrays_and_files_have_one_rule_and_bring_back_the_names(given, names):
    data = Classes([[0.0], [1.0], [2.0]], given)
    assert data.labels == names
    assert data.named_labels.tolist() == given
    if names != ("10", "9"):  # a file has no quotation marks that tell a name from a number
        again = Classes.from_csv("x1,label\n" + "".join(f"{i},{label}\n" for i, label in enumerate(given)))
        assert (again.y.tolist(), again.labels) == (data.y.tolist(), names)
        assert Classes.from_csv(data.to_csv()).key == data.key == Classes.from_json(data.to_json()).key
    else:
        assert Classes.from_csv(data.to_csv()).y.tolist() == data.y.tolist()


@pytest.mark.parametrize(
    ("label", "fragments"),
    [
        ("-1", ["Row 3", "-1", "whole numbers from 1 to 9", "names"]),
        ("10", ["Row 3", "10", "1 to 9"]),
        ("1.5", ["Row 3", "1.5", "whole"]),
        ("", ["Row 3", "''", "missing"]),
        ("nan", ["Row 3", "nan"]),
        ("red", ["Row 3", "red"]),
    ],
)
def test_a_label_that_is_no_class_is_answered_with_row_value_rule_and_way_out(label, fragments):
    with pytest.raises(BadInput) as error:
        Classes.from_csv(f"x1,x2,label\n0,0,1\n1,0,{label}\n2,0,3\n")
    for fragment in fragments:
        assert fragment in str(error.value)


def test_ten_names_are_one_too_many():
    rows = "".join(f"{i},0,{chr(97 + i)}\n" for i in range(10))
    with pytest.raises(BadInput, match=r"10 names, the first of them 'a', 'b', 'c'.*up to 9 names"):
        Classes.from_csv("x1,x2,label\n" + rows)


def test_the_numbers_from_0_end_at_8():
    with pytest.raises(BadInput, match=r"Row 3: label 9 does not fit"):
        Classes.from_csv("x1,x2,label\n0,0,0\n1,0,9\n")


@pytest.mark.parametrize("value", ["", "high", "nan", "inf", "1e999"])
def test_a_value_that_is_no_finite_number_is_answered_with_its_row(value):
    with pytest.raises(BadInput, match=r"Row 3, column y: .* is not a finite number\. Correct the cell\."):
        Values.from_csv(f"x1,y\n0,1\n1,{value}\n")
    with pytest.raises(BadInput, match=r"Row 2, column y: .* is not a finite number\. Correct the cell\."):
        Values.from_json(json.dumps({"X": [[0], [1]], "y": [1, value]}))


def test_values_may_stand_anywhere_by_name_and_last_without():
    assert Values.from_csv("y,x1\n5,0\n7,1\n").y.tolist() == [5, 7]
    assert Values.from_csv("x1,x2\n0,5\n1,7\n").y.tolist() == [5, 7]
    assert Values.from_json('[{"x1": 0, "y": 5}, {"x1": 1, "y": 7.5}]').y.tolist() == [5, 7.5]


def test_in_a_file_of_values_the_column_y_is_predicted():
    for header in ("y,x1,class", "y,label,x1"):
        assert Values.from_csv(f"{header}\n5,0,1\n7,1,2\n").y.tolist() == [5, 7]
    assert Values.from_json('[{"label": 1, "y": 5}, {"label": 2, "y": 7}]').y.tolist() == [5, 7]
    assert Dataset.from_json('[{"label": 1, "y": 5}, {"label": -1, "y": 7}]').y.tolist() == [1, -1]


def test_the_message_for_a_file_without_a_header_shows_one():
    with pytest.raises(BadInput, match=r"Begin the file with x1,y\."):
        Values.from_csv("0,1\n1,2\n")
    with pytest.raises(BadInput, match=r"Begin the file with x1,x2,label\."):
        Classes.from_csv("0,0,1\n1,0,2\n")


def test_nothing_is_nothing():
    for kind in (Classes, Values):
        assert kind.from_csv("x1,x2,label\n").m == 0
        assert kind.from_json('{"X": [], "y": []}').m == 0
    assert math.copysign(1, Values.from_json(Values([[0.0]], [-0.0]).to_json()).y[0]) == -1
    np.testing.assert_array_equal(Classes.from_csv("x1,label\n0,2\n").classes, [2])

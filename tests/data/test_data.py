"""Datasets: what is refused, what is kept, what comes back from a file, and what each board is for."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from svmlab import DATASETS, BadInput, Dataset, Gaussian, Linear, Polynomial, make_dataset, separate
from svmlab.data import read_table
from svmlab.multiclass import Classes
from svmlab.regression import Values

finite = st.floats(-1e100, 1e100)
labels = st.sampled_from([-1, 1])


@st.composite
def tables(draw):
    m, d = draw(st.integers(1, 8)), draw(st.integers(1, 4))
    row = st.lists(finite, min_size=d, max_size=d)
    X = draw(st.lists(row, min_size=m, max_size=m))
    return Dataset(X, draw(st.lists(labels, min_size=m, max_size=m)))


def same_bits(a: Dataset, b: Dataset) -> bool:
    return a.X.tobytes() == b.X.tobytes() and a.y.tobytes() == b.y.tobytes() and a.X.shape == b.X.shape


@pytest.mark.parametrize(
    ("X", "y", "ids", "fragments"),
    [
        ([[0, 1], [2]], [1, -1], None, ["X", "equal length"]),
        ([["a", "b"]], [1], None, ["X", "numbers"]),
        ([1, 2], [1, -1], None, ["X", "(2,)", "one row for each point"]),
        ([[[1]]], [1], None, ["X", "(1, 1, 1)"]),
        ([[0, 0], [0, math.nan]], [1, -1], None, ["X", "row 1", "not finite"]),
        ([[math.inf, 0], [0, 0]], [1, -1], None, ["X", "row 0", "not finite"]),
        ([[0, 0], [1, 1], [2, 2]], [1, -1, 0], None, ["y", "row 2", "0", "neither -1 nor 1"]),
        ([[0, 0]], [2], None, ["y", "2", "either class", "labels="]),
        ([[0, 0]], [math.nan], None, ["y", "row 0", "nan"]),
        ([[0, 0]], [[1]], None, ["y", "one-dimensional", "(1, 1)"]),
        ([[0, 0]], ["up"], None, ["y", "labels"]),
        ([[0, 0]], [1, -1], None, ["1 rows", "2 labels"]),
        ([[0, 0], [1, 1]], [1, -1], [4, 4], ["ids", "rows 0 and 1"]),
        ([[0, 0], [1, 1]], [1, -1], [4], ["ids", "2", "(1,)"]),
    ],
)
def test_a_bad_dataset_is_refused_by_field_row_and_rule(X, y, ids, fragments):
    with pytest.raises(BadInput) as caught:
        Dataset(X, y, ids)
    assert [f for f in fragments if f not in str(caught.value)] == []


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        ("", ["empty", "x1,x2,label"]),
        (" \n\n", ["empty"]),
        (",,\n", ["empty"]),
        (";\n\n;;\n", ["empty"]),
        ("1,2,1\n3,4,-1\n5,6,2\n", ["Row 1", "header"]),
        ("1,2,1\n3,4,1\n", ["Row 1", "header"]),
        ("1,2,1\n3,4,-1\n5,6,7,1\n", ["Row 3", "4 cells"]),
        ("1,2,1\n3,b,-1\n", ["Row 1", "header"]),
        ("0.5,1.2,blue\n3,4,red\n", ["Row 1", "header", "['0.5', '1.2', 'blue']", "x1,x2,label"]),
        ("0.5,1.2,y\n3,4,n\n", ["Row 1", "header", "'y'"]),
        ("0.5,1.2,y\n3,4,n\n5,6,m\n", ["Row 1", "header"]),
        ("blue,1.2,0.5\nred,4,3\n", ["Row 1", "header"]),
        (",1.2,blue\n3,4,red\n", ["Row 1", "header"]),
        ("NA,1.2,blue\n3,4,red\n", ["Row 1", "header"]),
        (",,blue\n3,4,red\n", ["Row 1", "header"]),
        ("nan,inf,1\n3,4,-1\n", ["Row 1", "header"]),
        ("x\n1\n", ["Row 1", "header"]),
        ("x1,x2,label\n\n1,2,1\n\n1,oops,1\n", ["Row 5", "'oops'"]),
        ("x1,x2,label\n\n1,2,1\n\n1,2,3\n1,2,4\n", ["Row 6", "label 4", "neither 1 nor 3", "svmlab.multiclass"]),
        ("x1," + "x" * 9000 + ",label\n1,oops,1\n", ["Row 2", "column " + "x" * 40 + ":"]),
        ("x1,x2,label\n1,2\n", ["Row 2", "2 cells", "3"]),
        ("x1,x2,label\n1,2,1\n1,oops,1\n", ["Row 3", "x2", "'oops'", "finite number"]),
        ("x1,x2,label\n1,inf,1\n", ["Row 2", "x2", "'inf'"]),
        ("x1,x2,label\n1,,1\n", ["Row 2", "x2"]),
        ("x1,x2,label\n1,2,-1\n1,2,3\n1,2,1\n", ["Row 3", "label 3", "neither -1 nor 1", "0 and 1"]),
        ("x1,x2,label\n1,2,a\n1,2,a\n", ["label", "only label", "'a'", "labels=(minus, plus)"]),
        ("x1,x2,label\n1,2,a\n1,2,b\n1,2,c\n", ["Row 4", "'c'"]),
        ("x1,x2,label\n1,2,a\n1,2,\n", ["Row 3", "''"]),
    ],
)
def test_a_bad_table_is_refused_by_row_and_column(text, fragments):
    with pytest.raises(BadInput) as caught:
        Dataset.from_csv(text)
    assert [f for f in fragments if f not in str(caught.value)] == []


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        ("{", ["not JSON"]),
        ("3", ["Expected", '"X"']),
        ('{"X": [[1, 2]]}', ["Expected"]),
        ('{"X": [[1, 2]], "y": [1, -1]}', ["1 rows", "2 labels"]),
        ('{"X": [[1, 2], [3]], "y": [1, -1]}', ["Row 2", "2 coordinates"]),
        ('{"X": [[1, null]], "y": [1]}', ["Row 1", "x2", "None"]),
        ('{"X": [[1, NaN]], "y": [1]}', ["Row 1", "x2", "nan"]),
        ('{"X": [[1, true]], "y": [1]}', ["Row 1", "x2", "True"]),
        ('{"X": [[1, 2], [1, 2], [1, 2]], "y": [1, 5, 0]}', ["Row 3", "label 0", "neither 1 nor 5"]),
        ('[{"x1": 1, "x2": 2}]', ["Row 1", "''"]),
        ('[{"x1": 1, "x2": 2, "label": 1}, {"x1": 1, "x3": 2, "label": 1}]', ["Row 2", "['x1', 'x3']", "['x1', 'x2']"]),
        ('[{"x1": 1, "x2": 2, "label": 1}, {"x1": 1, "label": 1}]', ["Row 2", "['x1', 'x2']"]),
        ('[{"x1": 1, "label": 1}, {"x1": 1, "y": 1}]', ["Row 2", "['x1', 'y']"]),
        ('{"X": [[1, 2]], "y": [[1]]}', ["Row 1", "label", "[1]"]),
        ('{"X": [[1, 2]], "y": [%s]}' % ("[" * 300 + "]" * 300), ["Row 1", "label"]),
        ('{"X": [[1, %s]], "y": [1]}' % ("[" * 900 + "]" * 900), ["Row 1", "x2"]),
        ('{"X": [[1, 2]], "y": [%s]}' % ("9" * 5000), ["not JSON"]),
        ("[" * 100000, ["not JSON"]),
    ],
)
def test_a_bad_json_text_is_refused_by_row(text, fragments):
    with pytest.raises(BadInput) as caught:
        Dataset.from_json(text)
    assert [f for f in fragments if f not in str(caught.value)] == []


def test_arrays_are_copies_that_nobody_can_write():
    X, y, ids = np.zeros((2, 2)), np.array([1.0, -1.0]), np.array([5, 6])
    data = Dataset(X, y, ids)
    X[0, 0], y[0], ids[0] = 9, -1, 9
    assert data.X[0, 0] == 0
    assert data.y[0] == 1
    assert data.ids.tolist() == [5, 6]
    for array in (data.X, data.y, data.ids):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(AttributeError):
        data.X = X


def test_a_dataset_may_be_empty_or_of_one_class():
    empty = Dataset([], [])
    assert (empty.m, empty.d, empty.both_classes) == (0, 2, False)
    for one_class in (-1, 1):
        assert not Dataset([[1, 2], [3, 4]], [one_class, one_class]).both_classes


def test_the_key_depends_on_points_labels_and_ids():
    base = Dataset([[0, 1], [2, 3]], [1, -1])
    others = [
        Dataset([[0, 1], [2, 4]], [1, -1]),
        Dataset([[0, 1], [2, 3]], [-1, 1]),
        Dataset([[0, 1], [2, 3]], [1, -1], [1, 0]),
        Dataset([[2, 3], [0, 1]], [1, -1]),
    ]
    assert len({d.key for d in [base, *others]}) == 5
    assert Dataset(base.X, base.y).key == base.key


@given(tables())
def test_csv_brings_back_every_bit(data):
    assert same_bits(Dataset.from_csv(data.to_csv()), data)


@given(tables())
def test_json_brings_back_every_bit(data):
    assert same_bits(Dataset.from_json(data.to_json()), data)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_usual_dialects_are_read(delimiter, newline):
    text = "\ufeff" + newline.join(["x1,x2,label", "0.5,-1e3,1", "", "2,3,-1", ""]).replace(",", delimiter)
    data = Dataset.from_csv(text)
    assert data.X.tolist() == [[0.5, -1000], [2, 3]]
    assert data.y.tolist() == [1, -1]


@pytest.mark.parametrize(
    ("raw", "y"),
    [
        (["1", "-1", "+1"], [1, -1, 1]),
        (["0", "1", "1"], [-1, 1, 1]),
        (["1", "1", "1"], [1, 1, 1]),
        (["-1.0", "1.0", "1"], [-1, 1, 1]),
        (["pear", "apple", "pear"], [1, -1, 1]),
        (["yes", "1", "yes"], [1, -1, 1]),
    ],
)
def test_labels_may_be_signs_bits_or_two_names(raw, y):
    rows = [f"{i},0,{label}" for i, label in enumerate(raw)]
    assert Dataset.from_csv("\n".join(["x1,x2,label", *rows])).y.tolist() == y


def test_the_label_column_is_recognised_by_name_and_rows_of_json_may_be_objects():
    assert Dataset.from_csv("label,x1,x2\n1,5,6\n-1,7,8\n").X.tolist() == [[5, 6], [7, 8]]
    data = Dataset.from_json('[{"x1": 5, "label": "b", "x2": 6}, {"x2": 8, "x1": 7, "label": "a"}]')
    assert data.X.tolist() == [[5, 6], [7, 8]]
    assert data.y.tolist() == [1, -1]


@pytest.mark.parametrize(
    "text",
    [
        "0.5,-1,1\n1.5,2,-1\n",
        "0.5,-1,1\n1.5,2,0\n",
        "0,5;-1;1\n1,5;2;-1\n",
        "0,5;-1,0;1,0\n1,5;2,0;-1,0\n",
        "x1;x2;label\n0,5;-1;a2\n1,5;2;a1\n",
        "x1\tx2\tclass\n0,5\t-1\t1\n+1,5\t2\t-1\n",
        'label;x1;x2\n"b,c";0,5;-1\n"a,c";1,5;2\n',
    ],
)
def test_tables_of_european_spreadsheets_and_without_a_header_are_read(text):
    data = Dataset.from_csv(text)
    assert data.X.tolist() == [[0.5, -1], [1.5, 2]]
    assert data.y.tolist() == [1, -1]


def test_a_comma_that_separates_is_no_decimal_comma():
    assert Dataset.from_csv("x1,x2,label\n1,5,1\n2,5,-1\n").X.tolist() == [[1, 5], [2, 5]]
    assert Dataset.from_csv("1,5,1\n2,5,-1\n").X.tolist() == [[1, 5], [2, 5]]


def test_a_header_may_number_its_columns_where_that_is_what_it_must_be():
    for text in ("0,1,label\n5,6,1\n7,8,-1\n", "class,0,1\n1,5,6\n0,7,8\n", ",,label\n5,6,1\n7,8,-1\n"):
        data = Dataset.from_csv(text)
        assert data.X.tolist() == [[5, 6], [7, 8]]
        assert data.y.tolist() == [1, -1]
    assert Dataset.from_csv(",x1,x2,label\n0,5,6,a\n1,7,8,b\n").X.tolist() == [[0, 5, 6], [1, 7, 8]]


def test_a_coordinate_called_y_is_a_coordinate_where_the_label_has_a_name_of_its_own():
    for label in ("label", "class"):
        data = Dataset.from_json(json.dumps([{"x": 5, "y": 6, label: 1}, {"x": 7, "y": 8, label: -1}]))
        assert data.X.tolist() == [[5, 6], [7, 8]]
        assert data.y.tolist() == [1, -1]
        assert same_bits(Dataset.from_csv(f"x,y,{label}\n5,6,1\n7,8,-1\n"), data)


@pytest.mark.parametrize("name", DATASETS)
def test_a_generator_is_seeded_rounded_inside_the_square_and_of_the_size_asked_for(name):
    data = make_dataset(name, 31, 0.4, seed=8)
    assert same_bits(data, make_dataset(name, 31, 0.4, seed=8))
    fixed = {"lattice": 50, "four_corners": 4, "idle_margin": 8}
    assert data.m == fixed.get(name, 31)
    assert np.abs(data.X).max() <= 4
    assert all(float(f"{v:.3f}") == v for v in data.X.ravel())
    assert not (np.signbit(data.X) & (data.X == 0)).any()
    assert data.both_classes


@pytest.mark.parametrize("name", [n for n in DATASETS if n not in ("one_against_many", "collinear", "idle_margin")])
def test_classes_are_as_equal_as_the_size_allows(name):
    for m in (40, 41):
        assert abs(make_dataset(name, m, 0.1).y.sum()) <= 1


@pytest.mark.parametrize("name", [n for n, r in DATASETS.items() if r.uses_randomness])
def test_another_seed_gives_other_points_unless_the_board_is_regular(name):
    regular = name in ("collinear", "interval")
    assert same_bits(make_dataset(name, 20, seed=1), make_dataset(name, 20, seed=2)) == regular


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        ({"name": "blobs"}, ["name", "'blobs'", "overlapping"]),
        ({"name": "moons", "m": 1}, ["m:", "2 to 5000"]),
        ({"name": "moons", "m": 5001}, ["m:", "5001"]),
        ({"name": "xor", "m": 3}, ["m:", "4 to 5000"]),
        ({"name": "moons", "m": 20.5}, ["m:", "20.5"]),
        ({"name": "moons", "noise": -0.1}, ["noise:", "-0.1"]),
        ({"name": "moons", "noise": math.nan}, ["noise:", "nan"]),
        ({"name": "moons", "seed": -1}, ["seed:", "-1"]),
    ],
)
def test_a_bad_order_to_a_generator_is_refused(arguments, fragments):
    with pytest.raises(BadInput) as caught:
        make_dataset(**arguments)
    assert [f for f in fragments if f not in str(caught.value)] == []


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("noise", [0.0, 0.5, 1.0])
def test_the_separable_board_is_separable_whatever_the_noise_and_the_overlapping_one_is_not(seed, noise):
    assert separate(make_dataset("separable", 60, noise, seed)).separable
    assert not separate(make_dataset("overlapping", 60, max(noise, 0.3), seed)).separable


@pytest.mark.parametrize("name", ["xor", "circles", "interval"])
@pytest.mark.parametrize("seed", range(3))
def test_three_boards_need_a_kernel(name, seed):
    data = make_dataset(name, 60, 0.0, seed)
    assert not separate(data, Linear()).separable
    assert separate(data, Polynomial(2)).separable
    assert separate(data, Gaussian(0.5)).separable


@pytest.mark.parametrize("name", ["moons", "spirals"])
def test_moons_and_spirals_need_more_than_a_line(name):
    data = make_dataset(name, 60, 0.0)
    assert not separate(data, Linear()).separable
    assert separate(data, Gaussian(0.3)).separable


def test_the_collinear_board_lies_on_one_line_and_overlaps():
    data = make_dataset("collinear", 6)
    assert data.X[:, 0].tolist() == (2 * data.X[:, 1]).tolist()
    assert not separate(data).separable


def test_one_against_many_has_one_positive_point():
    for seed in range(5):
        assert (make_dataset("one_against_many", 40, seed=seed).y > 0).sum() == 1


def test_the_interval_lies_on_the_axis_with_one_class_inside():
    data = make_dataset("interval", 41)
    assert not data.X[:, 1].any()
    assert np.abs(data.X[data.y > 0, 0]).max() < np.abs(data.X[data.y < 0, 0]).min()


def test_the_lattice_is_its_own_mirror_image():
    data = make_dataset("lattice")
    points = {(x1, x2, y) for (x1, x2), y in zip(data.X.tolist(), data.y.tolist(), strict=True)}
    assert points == {(-x1, x2, -y) for x1, x2, y in points}


@pytest.mark.parametrize("read", [Dataset.from_csv, Dataset.from_json, Classes.from_csv, Values.from_csv, read_table])
def test_the_name_of_a_file_or_an_open_file_is_refused_with_the_way_to_its_text(read, tmp_path):
    file = tmp_path / "points.csv"
    file.write_text("x1,x2,label\n1,2,1\n", encoding="utf-8")
    with file.open(encoding="utf-8") as opened:
        for source in ("points.csv", "POINTS.JSON", file, opened):
            assert "expected the text of a file" in _message(read, source)
    assert "Path('points.csv')" in _message(read, "points.csv")
    assert "expected a text, got 5" in _message(read, 5)


def _message(read, source):
    with pytest.raises(BadInput) as caught:
        read(source)
    return str(caught.value)


def test_points_with_one_coordinate_need_a_column():
    with pytest.raises(BadInput, match=r"reshape\(-1, 1\)"):
        Values(np.arange(3.0), np.arange(3.0))
    with pytest.raises(BadInput) as caught:
        Values(np.zeros((2, 2, 2)), np.arange(2.0))
    assert "reshape" not in str(caught.value)

"""Tables as people have them: how they are read, which columns they offer, and the points that follow."""

from __future__ import annotations

import math

import numpy as np
import pytest

from svmlab import BadInput, Dataset
from svmlab.data import breast_cancer, read_table
from svmlab.data.table import MOST_VALUES, Scaling, sample_rows, standardising, stretching

PEOPLE = """name;size;weight;age;group
Anna;1,75;61,5;34;a
Ben;1,82;NA;41;b
Cleo;;70,25;28;a
"""


def numbers(text: str) -> list[list[float]]:
    return [column.numbers.tolist() for column in read_table(text).columns]


def test_a_table_of_a_european_spreadsheet_is_read_with_its_text_and_its_gaps():
    table = read_table(PEOPLE)
    assert (table.m, table.separator, table.decimal_comma, table.has_header) == (3, ";", True, True)
    assert [column.name for column in table.columns] == ["name", "size", "weight", "age", "group"]
    assert table.rows.tolist() == [2, 3, 4]
    assert table.head[1] == ("Ben", "1,82", "NA", "41", "b")
    assert table.numeric == (1, 2, 3)
    np.testing.assert_array_equal(table.columns[1].numbers, [1.75, 1.82, math.nan])
    assert table.columns[2].missing.tolist() == [False, True, False]
    assert table.columns[4].values == ("a", "b")
    assert table.columns[4].codes.tolist() == [0, 1, 0]
    assert table.complete((1, 2)).tolist() == [True, False, False]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_separator_and_every_end_of_line_is_read(separator, newline):
    rows = ["\ufeffa,b,kind", "", "1.5,2,x", ",,", "-3e2,0.5,y", ""]
    table = read_table(newline.join(rows).replace(",", separator))
    assert (table.separator, table.decimal_comma) == (separator, False)
    assert [column.numbers.tolist()[:2] for column in table.columns[:2]] == [[1.5, -300], [2, 0.5]]
    assert table.rows.tolist() == [3, 5]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a;b;k\n1.234,5;2;x\n-2.000;3;y\n", [1234.5, -2000]),
        ('a,b,k\n"1,234.5",2,x\n"2,000",3,y\n', [1234.5, 2000]),
        ("a;b;k\n1 234,5;2;x\n−2\u202f000,25;3;y\n", [1234.5, -2000.25]),
        ("a\tb\tk\n1'234.5\t2\tx\n2’000\t3\ty\n", [1234.5, 2000]),
        ("a;b;k\n1,234;2;x\n2,345;3;y\n", [1.234, 2.345]),  # beside semicolons a comma is decimal
        ('a,b,k\n"1,234",2,x\n"2,345",3,y\n', [1234, 2345]),  # beside commas it forms groups
        ("a;b;k\n1.234;2,5;x\n2.345;3,5;y\n", [1234, 2345]),  # the other column has decimal commas
        ("a;b;k\n0.234;2,5;x\n2.345;3,5;y\n", [0.234, 2.345]),  # no group begins with 0
        ("a,b,k\n1e3,2,x\n.5,3,y\n", [1000, 0.5]),
    ],
)
def test_numbers_are_read_with_decimal_points_commas_and_groups_of_three(text, expected):
    assert numbers(text)[0] == expected


@pytest.mark.parametrize("cell", ["", "NA", "n/a", "NaN", "null", "None", "?", "-", "#N/A"])
def test_a_missing_value_is_no_value_of_a_label_and_no_number(cell):
    table = read_table(f"a,b,k\n1,2,x\n{cell},3,{cell}\n4,5,y\n")
    assert table.columns[0].missing.tolist() == [False, True, False]
    assert table.columns[0].first_invalid_cell is None
    assert table.columns[2].values == ("x", "y")
    assert table.columns[2].codes.tolist() == [0, -1, 1]


@pytest.mark.parametrize("cell", ["inf", "-Infinity", "1e999", "1_000", "12 kg", "1.2.3", "٣"])
def test_a_cell_that_is_no_finite_number_is_remembered_with_its_row(cell):
    column = read_table(f"a,b\n1,2\n3,4\n{cell},5\n").columns[0]
    assert np.isnan(column.numbers).tolist() == [False, False, True]
    assert column.first_invalid_cell == (4, cell)
    assert column.is_numeric


def test_quoted_cells_may_contain_separators_quotation_marks_and_ends_of_lines():
    table = read_table('"a, b","c\nd",k\n1,2,"x; ""y"""\n3,4,"z\nz"\n')
    assert [column.name for column in table.columns] == ["a, b", "c d", "k"]
    assert set(table.columns[2].values) == {'x; "y"', "z\nz"}
    assert table.rows.tolist() == [3, 5]


def test_names_that_are_missing_or_repeated_get_a_number():
    table = read_table("a,a,,k\n1,2,3,x\n4,5,6,y\n")
    assert [column.name for column in table.columns] == ["a (1)", "a (2)", "column 3", "k"]


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("1,2,1\n3,4,5\n", False),
        ("842302,M,17.99\n842517,M,20.57\n84300903,B,19.69\n", False),
        ("0.5,1.2,y\n3,4,n\n", False),
        ("0,1,label\n3,4,5\n", True),
        ("a,b\nc,d\n", True),  # nothing but text
        ("NA,1.2,blue\n3,4,red\n", False),
    ],
)
def test_the_first_row_has_the_names_if_it_has_text_above_numbers(text, header):
    table = read_table(text)
    assert table.has_header is header
    assert table.m == len(text.splitlines()) - header
    if not header:
        assert table.columns[0].name == "column 1"


def test_titles_and_the_instruction_of_a_spreadsheet_are_no_rows_and_empty_columns_go():
    table = read_table("sep=;\nExport 2024;;;\n\na;b;k;\n1;2;x;\n3;4;y\n")
    assert (table.titles, table.rows.tolist()) == (1, [5, 6])
    assert [column.name for column in table.columns] == ["a", "b", "k"]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("class,a,b,k\nu,1,2,x\nv,3,4,y\n", "class"),  # by its name
        ("k,a,j,b\nu,1,x,2\nv,3,y,4\n", "b"),  # the last one with two values
        ("x,y,colour\n1,2,red\n2,1,blue\n3,3,red\n", "colour"),  # y beside x is a coordinate
        ("x,y\n1,2\n2,1\n3,3\n", "y"),
        ("k,a,b\nu,1,2\nv,3,4\nw,5,6\n", "k"),  # the last one of text
        ("Target,a,k\n1,2,x\n2,3,y\n", "Target"),
    ],
)
def test_the_label_is_guessed_by_its_name_then_by_two_values_then_as_text(text, label):
    table = read_table(text)
    assert table.columns[table.label].name == label


def test_numbers_whose_difference_is_too_large_number_no_rows():
    assert not read_table("x,y,c\n1e308,1,P\n-1e308,2,Q\n1e308,3,P\n").columns[0].is_identifier


def test_columns_that_number_the_rows_come_last_and_columns_with_two_values_after_the_others():
    rows = "".join(f"{i},{i % 2},{i * i},{i % 5 + 0.5},{'ab'[i % 2]}\n" for i in range(1, 40))
    table = read_table("id,smoker,weight,height,k\n" + rows)
    assert [table.columns[i].name for i in table.features(table.label)] == ["weight", "height", "smoker", "id"]


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        ("", ["empty"]),
        (" \n\n", ["empty"]),
        ("a\n1\n2\n", ["Row 1", "'a'", "commas, semicolons or tabs"]),
        ("a,b,k\n", ["no rows", "Add a row"]),
        ("a,b,k\n1,2,x\n3,4,y,z\n", ["Row 3", "4 cells", "3", "quotation marks"]),
        ("a,b\n1," + "x" * 200_000 + "\n", ["not a table"]),
    ],
)
def test_what_is_no_table_is_refused_by_row_and_rule(text, fragments):
    with pytest.raises(BadInput) as caught:
        read_table(text)
    assert [f for f in fragments if f not in str(caught.value)] == []


def test_ten_thousand_rows_are_read_and_many_values_are_no_label():
    table = read_table("a;b;c\n" + "".join(f"{i},5;{i % 7};{i % (MOST_VALUES + 1)}\n" for i in range(10_000)))
    assert table.m == 10_000
    assert table.columns[0].numbers[-1] == 9999.5
    assert table.possible_labels == (1,)
    assert table.columns[1].values == tuple("0123456")


def test_a_dataset_of_chosen_columns_leaves_out_rows_without_a_value():
    table = read_table(PEOPLE + "Dana;1,6;55;50;b\n")
    data = table.dataset(["size", "age"], "group")
    assert data.X.tolist() == [[1.75, 34], [1.82, 41], [1.6, 50]]
    assert (data.y.tolist(), data.labels) == ([-1, 1, 1], ("a", "b"))
    same = Dataset.from_csv("size,age,group\n1.75,34,a\n1.82,41,b\n1.6,50,b\n")
    assert data.key == same.key


def test_a_value_of_the_label_is_plus_and_another_one_or_all_others_are_minus():
    table = read_table("a,b,k\n1,2,x\n3,4,y\n5,6,z\n7,8,x\n")
    rest = table.dataset(["a"], "k", plus="x")
    assert (rest.X.ravel().tolist(), rest.y.tolist()) == ([1, 3, 5, 7], [1, -1, -1, 1])
    assert rest.labels == ("not x", "x")
    two = read_table("a,b,k\n1,2,x\n3,4,y\n").dataset(["a"], "k", plus="x")
    assert (two.labels, two.y.tolist()) == (("y", "x"), [1, -1])  # the only other value keeps its name
    pair = table.dataset(["b", "a"], "k", plus="x", minus="z")
    assert (pair.X.tolist(), pair.y.tolist()) == ([[2, 1], [6, 5], [8, 7]], [1, -1, 1])


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        ((["a", "nothing"], "k"), ["'nothing'", "Choose from 'a', 'b', 'k'"]),
        ((["a"], "nothing"), ["'nothing'", "Choose from"]),
        ((["a", "k"], "b"), ["Row 2", "column 'k'", "'x'", "not a number"]),
        ((["a"], "k"), ["Row 4", "'z'", "two names"]),
        ((["a"], "k", "w"), ["'w'", "no such value", "'x', 'y', 'z'"]),
        ((["a"], "k", "x", "w"), ["'w'", "no such value"]),
        (([], "k"), ["features", "at least one"]),
    ],
)
def test_columns_and_values_that_do_not_fit_are_refused_by_name(arguments, fragments):
    table = read_table("a,b,k\n1,2,x\n3,4,y\n5,6,z\n")
    with pytest.raises(BadInput) as caught:
        table.dataset(*arguments)
    assert [f for f in fragments if f not in str(caught.value)] == []


def test_a_table_of_measured_tumours_is_the_data_set_of_the_package():
    X, y = breast_cancer(("radius", "texture"))
    rows = "".join(
        f"{a!r},{b!r},{'malignant' if s > 0 else 'benign'}\n" for (a, b), s in zip(X.tolist(), y, strict=True)
    )
    data = read_table("radius,texture,diagnosis\n" + rows).dataset(["radius", "texture"], "diagnosis")
    assert data.X.tolist() == X.tolist()
    assert data.y.tolist() == y.tolist()


def test_standardised_values_have_mean_0_and_deviation_1_in_a_unit_of_four_digits():
    values = np.array([100_000.0, 100_000.5, 100_002.25, 99_999.0])
    scaling = standardising(values)
    scaled = scaling.applied(values)
    assert scaled.mean() == pytest.approx(0, abs=1e-3)
    assert scaled.std() == pytest.approx(1, rel=1e-3)
    assert scaling == Scaling(100_000.438, 1.178)
    assert standardising(np.full(5, 7.5)) == Scaling(7.5, 1.0)
    assert standardising(np.array([])) == Scaling(0.0, 1.0)


def test_stretched_values_reach_both_ends():
    values = np.array([-3.0, 12.0, 4.0])
    scaling = stretching(values, 7.0)
    assert scaling == Scaling(4.5, 1.071)
    assert scaling.applied(values).tolist() == pytest.approx([-7, 7, -0.5 / 1.071], rel=1e-3)


def test_drawn_rows_are_different_in_order_and_the_same_for_the_same_seed():
    rows = np.arange(50, 1050)
    labels = np.where(rows % 10 == 0, 1, -1)
    drawn = sample_rows(rows, labels, 300, 4)
    assert len(set(drawn.tolist())) == 300
    assert (np.diff(drawn) > 0).all()
    assert set(drawn.tolist()) <= set(rows.tolist())
    assert drawn.tolist() == sample_rows(rows, labels, 300, 4).tolist()
    assert drawn.tolist() != sample_rows(rows, labels, 300, 5).tolist()
    assert sample_rows(rows[:300], labels[:300], 300, 4).tolist() == rows[:300].tolist()


@pytest.mark.parametrize(
    ("counts", "drawn"),
    [
        ((685, 363, 68), (184, 98, 18)),
        ((1000, 1), (299, 1)),
        ((500, 500), (150, 150)),
        ((997, 1, 1, 1), (297, 1, 1, 1)),
    ],
)
def test_each_label_keeps_its_share_of_the_rows_that_are_drawn(counts, drawn):
    labels = np.repeat(np.arange(len(counts)), counts)
    rows = sample_rows(np.arange(len(labels)), labels, 300, 1)
    assert np.bincount(labels[rows]).tolist() == list(drawn)

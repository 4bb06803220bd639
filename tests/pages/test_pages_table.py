"""What editing the table of points does."""

import pytest

from svmlab import BadInput
from svmlab.lab.bench.tabs.points import edited_rows, points_table
from svmlab.lab.session import inbox
from svmlab.lab.session.controls import MAX_POINTS
from svmlab.lab.session.lab import Lab, Point
from svmlab.lab.session.state import History
from svmlab.lab.session.tab import Session

LAB = Lab(points=(Point(1, 1000, 0, 1), Point(4, -1000, 0, -1), Point(7, 0, 500, 1)))
IDS = [1, 4, 7]


def test_a_changed_cell_moves_one_point() -> None:
    rows = edited_rows(LAB, IDS, {"edited_rows": {1: {"x1": -2.125}}})
    assert rows == [[1, 1.0, 0.0, 1], [4, -2.125, 0.0, -1], [7, 0.0, 0.5, 1]]


@pytest.mark.parametrize(
    ("text", "x"), [("-2.125", -2.125), ("1,5", 1.5), ("1/8", 0.125), ("−3", -3.0), ("8.000", 8.0)]
)
def test_a_cell_is_read_as_people_write_numbers(text: str, x: float) -> None:
    assert edited_rows(LAB, IDS, {"edited_rows": {1: {"x1": text}}})[1] == [4, x, 0.0, -1]


def test_added_rows_get_new_ids_and_the_current_class() -> None:
    rows = edited_rows(LAB, IDS, {"added_rows": [{"x1": 3.0}, {}]})
    assert rows[3:] == [[8, 3.0, 0.0, 1], [9, 0.0, 0.0, 1]]


def test_deleted_rows_go() -> None:
    assert [r[0] for r in edited_rows(LAB, IDS, {"deleted_rows": [0, 2]})] == [4]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"x1": None}, "Row 2, x1"),
        ({"x2": 9.5}, "Row 2, x2"),
        ({"x2": "9.5"}, "Row 2, x2: `'9.5'` is not a number from −8 to 8"),
        ({"label": 0}, "Row 2, class"),
        ({"x1": "one"}, "Row 2, x1: `'one'` is not"),
        ({"x1": "![a`](b)"}, r"Row 2, x1: ``'!\[a`\]\(b\)'`` is not"),
        ({"label": "**1**"}, r"Row 2, class: `'\*\*1\*\*'` is neither"),
    ],
)
def test_a_bad_cell_is_refused_with_its_row_and_its_rule(change: dict, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        edited_rows(LAB, IDS, {"edited_rows": {1: change}})


def test_rows_beyond_the_limit_are_refused_in_words() -> None:
    rows = [{"x1": n / 100} for n in range(MAX_POINTS - 3)]
    assert len(edited_rows(LAB, IDS, {"added_rows": rows})) == MAX_POINTS
    with pytest.raises(BadInput, match=f"at most {MAX_POINTS} points"):
        edited_rows(LAB, IDS, {"added_rows": [*rows, {}]})


def test_a_point_deleted_on_the_board_meanwhile_stays_deleted() -> None:
    rows = edited_rows(Lab(points=LAB.points[1:]), IDS, {"edited_rows": {0: {"x1": 0.5}, 2: {"x1": 0.25}}})
    assert rows == [[4, -1.0, 0.0, -1], [7, 0.25, 0.5, 1]]


def test_the_table_shows_what_the_svm_says() -> None:
    session = Session(History(LAB))
    table = points_table(session)
    assert list(table["label"]) == [1, -1, 1]
    assert session.outcome is not None
    assert list(table["alpha"]) == list(session.outcome.solution.alpha)
    assert {"xi", "yf", "category"} <= set(table.columns)


def test_an_edit_of_the_table_is_one_step_of_undo() -> None:
    session = Session(History(LAB))
    inbox.do(
        session, {"op": "points", "points": edited_rows(LAB, IDS, {"edited_rows": {0: {"x1": 0.25}}})}, strict=True
    )
    assert session.lab.points[0].x == 250
    inbox.do(session, {"op": "undo"})
    assert session.lab.points == LAB.points

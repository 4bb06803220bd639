"""The step on the VC dimension of lines: what it counts, draws and sets is true of the board."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import replace

import numpy as np
import pytest

from svmlab import Dataset, Linear, separate
from svmlab.lab.lessons.generalisation import LESSON
from svmlab.lab.lessons.generalisation import four as step_four
from svmlab.lab.session import state
from svmlab.lab.session.state import History
from svmlab.lab.teach import small_boards
from svmlab.lab.teach.boards import board_of_points
from tests.lessons import stage_of

STEP = LESSON.step("four")


def at(board=None, **more):
    """The step shown on its own board or another."""
    return replace(stage_of(LESSON, board or STEP.board()), **more)


def after(op, lab):
    return state.apply(History(lab), op).present


def cells(markup):
    """The class of each small board by its id."""
    return {int(id_): kind for kind, id_ in re.findall(r'class="(some|none)" data-id="(\d+)"', markup)}


def test_four_points_have_sixteen_small_boards_and_lines_realise_fourteen():
    stage = at()
    cell_kinds = cells(STEP.chart(stage).markup)
    assert sorted(cell_kinds) == list(range(16))
    assert sum(kind == "some" for kind in cell_kinds.values()) == 14
    assert [reading.text for reading in STEP.readings(stage)] == ["14 of 16", "1"]
    assert "14 of 16" in STEP.verdict_text(stage)


def test_opposites_stand_beside_each_other():
    order = list(cells(STEP.chart(at()).markup))
    assert all(a + b == 15 for a, b in zip(order[::2], order[1::2], strict=True))


def test_a_line_is_where_the_certificate_is():
    stage = at(step_four.FIVE())
    for number, kind in cells(STEP.chart(stage).markup).items():
        y = step_four.labelled(stage)[number].y
        assert (kind == "some") == separate(Dataset(stage.data.X, y), Linear()).separable
    assert sum(kind == "some" for kind in cells(STEP.chart(stage).markup).values()) == 22


@pytest.mark.parametrize(
    ("lab", "counts"), [(step_four.BOARD(), [12, 8, 8]), (step_four.THREE(), [6, 6])], ids=["four", "three"]
)
def test_points_pushed_into_a_row_lose_labellings(lab, counts):
    push = next(each.op for each in STEP.tries if each.label == "Push into a row")
    seen = []
    for _ in counts:
        lab = after(push(at(lab)), lab)
        assert len({(p.x, p.y) for p in lab.points}) == len(lab.points), "no two in one place"
        seen.append(step_four.realised(at(lab)))
    assert seen == counts


def test_a_click_puts_the_labels_of_a_small_board_on_the_points_and_undo_takes_them_back():
    lab = STEP.board()
    part = STEP.chart(at(lab))
    history = state.apply(History(lab), part.on_click(5))
    assert [p.label for p in history.present.points] == [-1, 1, -1, 1]
    assert [(p.id, p.x, p.y) for p in history.present.points] == [(p.id, p.x, p.y) for p in lab.points]
    assert 'data-id="5" aria-pressed="true"' in STEP.chart(at(history.present)).markup
    assert state.apply(history, {"op": "undo"}).present.points == lab.points


def test_the_board_has_the_line_of_its_labels_or_the_crossing():
    stage = at()
    drawn = STEP.draw(stage)
    assert drawn["lines"] is None
    assert drawn["witness"]["ids"] == [1, 2, 3, 4]
    X = stage.data.X
    (a, b), (c, d) = (np.reshape(segment, (2, 2)) for segment in drawn["witness"]["segments"])
    for p, q in ((a, b), (c, d)):
        to, direction = np.array(drawn["witness"]["at"]) - p, q - p
        assert to[0] * direction[1] - to[1] * direction[0] == pytest.approx(0, abs=1e-9), "the point is on both"
    made = after(step_four.put(stage, 1), stage.lab)
    drawn = STEP.draw(at(made))
    assert drawn["witness"] is None
    (line,) = drawn["lines"]["zero"]
    p, q = np.reshape(line, (2, 2))
    side = (X - p) @ np.array([p[1] - q[1], q[0] - p[0]])
    assert len(set(np.sign(side) * made.data.y)) == 1


def test_small_boards_follow_a_drag_and_say_what_the_chart_says():
    lab = after({"op": "move", "id": 3, "x": -0.4, "y": -0.6}, STEP.board())
    moving = at(lab, moving=True, dragging=True, request_work=None)
    assert STEP.draw(moving)["table"] == STEP.chart(at(lab)).markup
    assert STEP.draw(moving)["table"] != STEP.draw(at())["table"]


def test_before_it_is_shown_nothing_is_given_away():
    stage = at(shown=False)
    drawn = STEP.draw(stage)
    assert (drawn["lines"], drawn["shade"], drawn["witness"], drawn.get("table")) == (None, None, None, None)
    assert STEP.readings(stage) == []


def test_one_class_alone_and_points_in_one_place_are_shown_too():
    stage = at(board_of_points(((1, 1, 1), (1, 1, 1), (-1, 0, 1)))())
    cell_kinds = cells(STEP.chart(stage).markup)
    assert sum(kind == "some" for kind in cell_kinds.values()) == 4
    assert STEP.draw(stage)["lines"]["zero"] == []
    assert "8" in STEP.readings(stage)[0].text


def test_the_words_around_the_chart_follow_the_board():
    assert "shatter" in STEP.says(at(step_four.THREE()))
    assert STEP.verdict_text(at(step_four.FIVE())).endswith("The 5 points here: 22 of 32.")
    assert STEP.verdict_text(at()).endswith("Here: 14 of 16.")
    assert "− meet" in STEP.says(at())
    computed = next(part for part in STEP.more(at()) if isinstance(part, str) and "Two computations" in part)
    assert "a line for 14 of them" in computed
    assert "all labellings but 14." in computed


@pytest.mark.parametrize(("board", "m"), [(step_four.THREE, 3), (step_four.BOARD, 4), (step_four.FIVE, 5)])
def test_the_formula_has_the_number_for_points_of_which_no_three_are_in_a_row(board, m):
    assert step_four.realised(at(board())) == 2 * (1 + (m - 1) + math.comb(m - 1, 2))


def test_three_points_in_a_row_have_fewer_labellings_than_the_formula_says():
    for (X, _name), n in zip(step_four.CASES, step_four.realised_cases(), strict=True):
        rows = [np.array(X, dtype=float)[list(three)] for three in itertools.combinations(range(len(X)), 3)]
        in_a_row = any(abs(np.linalg.det(np.c_[each, np.ones(3)])) < 1e-9 for each in rows)
        m = len(X)
        assert (n < 2 * (1 + (m - 1) + math.comb(m - 1, 2))) == in_a_row


def test_sides_meet_at_the_line():
    half = 2.0
    plus, lines = small_boards.sides(
        small_boards.linear_values(np.array([1.0, 0.5]), 0.25, np.array([-half, half])), half
    )
    (corners,), (line,) = plus, lines
    assert (corners @ [1.0, 0.5] + 0.25 >= -1e-12).all()
    assert line @ [1.0, 0.5] + 0.25 == pytest.approx([0, 0])
    x, y = corners[:-1].T
    area = 0.5 * abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))
    assert area == pytest.approx(9.0)
    assert small_boards.sides(-np.ones((2, 2)), half) == ((), ())


@pytest.mark.parametrize(("x", "view", "half"), [(2.6, 4.0, 4.0), (2.0, 4.0, 3.0), (0.0, 4.0, 0.225), (7.9, 8.0, 8.0)])
def test_a_small_board_is_as_large_as_the_points_need(x, view, half):
    half_side = small_boards.half_side(Dataset(np.array([[x, 0.0]]), [1]), view)
    assert half_side == pytest.approx(half, rel=0.05)


def test_words_of_a_small_board_are_no_markup():
    one = small_boards.SmallBoard(0, np.array([1.0]), 'a "quoted" <b>')
    assert "<b>" not in small_boards.boards(np.zeros((1, 2)), [one], 1.0, None, 1, "<i>")

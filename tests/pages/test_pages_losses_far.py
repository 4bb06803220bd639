"""What the step on a far point's weight says is true of the board that it stands on."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from svmlab.lab.lessons.losses import LESSON
from svmlab.lab.lessons.losses.far import BOARD, ROWS, WRONG, changed_parts, far_row, lines
from svmlab.lab.lessons.losses.names import colour, pen
from svmlab.lab.lessons.losses.pulls import LINES
from svmlab.lab.session.state import History, apply
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.step import Table
from svmlab.plot.palette import DARK, LIGHT
from tests.lessons import stage_of

STEP = LESSON.step("far")
ROOT = Path(__file__).parents[2]


def at(name="squared", board=None, shown=True):
    stage = stage_of(LESSON, board or BOARD(), shown)
    return replace(stage, picks={**stage.picks, "pull": name})


def readings(stage):
    return {reading.name: reading.text for reading in STEP.numbers(stage)}


def test_least_squares_alone_follows_on_the_board_of_the_step():
    assert STEP.answer(at()) == 0
    assert readings(at()) == {"pull of the point": "0.4893", "line turns by": "−34.4°", "errors": "0"}
    for name in LINES[1:]:
        assert readings(at(name))["line turns by"] == "0°"
        assert 0 <= float(STEP.numbers(at(name))[0].exact) < 1e-6
    assert readings(at("hinge"))["pull of the point"] == "0"


def test_with_the_wrong_label_the_svm_follows_and_makes_the_fewest_errors():
    assert STEP.answer(at(board=WRONG())) == 1
    errors = {name: readings(at(name, WRONG()))["errors"] for name in LINES}
    assert errors == {"squared": "4", "logistic": "4", "exponential": "5", "hinge": "1", "sigmoid": "1"}


def test_where_the_point_stands_among_the_others_nothing_follows():
    rows = [(x, y, 1 if x > 0 else -1) for x in (-2.5, -2, -1.5, -1, 1, 1.5, 2, 2.5) for y in (-1, -0.5, 0, 0.5, 1)]
    stage = at(board=board_of_points(rows, face="lambda", value=0.01, selected=28)())
    assert max(changed_parts(stage).values()) <= 0.02
    assert STEP.answer(stage) == 3


def test_losses_without_a_kink_may_follow_where_the_svm_does_not():
    rows = [(1, 0.5, 1), (1, -0.5, 1), (-1, 0.5, -1), (-1, -0.5, -1), (1.1, 2, 1)]
    stage = at(board=board_of_points(rows, face="lambda", value=0.1, selected=5)())
    parts_changed = changed_parts(stage)
    assert parts_changed["hinge"] <= 0.02 < parts_changed["logistic"]
    assert STEP.answer(stage) == 2


def test_the_far_point_is_the_selected_one_or_else_the_farthest():
    assert far_row(at(board=replace(BOARD(), selected=None))) == 8
    stage = at(board=replace(BOARD(), selected=2))
    assert far_row(stage) == 1
    discs = [
        item["pts"][:2]
        for item in STEP.draw(at(board=replace(BOARD(), selected=None)))["overlay"]
        if item["kind"] == "disc"
    ]
    assert discs == [[7.0, 7.0]]


def test_lines_come_only_once_shown_and_every_loss_has_its_own():
    assert STEP.draw(at(shown=False))["overlay"] == []
    items = STEP.draw(at("logistic", WRONG()))["overlay"]
    styles = [item["style"] for item in items if item["style"].startswith("loss-")]
    assert sorted(styles) == sorted(f"loss-{name}" for name in LINES)
    assert styles[-1] == "loss-logistic"
    drawn = dict(zip(styles, [item for item in items if item["style"].startswith("loss-")], strict=True))
    assert drawn["loss-logistic"]["width"] > drawn["loss-hinge"]["width"]
    for name, item in drawn.items():
        boundary = lines(at(board=WRONG()))[name.removeprefix("loss-")]
        ends = np.reshape(item["pts"], (2, 2))
        assert ends @ boundary.w + boundary.b == pytest.approx([0, 0], abs=1e-3)


def test_bars_are_as_tall_as_the_pulls():
    items = STEP.draw(at("exponential", WRONG()))["overlay"]
    bars = np.array([item["pts"] for item in items if item["style"] in ("plus", "minus")])
    pull = lines(at(board=WRONG()))["exponential"].pull
    tall = bars[:, 3] - bars[:, 1]
    assert tall / tall.max() == pytest.approx(pull / pull.max(), abs=1e-3)


def test_no_bar_leaves_the_board():
    for y in (7.0, 7.9, -7.9):
        stage = at("exponential", board_of_points((*ROWS, (7, y, -1)), face="lambda", value=0.01, selected=9)())
        bars = np.array([item["pts"] for item in STEP.draw(stage)["overlay"] if item["style"] in ("plus", "minus")])
        assert np.abs(bars).max() <= stage.lab.view
        assert (bars[:, 0] == 7).sum() == 1


def test_at_the_kink_of_the_hinge_the_pull_is_between_0_and_1():
    stage = at("hinge", WRONG())
    dots = next(trace for trace in STEP.chart(stage).figure.data if trace.name == "points")
    kink = np.abs(dots.x - 1) < 1e-6
    assert kink.any()
    assert ((dots.y[kink] > 0) & (dots.y[kink] < 1)).any()
    assert set(np.round(dots.y[~kink], 6)) <= {0.0, 1.0}


def test_the_buttons_carry_the_point_in_and_out():
    away = {}
    for label in ("Nearer", "Farther"):
        stage = at()
        op = next(each.op for each in STEP.tries if each.label == label)(stage)
        lab = apply(History(stage.lab), op).present
        away[label] = float(np.hypot(*lab.data.X[8]))
        assert np.abs(lab.data.X[8]).max() < 0.95 * lab.view, "the whole point is seen"
    assert away["Nearer"] < np.hypot(7, 7) < away["Farther"]
    assert max(map(abs, STEP.play(at())["from"])) < 3


def test_the_table_has_a_row_for_each_loss():
    table = next(part for part in STEP.more(at()) if isinstance(part, Table))
    assert table.markup.count("<tr") == 1 + len(LINES)
    assert "−34.4°" in table.markup


def test_a_line_on_the_board_is_coloured_and_dashed_as_in_the_charts():
    board = (ROOT / "svmlab/lab/board/js/board.css").read_text(encoding="utf-8")
    page = (ROOT / "svmlab/lab/teach/pick/js/pick.css").read_text(encoding="utf-8")
    said = re.findall(r"--(\w+): (#\w{6});", board)
    night = board[board.index('[data-theme="dark"] {') :]
    light = dict(reversed(said)) | {"accent": LIGHT.accent}
    dark = light | {"witness": re.search(r"--witness: (#\w{6});", night)[1], "accent": DARK.accent}
    for name in LINES:
        rule = re.search(rf"\.overlay \.loss-{name} \{{ stroke: var\(--(\w+)\);(.*)\}}", board)
        assert [light[rule[1]].upper(), dark[rule[1]].upper()] == [colour(name, LIGHT), colour(name, DARK)]
        assert ("dasharray" in rule[2]) == ("dash" in pen(name, LIGHT))
        swatch = re.search(rf'data-line="loss-{name}"\] \{{ border-color: light-dark\((#\w+), (#\w+)\)', page).groups()
        assert [hex_.upper() for hex_ in swatch] == [colour(name, LIGHT), colour(name, DARK)]

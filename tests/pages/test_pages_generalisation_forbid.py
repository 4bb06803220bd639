"""The step on labellings with a margin: numbers for lines and kernels, and three points (G3, G6, G8)."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from svmlab.lab.lessons.generalisation import LESSON, forbid
from svmlab.lab.session import state
from svmlab.lab.session.cache import Cache
from svmlab.lab.session.state import History
from svmlab.lab.teach.boards import board_of_points
from tests.lessons import DoneAtOnce, stage_of

STEP = LESSON.step("forbid")
ASK, CACHE = DoneAtOnce(), Cache()  # each board is worked out once for all tests
COUNTS = {  # at rho = 0, .15, .35, .45, .55
    "lines": [32, 32, 20, 8, 2],
    "square": [62, 62, 32, 2, 2],
    "cube": [64, 64, 46, 20, 2],
    "gaussian": [64, 64, 62, 14, 2],
}


def at(board=None, rho=None, **picks):
    """The step shown on its own board or another."""
    stage = replace(stage_of(LESSON, board or STEP.board(), ask=ASK), cache=CACHE)
    return replace(stage, dials={} if rho is None else {"kept": rho}, picks={**stage.picks, **picks})


def shown(stage):
    return [int(id_) for id_ in re.findall(r'data-id="(\d+)"', STEP.chart(stage).markup)]


@pytest.mark.parametrize("lifted", COUNTS)
def test_the_hexagon_has_the_counts_for_each_kernel(lifted):
    stage = at(lifted=lifted, left="which")
    for rho, count in zip((0.0, 0.15, 0.35, 0.45, 0.55), COUNTS[lifted], strict=True):
        stage = replace(stage, dials={"kept": rho})
        assert STEP.numbers(stage)[0].text == f"{count} of {COUNTS[lifted][0]}"
        assert 2 * len(shown(stage)) == count


def test_the_question_is_answered_by_the_board():
    assert STEP.answer(at()) == 2
    assert "Of 32 labellings, only 8 " in STEP.verdict_text(at())
    assert STEP.answer(at(forbid.TRIANGLE())) == 0
    assert "Each of the 8 labellings" in STEP.verdict_text(at(forbid.TRIANGLE()))
    some = board_of_points(((0.0, 1.0, 1), (0.87, -0.5, 1), (-0.87, -0.5, -1), (0.0, 0.0, -1)))()
    every, remaining = re.findall(r"\d+", STEP.verdict_text(at(some)))[:2]
    assert STEP.answer(at(some)) == (1 if 2 * int(remaining) > int(every) else 2)


def test_moving_rho_changes_what_is_left_and_not_the_answer():
    assert STEP.verdict_text(at(rho=0.1)) == STEP.verdict_text(at(rho=0.5))
    assert STEP.numbers(at(rho=0.1))[0].text == "32 of 32"


def test_both_ways_agree_on_lines():
    stage = at()
    one, other = forbid.all_margins(stage).margins["lines"], forbid.line_margins(stage)
    assert one == pytest.approx(other, abs=1e-9)


def test_three_points_far_apart_keep_the_margin_of_the_note():
    """G8: circumradius 4, margin 3 in all labellings, 1.126 among what they keep; .74 R too, .76 R not."""
    stage = at(forbid.TRIANGLE(), rho=1.126 / 4)
    assert [each.text for each in STEP.numbers(stage)] == ["8 of 8", "0.75 R"]
    assert forbid.line_margins(stage).min() * 4 == pytest.approx(3.0, abs=1e-3)
    assert STEP.numbers(at(forbid.TRIANGLE(), rho=0.74))[0].text == "8 of 8"
    assert STEP.numbers(at(forbid.TRIANGLE(), rho=0.76))[0].text == "2 of 8"
    here = next(part for part in STEP.more(stage) if part.startswith("**On this board**"))
    assert "radius 4." in here
    assert here.endswith("labellings is 3.")


def test_a_margin_that_is_met_but_for_the_rounding_of_the_places_counts():
    """What is read as equal is equal: 3 of radius 4 is 0.75, and the hexagon's halves have half its radius."""
    assert STEP.numbers(at(forbid.TRIANGLE(), rho=0.75))[0].text == "8 of 8"
    assert [each.text for each in STEP.numbers(at(rho=0.5))] == ["8 of 32", "0.5 R"]
    assert len(shown(at(rho=0.5, left="which"))) == 4
    assert STEP.numbers(at(rho=0.25))[0].text == "32 of 32"


def test_of_two_choices_that_count_one_contains_no_other():
    assert [choice.text for choice in STEP.choices] == [
        "All of them",
        "More than half, but not all",
        "At most half of them",
    ]


def test_every_margin_is_in_units_of_r_and_none_is_larger_than_r():
    """Nothing changes if the board is twice as large, and the slider and its label say the same number."""
    large = board_of_points([(2 * p.x / 1000, 2 * p.y / 1000, p.label) for p in STEP.board().points])()
    assert [each.text for each in STEP.numbers(at(large))] == [each.text for each in STEP.numbers(at())]
    for name, margins in forbid.all_margins(at()).margins.items():
        assert margins[np.isfinite(margins)].max() <= 1 + 1e-9, name
    op = next(each.op for each in STEP.tries if "0.35" in each.label)
    assert op["values"] == {"kept": 0.35}


def test_the_chart_has_a_staircase_for_each_kernel_and_the_picked_one_is_thick():
    figure = STEP.chart(at(lifted="cube")).figure
    stairs = [trace for trace in figure.data if trace.line.shape == "vh"]
    assert [trace.name for trace in stairs] == ["Lines", "Degree 2", "Degree 3", "Gaussian"]
    assert [trace.line.width for trace in stairs].index(max(trace.line.width for trace in stairs)) == 2
    words = [re.sub("<.*?>", "", label.text) for label in figure.layout.annotations]
    assert set(words) == {"Lines: 8", "Degree 2: 2", "Degree 3: 20", "Gaussian: 14"}


def test_a_click_puts_a_labelling_on_the_board_and_both_of_a_pair_are_the_same_small_board():
    stage = at(lifted="gaussian", left="which", rho=0.0)
    number = shown(stage)[-1]
    lab = state.apply(History(stage.lab), STEP.chart(stage).on_click(number)).present
    pressed = f'data-id="{number}" aria-pressed="true"'
    assert pressed in STEP.chart(at(lab, lifted="gaussian", left="which", rho=0.0)).markup
    other = replace(lab, points=tuple(p._replace(label=-p.label) for p in lab.points))
    assert pressed in STEP.chart(at(other, lifted="gaussian", left="which", rho=0.0)).markup


def test_small_boards_follow_the_slider_and_wait_for_work_in_a_drag():
    stage = at(left="which", rho=0.3)
    assert STEP.drawn(stage)["table"] == STEP.chart(stage).markup
    assert STEP.drawn(stage)["table"] != STEP.drawn(at(left="which", rho=0.5))["table"]
    dragged = replace(stage, dragging=True, moving=True, request_work=None)
    assert "table" not in STEP.drawn(dragged)
    assert STEP.numbers(dragged)[0].text == "20 of 32"
    assert len(STEP.numbers(replace(dragged, picks={**stage.picks, "lifted": "cube"}))) == 1


def test_the_board_shows_the_widest_boundary_and_how_far_rho_reaches():
    drawn = STEP.drawn(at(rho=0.45))
    dashed = [np.reshape(item["pts"], (2, 2)) for item in drawn["overlay"] if "dashed" in item["style"]]
    (one, other) = dashed
    direction = one[1] - one[0]
    across = abs(direction[0] * (other[0] - one[0])[1] - direction[1] * (other[0] - one[0])[0]) / np.hypot(*direction)
    assert across == pytest.approx(2 * 0.45 * 2.0, abs=1e-3)
    assert drawn["lines"]["zero"]
    assert STEP.drawn(at(lifted="cube"))["overlay"] == []


@pytest.mark.parametrize(
    "rows",
    [
        ((1, 1, 1), (1, 1, -1), (-1, 0, 1)),
        ((1, 1, 1), (2, 0, 1)),
        ((0, 0, 1), (1, 0, -1), (2, 0, 1), (3, 0, -1)),
    ],
    ids=["two in one place", "one class", "in a row"],
)
def test_labels_that_no_boundary_makes_and_one_class_are_no_accident(rows):
    for lifted in COUNTS:
        stage = at(board_of_points(rows)(), lifted=lifted)
        STEP.drawn(stage)
        assert STEP.numbers(stage)[-1].text
        STEP.chart(stage)
        STEP.chart(at(board_of_points(rows)(), lifted=lifted, left="which"))


def test_where_many_are_left_the_widest_are_shown_and_it_is_said():
    stage = at(forbid.EIGHT(), lifted="gaussian", left="which", rho=0.0)
    assert len(shown(stage)) == forbid.MANY
    assert f"{forbid.MANY} labellings with the largest margins of 128" in STEP.says(stage)


def test_the_words_name_dashed_lines_only_where_they_are_drawn():
    assert "the dashed lines are at distance" in STEP.says_text(at())
    assert "dashed" not in STEP.says_text(at(lifted="gaussian"))
    two_at_one_place = board_of_points(((1, 0, 1), (1, 0, -1), (0, 2, 1)))()
    assert "dashed" not in STEP.says_text(at(two_at_one_place))

"""Goals that people make: as the text of a file, and what makes them too easy."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from svmlab import BadInput
from svmlab.practice import GOALS, Board, Goal, goal_from_json, goal_from_text, weaknesses
from svmlab.practice.conditions import ChangeLimit, Count, Keep, Separable
from svmlab.practice.goal import EMPTY_REACHES, START_REACHES

START = Board(((1, 0, 1), (-1, 0, -1), (2, 1, 1)))
MINE = Goal("own", "Three", "own", 2, START, (Count("support", "exactly", 3), Keep()), "Drag only one point.")


def test_a_goal_travels_in_a_file():
    assert goal_from_text(MINE.to_text()) == MINE
    for goal in GOALS.values():
        assert goal_from_text(goal.to_text()).as_json == goal.as_json


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (Count("support", "exactly", 3), ()),
        (Count("support", "exactly", 2), (START_REACHES,)),
        (Count("points", "exactly", 0), (EMPTY_REACHES,)),
        (Count("errors", "at most", 3), (START_REACHES,)),
        (Count("points", "at most", 3), (START_REACHES, EMPTY_REACHES)),
        (Separable("line", False), ()),
    ],
)
def test_a_goal_that_is_reached_without_any_work_is_pointed_out(condition, expected):
    goal = replace(MINE, conditions=(condition, Keep()))
    assert weaknesses(goal) == expected


def test_a_rule_keeps_an_empty_board_from_reaching_a_goal():
    assert weaknesses(replace(MINE, conditions=(Count("points", "exactly", 0), ChangeLimit(deleted=2)))) == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a goal. Choose a file"),
        ("[" * 9000, "not a goal. Choose a file"),
        ("NaN", "not a goal. Choose a file"),
        (" " * 200_000, "more than 100000 characters"),
        ("[]", "not an object"),
        ("{}", "is missing"),
        (MINE.to_text().replace('"support"', '"machines"'), "'machines' is unknown. Use one of support"),
        (MINE.to_text().replace("Drag", "Drag\\n"), "situation: .* in one line"),
    ],
)
def test_a_file_that_is_no_goal_is_answered_with_what_is_wrong(text, message):
    with pytest.raises(BadInput, match=message):
        goal_from_text(text)


@pytest.mark.parametrize("n", [50, pytest.param(1000, marks=pytest.mark.sweep)])
def test_a_damaged_file_is_answered_with_a_message(n):
    rng, texts = random.Random(5), [goal.to_text() for goal in GOALS.values()]
    read = 0
    for _ in range(n):
        text = list(rng.choice(texts))
        for _change in range(rng.randrange(1, 5)):
            at = rng.randrange(len(text))
            text[at : at + rng.choice((0, 1, 9))] = rng.choice('0123456789"{}[],:-.eé\0')
        try:
            goal = goal_from_text("".join(text))
        except BadInput as error:
            assert str(error).endswith(".")  # noqa: PT017
        else:
            read += 1
            assert goal_from_json(json.loads(json.dumps(goal.as_json))) == goal
    assert read < n

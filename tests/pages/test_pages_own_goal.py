"""A goal that somebody has made, on the page Practice: from the form to the board, and links that are damaged."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from svmlab import BadInput
from svmlab.lab.practice import own_goal, tasks
from svmlab.lab.session import link
from svmlab.practice import GOALS, Goal, goal_from_link
from svmlab.practice.conditions import Count, Keep
from tests.corpus.opening import opened as followed
from tests.pages.test_pages_practice import MINE, opened, said, sound

START = own_goal.board_of(MINE)
GOAL = Goal("own", "Two & three", "own", 1, START, (Count("support", "exactly", 3), Keep()), "Look at <b> and $x_1$.")


def address(text: str, step: str = "own-1") -> str:
    return "/practice?" + link.query_string(link.Location(step=step, goal=text))


def test_a_link_opens_the_goal_on_its_board_and_keeps_it():
    there = followed(address(GOAL.to_link()))
    goal = own_goal.goal_of(there.session)
    assert (goal.key, goal.title, goal.conditions) == ("own-1", "Two & three", GOAL.conditions)
    assert there.session.boards.shown == "practice.own-1"
    assert there.session.lab.problem.key == START.problem.key
    assert f"goal={GOAL.to_link()}" in there.link
    there.session.lessons.open_steps["practice"] = "margin-width-1-1"
    assert "goal=" not in there.link
    assert own_goal.goal_of(there.session) is None


def test_goals_of_several_links_have_boards_of_their_own():
    session = followed(address(GOAL.to_link())).session
    steps = set()
    for goal in (GOAL, replace(GOAL, title="Another")):
        own_goal.open_goal(session, goal)
        steps.add(session.lessons.open_steps["practice"])
        assert own_goal.goal_of(session).conditions == GOAL.conditions
    assert len(steps) == 2
    assert all(link.STEP.fullmatch(step) and tasks.task_of(step) is None for step in steps)


@pytest.mark.parametrize("n", [50, pytest.param(1000, marks=pytest.mark.sweep)])
def test_a_damaged_link_is_answered_with_a_message(n):
    rng, links = random.Random(43), [goal.to_link() for goal in GOALS.values()]
    for _ in range(n):
        text = list(rng.choice(links))
        for _change in range(rng.randrange(1, 4)):
            at = rng.randrange(len(text))
            text[at : at + rng.choice((0, 1, 40))] = rng.choice("ABCabc019-_=. é&%\0")
        session = followed(address("".join(text), rng.choice(("own", "own-1", "own--")))).session
        try:
            goal = own_goal.goal_of(session)
        except BadInput as error:
            assert str(error).endswith(".")  # noqa: PT017
            assert session.boards.shown is None
        else:
            assert tasks.board_task_of(goal).aim


def test_a_link_without_its_goal_says_so():
    for text in (None, ""):
        session = followed("/practice?" + link.query_string(link.Location(step="own", goal=text))).session
        with pytest.raises(BadInput, match="has no goal"):
            own_goal.goal_of(session)


def test_words_of_other_people_are_shown_as_they_are():
    assert own_goal.as_written("a *b* $x_1 * y_2$ <i> [l](u) :material/x:") == (
        r"a \*b\* $x_1 * y_2$ \<i\> \[l\](u) \:material/x\:"
    )


def test_a_goal_cannot_start_with_unequal_costs():
    with pytest.raises(BadInput, match="Set both costs to 1"):
        own_goal.board_of(replace(MINE, cost_plus=2.0))


@pytest.mark.slow
def test_a_goal_is_made_from_the_board_of_the_lab_and_opened():
    at = opened("make")
    assert "The goal is not complete. Add a condition" in at.info[0].value
    sound(at.button(key="own_add").click().run())
    assert "The start reaches this goal already" in at.warning[0].value
    sound(at.button(key="own_remove1").click().run())
    count = next(each for each in at.number_input if each.key.startswith("own_n_support"))
    count.set_value(2)
    sound(at.run())
    sound(at.button(key="own_add").click().run())
    assert not at.warning
    at.text_input(key="own_title").set_value("Three <b>")
    at.text_area(key="own_words").set_value("Drag\none point.")
    at.multiselect(key="own_hide").set_value(["price"])
    for kind in ("value", "ratio", "whether", "fails", "changes", "keep", "count"):
        sound(at.selectbox(key="own_kind").set_value(kind).run())
    goal = goal_from_link(at.code[0].value.partition("goal=")[2])
    assert (goal.title, goal.situation, goal.hide) == ("Three <b>", "Drag one point.", ("price",))
    assert goal.start.problem.key == MINE.problem.key
    assert goal.conditions == (Keep(), Count("support", "exactly", 2))
    sound(at.button(key="own_open").click().run())
    session = at.session_state["lab"]
    assert session.boards.shown == f"practice.{own_goal.step_of(goal.to_link())}"
    assert "asks for exactly 2" in said(at)
    sound(at.button(key="all_tasks").click().run())
    assert session.boards.shown is None
    session.lessons.open_steps["practice"], session.link = "make", replace(session.link, hidden=("price",))
    sound(at.run())
    assert "hides its classifier" in at.info[0].value
    assert not at.code
    session.lessons.open_steps["practice"], session.link = "own", replace(session.link, goal="eNq")
    sound(at.run())
    assert "damaged" in at.error[0].value

"""The page for sheets: questions are added, changed and removed, and the address opens the same sheet."""

from __future__ import annotations

import pytest

from svmlab.lab.practice import sheet_page, tasks
from svmlab.lab.session import link
from tests.pages.test_pages_practice import opened, said, sound


def names(at):
    """The questions that the address then names."""
    place = link.location_of(at.session_state["lab"])
    return [place.picks[name] for name in sheet_page.NAMES if name in place.picks]


@pytest.mark.slow
def test_a_sheet_is_put_together_and_a_link_opens_it_again():
    at = opened("sheet")
    at.multiselect(key="sheet_types").set_value(["margin-width", "removable-points"])
    at.selectbox(key="sheet_level").set_value(3)
    at.number_input(key="sheet_seed").set_value(41)
    at.number_input(key="sheet_each").set_value(2)
    sound(at.run())
    sound(at.button(key="sheet_add").click().run())
    assert names(at) == ["margin-width-3-41", "margin-width-3-42", "removable-points-2-41", "removable-points-2-42"]
    sound(at.button(key="sheet_remove1").click().run())
    sound(at.button(key="sheet_another0").click().run())
    first, second, third = names(at)
    assert tasks.task_of(first).seed != 41
    assert (second, third) == ("removable-points-2-41", "removable-points-2-42")
    chosen = list(map(tasks.task_of, (first, second, third)))
    before = sheet_page.sheet_of(chosen, "").exercises
    sound(at.button(key="all_tasks").click().run())
    assert names(at) == []
    sound(at.button(key="open_sheet").click().run())
    assert names(at) == [first, second, third]
    address = link.query_string(link.location_of(at.session_state["lab"]))
    place, notes = link.parse_query(address)
    assert notes == []
    assert [place.picks[name] for name in ("q1", "q2", "q3")] == [first, second, third]
    assert sheet_page.sheet_of(list(map(tasks.task_of, place.picks.values())), "").exercises == before
    at.session_state["lab"].lessons.picks["practice.q2"] = "no-such-1-2"
    sound(at.run())
    assert "“no-such-1-2”, which does not exist" in at.warning[0].value
    assert "removable-points" in at.session_state["lab"].lessons.picks["practice.q3"]
    assert "2. Points on the margin lines that can go" in said(at)
    full = dict.fromkeys(sheet_page.NAMES, first)
    assert len(link.parse_query(link.query_string(link.Location(step="sheet", picks=full)))[0].picks) == len(full)


@pytest.mark.slow
def test_a_sheet_takes_no_more_questions_than_an_address():
    at = opened("sheet")
    at.multiselect(key="sheet_types").set_value(["margin-width", "kkt-box", "gram-matrix", "pegasos-step"])
    at.number_input(key="sheet_each").set_value(10)
    sound(at.run())
    assert at.button(key="sheet_add").disabled
    assert any("at most 35 questions" in each.value for each in at.caption)


@pytest.mark.slow
def test_the_dialog_for_moodle_names_the_questions_that_it_leaves_out():
    at = opened("sheet")
    session = at.session_state["lab"]
    session.lessons.picks |= {"practice.q1": "delete-points-3-3", "practice.q2": "kkt-box-1-3"}
    sound(at.run())
    assert "“Deletion of points” is answered with a board, and Moodle cannot judge boards." in said(at)
    session.lessons.picks["practice.q1"] = "margin-width-1-3"
    sound(at.run())
    assert "cannot judge" not in said(at)

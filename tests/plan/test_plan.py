"""The plan of a lecture, its file, and what a tab does with it."""

from dataclasses import replace

import pytest
import streamlit as st
from hypothesis import given
from hypothesis import strategies as some

from svmlab import BadInput
from svmlab.lab import plan as tab
from svmlab.lab.plan.plan import MAX_LINK, Plan, Stop, notes_page, read_plan, text_of_plan
from svmlab.lab.session import inbox, link, share
from svmlab.lab.session.lab import Lab, Point
from svmlab.lab.session.lesson_state import Answer
from svmlab.lab.session.state import History, initial_history, same_content
from svmlab.lab.session.tab import Session
from tests.offences import each_of

PAGES = {"": "home", "lab": "lab", "margin": "margin"}
FIRST, SECOND, THIRD = (
    Stop("The margin", "margin?step=hand", 8, "Ask this:\n\n# Why?\n\\# Not so"),
    Stop("## 2", ""),
    Stop("c", "lab"),
)
PLAN = Plan("Margins", (FIRST, SECOND, THIRD), "For the second week.")
HEAD = "# Margins\n\nPlan for svmlab, version 1\n"
TITLES = some.text(max_size=20).filter(lambda text: text.split())


def test_a_file_brings_the_same_plan_back_and_can_be_read_by_a_person():
    text = text_of_plan(PLAN)
    assert read_plan(text) == PLAN
    assert "## The margin\n- minutes: 8\n- link: margin?step=hand\n\nAsk this:" in text
    assert read_plan("\ufeff" + text.replace("\n", "\r\n"), PAGES) == PLAN
    assert read_plan(text_of_plan(Plan())) == Plan()


def plan_or_message(made):
    """The plan that is made, or the message of BadInput; any other error fails the test."""
    try:
        return made(), ""
    except BadInput as error:
        return None, error.message


@given(TITLES, some.integers(0, 600), some.text(max_size=60), some.text("#\\ -\n:a", max_size=40))
def test_every_plan_that_obeys_the_rules_comes_back(title, minutes, notes, more):
    stops = lambda: (Stop(title, "lab", minutes, notes), Stop("b", "?s=1", 0, more))
    plan, message = plan_or_message(lambda: Plan(title, stops(), more))
    assert "control character" in message if plan is None else read_plan(text_of_plan(plan)) == plan


LINES = ["", "## a", "- minutes: 8", "- link: lab", "- x: 1", "\\#", "\x00", "#", "notes"]


@given(some.booleans(), some.lists(some.sampled_from(LINES)), some.text())
def test_any_text_is_a_plan_or_gets_a_message(headed, lines, end):
    plan, message = plan_or_message(lambda: read_plan("\n".join([HEAD * headed, *lines, end])))
    whole = ": " in message and message.endswith(".")
    assert whole if plan is None else read_plan(text_of_plan(plan)) == plan


BAD = {
    "": "file: '' ",
    "notes\n\nPlan for svmlab, version 1": "file: it begins with 'notes'",
    "# Margins\n\nPlan for svmlab, version 2": "version: 2 is newer than 1",
    HEAD + "## \n- link: lab": "title: the stop in line 4 has none",
    HEAD + "## a\n\nnotes": "link: '' is not a page",
    HEAD + "## a\n- link: https://else.where/lab": "link: 'https://else.where/lab' is not a page",
    HEAD + "## a\n- link: other?step=a": "link: 'other?step=a' names the page 'other'",
    HEAD + "## a\n- link: lab\nnotes": "line 6: 'notes' is neither",
    HEAD + "## a\n- link: lab\n- link: lab": "line 6: '- link: lab' is neither",
    HEAD + "## a\n- minutes: 8.5\n- link: lab": "minutes: '8.5' is not a whole number from 0 to 600",
    HEAD + "## a\n- minutes: 601\n- link: lab": "minutes: 601 is not",
    HEAD + f"## a\n- link: lab?{'s' * MAX_LINK}": "characters, and at most 6000 are allowed",
    HEAD + "## a\x07\n- link: lab": "title: 'a\\x07' contains a control character",
    HEAD + "## a\n- link: lab\n" * 101: "stops: 101 are too many",
    "a" * (2**20 + 1): "at most 1048576 are allowed",
}


def test_a_bad_file_is_answered_with_field_value_rule_and_way_out():
    def offence(case):
        with pytest.raises(BadInput) as caught:
            read_plan(case, PAGES)
        expected = BAD[case].replace("file: '' ", "file: it begins with ''")
        return "" if expected in caught.value.message else f"{case[:80]!r}: {caught.value.message}"

    each_of(list(BAD), offence)


def test_a_plan_is_reordered_and_a_stop_removed():
    a, b, c = PLAN.stops
    assert PLAN.with_moved(0, 1).stops == (b, a, c)
    assert PLAN.with_moved(2, -9).stops == (c, a, b)
    assert PLAN.without(1).stops == (a, c)
    assert PLAN.with_changed(1, a).stops == (a, a, c)
    assert PLAN.with_stop(b).stops == (a, b, c, b)


def test_the_notes_are_a_page_that_shows_text_as_text():
    page = notes_page(
        replace(PLAN, title="<b>"), "http://host/svm/", {"minutes": "min", "open": "Open", "title": "Plan"}
    )
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert "href='http://host/svm/margin?step=hand'" in page
    assert "0′ · 8 min" in page
    assert "8′ · " in page


# ---------------------------------------------------------------- a tab


@pytest.fixture
def own(monkeypatch):
    monkeypatch.setattr(st, "session_state", {})
    return tab.kept()


def test_what_the_browser_keeps_comes_back_before_what_was_added_meanwhile(own):
    assert "stop 1" in tab.add("c", "lab")
    tab.hear(own, {"keeps": text_of_plan(Plan("Margins", (FIRST,))), "at": 0}, PAGES)
    assert (own.plan, own.at) == (Plan("Margins", (FIRST, THIRD)), 0)
    tab.hear(own, {"keeps": text_of_plan(PLAN), "at": 2}, PAGES)
    assert len(own.plan.stops) == 2, "it is asked once"
    assert "characters" in tab.add("t" * 200, "lab")
    assert len(own.plan.stops) == 2


def test_a_new_session_leaves_a_request_to_the_time_when_it_knows_the_plan(own):
    tab.hear(own, {"go": 1, "n": 7}, PAGES)
    assert own.ack == 0, "the browser asks again"
    tab.hear(own, {"keeps": text_of_plan(PLAN), "at": 0}, PAGES)
    tab.hear(own, {"go": 1, "n": 7}, PAGES)
    assert (own.ack, st.session_state.pop(tab.WANTED)) == (7, 1)


def test_a_request_counts_once_and_any_message_is_survived(own):
    own.change(PLAN)
    tab.hear(own, {"go": 2, "n": 1}, PAGES)
    assert st.session_state.pop(tab.WANTED) == 2
    events = [{"go": 2, "n": 1}, {"go": 3, "n": 2}, {"go": -1, "n": 3}, {"go": True, "n": 4}, {"go": 1, "n": 2**53}]
    events += [None, [], {}, {"keeps": 7, "at": "x"}, {"keeps": "bad", "at": -1}, {"go": "1", "n": "5"}, {"end": 1}]
    for event in events:
        assert not tab.hear(own, event, PAGES)
        assert tab.WANTED not in st.session_state, event
    assert own.plan == PLAN
    assert tab.hear(own, {"edit": True}, PAGES)


def test_the_open_stop_stays_the_same_while_others_move_and_go(own):
    own.change(PLAN, at=1)
    assert [tab.moved_place(1, i, by) for i, by in ((0, 1), (1, 1), (1, -1), (2, -1))] == [0, 2, 0, 2]
    tab.remove(own, 0)
    assert (own.plan.stops[own.at], own.message) == (SECOND, "“The margin” was removed.")
    assert own.earlier == PLAN
    tab.remove(own, 0)
    tab.remove(own, 0)
    assert (own.at, own.plan.stops) == (None, ())
    own.change(PLAN, at=2)
    tab.remove(own, 2)
    assert own.plan.stops[own.at] == SECOND, "after the last one comes none, so the one before it is open"


def test_a_second_press_closes_the_fields_of_a_stop(own):
    own.change(PLAN)
    opened = []
    for i in (1, 2, 2):
        tab.edit(own, i)
        opened.append(own.editing)
    assert opened == [1, 2, None]


def test_a_bad_file_changes_nothing_and_a_good_one_can_be_undone(own):
    own.change(PLAN)
    tab.open_file(own, b"\xff\xfe", PAGES)
    assert (own.plan, own.earlier) == (PLAN, None)
    assert own.message.startswith("file: ")
    tab.open_file(own, text_of_plan(Plan("b", (THIRD,))).encode(), PAGES)
    assert own.plan == Plan("b", (THIRD,))
    assert own.earlier == PLAN


def test_a_stop_opens_as_in_a_new_tab_and_undo_brings_the_own_board_back():
    mine, theirs = (Lab(points=(Point(1, x, 0, 1), Point(2, -x, 0, -1))) for x in (1000, 2000))
    session = Session(History(mine), page="lab")
    session.lessons.dials["factor"], session.lessons.answers["margin.places"] = 4.0, Answer(1, True)
    session.lessons.answers["margin.hand"] = Answer(2, True)
    address = f"step=hand&hide=kernel&s={share.encode(theirs)}"
    inbox.open_afresh(session, "margin", address)
    fresh = Session(initial_history(), page="margin")
    link.restore(fresh, address)
    assert link.location_of(session) == link.location_of(fresh)
    assert session.lessons.answers["margin.places"] == Answer(1, True), "what was answered elsewhere stays answered"
    assert session.boards.initial[None] == session.boards.own.present
    inbox.do(session, {"op": "undo"})
    assert same_content(session.lab, mine)

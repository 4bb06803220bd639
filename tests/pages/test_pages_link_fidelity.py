"""Every field of a session is carried by a link, or it is said why not; and what is said to be carried comes back."""

from dataclasses import replace
from operator import attrgetter
from pathlib import Path

import pytest

from svmlab.lab.session import inbox, link, share
from svmlab.lab.session.address_names import RESERVED
from svmlab.lab.session.controls import CONTROLS
from svmlab.lab.session.lesson_state import Answer
from svmlab.lab.session.tab import Filters, LinkState
from svmlab.lab.teach.boards import board_of_points
from tests.corpus.opening import opened
from tests.link_fidelity import GROUPS, LAB, SESSION, Carried, table, unclassified

DOCUMENT = Path(__file__).parents[2] / "docs" / "link_fidelity.md"
OWN = board_of_points([(-2, 1.5, 1), (-1, 2, 1), (2, -1.5, -1), (1, -2, -1)], value=3.0)()
WRITTEN = ("the path", "the name of each slider", "pick.NAME")  # carried by no name of their own


def test_every_field_is_classified():
    assert unclassified() == []


def test_the_document_is_what_the_table_says():
    assert DOCUMENT.read_text(encoding="utf-8") == table(), "python -m tests.link_fidelity > docs/link_fidelity.md"


def test_every_parameter_is_said_to_carry_something_and_every_one_that_is_said_is_read():
    said = {
        each for fates in GROUPS.values() for fate in fates.values() if isinstance(fate, Carried) for each in fate.by
    }
    assert said - set(WRITTEN) == set(link.READERS)
    assert said - set(WRITTEN) <= RESERVED.keys()


def changed(session):
    """A session with something in every carried field, at the step where it is open."""
    session.lessons.answers[session.step] = Answer(1, True)
    inbox.do(session, {"op": "dial", "values": {"factor": 2.5}})
    inbox.do(session, {"op": "hand", "a": [0, 1], "b": [2, -1]})
    inbox.do(session, {"op": "film", "key": "k", "at": 3})
    inbox.do(session, {"op": "notation", "minus_b": True, "label": "t", "first": "C"})
    inbox.do(session, {"op": "turn", "az": 0.75, "el": 0.25})
    inbox.do(session, {"op": "select", "id": session.lab.points[1].id})
    session.lessons.picks[f"{session.page}.margins"] = "all"
    session.boards.pinned = replace(OWN, value=0.5)
    session.link = LinkState(hidden=("pin",), locked=("points",), exam=True, only="step", room=f"K7Q4.{'0' * 40}")
    return session


# Each carried field of a session, as one sees that it came back.
SEEN = {
    "boards.own": lambda s: share.encode(s.boards.own.present),
    "boards.lent": lambda s: share.encode(s.lab),
    "boards.shown": lambda s: s.boards.shown,
    "link.exam": lambda s: s.link.exam,
    "view.notation": lambda s: s.view.notation,
    "link.only": lambda s: s.link.only,
    "lessons.turn": lambda s: s.lessons.turn,
    "boards.pinned": lambda s: share.encode(s.boards.pinned),
    "lessons.inputs": lambda s: (
        s.lessons.inputs["hand"]["a"],
        s.lessons.inputs["hand"]["b"],
        s.lessons.inputs["film"]["at"],
    ),
    "lessons.dials": lambda s: s.lessons.dials,
    "page": lambda s: s.page,
    "lessons.input_scopes": lambda s: s.lessons.input_scopes,
    "link.hidden": lambda s: s.link.hidden,
    "link.locked": lambda s: s.link.locked,
    "link.room": lambda s: s.link.room,
    "lessons.open_steps": lambda s: s.lessons.open_steps,
    "lessons.answers": lambda s: s.lessons.answers[s.step],
    "lessons.picks": lambda s: s.lessons.picks,
}


def test_what_is_carried_comes_back():
    before = opened(f"/margin?step=scaling&s={share.encode(OWN)}")
    changed(before.session)
    after = opened(before.link).session
    for name, seen in SEEN.items():
        assert seen(after) == seen(before.session), name
    assert [p.id for p in after.lab.points].index(after.lab.selected) == 1
    # Of Share, of the page Lab, of the page Statements, and of the page Practice.
    elsewhere = {"view.projector", "view.open_tab", "view.filters", "link.goal"}
    assert {name for name, fate in SESSION.items() if isinstance(fate, Carried)} == SEEN.keys() | elsewhere


def test_an_edited_board_of_a_step_comes_back():
    before = opened("/margin?step=scaling")
    point = before.session.lab.points[0]
    inbox.do(before.session, {"op": "move", "id": point.id, "x": 0.125, "y": 0.25, "live": False})
    after = opened(before.link).session
    assert after.boards.shown == "margin.scaling"
    assert share.encode(after.lab) == share.encode(before.session.lab)


@pytest.mark.parametrize(
    ("where", "field", "value"),
    [
        ("/lab?tab=code", "view.open_tab", "code"),
        ("/statements?q=Gruber", "view.filters", Filters("Gruber")),
        ("/statements?q=Gruber&lesson=soft", "view.filters", Filters("Gruber", "soft")),
        ("/statements?lesson=all&verdict=false", "view.filters", Filters("", "all", "false")),
        ("/lab?projector", "view.projector", True),
        ("/lab?projector=0", "view.projector", False),
        ("/lab?only=board", "link.only", "board"),
        ("/practice?step=own&goal=abc", "link.goal", "abc"),
    ],
)
def test_a_link_opens_the_tab_the_search_and_the_mode(where, field, value):
    there = opened(where)
    assert attrgetter(field)(there.session) == value
    kept = there.link
    assert (where.partition("?")[2] in kept) == (field != "view.projector")


@pytest.mark.parametrize(
    "query",
    [
        "tab=Code!",
        "lesson=Soft",
        "verdict=",
        "q=",
        f"q={'a' * 101}",
        "turn=1",
        "turn=1,2,3",
        "turn=99,0",
        "only=menu",
        "exam=2",
    ],
)
def test_a_value_without_meaning_is_left_out_with_a_note(query):
    place, notes = link.parse_query(query, "lab")
    assert place == link.Location()
    assert len(notes) == 1


def test_every_control_comes_back_in_the_board():
    assert CONTROLS.keys() <= LAB.keys()
    lab = replace(OWN, kernel="gaussian", sigma=0.5, bias=False, view=8.0)
    assert share.decode(share.encode(lab)) == lab

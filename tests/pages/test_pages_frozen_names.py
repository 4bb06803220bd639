"""Names that stand in links, files and messages are still there, mean the same, and are understood."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from svmlab.lab.session import inbox, link
from svmlab.lab.session.address_names import RESERVED
from svmlab.lab.session.controls import CONTROLS
from svmlab.lab.session.link import Location
from tests.corpus.opening import as_entry, opened
from tests.frozen_names import frozen, live, merged, renamed_dials, replaced
from tests.lessons import LESSONS

ADD = "add it to tests/frozen_names.json (python -m tests.frozen_names)"
# Each operation of a message: what comes before it, the operation, and what it changes.
SHOWN = "the link of the shown board"
MOVED = {"op": "move", "id": 1, "x": 1.5, "y": -0.5}
OPERATIONS: dict[str, tuple[list[dict[str, Any]], dict[str, Any], str]] = {
    "action": ([MOVED], {"op": "action", "id": "preset"}, "board"),
    "active": ([], {"op": "active", "on": "B"}, "board"),
    "add": ([], {"op": "add", "id": 900, "x": 1.0, "y": 2.0, "label": -1, "select": True}, "select"),
    "clear": ([], {"op": "clear"}, "board"),
    "delete": ([], {"op": "delete", "ids": [1, 2]}, "board"),
    "dial": ([], {"op": "dial", "values": {"factor": 2.5}, "live": False}, "dials"),
    "file": ([], {"op": "file", "name": "a.csv", "text": "x1,x2,label\n1,0,1\n0,1,-1\n"}, "board"),
    "film": ([], {"op": "film", "key": "k", "at": 3, "live": False}, "film"),
    "given": ([MOVED], {"op": "given"}, "board"),
    "hand": ([], {"op": "hand", "a": [0, 1], "b": [2, -1], "live": False}, "line"),
    "history": (
        [],
        {"op": "history", "share": SHOWN, "text": "eJyLjo5WMvSuCC2NCHR0TjU2cHR0VIqN1YmOjQUAaq0Hxw=="},
        "history",
    ),
    "label": ([], {"op": "label", "label": -1}, "board"),
    "move": ([], MOVED | {"live": False}, "board"),
    "points": ([], {"op": "points", "points": [[7, 1, 1, 1], [8, -1, -1, -1]], "live": False}, "board"),
    "project": ([], {"op": "project", "on": True, "type": 30}, "projector"),
    "redo": ([MOVED, {"op": "undo"}], {"op": "redo"}, "board"),
    "restore": ([], {"op": "restore", "share": "select=1&s=1KxUuXQACe30AAA", "points": []}, "board"),
    "select": ([], {"op": "select", "id": 1}, "select"),
    "set": ([], {"op": "set", "values": {"value": 2.5}, "live": False}, "board"),
    "share": ([], {"op": "share", "full": True}, "sharing"),
    "began": ([MOVED], {"op": "began", "share": "1KxUuXQACe30AAA"}, "began"),
    "turn": ([], {"op": "turn", "az": 0.5, "el": 0.25}, "turn"),
    "undo": ([MOVED], {"op": "undo"}, "board"),
    "view": ([], {"op": "view", "half": 6}, "board"),
}


@pytest.fixture(scope="module")
def current() -> dict[str, Any]:
    return live()


def differences(past: Any, current: Any, where: str = "") -> Iterator[str]:
    """What is missing, what stands in another order, and what is new."""
    if type(past) is not type(current) or not isinstance(past, dict | list):
        if past != current:
            yield f"{where} was {past!r} and is {current!r}: old links say the first"
        return
    kept = [name for name in past if name in current]
    yield from (f"{where}: {name!r} is missing, and old links or files say it" for name in past if name not in current)
    yield from (f"{where}: {name!r} is new: {ADD}" for name in current if name not in past)
    in_order = not where.startswith("steps ")  # a link says the key of a step, not its place in the lesson
    if isinstance(past, list) and in_order and kept != [name for name in current if name in past]:
        yield f"{where}: {kept} stand in another order: {current}"
    if isinstance(past, dict):
        for name in kept:
            yield from differences(past[name], current[name], f"{where} {name}".strip())


def test_no_slider_of_a_lesson_has_a_reserved_name(current):
    names = {name for steps in current["dials"].values() for dials in steps.values() for name in dials}
    assert names
    assert not names & RESERVED.keys()


def test_every_name_is_still_there_in_its_order_and_a_new_one_is_listed(current):
    past = {names: of_all for names, of_all in frozen().items() if names != "choices"}
    for names in ("answers", "dials"):  # those of a step that another has replaced went with it
        past[names] = {
            page: {key: each for key, each in of_page.items() if key not in replaced()[page]}
            for page, of_page in past[names].items()
        }
    past["dials"] = {page: renamed_dials(page, dials) for page, dials in past["dials"].items()}
    listed = list(differences(past, {names: of_all for names, of_all in current.items() if names != "choices"}))
    assert not listed, "\n".join(listed)


def test_the_key_of_a_step_that_was_replaced_opens_the_new_one_with_nothing_chosen():
    pairs = [(lesson.page, step) for lesson in LESSONS for step in lesson.steps if step.former_key]
    assert pairs
    for page, step in pairs:
        for number in ("1", "2"):
            there = opened(f"/{page}?step={step.former_key}&choice={number}&shown=1")
            assert (there.session.step, as_entry(there).get("choice")) == (f"{page}.{step.key}", None)


def test_what_is_added_stands_where_the_app_has_it_and_passes():
    past, current = {"steps": ["scaling", "check"]}, {"steps": ["scaling", "push", "check"], "terms": ["norm"]}
    assert merged(past, current) == current
    assert not list(differences(merged(past, current), current))
    assert merged({"choices": ["a", "b"]}, {"choices": ["a", "b", "c"]}, numbered=True) == {"choices": ["a", "b", "c"]}
    assert merged(["a", "b"], ["b", "a", "c"]) == ["a", "b", "c"], "what stands in another order is left for the test"


def test_the_steps_of_a_lesson_may_change_their_order():
    assert not list(differences({"steps": {"margin": ["a", "b"]}}, {"steps": {"margin": ["b", "a"]}}))


def test_a_name_that_is_gone_or_new_or_elsewhere_is_reported():
    past = {"steps": {"margin": ["scaling", "check"]}, "picks": {"zones": ["a", "b"]}, "answers": {"scaling": 2}}
    current = {"steps": {"margin": ["scaling", "shake"]}, "picks": {"zones": ["b", "a"]}, "answers": {"scaling": 1}}
    assert not list(differences(past, past))
    listed = "\n".join(differences(past, current))
    assert all(
        part in listed for part in ("'check' is missing", f"'shake' is new: {ADD}", "another order", "was 2 and is 1")
    )


def test_new_names_are_added_behind_those_of_the_past():
    past = {"steps": ["scaling", "gone"], "answers": {"scaling": 2}}
    current = {"steps": ["new", "scaling"], "answers": {"scaling": 1, "new": 3}, "lock": []}
    kept = {"steps": ["scaling", "gone", "new"], "answers": {"scaling": 2, "new": 3}, "lock": []}
    assert merged(past, current) == kept
    assert merged({"margin": ["Yes", "No"]}, {"margin": ["It does", "No", "Never"]}, numbered=True) == {
        "margin": ["Yes", "No", "Never"]
    }


def test_every_choice_keeps_its_number(current):
    """Its words may change. Words that stay the same stand at the same number, and no number is lost."""
    offences = []
    for page, steps in frozen()["choices"].items():
        for step, past in steps.items():
            if step in replaced()[page]:
                continue
            present = current["choices"].get(page, {}).get(step, [])
            if len(present) != len(past):
                counts = f"{page}.{step} had {len(past)} choices and has {len(present)}"
                offences.append(f"{counts}: old links say their numbers, so a new one stands last; {ADD}")
            offences += [
                f"{page}.{step}: choice {past.index(words) + 1} is now number {number}, but old links say the first"
                for number, words in enumerate(present, start=1)
                if words in past and past.index(words) + 1 != number
            ]
    assert not offences, "\n".join(offences)


def test_every_name_of_a_choice_beside_a_chart_and_of_a_slider_can_stand_in_a_link(current):
    picks = [
        {name: each} for of_page in current["picks"].values() for name, options in of_page.items() for each in options
    ]
    dials = [{name: 0.5} for steps in current["dials"].values() for names in steps.values() for name in names]
    for there in (*(Location(picks=each) for each in picks), *(Location(dials=each) for each in dials)):
        assert link.parse_query(link.query_string(there)) == (there, [])


def test_every_value_that_a_setting_could_have_is_still_accepted():
    for key, values in frozen()["settings"].items():
        for value in values:
            assert CONTROLS[key].check(value) == value, key


def seen(there) -> dict[str, Any]:
    turn, wire = there.session.lessons.turn, inbox.wire_data(there.session)
    return (
        as_entry(there)
        | {"turn": turn, "began": wire["began"], "history": wire["history"]}
        | {"projector": there.session.view.projector, "sharing": there.session.view.sharing}
    )


@pytest.mark.parametrize("name", frozen()["operations"])
def test_every_operation_of_a_message_is_understood(name):
    assert name in OPERATIONS, f"{name} is new: add what it does"
    before, op, changes = OPERATIONS[name]
    there = opened(
        "/margin?step=perceptron&factor=1&line=0,0,1,1&s=" + inbox.wire_data(opened("/lab").session)["share"]
    )
    session = there.session

    def say(*ops: dict[str, Any]) -> None:
        message = {"boot": session.boot, "board": session.boards.shown, "seq": session.ack + 1, "ops": list(ops)}
        inbox.receive(session, message)
        assert session.ack == message["seq"]

    say(*before)
    past, shown = seen(there), inbox.wire_data(session)["share"]
    say({key: shown if value == SHOWN else value for key, value in op.items()})
    assert seen(there).get(changes) != past.get(changes), f"{op} does nothing"

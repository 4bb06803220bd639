"""Links that were given out open what they always opened: the place, the answer, the sliders, the boards."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from svmlab.lab.session.controls import CONTROLS
from tests.corpus.links import Corpus, corpus
from tests.corpus.opening import Opened, as_entry, opened
from tests.frozen_names import frozen, replaced

RECORD = "record it: python -m tests.corpus.record_links"


@pytest.fixture(scope="module")
def known() -> Corpus:
    return corpus()


@pytest.fixture(scope="module")
def there(known) -> dict[str, Opened]:
    """Each link, opened."""
    return {entry["link"]: opened(entry["link"]) for entry in known.entries}


def plain(value: Any) -> Any:
    """A value as JSON gives it back."""
    return json.loads(json.dumps(value))


def known_to(before: Any, after: Any) -> Any:
    """The settings of `after` that `before` has too, also of a second SVM."""
    if not (isinstance(before, dict) and isinstance(after, dict)):
        return after
    return {name: known_to(value, after.get(name)) for name, value in before.items()}


def offences(past: dict[str, Any], present: dict[str, Any]) -> Iterator[str]:
    """What a link opens otherwise than it did. Settings and sliders that came later are no matter of an old link."""
    for name in {**past, **present}:
        before, after = past.get(name), present.get(name)
        if name == "sliders":
            before, after = set(before or ()), set(before or ()) & set(after or ())
        elif isinstance(before, dict) and isinstance(after, dict) and "settings" in before:
            after = after | {"settings": known_to(before["settings"], after["settings"])}
        if before != after:
            yield f"{name} was {before}\n    and is {after}"


def test_every_link_opens_what_it_always_opened(known, there):
    changes = [
        f"{entry['link']}\n  {offence}"
        for entry in known.entries
        for offence in offences(known.whole(entry), plain(as_entry(there[entry["link"]])))
    ]
    assert not changes, f"{len(changes)} offences\n" + "\n".join(changes)


def test_a_setting_that_came_later_is_no_offence_and_a_changed_one_is():
    before = {"board": {"settings": {"C": 1, "second": {"sigma": 1}}, "points": []}}
    after = {"board": {"settings": {"C": 1, "rate": 2, "second": {"sigma": 1, "rate": 2}}, "points": []}}
    assert list(offences(before, after)) == []
    after["board"]["settings"]["second"]["sigma"] = 3
    assert len(list(offences(before, after))) == 1


@pytest.mark.slow
def test_the_address_of_what_a_link_has_opened_opens_the_same(there):
    changes = []
    for link, first in there.items():
        again = opened(first.link)
        said = again.said.keys() & first.said.keys() if link.startswith("/") else set(again.said)
        before, after = (as_entry(Opened(each.session, dict.fromkeys(said, ""))) for each in (first, again))
        apart = [name for name in {**before, **after} if name != "note" and before.get(name) != after.get(name)]
        changes += [
            f"{link}\n  leads to {first.link}\n  {name}: {before.get(name)}\n  then: {after.get(name)}"
            for name in apart
        ]
    assert not changes, "\n".join(changes)


def test_the_links_cover_every_name_that_a_link_can_say(known):
    """Choices, answers shown and not, sliders, options beside charts, values of settings, names of hide and lock."""
    names, entries, missing = frozen(), known.entries, list[str]()
    where = {(e["page"], e.get("step"), e.get("choice")) for e in entries}
    shown = {(e["page"], e.get("step"), bool(e.get("shown"))) for e in entries if "choice" in e}
    for page, steps in names["choices"].items():
        for step, choices in steps.items():
            if step in replaced()[page]:  # its links open the step that has replaced it
                continue
            missing += [f"{page}.{step} choice {n}" for n in range(1, len(choices) + 1) if (page, step, n) not in where]
            missing += [f"{page}.{step} shown: {on}" for on in (True, False) if (page, step, on) not in shown]
        missing += [
            f"{page}.{step}"
            for step in names["steps"][page]
            if step not in replaced()[page] and not any(at[:2] == (page, step) for at in where)
        ]
    dials = {(e["page"], e.get("step"), name) for e in entries for name in e.get("dials", ())}
    missing += [
        f"{page}.{step} {name}"
        for page, steps in names["dials"].items()
        for step in steps
        for name in steps[step]
        if step not in replaced()[page] and (page, step, name) not in dials
    ]
    picks = {(e["page"], name, option) for e in entries for name, option in e.get("picks", {}).items()}
    missing += [
        f"{page} {name} = {option}"
        for page, of_page in names["picks"].items()
        for name, options in of_page.items()
        for option in options
        if (page, name, option) not in picks
    ]
    # A parameter of a newer kernel has the kernel's default on every board that was recorded before.
    defaults = {key: control.default for key, control in CONTROLS.items()} | known.defaults
    settings = [defaults | kept["settings"] for kept in known.boards.values()]
    missing += [] if any("second" in each for each in settings) else ["a second machine"]
    for key, values in names["settings"].items():
        has = {each[key] for each in settings}
        missing += [f"{key} = {value}" for value in values if value not in has]
        missing += [] if len(has) > 1 else [f"{key} at another value"]
    for name in ("hide", "lock"):
        said = {part for e in entries for part in e.get(name, ())}
        missing += [f"{name} {part}" for part in names["link"][name] if part not in said]
    for name in ("line", "film", "select", "pin", "own", "note"):
        missing += [] if any(name in e for e in entries) else [name]
    missing += [page for page in names["pages"] if not any(e["page"] == page for e in entries)]
    assert not missing, f"No link covers {', '.join(missing)}; {RECORD}."


def test_a_link_that_opens_something_else_is_an_offence(known):
    """The comparison itself is tried with parts that are gone, a point that has moved and a setting that differs."""
    entry = next(e for e in known.entries if {"own", "choice", "sliders"} <= e.keys())
    whole = known.whole(entry)
    for name in whole:
        changed = plain(whole)
        del changed[name]
        assert len(list(offences(whole, changed))) == 1, name
    changed = plain(whole)
    changed["board"]["points"][0][0] += 0.001
    changed["own"]["settings"]["value"] *= 2
    assert len(list(offences(whole, changed))) == 2
    changed = plain(whole)
    changed["board"]["settings"]["colour"] = "blue"
    changed["sliders"].append("new")
    assert not list(offences(whole, changed))

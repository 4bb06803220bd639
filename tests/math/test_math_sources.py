"""What the notes say: every source has its line and its degree, what is wrong is said where it stands, repairs have their reasons."""

from __future__ import annotations

import re

import pytest

from svmlab.statements import CATALOGUE, DEGREES
from svmlab.statements.notes import NOTES

SOURCES = {
    f"{id}-{n}-{source.notes}": (id, source)
    for id, entry in CATALOGUE.items()
    for n, source in enumerate(entry.source, start=1)
}
QUOTED = [notes for notes in NOTES if notes != "project"]


@pytest.mark.parametrize("name", SOURCES)
def test_a_source_has_its_place_its_line_and_its_degree(name):
    _id, source = SOURCES[name]
    assert source.notes in NOTES
    assert source.place
    assert source.degree in DEGREES
    assert bool(source.quote) == (source.notes in QUOTED) == bool(NOTES[source.notes].language)
    assert len(source.quote) <= 210


@pytest.mark.parametrize("name", SOURCES)
def test_what_is_wrong_is_said_exactly_where_something_is(name):
    _id, source = SOURCES[name]
    assert bool(source.flaw) == (source.degree != "right")
    assert (0 <= source.at <= 100) if source.flaw else source.at == 0
    assert not source.flaw or re.fullmatch(r"[^.]*(\w[^.]*)+\.", source.flaw), "one sentence"
    assert "\\" not in source.flaw


@pytest.mark.parametrize("name", SOURCES)
def test_a_quotation_can_be_typeset(name):
    _id, source = SOURCES[name]
    pieces = source.quote.split("$")
    assert len(pieces) % 2, "a formula stays open"
    assert not any("\\" in words or "_" in words or "^" in words for words in pieces[::2]), (
        "a formula outside of dollars"
    )
    for formula in pieces[1::2]:
        assert formula.count("{") == formula.count("}")


@pytest.mark.parametrize("id", CATALOGUE)
def test_a_statement_is_repaired_where_a_note_is_wrong_and_nowhere_else(id):
    entry = CATALOGUE[id]
    degrees = {source.degree for source in entry.source}
    assert entry.source
    assert entry.verdict in degrees
    assert not entry.repair or degrees != {"right"}
    assert entry.repair or degrees <= {"right", "hedged", "misprint"}


def test_the_verdict_is_that_of_the_least_right_source():
    assert [CATALOGUE[id].verdict for id in ("M3", "S13", "M1", "M2", "P6")] == list(DEGREES)


def test_one_note_may_be_wrong_where_another_is_right():
    by_note = {source.notes: source.degree for source in CATALOGUE["H5"].source}
    assert by_note == {"A": "false", "B": "right", "C": "right"}


@pytest.mark.parametrize("notes", QUOTED)
def test_no_two_lines_of_a_note_that_are_not_right_are_the_same(notes):
    wrong = [source.quote for _id, source in SOURCES.values() if source.notes == notes and source.flaw]
    assert wrong
    assert len(set(wrong)) == len(wrong)


@pytest.mark.parametrize("id", CATALOGUE)
def test_nobody_reads_a_bare_letter_for_a_note(id):
    entry = CATALOGUE[id]
    said = [entry.sentence, entry.repair or "", entry.conditions, *(f"{s.place}. {s.flaw}" for s in entry.source)]
    verb = r"(?:'s\b| (?:has|prints|asks|states|calls|returns|sets|says|needs|leaves|forgets)\b)"
    assert not re.search(rf"\b[A-E]{verb}", " ".join(said))

"""What the notes say: every source has its line and its degree, what is wrong is said where it stands, repairs have
their reasons."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from svmlab.statements import CATALOGUE, DEGREES, Source
from svmlab.statements.notes import NOTES
from svmlab.statements.slips import SLIPS

SOURCES = {
    f"{id}-{n}-{source.notes}": (id, source)
    for id, entry in CATALOGUE.items()
    for n, source in enumerate(entry.source, start=1)
} | {f"slip-{n}-{slip.source.notes}": ("", slip.source) for n, slip in enumerate(SLIPS)}
QUOTED = [key for key, notes in NOTES.items() if notes.language]


def misplaced(source: Source) -> list[str]:
    """What is wrong with where a source stands and what it quotes."""
    quoted = bool(source.quote), source.notes in QUOTED, bool(NOTES[source.notes].language)
    return [
        *([] if source.place else ["it has no place"]),
        *([] if source.degree in DEGREES else [f"{source.degree!r} is no degree"]),
        *([] if len(set(quoted)) == 1 else ["a note is quoted in its language, and nothing else is"]),
        *([] if len(source.quote) <= 210 else [f"the line has {len(source.quote)} characters, more than 210"]),
    ]


def whole_sentences(text: str, most: int = 4) -> bool:
    """Whether a text is made of one to `most` sentences and nothing else."""
    return text.endswith(".") and len(re.findall(r"\.(?=\s|$)", text)) <= most


def misjudged(source: Source) -> list[str]:
    """What is wrong with the flaw of a source: it has one where it is not right, in whole sentences, at some place."""
    right = source.degree == "right"
    at = 0 <= source.at <= 100 if source.flaw else source.at == 0
    return [
        *([] if bool(source.flaw) != right else ["a flaw is said where the degree is not right, and nowhere else"]),
        *([] if at else [f"at={source.at} is no place of a flaw"]),
        *([] if not source.flaw or whole_sentences(source.flaw) else ["a flaw is one to four whole sentences"]),
        *(["a flaw has no formula"] if "\\" in source.flaw else []),
    ]


def untypeset(source: Source) -> list[str]:
    """What of a quotation cannot be typeset."""
    pieces = source.quote.split("$")
    outside = any("\\" in words or "_" in words or "^" in words for words in pieces[::2])
    unmatched = any(formula.count("{") != formula.count("}") for formula in pieces[1::2])
    return [
        *([] if len(pieces) % 2 else ["a formula stays open"]),
        *(["a formula stands outside of dollars"] if outside else []),
        *(["braces of a formula do not match"] if unmatched else []),
    ]


def test_every_source_has_its_place_its_line_its_degree_and_its_flaw_and_can_be_typeset():
    """Over all sources of all statements: what a reader needs is there, and every quotation can be shown."""
    assert len(SOURCES) > 150
    assert [name for name, (_id, source) in SOURCES.items() if source.notes not in NOTES] == []
    wrong = {
        name: complaints
        for name, (_id, source) in SOURCES.items()
        if (complaints := misplaced(source) + misjudged(source) + untypeset(source))
    }
    assert wrong == {}


@pytest.mark.parametrize(
    ("changes", "complaints"),
    [
        ({"place": ""}, ["it has no place"]),
        ({"degree": "so-so"}, ["'so-so' is no degree"]),
        ({"quote": ""}, ["a note is quoted in its language, and nothing else is"]),
        ({"quote": 211 * "x"}, ["the line has 211 characters, more than 210"]),
        ({"flaw": "", "at": 0}, ["a flaw is said where the degree is not right, and nowhere else"]),
        ({"degree": "right"}, ["a flaw is said where the degree is not right, and nowhere else"]),
        ({"at": 101}, ["at=101 is no place of a flaw"]),
        ({"flaw": "One. Two"}, ["a flaw is one to four whole sentences"]),
        ({"flaw": "One. Two. Three. Four. Five."}, ["a flaw is one to four whole sentences"]),
        ({"flaw": "No \\alpha."}, ["a flaw has no formula"]),
        ({"quote": "$x"}, ["a formula stays open"]),
        ({"quote": "x_1"}, ["a formula stands outside of dollars"]),
        ({"quote": "$x_{1$"}, ["braces of a formula do not match"]),
    ],
)
def test_an_incomplete_source_is_noticed(changes, complaints):
    """The check above notices each of its rules being broken, and names that rule alone."""
    right = Source("A", "Lemma 1", quote="w is short.", degree="false", flaw="It is long.", at=10)
    spoilt = replace(right, **changes)
    assert misplaced(right) + misjudged(right) + untypeset(right) == []
    assert misplaced(spoilt) + misjudged(spoilt) + untypeset(spoilt) == complaints


def test_a_statement_is_repaired_where_a_note_is_wrong_and_nowhere_else():
    """A repair needs a source that is not right, and a source that is incomplete or false needs a repair."""
    wrong = []
    for id, entry in CATALOGUE.items():
        degrees = {source.degree for source in entry.source}
        known = bool(entry.source) and entry.worst_degree in degrees
        needless = bool(entry.repair) and degrees == {"right"}
        missing = not entry.repair and not degrees <= {"right", "hedged", "misprint"}
        if not known or needless or missing:
            wrong.append((id, sorted(degrees)))
    assert wrong == []


def test_the_verdict_is_that_of_the_least_right_source():
    assert [CATALOGUE[id].worst_degree for id in ("M3", "S13", "H7", "M2", "K12")] == list(DEGREES)


def test_one_note_may_be_wrong_where_another_is_right():
    by_note = {source.notes: source.degree for source in CATALOGUE["H5"].source}
    assert by_note == {"A": "incomplete", "B": "right", "C": "right"}


def test_a_slip_says_how_its_line_should_read():
    assert [slip for slip in SLIPS if slip.source.degree == "right" or not whole_sentences(slip.correct, 1)] == []


@pytest.mark.parametrize("notes", QUOTED)
def test_no_two_lines_of_a_note_that_are_not_right_are_the_same(notes):
    wrong = [source.quote for _id, source in SOURCES.values() if source.notes == notes and source.flaw]
    assert wrong
    assert len(set(wrong)) == len(wrong)


def test_nobody_reads_a_bare_letter_for_a_note():
    """A note is never named by its letter alone in what a statement says."""
    verb = r"(?:'s\b| (?:has|prints|asks|states|calls|returns|sets|says|needs|leaves|forgets)\b)"
    wrong = []
    for id, entry in CATALOGUE.items():
        said = [entry.sentence, entry.repair or "", entry.conditions, *(f"{s.place}. {s.flaw}" for s in entry.source)]
        if match := re.search(rf"\b[A-E]{verb}", " ".join(said)):
            wrong.append((id, match[0]))
    assert wrong == []

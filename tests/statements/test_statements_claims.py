"""Every fault in a part of the library is caught by a statement that claims this part."""

from __future__ import annotations

import pytest

from svmlab.statements import CATALOGUE
from tests import mutation_score
from tests.claims import CLAIMS, UNCHANGED, UNNOTICED
from tests.mutation_score import all_faults, faults
from tests.tampered_library import CAUGHT, HANGS, RAISES, says_of, with_fault

AT_LEAST = 200
SAMPLE = 80  # README's command makes one of so many faults


def missed(some: range) -> list[str]:
    """The names of the faults that no statement catches that claims them, but for those that raise an exception."""
    said = {faults()[n][0].name: says_of(*faults()[n]).values() for n in some}
    return [name for name, answers in said.items() if not {CAUGHT, RAISES, HANGS} & set(answers)]


def test_there_are_enough_faults_and_those_that_change_no_result_exist():
    assert len(faults()) >= AT_LEAST
    assert (UNCHANGED.keys() | UNNOTICED.keys()) - {fault.name for fault, _ in all_faults()} == set()
    assert all(reason.endswith(".") for reason in (UNCHANGED | UNNOTICED).values())


def test_every_part_is_claimed_by_statements_of_the_catalogue():
    for module, parts in CLAIMS.items():
        for names, ids in parts.items():
            assert set(ids.split()) <= CATALOGUE.keys(), (module, names)


def test_a_fault_is_gone_when_the_check_ends():
    fault, ids = faults()[0]
    with with_fault(fault):
        pass
    assert all(CATALOGUE[id].check(CATALOGUE[id].witness.situation).holds for id in ids)


def test_a_sample_of_the_faults_is_caught():
    assert set(missed(range(0, len(faults()), SAMPLE))) <= UNNOTICED.keys()


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_every_fault_is_caught_by_a_statement_that_claims_it(part):
    at = range(part, len(faults()), 4)
    assert set(missed(at)) == {faults()[n][0].name for n in at} & UNNOTICED.keys()


@pytest.mark.sweep
def test_in_the_whole_matrix_the_known_faults_alone_survive():
    rows = mutation_score.score()
    silent = {
        fault.name
        for (fault, _), row in zip(faults(), rows, strict=True)
        if not {CAUGHT, RAISES, HANGS} & set(row.values())
    }
    assert silent == UNNOTICED.keys()


def test_the_page_of_scores_lists_every_fault_that_survives_and_as_many_faults_as_there_are():
    written = mutation_score.PAGE.read_text(encoding="utf-8")
    assert f"{len(faults())} faults are made" in written
    assert all(f"- `{name.replace('`', '')}`: {reason}" in written for name, reason in (UNCHANGED | UNNOTICED).items())

"""Which statement follows from which: every id exists, nothing follows from itself, and no statement is forgotten."""

import pytest

from svmlab.statements import CATALOGUE
from svmlab.statements.derivations import LINKS, PREMISES, STARTS, consequences, levels, premises


def test_every_statement_has_premises_or_starts_from_definitions():
    assert sorted([*PREMISES, *STARTS]) == sorted(CATALOGUE)
    assert {link.premise for link in LINKS} <= set(CATALOGUE)


def test_no_statement_follows_from_itself():
    level_of = levels()
    assert {id for id, level in level_of.items() if level == 0} <= set(STARTS)
    assert all(level_of[link.id] > level_of[link.premise] for link in LINKS)


@pytest.mark.parametrize(
    ("added", "cycle"),
    [({"M1": {"M1": ""}}, "M1 from M1"), ({"M2": {"M5": ""}}, "M2 from M5 from M2")],
)
def test_a_cycle_is_named(added, cycle):
    with pytest.raises(ValueError, match=f"^{cycle}: no statement may follow from itself"):
        levels(PREMISES | added)


def test_each_link_has_its_reason_in_one_sentence():
    wrong = [link for link in LINKS if not link.reason.endswith(".") or link.reason.count(". ")]
    assert wrong == []


def test_a_link_is_found_from_both_ends():
    assert [link.premise for link in premises("S9")] == ["H9", "S6", "S2"]
    assert "S9" in [link.id for link in consequences("H9")]
    assert premises("M14") == ()

"""What each statement catches of the faults that it claims: `python -m tests.mutation_score` writes the page."""

from __future__ import annotations

from collections import Counter
from functools import cache

from svmlab.statements import CATALOGUE
from tests.claims import BY_HAND, CLAIMS, UNCHANGED, UNNOTICED
from tests.faults import ROOT
from tests.tampered_library import CAUGHT, HANGS, RAISES, LibraryFault, by_hand, faults_by_rule, says_of

PAGE = ROOT / "docs" / "tampering.md"
EACH = 1  # faults of each rule in each function
HEAD = """# What the statements catch

This page says which faults of the library each statement notices. {count} faults are made, one at a time. Most are made
by rule (a constant is a tenth larger, a comparison, a sign or a branch is turned round, a number is one too large) in
every function that `tests/claims.py` names, the others by hand (a wrong pairing, a leak, a wrong order of the points).
A fault counts as caught if the check of a statement that claims the function says "does not hold" on its own board or
on one of three others. Many parts do not matter on most boards. So a check also computes the quantities of its
statement again on fixed examples (`svmlab/statements/examples`), by loops and formulas that use nothing of the library.

Of the {count} faults, {caught} are caught. With {loud} more a check ends in an exception or takes too long.
Faults that no statement notices: {unnoticed}. {unchanged} others change nothing that a statement says, and stand
below with their reasons. Made by `python -m tests.mutation_score`. `.ci/all` tries the whole matrix anew.

| statement | claims | catches | |
|---|---:|---:|---:|
"""


@cache
def all_faults() -> tuple[tuple[LibraryFault, tuple[str, ...]], ...]:
    """Return all faults with the statements that claim them, those that change no result among them."""
    out = []
    for module, parts in CLAIMS.items():
        for names, ids in parts.items():
            for name in names.split():
                out += [(fault, tuple(ids.split())) for fault in faults_by_rule(module, name, EACH)]
    out += [(by_hand(*where), tuple(ids.split())) for *where, ids in BY_HAND]
    return tuple(out)


@cache
def faults() -> tuple[tuple[LibraryFault, tuple[str, ...]], ...]:
    """Return the faults that some statement must catch."""
    return tuple((fault, ids) for fault, ids in all_faults() if fault.name not in UNCHANGED)


def score() -> list[dict[str, str]]:
    """Return for every fault what each statement says that claims it."""
    return [says_of(fault, ids, all_of_them=True) for fault, ids in faults()]


def page(rows: list[dict[str, str]]) -> str:
    """Return the page in Markdown, with a row for each statement that claims a part."""
    claims, catches = Counter[str](), Counter[str]()
    for row in rows:
        claims.update(row.keys())
        catches.update(id for id, answer in row.items() if answer == CAUGHT)
    caught = sum(CAUGHT in row.values() for row in rows)
    loud = sum(CAUGHT not in row.values() and bool({RAISES, HANGS} & set(row.values())) for row in rows)
    lines = [
        f"| {id} {CATALOGUE[id].title} | {claims[id]} | {catches[id]} | {100 * catches[id] / claims[id]:.0f} % |"
        for id in CATALOGUE
        if claims[id]
    ]
    reasons = [f"- `{name.replace('`', '')}`: {reason}" for name, reason in UNCHANGED.items()]
    unnoticed = [f"- `{name.replace('`', '')}`: {reason}" for name, reason in UNNOTICED.items()]
    silent = len(rows) - loud - caught
    head = HEAD.format(count=len(rows), caught=caught, loud=loud, unnoticed=silent, unchanged=len(UNCHANGED))
    return (
        head
        + "\n".join(
            [
                *lines,
                "",
                *(["## Faults that no statement notices", "", *unnoticed, ""] if unnoticed else []),
                "## Faults that change nothing",
                "",
                *reasons,
            ]
        )
        + "\n"
    )


if __name__ == "__main__":
    PAGE.write_text(page(score()), encoding="utf-8")

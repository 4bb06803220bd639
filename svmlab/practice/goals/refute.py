"""Refute it yourself: find a board on which a statement fails as a lecture note prints it.

The goals are made from the catalogue. A statement that fails on START already, as a misprint in a formula does, needs
no search and is no goal. `tests/practice/test_refute.py` compares REFUTABLE with all statements.
"""

from __future__ import annotations

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.board import Board
from svmlab.practice.conditions import Fails
from svmlab.practice.goal import Goal
from svmlab.practice.hint import Hint
from svmlab.statements import CATALOGUE, DEGREES, Statement
from svmlab.statements.notes import NOTES

START = Board(((-2, 1, -1), (-3, -1, -1), (-1, -2, -1), (2, -1, 1), (3, 1, 1), (1, 2, 1)))
REFUTABLE = ("M4", "M12", "H14", "S5", "S7", "S9", "S12", "P6", "K11", "G2", "G7")
NOT_ABOUT_POINTS = ("P7", "P10", "P12", "K8")  # what is wrong is a proof, a definition or a function, not the points


def _goal(statement: Statement) -> Goal:
    """Return the goal to refute a statement, whose words are the least right line of a lecture note and its flaw."""
    witness = statement.witness
    assert witness is not None
    worst = max(statement.source, key=lambda source: DEGREES.index(source.degree))
    rows = tuple((x1, x2, 1 if label == 1 else -1) for (x1, x2), label in zip(witness.X, witness.y, strict=True))
    return Goal(
        key=f"refute-{statement.id.lower()}",
        title=Phrase("Refute: {title}", title=statement.title),
        lesson=statement.page,
        level=3,
        start=START,
        situation=Phrase(
            "This line is from {note}: “{quote}”. {flaw}",
            note=NOTES[worst.notes].name,
            quote=worst.quote,
            flaw=worst.flaw,
        ),
        conditions=(Fails(statement.id),),
        hints=(
            Hint(
                Phrase(
                    "The corrected statement is checked under these conditions: {conditions}",
                    conditions=statement.conditions,
                )
            ),
            Hint(
                N_("The page on statements says how it should read, and shows what was checked."),
                statement=statement.id,
            ),
        ),
        witness=Board(rows, witness.kernel, witness.C, witness.bias),
    )


GOALS = tuple(_goal(CATALOGUE[id]) for id in REFUTABLE)

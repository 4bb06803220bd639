"""Every statement that the notes make, each with a check that runs on whatever points are on the board.

`CATALOGUE[id].check(Situation(problem))` answers with a Verdict. A new letter is a module of statements and one line below.
"""

from svmlab.statements.descents import DESCENTS
from svmlab.statements.duality import DUALITY
from svmlab.statements.forms import FORMS
from svmlab.statements.margin import MARGIN
from svmlab.statements.pegasos import PEGASOS
from svmlab.statements.rates import RATES
from svmlab.statements.roles import ROLES
from svmlab.statements.separable import SEPARABLE
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.slack import SLACK
from svmlab.statements.soft import SOFT
from svmlab.statements.statement import Outcome, Reading, Side, Source, Statement, Verdict, Witness, statement
from svmlab.statements.tradeoff import TRADEOFF
from svmlab.statements.vectors import VECTORS
from svmlab.statements.widest import WIDEST


def _catalogue(*groups: tuple[Statement, ...]) -> dict[str, Statement]:
    """By id, each letter's entries in the order of their numbers, letters in the order given."""
    letters = list(dict.fromkeys(entry.id[0] for group in groups for entry in group))
    entries = sorted((e for group in groups for e in group), key=lambda e: (letters.index(e.id[0]), int(e.id[1:])))
    return {entry.id: entry for entry in entries}


CATALOGUE: dict[str, Statement] = _catalogue(
    MARGIN, WIDEST, SEPARABLE, DUALITY, VECTORS, SOFT, ROLES, TRADEOFF, SLACK, PEGASOS, RATES, FORMS, DESCENTS
)

__all__ = [
    "CATALOGUE", "DoesNotApply", "Outcome", "Reading", "Side", "Situation", "Source", "Statement", "Verdict", "Witness", "statement",
]  # fmt: skip

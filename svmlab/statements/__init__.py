"""Every statement that the notes make, each with a check that runs on any points that are on the board.

`CATALOGUE[id].check(Situation(problem))` returns a Verdict. A new statement is a function under `@statement` in the
module of its theme. A new theme is a module and its name in `THEMES`.
"""

from collections.abc import Iterable
from types import ModuleType

from svmlab.statements import (
    brake,
    building,
    carried,
    chance,
    circles,
    conditions,
    confidence,
    convexity,
    coordinates,
    counted,
    descents,
    dimension,
    distinct,
    downhill,
    duality,
    enough,
    existence,
    fewer,
    forms,
    lifting,
    lowering,
    margin,
    means,
    online,
    pegasos,
    price,
    psd,
    pull,
    rates,
    recipe,
    regret,
    rest,
    restless,
    roles,
    saddle,
    separable,
    series,
    shatter,
    shrinking,
    similarity,
    slack,
    slopes,
    soft,
    span,
    surrogates,
    tradeoff,
    tube,
    unseen,
    valleys,
    vectors,
    widest,
)
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import (
    DEGREES,
    Degree,
    Outcome,
    Reading,
    Side,
    Source,
    Statement,
    Verdict,
    Witness,
    statement,
)

THEMES = (
    margin,
    confidence,
    widest,
    separable,
    duality,
    conditions,
    saddle,
    vectors,
    existence,
    soft,
    roles,
    tradeoff,
    slack,
    surrogates,
    convexity,
    slopes,
    valleys,
    pull,
    counted,
    recipe,
    shrinking,
    downhill,
    restless,
    price,
    pegasos,
    means,
    regret,
    online,
    chance,
    rates,
    forms,
    descents,
    lifting,
    similarity,
    coordinates,
    dimension,
    series,
    psd,
    building,
    span,
    distinct,
    shatter,
    lowering,
    circles,
    brake,
    unseen,
    carried,
    enough,
    fewer,
    rest,
    tube,
)


def entries(module: ModuleType) -> list[Statement]:
    """Return the statements of a module."""
    return [entry for entry in vars(module).values() if isinstance(entry, Statement)]


def _catalogue(themes: Iterable[ModuleType]) -> dict[str, Statement]:
    """Return the statements by id, ordered by letter and number, letters in the order of their first occurrence.

    Raises ValueError if an id occurs twice.
    """
    statements = [entry for theme in themes for entry in entries(theme)]
    letters = list(dict.fromkeys(entry.id[0] for entry in statements))
    statements.sort(key=lambda entry: (letters.index(entry.id[0]), int(entry.id[1:])))
    catalogue = {entry.id: entry for entry in statements}
    duplicates = {entry.id for entry in statements if catalogue[entry.id] is not entry}
    if duplicates:
        raise ValueError(
            f"Two statements are called {' and '.join(sorted(duplicates))}: give one of them a number of its own."
        )
    return catalogue


CATALOGUE: dict[str, Statement] = _catalogue(THEMES)

__all__ = [
    "CATALOGUE",
    "DEGREES",
    "Degree",
    "DoesNotApply",
    "Outcome",
    "Reading",
    "Side",
    "Situation",
    "Source",
    "Statement",
    "Verdict",
    "Witness",
    "entries",
    "statement",
]

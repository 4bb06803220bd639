"""Every statement that the notes make, each with a check that runs on any points that are on the board.

`CATALOGUE[id].check(Situation(problem))` returns a Verdict. A new statement is a function under `@statement` in the
module of its theme. A new theme is a module and its name in `THEMES`.
"""

from collections.abc import Iterable
from types import ModuleType

from svmlab.core.errors import BadInput, quoted
from svmlab.statements import (
    c_tradeoff,
    descent_direction,
    dual_program,
    epsilon_tube,
    gaussian_features,
    gaussian_separability,
    generalisation_bounds,
    hard_margin,
    kernel_rules,
    kernel_similarity,
    kkt_conditions,
    labellings,
    largest_margin,
    loss_and_regulariser,
    loss_minima,
    margin,
    one_vs_rest,
    online_regret,
    parabola_features,
    pegasos_bounds,
    pegasos_convergence,
    pegasos_forms,
    pegasos_steps,
    polynomial_features,
    positive_semidefinite,
    regularisers,
    representer,
    separability,
    shattering_with_margin,
    slack,
    soft_margin,
    subgradient_descent,
    support_vector_counts,
    support_vector_roles,
    support_vectors,
    surrogate_losses,
    zero_one_loss,
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
    largest_margin,
    separability,
    hard_margin,
    kkt_conditions,
    support_vectors,
    dual_program,
    soft_margin,
    support_vector_roles,
    c_tradeoff,
    slack,
    surrogate_losses,
    loss_minima,
    zero_one_loss,
    loss_and_regulariser,
    regularisers,
    descent_direction,
    pegasos_steps,
    pegasos_convergence,
    pegasos_bounds,
    online_regret,
    pegasos_forms,
    subgradient_descent,
    parabola_features,
    kernel_similarity,
    polynomial_features,
    gaussian_features,
    positive_semidefinite,
    kernel_rules,
    representer,
    gaussian_separability,
    labellings,
    shattering_with_margin,
    generalisation_bounds,
    support_vector_counts,
    one_vs_rest,
    epsilon_tube,
)


def entries(module: ModuleType) -> list[Statement]:
    """Return the statements of a module. Raises BadInput for anything else."""
    if not isinstance(module, ModuleType):
        raise BadInput(
            "module: {value} is not a module. Give a module of svmlab.statements, such as svmlab.statements.margin.",
            value=quoted(module),
        )
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

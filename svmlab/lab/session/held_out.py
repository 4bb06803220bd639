"""Points that the machine has not seen: a fresh draw where it is known what the board's are drawn from, else folds of
the board's own.
"""

from __future__ import annotations

from functools import lru_cache

from svmlab import Dataset, Solution
from svmlab.generalisation import HeldOut, Source, held_out
from svmlab.lab.session.cache import Cache
from svmlab.lab.session.point_source import find_source
from svmlab.lab.session.state import Lab
from svmlab.lab.session.unexpected_errors import to_svm_error

FRESH = 400  # points


def fresh_points(lab: Lab) -> Dataset | None:
    """Other points from where those of the board are drawn; None where nobody knows it."""
    found = find_source(lab)
    return None if found is None else fresh_of(found.source)


@lru_cache(16)
def fresh_of(source: Source) -> Dataset:
    """The points of a source that are shown and counted, always the same."""
    return source.fresh(FRESH)


def compute_held_out(lab: Lab, solution: Solution | None) -> HeldOut | None:
    """What the Lab's machine, solved, does on points that it has not seen; None where that is not asked for or there is
    none.
    """
    if not lab.unseen or solution is None:
        return None
    try:
        return held_out(solution, fresh_points(lab))
    except Exception as error:
        to_svm_error(error)  # to the log: the board itself is solved
        return None


def cached_held_out(cache: Cache, lab: Lab, solution: Solution | None) -> HeldOut | None:
    """The same, once for each machine."""
    if not lab.unseen or solution is None:
        return None
    other = fresh_points(lab)
    key = ("held", solution.problem.key, other.key if other else None)
    return cache.get_or_compute(key, lambda: compute_held_out(lab, solution))

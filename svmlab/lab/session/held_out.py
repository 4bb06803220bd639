"""Test points for the SVM of a board.

They are a fresh sample if the source of the board's points is known, else cross-validation folds of its own points.
"""

from __future__ import annotations

from functools import lru_cache

from svmlab import Dataset, Solution
from svmlab.generalisation import HeldOut, Source, held_out
from svmlab.lab.session.cache import Cache
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.point_source import find_source
from svmlab.lab.session.unexpected_errors import to_svm_error

N_TEST_POINTS = 400  # points of a fresh sample


def test_points(lab: Lab) -> Dataset | None:
    """Return test points from the source of the board's points, or None if the source is unknown."""
    sample = find_source(lab)
    return None if sample is None else test_points_of(sample.source)


@lru_cache(16)
def test_points_of(source: Source) -> Dataset:
    """Return the test points of a source, always the same ones."""
    return source.fresh(N_TEST_POINTS)


def compute_held_out(lab: Lab, solution: Solution | None) -> HeldOut | None:
    """Return how a solved Lab classifies test points, or None if this is not wanted or not possible."""
    if not lab.unseen or solution is None:
        return None
    try:
        return held_out(solution, test_points(lab))
    except Exception as error:
        to_svm_error(error)  # written to the log only, because the board itself is solved
        return None


def cached_held_out(cache: Cache, lab: Lab, solution: Solution | None) -> HeldOut | None:
    """Return the result of `compute_held_out`, computed once for each problem."""
    if not lab.unseen or solution is None:
        return None
    other = test_points(lab)
    key = ("held", solution.problem.key, other.key if other else None)
    return cache.get_or_compute(key, lambda: compute_held_out(lab, solution))

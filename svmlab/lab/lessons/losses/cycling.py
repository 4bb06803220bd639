"""The points that a run of the perceptron visits, and whether its path repeats itself (L13)."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Index
from svmlab.firstorder.perceptron import PerceptronRun
from svmlab.solvers.decimals import THOUSAND


def visits(run: PerceptronRun) -> Index:
    """Return the number of points visited up to w = 0 and up to each mistake, shape (k + 1,).

    The points are visited in the order of the rows.
    """
    updates, m = run.updates, len(run.rows)
    rounds = np.cumsum(np.diff(updates, prepend=updates[:1]) <= 0) - 1 if len(updates) else updates
    return np.r_[0, rounds * m + updates + 1]


def total(run: PerceptronRun) -> int:
    """Return the number of visits: a run that stops visits every point once more after its last mistake."""
    return int(visits(run)[-1]) + (len(run.rows) if run.converged else 0)


def cycle(run: PerceptronRun) -> tuple[int, int] | None:
    """Return the first indices s < t of the path with the same w and the same row misclassified next.

    From there on the path repeats itself forever. None where this run has no such pair. The rows are multiples of a
    thousandth.
    """
    W = np.rint(THOUSAND * run.path[: len(run.updates)]).astype(np.int64)
    first_index: dict[tuple[int, ...], int] = {}
    for t, state in enumerate(np.column_stack([W, run.updates]).tolist()):
        s = first_index.setdefault(tuple(state), t)
        if s < t:
            return s, t
    return None

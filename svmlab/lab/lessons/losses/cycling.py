"""A run of the perceptron by the points that it visits, and whether it has come back to where it was (L13)."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Index
from svmlab.firstorder.perceptron import Run
from svmlab.solvers.decimals import THOUSAND


def visits(run: Run) -> Index:
    """How many points had been visited at w = 0 and after each mistake, in the order of the rows, shape (k + 1,)."""
    u, m = run.updates, len(run.rows)
    rounds = np.cumsum(np.diff(u, prepend=u[:1]) <= 0) - 1 if len(u) else u
    return np.r_[0, rounds * m + u + 1]


def total(run: Run) -> int:
    """How many visits there were: where it stopped, a whole round after the last mistake."""
    return int(visits(run)[-1]) + (len(run.rows) if run.stopped else 0)


def cycle(run: Run) -> tuple[int, int] | None:
    """The first places s < t of the path with the same w and the same row wrong next: from there on it repeats itself
    for ever.

    None where there are none in this run. Rows are of thousandths.
    """
    W = np.rint(THOUSAND * run.path[: len(run.updates)]).astype(np.int64)
    seen: dict[tuple[int, ...], int] = {}
    for t, state in enumerate(np.column_stack([W, run.updates]).tolist()):
        s = seen.setdefault(tuple(state), t)
        if s < t:
            return s, t
    return None

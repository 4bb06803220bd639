"""Where the exact method begins: points in about the right places, sooner than exchanges would put them there.

Pairs of multipliers are the quickest while few variables are free. Where a short factor is near Q, a few steps of the
interior point do as well whatever the price is. How long pairs may try is counted in their steps, never in time: the
same points always begin alike.
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_
from svmlab.solvers.gram.build import FULL
from svmlab.solvers.gram.dense import Gram
from svmlab.solvers.gram.low_rank import low_rank_factor
from svmlab.solvers.gram.rows import LowRankGram
from svmlab.solvers.interior import mehrotra
from svmlab.solvers.smo import SMO

NEAR, CLOSE = 1e-2, 1e-4  # largest violation of a margin: where pairs are near the optimum, where they need not go on
SLOW = 1e-3  # and where not if they were slow
PATIENCE, WORTH = 30, 30_000  # steps on pairs: a measure of patience, and (times m) what the interior point takes
SOON = 10  # steps in working sets that each feature is worth in the interior point (and one for ten points)
LOW = 24  # a rank of Q up to which the interior point is quick
LENGTH, EXACT = (
    64,
    1e-10,
)  # of a factor: how long it may be for many points, and what is left of the diagonal where it is exact
LOCAL = 5e-3  # of the diagonal left on average: the kernel is too local for a factor
FEW = 30  # multipliers that can be more than 0 in the end: the smaller class, as many to balance it, and free ones
ROUGH, FINE = 1e-2, 1e-4  # gaps to which the start is worth solving: with a rough factor, with an exact one
NOTHING, PAIRS = N_("every multiplier at 0"), N_("pairs")
INTERIOR, SMOOTH = N_("interior point"), N_("interior point and a short factor")
STIFF = 1e6  # the bound that stands for C = inf in the start


def initial_alpha(Q: Gram, y: Array, u: Array, bias: bool) -> tuple[Array, str]:
    """A start from nothing and what it is called: pairs while they are quick, the interior point where a short factor
    is near Q.

    Pairs are soon near the optimum and may then be slow to end: the more variables are free, the more an exchange
    costs, and the longer they are given. With bias y'a = 0, so that with any p = 1 - b y in the place of 1 the optimum
    is the same.
    """
    u = np.minimum(u, STIFF)
    m, few = len(y), int(min((y > 0).sum(), (y < 0).sum()))
    if bias and m > FULL and 2 * few + Q.rank <= FEW:
        return np.zeros(m), NOTHING
    pairs = SMO(Q, y, u, bias)
    steps = 3 * m + PATIENCE
    if Q.rank <= LOW and m <= FULL:
        steps = WORTH // m
    elif isinstance(Q, LowRankGram):  # what the interior point takes grows with the square of the features
        steps = int(SOON * Q.rank * max(1.0, Q.rank / LOW)) + m // 10
    nearly_optimal, aim = pairs.descend(NEAR, steps), CLOSE
    if not nearly_optimal:
        P, rest = low_rank_factor(Q, EXACT, min(LENGTH, LOW + m // 64))
        if rest.mean() <= LOCAL:
            a = mehrotra(P, y if bias else None, u, ROUGH if rest.max() > EXACT else FINE, rest)
            return a, SMOOTH if rest.max() <= EXACT and m > FULL and not isinstance(Q, LowRankGram) else INTERIOR
        nearly_optimal, aim = pairs.descend(NEAR, 100 * m), SLOW
    if nearly_optimal:
        free = int(np.count_nonzero((pairs.a > 0) & (pairs.a < u)))
        pairs.descend(aim, pairs.steps // 4 + m // 5 + PATIENCE * (1 + free))
    return pairs.a, PAIRS

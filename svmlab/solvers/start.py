"""Where the exact method starts: a partition that is about right, found faster than by exchanges.

Steps on pairs of multipliers are the fastest method while few variables are free. Where a factor of low rank is close
to Q, a few steps of the interior point do as well for every C. The limit on pairs is counted in steps, never in time,
so that the same points always give the same start.
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

# Largest violation of a margin. Below NEAR the pairs are close to the optimum. Below CLOSE they stop, and below SLOW if
# they were slow.
NEAR, CLOSE = 1e-2, 1e-4
SLOW = 1e-3
# Steps on pairs: the basic allowance, and (times m) about what the interior point costs.
PATIENCE, WORTH = 30, 30_000
# Steps in working sets that cost as much as one feature in the interior point (and one step more for ten points).
SOON = 10
LOW = 24  # Up to this rank of Q the interior point is fast.
# The largest rank of a factor for many points, and what an exact factor leaves of the diagonal at most.
LENGTH, EXACT = 64, 1e-10
LOCAL = 5e-3  # If a factor leaves more of the diagonal on average, the kernel is too local for a factor.
# Multipliers that can be above 0 at the optimum: the smaller class, as many to balance it, and the free ones.
FEW = 30
ROUGH, FINE = 1e-2, 1e-4  # gaps to which the start is solved: with a rough factor, with an exact one
NOTHING, PAIRS = N_("every multiplier at 0"), N_("pairs")
INTERIOR, SMOOTH = N_("interior point"), N_("interior point and a short factor")
STIFF = 1e6  # the bound that replaces C = inf in the start


def initial_alpha(Q: Gram, y: Array, u: Array, bias: bool) -> tuple[Array, str]:
    """Return a start and its name: by pairs, or by the interior point where a factor of low rank is close to Q.

    Steps on pairs soon come close to the optimum, and may then converge slowly. The more variables are free, the more
    an exchange costs, so the more steps the pairs are allowed. With bias y'a = 0, so the optimum is the same for any p
    = 1 - b y in place of the vector 1.
    """
    u = np.minimum(u, STIFF)
    m, smaller_class = len(y), int(min((y > 0).sum(), (y < 0).sum()))
    if bias and m > FULL and 2 * smaller_class + Q.rank <= FEW:
        return np.zeros(m), NOTHING
    pairs = SMO(Q, y, u, bias)
    steps = 3 * m + PATIENCE
    if Q.rank <= LOW and m <= FULL:
        steps = WORTH // m
    elif isinstance(Q, LowRankGram):  # The cost of the interior point grows with the square of the number of features.
        steps = int(SOON * Q.rank * max(1.0, Q.rank / LOW)) + m // 10
    nearly_optimal, tolerance = pairs.descend(NEAR, steps), CLOSE
    if not nearly_optimal:
        P, remainder = low_rank_factor(Q, EXACT, min(LENGTH, LOW + m // 64))
        if remainder.mean() <= LOCAL:
            a = mehrotra(P, y if bias else None, u, ROUGH if remainder.max() > EXACT else FINE, remainder)
            return a, SMOOTH if remainder.max() <= EXACT and m > FULL and not isinstance(Q, LowRankGram) else INTERIOR
        nearly_optimal, tolerance = pairs.descend(NEAR, 100 * m), SLOW
    if nearly_optimal:
        free = int(np.count_nonzero((pairs.a > 0) & (pairs.a < u)))
        pairs.descend(tolerance, pairs.steps // 4 + m // 5 + PATIENCE * (1 + free))
    return pairs.a, PAIRS

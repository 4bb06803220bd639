"""Where the exact method starts: a partition that is about right, found faster than by exchanges.

Steps on pairs of multipliers are the fastest method while few variables are free. Where a factor of low rank is close
to Q, a few steps of the interior point do as well for every C. The limit on pairs is counted in steps, never in time,
so that the same points always give the same start.
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_
from svmlab.solvers.gram.build import SMALL_PROBLEM
from svmlab.solvers.gram.dense import Gram
from svmlab.solvers.gram.low_rank import low_rank_factor
from svmlab.solvers.gram.rows import LowRankGram
from svmlab.solvers.interior import mehrotra
from svmlab.solvers.smo import SMO

# Largest violation of a margin. Below PAIRS_NEAR_OPTIMUM the pairs are close to the optimum. Below PAIRS_TOLERANCE
# they stop, and below SLOW_PAIRS_TOLERANCE if
# they were slow.
PAIRS_NEAR_OPTIMUM, PAIRS_TOLERANCE = 1e-2, 1e-4
SLOW_PAIRS_TOLERANCE = 1e-3
# Steps on pairs: the basic allowance, and (times m) about what the interior point costs.
BASIC_PAIR_STEPS, INTERIOR_COST_IN_STEPS = 30, 30_000
# Steps in working sets that cost as much as one feature in the interior point (and one step more for ten points).
STEPS_PER_FEATURE = 10
LOW_RANK = 24  # Up to this rank of Q the interior point is fast.
# The largest rank of a factor for many points, and what an exact factor leaves of the diagonal at most.
MAX_FACTOR_RANK, EXACT_FACTOR = 64, 1e-10
LOCAL_KERNEL = 5e-3  # If a factor leaves more of the diagonal on average, the kernel is too local for a factor.
# Multipliers that can be above 0 at the optimum: the smaller class, as many to balance it, and the free ones.
FEW_MULTIPLIERS = 30
ROUGH_GAP, FINE_GAP = 1e-2, 1e-4  # gaps to which the start is solved: with a rough factor, with an exact one
ALL_ZERO, PAIRS = N_("every multiplier at 0"), N_("pairs")
INTERIOR, SHORT_FACTOR = N_("interior point"), N_("interior point and a short factor")
HARD_MARGIN_BOUND = 1e6  # the bound that replaces C = inf in the start


def initial_alpha(Q: Gram, y: Array, u: Array, bias: bool) -> tuple[Array, str]:
    """Return a start and its name: by pairs, or by the interior point where a factor of low rank is close to Q.

    Steps on pairs soon come close to the optimum, and may then converge slowly. The more variables are free, the more
    an exchange costs, so the more steps the pairs are allowed. With bias y'a = 0, so the optimum is the same for any p
    = 1 - b y in place of the vector 1.
    """
    u = np.minimum(u, HARD_MARGIN_BOUND)
    m, smaller_class = len(y), int(min((y > 0).sum(), (y < 0).sum()))
    if bias and m > SMALL_PROBLEM and 2 * smaller_class + Q.rank <= FEW_MULTIPLIERS:
        return np.zeros(m), ALL_ZERO
    pairs = SMO(Q, y, u, bias)
    steps = 3 * m + BASIC_PAIR_STEPS
    if Q.rank <= LOW_RANK and m <= SMALL_PROBLEM:
        steps = INTERIOR_COST_IN_STEPS // m
    elif isinstance(Q, LowRankGram):  # The cost of the interior point grows with the square of the number of features.
        steps = int(STEPS_PER_FEATURE * Q.rank * max(1.0, Q.rank / LOW_RANK)) + m // 10
    nearly_optimal, tolerance = pairs.descend(PAIRS_NEAR_OPTIMUM, steps), PAIRS_TOLERANCE
    if not nearly_optimal:
        P, remainder = low_rank_factor(Q, EXACT_FACTOR, min(MAX_FACTOR_RANK, LOW_RANK + m // 64))
        if remainder.mean() <= LOCAL_KERNEL:
            a = mehrotra(
                P, y if bias else None, u, ROUGH_GAP if remainder.max() > EXACT_FACTOR else FINE_GAP, remainder
            )
            return a, SHORT_FACTOR if remainder.max() <= EXACT_FACTOR and m > SMALL_PROBLEM and not isinstance(
                Q, LowRankGram
            ) else INTERIOR
        nearly_optimal, tolerance = pairs.descend(PAIRS_NEAR_OPTIMUM, 100 * m), SLOW_PAIRS_TOLERANCE
    if nearly_optimal:
        free = int(np.count_nonzero((pairs.a > 0) & (pairs.a < u)))
        pairs.descend(tolerance, pairs.steps // 4 + m // 5 + BASIC_PAIR_STEPS * (1 + free))
    return pairs.a, PAIRS

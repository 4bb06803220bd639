"""Where the exact method starts: a partition that is about right, found faster than by exchanges.

Steps on pairs of multipliers are the fastest method while few variables are free. Where a factor of low rank is close
to Q, a few steps of the interior point do as well for every C. The limit on pairs is counted in steps, never in time,
so that the same points always give the same start.
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_
from svmlab.core.tolerances import (
    BASIC_PAIR_STEPS,
    EXACT_FACTOR,
    FEW_MULTIPLIERS,
    FINE_START,
    HARD_MARGIN_BOUND,
    INTERIOR_COST_IN_STEPS,
    LOCAL_KERNEL,
    LOW_RANK,
    MAX_FACTOR_RANK,
    PAIRS_NEAR_OPTIMUM,
    PAIRS_TOLERANCE,
    ROUGH_START,
    SLOW_PAIRS_TOLERANCE,
    SMALL_PROBLEM,
    STEPS_PER_FEATURE,
)
from svmlab.solvers.gram.dense import Gram
from svmlab.solvers.gram.rows import LowRankGram, low_rank_factor
from svmlab.solvers.interior import mehrotra
from svmlab.solvers.smo import SMO

ALL_ZERO, PAIRS = N_("every multiplier at 0"), N_("pairs")
INTERIOR, SHORT_FACTOR = N_("interior point"), N_("interior point and a short factor")


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
                P, y if bias else None, u, ROUGH_START if remainder.max() > EXACT_FACTOR else FINE_START, remainder
            )
            return a, SHORT_FACTOR if remainder.max() <= EXACT_FACTOR and m > SMALL_PROBLEM and not isinstance(
                Q, LowRankGram
            ) else INTERIOR
        nearly_optimal, tolerance = pairs.descend(PAIRS_NEAR_OPTIMUM, 100 * m), SLOW_PAIRS_TOLERANCE
    if nearly_optimal:
        free = int(np.count_nonzero((pairs.a > 0) & (pairs.a < u)))
        pairs.descend(tolerance, pairs.steps // 4 + m // 5 + BASIC_PAIR_STEPS * (1 + free))
    return pairs.a, PAIRS

"""The canonical optimum, which depends on the points alone, from any optimal dual point.

w is unique, alpha need not be. Of all optimal alpha the one with the least sum_i a_i^2 / weight_i is chosen. The weight
of a variable is the sum of the bounds C_i of its rows in units of the largest C_i, for k equal rows without weights k
times that of one. k rows that share a contribute k (a / k)^2 = a^2 / k to the sum of squares, and one row of weight k
contributes the same. At C = inf no bound determines the weight of a row, and the weight of a variable is the number of
its rows. Here the final partition is read off the margins, the least-norm alpha is chosen among all optima, and alpha
and b are computed again from that partition, so that equal partitions give equal bits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.core.errors import SolverFailed
from svmlab.core.phrase import N_
from svmlab.core.tolerances import (
    ACCEPTABLE_RESIDUAL,
    DOUBTFUL_MULTIPLIER,
    ELIMINATION_ROWS,
    EQUALITY_ROUND_OFF,
    EQUALITY_TOLERANCE,
    INTERVAL_NOISE,
    LEAST_TIE_TOLERANCE,
    MARGIN_TOLERANCE,
    ROUND_OFF,
    TIE_ROUND_OFF,
    TIE_TOLERANCE,
    TINY,
    ZERO_MULTIPLIER,
)
from svmlab.jit.compiler import compiled_fastmath
from svmlab.solvers.bias import bias_interval, middle_bias
from svmlab.solvers.box_qp import FREE, LOWER, BoxQP, has_one_label, partition
from svmlab.solvers.free_set import solve_for_partition
from svmlab.solvers.least_norm import candidate_partitions

BLOCK_ROUNDS = 8  # rounds in which many variables change at once
NOT_OPTIMAL = N_("Optimality was not reached in double precision.")


class CanonicalOptimum(NamedTuple):
    """The optimal a, the state of every variable, b with its interval, and whether a is the only optimum (unique).

    is_start_independent: whether it is the only optimum and no other is close, so that no bit of it can depend on where
    the exchanges began. least_norm_known: whether a is known to be the optimum of least norm.
    """

    a: Array
    state: Index
    b: float
    interval: tuple[float, float]
    unique: bool
    is_start_independent: bool = False
    least_norm_known: bool = True


def finish(qp: BoxQP, a: Array) -> CanonicalOptimum:
    """Return the canonical optimum from an optimal `a` (0 or u exactly where it is at a bound).

    Raises SolverFailed where round-off leaves no optimum.
    """
    m, y = len(qp.y), qp.y
    if qp.bias and has_one_label(y):
        lo, hi = bias_interval(np.zeros(m), y, qp.upper, qp.hard)
        return CanonicalOptimum(np.zeros(m), np.full(m, LOWER), middle_bias(lo, hi), (lo, hi), True)
    own_state = partition(a, qp.upper)
    Qa, size = qp.Q.product_and_size(a)
    tol, g = tie_tolerance(size), y * Qa
    lo, hi = bias_interval(g, y, qp.upper, qp.hard, qp.p) if qp.bias else (0.0, 0.0)
    b = middle_bias(lo, hi)
    r = y * (g + b) - qp.p

    candidates = candidate_partitions(qp, a, r, own_state, tol)
    optima = (_optimum_of(qp, *candidate) for candidate in candidates)
    best = next((optimum for optimum in optima if optimum is not None), None)
    if best is None:
        raise SolverFailed(NOT_OPTIMAL)
    while True:  # Free variables may have reached a bound, and then others may reach theirs.
        refined = np.where(best.state == FREE, _partition_up_to_round_off(best.a, qp.upper), best.state)
        changed = bool((refined != best.state).any())
        better = _optimum_of(qp, refined, best.unique, best.least_norm_known) if changed else None
        if better is None:
            break
        best = better
    if qp.bias and (best.b is None or qp.hard):
        # The interval is computed again from the new multipliers, so that equal partitions give equal bits.
        lo, hi = qp.bias_interval(best.a)
        b = middle_bias(lo, hi)
    if hi - lo <= max(INTERVAL_NOISE, 2 * tol) or (best.b is not None and not qp.hard):
        lo = hi = b = b if best.b is None else best.b
    split = bool(((qp.count > 1) & (best.state == FREE)).any())
    return CanonicalOptimum(
        best.a, best.state, b, (lo, hi), best.unique and not split, least_norm_known=best.least_norm_known
    )


class _PartitionOptimum(NamedTuple):
    """The optimum of a partition; b is None where no free variable decides it."""

    state: Index
    unique: bool
    least_norm_known: bool
    a: Array
    b: float | None


def _optimum_of(qp: BoxQP, state: Index, unique: bool, least_norm_known: bool) -> _PartitionOptimum | None:
    """Return the optimum of a partition, or None where it is not that of the problem."""
    a, b, _, inside = solve_for_partition(qp, state)
    if not inside or not qp.is_optimal(a, state, middle_bias(*qp.bias_interval(a)) if b is None else b):
        return None
    return _PartitionOptimum(state, unique, least_norm_known, a, b)


def _partition_up_to_round_off(a: Array, u: Array) -> Index:
    """Return the states of `a`, where a variable is at a bound if only the rounding of y'a = 0 separates it from it."""
    noise = EQUALITY_ROUND_OFF * float(a.sum())
    return partition(np.where(a <= noise, 0.0, np.where(a >= u - noise, u, a)), u)


def accept_as_is(qp: BoxQP, a: Array) -> CanonicalOptimum:
    """Return an optimal `a` unchanged, where round-off allows no system to be solved for it.

    Raises SolverFailed where `a` is not optimal.
    """
    state, b = partition(a, qp.upper), middle_bias(*qp.bias_interval(a))
    if qp.hard or not qp.is_optimal(a, state, b, ACCEPTABLE_RESIDUAL):
        raise SolverFailed(NOT_OPTIMAL)
    return CanonicalOptimum(a, state, b, (b, b), False)


def block_pivot(qp: BoxQP, state: Index) -> CanonicalOptimum | None:
    """Return the optimum of a partition, or of a partition close to it, where it is one and no other optimum is close.

    With many free variables, single exchanges cost too much. So all variables on the wrong side change it at once, as
    long as their number does not grow. Source: Judice and Pires, A block principal pivoting algorithm (1994).
    """
    previous_changes = len(qp.y)
    for _ in range(BLOCK_ROUNDS):
        optimum, corrected = _solve_partition(qp, state)
        if optimum is not None:
            return optimum
        changes = int(np.count_nonzero(corrected != state))
        free = int(np.count_nonzero(corrected == FREE))
        if not 0 < changes <= previous_changes or free <= max(ELIMINATION_ROWS, 2 * changes):
            return None
        state, previous_changes = corrected, changes
    return None


def _solve_partition(qp: BoxQP, state: Index) -> tuple[CanonicalOptimum | None, Index]:
    """Return the optimum of a partition, or None, and the partition with the wrong states corrected.

    It is the optimum where the system is regular, every free variable is well inside its bounds, and every other point
    is off the margin line. Where no variable is free, b must also have an interval.
    """
    a, b_free, regular, inside = solve_for_partition(qp, state, solve_singular=False)
    if not (regular and np.count_nonzero(a)):
        return None, state
    if not inside:
        return None, np.where(state == FREE, partition(a, qp.upper), state)
    Qa, size = qp.Q.product_and_size(a)
    tie = tie_tolerance(size)
    lo = hi = b = 0.0 if b_free is None else b_free
    if qp.bias and b_free is None:
        lo, hi = qp.bias_interval(a)
        b = middle_bias(lo, hi)
        if hi - lo <= max(INTERVAL_NOISE, 2 * tie):
            return None, state
    corrected = state.copy()
    clear, single, start_independent = _check_partition(
        Qa, qp.p, a, qp.y, qp.upper, qp.count, state, b, qp.bias, max(MARGIN_TOLERANCE, ROUND_OFF * size), tie,
        corrected,
    )  # fmt: skip
    if not clear:
        return None, corrected
    return CanonicalOptimum(a, state, b, (lo, hi), single, start_independent), corrected


@compiled_fastmath
def _check_partition(
    Qa: Array, p: Array, a: Array, y: Array, u: Array, count: Array, state: Index, b: float, bias: bool,
    margin_tolerance: float, tie: float, corrected: Index,
) -> tuple[bool, bool, bool]:  # fmt: skip
    """Check a partition, and set the variables with a wrong state to FREE in `corrected`.

    Returns three values. The first is whether y'a = 0 and nothing is near a tie, and the second whether every free
    variable represents one point. The third is whether no point is so near its margin line, and no free variable so
    near a bound, that the exchanges might have ended differently.
    """
    largest, total, moment, single, start_independent = 0.0, 0.0, 0.0, True, True
    for i in range(len(a)):
        largest = max(largest, a[i])
        total += a[i]
        moment += y[i] * a[i]
    clear = not bias or abs(moment) <= EQUALITY_TOLERANCE * largest + EQUALITY_ROUND_OFF * total
    small = ZERO_MULTIPLIER * max(largest, TINY)
    for i in range(len(a)):
        r = Qa[i] + y[i] * b - p[i]
        inside = small < a[i] < u[i] - small
        if state[i] == FREE:
            clear = clear and inside and abs(r) <= margin_tolerance
            single = single and count[i] <= 1.0
            start_independent = (
                start_independent and DOUBTFUL_MULTIPLIER * largest < a[i] < u[i] - DOUBTFUL_MULTIPLIER * largest
            )
        elif inside or r * state[i] >= -tie:
            clear = False
            if r * state[i] > tie:
                corrected[i] = FREE
        elif r * state[i] >= -margin_tolerance:
            start_independent = False
    return clear, single, start_independent


def tie_tolerance(size: float) -> float:
    """Return how close to 1 a margin must be to count as 1, where |Q| a is at most `size`."""
    return max(TIE_TOLERANCE * min(1.0, size), LEAST_TIE_TOLERANCE, TIE_ROUND_OFF * size)

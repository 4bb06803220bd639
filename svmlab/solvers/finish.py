"""From a good dual point to the one answer that depends on the points alone.

w is unique, alpha need not be. Of all optimal alpha the one with the least sum_i a_i^2 / weight_i is chosen. The weight
of a variable is the sum of the bounds C_i of its rows in units of the largest C_i, for k equal rows without weights k
times that of one: k rows that share a have k (a / k)^2 = a^2 / k as their part of the sum of squares, and one row of
weight k has the same. At C = inf no bound tells what a row weighs, and its weight is the number of its rows. Here the
final partition is read off the margins, the least-norm alpha is chosen among all optima, and alpha and b are computed
once more from that partition: equal partitions give equal bits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import EPS, Array, Index
from svmlab.core.errors import SolverFailed
from svmlab.core.phrase import N_
from svmlab.jit.compiler import compiled_fastmath
from svmlab.solvers.active_set import FREE, LOWER, partition
from svmlab.solvers.bias import bias_interval, middle_bias
from svmlab.solvers.free_set import SMALL
from svmlab.solvers.gram.dense import Gram
from svmlab.solvers.least_norm import candidate_partitions
from svmlab.solvers.refactor import solve_for_partition

BLOCK = 1 << 19  # entries of a temporary
ROUNDS = 8  # in which many variables change at once
WITHIN = 1e-6  # of a margin: what is an answer all the same, proven or not
DOUBTFUL = 1e-5  # of the largest: what rounding may make of 0 in a system that is all but singular
LOST = N_("Optimality was not reached in double precision.")


@dataclass(frozen=True)
class Load:
    """How many equal rows each variable stands for, count (m,), and its weight (m,) in the norm sum a_i^2 /
    weight_i.
    """

    count: Array
    weight: Array


@dataclass(frozen=True)
class CanonicalOptimum:
    """alpha, the state of every variable, b with its interval, and whether another alpha is optimal too.

    sure: whether it is the only one and no other in sight, so that it cannot depend on where the exchanges began, in
    any bit. least: whether a is known to be the optimum of least norm.
    """

    a: Array
    state: Index
    b: float
    interval: tuple[float, float]
    unique: bool
    is_start_independent: bool = False
    least_norm_known: bool = True


def finish(Q: Gram, p: Array, y: Array, u: Array, load: Load, bias: bool, a: Array) -> CanonicalOptimum:
    """The canonical optimum from an optimal `a` (0 or u exactly where it is at a bound).

    p (m,): what Qa + y b is on the margin; u (m,) upper bounds, which weigh the slacks too. Raises SolverFailed where
    round-off leaves none.
    """
    m, hard = len(y), bool(np.isinf(u).any())
    if bias and (y == y[0]).all():
        lo, hi = bias_interval(np.zeros(m), y, u, hard)
        return CanonicalOptimum(np.zeros(m), np.full(m, LOWER), middle_bias(lo, hi), (lo, hi), True)
    own = partition(a, u)
    Qa, size = Q.product_and_size(a)
    tol, g = margin_tolerance(size), y * Qa
    lo, hi = bias_interval(g, y, u, hard, p) if bias else (0.0, 0.0)
    b = middle_bias(lo, hi)
    r = y * (g + b) - p

    def ends(a: Array) -> tuple[float, float]:
        return bias_interval(y * reproducible_product(Q, a), y, u, hard, p) if bias else (0.0, 0.0)

    def tried(trial: Index, unique: bool, least: bool) -> tuple[Index, bool, bool, Array, float | None] | None:
        out, b_free, _, inside = solve_for_partition(Q, p, y, u, load.count, load.weight, bias, trial)
        held = inside and is_optimal(Q, p, y, out, trial, middle_bias(*ends(out)) if b_free is None else b_free, bias)
        return (trial, unique, least, out, b_free) if held else None

    ways = candidate_partitions(Q, p, y, u, load.weight, bias, a, r, own, tol)
    found = next((f for way in ways if (f := tried(*way)) is not None), None)
    if found is None:
        raise SolverFailed(LOST)
    at = np.where(found[0] == FREE, partition(found[3], u), found[0])
    if (at != found[0]).any():  # what is free has come to a bound
        found = tried(at, *found[1:3]) or found
    trial, unique, least, out, b_free = found
    if bias and (b_free is None or hard):
        # Once more from the refactored multipliers: equal partitions, equal bits.
        lo, hi = ends(out)
        b = middle_bias(lo, hi)
    if hi - lo <= max(1e-9, 2 * tol) or (b_free is not None and not hard):
        lo = hi = b = b if b_free is None else b_free
    split = (load.count > 1) & (trial == FREE)
    return CanonicalOptimum(out, trial, b, (lo, hi), unique and not bool(split.any()), least_norm_known=least)


def accept_as_is(Q: Gram, p: Array, y: Array, u: Array, bias: bool, a: Array) -> CanonicalOptimum:
    """An optimal `a` as it stands, where round-off lets no system be solved for it. Raises SolverFailed where it is not
    one.
    """
    state, b = partition(a, u), 0.0
    if bias:
        b = middle_bias(*bias_interval(y * reproducible_product(Q, a), y, u, False, p))
    if np.isinf(u).any() or not is_optimal(Q, p, y, a, state, b, bias, WITHIN):
        raise SolverFailed(LOST)
    return CanonicalOptimum(a, state, b, (b, b), False)


def block_pivot(Q: Gram, p: Array, y: Array, u: Array, load: Load, bias: bool, state: Index) -> CanonicalOptimum | None:
    """The optimum that belongs to a partition, or to one near it, where it is one and no other is in sight.

    Many free variables cost more than their exchanges one by one: all that are on the wrong side change it at once,
    while they do not become more. Source: Judice and Pires, A block principal pivoting algorithm (1994).
    """
    wrong = len(y)
    for _ in range(ROUNDS):
        done, other = _solve_partition(Q, p, y, u, load, bias, state)
        fewer = int(np.count_nonzero(other != state))
        free = int(np.count_nonzero(other == FREE))
        if done is not None or not 0 < fewer <= wrong or free <= max(SMALL, 2 * fewer):
            return done
        state, wrong = other, fewer
    return None


def _solve_partition(
    Q: Gram, p: Array, y: Array, u: Array, load: Load, bias: bool, state: Index
) -> tuple[CanonicalOptimum | None, Index]:
    """The optimum of a partition, where the system is regular, every free variable well inside its bounds, every other
    point off the margin, with no free variable an interval for b; else None. And the partition with what is wrong put
    right.
    """
    a, b_free, regular, inside = solve_for_partition(
        Q, p, y, u, load.count, load.weight, bias, state, solve_singular=False
    )
    if not (regular and a.any()):
        return None, state
    if not inside:
        return None, np.where(state == FREE, partition(a, u), state)
    Qa, size = Q.product_and_size(a)
    b = 0.0 if b_free is None else b_free
    lo = hi = b
    if bias and b_free is None:
        lo, hi = bias_interval(y * reproducible_product(Q, a), y, u, False, p)
        b = middle_bias(lo, hi)
        if hi - lo <= max(1e-9, 2 * margin_tolerance(size)):
            return None, state
    other = state.copy()
    clear, single, sure = _check_partition(
        Qa, p, a, y, u, load.count, state, b, max(1e-10, 4 * EPS * size), margin_tolerance(size), other
    )
    return CanonicalOptimum(a, state, b, (lo, hi), single, sure) if clear and (
        not bias or _satisfies_equality(y, a)
    ) else None, other


@compiled_fastmath
def _check_partition(
    Qa: Array, p: Array, a: Array, y: Array, u: Array, count: Array, state: Index, b: float, exact: float, tie: float,
    other: Index,
) -> tuple[bool, bool, bool]:  # fmt: skip
    """Whether nothing is near a tie, whether every free variable stands for one point, and whether no point is so near
    its margin, no free variable so near a bound, that exchanges might have ended otherwise; who is wrong, is free in
    `other`.
    """
    largest, clear, single, sure = 0.0, True, True, True
    for i in range(len(a)):
        if a[i] > largest:
            largest = a[i]
    small = 1e-9 * max(largest, 1e-300)
    for i in range(len(a)):
        r = Qa[i] + y[i] * b - p[i]
        inside = small < a[i] < u[i] - small
        if state[i] == FREE:
            clear = clear and inside and abs(r) <= exact
            single = single and count[i] <= 1.0
            sure = sure and DOUBTFUL * largest < a[i] < u[i] - DOUBTFUL * largest
        elif inside or r * state[i] >= -tie:
            clear = False
            if r * state[i] > tie:
                other[i] = FREE
        elif r * state[i] >= -exact:
            sure = False
    return clear, single, sure


def _satisfies_equality(y: Array, a: Array) -> bool:
    """Whether y'a = 0 but for rounding."""
    return abs(float(y @ a)) <= 1e-12 * float(a.max()) + 64 * EPS * float(a.sum())


def margin_tolerance(size: float) -> float:
    """How near to 1 a margin counts as 1, |Q| a being no larger than `size`."""
    return max(1e-12 * min(1.0, size), 16 * EPS, 8 * EPS * size)


def reproducible_product(Q: Gram, a: Array) -> Array:
    """Q a, its bits depending on a and the points alone."""
    S, every = np.flatnonzero(a), np.arange(len(a))
    if Q.is_reproducible:
        return Q.times(a)
    width = max(1, BLOCK // max(len(S), 1))
    parts = [a[S] @ Q.block(S, every[j : j + width]) for j in range(0, len(a), width)]
    return np.concatenate(parts) if len(S) else np.zeros(len(a))


def is_optimal(
    Q: Gram, p: Array, y: Array, a: Array, state: Index, b: float, bias: bool, tolerance: float = 1e-10
) -> bool:
    """Y'a = 0, and Qa + y b >= p at 0, = p where free, <= p at u, up to `most` or the round-off of this Qa."""
    if bias and not _satisfies_equality(y, a):
        return False
    Qa, size = Q.product_and_size(a)
    r = Qa + y * b - p
    wrong = np.where(state == FREE, np.abs(r), r * state)
    return bool(wrong.max() <= max(tolerance, 4 * EPS * size))

"""From a good dual point to the one answer that depends on the points alone.

The tube has two edges, so the dual has two variables a point: a = [alpha; alpha*], signs s = [1; -1], and with Q_ij =
s_i s_j k(x_i, x_j),  p = s y - eps  the edge of i is met where  Qa + s b = p.  w is unique, a need not be. Here the
final partition is read off what is left to the edges, the least-norm a with alpha_i alpha*_i = 0 is chosen among all
optima, and a and b are computed once more from that partition: equal partitions give equal bits.
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import EPS, Array, Index
from svmlab.core.errors import SolverFailed
from svmlab.solvers.active_set import FREE, LOWER, UPPER, partition
from svmlab.solvers.bias import bias_interval, middle_bias
from svmlab.solvers.finish import CanonicalOptimum, is_optimal, margin_tolerance, reproducible_product
from svmlab.solvers.gram.dense import Gram
from svmlab.solvers.least_norm import is_unique, least_norm, row_space_basis
from svmlab.solvers.refactor import solve_for_partition

NOTHING = 32 * EPS  # a multiplier that moves f, of order one, by no more than rounding does
SHARED = 1e-11  # of the largest multiplier: what is left by rounding where a load can be shared in many ways


def finish(Q: Gram, p: Array, s: Array, u: Array, weight: Array, bias: bool, a: Array) -> CanonicalOptimum:
    """The canonical optimum from an optimal `a` (0 or u exactly where it is at a bound), all arrays (2n,).

    u: upper bounds, which weigh the slacks too; weight: how many equal points a row stands for. `unique` says whether
    no other a with alpha_i alpha*_i = 0 is optimal. Raises SolverFailed where round-off leaves none.
    """
    a = remove_common_part(a)
    a = np.where(a <= NOTHING * np.minimum(1.0, u), 0.0, a)
    own = partition(a, u)
    polished, b, _, held = _solve_partition(Q, p, s, u, weight, bias, own)
    if held:
        a = polished
    else:
        b = _offset(Q, p, s, u, bias, a)[0]
    Qa, size = Q.product_and_size(a)
    tol, small = margin_tolerance(size), max(NOTHING, 4 * EPS * size)
    state, unique = _least_norm_partition(Q, s, u, weight, bias, a, Qa + s * b - p, own, tol, small)
    # Where round-off spoils the choice among optima, the active set's own partition is right.
    for trial in (state, own):
        a, b, (lo, hi), held = _solve_partition(Q, p, s, u, weight, bias, trial)
        if held:
            return CanonicalOptimum(a, trial, b, (b, b) if hi - lo <= max(1e-9, 2 * tol) else (lo, hi), unique)
        unique = False
    raise SolverFailed("Optimality was not reached in double precision.")


def remove_common_part(a: Array) -> Array:
    """`a` without what alpha_i and alpha*_i have in common: f stays, eps costs less, and rounding blurs f less."""
    both = np.minimum(*np.split(a, 2))
    return a - np.r_[both, both]


def _solve_partition(
    Q: Gram, p: Array, s: Array, u: Array, weight: Array, bias: bool, state: Index
) -> tuple[Array, float, tuple[float, float], bool]:
    """a, b and its interval from the partition alone, and whether they are optimal."""
    a, pinned, _, _ = solve_for_partition(Q, p, s, u, weight, weight, bias, state)
    b, ends = _offset(Q, p, s, u, bias, a) if pinned is None else (pinned, (pinned, pinned))
    return a, b, ends, is_optimal(Q, p, s, a, state, b, bias)


def _offset(Q: Gram, p: Array, s: Array, u: Array, bias: bool, a: Array) -> tuple[float, tuple[float, float]]:
    """The b to draw, and all that are optimal beside `a`."""
    ends = bias_interval(s * reproducible_product(Q, a), s, u, False, p) if bias else (0.0, 0.0)
    return middle_bias(*ends), ends


def _least_norm_partition(
    Q: Gram, s: Array, u: Array, weight: Array, bias: bool, a: Array, rest: Array, own: Index, tol: float, small: float
) -> tuple[Index, bool]:
    """The partition of the least-norm optimum, and whether there is no other; rest (2n,) is Qa + s b - p; an edge is
    met within `tol`, and a multiplier of no more than `small` is 0.

    Along the side `near` of each point its multiplier c is in [0, u], and in [-u, u] where the two edges are one.
    """
    n = len(a) // 2
    other = np.r_[n : 2 * n, 0:n]
    near = np.where(rest[:n] <= rest[n:], np.arange(n), other[:n])
    state = np.full(2 * n, LOWER)
    state[near[rest[near] < -tol]] = UPPER
    tied = near[(np.abs(rest[near]) <= tol) | (own[:n] == FREE) | (own[n:] == FREE)]
    if not len(tied):
        return state, True
    u, weight = u[tied], weight[tied]
    flat = float((rest[tied] + rest[other[tied]]).min()) <= 2 * tol
    below = u if flat else np.zeros(len(u))
    R = row_space_basis(Q, tied, s[tied] if bias else None)
    c = np.clip(a[tied] - a[other[tied]], -below, u)
    if not len(R):  # phi = 0 at every tied point
        c = np.zeros(len(tied))
    elif len(R) < len(tied):
        ends = np.r_[np.maximum(c, 0.0), np.maximum(-c, 0.0)]
        plus, minus = np.split(least_norm(np.hstack([R, -R]), ends, np.r_[u, below], np.r_[weight, weight]), 2)
        c, small = plus - minus, max(small, SHARED * float(a.max()))
    sizes = np.where(np.abs(c) <= small, LOWER, np.where(np.abs(c) >= u - small, UPPER, FREE))
    if len(R) == len(tied):  # where the active set left more of a residual than rounding, the bound is the wrong one
        sizes[sizes * rest[tied] > small] = FREE
    state[tied] = np.where(c >= 0, sizes, LOWER)
    state[other[tied]] = np.where(c >= 0, LOWER, sizes)
    within = np.where(sizes == LOWER, FREE, sizes) if flat else sizes
    single = not ((weight > 1) & (within == FREE)).any()
    return state, single and (len(R) == len(tied) or is_unique(R * np.where(c < 0, -1.0, 1.0), within))

"""The step from a good dual point to the one canonical optimum, which depends on the points alone.

The tube has two edges, so the dual has two variables for each point: a = [alpha; alpha*] with signs s = [1; -1]. With
Q_ij = s_i s_j k(x_i, x_j) and p = s y - eps, point i is on its edge if Qa + s b = p. w is unique, but a need not be.
Here the final partition is read off the distances to the edges. The least-norm a with alpha_i alpha*_i = 0 is chosen
among all optima. Then a and b are computed once more from that partition, so equal partitions give equal bits.
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import EPS, Array, Index
from svmlab.core.errors import SolverFailed
from svmlab.solvers.bias import bias_interval, middle_bias
from svmlab.solvers.box_qp import FREE, LOWER, UPPER, BoxQP, partition, reproducible_product
from svmlab.solvers.finish import CanonicalOptimum, margin_tolerance
from svmlab.solvers.free_set import solve_for_partition
from svmlab.solvers.gram.dense import Gram
from svmlab.solvers.least_norm import is_unique, least_norm, row_space_basis

NEGLIGIBLE = 32 * EPS  # a multiplier this small moves f, which is of order one, by no more than rounding does
SHARING_ERROR = 1e-11  # relative to the largest multiplier: rounding if a sum can be distributed in many ways


def finish(
    Q: Gram, p: Array, s: Array, u: Array, count: Array, weight: Array, bias: bool, a: Array
) -> CanonicalOptimum:
    """Return the canonical optimum from an optimal `a` (exactly 0 or u if it is at a bound), all arrays (2n,).

    u: upper bounds, which weight the slacks too; count: the number of equal points that a row stands for; weight: that
    of a row in the norm. `unique` says whether no other a with alpha_i alpha*_i = 0 is optimal. Raises SolverFailed if
    rounding leaves no optimum.
    """
    a = remove_common_part(a)
    a = np.where(a <= NEGLIGIBLE * np.minimum(1.0, u), 0.0, a)
    own_state = partition(a, u)
    polished, b, _, is_valid = _solve_partition(Q, p, s, u, count, weight, bias, own_state)
    if is_valid:
        a = polished
    else:
        b = _offset(Q, p, s, u, bias, a)[0]
    Qa, size = Q.product_and_size(a)
    tol, small = margin_tolerance(size), max(NEGLIGIBLE, 4 * EPS * size)
    state, unique = _least_norm_partition(Q, s, u, count, weight, bias, a, Qa + s * b - p, own_state, tol, small)
    # If rounding spoils the choice among optima, the active set's own partition is right.
    for trial in (state, own_state):
        a, b, (lo, hi), is_valid = _solve_partition(Q, p, s, u, count, weight, bias, trial)
        if is_valid:
            return CanonicalOptimum(a, trial, b, (b, b) if hi - lo <= max(1e-9, 2 * tol) else (lo, hi), unique)
        unique = False
    raise SolverFailed("Optimality was not reached in double precision.")


def remove_common_part(a: Array) -> Array:
    """Remove the common part of alpha_i and alpha*_i: f stays, the eps term decreases, and f is rounded less."""
    common = np.minimum(*np.split(a, 2))
    return a - np.r_[common, common]


def _solve_partition(
    Q: Gram, p: Array, s: Array, u: Array, count: Array, weight: Array, bias: bool, state: Index
) -> tuple[Array, float, tuple[float, float], bool]:
    """Return a, b and its interval from the partition alone, and whether they are optimal."""
    qp = BoxQP(Q, p, s, u, count, weight, bias)
    a, pinned, _, _ = solve_for_partition(qp, state)
    b, ends = _offset(Q, p, s, u, bias, a) if pinned is None else (pinned, (pinned, pinned))
    return a, b, ends, qp.is_optimal(a, state, b)


def _offset(Q: Gram, p: Array, s: Array, u: Array, bias: bool, a: Array) -> tuple[float, tuple[float, float]]:
    """Return the canonical b, and the interval of all b that are optimal with `a`."""
    ends = bias_interval(s * reproducible_product(Q, a), s, u, False, p) if bias else (0.0, 0.0)
    return middle_bias(*ends), ends


def _least_norm_partition(
    Q: Gram,
    s: Array,
    u: Array,
    count: Array,
    weight: Array,
    bias: bool,
    a: Array,
    residual: Array,
    own_state: Index,
    tol: float,
    small: float,
) -> tuple[Index, bool]:
    """Return the partition of the least-norm optimum, and whether there is no other optimum.

    residual (2n,) is Qa + s b - p. A point is on an edge within `tol`, and a multiplier of at most `small` is 0. Along
    the nearer edge of each point its multiplier c is in [0, u], and in [-u, u] if the two edges coincide.
    """
    n = len(a) // 2
    other_edge = np.r_[n : 2 * n, 0:n]
    nearer_edge = np.where(residual[:n] <= residual[n:], np.arange(n), other_edge[:n])
    state = np.full(2 * n, LOWER)
    state[nearer_edge[residual[nearer_edge] < -tol]] = UPPER
    tied = nearer_edge[(np.abs(residual[nearer_edge]) <= tol) | (own_state[:n] == FREE) | (own_state[n:] == FREE)]
    if not len(tied):
        return state, True
    u, count, weight = u[tied], count[tied], weight[tied]
    edges_coincide = float((residual[tied] + residual[other_edge[tied]]).min()) <= 2 * tol
    lower = u if edges_coincide else np.zeros(len(u))
    R = row_space_basis(Q, tied, s[tied] if bias else None)
    c = np.clip(a[tied] - a[other_edge[tied]], -lower, u)
    if not len(R):  # phi = 0 at every tied point
        c = np.zeros(len(tied))
    elif len(R) < len(tied):
        parts = np.r_[np.maximum(c, 0.0), np.maximum(-c, 0.0)]
        plus, minus = np.split(least_norm(np.hstack([R, -R]), parts, np.r_[u, lower], np.r_[weight, weight]), 2)
        c, small = plus - minus, max(small, SHARING_ERROR * float(a.max()))
    magnitude_state = np.where(np.abs(c) <= small, LOWER, np.where(np.abs(c) >= u - small, UPPER, FREE))
    if len(R) == len(tied):  # if the active set left a residual above rounding, the bound is not the right one
        magnitude_state[magnitude_state * residual[tied] > small] = FREE
    state[tied] = np.where(c >= 0, magnitude_state, LOWER)
    state[other_edge[tied]] = np.where(c >= 0, LOWER, magnitude_state)
    sharing_state = np.where(magnitude_state == LOWER, FREE, magnitude_state) if edges_coincide else magnitude_state
    all_single = not ((count > 1) & (sharing_state == FREE)).any()
    return state, all_single and (len(R) == len(tied) or is_unique(R * np.where(c < 0, -1.0, 1.0), sharing_state))

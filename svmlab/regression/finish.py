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
from svmlab.core.tolerances import INTERVAL_NOISE
from svmlab.solvers.bias import middle_bias
from svmlab.solvers.box_qp import FREE, LOWER, UPPER, BoxQP, partition
from svmlab.solvers.finish import CanonicalOptimum, tie_tolerance
from svmlab.solvers.free_set import solve_for_partition
from svmlab.solvers.least_norm import is_unique, least_norm, row_space_basis

NEGLIGIBLE = 32 * EPS  # a multiplier this small moves f, which is of order one, by no more than rounding does
SHARING_ERROR = 1e-11  # relative to the largest multiplier: rounding if a sum can be distributed in many ways


def finish(qp: BoxQP, a: Array) -> CanonicalOptimum:
    """Return the canonical optimum from an optimal `a` (2n,), which is exactly 0 or u where it is at a bound.

    `unique` says whether no other a with alpha_i alpha*_i = 0 is optimal. Raises SolverFailed if rounding leaves no
    optimum.
    """
    a = remove_common_part(a)
    a = np.where(a <= NEGLIGIBLE * np.minimum(1.0, qp.upper), 0.0, a)
    own_state = partition(a, qp.upper)
    polished, b, _, is_valid = _solve_partition(qp, own_state)
    if is_valid:
        a = polished
    else:
        b = middle_bias(*qp.bias_interval(a))
    Qa, size = qp.Q.product_and_size(a)
    tol, small = tie_tolerance(size), max(NEGLIGIBLE, 4 * EPS * size)
    state, unique = _least_norm_partition(qp, a, Qa + qp.y * b - qp.p, own_state, tol, small)
    # If rounding spoils the choice among optima, the active set's own partition is right.
    for trial in (state, own_state):
        a, b, (lo, hi), is_valid = _solve_partition(qp, trial)
        if is_valid:
            is_one_value = hi - lo <= max(INTERVAL_NOISE, 2 * tol)
            return CanonicalOptimum(a, trial, b, (b, b) if is_one_value else (lo, hi), unique)
        unique = False
    raise SolverFailed("Optimality was not reached in double precision.")


def remove_common_part(a: Array) -> Array:
    """Remove the common part of alpha_i and alpha*_i: f stays, the eps term decreases, and f is rounded less."""
    common = np.minimum(*np.split(a, 2))
    return a - np.r_[common, common]


def _solve_partition(qp: BoxQP, state: Index) -> tuple[Array, float, tuple[float, float], bool]:
    """Return a, b and its interval from the partition alone, and whether they are optimal."""
    a, b, _, _ = solve_for_partition(qp, state)
    ends = qp.bias_interval(a) if b is None else (b, b)
    b = middle_bias(*ends) if b is None else b
    return a, b, ends, qp.is_optimal(a, state, b)


def _least_norm_partition(
    qp: BoxQP, a: Array, residual: Array, own_state: Index, tol: float, small: float
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
    u, count, weight = qp.upper[tied], qp.count[tied], qp.weight[tied]
    edges_coincide = float((residual[tied] + residual[other_edge[tied]]).min()) <= 2 * tol
    lower = u if edges_coincide else np.zeros(len(u))
    R = row_space_basis(qp.Q, tied, qp.y[tied] if qp.bias else None)
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

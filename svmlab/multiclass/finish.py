"""The step from a point near the optimum of the joint SVM to the one canonical optimum.

All w_k are unique, but the multipliers need not be. As for two classes, the final partition is read off f, the
multipliers of least norm are chosen among all optima, and they are computed once more from their partition. So the
result depends on the points alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Frozen, Mask
from svmlab.core.errors import SolverFailed
from svmlab.core.tolerances import INTERVAL_NOISE, RANK
from svmlab.multiclass.partition import BOUND_TOLERANCE, JointDual, solve_for_partition
from svmlab.solvers.box_qp import FREE, LOWER, UPPER
from svmlab.solvers.finish import tie_tolerance
from svmlab.solvers.least_norm import is_unique, least_norm

NEGLIGIBLE = 1e-9  # relative to the largest multiplier: counts as 0
EXTRA_ROUNDS = 100  # repairs, beyond one for each point, of a partition that the interior point left undecided


@dataclass(frozen=True, eq=False)
class JointOptimum(Frozen):
    """The optimum: beta (m, k), the ends lo, hi (k,) of b, and whether beta is the only optimum (None: unknown)."""

    beta: Array
    lo: Array
    hi: Array
    unique: bool | None


def finish(dual: JointDual, p: Array, s: Array) -> JointOptimum:
    """Return the canonical optimum from multipliers p (m, k) and slacks s (m, k) near it. Raises SolverFailed."""
    on, beta, regular = _repair_partition(dual, p, s)
    slack, rounding_scale = dual.slack(dual.decision_values(beta, on)[0]), dual.rounding_scale(beta)
    tie = tie_tolerance(rounding_scale)
    partition_unique = regular and bool((slack[~on] > tie).all())
    unique: bool | None = partition_unique or None
    inside = dual.own_bounds - beta > NEGLIGIBLE * float(beta.max(initial=0.0))
    if partition_unique and inside[on].all():
        beta = solve_for_partition(dual, on).beta
    else:
        partition, is_only_optimum = _least_norm_partition(dual, beta, on | (slack <= tie))
        candidate = solve_for_partition(dual, partition).beta
        if dual.is_optimal(candidate, partition):
            on, beta, unique = partition, candidate, is_only_optimum
    _, lo, hi = dual.decision_values(beta, on)
    if float((hi - lo).max()) <= max(INTERVAL_NOISE, 2 * tie):
        lo = hi = 0.5 * (lo + hi)
    return JointOptimum(beta, lo, hi, unique)


def _repair_partition(dual: JointDual, p: Array, s: Array) -> tuple[Mask, Array, bool]:
    """Return an optimal partition, its beta, and whether it is the only beta of that partition.

    The partition may be wrong if rounding leaves it undecided whether p or s is 0. A primal active-set method repairs
    it. On the way to the optimum of the partition, a multiplier that reaches 0 leaves it. At that optimum, the
    constraint with the largest violation joins it. The objective decreases with every step, so the method ends.
    """
    on = (
        (p > dual.u[:, None] * s) | (p == p.max(1, keepdims=True)) | (p == p.max(0))
    )  # p is above 0 in each row and column
    p = np.where(on, p, 0.0)
    start = dual.u[:, None] * (dual.class_indicator - p / p.sum(1, keepdims=True))
    for _ in range(EXTRA_ROUNDS + len(p)):
        solution = solve_for_partition(dual, on, start)
        beta = solution.beta
        current, target = dual.own_bounds - start, dual.own_bounds - beta
        leaves = on & (target < -BOUND_TOLERANCE * np.minimum(float(beta.max()), dual.u[:, None]))
        if leaves.any():
            fraction = np.where(leaves, current / np.where(leaves, current - target, 1.0), np.inf)
            start = start + max(float(fraction.min()), 0.0) * (beta - start)
            on = on & (fraction > fraction.min())
            continue
        if dual.is_optimal(beta, on):
            return on, beta, solution.regular
        start = beta
        g = dual.K @ beta
        f = g + solution.b if solution.b is not None else dual.decision_values(beta, on)[0]
        level = f + 1.0 - dual.class_indicator
        violation = np.where(on, -np.inf, level - np.where(on, level, np.inf).min(1, keepdims=True))
        if not violation.max() > 0:
            break
        on = on | (violation == violation.max())
    raise SolverFailed("Optimality was not reached in double precision.")


def _least_norm_partition(dual: JointDual, beta: Array, tied: Mask) -> tuple[Mask, bool]:
    """Return the partition of the beta of least norm, and whether this beta is the only optimum.

    Consider the points with several tied classes. On them all optimal beta have the same K beta, the same sums over the
    classes and, with bias, the same sums over the points. The coefficient of a point's own class is between 0 and u_i,
    and the others are at most 0.
    """
    own = dual.class_indicator > 0
    choice = tied.sum(1) > 1
    at, k = np.nonzero(tied & choice[:, None])
    on = tied.copy()
    if not len(at):
        return on, True
    points = np.flatnonzero(choice)
    sign = np.where(own[at, k], 1.0, -1.0)
    rows = [(points[:, None] == at) * sign]
    for c in range(own.shape[1]):
        class_sign = sign * (k == c)
        rows += [dual.K[np.ix_(points, at)] * class_sign, *([class_sign[None, :]] if dual.bias else [])]
    _, size, V = np.linalg.svd(np.vstack(rows), full_matrices=False)
    R = V[: int((size > RANK * size[0]).sum())]
    bound = np.where(sign > 0, dual.u[at], np.inf)
    coefficients = least_norm(R, np.clip(sign * beta[at, k], 0.0, bound), bound, dual.weight[at])
    small = NEGLIGIBLE * float(beta.max(initial=0.0))
    state = np.where(coefficients <= small, LOWER, np.where(coefficients >= bound - small, UPPER, FREE))
    on[at, k] = np.where(sign > 0, state != UPPER, state != LOWER)
    return on, len(R) == len(at) or is_unique(R, state)

"""From a point near the optimum of the joint machine to the one answer that depends on the points alone.

All w are unique, the multipliers need not be. As for two classes, the final partition is read off f, the multipliers of
least norm are chosen among all optima, and computed once more from their partition.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import EPS, Array, Frozen, Mask
from svmlab.core.errors import SolverFailed
from svmlab.multiclass.partition import CLOSE, JointDual, solve_for_partition
from svmlab.solvers.active_set import FREE, LOWER, UPPER
from svmlab.solvers.least_norm import RANK, is_unique, least_norm

SMALL = 1e-9  # of the largest multiplier: as good as nothing
ROUNDS = 100  # beside one for each point, of mending a partition that the interior point could not tell


@dataclass(frozen=True, eq=False)
class JointOptimum(Frozen):
    """beta (m, k), the ends lo, hi (k,) of b, and whether another beta is optimal too (None: not known)."""

    beta: Array
    lo: Array
    hi: Array
    unique: bool | None


def finish(dual: JointDual, p: Array, s: Array) -> JointOptimum:
    """The canonical optimum from multipliers p (m, k) and slacks s (m, k) near it. Raises SolverFailed."""
    on, beta, regular = _repair_partition(dual, p, s)
    slack, blur = dual.slack(dual.decision_values(beta, on)[0]), dual.rounding_scale(beta)
    tie = max(1e-12 * min(1.0, blur), 16 * EPS, 8 * EPS * blur)
    single = regular and bool((slack[~on] > tie).all())
    unique: bool | None = single or None
    inside = dual.u * dual.own - beta > SMALL * float(beta.max(initial=0.0))
    if single and inside[on].all():
        beta = solve_for_partition(dual, on).beta
    else:
        least, only_one = _least_norm_partition(dual, beta, on | (slack <= tie))
        other = solve_for_partition(dual, least).beta
        if dual.is_optimal(other, least):
            on, beta, unique = least, other, only_one
    _, lo, hi = dual.decision_values(beta, on)
    if float((hi - lo).max()) <= max(1e-9, 2 * tie):
        lo = hi = 0.5 * (lo + hi)
    return JointOptimum(beta, lo, hi, unique)


def _repair_partition(dual: JointDual, p: Array, s: Array) -> tuple[Mask, Array, bool]:
    """A partition that holds, its beta, and whether no other beta has it.

    Where round-off leaves it open whether p or s is 0, the partition may be wrong. A primal active set mends it: on the
    way to the optimum of the partition a multiplier that comes to 0 leaves, and at that optimum the constraint joins
    that is most broken. The objective falls with every step, so it ends.
    """
    on = (p > dual.u * s) | (p == p.max(1, keepdims=True)) | (p == p.max(0))  # in each row and column some p is above 0
    p = np.where(on, p, 0.0)
    near = dual.u * (dual.own - p / p.sum(1, keepdims=True))
    for _ in range(ROUNDS + len(p)):
        held = solve_for_partition(dual, on, near)
        beta = held.beta
        have, want = dual.u * dual.own - near, dual.u * dual.own - beta
        leaves = on & (want < -CLOSE * min(float(beta.max()), dual.u))
        if leaves.any():
            part = np.where(leaves, have / np.where(leaves, have - want, 1.0), np.inf)
            near = near + max(float(part.min()), 0.0) * (beta - near)
            on = on & (part > part.min())
            continue
        if dual.is_optimal(beta, on):
            return on, beta, held.regular
        near = beta
        g = dual.K @ beta
        f = g + held.b if held.b is not None else dual.decision_values(beta, on)[0]
        level = f + 1.0 - dual.own
        broken = np.where(on, -np.inf, level - np.where(on, level, np.inf).min(1, keepdims=True))
        if not broken.max() > 0:
            break
        on = on | (broken == broken.max())
    raise SolverFailed("Optimality was not reached in double precision.")


def _least_norm_partition(dual: JointDual, beta: Array, tied: Mask) -> tuple[Mask, bool]:
    """The partition of the beta of least norm, and whether there is no other.

    On the points with a choice, those with several tied classes, all optimal beta share K beta, their sums over the
    classes and, with bias, over the points. That of a point's own class is between 0 and u, the others are not above 0.
    """
    own, u = dual.own > 0, dual.u
    choice = tied.sum(1) > 1
    at, k = np.nonzero(tied & choice[:, None])
    on = tied.copy()
    if not len(at):
        return on, True
    points = np.flatnonzero(choice)
    sign = np.where(own[at, k], 1.0, -1.0)
    rows = [(points[:, None] == at) * sign]
    for c in range(own.shape[1]):
        here = sign * (k == c)
        rows += [dual.K[np.ix_(points, at)] * here, *([here[None, :]] if dual.bias else [])]
    _, size, V = np.linalg.svd(np.vstack(rows), full_matrices=False)
    R = V[: int((size > RANK * size[0]).sum())]
    bound = np.where(sign > 0, u, np.inf)
    least = least_norm(R, np.clip(sign * beta[at, k], 0.0, bound), bound, np.ones(len(at)))
    small = SMALL * float(beta.max(initial=0.0))
    state = np.where(least <= small, LOWER, np.where(least >= bound - small, UPPER, FREE))
    on[at, k] = np.where(sign > 0, state != UPPER, state != LOWER)
    return on, len(R) == len(at) or is_unique(R, state)

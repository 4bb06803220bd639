"""The optimum of least norm sum_i a_i^2 / weight_i among all optimal multipliers, and whether there is another optimum.

w is unique, alpha need not be: with a singular Gram matrix different alpha on the margin points can give the same w.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from svmlab.core.arrays import Array, Index, Mask
from svmlab.core.tolerances import (
    DEPENDENT_COLUMNS,
    LEAST_NORM_TOLERANCE,
    ON_MARGIN,
    RANK,
    SINGULAR_INVERSE,
    TINY,
    UNIQUE_TOLERANCE,
    ZERO_COMBINATION,
    ZERO_DIRECTION,
    ZERO_MULTIPLIERS,
    ZERO_SLOPE,
)
from svmlab.solvers.active_set import minimise
from svmlab.solvers.box_qp import FREE, LOWER, UPPER, BoxQP
from svmlab.solvers.free_set import inverse
from svmlab.solvers.gram.dense import DenseGram, Gram
from svmlab.solvers.low_rank_system import low_rank_system

NEWTON_STEPS = 100  # steps of Newton's method, plus one for each variable


def candidate_partitions(qp: BoxQP, a: Array, r: Array, own: Index, tol: float) -> Iterator[tuple[Index, bool, bool]]:
    """Yield partitions, the likeliest first, each with two flags.

    The flags say whether the optimum of the partition is the only one, and whether the partition is that of least norm.
    r (m,): the residual Qa + y b - p of each point, which is 0 on its margin line. tol: residuals up to it count as 0.
    own (m,): the partition of `a`, which is right where round-off spoils the choice among optima.
    """
    p, u = qp.p, qp.upper
    state = np.where((r < -tol) & ~np.isinf(u), UPPER, LOWER)
    tied = np.flatnonzero((np.abs(r) <= tol) | (own == FREE))
    if not len(tied):
        yield state, True, True
        yield own, True, False
        return
    R = row_space_basis(qp.Q, tied, qp.y[tied] if qp.bias else None)
    full = len(R) == len(tied)
    if full or float(np.abs(p[tied] - (R @ p[tied]) @ R).max()) <= ON_MARGIN:
        multipliers = least_norm(R, np.clip(a[tied], 0, u[tied]), u[tied], qp.weight[tied])
        for fraction in ZERO_MULTIPLIERS:
            small = fraction * max(float(a.max()), TINY)
            tied_state = np.where(multipliers <= small, LOWER, np.where(multipliers >= u[tied] - small, UPPER, FREE))
            if fraction == ZERO_MULTIPLIERS[0] or (tied_state != state[tied]).any():
                state = state.copy()
                state[tied] = tied_state
                yield state, full or is_unique(R, tied_state), True
    differs = own != state
    differs[tied] = False
    f = qp.y * (r + p)
    yield own, full, full and float(np.abs(r[differs]).max(initial=0.0)) <= ON_MARGIN * min(1.0, float(np.ptp(f)))


def row_space_basis(Q: Gram, tied: Index, y: Array | None) -> Array:
    """Return an orthonormal basis of the row space of [Q; y'], which all optimal alpha on the tied points share.

    Where the optimality system is regular, it is a basis of the whole space, because alpha is then unique.
    """
    low_rank = low_rank_system(Q, tied, y)
    if low_rank is not None:
        return low_rank.basis.T
    K = Q.block(tied, tied)
    S = K if y is None else np.block([[K, y[:, None]], [y[None, :], np.zeros((1, 1))]])
    if inverse(S, 0)[1] < SINGULAR_INVERSE:
        return np.eye(len(K))
    B = K if y is None else np.vstack([K, y])
    _, s, Vt = np.linalg.svd(B)
    return Vt[: int((s > RANK * max(s[0], TINY)).sum())]


def least_norm(R: Array, a0: Array, u: Array, weight: Array) -> Array:
    """Minimise sum a_i^2 / weight_i  subject to  R a = R a0,  0 <= a <= u.

    The optimum is a = clip(weight * R'l, 0, u) for the l that maximises the concave dual. The gradient of the dual, R
    a0 - R a(l), is piecewise linear. So Newton's method, with each step to the maximum along its line, ends exactly
    once it has found the right pieces.
    """
    if len(R) == len(a0):
        return a0
    target = R @ a0
    l = np.linalg.lstsq((R * weight) @ R.T, target, rcond=None)[0]
    limit = LEAST_NORM_TOLERANCE * max(float(np.abs(a0).max()), TINY) * len(a0)
    for _ in range(NEWTON_STEPS + len(a0)):
        s = l @ R
        a = np.clip(weight * s, 0, u)
        gradient = target - R @ a
        if np.abs(gradient).max() <= limit:
            return a
        inside = (weight * s > 0) & (weight * s < u)
        size, V = np.linalg.eigh((R[:, inside] * weight[inside]) @ R[:, inside].T)
        curved = size > RANK * weight.max()
        component = V.T @ gradient
        flat = (
            V[:, ~curved] @ component[~curved]
        )  # Along these the dual is linear, and rises until another piece begins.
        step = flat if np.abs(flat).max() > limit else V[:, curved] @ (component[curved] / size[curved])
        l = l + _step_to_maximum(s, step @ R, float(step @ target), u, weight) * step
    return a0


def _step_to_maximum(s: Array, q: Array, rise: float, u: Array, weight: Array) -> float:
    """Return the t >= 0 where the slope  rise - q'clip(weight (s + t q), 0, u)  is 0.

    The slope is falling, and linear from one bound met to the next.
    """

    def slope(t: float) -> float:
        return rise - float(q @ np.clip(weight * (s + t * q), 0, u))

    moves = np.flatnonzero(q)
    ends = np.concatenate([-s[moves] / q[moves], (u[moves] / weight[moves] - s[moves]) / q[moves]])
    ends = np.concatenate([[0.0], np.sort(ends[(ends > 0) & (ends < np.inf)])])
    ends = np.append(ends, 2 * ends[-1] + 1)
    first, last, level = 0, len(ends) - 1, ZERO_SLOPE * slope(0.0)
    while last - first > 1:
        middle = (first + last) // 2
        first, last = (middle, last) if slope(ends[middle]) > level else (first, middle)
    slope_first, slope_last = slope(ends[first]), slope(ends[last])
    t = (
        float(ends[first] + (ends[last] - ends[first]) * slope_first / (slope_first - slope_last))
        if slope_first > slope_last
        else float(ends[last])
    )
    return max(t, 0.0) if last == len(ends) - 1 else min(max(t, 0.0), float(ends[last]))


def is_unique(R: Array, state: Index) -> bool:
    """Return whether a is the only point of {R a = const, 0 <= a <= u}.

    It is, if no direction d with Rd = 0 respects the bounds that are active at a. If the free columns of R are
    dependent, there is such a direction. Otherwise the bounded columns are projected off the free ones, and a is unique
    if 0 is not a convex combination of the results (with signs turned inwards). This is a nearest-point problem, a
    small QP.
    """
    free: Mask = state == FREE
    inward = R[:, ~free] * np.where(state[~free] == LOWER, 1.0, -1.0)
    if free.sum() > len(R):
        return False
    if free.any():
        left, s, _ = np.linalg.svd(R[:, free], full_matrices=False)
        if len(s) < free.sum() or s[-1] <= DEPENDENT_COLUMNS * s[0]:
            return False
        inward = inward - left @ (left.T @ inward)
    k = inward.shape[1]
    if not k:
        return True
    G = inward.T @ inward
    scale = float(np.diag(G).max())
    if scale <= ZERO_DIRECTION or np.diag(G).min() <= ZERO_DIRECTION:
        return False
    start = np.zeros(k)
    start[0] = 1.0
    stop = minimise(DenseGram(G / scale), np.zeros(k), np.ones((1, k)), np.full(k, np.inf), start, tol=UNIQUE_TOLERANCE)
    return float(stop.a @ G @ stop.a) > ZERO_COMBINATION * scale

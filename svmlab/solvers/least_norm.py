"""The optimum of least norm among all optimal multipliers, and whether there is another. The norm is sum_i a_i^2 /
weight_i.

w is unique, alpha need not be: with a singular Gram matrix the points on the margin can share their load in many ways.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from svmlab.core.arrays import Array, Index, Mask
from svmlab.solvers.active_set import FREE, LOWER, UPPER, minimise
from svmlab.solvers.dependent import low_rank_system
from svmlab.solvers.free_set import inverse
from svmlab.solvers.gram.dense import DenseGram, Gram

RANK = 1e-12  # singular values below RANK times the largest count as zero (Q has unit diagonal)
APART = 1e-9  # of a margin: so far off, points cannot all be on it, nor any be on its other side
ZERO = (1e-9, 1e-12)  # of the largest: what is 0; the second where loads of opposite twins dwarf the others
LEVEL = 1e-10  # of the slope at its start: a line as level as that has come to its top
PATIENCE = 100  # steps of Newton's method, beside one for each variable
SINGULAR = 1e10  # entries of an inverse beyond which a matrix with entries of order one is too near to singular to use


def candidate_partitions(
    Q: Gram, p: Array, y: Array, u: Array, weight: Array, bias: bool, a: Array, r: Array, own: Index, tol: float
) -> Iterator[tuple[Index, bool, bool]]:
    """Partitions, the likeliest first: whether its optimum is the only one, and whether the partition is that of least
    norm.

    p (m,): what Qa + y b is on the margin, and r (m,) how far each point is beyond it; own (m,): the partition of `a`,
    which is right where round-off spoils the choice among optima.
    """
    state = np.where((r < -tol) & ~np.isinf(u), UPPER, LOWER)
    tied = np.flatnonzero((np.abs(r) <= tol) | (own == FREE))
    if not len(tied):
        yield state, True, True
        yield own, True, False
        return
    R = row_space_basis(Q, tied, y[tied] if bias else None)
    full = len(R) == len(tied)
    if full or float(np.abs(p[tied] - (R @ p[tied]) @ R).max()) <= APART:
        least = least_norm(R, np.clip(a[tied], 0, u[tied]), u[tied], weight[tied])
        for part in ZERO:
            small = part * max(float(a.max()), 1e-300)
            at = np.where(least <= small, LOWER, np.where(least >= u[tied] - small, UPPER, FREE))
            if part == ZERO[0] or (at != state[tied]).any():
                state = state.copy()
                state[tied] = at
                yield state, full or is_unique(R, at), True
    beside = own != state
    beside[tied] = False
    f = y * (r + p)
    yield own, full, full and float(np.abs(r[beside]).max(initial=0.0)) <= APART * min(1.0, float(np.ptp(f)))


def row_space_basis(Q: Gram, tied: Index, y: Array | None) -> Array:
    """An orthonormal basis of the row space of [Q; y']: what every optimal alpha on the tied points has in common.

    (Any basis of the whole space where the optimality system is regular: alpha is then unique.)
    """
    few = low_rank_system(Q, tied, y)
    if few is not None:
        return few.basis.T
    K = Q.block(tied, tied)
    S = K if y is None else np.block([[K, y[:, None]], [y[None, :], np.zeros((1, 1))]])
    if inverse(S, 0)[1] < SINGULAR:
        return np.eye(len(K))
    B = K if y is None else np.vstack([K, y])
    _, s, Vt = np.linalg.svd(B)
    return Vt[: int((s > RANK * max(s[0], 1e-300)).sum())]


def least_norm(R: Array, a0: Array, u: Array, weight: Array) -> Array:
    """Min sum a_i^2 / weight_i  subject to  R a = R a0,  0 <= a <= u.

    Its optimum is a = clip(weight * R'l, 0, u) for the l that maximises the concave dual. Its gradient R a0 - R a(l) is
    piecewise linear: Newton's method, each step to the maximum along its line, ends exactly once the right pieces are
    found.
    """
    if len(R) == len(a0):
        return a0
    target = R @ a0
    l = np.linalg.lstsq((R * weight) @ R.T, target, rcond=None)[0]
    limit = 1e-13 * max(float(np.abs(a0).max()), 1e-300) * len(a0)
    for _ in range(PATIENCE + len(a0)):
        s = l @ R
        a = np.clip(weight * s, 0, u)
        gradient = target - R @ a
        if np.abs(gradient).max() <= limit:
            return a
        inside = (weight * s > 0) & (weight * s < u)
        size, V = np.linalg.eigh((R[:, inside] * weight[inside]) @ R[:, inside].T)
        bent = size > RANK * weight.max()
        part = V.T @ gradient
        flat = V[:, ~bent] @ part[~bent]  # where the dual is linear, only another piece ends its rise
        step = flat if np.abs(flat).max() > limit else V[:, bent] @ (part[bent] / size[bent])
        l = l + _highest(s, step @ R, float(step @ target), u, weight) * step
    return a0


def _highest(s: Array, q: Array, rise: float, u: Array, weight: Array) -> float:
    """The t >= 0 where  rise - q'clip(weight (s + t q), 0, u),  linear and falling from one bound met to the next,
    comes to 0.
    """

    def slope(t: float) -> float:
        return rise - float(q @ np.clip(weight * (s + t * q), 0, u))

    moves = np.flatnonzero(q)
    ends = np.concatenate([-s[moves] / q[moves], (u[moves] / weight[moves] - s[moves]) / q[moves]])
    ends = np.concatenate([[0.0], np.sort(ends[(ends > 0) & (ends < np.inf)])])
    ends = np.append(ends, 2 * ends[-1] + 1)
    first, last, level = 0, len(ends) - 1, LEVEL * slope(0.0)
    while last - first > 1:
        middle = (first + last) // 2
        first, last = (middle, last) if slope(ends[middle]) > level else (first, middle)
    near, far = slope(ends[first]), slope(ends[last])
    t = float(ends[first] + (ends[last] - ends[first]) * near / (near - far)) if near > far else float(ends[last])
    return max(t, 0.0) if last == len(ends) - 1 else min(max(t, 0.0), float(ends[last]))


def is_unique(R: Array, state: Index) -> bool:
    """Whether a is the only point of {R a = const, 0 <= a <= u}: no direction d with Rd = 0 respects the bounds it sits
    on.

    Free columns of R dependent: there is one. Otherwise project the bounded columns off the free ones and ask whether 0
    is a convex combination of what remains (signs turned inwards): the nearest point of a hull, a small QP.
    """
    free: Mask = state == FREE
    inward = R[:, ~free] * np.where(state[~free] == LOWER, 1.0, -1.0)
    if free.sum() > len(R):
        return False
    if free.any():
        left, s, _ = np.linalg.svd(R[:, free], full_matrices=False)
        if len(s) < free.sum() or s[-1] <= 1e-10 * s[0]:
            return False
        inward = inward - left @ (left.T @ inward)
    k = inward.shape[1]
    if not k:
        return True
    G = inward.T @ inward
    scale = float(np.diag(G).max())
    if scale <= 1e-20 or np.diag(G).min() <= 1e-20:
        return False
    start = np.zeros(k)
    start[0] = 1.0
    stop = minimise(DenseGram(G / scale), np.zeros(k), np.ones((1, k)), np.full(k, np.inf), start, tol=1e-12)
    return float(stop.a @ G @ stop.a) > 1e-16 * scale

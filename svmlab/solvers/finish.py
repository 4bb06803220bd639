"""From a good dual point to the one answer that depends on the points alone.

w is unique, alpha need not be. Here the final partition is read off the margins, the least-norm alpha is chosen among
all optima, and alpha and b are computed once more from that partition: equal partitions give equal bits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.arrays import Array, Index, Mask
from svmlab.offset import choose, offset_interval
from svmlab.solvers.active_set import EPS, FREE, LOWER, UPPER, minimise, restore
from svmlab.solvers.gram import BLOCK, Gram, Whole

RANK = 1e-12  # singular values below RANK times the largest count as zero (Q has unit diagonal)


@dataclass(frozen=True)
class Finished:
    """alpha, the state of every variable, b with its interval, and whether another alpha is optimal too."""

    a: Array
    state: Index
    b: float
    interval: tuple[float, float]
    unique: bool


def finish(Q: Gram, y: Array, u: Array, weight: Array, bias: bool, a: Array) -> Finished:
    """The canonical optimum from an optimal `a` (0 or u exactly where it is at a bound).

    u (m,) upper bounds, weight (m,) how many equal points a row stands for.
    """
    m, hard = len(y), bool(np.isinf(u).any())
    if bias and (y == y[0]).all():
        lo, hi = offset_interval(np.zeros(m), y, weight, hard)
        return Finished(np.zeros(m), np.full(m, LOWER), choose(lo, hi), (lo, hi), True)
    tol = max(1e-12, 8 * EPS * Q.size(a))
    g = y * Q.times(a)
    lo, hi = offset_interval(g, y, weight, hard) if bias else (0.0, 0.0)
    b = choose(lo, hi)
    yf = y * (g + b)
    inside = (a > 0) & (a < u)
    state = np.where((yf < 1 - tol) & ~np.isinf(u), UPPER, LOWER)
    tied = np.flatnonzero((np.abs(yf - 1) <= tol) | inside)
    unique = True
    if len(tied):
        R = _rows(Q.block(tied, tied), y[tied] if bias else None)
        a0 = np.clip(a[tied], 0, u[tied])
        least = _least_norm(R, a0, u[tied], weight[tied])
        small = 1e-9 * max(float(a.max()), 1e-300)
        state[tied] = np.where(least <= small, LOWER, np.where(least >= u[tied] - small, UPPER, FREE))
        unique = len(R) == len(tied) or _only(R, state[tied])
    # Where round-off spoils the choice among optima, the partition that the active set ended with is still right.
    own = np.where(inside, FREE, np.where(a > 0, UPPER, LOWER))
    for partition in (state, own):
        out, b_free, good = refactor(Q, y, u, weight, bias, partition, b)
        if good:
            state = partition
            break
    else:
        out, b_free, state, unique = restore(a, u, y) if bias else a, None, own, False
    if bias and (b_free is None or hard):
        # Once more from the refactored multipliers: equal partitions, equal bits.
        lo, hi = offset_interval(y * _fresh(Q, out), y, weight, hard)
        b = choose(lo, hi)
    if hi - lo <= max(1e-9, 2 * tol) or (b_free is not None and not hard):
        lo = hi = b = b if b_free is None else b_free
    split = (weight > 1) & (state == FREE)
    return Finished(out, state, b, (lo, hi), unique and not bool(split.any()))


def _fresh(Q: Gram, a: Array) -> Array:
    """Q a, its bits depending on a and the points alone."""
    S, every = np.flatnonzero(a), np.arange(len(a))
    if isinstance(Q, Whole):
        return Q.times(a)
    width = max(1, BLOCK // max(len(S), 1))
    parts = [a[S] @ Q.block(S, every[j : j + width]) for j in range(0, len(a), width)]
    return np.concatenate(parts) if len(S) else np.zeros(len(a))


def refactor(
    Q: Gram, y: Array, u: Array, weight: Array, bias: bool, state: Index, b: float
) -> tuple[Array, float | None, bool]:
    """Alpha and b from the partition alone:  Q_FF a + y b = 1 - Q_FU u_U,  y_F'a = -y_U'u_U,  least weighted norm.

    The b that is returned is None where no variable is free; the b given stands in for it then. The last value says
    whether the result satisfies the optimality conditions to round-off.
    """
    F, U = np.flatnonzero(state == FREE), np.flatnonzero(state == UPPER)
    out = np.zeros(len(y))
    out[U] = u[U]
    if not len(F):
        return out, None, _holds(Q, y, out, state, b, bias)
    root = np.sqrt(weight[F])
    rhs = 1.0 - Q.block(F, U) @ u[U]
    M = Q.block(F, F)
    if bias:
        M = np.block([[M, y[F][:, None]], [y[F][None, :], np.zeros((1, 1))]])
        rhs, root = np.r_[rhs, -y[U] @ u[U]], np.r_[root, 1.0]
    S, t = root[:, None] * M * root, root * rhs
    inverse = _inverse(S)
    if inverse is None:
        inverse = np.asarray(np.linalg.pinv(S, rcond=RANK, hermitian=True))
    z = inverse @ t
    z = root * (z + inverse @ (t - S @ z))
    a = z[: len(F)]
    slip = 1e-9 * max(float(np.abs(a).max()), 1e-300)
    inside = bool((a >= -slip).all() and (a <= u[F] + slip).all())
    out[F] = np.clip(a, 0, u[F])
    b = float(z[-1]) if bias else 0.0
    return out, b, inside and _holds(Q, y, out, state, b, bias)


def _holds(Q: Gram, y: Array, a: Array, state: Index, b: float, bias: bool) -> bool:
    """Y'a = 0, and yf >= 1 at 0, = 1 where free, <= 1 at u, up to the round-off of Qa."""
    if bias and abs(float(y @ a)) > 1e-12 * float(a.max()):
        return False
    noise = max(1e-10, 8 * EPS * Q.size(a))
    r = Q.times(a) + y * b - 1
    return bool(
        (np.where(state == UPPER, r, -r)[state != FREE] <= noise).all() and (np.abs(r[state == FREE]) <= noise).all()
    )


def _inverse(S: Array) -> Array | None:
    """The inverse of a symmetric matrix with entries of order one, or None where it is too near to singular to use."""
    try:
        inverse = np.linalg.inv(S)
    except np.linalg.LinAlgError:
        return None
    return inverse if float(np.abs(inverse).max()) < 1e10 else None


def _rows(Q: Array, y: Array | None) -> Array:
    """An orthonormal basis of the row space of [Q; y']: what every optimal alpha on the tied points has in common.

    (Any basis of the whole space where the optimality system is regular: alpha is then unique.)
    """
    S = Q if y is None else np.block([[Q, y[:, None]], [y[None, :], np.zeros((1, 1))]])
    if _inverse(S) is not None:
        return np.eye(len(Q))
    B = Q if y is None else np.vstack([Q, y])
    _, s, Vt = np.linalg.svd(B)
    return Vt[: int((s > RANK * max(s[0], 1e-300)).sum())]


def _least_norm(R: Array, a0: Array, u: Array, weight: Array) -> Array:
    """Min sum a_i^2 / weight_i  subject to  R a = R a0,  0 <= a <= u.

    Its optimum is a = clip(weight * R'l, 0, u) for the l that maximises the concave dual; Newton's method on the
    piecewise linear equation R a(l) = R a0 ends exactly once the right pieces are found.
    """
    if len(R) == len(a0):
        return a0
    target = R @ a0
    l = np.linalg.lstsq((R * weight) @ R.T, target, rcond=None)[0]
    scale = max(float(np.abs(a0).max()), 1e-300)

    def dual(l: Array) -> float:
        a = np.clip(weight * (l @ R), 0, u)
        return float(l @ target - (l @ R) @ a + 0.5 * np.sum(a * a / weight))

    for _ in range(60):
        free = weight * (l @ R)
        a = np.clip(free, 0, u)
        gradient = target - R @ a
        if np.abs(gradient).max() <= 1e-13 * scale * len(a0):
            return a
        inside = (free > 0) & (free < u)
        H = (R[:, inside] * weight[inside]) @ R[:, inside].T + 1e-14 * np.eye(len(R))
        step = np.linalg.lstsq(H, gradient, rcond=None)[0]
        t, before = 1.0, dual(l)
        while dual(l + t * step) < before + 1e-4 * t * float(gradient @ step) and t > 1e-10:
            t *= 0.5
        l = l + t * step
    return a0


def _only(R: Array, state: Index) -> bool:
    """Whether a is the only point of {R a = const, 0 <= a <= u}: no direction d with Rd = 0 respects the bounds it sits on.

    Free columns of R dependent: there is one. Otherwise project the bounded columns off the free ones and ask whether 0
    is a convex combination of what remains (signs turned inwards): the nearest point of a hull, a small QP.
    """
    free: Mask = state == FREE
    inward = R[:, ~free] * np.where(state[~free] == LOWER, 1.0, -1.0)
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
    stop = minimise(Whole(G / scale), np.zeros(k), np.ones((1, k)), np.full(k, np.inf), start, tol=1e-12)
    return float(stop.a @ G @ stop.a) > 1e-16 * scale

"""From a good dual point to the one answer that depends on the points alone.

w is unique, alpha need not be. Here the final partition is read off the margins, the least-norm alpha is chosen among
all optima, and alpha and b are computed once more from that partition: equal partitions give equal bits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.arrays import Array, Index, Mask
from svmlab.errors import SolverFailed
from svmlab.offset import choose, offset_interval
from svmlab.solvers.active_set import EPS, FREE, LOWER, UPPER, minimise
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

    u (m,) upper bounds, weight (m,) how many equal points a row stands for. Raises SolverFailed where round-off leaves none.
    """
    m, hard = len(y), bool(np.isinf(u).any())
    if bias and (y == y[0]).all():
        lo, hi = offset_interval(np.zeros(m), y, weight, hard)
        return Finished(np.zeros(m), np.full(m, LOWER), choose(lo, hi), (lo, hi), True)
    own = partition(a, u)
    size = Q.size(a)
    noise, tol = 8 * EPS * size, _tie(size)
    g = y * Q.times(a)
    lo, hi = offset_interval(g, y, weight, hard) if bias else (0.0, 0.0)
    b = choose(lo, hi)
    yf = y * (g + b)
    state, unique = _canonical(Q, y, u, weight, bias, a, yf, (np.abs(yf - 1) <= tol) | (own == FREE), tol)
    for trial in (
        state,
        own,
    ):  # where round-off spoils the choice among optima, the active set's own partition is right
        out, b_free, _, inside = refactor(Q, y, u, weight, bias, trial)
        if inside and _holds(Q, y, out, trial, b if b_free is None else b_free, bias, noise):
            break
        unique = False
    else:
        raise SolverFailed("Optimality was not reached in double precision. Standardise the points or lower C.")
    if bias and (b_free is None or hard):
        # Once more from the refactored multipliers: equal partitions, equal bits.
        lo, hi = offset_interval(y * _fresh(Q, out), y, weight, hard)
        b = choose(lo, hi)
    if hi - lo <= max(1e-9, 2 * tol) or (b_free is not None and not hard):
        lo = hi = b = b if b_free is None else b_free
    split = (weight > 1) & (trial == FREE)
    return Finished(out, trial, b, (lo, hi), unique and not bool(split.any()))


def partition(a: Array, u: Array) -> Index:
    """LOWER where a is 0, UPPER where it is u, FREE between."""
    return (a >= u).astype(np.intp) - (a <= 0)


def plain(Q: Gram, y: Array, u: Array, weight: Array, bias: bool, state: Index) -> Finished | None:
    """The optimum that belongs to a partition, where it is one and no other is in sight.

    That is: a regular system, every free variable well inside its bounds, every other point off the margin. None otherwise.
    """
    free = state == FREE
    if not free.any():
        return None
    a, b, regular, inside = refactor(Q, y, u, weight, bias, state)
    small = 1e-9 * max(float(a.max()), 1e-300)
    if not (regular and inside and (((a > small) & (a < u - small)) == free).all()):
        return None
    b = 0.0 if b is None else b
    size = Q.size(a)
    r = Q.times(a) + y * b - 1
    if (np.abs(r[free]) > max(1e-10, 8 * EPS * size)).any() or (r * state >= -_tie(size))[~free].any():
        return None
    if bias and abs(float(y @ a)) > 1e-12 * float(a.max()):
        return None
    return Finished(a, state, b, (b, b), not bool((weight[free] > 1).any()))


def _tie(size: float) -> float:
    """How near to 1 a margin counts as 1, |Q| a being no larger than `size`."""
    return max(1e-12 * min(1.0, size), 16 * EPS, 8 * EPS * size)


def _canonical(
    Q: Gram, y: Array, u: Array, weight: Array, bias: bool, a: Array, yf: Array, tie: Mask, tol: float
) -> tuple[Index, bool]:
    """The partition of the least-norm optimum, and whether there is no other."""
    state = np.where((yf < 1 - tol) & ~np.isinf(u), UPPER, LOWER)
    tied = np.flatnonzero(tie)
    if not len(tied):
        return state, True
    R = _rows(Q.block(tied, tied), y[tied] if bias else None)
    a0 = np.clip(a[tied], 0, u[tied])
    least = _least_norm(R, a0, u[tied], weight[tied])
    small = 1e-9 * max(float(a.max()), 1e-300)
    state[tied] = np.where(least <= small, LOWER, np.where(least >= u[tied] - small, UPPER, FREE))
    return state, len(R) == len(tied) or _only(R, state[tied])


def _fresh(Q: Gram, a: Array) -> Array:
    """Q a, its bits depending on a and the points alone."""
    S, every = np.flatnonzero(a), np.arange(len(a))
    if isinstance(Q, Whole):
        return Q.times(a)
    width = max(1, BLOCK // max(len(S), 1))
    parts = [a[S] @ Q.block(S, every[j : j + width]) for j in range(0, len(a), width)]
    return np.concatenate(parts) if len(S) else np.zeros(len(a))


def refactor(
    Q: Gram, y: Array, u: Array, weight: Array, bias: bool, state: Index
) -> tuple[Array, float | None, bool, bool]:
    """Alpha and b from the partition alone:  Q_FF a + y b = 1 - Q_FU u_U,  y_F'a = -y_U'u_U,  least weighted norm.

    b is None without bias and where no variable is free. Then whether the system was regular, and whether a respects its
    bounds up to round-off (it is clipped to them).
    """
    F, U = np.flatnonzero(state == FREE), np.flatnonzero(state == UPPER)
    out = np.zeros(len(y))
    uU = out[U] = u[U]
    n, k, base = len(F), int(bias), 0.0
    if not n:
        return out, None, True, True
    if bias and len(U):
        # One class wholly at its bound, as for small C: b is near the other label, and only the rest is solved for.
        plus, full = np.count_nonzero(y > 0), np.count_nonzero(y[U] > 0)
        base = float(len(U) - full == len(y) - plus) - float(full == plus)
    S, t = np.zeros((n + k, n + k)), np.empty(n + k)
    S[:n, :n] = Q.block(F, F)
    t[:n] = (1.0 - base * y[F]) - Q.block(F, U) @ uU
    if bias:
        S[n, :n] = S[:n, n] = y[F]
        t[n] = -y[U] @ uU
    root = np.ones(n + k)
    if weight[F].max() > 1:
        root[:n] = np.sqrt(weight[F])
        S, t = root[:, None] * S * root, root * t
    inverse = _inverse(S)
    regular = inverse is not None
    if inverse is None:
        inverse = np.asarray(np.linalg.pinv(S, rcond=RANK, hermitian=True))
    z = inverse @ t
    z = root * (z + inverse @ (t - S @ z))
    a = z[:n]
    room = u[F] - a
    slip = 1e-9 * max(float(np.abs(a).max()), 1e-300)
    inside = float(a.min()) >= -slip and float(room.min()) >= -slip
    out[F] = np.minimum(np.maximum(a, 0.0), u[F])
    return out, base + float(z[-1]) if bias else None, regular, inside


def _holds(Q: Gram, y: Array, a: Array, state: Index, b: float, bias: bool, noise: float) -> bool:
    """Y'a = 0, and yf >= 1 at 0, = 1 where free, <= 1 at u, up to the round-off of Qa."""
    if bias and abs(float(y @ a)) > 1e-12 * float(a.max()):
        return False
    r = Q.times(a) + y * b - 1
    wrong = np.where(state == FREE, np.abs(r), r * state)
    return bool(wrong.max() <= max(1e-10, noise))


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

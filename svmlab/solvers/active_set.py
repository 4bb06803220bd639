"""A primal active-set method for convex quadratic programs in a box.

    min 1/2 a'Qa + q'a   subject to   A a = c,   0 <= a <= u

Q is positive semidefinite, often singular (a linear kernel in the plane has rank 2), and c is whatever the feasible
start gives. Every variable is at 0, at u, or free; the free ones solve an equality-constrained problem, the first
bound met on the way joins the set, and when none is met the worst multiplier leaves it. Finite, and exact to rounding.
Source: Nocedal and Wright, Numerical Optimization, section 16.5; the singular case is spelled out below.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.arrays import Array, Index
from svmlab.errors import SolverFailed

LOWER, FREE, UPPER = -1, 0, 1
EPS = float(np.finfo(float).eps)


@dataclass(frozen=True)
class Stop:
    """The optimum a, the state of each variable, the multipliers of A a = c and the number of exchanges."""

    a: Array
    state: Index
    multiplier: Array
    steps: int


def minimise(Q: Array, q: Array, A: Array, u: Array, a: Array, state: Index, tol: float = 1e-11) -> Stop:
    """Solve from the feasible point `a` whose variables at a bound are marked in `state`.

    Q (m, m), q (m,), A (k, m) with k = 0, 1 or 2 rows of disjoint support and entries +-1, u (m,) in (0, inf].
    tol: how negative a multiplier may be (the units of q); raised to the round-off of Qa where that is larger.
    Raises SolverFailed when the exchanges do not end.
    """
    a, state = a.copy(), state.copy()
    g, size = Q @ a + q, np.abs(Q)
    limit = 4 * len(a) + 200
    for step in range(limit):
        noise = 4 * EPS * float((size @ a).max(initial=0.0))
        F = np.flatnonzero(state == FREE)
        if len(F):
            p, multiplier, ray = _direction(Q[np.ix_(F, F)], A[:, F], -g[F], max(tol, noise))
            length, blocked = _ratio(a[F], u[F], p, np.inf if ray else 1.0)
            if np.isinf(length):
                raise SolverFailed("The dual is unbounded: no margin exists. Add slack (a finite C).")
            a[F] += length * p
            if blocked >= 0:
                j = F[blocked]
                state[j] = UPPER if p[blocked] > 0 else LOWER
                a[j] = u[j] if p[blocked] > 0 else 0.0
            g = Q @ a + q
            if blocked >= 0:
                continue
        else:
            multiplier = np.zeros(len(A))
        entering, multiplier = _entering(g, A, state, multiplier, max(tol, noise), bland=step > limit // 2)
        if not len(entering):
            return Stop(a, state, multiplier, step)
        state[entering] = FREE
    raise SolverFailed(f"The active set did not settle in {limit} exchanges. Standardise the points or lower C.")


def _direction(Q: Array, A: Array, rhs: Array, tol: float) -> tuple[Array, Array, bool]:
    """P and multipliers of  min 1/2 p'Qp - rhs'p, Ap = 0,  and whether p is a ray along which the objective falls for ever.

    The system [[Q, A'], [A, 0]] [p, l] = [rhs, 0] is symmetric. Where it is singular, rhs splits into a part in its
    range (least squares solves it) and a part n in its null space: Qn = 0, An = 0 and rhs'n = |n|^2 > 0, a ray. A part
    no larger than tol is round-off.
    """
    f, k = len(Q), len(A)
    scale = float(np.max(np.diag(Q), initial=0.0)) or 1.0
    # On Ap = 0 the matrix Q + scale A'A acts like Q, and it is positive definite exactly when the system is regular.
    H = Q + scale * (A.T @ A)
    try:
        inverse = np.linalg.inv(H)
        regular = float(np.abs(inverse).max()) * scale < 1e11
    except np.linalg.LinAlgError:
        regular = False
    if regular:
        x, Y = inverse @ rhs, inverse @ A.T
        x, Y = x + inverse @ (rhs - H @ x), Y + inverse @ (A.T - H @ Y)
        multiplier = np.linalg.solve(A @ Y, A @ x) if k else np.zeros(0)
        return x - Y @ multiplier, multiplier, False
    M = np.block([[Q / scale, A.T], [A, np.zeros((k, k))]])
    full = np.r_[rhs, np.zeros(k)]
    z = np.linalg.lstsq(M, full, rcond=1e-13 * len(M))[0]
    n = full - M @ z
    if np.abs(n).max() > max(tol, 1e-12 * np.abs(full).max()):
        return n[:f], z[f:], True
    return z[:f] / scale, z[f:], False


def _ratio(a: Array, u: Array, p: Array, longest: float) -> tuple[float, int]:
    """The longest step t <= `longest` with 0 <= a + tp <= u, and the variable that stops it (-1: none)."""
    small = 1e-15 * max(float(np.abs(p).max()), 1e-300)
    room = np.full(len(a), np.inf)
    down, up = p < -small, p > small
    room[down] = a[down] / -p[down]
    room[up] = (u[up] - a[up]) / p[up]
    j = int(np.argmin(room))
    return (max(float(room[j]), 0.0), j) if room[j] < longest else (longest, -1)


def _entering(g: Array, A: Array, state: Index, multiplier: Array, tol: float, bland: bool) -> tuple[Index, Array]:
    """Bounded variables whose multiplier has the wrong sign (one; two where nothing pins the multiplier of A a = c)."""
    none = np.zeros(0, dtype=np.intp)
    if len(A) == 1 and not (state == FREE).any():
        # A row with every variable at a bound leaves its multiplier an interval [lo, hi]: empty means two can move.
        s = A[0]
        at_least = (state == LOWER) == (s > 0)
        lo = np.where(at_least, -s * g, -np.inf)
        hi = np.where(~at_least, -s * g, np.inf)
        i, j = int(lo.argmax()), int(hi.argmin())
        ends = lo[i], hi[j]
        if ends[0] <= ends[1] + tol:
            middle = 0.5 * sum(ends) if np.isfinite(ends).all() else next((e for e in ends if np.isfinite(e)), 0.0)
            return none, np.array([middle])
        return np.array([i, j]), multiplier
    r = g + A.T @ multiplier
    wrong = np.where(state == LOWER, -r, np.where(state == UPPER, r, -np.inf))
    if not len(wrong) or wrong.max() <= tol:
        return none, multiplier
    return np.array([int(np.argmax(wrong > tol) if bland else wrong.argmax())]), multiplier


def restore(a: Array, u: Array, s: Array) -> Array:
    """`a` moved as little as needed so that s'a = 0 and 0 <= a <= u, s in {-1, +1}: free variables first, largest room first."""
    a = np.clip(a, 0.0, u)
    excess = float(s @ a)
    inside = (a > 0) & (a < u)
    for pool in (inside, ~inside):
        room = np.where(s * excess > 0, a, u - a) * pool
        for j in np.argsort(-room, kind="stable"):
            if excess == 0 or room[j] == 0:
                break
            move = min(float(room[j]), abs(excess))
            a[j] -= s[j] * np.sign(excess) * move
            excess = float(s @ a) if move == room[j] else 0.0
    return np.clip(a, 0.0, u)

"""From a good dual point to the one answer that depends on the points alone.

w is unique, alpha need not be. Here the final partition is read off the margins, the least-norm alpha is chosen among
all optima, and alpha and b are computed once more from that partition: equal partitions give equal bits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.arrays import Array, Index
from svmlab.compiled import reordered
from svmlab.errors import SolverFailed
from svmlab.offset import choose, offset_interval
from svmlab.solvers.active_set import EPS, FREE, LOWER, UPPER
from svmlab.solvers.cvx import cholesky
from svmlab.solvers.free_set import SMALL, inverse
from svmlab.solvers.gram import BLOCK, Gram
from svmlab.solvers.least_norm import RANK, SINGULAR, canonical


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

    u (m,) upper bounds, which weigh the slacks too; weight (m,) how many equal points a row stands for. Raises SolverFailed where round-off leaves none.
    """
    m, one, hard = len(y), np.ones(len(y)), bool(np.isinf(u).any())
    if bias and (y == y[0]).all():
        lo, hi = offset_interval(np.zeros(m), y, u, hard)
        return Finished(np.zeros(m), np.full(m, LOWER), choose(lo, hi), (lo, hi), True)
    own = partition(a, u)
    Qa, size = Q.measure(a)
    tol, g = tie(size), y * Qa
    lo, hi = offset_interval(g, y, u, hard) if bias else (0.0, 0.0)
    b = choose(lo, hi)
    yf = y * (g + b)
    state, unique = canonical(Q, y, u, weight, bias, a, yf, (np.abs(yf - 1) <= tol) | (own == FREE), tol)
    for trial in (
        state,
        own,
    ):  # where round-off spoils the choice among optima, the active set's own partition is right
        out, b_free, _, inside = refactor(Q, one, y, u, weight, bias, trial)
        if inside and holds(Q, one, y, out, trial, b if b_free is None else b_free, bias):
            break
        unique = False
    else:
        raise SolverFailed("Optimality was not reached in double precision. Standardise the points or lower C.")
    if bias and (b_free is None or hard):
        # Once more from the refactored multipliers: equal partitions, equal bits.
        lo, hi = offset_interval(y * fresh(Q, out), y, u, hard)
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

    That is: a regular system, every free variable well inside its bounds, every other point off the margin, with no free
    variable an interval for b. None otherwise.
    """
    a, b_free, regular, inside = refactor(Q, np.ones(len(y)), y, u, weight, bias, state, least=False)
    if not (regular and inside and a.any()):
        return None
    Qa, size = Q.measure(a)
    b = 0.0 if b_free is None else b_free
    lo = hi = b
    if bias and b_free is None:
        lo, hi = offset_interval(y * fresh(Q, a), y, u, False)
        b = choose(lo, hi)
        if hi - lo <= max(1e-9, 2 * tie(size)):
            return None
    clear, single = _clear(Qa, a, y, u, weight, state, b, bias, max(1e-10, 4 * EPS * size), tie(size))
    return Finished(a, state, b, (lo, hi), single) if clear else None


@reordered
def _clear(
    Qa: Array, a: Array, y: Array, u: Array, weight: Array, state: Index, b: float, bias: bool, exact: float, tie: float
) -> tuple[bool, bool]:
    """Whether nothing is near a tie, and whether every free variable stands for one point."""
    largest, balance, single = 0.0, 0.0, True
    for i in range(len(a)):
        balance += y[i] * a[i]
        if a[i] > largest:
            largest = a[i]
    small = 1e-9 * max(largest, 1e-300)
    for i in range(len(a)):
        r = Qa[i] + y[i] * b - 1.0
        inside = small < a[i] < u[i] - small
        if state[i] == FREE:
            if not inside or abs(r) > exact:
                return False, single
            single = single and weight[i] <= 1.0
        elif inside or r * state[i] >= -tie:
            return False, single
    return not bias or abs(balance) <= 1e-12 * largest, single


def tie(size: float) -> float:
    """How near to 1 a margin counts as 1, |Q| a being no larger than `size`."""
    return max(1e-12 * min(1.0, size), 16 * EPS, 8 * EPS * size)


def fresh(Q: Gram, a: Array) -> Array:
    """Q a, its bits depending on a and the points alone."""
    S, every = np.flatnonzero(a), np.arange(len(a))
    if Q.steady:
        return Q.times(a)
    width = max(1, BLOCK // max(len(S), 1))
    parts = [a[S] @ Q.block(S, every[j : j + width]) for j in range(0, len(a), width)]
    return np.concatenate(parts) if len(S) else np.zeros(len(a))


def refactor(
    Q: Gram, p: Array, y: Array, u: Array, weight: Array, bias: bool, state: Index, least: bool = True
) -> tuple[Array, float | None, bool, bool]:
    """Alpha and b from the partition alone:  Q_FF a + y b = p_F - Q_FU u_U,  y_F'a = -y_U'u_U,  least weighted norm.

    p (m,): what Qa + y b is where a variable is free, 1 for a classifier. b is None without bias and where no variable is
    free. Then whether the system was regular, and whether a respects its bounds up to round-off (it is clipped to them).
    Without `least` a singular system is not solved, only found out.
    """
    F, U = (state == FREE).nonzero()[0], (state == UPPER).nonzero()[0]
    out = np.zeros(len(y))
    uU = out[U] = u[U]
    n = len(F)
    if not n:
        return out, None, True, True
    S, t, root = np.empty((n + bias, n + bias)), np.empty(n + bias), np.empty(n + bias)
    base = _system(Q.block(F, F), Q.block(F, U) @ uU, F, p, y, u, weight, state, bias, S, t, root)
    z, regular = _solution(S, t, n, least)
    inside = _place(z, root, F, u, out)
    b = base + float(z[n]) if bias else None
    return out, b, regular, inside


@reordered
def _place(z: Array, root: Array, F: Index, u: Array, out: Array) -> bool:
    """a_F = root z into `out`, clipped to its bounds; whether only round-off was clipped."""
    largest, inside = 1e-300, True
    for i in range(len(F)):
        out[F[i]] = root[i] * z[i]
        if abs(out[F[i]]) > largest:
            largest = abs(out[F[i]])
    for i in range(len(F)):
        a = out[F[i]]
        inside = inside and a >= -1e-9 * largest and a <= u[F[i]] + 1e-9 * largest
        out[F[i]] = min(max(a, 0.0), u[F[i]])
    return inside


def _solution(S: Array, t: Array, n: int, least: bool) -> tuple[Array, bool]:
    """The z with S z = t, once refined (where S is singular: of least norm, or none), and whether S is regular; Q comes first in it."""
    factor = cholesky(S[:n, :n]) if n > SMALL else None
    if factor is not None:
        V, z = S[:n, n:], np.zeros(len(t))
        for _ in range(2):
            rest = t - S @ z
            W = factor.solve(np.column_stack([V, rest[:n]]))
            v, x = W[:, :-1], W[:, -1]
            b = (V.T @ x - rest[n:]) / (V * v).sum(0)
            z += np.append(x - v @ b, b)
        return z, True
    N, largest = inverse(S, 0)
    regular = largest < SINGULAR
    if not regular:
        if not least:
            return np.zeros(len(t)), False
        N = np.asarray(np.linalg.pinv(S, rcond=RANK, hermitian=True))
    z = N @ t
    return z + N @ (t - S @ z), regular


@reordered
def _system(
    QFF: Array,
    load: Array,
    F: Index,
    p: Array,
    y: Array,
    u: Array,
    weight: Array,
    state: Index,
    bias: bool,
    S: Array,
    t: Array,
    root: Array,
) -> float:
    """The matrix S and the right-hand side t in terms of a / root; the multiplier of y'a = 0 is b less what is returned.

    With one class wholly at its bound, as for small C, b is near the other label, and only the rest is solved for.
    """
    n, base, upper, spent = len(F), 0.0, 0, 0.0
    missing = np.zeros(2, dtype=np.intp)  # of each class, the points below their bound
    for i in range(len(y)):
        if state[i] == UPPER:
            upper += 1
            spent += y[i] * u[i]
        else:
            missing[int(y[i] > 0)] += 1
    if bias and upper > 0:
        base = (1.0 if missing[0] == 0 else 0.0) - (1.0 if missing[1] == 0 else 0.0)
    for i in range(n):
        root[i] = np.sqrt(weight[F[i]])
    for i in range(n):
        t[i] = root[i] * (p[F[i]] - base * y[F[i]] - load[i])
        for j in range(n):
            S[i, j] = root[i] * QFF[i, j] * root[j]
    if bias:
        root[n], t[n], S[n, n] = 1.0, -spent, 0.0
        for i in range(n):
            S[i, n] = S[n, i] = root[i] * y[F[i]]
    return base


def holds(Q: Gram, p: Array, y: Array, a: Array, state: Index, b: float, bias: bool) -> bool:
    """Y'a = 0, and Qa + y b >= p at 0, = p where free, <= p at u, up to the round-off of this Qa."""
    if bias and abs(float(y @ a)) > 1e-12 * float(a.max()):
        return False
    Qa, size = Q.measure(a)
    r = Qa + y * b - p
    wrong = np.where(state == FREE, np.abs(r), r * state)
    return bool(wrong.max() <= max(1e-10, 4 * EPS * size))

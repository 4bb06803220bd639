"""Alpha and b from a partition alone: a linear system in the free variables, so that equal partitions give equal
bits.
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import EPS, Array, Index
from svmlab.jit.compiler import compiled_fastmath
from svmlab.solvers import many
from svmlab.solvers.active_set import FREE, UPPER
from svmlab.solvers.dependent import low_rank_system
from svmlab.solvers.free_set import SMALL, inverse
from svmlab.solvers.gram.dense import Gram
from svmlab.solvers.least_norm import RANK, SINGULAR

STEPS, ROUNDING = 4, 32 * EPS  # of refinement at most, and of the largest entry of t: what is left where it ends
TINY = 1e-100  # a diagonal entry below this is that of a point whose image is 0


def solve_for_partition(
    Q: Gram,
    p: Array,
    y: Array,
    u: Array,
    count: Array,
    weight: Array,
    bias: bool,
    state: Index,
    solve_singular: bool = True,
) -> tuple[Array, float | None, bool, bool]:
    """Alpha and b from the partition alone:  Q_FF a + y b = p_F - Q_FU u_U,  y_F'a = -y_U'u_U,  least weighted norm.

    p (m,): what Qa + y b is where a variable is free. b is None without bias and where no variable is free. Then
    whether the system was regular, and whether a respects its bounds up to round-off (it is clipped to them). The
    system is solved in units of the roots of `count`; where it is singular, of those of `weight`, by which the norm
    goes. Without `least` a singular system is not solved, only found out.
    """
    F, U = (state == FREE).nonzero()[0], (state == UPPER).nonzero()[0]
    out = np.zeros(len(y))
    uU = out[U] = u[U]
    n = len(F)
    if not n:
        return out, None, True, True
    if n > Q.rank + bias and not solve_singular:
        return out, None, False, True
    even, load = bool((weight == count).all()), Q.onto(F, U, uU)
    t, root = np.empty(n + bias), np.empty(n)
    _target(load, F, p, y, u, count, state, bias, t, root)
    z, regular = _solution(Q, F, y[F], root, t, solve_singular and even)
    if solve_singular and not (regular or even):
        _target(load, F, p, y, u, weight, state, bias, t, root)
        z, _ = _solution(Q, F, y[F], root, t, True)
    inside = _place(z, root, F, u, out)
    b = float(z[n]) if bias else None
    return out, b, regular, inside


@compiled_fastmath
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


def _solution(Q: Gram, F: Index, y: Array, root: Array, t: Array, least: bool) -> tuple[Array, bool]:
    """The z with S z = t, refined (where S is singular: of least norm, or 0), and whether S is regular.

    S = [[R Q_FF R, R y], [y'R, 0]], R the diagonal matrix of `root`.
    """
    n, few, signs = len(F), None, y if len(t) > len(F) else None
    if n > Q.rank + len(t) - n:
        few = low_rank_system(Q, F, signs, root)
    if few is None and n > SMALL:
        z = many.solve_large_system(Q, F, y, root, t)
        if z is not None:
            return z, True
        few = low_rank_system(Q, F, signs, root)
    if few is not None:
        return few.solve(t) if least else np.zeros(len(t)), False
    S = np.empty((len(t), len(t)))
    _system(Q.block(F, F), y, root, S)
    N, largest = inverse(S, 0)
    if not largest < SINGULAR:  # as it stands; a high degree makes some points tiny, and each gets a unit of its own
        e = np.ones(len(t))
        e[:n] /= np.sqrt(np.where(S.diagonal()[:n] > TINY, S.diagonal()[:n], 1.0))
        e[n:] /= e[:n].max()
        N, largest = inverse(e[:, None] * S * e, 0)
        N = e[:, None] * N * e
    regular = largest < SINGULAR
    if not regular:
        if not least:
            return np.zeros(len(t)), False
        N = np.asarray(np.linalg.pinv(S, rcond=RANK, hermitian=True))
    z = N @ t
    return _refined(S, N, t, z + N @ (t - S @ z)), regular


def _refined(S: Array, N: Array, t: Array, z: Array) -> Array:
    """The solution z of S z = t after as many further steps of refinement as it takes until only rounding is left.

    A system all but singular needs them: what its smallest singular values leave of t is else seen in w, which may be
    0.
    """
    rest = t - S @ z
    for _ in range(STEPS):
        left = float(np.abs(rest).max())
        if left <= ROUNDING * float(np.abs(t).max()):
            break
        nearer = z + N @ rest
        rest = t - S @ nearer
        if not float(np.abs(rest).max()) <= 0.5 * left:
            break
        z = nearer
    return z


@compiled_fastmath
def _target(
    load: Array, F: Index, p: Array, y: Array, u: Array, weight: Array, state: Index, bias: bool, t: Array, root: Array
) -> None:
    """The roots of the weights, and the right-hand side t in terms of a / root; b is the multiplier of y'a = 0."""
    n, spent = len(F), 0.0
    for i in range(len(y)):
        if state[i] == UPPER:
            spent += y[i] * u[i]
    for i in range(n):
        root[i] = np.sqrt(weight[F[i]])
        t[i] = root[i] * (p[F[i]] - load[i])
    if bias:
        t[n] = -spent


@compiled_fastmath
def _system(Q: Array, y: Array, root: Array, S: Array) -> None:
    """The matrix S of the system in terms of a / root, in place: with a row for y'a where it is larger than Q."""
    n = len(Q)
    for i in range(n):
        for j in range(n):
            S[i, j] = root[i] * Q[i, j] * root[j]
    if len(S) > n:
        S[n, n] = 0.0
        for i in range(n):
            S[i, n] = S[n, i] = root[i] * y[i]

"""Alpha and b from a partition alone, by a linear system in the free variables: equal partitions give equal bits."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.core.tolerances import (
    ELIMINATION_ROWS,
    EXACT_ROUND_OFF,
    LEAST_DIAGONAL,
    RANK,
    SINGULAR_INVERSE,
    TINY,
    ZERO_MULTIPLIER,
)
from svmlab.jit.compiler import compiled_fastmath
from svmlab.solvers import many
from svmlab.solvers.box_qp import FREE, UPPER, BoxQP
from svmlab.solvers.dependent import low_rank_system
from svmlab.solvers.free_set import (
    REFINEMENT_STEPS,
    inverse,
    solve_few,
)
from svmlab.solvers.gram.dense import DenseGram, Gram


def solve_for_partition(qp: BoxQP, state: Index, solve_singular: bool = True) -> tuple[Array, float | None, bool, bool]:
    """Solve  Q_FF a + y b = p_F - Q_FU u_U,  y_F'a = -y_U'u_U  for alpha and b, from the partition alone.

    Returns alpha; b, which is None without bias and where no variable is free; whether the system was regular; and
    whether a respects its bounds up to round-off (it is clipped to them). The system is solved in units of the square
    roots of the counts. Where it is singular, the solution of least weighted norm is computed in units of the square
    roots of the weights. Without `solve_singular` a singular system is detected but not solved.
    """
    Q, p, y, u, count, weight, bias = qp.Q, qp.p, qp.y, qp.upper, qp.count, qp.weight, qp.bias
    alpha = np.zeros(len(y))
    if isinstance(Q, DenseGram):
        most = min(ELIMINATION_ROWS, Q.rank + bias)
        few, b, solved, inside = solve_few(
            Q.kept, Q.slot, p, y, u, count, state, bias, float(most), SINGULAR_INVERSE, alpha
        )
        if solved or not few:
            return alpha, b if bias and few else None, True, inside
    F, U = (state == FREE).nonzero()[0], (state == UPPER).nonzero()[0]
    uU = alpha[U] = u[U]
    n = len(F)
    if not n:
        return alpha, None, True, True
    if n > Q.rank + bias and not solve_singular:
        return alpha, None, False, True
    same_weights, load = bool((weight == count).all()), Q.block_times(F, U, uU)
    t, root = np.empty(n + bias), np.empty(n)
    _target(load, F, p, y, u, count, state, bias, t, root)
    z, regular = _solution(Q, F, y[F], root, t, solve_singular and same_weights)
    if solve_singular and not (regular or same_weights):
        _target(load, F, p, y, u, weight, state, bias, t, root)
        z, _ = _solution(Q, F, y[F], root, t, True)
    inside = _set_free(z, root, F, u, alpha)
    return alpha, float(z[n]) if bias else None, regular, inside


@compiled_fastmath
def _set_free(z: Array, root: Array, F: Index, u: Array, out: Array) -> bool:
    """Write a_F = root z into `out`, clipped to its bounds, and return whether only round-off was clipped."""
    largest, inside = TINY, True
    for i in range(len(F)):
        out[F[i]] = root[i] * z[i]
        if abs(out[F[i]]) > largest:
            largest = abs(out[F[i]])
    for i in range(len(F)):
        a = out[F[i]]
        inside = inside and a >= -ZERO_MULTIPLIER * largest and a <= u[F[i]] + ZERO_MULTIPLIER * largest
        out[F[i]] = min(max(a, 0.0), u[F[i]])
    return inside


def _solution(Q: Gram, F: Index, y: Array, root: Array, t: Array, least: bool) -> tuple[Array, bool]:
    """Return the z with S z = t, refined, and whether S is regular.

    S = [[R Q_FF R, R y], [y'R, 0]], where R is the diagonal matrix of `root`. Where S is singular, z is the solution of
    least norm, or 0 without `least`.
    """
    n, low_rank, signs = len(F), None, y if len(t) > len(F) else None
    if n > Q.rank + len(t) - n:
        low_rank = low_rank_system(Q, F, signs, root)
    if low_rank is None and n > ELIMINATION_ROWS:
        z = many.solve_large_system(Q, F, y, root, t)
        if z is not None:
            return z, True
        low_rank = low_rank_system(Q, F, signs, root)
    if low_rank is not None:
        return low_rank.solve(t) if least else np.zeros(len(t)), False
    S = np.empty((len(t), len(t)))
    _system(Q.block(F, F), y, root, S)
    N, largest = inverse(S, 0)
    if not largest < SINGULAR_INVERSE:
        # With a kernel of high degree some diagonal entries are tiny, so each point is scaled to a unit of its own.
        units = np.ones(len(t))
        units[:n] /= np.sqrt(np.where(S.diagonal()[:n] > LEAST_DIAGONAL, S.diagonal()[:n], 1.0))
        units[n:] /= units[:n].max()
        N, largest = inverse(units[:, None] * S * units, 0)
        N = units[:, None] * N * units
    regular = largest < SINGULAR_INVERSE
    if not regular:
        if not least:
            return np.zeros(len(t)), False
        N = np.asarray(np.linalg.pinv(S, rcond=RANK, hermitian=True))
    z = N @ t
    return _refined(S, N, t, z + N @ (t - S @ z)), regular


def _refined(S: Array, N: Array, t: Array, z: Array) -> Array:
    """Return the solution z of S z = t after further steps of refinement, until only rounding is left.

    A nearly singular system needs them, because otherwise what its smallest singular values leave of t appears in w,
    which may be 0.
    """
    residual = t - S @ z
    for _ in range(REFINEMENT_STEPS):
        size = float(np.abs(residual).max())
        if size <= EXACT_ROUND_OFF * float(np.abs(t).max()):
            break
        refined = z + N @ residual
        residual = t - S @ refined
        if not float(np.abs(residual).max()) <= 0.5 * size:
            break
        z = refined
    return z


@compiled_fastmath
def _target(
    load: Array, F: Index, p: Array, y: Array, u: Array, weight: Array, state: Index, bias: bool, t: Array, root: Array
) -> None:
    """Compute in place the square roots of the weights, and the right-hand side t in terms of a / root.

    b is the multiplier of y'a = 0.
    """
    n, sum_at_bound = len(F), 0.0
    for i in range(len(y)):
        if state[i] == UPPER:
            sum_at_bound += y[i] * u[i]
    for i in range(n):
        root[i] = np.sqrt(weight[F[i]])
        t[i] = root[i] * (p[F[i]] - load[i])
    if bias:
        t[n] = -sum_at_bound


@compiled_fastmath
def _system(Q: Array, y: Array, root: Array, S: Array) -> None:
    """Compute in place the matrix S of the system in terms of a / root, with a row for y'a where S is larger than Q."""
    n = len(Q)
    for i in range(n):
        for j in range(n):
            S[i, j] = root[i] * Q[i, j] * root[j]
    if len(S) > n:
        S[n, n] = 0.0
        for i in range(n):
            S[i, n] = S[n, i] = root[i] * y[i]

"""The system of the variables strictly inside their bounds: its inverse, and its solution for a partition alone.

The inverse is that of M = [[0, A_F], [A_F', Q_FF]]. Alpha and b of a partition are computed from its free variables and
nothing else, so equal partitions give equal bits.
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.core.tolerances import (
    ELIMINATION_ROWS,
    EXACT_ROUND_OFF,
    INACCURATE_INVERSE,
    LEAST_DIAGONAL,
    RANK,
    SINGULAR_INVERSE,
    TINY,
    ZERO_MULTIPLIER,
)
from svmlab.jit.compiler import compiled_fastmath
from svmlab.solvers import large_system
from svmlab.solvers.box_qp import FREE, UPPER, BoxQP
from svmlab.solvers.cvxopt_backend import cholesky
from svmlab.solvers.gram.dense import DenseGram, Gram
from svmlab.solvers.low_rank_system import low_rank_system

REFINEMENT_STEPS = 4  # at most this many steps of refinement


def system_inverse(Q: Gram, A: Array, F: Index) -> tuple[Array, float]:
    """Return N (k + n, k + n) for A (k, m) and F (n,), and its largest entry, inf where M is singular."""
    k, n = len(A), len(F)
    M = np.zeros((k + n, k + n))
    M[k:, k:] = Q.square_block(F)
    if k:
        M[:k, k:] = A[:, F]
        M[k:, :k] = M[:k, k:].T
    N, size = inverse(M, k)
    if (
        INACCURATE_INVERSE < size < np.inf
    ):  # One step of Newton's iteration restores the digits that the inversion lost.
        N += N @ (np.eye(k + n) - M @ N)
    return N, size


def inverse(M: Array, k: int) -> tuple[Array, float]:
    """Return M^-1 and its largest entry, inf where M is singular; the first k rows are those of A."""
    if len(M) <= ELIMINATION_ROWS:
        N = np.empty_like(M)
        return N, _eliminate(M.copy(), N)
    N = np.empty_like(M)
    try:
        factor, V = cholesky(len(M) - k, lambda L: np.copyto(L, M[k:, k:])), M[k:, :k]
        if factor is None:
            N = np.linalg.inv(M)
        else:
            R = factor.inverse()
            RV = R @ V
            S = np.linalg.inv(-(V.T @ RV))
            N[:k, :k], N[:k, k:], N[k:, :k] = S, -S @ RV.T, -RV @ S
            np.add(R, RV @ S @ RV.T, out=N[k:, k:])
    except np.linalg.LinAlgError:
        return np.zeros_like(M), np.inf
    return N, float(np.abs(N).max())


@compiled_fastmath
def _eliminate(M: Array, N: Array) -> float:
    """Compute N = M^-1 by Gauss-Jordan elimination with row pivots, which overwrites M.

    Returns the largest entry of N, or inf where there is no pivot.
    """
    n = len(M)
    for i in range(n):
        for j in range(n):
            N[i, j] = 1.0 if i == j else 0.0
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(M[i, k]) > abs(M[p, k]):
                p = i
        if not abs(M[p, k]) > 0.0:
            return np.inf
        if p != k:
            for j in range(n):
                M[k, j], M[p, j] = M[p, j], M[k, j]
                N[k, j], N[p, j] = N[p, j], N[k, j]
        pivot = 1.0 / M[k, k]
        for j in range(n):
            M[k, j] *= pivot
            N[k, j] *= pivot
        for i in range(n):
            factor = M[i, k]
            if i != k and factor != 0.0:
                for j in range(n):
                    M[i, j] -= factor * M[k, j]
                    N[i, j] -= factor * N[k, j]
    largest = 0.0
    for i in range(n):
        for j in range(n):
            if abs(N[i, j]) > largest:
                largest = abs(N[i, j])
    return largest


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
        few, b, solved, inside = _solve_few(Q.kept, Q.slot, p, y, u, count, state, bias, float(most), alpha)
        if solved or not few:
            return alpha, b if bias and few else None, True, inside
    F, U = (state == FREE).nonzero()[0], (state == UPPER).nonzero()[0]
    uU = alpha[U] = u[U]
    n = len(F)
    if not n:
        return alpha, None, True, True
    if n > Q.rank + bias and not solve_singular:
        return alpha, None, False, True
    same_weights, bound_product = bool((weight == count).all()), Q.block_times(F, U, uU)
    t, root = np.empty(n + bias), np.empty(n)
    _target(bound_product, F, p, y, u, count, state, bias, t, root)
    z, regular = _solution(Q, F, y[F], root, t, solve_singular and same_weights)
    if solve_singular and not (regular or same_weights):
        _target(bound_product, F, p, y, u, weight, state, bias, t, root)
        z, _ = _solution(Q, F, y[F], root, t, True)
    inside = _set_free(z, root, F, u, alpha)
    return alpha, float(z[n]) if bias else None, regular, inside


@compiled_fastmath
def _solve_few(
    kept: Array, slot: Index, p: Array, y: Array, u: Array, count: Array, state: Index, bias: bool, most: float,
    alpha: Array,
) -> tuple[int, float, bool, bool]:  # fmt: skip
    """Solve the system of a partition with few free variables in one pass, and write its alpha, clipped to the bounds.

    The arguments and the system are those of `solve_for_partition`. Returns the number of free variables, b,
    whether the system is solved, and whether only round-off was clipped. It is not solved where there are more than
    `most` free variables, or where the inverse has an entry above SINGULAR_INVERSE.
    """
    F, n, sum_at_bound = np.empty(len(y), np.intp), 0, 0.0
    for i in range(len(y)):
        if state[i] == 0:
            F[n] = i
            n += 1
        elif state[i] > 0:
            alpha[i] = u[i]
            sum_at_bound += y[i] * u[i]
    k = n + int(bias)
    if n == 0 or n > most:
        return n, 0.0, False, True
    S, N, t, root = np.zeros((k, k)), np.empty((k, k)), np.empty(k), np.empty(n)
    for s in range(n):
        root[s] = np.sqrt(count[F[s]])
    for s in range(n):
        row, bound_product = kept[slot[F[s]]], 0.0
        for i in range(len(y)):
            bound_product += row[i] * alpha[i]  # The free variables are still 0.
        t[s] = root[s] * (p[F[s]] - bound_product)
        for r in range(n):
            S[s, r] = root[s] * row[F[r]] * root[r]
        if bias:
            S[s, n] = S[n, s] = root[s] * y[F[s]]
    if bias:
        t[n] = -sum_at_bound
    if not _eliminate(S.copy(), N) < SINGULAR_INVERSE:
        return n, 0.0, False, True
    z, refined, residual, largest, size = np.zeros(k), np.zeros(k), t.copy(), 0.0, np.inf
    for s in range(k):
        largest = max(largest, abs(t[s]))
    for step in range(REFINEMENT_STEPS + 2):  # The first step is the solution, and the second is always a refinement.
        for s in range(k):
            change = 0.0
            for r in range(k):
                change += N[s, r] * residual[r]
            refined[s] = z[s] + change
        new_size = 0.0
        for s in range(k):
            value = t[s]
            for r in range(k):
                value -= S[s, r] * refined[r]
            residual[s] = value
            new_size = max(new_size, abs(value))
        if step > 1 and not new_size <= 0.5 * size:
            break
        z[:], size = refined, new_size
        if step > 0 and size <= EXACT_ROUND_OFF * largest:
            break
    return n, z[n] if bias else 0.0, True, _set_free(z, root, F[:n], u, alpha)


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


def _solution(Q: Gram, F: Index, y: Array, root: Array, t: Array, wants_least_norm: bool) -> tuple[Array, bool]:
    """Return the z with S z = t, refined, and whether S is regular.

    S = [[R Q_FF R, R y], [y'R, 0]], where R is the diagonal matrix of `root`. Where S is singular, z is the solution of
    least norm, or 0 without `wants_least_norm`.
    """
    n, low_rank, signs = len(F), None, y if len(t) > len(F) else None
    if n > Q.rank + len(t) - n:
        low_rank = low_rank_system(Q, F, signs, root)
    if low_rank is None and n > ELIMINATION_ROWS:
        z = large_system.solve_large_system(Q, F, y, root, t)
        if z is not None:
            return z, True
        low_rank = low_rank_system(Q, F, signs, root)
    if low_rank is not None:
        return low_rank.solve(t) if wants_least_norm else np.zeros(len(t)), False
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
        if not wants_least_norm:
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
    bound_product: Array,
    F: Index,
    p: Array,
    y: Array,
    u: Array,
    weight: Array,
    state: Index,
    bias: bool,
    t: Array,
    root: Array,
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
        t[i] = root[i] * (p[F[i]] - bound_product[i])
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

"""The inverse of the optimality system of the variables strictly inside their bounds.

M = [[0, A_F], [A_F', Q_FF]],   N = M^-1
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.core.tolerances import ELIMINATION_ROWS, EXACT_ROUND_OFF, INACCURATE_INVERSE, TINY, ZERO_MULTIPLIER
from svmlab.jit.compiler import compiled_fastmath
from svmlab.solvers.cvxopt_backend import cholesky
from svmlab.solvers.gram.dense import Gram

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


@compiled_fastmath
def solve_few(
    kept: Array, slot: Index, p: Array, y: Array, u: Array, count: Array, state: Index, bias: bool, most: float,
    largest_entry: float, alpha: Array,
) -> tuple[int, float, bool, bool]:  # fmt: skip
    """Solve the system of a partition with few free variables in one pass, and write its alpha, clipped to the bounds.

    The arguments and the system are those of `refactor.solve_for_partition`. Returns the number of free variables, b,
    whether the system is solved, and whether only round-off was clipped. It is not solved where there are more than
    `most` free variables, or where the inverse has an entry above `largest_entry`.
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
        row, load = kept[slot[F[s]]], 0.0
        for i in range(len(y)):
            load += row[i] * alpha[i]  # The free variables are still 0.
        t[s] = root[s] * (p[F[s]] - load)
        for r in range(n):
            S[s, r] = root[s] * row[F[r]] * root[r]
        if bias:
            S[s, n] = S[n, s] = root[s] * y[F[s]]
    if bias:
        t[n] = -sum_at_bound
    if not _eliminate(S.copy(), N) < largest_entry:
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
    largest, inside = TINY, True
    for s in range(n):
        z[s] *= root[s]
        largest = max(largest, abs(z[s]))
    for s in range(n):
        inside = inside and -ZERO_MULTIPLIER * largest <= z[s] <= u[F[s]] + ZERO_MULTIPLIER * largest
        alpha[F[s]] = min(max(z[s], 0.0), u[F[s]])
    return n, z[n] if bias else 0.0, True, inside

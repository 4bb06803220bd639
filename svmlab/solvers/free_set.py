"""The inverse of the optimality system of the variables strictly inside their bounds.

M = [[0, A_F], [A_F', Q_FF]],   N = M^-1
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.jit.compiler import compiled_fastmath
from svmlab.solvers.cvxopt_backend import cholesky
from svmlab.solvers.gram.dense import Gram

LARGE_INVERSE = 1e5  # An inverse with larger entries is refined.
ELIMINATION_ROWS = 40  # Up to this many rows, elimination takes less time than a call of LAPACK.


def system_inverse(Q: Gram, A: Array, F: Index) -> tuple[Array, float]:
    """Return N (k + n, k + n) for A (k, m) and F (n,), and its largest entry, inf where M is singular."""
    k, n = len(A), len(F)
    M = np.zeros((k + n, k + n))
    M[k:, k:] = Q.square_block(F)
    if k:
        M[:k, k:] = A[:, F]
        M[k:, :k] = M[:k, k:].T
    N, size = inverse(M, k)
    if LARGE_INVERSE < size < np.inf:  # One step of Newton's iteration restores the digits that the inversion lost.
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

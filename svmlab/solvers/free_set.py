"""The optimality system of the variables strictly inside their bounds, inverted.

    M = [[0, A_F], [A_F', Q_FF]],   N = M^-1
"""

from __future__ import annotations

import numpy as np

from svmlab.arrays import Array, Index
from svmlab.solvers.gram import Gram

LARGE = 1e5  # an inverse with larger entries is worth mending


def inverse(Q: Gram, A: Array, F: Index) -> tuple[Array | None, float]:
    """N (k + n, k + n) for A (k, m) and F (n,), and its largest entry; None and inf where M is singular."""
    k, n = len(A), len(F)
    M = np.zeros((k + n, k + n))
    M[k:, k:] = Q.rows(F)[:, F]
    if k:
        M[:k, k:] = A[:, F]
        M[k:, :k] = M[:k, k:].T
    try:
        N = np.linalg.inv(M)
    except np.linalg.LinAlgError:
        return None, np.inf
    size = float(np.abs(N).max(initial=0.0))
    if size > LARGE:  # one step of Newton's iteration brings back what the inversion lost
        N += N @ (np.eye(k + n) - M @ N)
    return N, size

"""A factor of the Gram matrix, as long as it is worth while."""

from __future__ import annotations

import numpy as np

from svmlab.arrays import Array
from svmlab.solvers.gram import Gram, Product


def factor(Q: Gram, tol: float, rank: int) -> tuple[Array, Array]:
    """P (m, r) with Q = P P' + diag(rest) + ...: the features where Q is a product, else pivoted Cholesky to tol or `rank`.

    Source: Fine and Scheinberg, Efficient SVM training using low-rank kernel representations (2001).
    """
    m = len(Q.diag)
    if isinstance(Q, Product):
        return Q.P, np.zeros(m)
    P, rest, r = np.empty((min(rank, m), m)), np.array(Q.diag), 0
    while r < len(P):
        i = int(rest.argmax())
        if rest[i] <= tol:
            break
        row = Q.row(i) - P[:r, i] @ P[:r]
        np.divide(row, np.sqrt(rest[i]), out=P[r])
        rest -= P[r] * P[r]
        rest[i] = 0.0
        r += 1
    return P[:r].T, np.maximum(rest, 0.0)

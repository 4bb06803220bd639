"""A low-rank factor of the Gram matrix, where its rank is small enough."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.solvers.gram.dense import Gram
from svmlab.solvers.gram.rows import LowRankGram


def low_rank_factor(Q: Gram, tol: float, rank: int, at: Index | None = None) -> tuple[Array, Array]:
    """Return P (m, r) and rest (m,) with Q = P P' + diag(rest) + further off-diagonal entries.

    P contains the features where Q is a product of features, else the pivoted Cholesky factor, stopped at `tol` or at
    `rank`. at (m,): the rows and columns to use, where these are not all. Source: Fine and Scheinberg, Efficient SVM
    training using low-rank kernel representations (2001).
    """
    if isinstance(Q, LowRankGram):
        P = Q.P if at is None else Q.P[at]
        return P, np.zeros(len(P))
    rest, r = np.array(Q.diag if at is None else Q.diag[at]), 0
    P = np.empty((min(rank, len(rest)), len(rest)))
    while r < len(P):
        i = int(rest.argmax())
        if rest[i] <= tol:
            break
        new_column = (Q.row(i) if at is None else Q.block(at[i : i + 1], at)[0]) - P[:r, i] @ P[:r]
        np.divide(new_column, np.sqrt(rest[i]), out=P[r])
        rest -= P[r] * P[r]
        rest[i] = 0.0
        r += 1
    return P[:r].T, np.maximum(rest, 0.0)

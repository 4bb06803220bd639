"""The form in which a Gram matrix is held.

kappa = max k(x_i, x_i), so that no entry exceeds 1 and margins keep their units. Three ways to hold it: whole (few
points), as a product of features (low rank: no m x m matrix ever), or row by row (everything else).
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.kernels.base import Kernel
from svmlab.solvers.gram.dense import DenseGram, Gram, scale_in_place
from svmlab.solvers.gram.rows import CachedRowsGram, LowRankGram

FULL, DENSE = 300, 1000  # up to so many points the whole matrix costs less than features, than rows
STRIP = 128  # rows of a whole matrix that are computed at a time
WIDE = 100  # features up to which their products cost less than values of the kernel


def build_gram(kernel: Kernel, Z: Array, y: Array, reusable: Gram | None = None) -> tuple[Gram, float]:
    """Q in the form that suits the kernel and the number of points, and kappa; `old` is used up for what it still
    holds.
    """
    kappa = kernel.largest_diagonal(Z)
    if reusable is not None and reusable.source is not None and _same(reusable.source, kernel, Z, y):
        return reusable, kappa
    m, rank = len(y), kernel.feature_dim(Z.shape[1])
    Q: Gram
    if isinstance(reusable, DenseGram) and reusable.follow_moved_point(kernel, Z, y):
        Q = reusable
    elif m > FULL and kernel.psd and rank is not None and 2 * rank <= m and rank <= max(WIDE, Z.shape[1]):
        Q = LowRankGram(kernel, Z, y, kappa)
    elif m <= DENSE:
        Q = DenseGram(scale_in_place(_values(kernel, Z), y, y / kappa))
        Q.rank = np.inf if rank is None else rank
    else:
        Q = rows = CachedRowsGram(kernel, Z, y, kappa)
        if isinstance(reusable, CachedRowsGram) and not isinstance(reusable, LowRankGram):
            rows.take(reusable)
    Q.source = (kernel, Z, y)
    return Q, kappa


def _values(kernel: Kernel, Z: Array) -> Array:
    """K(Z, Z): of many points one half, and the other is its mirror."""
    m = len(Z)
    if m <= STRIP:
        return kernel(Z, Z)
    K = np.empty((m, m))
    for i in range(0, m, STRIP):
        here, before = slice(i, i + STRIP), slice(0, i)
        K[here, : i + STRIP] = kernel(Z[here], Z[: i + STRIP])
        K[before, here] = K[here, before].T
    return K


def _same(source: tuple[Kernel, Array, Array], kernel: Kernel, Z: Array, y: Array) -> bool:
    return source[0] == kernel and np.array_equal(source[1], Z) and np.array_equal(source[2], y)


def whole(K: Array, y: Array) -> tuple[Gram, float]:
    """Q from a matrix over the points, and kappa."""
    kappa = float(K.diagonal().max(initial=0.0)) or 1.0
    return DenseGram(scale_in_place(K.copy(), y, y / kappa)), kappa

"""Build the Gram matrix in the form that suits the kernel and the number of points.

kappa = max k(x_i, x_i), so that no entry exceeds 1 and margins keep their units. There are three forms: dense (few
points), a product of features (low rank, so no m x m matrix is ever computed), or row by row (everything else).
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, have_equal_bytes
from svmlab.core.tolerances import MANY_FEATURES, MAX_DENSE, SMALL_PROBLEM
from svmlab.kernels.base import Kernel
from svmlab.solvers.gram.dense import DenseGram, Gram, scale_in_place
from svmlab.solvers.gram.rows import CachedRowsGram, LowRankGram

STRIP = 128  # rows of a dense matrix that are computed at a time


def build_gram(kernel: Kernel, Z: Array, y: Array, reusable: DenseGram | None = None) -> tuple[Gram, float]:
    """Return Q in the form that suits the kernel and the number of points, and kappa.

    `reusable` is an earlier matrix whose entries are reused where they fit.
    """
    kappa = kernel.largest_diagonal(Z)
    if reusable is not None and reusable.source is not None and _same(reusable.source, kernel, Z, y):
        return reusable, kappa
    m, rank = len(y), kernel.feature_dim(Z.shape[1])
    Q: Gram
    if reusable is not None and reusable.follow_moved_point(kernel, Z, y):
        Q = reusable
    elif (
        m > SMALL_PROBLEM
        and kernel.psd
        and rank is not None
        and 2 * rank <= m
        and rank <= max(MANY_FEATURES, Z.shape[1])
    ):
        Q = LowRankGram(kernel, Z, y, kappa)
    elif m <= MAX_DENSE:
        Q = DenseGram(scale_in_place(_kernel_matrix(kernel, Z), y, y / kappa))
        Q.rank = np.inf if rank is None else rank
    else:
        Q = CachedRowsGram(kernel, Z, y, kappa)
    Q.source = (kernel, Z, y)
    return Q, kappa


def _kernel_matrix(kernel: Kernel, Z: Array) -> Array:
    """Return K(Z, Z); with many points only one half is computed, and the other half is its mirror image."""
    m = len(Z)
    if m <= STRIP:
        return kernel(Z, Z)
    K = np.empty((m, m))
    for i in range(0, m, STRIP):
        strip, before = slice(i, i + STRIP), slice(0, i)
        K[strip, : i + STRIP] = kernel(Z[strip], Z[: i + STRIP])
        K[before, strip] = K[strip, before].T
    return K


def _same(source: tuple[Kernel, Array, Array], kernel: Kernel, Z: Array, y: Array) -> bool:
    return source[0] == kernel and have_equal_bytes(source[1], Z) and have_equal_bytes(source[2], y)


def gram_from_matrix(K: Array, y: Array) -> tuple[Gram, float]:
    """Return Q from a Gram matrix over the points, and kappa."""
    kappa = float(K.diagonal().max(initial=0.0)) or 1.0
    return DenseGram(scale_in_place(K.copy(), y, y / kappa)), kappa

"""Build the Gram matrix in the form that suits the kernel and the number of points.

kappa = max k(x_i, x_i), so that no entry exceeds 1 and margins keep their units. There are three forms: dense (few
points), a product of features (low rank, so no m x m matrix is ever computed), or row by row (everything else).
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.tolerances import MANY_FEATURES, MAX_DENSE, SMALL_PROBLEM
from svmlab.kernels.base import Kernel
from svmlab.solvers.gram.dense import DenseGram, Gram, scale_in_place
from svmlab.solvers.gram.rows import CachedRowsGram, LowRankGram
from svmlab.solvers.gram.warm_start import WarmStart

STRIP = 128  # rows of a dense matrix that are computed at a time


def build_gram(kernel: Kernel, Z: Array, y: Array, start: WarmStart | None = None) -> tuple[Gram, float]:
    """Return Q in the form that suits the kernel and the number of points, and kappa.

    start: an earlier matrix, whose entries are reused where they fit.
    """
    kappa = kernel.largest_diagonal(Z)
    known = None if start is None else start.gram(kernel, Z, y, kappa)
    if known is not None:
        return known, kappa
    m, rank = len(y), kernel.feature_dim(Z.shape[1])
    if (
        m > SMALL_PROBLEM
        and kernel.psd
        and rank is not None
        and 2 * rank <= m
        and rank <= max(MANY_FEATURES, Z.shape[1])
    ):
        return LowRankGram(kernel, Z, y, kappa), kappa
    if m > MAX_DENSE:
        return CachedRowsGram(kernel, Z, y, kappa), kappa
    K = scale_in_place(_kernel_matrix(kernel, Z), y, y / kappa)
    return DenseGram(K, np.inf if rank is None else rank), kappa


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


def gram_from_matrix(K: Array, y: Array) -> tuple[Gram, float]:
    """Return Q from a Gram matrix over the points, and kappa."""
    kappa = float(K.diagonal().max(initial=0.0)) or 1.0
    return DenseGram(scale_in_place(K.copy(), y, y / kappa)), kappa

"""Features and Gram matrices with the digits that points near each other, or far from the origin, lose in k(x, z) itself."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.kernels.base import Kernel
from svmlab.kernels.centred_gaussian import CentredGaussian
from svmlab.kernels.standard import Gaussian

NEAR = 0.5  # of sigma: in a box so small k is nearer to 1 than to 0, so that 1 - k has digits that k has not


def coordinates(kernel: Kernel, X: Array, K: Array) -> Array:
    """Coordinates (m, r) of the points' own span in feature space: K = Z Z' for K (m, m), up to rounding.

    A Gaussian's phi(x) has <phi(x), phi(o)> along phi(o) for the centre o of points near each other, and beside it the
    root of what is left of K, which is small and so has more digits than K.
    """
    beside = _beside(kernel, X)
    if beside is None:
        return _root(K)
    foot = beside.foot(X)
    return np.c_[1.0 + foot, _root(beside(X, X) - np.outer(foot, foot))]


def gram(kernel: Kernel, X: Array, K: Array) -> Array:
    """The Gram matrix (m, m) of the features less their mean: alpha'QK alpha with y'alpha = 0 is the same as for K (m, m) itself."""
    if kernel.is_linear:
        Z = X - X.mean(0)
        return kernel(Z, Z)
    beside = _beside(kernel, X)
    K = K if beside is None else beside(X, X)
    K = K - K.mean(0)
    return np.asarray(K - K.mean(1)[:, None])


def shift(kernel: Kernel, X: Array, K: Array, inner: Array, c: Array) -> float:
    """What sum_i c_i k(x_i, x) has more than the sum of the features less their mean, `inner`, at each x; sum c = 0."""
    if kernel.is_linear:
        mean = X.mean(0)
        return float(c @ (X - mean) @ mean)
    return float(np.mean(c @ (K - inner)))


def _beside(kernel: Kernel, X: Array) -> CentredGaussian | None:
    """<phi(x) - phi(o), phi(z) - phi(o)> of a Gaussian, o the centre of points so near each other that it has more digits."""
    if not isinstance(kernel, Gaussian) or not len(X):
        return None
    low, high = X.min(0), X.max(0)
    if not 0.0 < float(np.linalg.norm(high - low)) <= NEAR * kernel.sigma:
        return None
    return CentredGaussian(kernel.sigma, tuple((0.5 * low + 0.5 * high).tolist()))


def _root(K: Array) -> Array:
    """Z (m, r) with K = Z Z', up to what rounding leaves of the smallest eigenvalues."""
    values, vectors = np.linalg.eigh(K)
    keep = values > 1e-14 * values[-1]
    return np.asarray(vectors[:, keep] * np.sqrt(values[keep]))

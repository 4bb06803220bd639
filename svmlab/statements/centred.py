"""Features and Gram matrices with the digits that k(x, z) loses for points close together or far from the origin."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.kernels.base import Kernel
from svmlab.kernels.centred_gaussian import CentredGaussian
from svmlab.kernels.standard import Gaussian

NEAR = 0.5  # of sigma: in a box of this size k is nearer to 1 than to 0, so 1 - k has digits that k has lost


def coordinates(kernel: Kernel, X: Array, K: Array) -> Array:
    """Return coordinates (m, r) of the points in their span in feature space: K = Z Z' for K (m, m), up to rounding.

    For a Gaussian with points close together, the first coordinate of phi(x) is <phi(x), phi(o)> along phi(o), where
    o is the centre of the points. The others are the root of the rest of K, which is small and so has more digits
    than K.
    """
    around_centre = _around_centre(kernel, X)
    if around_centre is None:
        return _root(K)
    foot = around_centre.foot(X)
    return np.c_[1.0 + foot, _root(around_centre(X, X) - np.outer(foot, foot))]


def gram(kernel: Kernel, X: Array, K: Array) -> Array:
    """Return the Gram matrix (m, m) of the features minus their mean.

    With y'alpha = 0, alpha'Q alpha is the same as for K (m, m) itself.
    """
    if kernel.is_linear:
        Z = X - X.mean(0)
        return kernel(Z, Z)
    around_centre = _around_centre(kernel, X)
    K = K if around_centre is None else around_centre(X, X)
    K = K - K.mean(0)
    return np.asarray(K - K.mean(1)[:, None])


def shift(kernel: Kernel, X: Array, K: Array, inner: Array, c: Array) -> float:
    """Return sum_i c_i k(x_i, x) minus the same sum with the centred features (`inner`), for sum c = 0.

    The difference is the same at every point x.
    """
    if kernel.is_linear:
        mean = X.mean(0)
        return float(c @ (X - mean) @ mean)
    return float(np.mean(c @ (K - inner)))


def _around_centre(kernel: Kernel, X: Array) -> CentredGaussian | None:
    """Return the kernel <phi(x) - phi(o), phi(z) - phi(o)> of a Gaussian, or None if it has no more digits than k.

    o is the centre of the points. The kernel has more digits if the points are close together.
    """
    if not isinstance(kernel, Gaussian) or not len(X):
        return None
    low, high = X.min(0), X.max(0)
    if not 0.0 < float(np.linalg.norm(high - low)) <= NEAR * kernel.sigma:
        return None
    return CentredGaussian(kernel.sigma, tuple((0.5 * low + 0.5 * high).tolist()))


def _root(K: Array) -> Array:
    """Return Z (m, r) with K = Z Z', up to the rounding errors of the smallest eigenvalues."""
    values, vectors = np.linalg.eigh(K)
    keep = values > 1e-14 * values[-1]
    return np.asarray(vectors[:, keep] * np.sqrt(values[keep]))

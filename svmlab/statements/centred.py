"""Features and Gram matrices with the digits that k(x, z) loses for points close together or far from the origin."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.kernels.base import Kernel

# Of the kernel's width: in a box of this size k is nearer to 1 than to 0, so 1 - k has digits that k lost.
BOX_IN_WIDTHS = 0.5


def coordinates(kernel: Kernel, X: Array, K: Array) -> Array:
    """Return coordinates (m, r) of the points in their span in feature space: K = Z Z' for K (m, m), up to rounding.

    For points close together and a point o among them, the first coordinate of phi(x) is <phi(x), phi(o)> / |phi(o)|,
    along phi(o). The others are the root of the rest of K, which is small and so has more digits than K. With h and g
    of `Kernel.centred_kernel`,

        k(x, z) = |phi(o)|^2 + g(x) + g(z) + h(x, z),    <phi(x), phi(o)> = |phi(o)|^2 + g(x)
    """
    around_centre = kernel.centred_kernel(X, BOX_IN_WIDTHS) if len(X) else None
    if around_centre is None:
        return _root(K)
    h, g = around_centre
    H = h(X, X)
    length = float(np.sqrt(K[0, 0] - 2.0 * g[0] - H[0, 0]))
    along = g / length
    return np.c_[length + along, _root(H - np.outer(along, along))]


def gram(kernel: Kernel, X: Array, K: Array) -> Array:
    """Return the Gram matrix (m, m) of the features minus their mean.

    With y'alpha = 0, alpha'Q alpha is the same as for K (m, m) itself.
    """
    if kernel.is_linear:
        Z = X - X.mean(0)
        return kernel(Z, Z)
    around_centre = kernel.centred_kernel(X, BOX_IN_WIDTHS) if len(X) else None
    K = K if around_centre is None else around_centre[0](X, X)
    K = K - K.mean(0)
    return np.asarray(K - K.mean(1)[:, None])


def bias_shift(kernel: Kernel, X: Array, K: Array, inner: Array, c: Array) -> float:
    """Return sum_i c_i k(x_i, x) minus the same sum with the centred features (`inner`), for sum c = 0.

    The difference is the same at every point x.
    """
    if kernel.is_linear:
        mean = X.mean(0)
        return float(c @ (X - mean) @ mean)
    return float(np.mean(c @ (K - inner)))


def _root(K: Array) -> Array:
    """Return Z (m, r) with K = Z Z', up to the rounding errors of the smallest eigenvalues."""
    values, vectors = np.linalg.eigh(K)
    keep = values > 1e-14 * values[-1]
    return np.asarray(vectors[:, keep] * np.sqrt(values[keep]))

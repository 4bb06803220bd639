"""Features and Gram matrices with the digits that points near each other, or far from the origin, lose in k(x, z) itself."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.kernels.base import Kernel

NEAR = 0.5  # of a kernel's width: in a box so small k is nearer to 1 than to 0, so that 1 - k has digits that k has not


def coordinates(kernel: Kernel, X: Array, K: Array) -> Array:
    """Coordinates (m, r) of the points' own span in feature space: K = Z Z' for K (m, m), up to rounding.

    For an o amid points near each other phi(x) has <phi(x), phi(o)> / |phi(o)| along phi(o), and beside it the root of what is
    left of K, which is small and so has more digits than K. With h and g of `Kernel.fine`,

        k(x, z) = |phi(o)|^2 + g(x) + g(z) + h(x, z),    <phi(x), phi(o)> = |phi(o)|^2 + g(x)
    """
    fine = kernel.centred_kernel(X, NEAR) if len(X) else None
    if fine is None:
        return _root(K)
    h, g = fine
    H = h(X, X)
    length = float(np.sqrt(K[0, 0] - 2.0 * g[0] - H[0, 0]))
    along = g / length
    return np.c_[length + along, _root(H - np.outer(along, along))]


def gram(kernel: Kernel, X: Array, K: Array) -> Array:
    """The Gram matrix (m, m) of the features less their mean: alpha'QK alpha with y'alpha = 0 is the same as for K (m, m) itself."""
    if kernel.is_linear:
        Z = X - X.mean(0)
        return kernel(Z, Z)
    fine = kernel.centred_kernel(X, NEAR) if len(X) else None
    K = K if fine is None else fine[0](X, X)
    K = K - K.mean(0)
    return np.asarray(K - K.mean(1)[:, None])


def shift(kernel: Kernel, X: Array, K: Array, inner: Array, c: Array) -> float:
    """What sum_i c_i k(x_i, x) has more than the sum of the features less their mean, `inner`, at each x; sum c = 0."""
    if kernel.is_linear:
        mean = X.mean(0)
        return float(c @ (X - mean) @ mean)
    return float(np.mean(c @ (K - inner)))


def _root(K: Array) -> Array:
    """Z (m, r) with K = Z Z', up to what rounding leaves of the smallest eigenvalues."""
    values, vectors = np.linalg.eigh(K)
    keep = values > 1e-14 * values[-1]
    return np.asarray(vectors[:, keep] * np.sqrt(values[keep]))

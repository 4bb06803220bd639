"""A Gaussian kernel that is much wider than the distances of its points, without the part that a bias takes up.

Doubles keep few digits of a value near 1 such as 1 - |x - z|^2 / (2 sigma^2), so the 1 is left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.tolerances import LEAST_SPREAD, WIDEST_SPREAD
from svmlab.kernels.base import Kernel
from svmlab.kernels.distances import squared_distances


@dataclass(frozen=True)
class CentredGaussian(Kernel):
    """The kernel <phi(x) - phi(o), phi(z) - phi(o)> of the Gaussian's feature map phi, with o = `centre` (d,).

    With g(x, z) = exp(-|x - z|^2 / (2 sigma^2)) - 1 it is g(x, z) - g(x, o) - g(o, z), and it is no larger than g.
    """

    sigma: float
    centre: tuple[float, ...]

    formula = r"\langle\varphi(x)-\varphi(o),\varphi(x')-\varphi(o)\rangle"
    numpy = (
        "np.expm1(-((A[:, None] - B) ** 2).sum(axis=2) / (2 * {sigma}**2))"
        " - np.expm1(-((A - {centre}) ** 2).sum(axis=1) / (2 * {sigma}**2))[:, None]"
        " - np.expm1(-((B - {centre}) ** 2).sum(axis=1) / (2 * {sigma}**2))"
    )
    is_reproducible = True

    @property
    def sklearn(self) -> str:
        return f"kernel=lambda A, B: {self.numpy.format(**vars(self))}"

    def kernel_to_centre(self, X: Array) -> Array:
        """Return g(x_i, o), shape (m,)."""
        return self._g(X, np.array([self.centre]))[:, 0]

    def diag(self, X: Array) -> Array:
        return -2.0 * self.kernel_to_centre(X)

    def _g(self, X: Array, Z: Array) -> Array:
        out = np.empty((len(X), len(Z)))
        squared_distances(np.ascontiguousarray(X), np.ascontiguousarray(Z.T), -0.5 / self.sigma**2, out)
        return np.expm1(out, out=out)

    def _values(self, X: Array, Z: Array) -> Array:
        return self._g(X, Z) - np.add.outer(self.kernel_to_centre(X), self.kernel_to_centre(Z))

    def _gradient(self, X: Array, c: Array, Z: Array) -> Array:
        # sigma^2 times the gradient, with o = 0:
        # sum_i c_i x_i + sum_i c_i g(x_i, z) x_i - z sum_i c_i (g(x_i, z) - g(o, z))
        g, A = self._g(Z, X), c[:, None] * (X - self.centre)
        weighted_sum = (g - self.kernel_to_centre(Z)[:, None]) @ c
        return (A.sum(0) + g @ A - weighted_sum[:, None] * (Z - self.centre)) / self.sigma**2


def centred_gaussian(
    sigma: float, X: Array, widest_spread: float | None = None
) -> tuple[CentredGaussian, Array] | None:
    """Return what `Kernel.centred_kernel` returns for a Gaussian on points X (m, d), m > 0."""
    widest = (WIDEST_SPREAD if widest_spread is None else widest_spread) * sigma
    if abs(X[-1, 0] - X[0, 0]) > widest:  # for sorted points this test alone usually decides
        return None
    low, high = X.min(0), X.max(0)
    if not LEAST_SPREAD * sigma < float(np.linalg.norm(high - low)) <= widest:
        return None
    kernel = CentredGaussian(sigma, tuple((0.5 * low + 0.5 * high).tolist()))
    return kernel, kernel.kernel_to_centre(X)

"""A Gaussian far wider than its points are apart, less what a bias takes up: of 1 - |x - z|^2 / (2 sigma^2) doubles
keep few digits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array
from svmlab.kernels.base import Kernel
from svmlab.kernels.distances import squared_distances

NEAR, NOWHERE = 1 / 32, 1e-90  # of sigma: a box so small that its points are near each other, or one


@dataclass(frozen=True)
class CentredGaussian(Kernel):
    """<phi(x) - phi(o), phi(z) - phi(o)> of the Gaussian's phi, o = `centre` (d,).

    With g(x, z) = exp(-|x - z|^2 / (2 sigma^2)) - 1 that is g(x, z) - g(x, o) - g(o, z), and no larger than g.
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

    def foot(self, X: Array) -> Array:
        """g(x_i, o), shape (m,)."""
        return self._g(X, np.array([self.centre]))[:, 0]

    def diag(self, X: Array) -> Array:
        return -2.0 * self.foot(X)

    def _g(self, X: Array, Z: Array) -> Array:
        out = np.empty((len(X), len(Z)))
        squared_distances(np.ascontiguousarray(X), np.ascontiguousarray(Z.T), -0.5 / self.sigma**2, out)
        return np.expm1(out, out=out)

    def _values(self, X: Array, Z: Array) -> Array:
        return self._g(X, Z) - np.add.outer(self.foot(X), self.foot(Z))

    def _gradient(self, X: Array, c: Array, Z: Array) -> Array:
        # sigma^2 times it, o being 0:  sum_i c_i x_i + sum_i c_i g(x_i, z) x_i - z sum_i c_i (g(x_i, z) - g(o, z))
        g, A = self._g(Z, X), c[:, None] * (X - self.centre)
        drawn = (g - self.foot(Z)[:, None]) @ c
        return (A.sum(0) + g @ A - drawn[:, None] * (Z - self.centre)) / self.sigma**2


def centred_gaussian(sigma: float, X: Array) -> tuple[CentredGaussian, Array] | None:
    """What `Kernel.fine` says of a Gaussian on points X (m, d), m > 0."""
    if abs(X[-1, 0] - X[0, 0]) > NEAR * sigma:  # where they are sorted, the one look that most of them need
        return None
    low, high = X.min(0), X.max(0)
    if not NOWHERE * sigma < float(np.linalg.norm(high - low)) <= NEAR * sigma:
        return None
    kernel = CentredGaussian(sigma, tuple((0.5 * low + 0.5 * high).tolist()))
    return kernel, kernel.foot(X)

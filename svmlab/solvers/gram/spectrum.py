"""Make an indefinite matrix positive semidefinite by setting its negative eigenvalues to 0.

The sigmoid kernel can need this (K12 of the catalogue).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Frozen, Mask
from svmlab.core.tolerances import INDEFINITE, ZERO_EIGENVALUE


@dataclass(frozen=True)
class Spectrum(Frozen):
    """The eigenvalues (m,) and eigenvectors of K without bias, of HKH with bias; `scale` is the largest |K_ii|.

    With y'alpha = 0 only HKH matters, H = I - 11'/m: alpha'Q alpha = (y alpha)'K(y alpha) = (y alpha)'HKH(y alpha).
    """

    values: Array
    vectors: Array
    scale: float

    @property
    def smallest(self) -> float:
        """Return the smallest eigenvalue, or 0 without points."""
        return float(self.values[0]) if len(self.values) else 0.0

    @property
    def is_indefinite(self) -> bool:
        """Return whether the smallest eigenvalue is below zero by more than round-off."""
        return self.smallest < -INDEFINITE * self.scale

    def clipped_matrix(self) -> Array:
        """Return V max(values, 0) V'."""
        V = self.vectors[:, self._kept]
        return (V * self.values[self._kept]) @ V.T

    def project(self, c: Array) -> Array:
        """Return V+ V+' c, where V+ are the eigenvectors that are kept.

        With these coefficients the kernel itself gives the values of the clipped matrix, up to a constant.
        """
        V = self.vectors[:, self._kept]
        return V @ (V.T @ c)

    @property
    def _kept(self) -> Mask:
        # Eigenvectors of the eigenvalue 0 mix with the vector 1, which HKH maps to 0, so they are left out.
        return self.values > ZERO_EIGENVALUE * self.scale * len(self.values)


def kernel_spectrum(K: Array, bias: bool) -> Spectrum:
    """Return the spectrum of the matrix that decides whether the problem is convex."""
    scale = float(np.abs(K.diagonal()).max(initial=0.0)) or 1.0
    M = 0.5 * (K + K.T)
    if bias and len(M):
        M = M - M.mean(0) - M.mean(1)[:, None] + M.mean()
    values, vectors = np.linalg.eigh(M)
    if bias and len(
        M
    ):  # By rounding, vectors of small eigenvalues contain a part of the vector 1, which K would multiply.
        vectors -= vectors.mean(0)
    return Spectrum(values, vectors, scale)

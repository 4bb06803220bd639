"""An indefinite matrix made positive semidefinite: its negative eigenvalues set to 0 (sigmoid, K12 of the
catalogue).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Frozen, Mask

INDEFINITE = 1e-10  # eigenvalues above -INDEFINITE times the largest diagonal entry are round-off


@dataclass(frozen=True)
class Spectrum(Frozen):
    """The eigenvalues (m,) and vectors of K without bias, of HKH with it; `scale` the largest |K_ii|.

    With y'alpha = 0 only HKH counts, H = I - 11'/m: alpha'Q alpha = (y alpha)'K(y alpha) = (y alpha)'HKH(y alpha).
    """

    values: Array
    vectors: Array
    scale: float

    @property
    def smallest(self) -> float:
        """Its smallest eigenvalue."""
        return float(self.values[0]) if len(self.values) else 0.0

    @property
    def is_indefinite(self) -> bool:
        """Whether the smallest eigenvalue is more than round-off."""
        return self.smallest < -INDEFINITE * self.scale

    def clipped_matrix(self) -> Array:
        """V max(values, 0) V'."""
        V = self.vectors[:, self._kept]
        return (V * self.values[self._kept]) @ V.T

    def project(self, c: Array) -> Array:
        """V+ V+' c: the coefficients with which the kernel itself gives the values of the clipped matrix, up to a
        constant.
        """
        V = self.vectors[:, self._kept]
        return V @ (V.T @ c)

    @property
    def _kept(self) -> Mask:
        return self.values > 1e-13 * self.scale * len(self.values)  # null vectors mix with 1, which HKH does not see


def spectrum(K: Array, bias: bool) -> Spectrum:
    """Of the matrix that decides convexity."""
    scale = float(np.abs(K.diagonal()).max(initial=0.0)) or 1.0
    M = 0.5 * (K + K.T)
    if bias and len(M):
        M = M - M.mean(0) - M.mean(1)[:, None] + M.mean()
    values, vectors = np.linalg.eigh(M)
    if bias and len(M):  # small eigenvalues: what their vectors have of 1 by rounding, K would see
        vectors -= vectors.mean(0)
    return Spectrum(values, vectors, scale)

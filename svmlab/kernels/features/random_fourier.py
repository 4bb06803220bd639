"""Random Fourier features: cosines of random direction and phase whose expected inner product is the Gaussian kernel.

    phi_j(x) = sqrt(2/D) cos(<w_j, x> + c_j)
    w_j normal with standard deviation 1/sigma in every coordinate, c_j uniform on [0, 2 pi]

2 cos(a + c) cos(b + c) = cos(a - b) + cos(a + b + 2c). The second term vanishes on average over c, and the mean of
cos <w, x - z> is k(x, z). The standard deviation of <phi(x), phi(z)> falls like 1/sqrt(D). Source: Rahimi and Recht
(2007), Random features for large-scale kernel machines.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from svmlab.core.arrays import Array, Frozen, frozen
from svmlab.core.errors import BadInput, quoted
from svmlab.core.rules import Positive, Seed, Shape, WholeNumber, check_entry_count
from svmlab.core.validate import validated
from svmlab.kernels.base import as_points

LARGEST_COUNT = 10**6  # features
STREAM = 10**9  # the stream of random numbers; no run of Pegasos with the same seed uses it
Count = Annotated[int, WholeNumber(1, LARGEST_COUNT)]
Vector = Annotated[Array, Shape("k*")]


@dataclass(frozen=True, eq=False)
class RandomFeatures(Frozen):
    """Random features, drawn once and used for every point.

    W: (D, d) the directions of the cosines, in units of 1/x. c: (D,) their phases.
    """

    W: Array
    c: Array

    @property
    def D(self) -> int:
        """The number of features."""
        return len(self.c)

    def __call__(self, X: Array) -> Array:
        """Return the features of the rows of X (m, d), shape (m, D). Raises BadInput for an X of another width."""
        return math.sqrt(2.0 / self.D) * np.cos(as_points(X, self.W.shape[1]) @ self.W.T + self.c)

    @validated
    def grid(self, w: Array, u: Vector, v: Vector) -> Array:
        """Return <w, phi> at (u_j, v_i) on a grid of the plane, shape (len(v), len(u)); w is (D,).

        The addition theorem of the cosine turns it into two matrix products. Raises BadInput for another number of
        weights, and if the features are not those of points in the plane.
        """
        w = Shape(self.D)("w", w)
        if self.W.shape[1] != 2:
            raise BadInput(
                "u, v: the features are for points with {d} coordinates, but u and v are coordinates in the plane. "
                "Use features of the plane.",
                d=self.W.shape[1],
            )
        across, up = np.multiply.outer(u, self.W[:, 0]) + self.c, np.multiply.outer(v, self.W[:, 1])
        return math.sqrt(2.0 / self.D) * (np.cos(up) @ (np.cos(across) * w).T - np.sin(up) @ (np.sin(across) * w).T)


@validated
def random_features(d: Count, D: Count, sigma: Positive = 1.0, seed: Seed = 0) -> RandomFeatures:
    """Draw D random features of the Gaussian of this width for points in d dimensions.

    They are the first ones of any larger D with the same seed. Raises BadInput if d or D is no whole number from 1 to
    10^6, if sigma is not above 0, if the seed is negative, and for more numbers than fit into memory.
    """
    check_entry_count("D", D, d)
    normal, phase = (
        np.random.Generator(np.random.Philox(key=np.array([seed, k], dtype=np.uint64))) for k in (STREAM, STREAM + 1)
    )
    return RandomFeatures(frozen(normal.standard_normal((D, d)) / sigma), frozen(phase.uniform(0.0, 2.0 * np.pi, D)))


@validated
def random_deviation(K: Array, D: Count) -> Array:
    """Return the standard deviation of <phi(x), phi(z)> over random draws of D features, for kernel values K.

    It is sqrt((1 - k^2 + k^4/2)/D), because the cosine of <w, x - z> has the second moment (1 + k^4)/2 and the other
    cosine 1/2. K may have any shape. Raises BadInput for values that no Gaussian has.
    """
    if not ((K >= 0) & (K <= 1)).all():
        raise BadInput("K: {K} are not all from 0 to 1. Give the values of a Gaussian kernel.", K=quoted(K.tolist()))
    return np.sqrt((1.0 - K**2 + 0.5 * K**4) / D)

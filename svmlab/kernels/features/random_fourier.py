"""Random features of the Gaussian: waves of random direction and phase whose inner product is the kernel on average.

    phi_j(x) = sqrt(2/D) cos(<w_j, x> + c_j),    w_j normal with deviation 1/sigma in every coordinate,  c_j uniform on
    a turn

2 cos(a + c) cos(b + c) = cos(a - b) + cos(a + b + 2c): the second vanishes on average over c, and the mean of cos <w, x
- z> is k(x, z). The deviation of <phi(x), phi(z)> falls like 1/sqrt(D). Source: Rahimi and Recht (2007), Random
features for large-scale kernel machines.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from svmlab.core.arrays import Array, Frozen, frozen
from svmlab.core.errors import BadInput, quoted
from svmlab.core.rules import Positive, Seed, Shape, WholeNumber, fits
from svmlab.core.validate import validated
from svmlab.kernels.base import as_points

MOST = 10**6  # features
STREAM = 10**9  # of random numbers: no run of Pegasos with the same seed has them
Count = Annotated[int, WholeNumber(1, MOST)]
Line = Annotated[Array, Shape("k*")]


@dataclass(frozen=True, eq=False)
class RandomFeatures(Frozen):
    """Drawn once, the same for every point. W: (D, d) the waves' directions, over the units of x. c: (D,) their
    phases.
    """

    W: Array
    c: Array

    @property
    def D(self) -> int:
        """How many."""
        return len(self.c)

    def __call__(self, X: Array) -> Array:
        """The features of the rows of X (m, d), shape (m, D). Raises BadInput for an X of another width."""
        return math.sqrt(2.0 / self.D) * np.cos(as_points(X, self.W.shape[1]) @ self.W.T + self.c)

    @validated
    def grid(self, w: Array, u: Line, v: Line) -> Array:
        """<w, phi> at (u_j, v_i) on a grid of the plane, shape (len(v), len(u)); w (D,). A cosine of a sum makes it two
        products.

        Raises BadInput for another number of weights, and where the features are not of points in the plane.
        """
        w = Shape(self.D)("w", w)
        if self.W.shape[1] != 2:
            raise BadInput("u, v: the features are of points in {d} dimensions, not in the plane.", d=self.W.shape[1])
        across, up = np.multiply.outer(u, self.W[:, 0]) + self.c, np.multiply.outer(v, self.W[:, 1])
        return math.sqrt(2.0 / self.D) * (np.cos(up) @ (np.cos(across) * w).T - np.sin(up) @ (np.sin(across) * w).T)


@validated
def random_features(d: Count, D: Count, sigma: Positive = 1.0, seed: Seed = 0) -> RandomFeatures:
    """D random features of the Gaussian of this width for points in d dimensions: the first of more with the same seed.

    Raises BadInput for a d or D that is no whole number from 1 to 10^6, a sigma that is not above 0, a negative seed,
    and for more numbers than fit.
    """
    fits("D", D, d)
    normal, phase = (
        np.random.Generator(np.random.Philox(key=np.array([seed, k], dtype=np.uint64))) for k in (STREAM, STREAM + 1)
    )
    return RandomFeatures(frozen(normal.standard_normal((D, d)) / sigma), frozen(phase.uniform(0.0, 2.0 * np.pi, D)))


@validated
def random_deviation(K: Array, D: Count) -> Array:
    """The standard deviation of <phi(x), phi(z)> over the draws of D features, for kernel values K of any shape.

    sqrt((1 - k^2 + k^4/2)/D): the cosine of <w, x - z> has the second moment (1 + k^4)/2, the other one a half. Raises
    BadInput for values that no Gaussian has.
    """
    if not ((K >= 0) & (K <= 1)).all():
        raise BadInput("K: {K} are not all from 0 to 1, as the values of a Gaussian are.", K=quoted(K.tolist()))
    return np.sqrt((1.0 - K**2 + 0.5 * K**4) / D)

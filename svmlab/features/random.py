"""Random features of the Gaussian: waves of random direction and phase whose inner product is the kernel on average.

    phi_j(x) = sqrt(2/D) cos(<w_j, x> + c_j),    w_j normal with deviation 1/sigma in every coordinate,  c_j uniform on a turn

2 cos(a + c) cos(b + c) = cos(a - b) + cos(a + b + 2c): the second vanishes on average over c, and the mean of cos <w, x - z> is
k(x, z). The deviation of <phi(x), phi(z)> falls like 1/sqrt(D). Source: Rahimi and Recht (2007), Random features for
large-scale kernel machines.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmlab.arrays import Array, Frozen, frozen
from svmlab.errors import BadInput
from svmlab.kernel import places

MOST = 10**6  # features
STREAM = 10**9  # of random numbers: no run of Pegasos with the same seed has them


@dataclass(frozen=True, eq=False)
class RandomFeatures(Frozen):
    """Drawn once, the same for every point. W: (D, d) the waves' directions, over the units of x. c: (D,) their phases."""

    W: Array
    c: Array

    @property
    def D(self) -> int:
        """How many."""
        return len(self.c)

    def __call__(self, X: Array) -> Array:
        """The features of the rows of X (m, d), shape (m, D). Raises BadInput for an X of another width."""
        return math.sqrt(2.0 / self.D) * np.cos(places(X, self.W.shape[1]) @ self.W.T + self.c)

    def grid(self, w: Array, u: Array, v: Array) -> Array:
        """<w, phi> at (u_j, v_i) on a grid of the plane, shape (len(v), len(u)); w (D,). A cosine of a sum makes it two products."""
        across, up = np.multiply.outer(u, self.W[:, 0]) + self.c, np.multiply.outer(v, self.W[:, 1])
        return math.sqrt(2.0 / self.D) * (np.cos(up) @ (np.cos(across) * w).T - np.sin(up) @ (np.sin(across) * w).T)


def random_features(d: int, D: int, sigma: float = 1.0, seed: int = 0) -> RandomFeatures:
    """D random features of the Gaussian of this width for points in d dimensions: the first of more with the same seed.

    Raises BadInput for a d or D that is no whole number from 1 on, a sigma that is not above 0, a negative seed.
    """
    for name, value, low, high in (("d", d, 1, MOST), ("D", D, 1, MOST), ("seed", seed, 0, 2**63 - 1)):
        if int(value) != value or not low <= value <= high:
            raise BadInput(
                "{name}: {value!r} is not a whole number from {low} to {high}.",
                name=name,
                value=value,
                low=low,
                high=high,
            )
    if not 0 < sigma < math.inf:
        raise BadInput("sigma: {sigma!r} must be above 0.", sigma=sigma)
    normal, phase = (
        np.random.Generator(np.random.Philox(key=np.array([seed, k], dtype=np.uint64))) for k in (STREAM, STREAM + 1)
    )
    return RandomFeatures(frozen(normal.standard_normal((D, d)) / sigma), frozen(phase.uniform(0.0, 2.0 * np.pi, D)))


def random_deviation(K: Array, D: int) -> Array:
    """The standard deviation of <phi(x), phi(z)> over the draws of D features, for kernel values K of any shape.

    sqrt((1 - k^2 + k^4/2)/D): the cosine of <w, x - z> has the second moment (1 + k^4)/2, the other one a half.
    """
    return np.sqrt((1.0 - K**2 + 0.5 * K**4) / D)

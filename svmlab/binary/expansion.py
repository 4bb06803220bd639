"""The kernel expansion of a solution: f without b."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import EPS, TEMPORARY_ENTRIES, Array, Frozen, relative_to
from svmlab.kernels.base import Kernel


@dataclass(frozen=True, eq=False)
class KernelExpansion(Frozen):
    """The function sum_i c_i k(x_i, x) over points X (s, d).

    X and the argument are both relative to `origin` where there is one. w: given where it can be written down.
    """

    kernel: Kernel
    X: Array
    c: Array
    w: Array | None = None
    origin: Array | None = None

    def __call__(self, Z: Array) -> Array:
        """Return the sum at each row of Z (k, d), shape (k,)."""
        if self.w is not None:
            # In w the alpha of equal points with opposite labels cancel before they are multiplied by a large k.
            return self.kernel.feature_map(relative_to(self.origin, Z)) @ self.w
        return self.c @ self.kernel(self.X, Z)

    def value_and_gradient(self, Z: Array) -> tuple[Array, Array]:
        """Return the sum (k,) and its gradient (k, d) at each row of Z."""
        return self.kernel.value_and_gradient(self.X, self.c, Z)

    def gradient(self, Z: Array) -> Array:
        """Return the gradient at each row of Z (k, d), shape (k, d)."""
        return self.kernel.gradient(self.X, self.c, Z)

    def largest_absolute_sum(self, Z: Array) -> float:
        """Return max_j sum_i |c_i k(x_i, z_j)|, the largest sum of absolute terms."""
        return largest_absolute_sum(self.kernel, relative_to(self.origin, self.X), self.c, relative_to(self.origin, Z))

    def squared_norm(self) -> float:
        """Return sum_ij c_i c_j k(x_i, x_j)."""
        X = relative_to(self.origin, self.X)
        return float(self.c @ self.kernel(X, X) @ self.c)


@dataclass(frozen=True)
class Rounding(Frozen):
    """The effect of rounding on margins y f, where f - b is a sum of terms as large as `size`.

    uncentred_size: the same for the returned alpha and b in the kernel itself, where f is evaluated with a centred
    kernel.
    """

    size: float
    uncentred_size: float

    @property
    def margin_unit(self) -> float:
        """Return the unit of a margin: 1, or the range of f where that is less."""
        return min(1.0, self.size) or 1.0

    @property
    def noise(self) -> float:
        """Return the round-off in f."""
        return max(16 * EPS, 4 * EPS * self.size)

    @property
    def excess_noise(self) -> float:
        """Return the round-off in y f - 1, to which b adds nothing where C is tiny."""
        return EPS * max(16 * self.margin_unit, 4 * self.size)

    @property
    def floor(self) -> float:
        """Return the smallest residual that is worth testing, in units of a margin."""
        return max(1e-9, self.excess_noise / self.margin_unit, 4 * EPS * self.uncentred_size)


def largest_absolute_sum(kernel: Kernel, X: Array, c: Array, Z: Array) -> float:
    """Return max_j sum_i |c_i k(x_i, z_j)|.

    eps times it is the round-off of a kernel expansion, whatever cancels in the sum.
    """
    width = max(1, TEMPORARY_ENTRIES // max(len(X), 1))
    blocks = (np.abs(c) @ np.abs(kernel(X, Z[j : j + width])) for j in range(0, len(Z), width))
    return max((float(b.max()) for b in blocks), default=0.0) if len(X) else 0.0

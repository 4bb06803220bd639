"""Least squares, to hold beside the tube: every point pulls, the farther the harder."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from svmlab.core.arrays import Array, Frozen, brief, frozen
from svmlab.core.errors import BadInput
from svmlab.core.validate import validated
from svmlab.kernels.base import Kernel, as_points
from svmlab.kernels.standard import Linear
from svmlab.regression.values import Values

RANK = 1e-12  # singular values below RANK times the largest count as zero


@dataclass(frozen=True, eq=False)
class Squares(Frozen):
    """The f(x) = <w, phi(x)> + b with the least sum of (y_i - f(x_i))^2, w of least norm where there are many."""

    data: Values
    kernel: Kernel
    w: Array
    b: float
    origin: Array  # of the features: f = <w, phi - origin> + offset keeps its digits far from 0
    offset: float

    def __repr__(self) -> str:
        return brief(self, m=self.data.m, d=self.data.d, kernel=self.kernel, w=self.w.tolist(), b=self.b)

    @validated
    def decision(self, Z: Array) -> Array:
        """f(z) for each row of Z (k, d), shape (k,). Raises BadInput for another shape."""
        return (self.kernel.feature_map(as_points(Z, self.data.d)) - self.origin) @ self.w + self.offset

    @cached_property
    def residuals(self) -> Array:
        """y_i - f(x_i), shape (m,): orthogonal to every feature, and with a bias they sum to 0."""
        return frozen(self.data.y - self.decision(self.data.X))


@validated
def least_squares(data: Values, kernel: Kernel = Linear(), bias: bool = True) -> Squares:
    """Ordinary least squares in the features of the kernel. Raises BadInput without points or a finite feature map."""
    if data.m == 0:
        raise BadInput("There are no points yet. Add at least one point.")
    Phi = kernel.feature_map(data.X)
    origin, offset = (Phi.mean(0), float(data.y.mean())) if bias else (np.zeros(Phi.shape[1]), 0.0)
    w = np.linalg.lstsq(Phi - origin, data.y - offset, rcond=RANK)[0]
    return Squares(data, kernel, frozen(w), offset - float(origin @ w), frozen(origin), offset)

"""Ordinary least squares, for comparison with the tube: the influence of a point grows with its distance."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from svmlab.core.arrays import Array, Frozen, frozen, short_repr
from svmlab.core.errors import BadInput
from svmlab.core.tolerances import RANK
from svmlab.core.validate import validated
from svmlab.kernels.base import Kernel, as_points
from svmlab.kernels.standard import Linear
from svmlab.regression.values import Values


@dataclass(frozen=True, eq=False)
class LeastSquaresFit(Frozen):
    """The f(x) = <w, phi(x)> + b with the least sum of (y_i - f(x_i))^2, with w of least norm if there are several."""

    data: Values
    kernel: Kernel
    w: Array
    b: float
    origin: Array  # of the features: f = <w, phi - origin> + offset is accurate far from 0
    offset: float

    def __repr__(self) -> str:
        return short_repr(self, m=self.data.m, d=self.data.d, kernel=self.kernel, w=self.w.tolist(), b=self.b)

    @validated
    def decision(self, Z: Array) -> Array:
        """Return f(z) for each row of Z (k, d), shape (k,). Raises BadInput for another shape."""
        return (self.kernel.feature_map(as_points(Z, self.data.d)) - self.origin) @ self.w + self.offset

    @cached_property
    def residuals(self) -> Array:
        """The residuals y_i - f(x_i), (m,). They are orthogonal to every feature, and with a bias they sum to 0."""
        return frozen(self.data.y - self.decision(self.data.X))


@validated
def least_squares(data: Values, kernel: Kernel = Linear(), bias: bool = True) -> LeastSquaresFit:
    """Return ordinary least squares in the features. Raises BadInput without points or a finite feature map."""
    if data.m == 0:
        raise BadInput("There are no points yet. Add at least one point.")
    Phi = kernel.feature_map(data.X)
    origin, offset = (Phi.mean(0), float(data.y.mean())) if bias else (np.zeros(Phi.shape[1]), 0.0)
    w = np.linalg.lstsq(Phi - origin, data.y - offset, rcond=RANK)[0]
    return LeastSquaresFit(data, kernel, frozen(w), offset - float(origin @ w), frozen(origin), offset)

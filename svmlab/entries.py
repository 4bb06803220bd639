"""What the entries of a Gram matrix are made of: squared distances and powers."""

from __future__ import annotations

from functools import partial

import numpy as np

from svmlab.arrays import Array
from svmlab.compiled import compiled


def _at_once(X: Array, Zt: Array, scale: float, out: Array) -> None:
    """The same operations as in `squares`, on all pairs."""
    out[:] = 0.0
    for k in range(len(Zt)):
        out += scale * np.subtract.outer(X[:, k], Zt[k]) ** 2


@partial(compiled, meanwhile=_at_once)
def squares(X: Array, Zt: Array, scale: float, out: Array) -> None:
    """out_ij = scale |x_i - z_j|^2, Zt = Z': differences first, for |x|^2 + |z|^2 - 2<x, z> loses digits far from 0."""
    for i in range(len(X)):
        out[i] = 0.0
        for k in range(len(Zt)):
            for j in range(out.shape[1]):
                t = X[i, k] - Zt[k, j]
                out[i, j] += scale * (t * t)


def whole_power(base: Array, n: int) -> Array:
    """base^n by repeated multiplication: numpy's own power is slow for arrays."""
    out = np.ones_like(base)
    for _ in range(n):
        out = out * base
    return out

"""Squared distances and powers, from which the entries of a Gram matrix are computed."""

from __future__ import annotations

from functools import partial

import numpy as np

from svmlab.core.arrays import Array
from svmlab.jit.compiler import compiled


def _squared_distances_numpy(X: Array, Zt: Array, scale: float, out: Array) -> None:
    """Do the operations of `squared_distances` on all pairs at once."""
    out[:] = 0.0
    for k in range(len(Zt)):
        out += scale * np.subtract.outer(X[:, k], Zt[k]) ** 2


@partial(compiled, fallback=_squared_distances_numpy)
def squared_distances(X: Array, Zt: Array, scale: float, out: Array) -> None:
    """Set out_ij = scale |x_i - z_j|^2, with Zt = Z'. |x|^2 + |z|^2 - 2<x, z> would lose digits far from 0."""
    d, m = Zt.shape
    for i in range(len(X)):
        row, k = out[i], 0
        row[:] = 0.0
        while k + 4 <= d:  # four coordinates at a time, so that the sums stay in registers, in the same order
            for j in range(m):
                p, q, r, s = (
                    X[i, k] - Zt[k, j],
                    X[i, k + 1] - Zt[k + 1, j],
                    X[i, k + 2] - Zt[k + 2, j],
                    X[i, k + 3] - Zt[k + 3, j],
                )
                row[j] = (((row[j] + scale * (p * p)) + scale * (q * q)) + scale * (r * r)) + scale * (s * s)
            k += 4
        while k < d:
            for j in range(m):
                t = X[i, k] - Zt[k, j]
                row[j] += scale * (t * t)
            k += 1


@compiled
def squared_lengths(X: Array) -> Array:
    """Return |x_i|^2, shape (m,)."""
    lengths, d = np.zeros(len(X)), X.shape[1]
    for i in range(len(X)):
        for k in range(d):
            lengths[i] += X[i, k] * X[i, k]
    return lengths


@compiled
def largest_absolute(values: Array) -> float:
    """Return the largest |value|, nan if there is one, and 0 if there are no values (m,)."""
    largest = 0.0
    for value in values:
        if not abs(value) <= largest:
            largest = abs(value)
        if largest != largest:
            break
    return largest


def integer_power(base: Array, n: int) -> Array:
    """Return base^n by repeated multiplication, because numpy's own power is slow for arrays."""
    out = base.copy() if n else np.ones_like(base)
    for _ in range(1, n):
        out *= base
    return out

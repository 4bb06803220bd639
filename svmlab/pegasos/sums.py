"""Sums whose order of addition is fixed, whatever the shape of the arrays: from left to right, as a loop would add."""

from __future__ import annotations

import numpy as np

from svmlab.arrays import Array, Mask


def push(z: Array, violated: Mask) -> Array:
    """v: the mean over the batch of the violating draws, z (batch, d, ...) and violated (batch, ...) to (d, ...)."""
    if len(z) == 1:
        return z[0] * violated[0]
    v = np.zeros(z.shape[1:])
    for z_j, violated_j in zip(z, violated, strict=True):
        v += z_j * violated_j
    return v / len(z)


def inner(a: Array, b: Array) -> Array:
    """<a, b> along the first axis, summed from left to right whatever the shape."""
    out = a[0] * b[0]
    for a_j, b_j in zip(a[1:], b[1:], strict=True):
        out += a_j * b_j
    return out


def running(carry: Array, terms: Array) -> Array:
    """carry, carry + term_1, carry + term_1 + term_2 ... from left to right along the last but one axis.

    carry (..., runs), terms (..., n, runs), result (..., n+1, runs).
    """
    out = np.concatenate([carry[..., None, :], terms], axis=-2)
    return np.add.accumulate(out, axis=-2, out=out)


def fold(carry: Array, terms: Array) -> Array:
    """The last of `running`: carry + term_1 + term_2 ... from left to right, (..., runs)."""
    if carry.shape[-1] == 1:  # numpy sums in pairs along the fastest axis, and only there
        return running(carry, terms)[..., -1, :]
    return np.add.reduce(np.concatenate([carry[..., None, :], terms], axis=-2), axis=-2)

"""Systems with a matrix that is all but diagonal, such as that of a narrow Gaussian: no factor of it is needed."""

from __future__ import annotations

import numpy as np

from svmlab.arrays import Array

DOMINANT = 0.2  # of a diagonal entry: what the others of its row must leave of it
STEPS, EPS = 100, float(np.finfo(float).eps)


def dominant(A: Array) -> bool:
    """Whether every diagonal entry of A (n, n), which is symmetric, outweighs the others of its row: then A is positive definite."""
    d = A.diagonal()
    return all(
        bool((2 * d[i : i + 64] - np.abs(A[i : i + 64]).sum(1) > DOMINANT * d[i : i + 64]).all())
        for i in range(0, len(A), 64)
    )


def conjugate(A: Array, B: Array) -> Array:
    """A^-1 B, B (n, k), by conjugate gradients to the last digits: a few steps where A is dominant.

    Source: Hestenes and Stiefel (1952).
    """
    X, R = np.zeros_like(B), B.copy()
    P, size = R.copy(), (R * R).sum(0)
    end = EPS**2 * size
    for _ in range(STEPS):
        if (size <= end).all():
            break
        AP = A @ P
        step = np.where(size > end, size / np.maximum((P * AP).sum(0), 1e-300), 0.0)
        X += step * P
        R -= step * AP
        size, before = (R * R).sum(0), size
        P = R + np.where(before > end, size / np.maximum(before, 1e-300), 0.0) * P
    return X

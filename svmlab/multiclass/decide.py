"""The class with the largest f, and where two are as large."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Mask


def predict_largest(f: Array, classes: tuple[int, ...], noise: float) -> Array:
    """The first of `classes` (k,) whose f is the largest of its row of f (n, k), but for `noise`, shape (n,)."""
    return np.asarray(classes)[(f >= f.max(1, keepdims=True) - noise).argmax(1)]


def has_tie(f: Array, noise: float) -> Mask:
    """Whether two of a row of f (n, k) are the largest, but for `noise`, shape (n,)."""
    return np.asarray((f >= f.max(1, keepdims=True) - noise).sum(1) > 1)

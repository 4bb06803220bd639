"""The margin of every labelling of a few points from their inner products alone, without a solver (G2, G6).

The largest margin of labels y is half the distance between the hulls of the classes. This distance is attained by
points of two faces, sum of a_i phi(x_i) over S and of b_j phi(x_j) over T, with a and b above 0 and each with sum 1. So
all pairs of faces are tried:

    min |sum_S a_i phi(x_i) - sum_T b_j phi(x_j)|^2,   sum a = sum b = 1

is a linear system for each pair. A solution with weights of the right sign joins the hulls of every labelling that has
S on one side and T on the other. The shortest of these gives the distance.
"""

from __future__ import annotations

from itertools import product
from typing import Annotated

import numpy as np

from svmlab.core.arrays import Array, frozen
from svmlab.core.rules import Shape
from svmlab.core.validate import validated
from svmlab.generalisation.labellings import labels

NEGATIVE_TOLERANCE = 1e-9  # a weight above minus this counts as not negative


@validated
def hull_margins(K: Annotated[Array, Shape("k", "k")]) -> Array:
    """Return the largest margin of each labelling of points with inner products K (k, k), as `margins`, shape (2^k,).

    It is inf for one class alone, and 0 if the hulls meet. Squared distances are rounded, so errors are about 1e-8 of
    the largest distance of two points. Raises BadInput for k outside 1..8.
    """
    ys = labels(len(Shape(len(K), len(K))("K", K)))
    out = np.full(len(ys), np.inf)
    out[1:-1] = 0.0
    faces = np.array(
        [f for f in product((0, 1, -1), repeat=len(K)) if {1, -1} <= set(f) and next(filter(None, f)) == 1]
    )
    mean = K.mean(axis=0)
    G = K - mean[:, None] - mean + mean.mean()  # inner products about the mean: the same distances, less rounding
    unit = float(np.abs(G).max())
    if not len(faces) or unit == 0:
        return frozen(out)
    c, squares = _nearest_points(G / unit, faces)
    is_valid = (np.where(faces != 0, c, 0.0) >= -NEGATIVE_TOLERANCE).all(axis=1) & (
        np.abs(c.sum(axis=1) - 2) < NEGATIVE_TOLERANCE
    )
    faces, distances = faces[is_valid], np.sqrt(np.maximum(squares[is_valid], 0.0) * unit)
    for n in range(1, len(ys) - 1):
        agree = faces * ys[n]
        fits = (agree >= 0).all(axis=1) | (agree <= 0).all(axis=1)
        out[n] = 0.5 * float(distances[fits].min())
    return frozen(out)


def _nearest_points(G: Array, faces: Array) -> tuple[Array, Array]:
    """Return the nearest points of the planes through two faces each, as weights (n, k), and their squared distances.

    The faces are given by signs (n, k).
    """
    n, k = faces.shape
    system, right_hand_side = np.zeros((n, k + 2, k + 2)), np.zeros((n, k + 2))
    signs = faces.astype(float)
    system[:, :k, :k] = signs[:, :, None] * G * signs[:, None, :] + (signs == 0)[:, :, None] * np.eye(k)
    system[:, :k, k], system[:, :k, k + 1] = signs > 0, signs < 0
    system[:, k:, :k] = np.swapaxes(system[:, :k, k:], 1, 2)
    right_hand_side[:, k:] = 1.0
    c = (np.linalg.pinv(system, rcond=1e-13, hermitian=True) @ right_hand_side[:, :, None])[:, :k, 0]
    v = np.where(signs != 0, c, 0.0).clip(min=0.0) * signs
    with np.errstate(divide="ignore", invalid="ignore"):
        for side in (1.0, -1.0):
            weights = np.where(signs == side, v, 0.0)
            v = np.where(signs == side, side * weights / weights.sum(axis=1, keepdims=True), v)
    return c, np.einsum("ni,ij,nj->n", v, G, v)

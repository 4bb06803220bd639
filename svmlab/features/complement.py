"""What of feature space no point has a share of: the u with <u, phi(x_i)> = 0 for all i (K8).

As a curve on the board, <u, phi(x)> = 0 runs through every point.
"""

from __future__ import annotations

import numpy as np

from svmlab.arrays import Array

SMALL = 1e-10  # of the largest singular value: what is below is rounding


def span(Phi: Array) -> Array:
    """An orthonormal basis (r, D) of the span of the rows of Phi (m, D)."""
    _, s, V = np.linalg.svd(Phi, full_matrices=False)
    return V[: int((s > SMALL * s.max(initial=0.0)).sum())]


def outside(V: Array, basis: Array) -> Array:
    """What of the rows of V (n, D) is orthogonal to an orthonormal basis (r, D); twice, so that rounding is gone too."""
    V = V - V @ basis.T @ basis
    return V - V @ basis.T @ basis


def beyond(Phi: Array, most: int) -> Array:
    """Up to `most` orthonormal directions (k, D) orthogonal to the rows of Phi (m, D), D >= 1.

    What remains outside the span of coordinates in turn, the last ones first, so that they follow the points without a jump
    but where a coordinate falls into the span.
    """
    basis, found = span(Phi), np.zeros((0, Phi.shape[1]))
    enough = 0.5 / np.sqrt(Phi.shape[1])  # some coordinate has twice that outside, while anything is outside
    for e in np.eye(Phi.shape[1])[::-1]:
        left = outside(outside(e[None], basis), found)
        length = float(np.linalg.norm(left))
        if length > enough and len(found) < most:
            found = np.vstack([found, left / length])
    return found

"""What of feature space no point has a share of: the u with <u, phi(x_i)> = 0 for all i (K8).

As a curve on the board, <u, phi(x)> = 0 runs through every point.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.errors import BadInput
from svmlab.core.rules import Shape, WholeNumber
from svmlab.core.validate import validated

Rows = Annotated[Array, Shape("m*", "D")]
SMALL = 1e-10  # of the largest singular value: what is below is rounding


@validated
def span(Phi: Rows) -> Array:
    """An orthonormal basis (r, D) of the span of the rows of Phi (m, D)."""
    _, s, V = np.linalg.svd(Phi, full_matrices=False)
    return V[: int((s > SMALL * s.max(initial=0.0)).sum())]


@validated
def outside(V: Rows, basis: Rows) -> Array:
    """What of the rows of V (n, D) is orthogonal to an orthonormal basis (r, D); twice, so that rounding is gone too.

    Raises BadInput where the two have another number of columns.
    """
    if basis.shape[1] != V.shape[1]:
        raise BadInput(
            "basis: it has {columns} columns, and V has {wanted}. Give both the same.",
            columns=basis.shape[1],
            wanted=V.shape[1],
        )
    V = V - V @ basis.T @ basis
    return V - V @ basis.T @ basis


@validated
def beyond(Phi: Rows, most: Annotated[int, WholeNumber(0, 10**4)]) -> Array:
    """Up to `most` orthonormal directions (k, D) orthogonal to the rows of Phi (m, D), D >= 1.

    What remains outside the span of coordinates in turn, the last ones first, so that they follow the points without a
    jump but where a coordinate falls into the span.
    """
    basis, directions = span(Phi), np.zeros((0, Phi.shape[1]))
    enough = 0.5 / np.sqrt(Phi.shape[1])  # some coordinate has twice that outside, while anything is outside
    for e in np.eye(Phi.shape[1])[::-1]:
        left = outside(outside(e[None], basis), directions)
        length = float(np.linalg.norm(left))
        if length > enough and len(directions) < most:
            directions = np.vstack([directions, left / length])
    return directions

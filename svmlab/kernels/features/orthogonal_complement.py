"""The directions of feature space that are orthogonal to all points: the u with <u, phi(x_i)> = 0 for all i (K8).

On the board, the curve <u, phi(x)> = 0 passes through every point.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.errors import BadInput
from svmlab.core.rules import Shape, WholeNumber
from svmlab.core.tolerances import SMALLEST_SINGULAR_VALUE
from svmlab.core.validate import validated

Rows = Annotated[Array, Shape("m*", "D")]


@validated
def span_basis(Phi: Rows) -> Array:
    """Return an orthonormal basis (r, D) of the span of the rows of Phi (m, D)."""
    _, s, V = np.linalg.svd(Phi, full_matrices=False)
    return V[: int((s > SMALLEST_SINGULAR_VALUE * s.max(initial=0.0)).sum())]


@validated
def orthogonal_part(V: Rows, basis: Rows) -> Array:
    """Return the parts of the rows of V (n, D) that are orthogonal to an orthonormal basis (r, D).

    The projection is subtracted twice, which removes its rounding too. Raises BadInput if the two differ in their
    number of columns.
    """
    if basis.shape[1] != V.shape[1]:
        raise BadInput(
            "basis: it has {columns} columns, and V has {wanted}. Give both the same number.",
            columns=basis.shape[1],
            wanted=V.shape[1],
        )
    V = V - V @ basis.T @ basis
    return V - V @ basis.T @ basis


@validated
def orthogonal_directions(Phi: Rows, most: Annotated[int, WholeNumber(0, 10**4)]) -> Array:
    """Return up to `most` orthonormal directions (k, D) orthogonal to the rows of Phi (m, D), D >= 1.

    They are the remainders of the coordinate axes outside the span, the last axis first. So they depend continuously on
    the points, except where a coordinate axis falls into the span.
    """
    basis, directions = span_basis(Phi), np.zeros((0, Phi.shape[1]))
    enough = 0.5 / np.sqrt(Phi.shape[1])  # some axis has a remainder twice as long, while there is any remainder
    for e in np.eye(Phi.shape[1])[::-1]:
        remainder = orthogonal_part(orthogonal_part(e[None], basis), directions)
        length = float(np.linalg.norm(remainder))
        if length > enough and len(directions) < most:
            directions = np.vstack([directions, remainder / length])
    return directions

"""Prove that a Gaussian kernel separates all labellings of distinct points, with as many digits as it takes (K11).

    lambda_min(K) > 0   =>   for every y there is an f = sum_j c_j k(x_j, .)
                             with f(x_i) = y_i and |f|^2 = y'K^-1 y <= m / lambda_min

So every labelling of distinct points is separated, with a margin of sqrt(lambda_min / m) or more. In doubles lambda_min
is lost in rounding as soon as it is 1e-16 of the largest eigenvalue. Decimals of 40 digits and more keep it.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import cached_property
from typing import Annotated

import numpy as np

from svmlab.core.arrays import Array, Frozen, frozen
from svmlab.core.errors import BadInput, SolverFailed
from svmlab.core.rules import Positive, Shape
from svmlab.core.validate import validated

LARGEST_M = 300  # number of points, because the time grows with its cube
DIGITS = (40, 80, 160, 320)
SAFETY_FACTOR = 1000  # the bound on the least eigenvalue must exceed the rounding of all pivots by this factor


@dataclass(frozen=True, eq=False)
class DefinitenessProof(Frozen):
    """The Gram matrix K (m, m) of a Gaussian, proven to be positive definite.

    inverse: K^-1 divided by its trace. trace: the trace of K^-1, so that 1/trace <= least eigenvalue <= m/trace.
    digits: the precision of the proof. largest_eigenvalue: the largest eigenvalue of K, computed in doubles.
    """

    inverse: Array
    trace: float
    digits: int
    largest_eigenvalue: float

    @cached_property
    def least_eigenvalue(self) -> float:
        """The least eigenvalue of K, to the precision of doubles however small it is."""
        return 1.0 / (self.trace * float(np.linalg.eigvalsh(self.inverse)[-1]))

    @property
    def margin(self) -> float:
        """A lower bound of the margin of every labelling, with or without a bias: sqrt(least / m)."""
        return float(np.sqrt(self.least_eigenvalue / len(self.inverse)))

    @validated
    def norm(self, y: Array) -> float:
        """Return the norm |f| of the f of least norm with f(x_i) = y_i, for any numbers y (m,): sqrt(y'K^-1 y)."""
        y = Shape(len(self.inverse))("y", y)
        return float(np.sqrt(self.trace * (y @ self.inverse @ y)))

    @validated
    def leave_one_out_values(self, y: Array) -> Array:
        """Return the leave-one-out predictions (m,): at each point the value of the f through all other points.

        Its formula is y_i - (K^-1 y)_i / (K^-1)_ii.
        """
        y = Shape(len(self.inverse))("y", y)
        return y - self.inverse @ y / self.inverse.diagonal()


@validated
def prove_definite(X: Annotated[Array, Shape("m*", "d")], sigma: Positive) -> DefinitenessProof:
    """Prove that the Gram matrix K of distinct points X (m, d), m from 1 to 300, is positive definite for sigma > 0.

    Gauss-Jordan elimination on K meets only pivots above 0. Rounding to P digits changes K by no more than about
    m^2 10^-P (as for Cholesky, Higham 2002, theorem 10.3). That cannot matter if SAFETY_FACTOR times it is below
    1/trace. The time grows with m^3: a tenth of a second for 60 points. Raises BadInput if points are equal, and
    SolverFailed if even the most digits are not enough.
    """
    if len(X) > LARGEST_M:
        raise BadInput(
            "X: {m} points are more than {most}, and the computation would take too long. Take fewer.",
            m=len(X),
            most=LARGEST_M,
        )
    if not len(X) or len(np.unique(X, axis=0)) < len(X):
        raise BadInput(
            "X: the Gram matrix is positive definite only for distinct points, and for at least one. Remove repeated "
            "points."
        )
    for digits in DIGITS:
        with localcontext() as context:
            context.prec = digits
            K = _gram(X, sigma)
            inverse = _inverted(K)
            if inverse is None:
                continue
            trace = sum(inverse.diagonal(), Decimal(0))
            if trace * SAFETY_FACTOR * len(X) ** 2 * Decimal(10) ** -digits < 1:
                largest = float(np.linalg.eigvalsh(K.astype(float))[-1])
                return DefinitenessProof(frozen((inverse / trace).astype(float)), float(trace), digits, largest)
    raise SolverFailed(
        "These points are too close to each other for such a wide Gaussian. Move them apart, or lower sigma."
    )


def _gram(X: Array, sigma: float) -> np.ndarray:
    """Return exp(-|x_i - x_j|^2 / (2 sigma^2)) in decimals. The coordinates are floats and are taken exactly."""
    m, width = len(X), -2 * Decimal(sigma) ** 2
    Z = np.array([[Decimal(v) for v in row] for row in X.tolist()], dtype=object)
    K = np.full((m, m), Decimal(1), dtype=object)
    for i in range(m):
        for j in range(i):
            K[i, j] = K[j, i] = (((Z[i] - Z[j]) ** 2).sum() / width).exp()
    return K


def _inverted(K: np.ndarray) -> np.ndarray | None:
    """Return K^-1, or None if a pivot is not above 0."""
    A = K.copy()
    for k in range(len(A)):
        pivot = A[k, k]
        if pivot <= 0:
            return None
        row, column = A[k] / pivot, A[:, k].copy()
        A -= np.outer(column, row)
        A[k], A[:, k] = row, -column / pivot
        A[k, k] = 1 / pivot
    return A

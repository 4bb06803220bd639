"""Whether a Gaussian tells all points apart, in as many digits as it takes (K11).

    lambda_min(K) > 0   =>   for every y there is an f = sum_j c_j k(x_j, .) with f(x_i) = y_i,  |f|^2 = y'K^-1 y <= m /
    lambda_min

so that every labelling of distinct points is separated, by a margin of sqrt(lambda_min / m) or more. In doubles
lambda_min drowns in rounding as soon as it is 1e-16 of the largest eigenvalue; in decimals of 40 digits and more it
does not.
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

MOST = 300  # points: time grows with their cube
DIGITS = (40, 80, 160, 320)
SURE = 1000  # times the rounding of all pivots that the bound on the least eigenvalue has to exceed


@dataclass(frozen=True, eq=False)
class Definite(Frozen):
    """A Gaussian's Gram matrix K (m, m) that is proven to be positive definite.

    inverse: K^-1 over its trace. trace: of K^-1, so that 1/trace <= least eigenvalue <= m/trace. digits: carried in the
    proof. largest: the largest eigenvalue of K, which doubles know.
    """

    inverse: Array
    trace: float
    digits: int
    largest: float

    @cached_property
    def least(self) -> float:
        """The least eigenvalue of K, to the precision of doubles however small it is."""
        return 1.0 / (self.trace * float(np.linalg.eigvalsh(self.inverse)[-1]))

    @property
    def margin(self) -> float:
        """What every labelling has as its margin at least, with or without a bias: sqrt(least / m)."""
        return float(np.sqrt(self.least / len(self.inverse)))

    @validated
    def norm(self, y: Array) -> float:
        """|f| of the f of least norm that is y_i at the points, labels or any numbers (m,): sqrt(y'K^-1 y)."""
        y = Shape(len(self.inverse))("y", y)
        return float(np.sqrt(self.trace * (y @ self.inverse @ y)))

    @validated
    def unseen(self, y: Array) -> Array:
        """What the f through all other points is at each point, (m,): y_i - (K^-1 y)_i / (K^-1)_ii."""
        y = Shape(len(self.inverse))("y", y)
        return y - self.inverse @ y / self.inverse.diagonal()


@validated
def definite(X: Annotated[Array, Shape("m*", "d")], sigma: Positive) -> Definite:
    """The proof for distinct points X (m, d), m from 1 to 300, and a width sigma > 0: Gauss-Jordan on K, whose pivots
    stay above 0.

    Rounding to P digits makes K another matrix by no more than about m^2 10^-P (Higham 2002, theorem 10.3), which SURE
    times that below 1/trace cannot matter. Time grows with m^3: a tenth of a second for 60 points. Raises BadInput
    where points are equal, SolverFailed where not even the most digits will do.
    """
    if len(X) > MOST:
        raise BadInput("X: {m} points are more than {most}, for which this is quick. Take fewer.", m=len(X), most=MOST)
    if not len(X) or len(np.unique(X, axis=0)) < len(X):
        raise BadInput("X: only distinct points, and at least one, have a positive definite Gram matrix.")
    for digits in DIGITS:
        with localcontext() as context:
            context.prec = digits
            K = _gram(X, sigma)
            found = _inverted(K)
            if found is None:
                continue
            trace = sum(found.diagonal(), Decimal(0))
            if trace * SURE * len(X) ** 2 * Decimal(10) ** -digits < 1:
                largest = float(np.linalg.eigvalsh(K.astype(float))[-1])
                return Definite(frozen((found / trace).astype(float)), float(trace), digits, largest)
    raise SolverFailed(
        "These points are too near to each other for so wide a Gaussian. Move them apart, or lower sigma."
    )


def _gram(X: Array, sigma: float) -> np.ndarray:
    """exp(-|x_i - x_j|^2 / (2 sigma^2)) in decimals; the coordinates are floats, taken as they are."""
    m, width = len(X), -2 * Decimal(sigma) ** 2
    Z = np.array([[Decimal(v) for v in row] for row in X.tolist()], dtype=object)
    K = np.full((m, m), Decimal(1), dtype=object)
    for i in range(m):
        for j in range(i):
            K[i, j] = K[j, i] = (((Z[i] - Z[j]) ** 2).sum() / width).exp()
    return K


def _inverted(K: np.ndarray) -> np.ndarray | None:
    """K^-1, or None where a pivot is not above 0."""
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

"""Many free variables that are not independent: their common space is small, and no matrix of all pairs is needed.

Where Q_FF = P P' has rank k, two choices of a_F give the same classifier if P'a_F and y'a_F are the same. With w = 0 a
whole class lies on its margin line: hundreds of points for a few columns of P. Then with P = U S V', y_F = U h + n v (v
a unit vector orthogonal to U, n = 0 where there is none) and a_F = U c + v e

    P P'a + y b = t,  y'a = s      becomes      S^2 c + h b = U't,  n b = v't,  h'c + n e = s.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.core.tolerances import (
    DEPENDENT_FACTOR,
    DEPENDENT_FEATURES,
    FACTOR_ERROR,
    FACTOR_TOLERANCE,
    LONG_FACTOR,
    MANY_DEPENDENT,
    OUTSIDE_SPAN,
    ROUND_OFF,
)
from svmlab.solvers.gram.dense import Gram
from svmlab.solvers.gram.rows import LowRankGram, low_rank_factor


@dataclass(frozen=True, eq=False)
class LowRankSystem:
    """P (n, r) and y (n,) or None without bias; basis (n, k): orthonormal columns that span all that matters.

    For features, U (n, l) and the squares (l,) of their singular values are exact, and h = U'y, n (`y_outside`) and v
    are as above. A factor of Q is not exact, and the part that it cuts off must not count as n b. So `inverse` is then
    the inverse of the whole system in the basis, with one cut for all its singular values.
    """

    P: Array
    y: Array | None
    basis: Array
    U: Array
    squares: Array
    y_outside: float
    inverse: Array | None

    def solve(self, t: Array) -> Array:
        """Return [z, b] with P P'z + y b = t_1 .. t_n and y'z = t_n+1 (without bias z alone), the z of least norm."""
        n, y = len(self.P), self.y
        z = np.zeros(len(t))
        for _ in range(3):  # These are steps of refinement, and the last one corrects what rounding has left.
            residual = t[:n] - self.P @ (z[:n] @ self.P) - (0.0 if y is None else y * z[n])
            z += self._step(residual, t[n:] if y is None else t[n:] - y @ z[:n])
        return z

    def _step(self, t: Array, s: Array) -> Array:
        if self.inverse is not None:
            x = self.inverse @ np.append(t @ self.basis, s)
            return np.append(self.basis @ x[: self.basis.shape[1]], x[self.basis.shape[1] :])
        c = (self.U.T @ t) / self.squares
        if self.y is None:
            return self.U @ c
        h, n, v = self.U.T @ self.y, self.y_outside, self.basis[:, -1]
        g = h / self.squares
        b = float(v @ t) / n if n else float(h @ c - s[0]) / float(h @ g)
        c -= b * g
        z = self.U @ c
        return np.append(z + v * ((s[0] - float(h @ c)) / n) if n else z, b)


def low_rank_system(Q: Gram, at: Index, y: Array | None, root: Array | None = None) -> LowRankSystem | None:
    """Return the common space of the variables `at` (n,), or None where it is too large to be worth its cost.

    y (n,): the signs in y'a, None without bias. root (n,): the square roots of the weights, for variables a / root.
    """
    n = len(at)
    if n <= MANY_DEPENDENT or (isinstance(Q, LowRankGram) and LONG_FACTOR * Q.rank > n):
        return None
    P, remainder = low_rank_factor(Q, FACTOR_TOLERANCE, n // LONG_FACTOR, at)
    if remainder.max() > FACTOR_TOLERANCE:
        return None
    if root is not None:
        P, y = root[:, None] * P, None if y is None else root * y
    if not isinstance(Q, LowRankGram):
        B = _span(P if y is None else np.column_stack([P, y]), DEPENDENT_FACTOR)[0]
        G, d = (B.T @ P) @ (P.T @ B), np.zeros((0, B.shape[1])) if y is None else (y @ B)[None, :]
        S = np.block([[G, d.T], [d, np.zeros((len(d), len(d)))]])
        return LowRankSystem(P, y, B, B, np.zeros(0), 0.0, np.linalg.pinv(S, rcond=DEPENDENT_FACTOR**2, hermitian=True))
    U, singular_values = _span(P, DEPENDENT_FEATURES)
    B, y_outside = U, 0.0
    if y is not None:
        v = y - U @ (U.T @ y)
        v -= U @ (U.T @ v)
        y_outside = float(np.linalg.norm(v))
        y_outside = y_outside if y_outside > OUTSIDE_SPAN * float(np.linalg.norm(y)) else 0.0
        B = np.column_stack([U, v / y_outside]) if y_outside else U
    return LowRankSystem(P, y, B, U, singular_values**2, y_outside, None)


def _span(M: Array, cut: float) -> tuple[Array, Array]:
    """Return an orthonormal basis of the span of the columns of M, and their singular values.

    Only singular values above `cut` times the largest count.
    """
    U, singular_values, _ = np.linalg.svd(M, full_matrices=False)
    k = int((singular_values > cut * singular_values.max(initial=0.0)).sum())
    return U[:, :k], singular_values[:k]


class FactorGram(LowRankGram):
    """P P', P (m, r), in place of Q, for exchanges alone."""

    def __init__(self, P: Array) -> None:
        self.P, self.rank, self.is_reproducible = P, P.shape[1], False
        self.y, self.diag = np.ones(len(P)), np.einsum("ij,ij->i", P, P)
        self._clear()

    def product_and_size(self, a: Array) -> tuple[Array, float]:
        """Return Qa, and a size of its round-off that includes what the factor leaves out."""
        Qa, size = super().product_and_size(a)
        return Qa, size * FACTOR_ERROR / ROUND_OFF

"""Many variables that are not independent: what they have in common is small, and no matrix of all pairs is needed.

Where Q_FF = P P' has rank k, two choices of a_F make the same machine if P'a_F and y'a_F are the same. With w = 0 a
whole class lies on its margin, hundreds of points for a handful of columns. Then with P = U S V', y_F = U h + n v (v a
unit vector that is orthogonal to U, n = 0 where there is none) and a_F = U c + v e

    P P'a + y b = t,  y'a = s      becomes      S^2 c + h b = U't,  n b = v't,  h'c + n e = s.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import EPS, Array, Index
from svmlab.solvers.gram.dense import Gram
from svmlab.solvers.gram.low_rank import low_rank_factor
from svmlab.solvers.gram.rows import LowRankGram

MANY = 40  # variables from which a factor is worth while
LONG = 4  # variables for each column, at least
LEFT = 1e-14  # of the diagonal, by a factor of a matrix that is not one of features
SIDE = 1e-9  # of the length of y: what is left of it outside the span of the features, but for round-off
BLURRED = 1e-13  # of Qa: what a factor instead of Q leaves open, and exchanges with it do not look at
CUT, ROUGH = 1e-12, 1e-6  # of the largest singular value: what is round-off in features, in such a factor


@dataclass(frozen=True, eq=False)
class LowRankSystem:
    """P (n, r) and y (n,) or None without bias; basis (n, k), orthonormal columns that span all that counts.

    For features U (n, l) and the squares (l,) of their singular values are exact, h = U'y, n and v as above. A factor
    of Q is not: what it is cut at, must not pass for n b, and `inverse` is that of the whole system in the basis, cut
    in one.
    """

    P: Array
    y: Array | None
    basis: Array
    U: Array
    squares: Array
    y_outside: float
    inverse: Array | None

    def solve(self, t: Array, nearest_to: Array | None = None) -> Array:
        """[z, b] with P P'z + y b = t_1 .. t_n,  y'z = t_n+1 (without bias z alone), z the nearest to `near` (n,), else
        to 0.
        """
        n, y = len(self.P), self.y
        z = np.zeros(len(t))
        if nearest_to is not None:
            z[:n] = nearest_to
        for _ in range(3):  # steps of refinement: the last one moves what rounding has left
            rest = t[:n] - self.P @ (z[:n] @ self.P) - (0.0 if y is None else y * z[n])
            z += self._step(rest, t[n:] if y is None else t[n:] - y @ z[:n])
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
    """What the variables `at` (n,) have in common, None where that is too much to be worth it.

    y (n,): the signs in y'a, None without bias. root (n,): the weights of the rows, for variables a / root.
    """
    n = len(at)
    if n <= MANY or (isinstance(Q, LowRankGram) and LONG * Q.rank > n):
        return None
    P, rest = low_rank_factor(Q, LEFT, n // LONG, at)
    if rest.max() > LEFT:
        return None
    if root is not None:
        P, y = root[:, None] * P, None if y is None else root * y
    if not isinstance(Q, LowRankGram):
        B = _span(P if y is None else np.column_stack([P, y]), ROUGH)[0]
        G, d = (B.T @ P) @ (P.T @ B), np.zeros((0, B.shape[1])) if y is None else (y @ B)[None, :]
        S = np.block([[G, d.T], [d, np.zeros((len(d), len(d)))]])
        return LowRankSystem(P, y, B, B, np.zeros(0), 0.0, np.linalg.pinv(S, rcond=ROUGH**2, hermitian=True))
    U, size = _span(P, CUT)
    B, side = U, 0.0
    if y is not None:
        v = y - U @ (U.T @ y)
        v -= U @ (U.T @ v)
        side = float(np.linalg.norm(v))
        side = side if side > SIDE * float(np.linalg.norm(y)) else 0.0
        B = np.column_stack([U, v / side]) if side else U
    return LowRankSystem(P, y, B, U, size**2, side, None)


def _span(M: Array, cut: float) -> tuple[Array, Array]:
    """An orthonormal basis of what the columns of M span, and their singular values, those above `cut` times the
    largest.
    """
    U, size, _ = np.linalg.svd(M, full_matrices=False)
    k = int((size > cut * size.max(initial=0.0)).sum())
    return U[:, :k], size[:k]


class FactorGram(LowRankGram):
    """P P', P (m, r), in the place of Q, for exchanges alone."""

    def __init__(self, P: Array) -> None:
        self.P, self.rank, self.is_reproducible = P, P.shape[1], False
        self.y, self.diag = np.ones(len(P)), np.einsum("ij,ij->i", P, P)
        self._clear()

    def product_and_size(self, a: Array) -> tuple[Array, float]:
        """Qa, and its round-off as if what the factor leaves out were such."""
        Qa, size = super().product_and_size(a)
        return Qa, size * BLURRED / (4 * EPS)


def solve_free_variables(Q: Gram, p: Array, y: Array, u: Array, bias: bool, a: Array) -> tuple[Array, float] | None:
    """The nearest to `a` and its b, the same variables inside their bounds, with Qa + y b = p at each of them.

    None where they are not many for what they have in common, or where one of them leaves its bounds.
    """
    inside = (a > 0) & (a < u)
    F = np.flatnonzero(inside)
    few = low_rank_system(Q, F, y[F] if bias else None)
    if few is None:
        return None
    out = np.where(inside, 0.0, a)
    z = few.solve(np.append(p[F] - Q.times(out)[F], [-(y @ out)] if bias else []), a[F])
    out[F] = z[: len(F)]
    return (out, float(z[-1]) if bias else 0.0) if ((out >= 0) & (out <= u)).all() else None

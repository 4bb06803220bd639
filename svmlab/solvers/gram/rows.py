"""The Gram matrix of many points, computed only as far as it is needed: row by row, or as a product of features."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.jit.compiler import compiled
from svmlab.kernels.base import Kernel
from svmlab.solvers.gram.dense import Gram, scale_in_place

SPARE_ROWS = 64  # rows of a product that are kept in addition to those in use


class CachedRowsGram(Gram):
    """Q row by row, where each row is computed once, when it is first needed."""

    # Up to this many points, room for all rows is reserved at once, because memory that is never written costs nothing.
    reserve = 8192

    def __init__(self, kernel: Kernel, Z: Array, y: Array, kappa: float) -> None:
        self.kernel, self.y, self.kappa = kernel, y, kappa
        self.Z = np.asfortranarray(Z)  # stored by coordinate, because the rows of a kernel are summed by coordinate
        self.diag, self.is_reproducible = kernel.diag(Z) / kappa, kernel.is_reproducible
        self._clear()

    def _clear(self) -> None:
        self.slot, self._n_kept, self.kept = np.full(len(self.y), -1), 0, np.empty((0, len(self.y)))

    def rows(self, at: Index) -> Array:
        self._cache_rows(at)
        return self.kept[self.slot[at]]

    def load_rows(self, at: Index, used: Index | None = None) -> None:
        self._cache_rows(at)

    def block(self, at: Index, of: Index) -> Array:
        if self.is_reproducible and (self.slot[at] >= 0).all():
            out = np.empty((len(at), len(of)))
            _gather(self.kept, self.slot[at], of, out)
            return out
        return scale_in_place(self.kernel(self.Z[at], self.Z[of]), self.y[at] / self.kappa, self.y[of])

    def square_block(self, at: Index) -> Array:
        is_kept = self.slot[at] >= 0
        first, n = np.argsort(~is_kept, kind="stable"), int(np.count_nonzero(is_kept))
        kept, missing, out = first[:n], first[n:], np.empty((len(at), len(at)))
        _gather(self.kept, self.slot[at], at, out)
        if len(missing):
            out[missing[:, None], kept] = out[kept[:, None], missing].T
            out[missing[:, None], missing] = self.block(at[missing], at[missing])
        return out

    def product_and_size(self, a: Array) -> tuple[Array, float]:
        self._cache_rows(np.flatnonzero(a))
        return super().product_and_size(a)

    def times(self, a: Array) -> Array:
        self._cache_rows(np.flatnonzero(a))
        return super().times(a)

    def _compute_rows(self, at: Index, out: Array) -> None:
        np.multiply(self.kernel(self.Z[at], self.Z), self.y, out=out)
        out *= (self.y[at] / self.kappa)[:, None]

    def _cache_rows(self, at: Index) -> None:
        new = at[self.slot[at] < 0]
        if not len(new):
            return
        need = self._n_kept + len(new)
        if need > len(self.kept):
            room = len(self.y) if len(self.y) <= self.reserve else min(max(need, 2 * self._n_kept, 16), len(self.y))
            grown = np.empty((room, len(self.y)))
            grown[: self._n_kept] = self.kept[: self._n_kept]
            self.kept = grown
        self._compute_rows(new, self.kept[self._n_kept : need])
        self.slot[new] = np.arange(self._n_kept, need)
        self._n_kept = need


class LowRankGram(CachedRowsGram):
    """Q = P P' with P (m, r), the signed features.

    Few rows are kept, because at most r + 1 variables are ever free.
    """

    reserve = 0

    def __init__(self, kernel: Kernel, Z: Array, y: Array, kappa: float) -> None:
        super().__init__(kernel, Z, y, kappa)
        self.P = kernel.feature_map(self.Z) * (y / np.sqrt(kappa))[:, None]
        self.rank = self.P.shape[1]

    def rows(self, at: Index) -> Array:
        return self.P[at] @ self.P.T

    def block_times(self, at: Index, of: Index, a: Array) -> Array:
        return self.P[at] @ (a @ self.P[of])

    def square_block(self, at: Index) -> Array:
        P = self.P[at]
        return P @ P.T

    def load_rows(self, at: Index, used: Index | None = None) -> None:
        if used is not None and self._n_kept > len(used) + SPARE_ROWS:
            self._clear()
            self._cache_rows(used)
        self._cache_rows(at)

    def product_and_size(self, a: Array) -> tuple[Array, float]:
        S, length = np.flatnonzero(a), np.sqrt(np.abs(self.diag))
        return self.P @ (a[S] @ self.P[S]), float(a @ length) * float(length.max(initial=0.0))

    def times(self, a: Array) -> Array:
        return self.product_and_size(a)[0]

    def _compute_rows(self, at: Index, out: Array) -> None:
        for i, j in enumerate(at):  # One row at a time costs no more, and most rows are requested alone.
            np.dot(self.P, self.P[j], out=out[i])


def low_rank_factor(Q: Gram, tol: float, rank: int, at: Index | None = None) -> tuple[Array, Array]:
    """Return P (m, r) and remainder (m,) with Q = P P' + diag(remainder) + further off-diagonal entries.

    P contains the features where Q is a product of features, else the pivoted Cholesky factor, stopped at `tol` or at
    `rank`. at (m,): the rows and columns to use, where these are not all. Source: Fine and Scheinberg, Efficient SVM
    training using low-rank kernel representations (2001).
    """
    if isinstance(Q, LowRankGram):
        P = Q.P if at is None else Q.P[at]
        return P, np.zeros(len(P))
    remainder, r = np.array(Q.diag if at is None else Q.diag[at]), 0
    P = np.empty((min(rank, len(remainder)), len(remainder)))
    while r < len(P):
        i = int(remainder.argmax())
        if remainder[i] <= tol:
            break
        new_column = (Q.row(i) if at is None else Q.block(at[i : i + 1], at)[0]) - P[:r, i] @ P[:r]
        np.divide(new_column, np.sqrt(remainder[i]), out=P[r])
        remainder -= P[r] * P[r]
        remainder[i] = 0.0
        r += 1
    return P[:r].T, np.maximum(remainder, 0.0)


@compiled
def _gather(kept: Array, slot: Index, of: Index, out: Array) -> None:
    """Copy the entries `of` of the rows kept in `slot` to `out`; a row with slot -1 is not kept, and is skipped."""
    for i in range(len(slot)):
        if slot[i] >= 0:
            row = kept[slot[i]]
            for j in range(len(of)):
                out[i, j] = row[of[j]]

"""The Gram matrix of many points, as much of it as is asked for: row by row, or as a product of features."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Index, Mask
from svmlab.jit.compiler import compiled
from svmlab.kernels.base import Kernel
from svmlab.solvers.gram.dense import Gram, scale_in_place

SPARE = 64  # rows of a product that are kept beside those in use


class CachedRowsGram(Gram):
    """Q row by row, each computed once, when it is first needed."""

    reserve = 8192  # points up to which there is room for all rows at once: what is never written takes no memory

    def __init__(self, kernel: Kernel, Z: Array, y: Array, kappa: float) -> None:
        self.kernel, self.y, self.kappa = kernel, y, kappa
        self.Z = np.asfortranarray(Z)  # coordinate by coordinate, as the rows of a kernel are summed up
        self.diag, self.is_reproducible = kernel.diag(Z) / kappa, kernel.is_reproducible
        self._clear()

    def _clear(self) -> None:
        self.slot, self._have, self.kept = np.full(len(self.y), -1), 0, np.empty((0, len(self.y)))

    def take(self, old: CachedRowsGram) -> None:
        """What an earlier matrix has for the same points; only the entries of points that have moved are computed
        anew.
        """
        if old.kernel != self.kernel or old.kappa != self.kappa or not len(old.y):
            return
        at, same = _match_rows(np.column_stack([old.Z, old.y]), np.column_stack([self.Z, self.y]))
        keep, moved = np.flatnonzero(same & (old.slot[at] >= 0)), np.flatnonzero(~same)
        if len(moved) > 0.1 * len(at) or not len(keep):
            return
        self.kept = old.kept[old.slot[at[keep]][:, None], at]
        self.kept[:, moved] = self.block(keep, moved)
        self.slot[keep], self._have = np.arange(len(keep)), len(keep)

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

    def square(self, at: Index) -> Array:
        held = self.slot[at] >= 0
        first, n = np.argsort(~held, kind="stable"), int(np.count_nonzero(held))
        have, rest, out = first[:n], first[n:], np.empty((len(at), len(at)))
        _gather(self.kept, self.slot[at], at, out)
        if len(rest):
            out[rest[:, None], have] = out[have[:, None], rest].T
            out[rest[:, None], rest] = self.block(at[rest], at[rest])
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
        need = self._have + len(new)
        if need > len(self.kept):
            room = len(self.y) if len(self.y) <= self.reserve else min(max(need, 2 * self._have, 16), len(self.y))
            grown = np.empty((room, len(self.y)))
            grown[: self._have] = self.kept[: self._have]
            self.kept = grown
        self._compute_rows(new, self.kept[self._have : need])
        self.slot[new] = np.arange(self._have, need)
        self._have = need


class LowRankGram(CachedRowsGram):
    """Q = P P' with P (m, r): signed features. Few rows are kept, for no more than r + 1 variables are ever free."""

    reserve = 0

    def __init__(self, kernel: Kernel, Z: Array, y: Array, kappa: float) -> None:
        super().__init__(kernel, Z, y, kappa)
        self.P = kernel.feature_map(self.Z) * (y / np.sqrt(kappa))[:, None]
        self.rank = self.P.shape[1]

    def rows(self, at: Index) -> Array:
        return self.P[at] @ self.P.T

    def onto(self, at: Index, of: Index, a: Array) -> Array:
        return self.P[at] @ (a @ self.P[of])

    def square(self, at: Index) -> Array:
        P = self.P[at]
        return P @ P.T

    def load_rows(self, at: Index, used: Index | None = None) -> None:
        if used is not None and self._have > len(used) + SPARE:
            self._clear()
            self._cache_rows(used)
        self._cache_rows(at)

    def product_and_size(self, a: Array) -> tuple[Array, float]:
        S, length = np.flatnonzero(a), np.sqrt(np.abs(self.diag))
        return self.P @ (a[S] @ self.P[S]), float(a @ length) * float(length.max(initial=0.0))

    def times(self, a: Array) -> Array:
        return self.product_and_size(a)[0]

    def _compute_rows(self, at: Index, out: Array) -> None:
        for i, j in enumerate(at):  # one after the other costs no more, and most come alone
            np.dot(self.P, self.P[j], out=out[i])


@compiled
def _gather(kept: Array, slot: Index, of: Index, out: Array) -> None:
    """The entries `of` of the rows kept in `slot`; -1 stands for one that is not."""
    for i in range(len(slot)):
        if slot[i] >= 0:
            row = kept[slot[i]]
            for j in range(len(of)):
                out[i, j] = row[of[j]]


def _match_rows(old: Array, new: Array) -> tuple[Index, Mask]:
    """For each row of `new` a row of `old`, and whether the two are equal."""
    weights = np.sqrt(np.arange(2.0, 2.0 + old.shape[1]))
    one, other = ((A * weights).sum(1) for A in (old, new))
    order = np.argsort(one)
    at = order[np.minimum(np.searchsorted(one, other, sorter=order), len(old) - 1)]
    return at, (old[at] == new).all(1)

"""The signed Gram matrix Q, Q_ij = y_i y_j k(x_i, x_j) / kappa, as much of it as is asked for.

kappa = max k(x_i, x_i), so that no entry exceeds 1 and margins keep their units. Three ways to hold it: whole (few
points), as a product of features (low rank: no m x m matrix ever), or row by row (everything else).
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from svmlab.arrays import Array, Index, Mask
from svmlab.kernels import Gaussian, Kernel

WHOLE, FULL = 100, 300  # up to so many points the whole matrix costs less: where features are few, where they are not
BLOCK = 1 << 19  # entries of a temporary


class Gram(Protocol):
    """What a solver asks of Q (m, m)."""

    diag: Array

    def row(self, j: int) -> Array:
        """Q_j., shape (m,)."""

    def rows(self, at: Index) -> Array:
        """Q[at], shape (len(at), m)."""

    def block(self, at: Index, of: Index) -> Array:
        """Q[at][:, of], with bits that depend on the points asked for alone."""

    def times(self, a: Array) -> Array:
        """Q a."""

    def size(self, a: Array) -> float:
        """max_j sum_i |Q_ij| a_i, or a bound close above it: eps times it is the round-off of Q a (a >= 0)."""


class Whole:
    """Q itself. y: the labels, where no entry of K is negative: then |Q| a = y o Q (y o a)."""

    def __init__(self, Q: Array, y: Array | None = None) -> None:
        self.Q, self.diag, self.y = Q, Q.diagonal(), y

    def row(self, j: int) -> Array:
        return self.Q[j]

    def rows(self, at: Index) -> Array:
        return self.Q[at]

    def block(self, at: Index, of: Index) -> Array:
        return self.Q[at[:, None], of]

    def times(self, a: Array) -> Array:
        return self.Q @ a

    def size(self, a: Array) -> float:
        if self.y is not None:
            return float(np.abs(self.Q @ (self.y * a)).max(initial=0.0))
        return float((np.abs(self.Q) @ a).max(initial=0.0))


class _Of:
    """Blocks of Q computed afresh from kernel and points."""

    def __init__(self, kernel: Kernel, Z: Array, y: Array, kappa: float) -> None:
        self.kernel, self.Z, self.y, self.kappa = kernel, Z, y, kappa
        self.diag = kernel.diag(Z) / kappa

    def block(self, at: Index, of: Index) -> Array:
        return _signed(self.kernel(self.Z[at], self.Z[of]), self.y[at] / self.kappa, self.y[of])

    def size(self, a: Array) -> float:
        length = np.sqrt(np.abs(self.diag))
        return float(a @ length) * float(length.max(initial=0.0))


class Product(_Of):
    """Q = P P' with P (m, r): signed features."""

    def __init__(self, kernel: Kernel, Z: Array, y: Array, kappa: float) -> None:
        super().__init__(kernel, Z, y, kappa)
        self.P = kernel.feature_map(Z) * (y / np.sqrt(kappa))[:, None]

    def row(self, j: int) -> Array:
        return self.P @ self.P[j]

    def rows(self, at: Index) -> Array:
        return self.P[at] @ self.P.T

    def times(self, a: Array) -> Array:
        return self.P @ (a @ self.P)


class Rows(_Of):
    """Q row by row, each computed once, when it is first needed."""

    def __init__(self, kernel: Kernel, Z: Array, y: Array, kappa: float) -> None:
        super().__init__(kernel, Z, y, kappa)
        self._slot = np.full(len(y), -1, dtype=np.intp)
        self._have = 0
        self._kept = np.empty((0, len(y)))

    def take(self, old: Rows) -> None:
        """What an earlier matrix has for the same points; only the entries of points that have moved are computed anew.

        The earlier one is used up: for the same points in the same order its rows are shared, not copied.
        """
        if old.kernel != self.kernel or old.kappa != self.kappa or not len(old.y):
            return
        at, same = _found(np.column_stack([old.Z, old.y]), np.column_stack([self.Z, self.y]))
        if len(at) == len(old.y) and same.all() and (at == np.arange(len(at))).all():
            self._slot, self._have, self._kept = old._slot, old._have, old._kept
            return
        keep, moved = np.flatnonzero(same & (old._slot[at] >= 0)), np.flatnonzero(~same)
        if len(moved) > 0.1 * len(at) or not len(keep):
            return
        self._kept = old._kept[old._slot[at[keep]][:, None], at]
        self._kept[:, moved] = self.block(keep, moved)
        self._slot[keep], self._have = np.arange(len(keep)), len(keep)

    def row(self, j: int) -> Array:
        slot = self._slot[j]
        return self._kept[slot] if slot >= 0 else self.rows(np.array([j]))[0]

    def rows(self, at: Index) -> Array:
        slots = self._at(at)
        return self._kept[slots]

    def times(self, a: Array) -> Array:
        at = np.flatnonzero(a)
        slots = self._at(at)
        spread = np.zeros(self._have)
        spread[slots] = a[at]
        return spread @ self._kept[: self._have]

    def size(self, a: Array) -> float:
        if isinstance(self.kernel, Gaussian):  # as for Whole
            return float(np.abs(self.times(self.y * a)).max(initial=0.0))
        return super().size(a)

    def _at(self, at: Index) -> Index:
        new = at[self._slot[at] < 0]
        if len(new):
            need = self._have + len(new)
            if need > len(self._kept):
                grown = np.empty((min(max(need, 2 * self._have), len(self.y)), len(self.y)))
                grown[: self._have] = self._kept[: self._have]
                self._kept = grown
            self._kept[self._have : need] = _signed(self.kernel(self.Z[new], self.Z), self.y[new] / self.kappa, self.y)
            self._slot[new] = np.arange(self._have, need)
            self._have = need
        return self._slot[at]


def _signed(K: Array, rows: Array, columns: Array) -> Array:
    """K with its rows and columns multiplied, in place: fresh memory costs more than the arithmetic."""
    K *= rows[:, None]
    K *= columns
    return K


def _found(old: Array, new: Array) -> tuple[Index, Mask]:
    """For each row of `new` a row of `old`, and whether the two are equal."""
    weights = np.sqrt(np.arange(2.0, 2.0 + old.shape[1]))
    one, other = ((A * weights).sum(1) for A in (old, new))
    order = np.argsort(one)
    at = order[np.minimum(np.searchsorted(one, other, sorter=order), len(old) - 1)]
    return at, (old[at] == new).all(1)


def gram(kernel: Kernel, Z: Array, y: Array, old: Gram | None = None) -> tuple[Gram, float]:
    """Q in the form that suits the kernel and the number of points, and kappa; `old` is used up for what it still holds."""
    kappa = float(np.abs(kernel.diag(Z)).max(initial=0.0)) or 1.0
    m, rank = len(y), kernel.feature_dim(Z.shape[1])
    if m <= (WHOLE if rank is not None else FULL):
        return Whole(_signed(kernel(Z, Z), y, y / kappa), y if isinstance(kernel, Gaussian) else None), kappa
    if kernel.psd and rank is not None and 2 * rank <= m:
        return Product(kernel, Z, y, kappa), kappa
    rows = Rows(kernel, Z, y, kappa)
    if isinstance(old, Rows):
        rows.take(old)
    return rows, kappa


def whole(K: Array, y: Array) -> tuple[Gram, float]:
    """Q from a matrix over the points, and kappa."""
    kappa = float(K.diagonal().max(initial=0.0)) or 1.0
    return Whole(_signed(K.copy(), y, y / kappa)), kappa


def factor(Q: Gram, tol: float, rank: int) -> tuple[Array, Array]:
    """P (m, r) with Q = P P' + diag(rest) + ...: the features where Q is a product, else pivoted Cholesky to tol or `rank`.

    Source: Fine and Scheinberg, Efficient SVM training using low-rank kernel representations (2001).
    """
    m = len(Q.diag)
    if isinstance(Q, Product):
        return Q.P, np.zeros(m)
    P, rest, r = np.empty((min(rank, m), m)), np.array(Q.diag), 0
    while r < len(P):
        i = int(rest.argmax())
        if rest[i] <= tol:
            break
        row = Q.row(i) - P[:r, i] @ P[:r]
        np.divide(row, np.sqrt(rest[i]), out=P[r])
        rest -= P[r] * P[r]
        rest[i] = 0.0
        r += 1
    return P[:r].T, np.maximum(rest, 0.0)

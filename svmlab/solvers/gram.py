"""The signed Gram matrix Q, Q_ij = y_i y_j k(x_i, x_j) / kappa, as much of it as is asked for.

kappa = max k(x_i, x_i), so that no entry exceeds 1 and margins keep their units. Three ways to hold it: whole (few
points), as a product of features (low rank: no m x m matrix ever), or row by row (everything else).
"""

from __future__ import annotations

import numpy as np

from svmlab.arrays import Array, Index, Mask
from svmlab.compiled import compiled, reordered
from svmlab.kernel import Kernel

FULL, DENSE = 300, 400  # up to so many points the whole matrix costs less than features, than rows
MANY = 100  # points from which changing a matrix costs less than a new one
BLOCK = 1 << 19  # entries of a temporary
SPARE = 64  # rows of a product that are kept beside those in use


class Gram:
    """What a solver asks of Q (m, m), and the rows it has: Q[j] is kept[slot[j]] where slot[j] >= 0."""

    diag: Array
    kept: Array
    slot: Index
    rank: float = np.inf  # a bound on the rank of Q
    steady: bool = True  # whether an entry has the same bits however it is asked for
    source: tuple[Kernel, Array, Array] | None = None  # kernel, points and labels that it is made of

    def row(self, j: int) -> Array:
        """Q_j., shape (m,)."""
        return self.rows(np.array([j]))[0]

    def rows(self, at: Index) -> Array:
        """Q[at], shape (len(at), m)."""
        return self.kept[self.slot[at]]

    def bring(self, at: Index, used: Index | None = None) -> None:
        """See to it that the rows `at` are kept; rows that are not in `used` may be forgotten, where it is given."""

    def block(self, at: Index, of: Index) -> Array:
        """Q[at][:, of], with bits that depend on the points asked for alone."""
        raise NotImplementedError

    def square(self, at: Index) -> Array:
        """Q[at][:, at], up to round-off."""
        return self.block(at, at)

    def measure(self, a: Array) -> tuple[Array, float]:
        """Q a, and max_j sum_i |Q_ij| a_i or a bound close above it: eps times it is the round-off of Q a (a >= 0)."""
        out = np.zeros(len(a))
        return out, _measure(self.kept, self.slot, a, out)

    def times(self, a: Array) -> Array:
        """Q a."""
        return self.measure(a)[0]


class Whole(Gram):
    """Q itself."""

    def __init__(self, Q: Array) -> None:
        self.kept, self.diag, self.slot = Q, Q.diagonal().copy(), np.arange(len(Q))

    def moved(self, kernel: Kernel, Z: Array, y: Array) -> bool:
        """Become the matrix of Z and y, where they are the present points but for one that has moved; False otherwise.

        In place: writing one row and one column costs a tenth of a new matrix where there are many points.
        """
        if len(y) < MANY or self.source is None or not kernel.steady or self.source[0] != kernel:
            return False
        old = self.source[1:]
        if len(old[1]) != len(y):
            return False
        change = np.flatnonzero((old[0] != Z).any(1) | (old[1] != y))
        first, last = int(change[0]), int(change[-1])
        for p, q in ((first, last), (last, first)):  # the point that was the p-th is the q-th now
            here, there = (slice(p + 1, q + 1), slice(p, q)) if p <= q else (slice(q, p), slice(q + 1, p + 1))
            if np.array_equal(old[0][here], Z[there]) and np.array_equal(old[1][here], y[there]):
                row = _signed(kernel(Z[q : q + 1], Z), y[q : q + 1], y)[0]
                _shift(self.kept, p, q, row)
                return True
        return False

    def block(self, at: Index, of: Index) -> Array:
        return self.kept[at[:, None], of]


class Rows(Gram):
    """Q row by row, each computed once, when it is first needed."""

    reserve = 4096  # points up to which there is room for all rows at once: what is never written takes no memory

    def __init__(self, kernel: Kernel, Z: Array, y: Array, kappa: float) -> None:
        self.kernel, self.Z, self.y, self.kappa = kernel, Z, y, kappa
        self.diag, self.steady = kernel.diag(Z) / kappa, kernel.steady
        self._forget()

    def _forget(self) -> None:
        self.slot, self._have, self.kept = np.full(len(self.y), -1), 0, np.empty((0, len(self.y)))

    def take(self, old: Rows) -> None:
        """What an earlier matrix has for the same points; only the entries of points that have moved are computed anew."""
        if old.kernel != self.kernel or old.kappa != self.kappa or not len(old.y):
            return
        at, same = _found(np.column_stack([old.Z, old.y]), np.column_stack([self.Z, self.y]))
        keep, moved = np.flatnonzero(same & (old.slot[at] >= 0)), np.flatnonzero(~same)
        if len(moved) > 0.1 * len(at) or not len(keep):
            return
        self.kept = old.kept[old.slot[at[keep]][:, None], at]
        self.kept[:, moved] = self.block(keep, moved)
        self.slot[keep], self._have = np.arange(len(keep)), len(keep)

    def rows(self, at: Index) -> Array:
        self._hold(at)
        return self.kept[self.slot[at]]

    def bring(self, at: Index, used: Index | None = None) -> None:
        self._hold(at)

    def block(self, at: Index, of: Index) -> Array:
        return _signed(self.kernel(self.Z[at], self.Z[of]), self.y[at] / self.kappa, self.y[of])

    def measure(self, a: Array) -> tuple[Array, float]:
        self._hold(np.flatnonzero(a))
        return super().measure(a)

    def _fresh(self, at: Index, out: Array) -> None:
        np.multiply(self.kernel(self.Z[at], self.Z), self.y, out=out)
        out *= (self.y[at] / self.kappa)[:, None]

    def _hold(self, at: Index) -> None:
        new = at[self.slot[at] < 0]
        if not len(new):
            return
        need = self._have + len(new)
        if need > len(self.kept):
            room = len(self.y) if len(self.y) <= self.reserve else min(max(need, 2 * self._have, 16), len(self.y))
            grown = np.empty((room, len(self.y)))
            grown[: self._have] = self.kept[: self._have]
            self.kept = grown
        self._fresh(new, self.kept[self._have : need])
        self.slot[new] = np.arange(self._have, need)
        self._have = need


class Product(Rows):
    """Q = P P' with P (m, r): signed features. Few rows are kept, for no more than r + 1 variables are ever free."""

    reserve = 0

    def __init__(self, kernel: Kernel, Z: Array, y: Array, kappa: float) -> None:
        super().__init__(kernel, Z, y, kappa)
        self.P = kernel.feature_map(Z) * (y / np.sqrt(kappa))[:, None]
        self.rank = self.P.shape[1]

    def rows(self, at: Index) -> Array:
        return self.P[at] @ self.P.T

    def square(self, at: Index) -> Array:
        P = self.P[at]
        return P @ P.T

    def bring(self, at: Index, used: Index | None = None) -> None:
        if used is not None and self._have > len(used) + SPARE:
            self._forget()
            self._hold(used)
        self._hold(at)

    def measure(self, a: Array) -> tuple[Array, float]:
        length = np.sqrt(np.abs(self.diag))
        return self.P @ (a @ self.P), float(a @ length) * float(length.max(initial=0.0))

    def _fresh(self, at: Index, out: Array) -> None:
        np.matmul(self.P[at], self.P.T, out=out)


@reordered
def _measure(kept: Array, slot: Index, a: Array, out: Array) -> float:
    """Q a added to `out`, and max_j sum_i |Q_ij a_i|."""
    size = np.zeros(len(a))
    for i in range(len(a)):
        if a[i] != 0.0:
            row = kept[slot[i]]
            for j in range(len(a)):
                out[j] += a[i] * row[j]
                size[j] += abs(a[i] * row[j])
    largest = 0.0
    for j in range(len(a)):
        if size[j] > largest:
            largest = size[j]
    return largest


@compiled
def _shift(Q: Array, p: int, q: int, row: Array) -> None:
    """Row and column p out, those between p and q a place on, and `row` in at q."""
    step = 1 if p < q else -1
    for i in range(p, q, step):
        Q[i] = Q[i + step]
    for i in range(len(Q)):
        for j in range(p, q, step):
            Q[i, j] = Q[i, j + step]
        Q[i, q] = row[i]
    Q[q] = row


def _signed(K: Array, rows: Array, columns: Array) -> Array:
    """K with its rows and columns multiplied, in place: fresh memory costs more than the arithmetic."""
    _scale(K, rows, columns)
    return K


@compiled
def _scale(K: Array, rows: Array, columns: Array) -> None:
    for i in range(len(rows)):
        for j in range(len(columns)):
            K[i, j] *= rows[i] * columns[j]


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
    if old is not None and old.source is not None and _same(old.source, kernel, Z, y):
        return old, kappa
    m, rank = len(y), kernel.feature_dim(Z.shape[1])
    Q: Gram
    if isinstance(old, Whole) and old.moved(kernel, Z, y):
        Q = old
    elif m > FULL and kernel.psd and rank is not None and 2 * rank <= m:
        Q = Product(kernel, Z, y, kappa)
    elif m <= DENSE:
        Q = Whole(_signed(kernel(Z, Z), y, y / kappa))
        Q.rank = np.inf if rank is None else rank
    else:
        Q = rows = Rows(kernel, Z, y, kappa)
        if isinstance(old, Rows) and not isinstance(old, Product):
            rows.take(old)
    Q.source = (kernel, Z, y)
    return Q, kappa


def _same(source: tuple[Kernel, Array, Array], kernel: Kernel, Z: Array, y: Array) -> bool:
    return source[0] == kernel and np.array_equal(source[1], Z) and np.array_equal(source[2], y)


def whole(K: Array, y: Array) -> tuple[Gram, float]:
    """Q from a matrix over the points, and kappa."""
    kappa = float(K.diagonal().max(initial=0.0)) or 1.0
    return Whole(_signed(K.copy(), y, y / kappa)), kappa

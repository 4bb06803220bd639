"""The signed Gram matrix Q, Q_ij = y_i y_j k(x_i, x_j) / kappa: what solvers ask of it, and the matrix of few points
itself.
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.jit.compiler import compiled, compiled_fastmath
from svmlab.kernels.base import Kernel

MANY = 100  # points from which changing a matrix costs less than a new one


class Gram:
    """What a solver asks of Q (m, m), and the rows it has: Q[j] is kept[slot[j]] where slot[j] >= 0."""

    diag: Array
    kept: Array
    slot: Index
    rank: float = np.inf  # a bound on the rank of Q
    is_reproducible: bool = True  # whether an entry has the same bits however it is asked for
    source: tuple[Kernel, Array, Array] | None = None  # kernel, points and labels that it is made of

    def row(self, j: int) -> Array:
        """Q_j., shape (m,)."""
        return self.rows(np.array([j]))[0]

    def rows(self, at: Index) -> Array:
        """Q[at], shape (len(at), m)."""
        return self.kept[self.slot[at]]

    def load_rows(self, at: Index, used: Index | None = None) -> None:
        """See to it that the rows `at` are kept; rows that are not in `used` may be forgotten, where it is given."""

    def block(self, at: Index, of: Index) -> Array:
        """Q[at][:, of], with bits that depend on the points asked for alone."""
        raise NotImplementedError

    def onto(self, at: Index, of: Index, a: Array) -> Array:
        """Q[at][:, of] a, with bits that depend on the points alone."""
        return self.block(at, of) @ a

    def square(self, at: Index) -> Array:
        """Q[at][:, at], up to round-off."""
        return self.block(at, at)

    def product_and_size(self, a: Array) -> tuple[Array, float]:
        """Q a, and max_j sum_i |Q_ij| a_i or a bound close above it: eps times it is the round-off of Q a (a >= 0)."""
        out = np.zeros(len(a))
        return out, _measure(self.kept, self.slot, a, out)

    def times(self, a: Array) -> Array:
        """Q a."""
        out = np.zeros(len(a))
        _times(self.kept, self.slot, a, out)
        return out


class DenseGram(Gram):
    """Q itself."""

    def __init__(self, Q: Array) -> None:
        self.kept, self.diag, self.slot = Q, Q.diagonal().copy(), np.arange(len(Q))

    def follow_moved_point(self, kernel: Kernel, Z: Array, y: Array) -> bool:
        """Become the matrix of Z and y, where they are the present points but for one that has moved; False otherwise.

        In place: writing one row and one column costs a tenth of a new matrix where there are many points.
        """
        if len(y) < MANY or self.source is None or not kernel.is_reproducible or self.source[0] != kernel:
            return False
        old = self.source[1:]
        if len(old[1]) != len(y):
            return False
        change = np.flatnonzero((old[0] != Z).any(1) | (old[1] != y))
        first, last = int(change[0]), int(change[-1])
        for p, q in ((first, last), (last, first)):  # the point that was the p-th is the q-th now
            here, there = (slice(p + 1, q + 1), slice(p, q)) if p <= q else (slice(q, p), slice(q + 1, p + 1))
            if np.array_equal(old[0][here], Z[there]) and np.array_equal(old[1][here], y[there]):
                row = scale_in_place(kernel(Z[q : q + 1], Z), y[q : q + 1], y)[0]
                _shift(self.kept, p, q, row)
                return True
        return False

    def block(self, at: Index, of: Index) -> Array:
        return self.kept[at[:, None], of]


@compiled_fastmath
def _times(kept: Array, slot: Index, a: Array, out: Array) -> None:
    """Q a added to `out`."""
    for i in range(len(a)):
        if a[i] != 0.0:
            row = kept[slot[i]]
            for j in range(len(a)):
                out[j] += a[i] * row[j]


@compiled_fastmath
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


def scale_in_place(K: Array, rows: Array, columns: Array) -> Array:
    """K with its rows and columns multiplied, in place: fresh memory costs more than the arithmetic."""
    _scale(K, rows, columns)
    return K


@compiled
def _scale(K: Array, rows: Array, columns: Array) -> None:
    for i in range(len(rows)):
        for j in range(len(columns)):
            K[i, j] *= rows[i] * columns[j]

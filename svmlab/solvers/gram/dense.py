"""The signed Gram matrix Q, Q_ij = y_i y_j k(x_i, x_j) / kappa: its interface for solvers, and the dense matrix."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.jit.compiler import compiled, compiled_fastmath


class Gram:
    """The interface of Q (m, m) for a solver, and the rows that are kept.

    Row j of Q is kept[slot[j]] where slot[j] >= 0.
    """

    diag: Array
    kept: Array
    slot: Index
    rank: float = np.inf  # an upper bound for the rank of Q
    is_reproducible: bool = True  # whether an entry has the same bits in every block in which it is computed

    def row(self, j: int) -> Array:
        """Return row j of Q, shape (m,)."""
        return self.rows(np.array([j]))[0]

    def rows(self, at: Index) -> Array:
        """Return Q[at], shape (len(at), m)."""
        return self.kept[self.slot[at]]

    def load_rows(self, at: Index, used: Index | None = None) -> None:
        """Ensure that the rows `at` are kept.

        Where `used` is given, rows that are not in it may be discarded.
        """

    def block(self, at: Index, of: Index) -> Array:
        """Return Q[at][:, of], with bits that depend on these points alone."""
        raise NotImplementedError

    def block_times(self, at: Index, of: Index, a: Array) -> Array:
        """Return Q[at][:, of] a, with bits that depend on the points alone."""
        return self.block(at, of) @ a

    def square_block(self, at: Index) -> Array:
        """Return Q[at][:, at], up to round-off."""
        return self.block(at, at)

    def product_and_size(self, a: Array) -> tuple[Array, float]:
        """Return Q a, and max_j sum_i |Q_ij| a_i or an upper bound close to it (a >= 0).

        eps times the second value is the round-off of Q a.
        """
        out = np.zeros(len(a))
        return out, _measure(self.kept, self.slot, a, out)

    def times(self, a: Array) -> Array:
        """Return Q a."""
        out = np.zeros(len(a))
        _times(self.kept, self.slot, a, out)
        return out


class DenseGram(Gram):
    """The dense matrix Q."""

    def __init__(self, Q: Array, rank: float = np.inf) -> None:
        self.kept, self.diag, self.slot, self.rank = Q, Q.diagonal().copy(), np.arange(len(Q)), rank

    def block(self, at: Index, of: Index) -> Array:
        return self.kept[at[:, None], of]


@compiled_fastmath
def _times(kept: Array, slot: Index, a: Array, out: Array) -> None:
    """Add Q a to `out`."""
    for i in range(len(a)):
        if a[i] != 0.0:
            row = kept[slot[i]]
            for j in range(len(a)):
                out[j] += a[i] * row[j]


@compiled_fastmath
def _measure(kept: Array, slot: Index, a: Array, out: Array) -> float:
    """Add Q a to `out`, and return max_j sum_i |Q_ij a_i|."""
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


def scale_in_place(K: Array, rows: Array, columns: Array) -> Array:
    """Multiply the rows and columns of K in place, and return K; allocating memory costs more than the arithmetic."""
    _scale(K, rows, columns)
    return K


@compiled
def _scale(K: Array, rows: Array, columns: Array) -> None:
    for i in range(len(rows)):
        for j in range(len(columns)):
            K[i, j] *= rows[i] * columns[j]

"""What a solution keeps for the next one, which begins with it: the dense Gram matrix and its points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Frozen, have_equal_bytes, make_read_only
from svmlab.core.tolerances import WORTH_UPDATING
from svmlab.jit.compiler import compiled
from svmlab.kernels.base import Kernel
from svmlab.solvers.gram.dense import DenseGram, Gram, scale_in_place

MAX_WARM_START_POINTS = 1000  # Up to this many points a solution keeps its Gram matrix for the next one.


@dataclass(frozen=True, eq=False)
class WarmStart(Frozen):
    """The Gram matrix Q (m, m) of `kernel`, divided by kappa, the points Z (m, d) and their labels y (m,), read-only.

    rank: an upper bound for the rank of Q.
    """

    kernel: Kernel
    Z: Array
    y: Array
    kappa: float
    Q: Array
    rank: float

    def gram(self, kernel: Kernel, Z: Array, y: Array, kappa: float) -> DenseGram | None:
        """Return the matrix of the points Z and y where they are those kept here, but for one that has moved.

        Return None otherwise. With many points, a copy with one new row and column costs less than a new matrix.
        """
        if self.kernel != kernel or self.kappa != kappa or len(self.y) != len(y):
            return None
        if have_equal_bytes(self.Z, Z) and have_equal_bytes(self.y, y):
            Q = self.Q.view()
            Q.flags.writeable = True  # The loops are compiled for writable arrays alone, and none of them changes it.
            return DenseGram(Q, self.rank)
        if len(y) < WORTH_UPDATING or not kernel.is_reproducible:
            return None
        change = np.flatnonzero((self.Z != Z).any(1) | (self.y != y))
        first, last = int(change[0]), int(change[-1])
        for p, q in ((first, last), (last, first)):  # The point with the old index p has the new index q.
            old, new = (slice(p + 1, q + 1), slice(p, q)) if p <= q else (slice(q, p), slice(q + 1, p + 1))
            if np.array_equal(self.Z[old], Z[new]) and np.array_equal(self.y[old], y[new]):
                Q = self.Q.copy()
                _shift(Q, p, q, scale_in_place(kernel(Z[q : q + 1], Z), y[q : q + 1], y / kappa)[0])
                return DenseGram(Q, self.rank)
        return None


def keep_gram(kernel: Kernel, Z: Array, y: Array, kappa: float, gram: Gram) -> WarmStart | None:
    """Return what the next solution can reuse of the matrix of this one, or None.

    A matrix that is a product of features, or that is computed row by row, is not kept. The first is quickly made
    again, and the second belongs to too many points.
    """
    if not isinstance(gram, DenseGram) or len(y) > MAX_WARM_START_POINTS:
        return None
    Q = gram.kept.view()
    make_read_only((Z, y, Q))
    return WarmStart(kernel, Z, y, kappa, Q, gram.rank)


@compiled
def _shift(Q: Array, p: int, q: int, row: Array) -> None:
    """Remove row and column p, shift those between p and q by one, and insert `row` at q."""
    step = 1 if p < q else -1
    for i in range(p, q, step):
        Q[i] = Q[i + step]
    for i in range(len(Q)):
        for j in range(p, q, step):
            Q[i, j] = Q[i, j + step]
        Q[i, q] = row[i]
    Q[q] = row

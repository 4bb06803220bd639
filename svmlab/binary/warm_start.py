"""What a solution keeps for the next one, which begins with it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from svmlab.core.arrays import Array, Frozen, Index, Mask, make_read_only
from svmlab.kernels.base import Kernel
from svmlab.solvers.gram.dense import DenseGram, Gram

KEEP = 1000  # Up to this many points a solution keeps its Gram matrix for the next one.


@dataclass(frozen=True, eq=False)
class WarmStart(Frozen):
    """The Gram matrix Q (m, m) of `kernel`, the points Z (m, d) and their labels y (m,), all read-only.

    rank: an upper bound for the rank of Q.
    """

    kernel: Kernel
    Z: Array
    y: Array
    Q: Array
    rank: float

    def gram(self) -> DenseGram:
        """Return the matrix for a solver, without a copy."""
        return DenseGram.from_read_only(self.Q, (self.kernel, self.Z, self.y), self.rank)


def keep_gram(gram: Gram) -> WarmStart | None:
    """Return what the next solution can reuse of the matrix of this one, or None.

    A matrix that is a product of features, or that is computed row by row, is not kept. The first is quickly made
    again, and the second belongs to too many points.
    """
    if not isinstance(gram, DenseGram) or gram.source is None or len(gram.diag) > KEEP:
        return None
    kernel, Z, y = gram.source
    Q = gram.kept.view()
    make_read_only((Z, y, Q))
    return WarmStart(kernel, Z, y, Q, gram.rank)


def match_rows(old_ids: NDArray[np.int64], new_ids: NDArray[np.int64]) -> tuple[Index, Mask]:
    """Return for each new row the old row with the same id, and whether there is one, both (m,).

    Where there is none, the old row is any row. There must be an old row.
    """
    order = np.argsort(old_ids)
    rows = order[np.minimum(np.searchsorted(old_ids, new_ids, sorter=order), len(order) - 1)]
    return rows, old_ids[rows] == new_ids

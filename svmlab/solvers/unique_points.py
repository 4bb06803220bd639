"""The distinct points of a data set, in an order that depends on the set of points alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Frozen, Index
from svmlab.jit.compiler import compiled

INSERTION_SORT_LIMIT = 30  # Up to this many points with the same first coordinate are sorted by insertion.


@dataclass(frozen=True)
class UniquePoints(Frozen):
    """The distinct points, in an order that depends on the set of points alone.

    Z (n, d), y (n,), count (n,): the number of rows of each point; first_row (n,): one row of each point; point_of_row
    (m,): the point of each row.
    """

    Z: Array
    y: Array
    count: Array
    first_row: Index
    point_of_row: Index

    def bounds_weights_and_divisors(self, bounds: Array, kappa: float) -> tuple[Array, Array, Array]:
        """Return the upper bound of each point, its weight in the norm, and a divisor for each row.

        bounds (m,): the C_i of the rows, all inf for the hard margin. The upper bound (n,) is the sum of kappa C_i over
        the rows of the point, and the weight (n,) that sum in units of the largest C_i, or the number of rows for the
        hard margin. A row has 1 / row_divisor_i of the multiplier of its point, row_divisor (m,).
        """
        u, weight, row_divisor = np.empty(len(self.y)), np.empty(len(self.y)), np.empty(len(bounds))
        if _equal_bounds(bounds, kappa, self.count, self.first_row, self.point_of_row, u, weight, row_divisor):
            return u, weight, row_divisor
        return (
            self.total(kappa * bounds),
            self.total(bounds / bounds.max()),
            self.total(bounds)[self.point_of_row] / bounds,
        )

    def total(self, v: Array) -> Array:
        """Return the sum of v (m,) over the rows of each point, shape (n,).

        Its bits do not depend on the order of the rows.
        """
        v_of_point = v[self.first_row]
        if (v_of_point[self.point_of_row] == v).all():
            return v_of_point * self.count
        order = np.lexsort((v, self.point_of_row))
        return np.asarray(np.bincount(self.point_of_row[order], v[order], len(self.y)), dtype=float)


@compiled
def _equal_bounds(
    bounds: Array, kappa: float, count: Array, first_row: Index, point_of_row: Index, u: Array, weight: Array,
    row_divisor: Array,
) -> bool:  # fmt: skip
    """Write what `bounds_weights_and_divisors` returns; return False where the bound differs between equal points."""
    largest = 0.0
    for i in range(len(bounds)):
        if bounds[i] != bounds[first_row[point_of_row[i]]]:
            return False
        largest = max(largest, bounds[i])
        row_divisor[i] = count[point_of_row[i]]
    for k in range(len(count)):
        u[k] = kappa * bounds[first_row[k]] * count[k]
        weight[k] = count[k] if largest == np.inf else bounds[first_row[k]] / largest * count[k]
    return True


def merge_equal_points(X: Array, y: Array, origin: Array | None = None) -> UniquePoints:
    """Sort the rows of [X, y] (by coordinates, then label) and merge equal ones.

    The coordinates of the result are relative to `origin`.
    """
    order = X[:, 0].argsort(kind="stable")  # One key is sorted fast, and distinguishes most points.
    if not _untie(X, y, order):
        order = np.lexsort((y, *X.T[::-1]))
    Z, t, count = np.empty(X.shape), np.empty(len(y)), np.empty(len(y))
    first, group = np.empty(len(y), np.intp), np.empty(len(y), np.intp)
    n = _collect(X, y, np.zeros(X.shape[1]) if origin is None else origin, order, Z, t, count, first, group)
    return UniquePoints(Z[:n], t[:n], count[:n], first[:n], group)


@compiled
def _untie(X: Array, y: Array, order: Index) -> bool:
    """Insert each row in its order among those with the same first coordinate; return False if these are too many."""
    start = 0
    for k in range(1, len(order)):
        i = order[k]
        if X[i, 0] != X[order[start], 0]:
            start = k
        if k - start > INSERTION_SORT_LIMIT:
            return False
        s = k
        while s > start:
            j, c = order[s - 1], 1
            while c < X.shape[1] and X[i, c] == X[j, c]:
                c += 1
            if X[i, c] >= X[j, c] if c < X.shape[1] else y[i] >= y[j]:
                break
            order[s] = j
            s -= 1
        order[s] = i
    return True


@compiled
def _collect(
    X: Array, y: Array, origin: Array, order: Index, Z: Array, t: Array, count: Array, first: Index, group: Index
) -> int:
    """Collect the distinct points in the given order, and return their number."""
    n = 0
    for k in range(len(order)):
        i = order[k]
        same = k > 0 and y[i] == y[first[n - 1]]
        if same:
            for c in range(X.shape[1]):
                same = same and X[i, c] == X[first[n - 1], c]
        if same:
            count[n - 1] += 1.0
        else:
            for c in range(X.shape[1]):
                Z[n, c] = (X[i, c] + 0.0) - origin[c]  # Adding 0.0 turns -0 into 0.
            t[n], count[n], first[n] = y[i], 1.0, i
            n += 1
        group[i] = n - 1
    return n

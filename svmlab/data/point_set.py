"""The common base of all sets of points: coordinates, values, ids, and a digest."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from svmlab.core.arrays import Array, Frozen, Index, Mask, digest, frozen, short_repr
from svmlab.core.errors import BadInput
from svmlab.core.phrase import N_
from svmlab.core.rules import finite_array, integer_array
from svmlab.jit.compiler import compiled


class Points(Frozen):
    """Points X (m, d), the value y (m,) of each, and ids (m,), which identify the points through edits."""

    X: Array
    y: NDArray[Any]
    ids: NDArray[np.int64]

    def _set_fields(self, X: Array, y: NDArray[Any], ids: Any, kind: str) -> None:
        """Store X (m, d), y (m,), and the ids if there are any. Raises BadInput.

        kind: the noun of the values y in messages, such as "labels".
        """
        if len(X) != len(y):
            raise BadInput(
                "X has {rows} rows and y has {count} {noun}. Give one for each row.",
                rows=len(X),
                count=len(y),
                noun=kind,
            )
        for name, value in (("X", X), ("y", y), ("ids", _distinct(ids, len(X)))):
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return short_repr(self, m=self.m, d=self.d, **self._repr_facts)

    @property
    def _repr_facts(self) -> dict[str, object]:
        """Further facts for `repr`."""
        return {}

    @property
    def m(self) -> int:
        """The number of points."""
        return len(self.y)

    @property
    def d(self) -> int:
        """The number of coordinates of a point."""
        return int(self.X.shape[1])

    @cached_property
    def key(self) -> str:
        """A digest of points, values and ids. Equal keys mean equal points."""
        return digest(self.X, self.y, self.ids)


def as_table(X: Any) -> Array:
    """Return X as a read-only table (m, d) of finite numbers. Without rows it may lack columns. Raises BadInput."""
    X = frozen(finite_array("X", X))
    if X.ndim == 2 and X.shape[1]:
        return X
    if X.ndim and not len(X):
        return frozen(np.empty((0, 2)))
    raise BadInput(
        "X must have shape (m, d) with d >= 1 and one row for each point. Its shape is {shape}.{remedy}",
        shape=X.shape,
        remedy=N_(" For points with one coordinate each, write X.reshape(-1, 1).") if X.ndim == 1 else "",
    )


@compiled
def centre_of_box(X: Array) -> Array:
    """Return the centre of the smallest box around the points X (m, d), m > 0, shape (d,)."""
    centre = np.empty(X.shape[1])
    for j in range(X.shape[1]):
        low = high = X[0, j]
        for i in range(1, len(X)):
            low, high = min(low, X[i, j]), max(high, X[i, j])
        centre[j] = 0.5 * low + 0.5 * high
    return centre


def match_rows(old_ids: NDArray[np.int64], new_ids: NDArray[np.int64]) -> tuple[Index, Mask]:
    """Return for each new row the old row with the same id, and whether there is one, both (m,).

    Where there is none, the old row is any row. There must be an old row.
    """
    order = np.argsort(old_ids)
    rows = order[np.minimum(np.searchsorted(old_ids, new_ids, sorter=order), len(order) - 1)]
    return rows, old_ids[rows] == new_ids


def _distinct(ids: Any, m: int) -> NDArray[np.int64]:
    """Return the ids of m points, read-only, by default 0..m-1. Raises BadInput unless they are m distinct numbers."""
    if ids is None:
        return frozen(np.arange(m), np.int64)
    ids = frozen(integer_array("ids", ids), np.int64)
    if ids.shape != (m,):
        raise BadInput("ids: shape {shape} is not ({m},). Give one whole number for each row.", shape=ids.shape, m=m)
    order = np.argsort(ids, kind="stable")
    repeated = np.flatnonzero(ids[order][1:] == ids[order][:-1])
    if len(repeated):
        first, second = order[repeated[0] : repeated[0] + 2]
        raise BadInput(
            "ids: rows {first} and {second} have the same id {id}. Give each row its own id.",
            id=int(ids[first]),
            first=int(first),
            second=int(second),
        )
    return ids

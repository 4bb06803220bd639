"""What all points have in common, whatever is told of them: places, names, and a digest."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from svmlab.core.arrays import Array, Frozen, brief, digest, frozen
from svmlab.core.errors import BadInput
from svmlab.core.rules import numbers, whole_numbers


class Points(Frozen):
    """Places X (m, d), what is told of each of them y (m,), and ids (m,), by which they are known through edits."""

    X: Array
    y: NDArray[Any]
    ids: NDArray[np.int64]

    def _hold(self, X: Array, y: NDArray[Any], ids: Any, told: str) -> None:
        """Keep X (m, d), y (m,), which are `told`, and the ids where there are some. Raises BadInput."""
        if len(X) != len(y):
            raise BadInput(
                "X has {rows} rows and y has {count} {told}: give one for each row.",
                rows=len(X),
                count=len(y),
                told=told,
            )
        for name, value in (("X", X), ("y", y), ("ids", _distinct(ids, len(X)))):
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return brief(self, m=self.m, d=self.d, **self._repr_facts)

    @property
    def _repr_facts(self) -> dict[str, object]:
        """What is told of the points, for `repr`."""
        return {}

    @property
    def m(self) -> int:
        """Number of points."""
        return len(self.y)

    @property
    def d(self) -> int:
        """Number of coordinates of a point."""
        return int(self.X.shape[1])

    @cached_property
    def key(self) -> str:
        """A digest of places, what is told of them, and ids: equal keys, equal points."""
        return digest(self.X, self.y, self.ids)


def table(X: Any) -> Array:
    """X as a table (m, d) of finite numbers, read-only; without a row it may lack columns. Raises BadInput."""
    X = frozen(numbers("X", X))
    if X.ndim == 2 and X.shape[1]:
        return X
    if X.ndim and not len(X):
        return frozen(np.empty((0, 2)))
    raise BadInput("X must have shape (m, d) with d >= 1, one row a point; got shape {shape}.", shape=X.shape)


def _distinct(ids: Any, m: int) -> NDArray[np.int64]:
    """Ids of m points, read-only: 0..m-1 where there are none. Raises BadInput unless they are m and distinct."""
    if ids is None:
        return frozen(np.arange(m), np.int64)
    ids = frozen(whole_numbers("ids", ids), np.int64)
    if ids.shape != (m,):
        raise BadInput("ids: shape {shape} is not ({m},). Give one whole number for each row.", shape=ids.shape, m=m)
    order = np.argsort(ids, kind="stable")
    again = np.flatnonzero(ids[order][1:] == ids[order][:-1])
    if len(again):
        first, second = order[again[0] : again[0] + 2]
        raise BadInput(
            "ids: {id} stands at rows {first} and {second}. Give each row a number of its own.",
            id=int(ids[first]),
            first=int(first),
            second=int(second),
        )
    return ids

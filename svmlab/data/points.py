"""What all points have in common, whatever is told of them: places, names, and a digest."""

from __future__ import annotations

from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from svmlab.arrays import Array, Frozen, brief, digest, frozen
from svmlab.errors import BadInput, quoted
from svmlab.given import numbers, whole_numbers


class Points(Frozen):
    """Places X (m, d), what is told of each of them y (m,), and ids (m,), by which they are known through edits."""

    X: Array
    y: NDArray[Any]
    ids: NDArray[np.int64]

    def _freeze(self, X: Array, y: NDArray[Any], ids: NDArray[np.int64]) -> None:
        for name, value in (("X", X), ("y", y), ("ids", ids)):
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return brief(self, m=self.m, d=self.d, **self._told)

    @property
    def _told(self) -> dict[str, object]:
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


def places(X: Any) -> Array:
    """X as a table (m, d) of finite numbers, read-only. Raises BadInput, naming the row, or the column of a data frame."""
    try:
        X = frozen(numbers("X", X))
    except BadInput:
        _columns(X)
        raise
    if X.ndim != 2 or X.shape[1] == 0:
        if X.size == 0:
            return frozen(np.empty((0, 2)))
        raise BadInput("X must have shape (m, d) with d >= 1, one row a point; got shape {shape}.", shape=X.shape)
    return X


def _columns(frame: Any) -> None:
    """Each column of a data frame as numbers. Raises BadInput, naming the first that is none."""
    for name in getattr(frame, "columns", ()):
        for value in np.asarray(frame[name], dtype=object).ravel().tolist():
            if not isinstance(value, Real):
                raise BadInput(
                    "X, column {column}: {value} is not a number. Write it as one, or leave the column out.",
                    column=quoted(name),
                    value=quoted(value),
                )


def names(ids: Any, m: int) -> NDArray[np.int64]:
    """Ids of m points, read-only: 0..m-1 where there are none. Raises BadInput unless they are m and distinct."""
    named = ids is not None
    ids = frozen(whole_numbers("ids", ids) if named else np.arange(m), np.int64)
    if named and (ids.shape != (m,) or len(np.unique(ids)) != m):
        raise BadInput(
            "ids must be {labels} distinct integers, one for each row; got shape {shape}.", labels=m, shape=ids.shape
        )
    return ids

"""What all points have in common, whatever is told of them: places, names, and a digest."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from svmlab.arrays import Array, digest, frozen
from svmlab.errors import BadInput


class Points:
    """Places X (m, d), what is told of each of them y (m,), and ids (m,), by which they are known through edits."""

    X: Array
    y: NDArray[Any]
    ids: NDArray[np.int64]

    def _freeze(self, X: Array, y: NDArray[Any], ids: NDArray[np.int64]) -> None:
        for name, value in (("X", X), ("y", y), ("ids", ids)):
            object.__setattr__(self, name, value)

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
    """X as a table (m, d) of finite numbers, read-only. Raises BadInput, naming the row."""
    try:
        X = frozen(X)
    except (TypeError, ValueError) as error:
        raise BadInput("X must be a table of numbers with rows of equal length: {error}.", error=error) from error
    if X.ndim != 2 or X.shape[1] == 0:
        if X.size == 0:
            return frozen(np.empty((0, 2)))
        raise BadInput("X must have shape (m, d) with d >= 1, one row a point; got shape {shape}.", shape=X.shape)
    finite = np.isfinite(X)
    if not finite.all():
        bad = int(finite.all(axis=1).argmin())
        raise BadInput(
            "X, row {row}: {point} is not finite. Remove the row or correct it.", row=bad, point=X[bad].tolist()
        )
    return X


def names(ids: Any, m: int) -> NDArray[np.int64]:
    """Ids of m points, read-only: 0..m-1 where there are none. Raises BadInput unless they are m and distinct."""
    named = ids is not None
    ids = frozen(ids if named else np.arange(m), np.int64)
    if named and (ids.shape != (m,) or len(np.unique(ids)) != m):
        raise BadInput(
            "ids must be {labels} distinct integers, one for each row; got shape {shape}.", labels=m, shape=ids.shape
        )
    return ids

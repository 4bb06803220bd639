"""A dataset of points of several classes, which is checked once and never changed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from svmlab.core.arrays import Array, Index, Mask, frozen
from svmlab.core.errors import BadInput
from svmlab.core.phrase import N_
from svmlab.core.rules import finite_array
from svmlab.core.validate import validated
from svmlab.data import Dataset, files
from svmlab.data.point_set import Points, as_table

MOST_CLASSES = 9  # numbered from 1
NUMBERED = N_("a list of classes numbered from 1 to 9 (for names, use np.unique(y, return_inverse=True)[1] + 1)")


@dataclass(frozen=True, eq=False, repr=False)
class Classes(Points):
    """A dataset of points of up to nine classes.

    X: (m, d) finite floats. y: (m,) whole numbers from 1 to 9. ids: (m,) distinct integers that identify the points
    through edits (0..m-1 by default). m = 0 is allowed. The arrays are copied and read-only.
    Raises BadInput, which names the field, the row and the rule.
    """

    X: Array
    y: NDArray[np.int64]
    ids: NDArray[np.int64]

    def __init__(self, X: Any, y: Any, ids: Any = None) -> None:
        X, y = as_table(X), _labels(y)
        self._set_fields(X, y, ids, N_("classes"))

    @property
    def _repr_facts(self) -> dict[str, object]:
        return {"count": {k: int((self.y == k).sum()) for k in self.classes}}

    @cached_property
    def classes(self) -> tuple[int, ...]:
        """The classes that have a point, in ascending order."""
        return tuple(int(k) for k in np.unique(self.y))

    @cached_property
    def class_index(self) -> Index:
        """The position in `classes` of the class of each point, shape (m,), read-only."""
        return frozen(np.searchsorted(self.classes, self.y), np.intp)

    @validated
    def one_vs_rest(self, k: int) -> Dataset:
        """Return the points with class k as +1 and all others as -1. Raises BadInput for a class without a point."""
        if k not in self.classes:
            raise BadInput(
                "k: class {k!r} has no point. Choose one of {choices}.",
                k=k,
                choices=", ".join(map(str, self.classes)) or "-",
            )
        return Dataset(self.X, np.where(self.y == k, 1.0, -1.0), self.ids)

    @classmethod
    @validated
    def from_csv(cls, text: files.FileText) -> Classes:
        """Read text as `Dataset.from_csv` does, with other labels.

        The labels are whole numbers from 1 to 9 or from 0 to 8, 1 and -1 (which becomes class 2), or up to nine names.
        """
        return cls(*files.parse_csv(text, files.SEVERAL_CLASSES))

    @classmethod
    @validated
    def from_json(cls, text: files.FileText) -> Classes:
        """Read text as `Dataset.from_json` does, with labels as in `from_csv`."""
        return cls(*files.parse_json(text, files.SEVERAL_CLASSES))

    def to_csv(self) -> str:
        """Return text with the header x1,...,xd,label and one row a point, which `from_csv` reads back exactly."""
        return files.format_csv(self.X, self.y)

    def to_json(self) -> str:
        """Return {"X": ..., "y": ...}, which `from_json` reads back exactly."""
        return files.format_json(self.X, self.y)


class LargestPredicts:
    """The predictions of a solution with one f for each class, of which the largest decides."""

    @property
    def classes(self) -> tuple[int, ...]:
        """The classes in ascending order."""
        raise NotImplementedError

    @property
    def noise(self) -> float:
        """The rounding error of a difference of two f."""
        raise NotImplementedError

    def decision(self, Z: Array) -> Array:
        """Return f_k(z) of each class for each row of Z (n, d), shape (n, k)."""
        raise NotImplementedError

    @validated
    def predict(self, Z: Array) -> Array:
        """Return the class with the largest f for each row of Z (n, d), shape (n,); the first of those that tie."""
        return predict_largest(self.decision(Z), self.classes, self.noise)

    @validated
    def tied(self, Z: Array) -> Mask:
        """Tell whether a second f is as large, up to rounding, for each row of Z (n, d), shape (n,)."""
        return has_tie(self.decision(Z), self.noise)


def predict_largest(f: Array, classes: tuple[int, ...], noise: float) -> Array:
    """Return the first of `classes` (k,) whose f is the largest of its row of f (n, k) up to `noise`, shape (n,)."""
    return np.asarray(classes)[(f >= f.max(1, keepdims=True) - noise).argmax(1)]


def has_tie(f: Array, noise: float) -> Mask:
    """Tell whether two values of a row of f (n, k) are the largest up to `noise`, shape (n,)."""
    return np.asarray((f >= f.max(1, keepdims=True) - noise).sum(1) > 1)


def _labels(y: Any) -> NDArray[np.int64]:
    y = finite_array("y", y, NUMBERED)
    if y.ndim != 1:
        raise BadInput("y must be one-dimensional, with one class for each point. Its shape is {shape}.", shape=y.shape)
    valid = (y >= 1) & (y <= MOST_CLASSES) & (y == np.floor(y))
    if not valid.all():
        bad = int(valid.argmin())
        raise BadInput(
            "y, row {row}: class {label:g} is not a whole number from 1 to {most}. Number the classes from 1.",
            row=bad,
            label=y[bad],
            most=MOST_CLASSES,
        )
    return frozen(y, np.int64)

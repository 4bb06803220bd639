"""A dataset of points of several classes, which is checked once and never changed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from svmlab.core.arrays import Array, Index, Mask, digest, frozen
from svmlab.core.errors import BadInput, quoted
from svmlab.core.phrase import N_
from svmlab.core.validate import validated
from svmlab.data import Dataset, files
from svmlab.data.labels import MOST_CLASSES, label_array, labels_of_numbers, numbers_of_labels
from svmlab.data.point_set import Points, as_table


@dataclass(frozen=True, eq=False, repr=False)
class Classes(Points):
    """A dataset of points of up to nine classes.

    X: (m, d) finite floats. y: (m,) whole numbers from 1 to 9. It may be given as other labels, and `labels` then has
    the name of each class. If a 0 occurs, the labels must be whole numbers from 0 to 8, and each class is one larger.
    If the labels are 1 and -1, class 2 is -1. Up to nine names are numbered in sorted order. Numbers from 1 to 9 stay
    as they are, and `labels` is then empty. ids: (m,) distinct integers that identify the points through edits (0..m-1
    by default). m = 0 is allowed. The arrays are copied and read-only. Raises BadInput, which names the field, the row
    and the rule.
    """

    X: Array
    y: NDArray[np.int64]
    ids: NDArray[np.int64]
    labels: tuple[Any, ...] = ()

    def __init__(self, X: Any, y: Any, ids: Any = None) -> None:
        X, (y, labels) = as_table(X), numbers_of_labels(y)
        self._set_fields(X, y, ids, N_("classes"))
        object.__setattr__(self, "labels", labels)

    @property
    def _repr_facts(self) -> dict[str, object]:
        count = {k: int((self.y == k).sum()) for k in self.classes}
        return {"count": count, "labels": self.labels} if self.labels else {"count": count}

    @cached_property
    def key(self) -> str:
        """A digest of points, classes and ids, and of the names if there are any. Equal keys mean equal points."""
        return digest(self.X, self.y, self.ids, *((self.labels,) if self.labels else ()))

    @property
    def named_labels(self) -> NDArray[Any]:
        """The label of each point under its own name, shape (m,)."""
        return labels_of_numbers(self.y, self.labels)

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
        """Read text as `Dataset.from_csv` does, with labels by the rule of y above. Raises BadInput."""
        return cls(*files.parse_csv(text, files.SEVERAL_CLASSES))

    @classmethod
    @validated
    def from_json(cls, text: files.FileText) -> Classes:
        """Read text as `Dataset.from_json` does, with labels as in `from_csv`. Raises BadInput."""
        return cls(*files.parse_json(text, files.SEVERAL_CLASSES))

    def to_csv(self) -> str:
        """Return text with the header x1,...,xd,label and one row a point, which `from_csv` reads back.

        The classes are written under their names if `from_csv` recognises these, and otherwise as their numbers.
        """
        return files.format_csv(self.X, self._written)

    def to_json(self) -> str:
        """Return {"X": ..., "y": ...}, which `from_json` reads back, with the labels as in `to_csv`."""
        return files.format_json(self.X, self._written)

    @property
    def _written(self) -> NDArray[Any]:
        return self.named_labels if files.names_are_read_back(self.labels) else self.y


class ArgmaxPrediction:
    """The predictions of a solution with one f for each class, of which the largest decides."""

    problem: Any  # a MulticlassProblem

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
    def predict(self, Z: Array) -> NDArray[Any]:
        """Return the label with the largest f for each row of Z (n, d), shape (n,); the first of those that tie.

        Raises BadInput for a Z of another shape.
        """
        return labels_of_numbers(predict_largest(self.decision(Z), self.classes, self.noise), self.problem.data.labels)

    @validated
    def score(self, Z: Array, labels: Any) -> float:
        """Return the fraction of rows of Z (n, d) whose label in `labels` (n,) equals the predicted one.

        Raises BadInput for another number of labels, and for a label that no class has.
        """
        predicted, labels = self.predict(Z), label_array(labels, "labels")
        if labels.shape != predicted.shape or not len(labels):
            raise BadInput(
                "Z has {rows} rows, and labels has the shape {shape}. Give at least one row, and one label for each.",
                rows=len(predicted),
                shape=labels.shape,
            )
        names = self.problem.data.labels or tuple(range(1, MOST_CLASSES + 1))
        for row, label in enumerate(labels.tolist()):
            if label not in names:
                raise BadInput(
                    "labels, row {row}: no class has the label {label}. The labels are {several}.",
                    row=row,
                    label=quoted(label),
                    several=", ".join(map(quoted, names)),
                )
        return float((predicted == labels).mean())

    @validated
    def tied(self, Z: Array) -> Mask:
        """Return whether a second f is as large, up to rounding, for each row of Z (n, d), shape (n,).

        Raises BadInput for a Z of another shape.
        """
        return has_tie(self.decision(Z), self.noise)


def predict_largest(f: Array, classes: tuple[int, ...], noise: float) -> Array:
    """Return the first of `classes` (k,) whose f is the largest of its row of f (n, k) up to `noise`, shape (n,)."""
    return np.asarray(classes)[(f >= f.max(1, keepdims=True) - noise).argmax(1)]


def has_tie(f: Array, noise: float) -> Mask:
    """Return whether two values of a row of f (n, k) are the largest up to `noise`, shape (n,)."""
    return np.asarray((f >= f.max(1, keepdims=True) - noise).sum(1) > 1)

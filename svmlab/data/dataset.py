"""A dataset: labelled points, checked once and never changed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from svmlab.core.arrays import Array, Mask, digest
from svmlab.core.errors import BadInput
from svmlab.core.phrase import N_
from svmlab.core.validate import validated
from svmlab.data import files
from svmlab.data.labels import SIGNS, Labels, labels_of_signs, signs_of_labels
from svmlab.data.point_set import Points, table


@dataclass(frozen=True, eq=False, repr=False)
class Dataset(Points):
    """Labelled points.

    X: (m, d) finite floats. y: (m,) in {-1, +1}; it may be given as any two values, strings, bools or numbers, and
    `labels` remembers what -1 and +1 are called, as y gives them. Where it is left out, -1 and +1 are themselves, 0 and
    False become -1, and of two other values the first in sorted order does, as in scikit-learn. ids: (m,) distinct
    integers that name the points through edits (0..m-1 when left out). m = 0 is allowed; tables of pandas are taken,
    rows and columns in their order, not by their names; the arrays are copied and read-only. Raises BadInput, naming
    the field, the row and the rule.
    """

    X: Array
    y: Array
    ids: NDArray[np.int64]
    labels: Labels = SIGNS

    def __init__(self, X: Any, y: Any, ids: Any = None, labels: Any = None) -> None:
        X, (y, labels) = table(X), signs_of_labels(y, labels)
        self._hold(X, y, ids, N_("labels"))
        object.__setattr__(self, "labels", labels)

    @property
    def _repr_facts(self) -> dict[str, object]:
        plus = int((self.y > 0).sum())
        named = {} if self.labels == SIGNS else {"labels": self.labels}
        return {"minus": self.m - plus, "plus": plus, **named}

    @cached_property
    def key(self) -> str:
        """A digest of places, signs and ids, and of the labels where they are not -1 and +1: equal keys, equal
        points.
        """
        return digest(self.X, self.y, self.ids, *(() if self.labels == SIGNS else (self.labels,)))

    @property
    def named_labels(self) -> NDArray[Any]:
        """The label of each point as it is called, shape (m,)."""
        return labels_of_signs(self.y > 0, self.labels)

    @property
    def both_classes(self) -> bool:
        """Whether each label occurs."""
        return bool((self.y > 0).any() and (self.y < 0).any())

    @validated
    def moved(self, X: Array) -> Dataset:
        """The same points at other places X (m, n), with their labels and ids. Raises BadInput."""
        return Dataset(X, self.named_labels, self.ids, self.labels)

    @validated
    def kept(self, rows: Mask) -> Dataset:
        """The points that are in `rows` (m,) alone, with their labels and ids. Raises BadInput for another shape."""
        if rows.shape != (self.m,):
            raise BadInput(
                "rows: shape {shape} is not ({m},). Give True or False for each point.", shape=rows.shape, m=self.m
            )
        return Dataset(self.X[rows], self.named_labels[rows], self.ids[rows], self.labels)

    @classmethod
    @validated
    def from_csv(cls, text: str) -> Dataset:
        """Read comma-, semicolon- or tab-separated text with a header; the label is the column of that name, else the
        last.

        It is -1 and 1, 0 and 1, True and False, or two names, which `labels` remembers. Raises BadInput naming the row.
        """
        return cls(*files.parse_csv(text, files.TWO))

    @classmethod
    @validated
    def from_json(cls, text: str) -> Dataset:
        """Read {"X": [[...], ...], "y": [...]} or a list of {"x1":, "x2":, "label":} rows, labels as `from_csv`
        does.
        """
        return cls(*files.parse_json(text, files.TWO))

    def to_csv(self) -> str:
        """Header x1,...,xd,label and one row a point; `from_csv` reads it back to the last bit.

        The labels are written as they are called where `from_csv` finds them again, else as -1 and 1.
        """
        return files.format_csv(self.X, self._written)

    def to_json(self) -> str:
        """{"X": ..., "y": ...}; `from_json` reads it back to the last bit, and the labels as `to_csv` does."""
        return files.format_json(self.X, self._written)

    @property
    def _written(self) -> NDArray[Any]:
        return self.named_labels if self.both_classes and files.is_read_back(self.labels) else self.y.astype(np.int64)

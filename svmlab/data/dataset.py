"""A dataset of labelled points, which is checked once and never changed."""

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
from svmlab.data.point_set import Points, as_table


@dataclass(frozen=True, eq=False, repr=False)
class Dataset(Points):
    """A dataset of points with two labels.

    X: (m, d) finite floats. y: (m,) in {-1, +1}. It may be given as any two values, strings, bools or numbers, and
    `labels` keeps the names of the classes -1 and +1 as y gives them. Without `labels`, -1 and +1 are their own names,
    0 and False become -1, and of two other values the first in sorted order becomes -1, as in scikit-learn. ids: (m,)
    distinct integers that identify the points through edits (0..m-1 by default). m = 0 is allowed. Tables of pandas are
    accepted, with rows and columns in their order, not by their names. The arrays are copied and read-only. Raises
    BadInput, which names the field, the row and the rule.
    """

    X: Array
    y: Array
    ids: NDArray[np.int64]
    labels: Labels = SIGNS

    def __init__(self, X: Any, y: Any, ids: Any = None, labels: Any = None) -> None:
        X, (y, labels) = as_table(X), signs_of_labels(y, labels)
        self._set_fields(X, y, ids, N_("labels"))
        object.__setattr__(self, "labels", labels)

    @property
    def _repr_facts(self) -> dict[str, object]:
        plus = int((self.y > 0).sum())
        named = {} if self.labels == SIGNS else {"labels": self.labels}
        return {"minus": self.m - plus, "plus": plus, **named}

    @cached_property
    def key(self) -> str:
        """A digest of points, signs and ids, and of the labels unless they are -1 and +1.

        Equal keys mean equal datasets.
        """
        return digest(self.X, self.y, self.ids, *(() if self.labels == SIGNS else (self.labels,)))

    @property
    def named_labels(self) -> NDArray[Any]:
        """The label of each point under its own name, shape (m,)."""
        return labels_of_signs(self.y > 0, self.labels)

    @property
    def both_classes(self) -> bool:
        """Whether both labels occur."""
        return bool((self.y > 0).any() and (self.y < 0).any())

    @validated
    def moved(self, X: Array) -> Dataset:
        """Return the dataset with its points at X (m, n), and with the same labels and ids. Raises BadInput."""
        return Dataset(X, self.named_labels, self.ids, self.labels)

    @validated
    def kept(self, rows: Mask) -> Dataset:
        """Return the dataset of the points in `rows` (m,), with labels and ids. Raises BadInput for another shape."""
        if rows.shape != (self.m,):
            raise BadInput(
                "rows: shape {shape} is not ({m},). Give True or False for each point.", shape=rows.shape, m=self.m
            )
        return Dataset(self.X[rows], self.named_labels[rows], self.ids[rows], self.labels)

    @classmethod
    @validated
    def from_csv(cls, text: files.FileText) -> Dataset:
        """Read comma-, semicolon- or tab-separated text, beside semicolons and tabs also with decimal commas.

        The header may be missing if all cells are numbers and the last column has the labels -1 and 1, or 0 and 1.

        The label is the column named label, class or y, and otherwise the last one. It may have any two values, as y
        of `Dataset` may. A cell is a number if it can be read as one, and True and False are themselves. Raises
        BadInput, which names the row. `svmlab.data.read_table` reads tables with other columns and missing values.
        """
        return cls(*files.parse_csv(text, files.TWO_CLASSES))

    @classmethod
    @validated
    def from_json(cls, text: files.FileText) -> Dataset:
        """Read {"X": [[...], ...], "y": [...]} or a list of {"x1":, "x2":, "label":} rows; labels as in `from_csv`."""
        return cls(*files.parse_json(text, files.TWO_CLASSES))

    def to_csv(self) -> str:
        """Return text with the header x1,...,xd,label and one row for each point, which `from_csv` reads back exactly.

        The labels are written under their names if `from_csv` recognises them, and otherwise as -1 and 1.
        """
        return files.format_csv(self.X, self._written)

    def to_json(self) -> str:
        """Return {"X": ..., "y": ...}, which `from_json` reads back exactly, with the labels as in `to_csv`."""
        return files.format_json(self.X, self._written)

    @property
    def _written(self) -> NDArray[Any]:
        return self.named_labels if self.both_classes and files.is_read_back(self.labels) else self.y.astype(np.int64)

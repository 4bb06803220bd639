"""A dataset: labelled points, checked once and never changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from svmlab.arrays import Array, frozen
from svmlab.data import files
from svmlab.data.points import Points, names, places
from svmlab.errors import BadInput


@dataclass(frozen=True, eq=False)
class Dataset(Points):
    """Labelled points.

    X: (m, d) finite floats. y: (m,) in {-1, +1}. ids: (m,) distinct integers that name the points through edits
    (0..m-1 when left out). m = 0 is allowed; the arrays are copied and read-only.
    Raises BadInput, naming the field, the row and the rule.
    """

    X: Array
    y: Array
    ids: NDArray[np.int64]

    def __init__(self, X: Any, y: Any, ids: Any = None) -> None:
        X, y = places(X), _labels(y)
        if len(X) != len(y):
            raise BadInput(
                "X has {rows} rows and y has {labels} labels: give one label for each row.", rows=len(X), labels=len(y)
            )
        self._freeze(X, y, names(ids, len(X)))

    @property
    def both_classes(self) -> bool:
        """Whether each label occurs."""
        return bool((self.y > 0).any() and (self.y < 0).any())

    @classmethod
    def from_csv(cls, text: str) -> Dataset:
        """Read comma-, semicolon- or tab-separated text with a header whose last column is the label."""
        return cls(*files.parse_csv(text, files.TWO))

    @classmethod
    def from_json(cls, text: str) -> Dataset:
        """Read {"X": [[...], ...], "y": [...]} or a list of {"x1":, "x2":, "label":} rows."""
        return cls(*files.parse_json(text, files.TWO))

    def to_csv(self) -> str:
        """Header x1,...,xd,label and one row a point; `from_csv` reads it back to the last bit."""
        return files.format_csv(self.X, self.y)

    def to_json(self) -> str:
        """{"X": ..., "y": ...}; `from_json` reads it back to the last bit."""
        return files.format_json(self.X, self.y.astype(np.int64))


def _labels(y: Any) -> Array:
    try:
        y = frozen(y)
    except (TypeError, ValueError) as error:
        raise BadInput("y must be a list of labels -1 and +1: {error}.", error=error) from error
    if y.ndim != 1:
        raise BadInput("y must be one-dimensional, one label a point; got shape {shape}.", shape=y.shape)
    known = np.abs(y) == 1
    if not known.all():
        bad = int(known.argmin())
        raise BadInput(
            "y, row {row}: label {label:g} is neither -1 nor +1. Recode the labels to -1 and +1.", row=bad, label=y[bad]
        )
    return y

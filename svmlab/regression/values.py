"""The data of a regression: points with a value each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from svmlab.core.arrays import Array, frozen
from svmlab.core.errors import BadInput
from svmlab.core.phrase import N_
from svmlab.core.rules import finite_array
from svmlab.core.validate import validated
from svmlab.data import files
from svmlab.data.point_set import Points, as_table


@dataclass(frozen=True, eq=False, repr=False)
class Values(Points):
    """Points and the values to be predicted there.

    X: (m, d) finite floats. y: (m,) finite floats. ids: (m,) distinct integers that identify the points through edits
    (0..m-1 by default). m = 0 is allowed. The arrays are copied and read-only. Raises BadInput, which names the field,
    the row and the rule.
    """

    X: Array
    y: Array
    ids: NDArray[np.int64]

    def __init__(self, X: Any, y: Any, ids: Any = None) -> None:
        X, y = as_table(X), _values(y)
        self._set_fields(X, y, ids, N_("values"))

    @property
    def _repr_facts(self) -> dict[str, object]:
        return {"least": float(self.y.min()), "most": float(self.y.max())} if self.m else {}

    @cached_property
    def middle(self) -> float:
        """The midpoint between the smallest and the largest value; 0 without points."""
        return 0.5 * float(self.y.min()) + 0.5 * float(self.y.max()) if self.m else 0.0

    @cached_property
    def half_range(self) -> float:
        """Half the range of the values. A horizontal tube with this eps contains all points."""
        return 0.5 * float(self.y.max()) - 0.5 * float(self.y.min()) if self.m else 0.0

    @classmethod
    @validated
    def from_csv(cls, text: files.FileText) -> Values:
        """Read text as `Dataset.from_csv` does; the value is the column y, label or class, or else the last one.

        Raises BadInput, which names the row.
        """
        return cls(*files.parse_csv(text, files.REAL_VALUES))

    @classmethod
    @validated
    def from_json(cls, text: files.FileText) -> Values:
        """Read {"X": [[...], ...], "y": [...]} or a list of {"x1":, "y":} rows. Raises BadInput."""
        return cls(*files.parse_json(text, files.REAL_VALUES))

    def to_csv(self) -> str:
        """Return text with the header x1,...,xd,y and one row for each point, which `from_csv` reads back exactly."""
        return files.format_csv(self.X, self.y, "y")

    def to_json(self) -> str:
        """Return {"X": ..., "y": ...}, which `from_json` reads back exactly."""
        return files.format_json(self.X, self.y)


def _values(y: Any) -> Array:
    y = frozen(finite_array("y", y, N_("a list of numbers, one for each point")))
    if y.ndim != 1:
        raise BadInput("y must be one-dimensional, with one value for each point. Its shape is {shape}.", shape=y.shape)
    return y

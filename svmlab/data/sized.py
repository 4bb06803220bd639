"""Rules for datasets that a function accepts: the least number of points, and the number of coordinates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from svmlab.core.errors import BadInput
from svmlab.core.phrase import Phrase
from svmlab.core.validate import instance
from svmlab.data.dataset import Dataset


@dataclass(frozen=True)
class DatasetSize:
    """The rule for a Dataset of at least `fewest_points` points, 0 or 1, with `d` coordinates, or more if `or_more`."""

    fewest_points: int = 1
    d: int = 1
    or_more: bool = True

    def __call__(self, field: str, value: Any) -> Dataset:
        """Return `value` if it is such a Dataset. Raises BadInput."""
        data: Dataset = instance(Dataset)(field, value)
        if data.m < self.fewest_points:
            raise BadInput("{field}: there are no points. Add at least one.", field=field)
        if data.d == self.d or (self.or_more and data.d > self.d):
            return data
        raise BadInput(
            "{field}: the points have {d} coordinates, not {wanted}. Give X this number of columns.",
            field=field,
            d=data.d,
            wanted=Phrase("{d} or more", d=self.d) if self.or_more else str(self.d),
        )


NonEmptyDataset = Annotated[Dataset, DatasetSize()]
PlanarDataset = Annotated[Dataset, DatasetSize(0, 2, or_more=False)]

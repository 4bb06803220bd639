"""What the axes and the classes of a board mean, if its points were chosen from a table."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from svmlab.core.errors import BadInput
from svmlab.core.phrase import Phrase

MAX_NAME = 60  # characters of the name of a column or a value
TITLE = 24  # characters of the title of an axis
NAMES = ("x₁", "x₂")


class Axis(NamedTuple):
    """The column of an axis: its coordinate is (value - centre)/unit."""

    name: str
    centre: float
    unit: float

    def formula(self, coordinate: str) -> str:
        """Return how the coordinate follows from the column: x₁ = (radius − 14.13)/3.524."""
        text = self.name
        if self.centre:
            text += f" {'−' if self.centre > 0 else '+'} {abs(self.centre):.12g}"
        if self.unit != 1:
            text = f"({text})/{self.unit:.12g}" if self.centre else f"{text}/{self.unit:.12g}"
        return f"{coordinate} = {text}"

    @property
    def title(self) -> str:
        """Return the name of the column, as short as the title of an axis."""
        return self.name if len(self.name) <= TITLE else f"{self.name[: TITLE - 1]}…"


class Axes(NamedTuple):
    """Both axes, and the value of the label in each class, in the order of `LABELS`. A value may be empty."""

    x1: Axis
    x2: Axis
    classes: tuple[str, ...] = ()

    @property
    def formulas(self) -> tuple[str, str]:
        """Return how both coordinates follow from the columns."""
        return self.x1.formula(NAMES[0]), self.x2.formula(NAMES[1])

    def class_names(self, labels: tuple[int, ...]) -> list[str]:
        """Return in words which value of the label each class has."""
        signs = {label: f"{label:+d}".replace("-", "−") if -1 in labels else str(label) for label in labels}
        return [
            Phrase("class {label}: {value}", label=signs[label], value=value)
            for label, value in zip(labels, self.classes, strict=False)
            if value
        ]

    def as_json(self) -> list[Any]:
        """Return the axes as a link stores them."""
        return [list(self.x1), list(self.x2), list(self.classes)]


def from_json(value: Any) -> Axes:
    """Return the axes of a link. Raises BadInput if they cannot be read."""
    try:
        x1, x2, classes = value
        axes = Axes(Axis(*x1), Axis(*x2), tuple(classes))
        valid = (
            all(_is_valid(axis) for axis in axes[:2]) and len(axes.classes) <= 4 and all(map(_is_name, axes.classes))
        )
    except (TypeError, ValueError):  # another number of parts
        valid = False
    if not valid:
        raise BadInput("the columns of its table cannot be read.")
    return axes


def printable(name: str) -> str:
    """Return a name of a column or a value as it is shown: only printable characters, at most MAX_NAME."""
    name = "".join(c if c.isprintable() else "\ufffd" for c in name)
    return name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1]}…"


def _is_valid(axis: Axis) -> bool:
    numbers = (axis.centre, axis.unit)
    finite = all(type(number) in (int, float) and math.isfinite(number) for number in numbers)
    return finite and axis.unit > 0 and _is_name(axis.name)


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and name == printable(name)

"""One table of controls: from it come the widgets, the defaults, the limits and the checks on a link."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from svmlab.core.errors import BadInput, quoted
from svmlab.core.phrase import N_
from svmlab.data import DATASETS
from svmlab.kernels.base import Parameter, Text
from svmlab.kernels.standard import KERNELS

FACES = ("C", "lambda")
VIEWS = (1.5, 2.0, 3.0, 4.0, 6.0, 8.0)
ROOM = 0.92  # the part of a view that points may fill before a larger one is taken
LIMIT = 300  # points on the board
BINARY, CLASSES, VALUES = (
    "binary",
    "classes",
    "values",
)  # what points are: of two classes, of up to four, or values x2 at places x1
LABELS = {BINARY: (1, -1), CLASSES: (1, 2, 3, 4), VALUES: (1,)}  # that a point may have
COSTS = ("cost_plus", "cost_minus")  # what a slack of class +1 and one of class -1 cost, in units of C
EDGE = 8000  # coordinates run from -EDGE to EDGE thousandths


@dataclass(frozen=True)
class Control:
    """One value that a person can set: its default and what it may be (`options`, or a range of `kind`)."""

    key: str
    default: Any
    kind: type
    low: float = -math.inf
    high: float = math.inf
    options: tuple[Any, ...] = ()
    applies_to: tuple[str, ...] = ()  # kernels that use it; empty: all
    read: Callable[[object], Any] | None = None  # of a text: makes it canonical, or raises BadInput

    def check(self, value: Any) -> Any:
        """`value` in the control's own type. Raises BadInput naming the control, the value and the rule."""
        if self.options:
            if value not in self.options:
                raise BadInput(
                    "{field}: {value} is not one of {choices}.",
                    field=self.key,
                    value=quoted(value),
                    choices=", ".join(map(str, self.options)),
                )
            return self.options[self.options.index(value)]
        if self.read is not None:
            return self.read(value)
        if self.kind is bool:
            if not isinstance(value, bool):
                raise BadInput("{field}: {value} is neither true nor false.", field=self.key, value=quoted(value))
            return value
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < math.inf:
            raise BadInput("{field}: {value} is not a number.", field=self.key, value=quoted(value))
        if not self.low <= value <= self.high or (self.kind is int and value != int(value)):
            whole = N_("a whole number ") if self.kind is int else ""
            raise BadInput(
                "{field}: {value} is not {whole}from {low:g} to {high:g}.",
                field=self.key,
                value=quoted(value),
                whole=whole,
                low=self.low,
                high=self.high,
            )
        return self.kind(value)


# every parameter of the kernels, once
PARAMETERS: dict[str, Parameter | Text] = {p.name: p for kernel in KERNELS.values() for p in kernel.parameters}


def _of(p: Parameter | Text) -> Control:
    users = tuple(name for name, kernel in KERNELS.items() if p.name in {own.name for own in kernel.parameters})
    if isinstance(p, Text):
        return Control(p.name, p.default, str, applies_to=users, read=p.read)
    return Control(p.name, p.default, int if p.whole else float, p.low, p.high, applies_to=users)


CONTROLS: dict[str, Control] = {
    c.key: c
    for c in (
        Control("task", BINARY, str, options=tuple(LABELS)),
        Control("preset", "overlapping", str, options=tuple(DATASETS)),
        Control("size", 60, int, 4, LIMIT),
        Control("noise", 0.1, float, 0.0, 1.0),
        Control("seed", 0, int, 0, 999_999),
        Control("kernel", "linear", str, options=tuple(KERNELS)),
        *map(_of, PARAMETERS.values()),
        Control("face", "C", str, options=FACES),
        Control("value", 1.0, float, 1e-6, 1e6),
        *(Control(name, 1.0, float, 1e-3, 1e3) for name in COSTS),
        Control("hard", False, bool),
        Control("bias", True, bool),
        Control("eps", 0.3, float, 0.0, 8.0),
        Control("unseen", False, bool),
        Control("view", 4.0, float, options=VIEWS),
        Control("label", 1, int, options=tuple(dict.fromkeys(label for labels in LABELS.values() for label in labels))),
        Control("active", "A", str, options=("A", "B")),
    )
}

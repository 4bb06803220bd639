"""The one table of controls, from which the widgets, the defaults, the limits and the checks of a link are made."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from svmlab.core.errors import BadInput, quoted
from svmlab.core.phrase import N_
from svmlab.data import DATASETS
from svmlab.kernels.base import Parameter, TextParameter
from svmlab.kernels.standard import KERNELS

REGULARISATION_PARAMETERS = ("C", "lambda")
VIEWS = (1.5, 2.0, 3.0, 4.0, 6.0, 8.0)
FILLED_FRACTION = 0.92  # the fraction of a view that points may fill before a larger view is chosen
MAX_POINTS = 300  # the largest number of points on the board
# The tasks: two classes, up to four classes, or the regression of x2 on x1.
BINARY, CLASSES, VALUES = "binary", "classes", "values"
LABELS = {BINARY: (1, -1), CLASSES: (1, 2, 3, 4), VALUES: (1,)}  # the labels that a point may have in each task
COSTS = ("cost_plus", "cost_minus")  # the costs of slack of class +1 and of class -1, in units of C
DEFAULT_TYPE_SIZE = 24  # font size in px in projector mode on a screen of 1080 px: about 2.2 % of its height
EDGE = 8000  # coordinates run from -EDGE to EDGE thousandths


@dataclass(frozen=True)
class Control:
    """A value that a person can set: its default and its allowed values, which are `options` or a range of `kind`."""

    key: str
    default: Any
    kind: type
    low: float = -math.inf
    high: float = math.inf
    options: tuple[Any, ...] = ()
    applies_to: tuple[str, ...] = ()  # the kernels that use it; if empty, every kernel
    read: Callable[[object], Any] | None = None  # for a text: returns its canonical form or raises BadInput

    def check(self, value: Any) -> Any:
        """Return `value` in the type of the control. Raises BadInput that names the control, the value and the rule."""
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


# Every parameter of the kernels, once each.
PARAMETERS: dict[str, Parameter | TextParameter] = {p.name: p for kernel in KERNELS.values() for p in kernel.parameters}


def _of(p: Parameter | TextParameter) -> Control:
    users = tuple(name for name, kernel in KERNELS.items() if p.name in {own.name for own in kernel.parameters})
    if isinstance(p, TextParameter):
        return Control(p.name, p.default, str, applies_to=users, read=p.read)
    return Control(p.name, p.default, int if p.whole else float, p.low, p.high, applies_to=users)


CONTROLS: dict[str, Control] = {
    c.key: c
    for c in (
        Control("task", BINARY, str, options=tuple(LABELS)),
        Control("preset", "overlapping", str, options=tuple(DATASETS)),
        Control("size", 60, int, 4, MAX_POINTS),
        Control("noise", 0.1, float, 0.0, 1.0),
        Control("seed", 0, int, 0, 999_999),
        Control("kernel", "linear", str, options=tuple(KERNELS)),
        *map(_of, PARAMETERS.values()),
        Control("face", "C", str, options=REGULARISATION_PARAMETERS),
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

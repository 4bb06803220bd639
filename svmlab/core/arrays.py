"""The one array type of the mathematics, how an array is made safe to share, and how what holds arrays is written in a
line.
"""

from __future__ import annotations

import hashlib
import reprlib
from dataclasses import fields, is_dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.floating[Any]]
Mask: TypeAlias = NDArray[np.bool_]
Index: TypeAlias = NDArray[np.intp]

EPS = float(np.finfo(float).eps)  # twice what one operation may lose, relatively


def frozen(values: Any, dtype: Any = np.float64) -> Any:
    """A read-only copy of `values`, C-contiguous."""
    out = np.array(values, dtype=dtype, order="C")
    out.flags.writeable = False
    return out


class Frozen:
    """A frozen dataclass that holds arrays: of equal key means equal, and copies stay frozen.

    Two objects of one class are equal where their keys are, and hash alike, so that a copy (`copy`, `deepcopy`,
    `pickle`) stands for its original. A copy's arrays are read-only too, and its properties are computed anew.
    """

    @cached_property
    def key(self) -> str:
        """A digest of all fields that count: equal keys, equal in each of them."""
        counting = [getattr(self, field.name) for field in fields(self) if field.compare]  # type: ignore[arg-type]
        return digest(type(self).__name__, *counting)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self is other or self.key == getattr(other, "key", None)

    def __hash__(self) -> int:
        return hash(self.key)

    def __getstate__(self) -> dict[str, Any]:
        kinds = type(self)
        return {k: v for k, v in vars(self).items() if not isinstance(getattr(kinds, k, None), cached_property)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            make_read_only(value)
            object.__setattr__(self, name, value)


def make_read_only(value: Any) -> None:
    """Make an array, or those in a tuple, read-only in place."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    elif isinstance(value, tuple):
        for part in value:
            make_read_only(part)


def digest(*parts: object) -> str:
    """A short name for a value: equal parts, equal name (arrays count by their bytes and shape, what is frozen by its
    key).
    """
    h = hashlib.blake2b(digest_size=16)
    for part in parts:
        if isinstance(part, np.ndarray):
            h.update(f"{part.dtype}{part.shape}".encode())
            h.update(part.tobytes())
        else:
            h.update(_written(part).encode())
        h.update(b"|")
    return h.hexdigest()


def _written(part: object) -> str:
    """A text that is equal for equal values; `repr` alone leaves digits out where arrays are inside."""
    if isinstance(part, Frozen):
        return part.key
    if isinstance(part, tuple | list) and any(map(_holds, part)):
        return f"{type(part).__name__}({digest(*part)})"
    if isinstance(part, dict):
        return f"dict({digest(*part.keys(), *part.values())})"
    if is_dataclass(part):
        return f"{type(part).__name__}({digest(*(getattr(part, field.name) for field in fields(part)))})"
    return repr(part)


def _holds(part: object) -> bool:
    """Whether arrays or frozen objects may be inside."""
    return isinstance(part, np.ndarray | tuple | list | dict) or is_dataclass(part)


_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 60


def brief(thing: object, **facts: object) -> str:
    """One line that stands for an object with arrays: Name(fact=value, ...), numbers to six digits, arrays by their
    shape.
    """
    return f"{type(thing).__name__}({', '.join(f'{name}={_value_text(value)}' for name, value in facts.items())})"


def _value_text(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"array{value.shape}"
    if isinstance(value, float | np.floating):
        return f"{float(value) + 0.0:.6g}"
    if isinstance(value, tuple | list) and all(isinstance(part, float) for part in value) and len(value) <= 6:
        return f"{type(value)(map(_value_text, value))}".replace("'", "")
    return _SHORT.repr(value)

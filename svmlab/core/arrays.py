"""The array type of the mathematics, read-only arrays that are safe to share, and one-line texts for objects."""

from __future__ import annotations

import hashlib
import reprlib
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.floating[Any]]
Mask: TypeAlias = NDArray[np.bool_]
Index: TypeAlias = NDArray[np.intp]

EPS = float(np.finfo(float).eps)  # twice the largest relative rounding error of one operation
TEMPORARY_ENTRIES = 1 << 19  # largest number of entries of a temporary array


def frozen(values: Any, dtype: Any = np.float64) -> Any:
    """Return a read-only, C-contiguous copy of `values`."""
    out = np.array(values, dtype=dtype, order="C")
    out.flags.writeable = False
    return out


def have_equal_bytes(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Return whether two arrays of one type have the same shape and bytes, faster than numpy compares numbers."""
    return one.shape == other.shape and one.tobytes() == other.tobytes()


def relative_to(origin: Array | None, X: Array) -> Array:
    """Return X relative to `origin`, and X itself where there is none."""
    return X if origin is None else X - origin


def as_fractions(values: Any) -> Any:
    """The same numbers as fractions, an array of objects."""
    return np.vectorize(Fraction, otypes=[object])(values)


class Frozen:
    """A base class for frozen dataclasses that hold arrays: objects with equal keys are equal.

    Two objects of one class are equal if their keys are equal, and then their hashes are equal too. So a copy (`copy`,
    `deepcopy`, `pickle`) can replace its original. The arrays of a copy are read-only too, and its cached properties
    are computed again.
    """

    @cached_property
    def key(self) -> str:
        """Return a digest of all fields that take part in comparisons. Equal keys mean that these fields are equal."""
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
    """Make an array, or the arrays in a tuple, read-only in place."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    elif isinstance(value, tuple):
        for part in value:
            make_read_only(part)


def digest(*parts: object) -> str:
    """Return a short name for the parts, which is equal for equal parts.

    Arrays count by their type, shape and bytes, and frozen objects by their key.
    """
    h = hashlib.blake2b(digest_size=16)
    for part in parts:
        if isinstance(part, np.ndarray):
            h.update(f"{part.dtype}{part.shape}".encode())
            h.update(part.tobytes())
        else:
            h.update(_text_of_value(part).encode())
        h.update(b"|")
    return h.hexdigest()


def _text_of_value(part: object) -> str:
    """Return a text that is equal for equal values. `repr` alone is not enough, because it shortens arrays."""
    if isinstance(part, Frozen):
        return part.key
    if isinstance(part, tuple | list) and any(map(_may_hold_arrays, part)):
        return f"{type(part).__name__}({digest(*part)})"
    if isinstance(part, dict):
        return f"dict({digest(*part.keys(), *part.values())})"
    if is_dataclass(part):
        return f"{type(part).__name__}({digest(*(getattr(part, field.name) for field in fields(part)))})"
    return repr(part)


def _may_hold_arrays(part: object) -> bool:
    """Return whether arrays or frozen objects may be inside."""
    return isinstance(part, np.ndarray | tuple | list | dict) or is_dataclass(part)


_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 60


def short_repr(thing: object, **facts: object) -> str:
    """Return one line that stands for an object with arrays, such as Name(fact=value, ...).

    Numbers have six significant digits, and arrays are replaced by their shape.
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

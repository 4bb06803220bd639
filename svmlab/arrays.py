"""The one array type of the mathematics, how an array is made safe to share, and how what holds arrays is written in a line."""

from __future__ import annotations

import hashlib
import reprlib
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
    """What is frozen stays so when it is pickled or copied: arrays read-only, properties computed anew."""

    def __getstate__(self) -> dict[str, Any]:
        kinds = type(self)
        return {k: v for k, v in vars(self).items() if not isinstance(getattr(kinds, k, None), cached_property)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            freeze(value)
            object.__setattr__(self, name, value)


def freeze(value: Any) -> None:
    """Make an array, or those in a tuple, read-only in place."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    elif isinstance(value, tuple):
        for part in value:
            freeze(part)


def digest(*parts: object) -> str:
    """A short name for a value: equal parts, equal name (arrays count by their bytes and shape)."""
    h = hashlib.blake2b(digest_size=16)
    for part in parts:
        if isinstance(part, np.ndarray):
            h.update(f"{part.dtype}{part.shape}".encode())
            h.update(part.tobytes())
        else:
            h.update(repr(part).encode())
        h.update(b"|")
    return h.hexdigest()


_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 60


def brief(thing: object, **facts: object) -> str:
    """One line that stands for an object with arrays: Name(fact=value, ...), numbers to six digits, arrays by their shape."""
    return f"{type(thing).__name__}({', '.join(f'{name}={_told(value)}' for name, value in facts.items())})"


def _told(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"array{value.shape}"
    if isinstance(value, float | np.floating):
        return f"{float(value) + 0.0:.6g}"
    if isinstance(value, tuple | list) and all(isinstance(part, float) for part in value) and len(value) <= 6:
        return f"{type(value)(map(_told, value))}".replace("'", "")
    return _SHORT.repr(value)

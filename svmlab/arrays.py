"""The one array type of the mathematics, and the two ways in which an array is made safe to share."""

from __future__ import annotations

import hashlib
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.floating[Any]]
Mask: TypeAlias = NDArray[np.bool_]
Index: TypeAlias = NDArray[np.intp]


def frozen(values: Any, dtype: Any = np.float64) -> Any:
    """A read-only copy of `values`, C-contiguous."""
    out = np.array(values, dtype=dtype, order="C")
    out.flags.writeable = False
    return out


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

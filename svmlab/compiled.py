"""Loops that take one small step after the other, compiled to machine code (numba) when they are first called.

numpy is fast where one call does much. An exchange of two multipliers or one step of Pegasos is a dozen operations on a few
numbers, and there the calls themselves are what costs. The code is kept beside its source (`__pycache__`), so only the first
start of an installation waits for the compiler. A compiled function calls none of another file: numba would not notice a
change there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])
REORDER = {"reassoc", "contract", "nsz", "nnan"}  # inf stays what it is, nan must not occur


def compiled(function: F) -> F:
    """`function` as machine code, every operation as it is written; other threads run on meanwhile."""
    return _made(function, nogil=True)


def reordered(function: F) -> F:
    """As `compiled`, but sums may be taken in another order, as numpy and BLAS do: loops over rows are vectorised."""
    return _made(function, nogil=True, fastmath=REORDER)


def _made(function: F, **options: Any) -> F:
    try:
        return cast(F, njit(cache=True, **options)(function))
    except RuntimeError:  # nowhere to write: compiled anew at every start
        return cast(F, njit(**options)(function))

"""The work of a solve in floating-point operations, for callers that must not wait long or that show progress.

Work is counted, not time, so the same problem ends in the same way on every computer. A loop that may take long calls
`spend` now and then. Outside of `metered` and `limited` that costs nothing and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from svmlab.core.errors import TooMuchWork

CALL = 1e5  # operations that count for the calls of Python and LAPACK around each part of a loop
_meter: ContextVar[Callable[[float], object] | None] = ContextVar("meter", default=None)


def spend(operations: float) -> None:
    """Count this many operations, and those of one call. Raises what the meter of this thread raises."""
    meter = _meter.get()
    if meter is not None:
        meter(operations + CALL)


@contextmanager
def metered(meter: Callable[[float], object]) -> Iterator[None]:
    """Call `meter` with the number of operations of each part of the work that the body does in this thread."""
    token = _meter.set(meter)
    try:
        yield
    finally:
        _meter.reset(token)


@contextmanager
def limited(most: float) -> Iterator[None]:
    """Raise TooMuchWork in the body as soon as it does more than `most` operations."""
    left = most

    def count(operations: float) -> None:
        nonlocal left
        left -= operations
        if left < 0:
            raise TooMuchWork("The problem needs more than {most:g} floating-point operations.", most=most)

    with metered(count):
        yield

"""How often something may be done: a few times at once, and then at a rate."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], float]


class Allowance:
    """Something that may be done `burst` times at once, and `rate` times a second in the long run."""

    def __init__(self, burst: float, rate: float, clock: Clock = time.monotonic) -> None:
        self._burst, self._rate, self._clock = burst, rate, clock
        self._left, self._at = burst, clock()

    def take(self) -> bool:
        """Return whether it may be done now, and count it if so."""
        allowed = self.wait_s == 0
        self._left -= allowed
        return allowed

    @property
    def wait_s(self) -> float:
        """Return the seconds until it may be done again, 0 if it may be done now."""
        now = self._clock()
        self._left, self._at = min(self._burst, self._left + self._rate * (now - self._at)), now
        return 0.0 if self._left >= 1 else (1 - self._left) / self._rate if self._rate else float("inf")


class Allowances:
    """The same allowance for each of several names, of which the `most` that came last are remembered."""

    def __init__(self, burst: float, rate: float, clock: Clock = time.monotonic, most: int = 4096) -> None:
        self._limits, self._most = (burst, rate, clock), most
        self._known: dict[str, Allowance] = {}

    def of(self, name: str) -> Allowance:
        """Return the allowance of a name, which becomes the one that was here last."""
        known = self._known.pop(name) if name in self._known else Allowance(*self._limits)
        self._known[name] = known
        if len(self._known) > self._most:
            del self._known[next(iter(self._known))]
        return known

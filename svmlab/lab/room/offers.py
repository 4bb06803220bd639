"""Limits on how often rooms may be opened, so that nobody can collect the keys of all codes in advance.

The first key of a code leads its room, and after a restart the newest one. So a key that was collected helps only
after a restart, and only against a room whose own key is older. The limits keep the chance that an address draws such a
key in the two hours of a lecture at one in three hundred.
"""

from __future__ import annotations

import time
from threading import Lock

from svmlab.lab.room.allowance import Allowance, Allowances, Clock

# How many times at once, and a second: a browser whatever its number of tabs, a school behind one address, everybody.
OF_BROWSER = 6, 1 / 30
OF_ADDRESS = 40, 1 / 20
OF_PROCESS = 200, 1 / 5


class OpeningLimit:
    """The place at which rooms are opened. It may be asked from any thread."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._lock = Lock()
        self._browsers, self._addresses = Allowances(*OF_BROWSER, clock), Allowances(*OF_ADDRESS, clock)
        self._process = Allowance(*OF_PROCESS, clock)

    def may_open(self, browser: str, address: str) -> float:
        """Return 0 and count it if a browser at an address may open a room now, else the seconds until it may."""
        with self._lock:
            limits = self._browsers.of(browser), self._addresses.of(address), self._process
            wait = max(limit.wait_s for limit in limits)
            if not wait:
                for limit in limits:
                    limit.take()
            return wait

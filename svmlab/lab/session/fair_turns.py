"""Turns at a scarce resource: a few at once, one for each visitor.

Of the visitors who wait, the one whose turns took the least time is first.
"""

from __future__ import annotations

from asyncio import CancelledError, Future, Lock, get_running_loop
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from heapq import heappop, heappush
from itertools import count
from time import perf_counter


class TurnTaker:
    """A visitor who takes turns, one at a time.

    `seconds_used` is the total length of the turns, raised to that of the visitors who are admitted now.
    """

    def __init__(self) -> None:
        self.seconds_used = 0.0
        self.lock = Lock()


class FairTurns:
    """Start-time fair queueing (Goyal, Vin, Cheng 1996).

    However much one visitor asks for, the others get their share first.
    """

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._waiting: list[tuple[float, int, Future[None]]] = []
        self._order = count()
        self._virtual_time = 0.0  # `seconds_used` of the visitor admitted last

    @asynccontextmanager
    async def turn(self, visitor: TurnTaker) -> AsyncIterator[None]:
        """Wait for a turn and hold it during the body."""
        async with visitor.lock:
            visitor.seconds_used = max(visitor.seconds_used, self._virtual_time)
            await self._wait(visitor.seconds_used)
            started = perf_counter()
            try:
                yield
            finally:
                visitor.seconds_used += perf_counter() - started
                self._pass_on()

    async def _wait(self, seconds_used: float) -> None:
        if self._free:  # a turn is free, so nobody waits
            self._free -= 1
            self._virtual_time = seconds_used
            return
        turn = get_running_loop().create_future()
        heappush(self._waiting, (seconds_used, next(self._order), turn))
        try:
            await turn
        except CancelledError:
            if not turn.cancelled():  # the turn was already given
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            seconds_used, _, turn = heappop(self._waiting)
            if not turn.done():
                self._virtual_time = seconds_used
                turn.set_result(None)
                return
        self._free += 1

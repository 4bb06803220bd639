"""Turns at something scarce: a few at once, one for each visitor, and of those who wait who has had least goes
first.
"""

from __future__ import annotations

from asyncio import CancelledError, Future, Lock, get_running_loop
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from heapq import heappop, heappush
from itertools import count
from time import perf_counter


class TurnTaker:
    """Somebody who takes turns, one at a time; `had` is where he stands: seconds of turns, and no less than those who
    come now.
    """

    def __init__(self) -> None:
        self.seconds_used = 0.0
        self.lock = Lock()


class FairTurns:
    """Start-time fair queueing (Goyal, Vin, Cheng 1996): however much one asks for, the others get their share
    first.
    """

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._waiting: list[tuple[float, int, Future[None]]] = []
        self._order = count()
        self._virtual_time = 0.0  # where the last one who was let in stood

    @asynccontextmanager
    async def turn(self, visitor: TurnTaker) -> AsyncIterator[None]:
        """Wait for a turn and have it."""
        async with visitor.lock:
            visitor.seconds_used = max(visitor.seconds_used, self._virtual_time)
            await self._wait(visitor.seconds_used)
            begun = perf_counter()
            try:
                yield
            finally:
                visitor.seconds_used += perf_counter() - begun
                self._pass_on()

    async def _wait(self, had: float) -> None:
        if self._free:  # then nobody waits
            self._free -= 1
            self._virtual_time = had
            return
        turn = get_running_loop().create_future()
        heappush(self._waiting, (had, next(self._order), turn))
        try:
            await turn
        except CancelledError:
            if not turn.cancelled():  # the turn had come already
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            had, _, turn = heappop(self._waiting)
            if not turn.done():
                self._virtual_time = had
                turn.set_result(None)
                return
        self._free += 1

"""Turns at a scarce resource: a few at once, one for each visitor.

Of the visitors who wait, the one whose turns took the least time is first.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager
from threading import Lock
from time import perf_counter


class TurnTaker:
    """A visitor who takes turns, one at a time.

    `seconds_used` is the total length of the turns, raised to that of the visitors who are admitted now.
    """

    def __init__(self) -> None:
        self.seconds_used = 0.0
        self.has_turn = False
        self.waiting: deque[Future[None]] = deque()


class FairTurns:
    """Start-time fair queueing (Goyal, Vin, Cheng 1996), for threads and for tasks of an event loop.

    However much one visitor asks for, the others get their share first.
    """

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._lock = Lock()
        self._waiting: dict[TurnTaker, None] = {}  # those who wait and have no turn, in the order of their arrival
        self._virtual_time = 0.0  # `seconds_used` of the visitor admitted last

    @asynccontextmanager
    async def turn(self, visitor: TurnTaker) -> AsyncIterator[None]:
        """Wait for a turn and hold it during the body."""
        ticket = self._ask(visitor)
        try:
            await asyncio.wrap_future(ticket)
        except asyncio.CancelledError:
            self._withdraw(visitor, ticket)
            raise
        with self._turn_of(visitor):
            yield

    @contextmanager
    def turn_of_thread(self, visitor: TurnTaker) -> Iterator[None]:
        """Let this thread wait for a turn and hold it during the body."""
        ticket = self._ask(visitor)
        try:
            ticket.result()
        except BaseException:
            self._withdraw(visitor, ticket)
            raise
        with self._turn_of(visitor):
            yield

    @contextmanager
    def _turn_of(self, visitor: TurnTaker) -> Iterator[None]:
        started = perf_counter()
        try:
            yield
        finally:
            self._end(visitor, perf_counter() - started)

    def _ask(self, visitor: TurnTaker) -> Future[None]:
        ticket: Future[None] = Future()
        with self._lock:
            visitor.waiting.append(ticket)
            self._queue(visitor)
            self._admit()
        return ticket

    def _withdraw(self, visitor: TurnTaker, ticket: Future[None]) -> None:
        """Give up a turn that was given already, or the wait for it."""
        with self._lock:
            if ticket in visitor.waiting:
                visitor.waiting.remove(ticket)
                if not visitor.waiting:
                    self._waiting.pop(visitor, None)
                return
        self._end(visitor, 0.0)

    def _end(self, visitor: TurnTaker, seconds: float) -> None:
        with self._lock:
            visitor.seconds_used += seconds
            visitor.has_turn = False
            self._free += 1
            self._queue(visitor)
            self._admit()

    def _queue(self, visitor: TurnTaker) -> None:
        if visitor.waiting and not visitor.has_turn and visitor not in self._waiting:
            visitor.seconds_used = max(visitor.seconds_used, self._virtual_time)
            self._waiting[visitor] = None

    def _admit(self) -> None:
        while self._free and self._waiting:
            visitor = min(self._waiting, key=lambda each: each.seconds_used)  # of equals the first that came
            del self._waiting[visitor]
            ticket = visitor.waiting.popleft()
            self._free -= 1
            self._virtual_time, visitor.has_turn = visitor.seconds_used, True
            if ticket.set_running_or_notify_cancel():  # a cancelled task withdraws, and gives this turn back
                ticket.set_result(None)

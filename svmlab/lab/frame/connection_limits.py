"""More connections than files: those who are here keep theirs, whoever comes is turned away, and the log says so in one
line.

A server that accepts until it has no file left can open no module and no script either, and asyncio writes a trace for
every place in the queue. A connection is therefore closed at once when it takes one of the last files, which its number
tells, as the system always gives the lowest; and after a while if it asks for nothing. What shares out the places among
those who come fairly, by their addresses, is a proxy.
"""

from __future__ import annotations

import errno
import logging
import os
import socket
import time
from asyncio import AbstractEventLoop, Transport, get_running_loop
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any
from weakref import ref

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.auto import AutoHTTPProtocol

try:
    import resource
except ImportError:  # Windows, which knows no such limit
    resource = None  # type: ignore[assignment]

RESERVE = 128  # files for those who are here
OF_A_TAB = 3  # files that Streamlit opens for a tab, beside its sockets
MOMENT = 1.0  # seconds until it has
QUEUE = 4096  # connections that are taken from the queue at once
ENOUGH = 65_536  # files, where the system allows any number
PATIENCE = 20.0  # seconds in which a connection has to ask for something
MINUTE = 60.0
TURNED_AWAY = (
    "Connections turned away: %d. Nearly all of the %d files that this process may have open are in use. Who is here "
    "stays. Allow more (LimitNOFILE=, ulimit -n), or let a proxy limit the connections of an address."
)
_log = logging.getLogger(__name__)


def limit() -> int | None:
    """How many files the process may have open; None: no bound is known."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0] if resource else -1
    return None if most < 0 else most


def widen() -> None:
    """As many files as the system allows without being asked for rights: services begin with 1024 of them."""
    if resource:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = ENOUGH if hard < 0 else min(hard, ENOUGH)
        with suppress(ValueError, OSError):
            if 0 <= soft < wanted:
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def scarce(number: int) -> bool:
    """Whether the files run out, told by the number of a fresh one."""
    most = limit()
    return most is not None and number >= most - min(RESERVE, most // 2)


def _fresh() -> int:
    """The number that a file would get now; beyond all numbers where it would get none."""
    try:
        number = os.open(os.devnull, os.O_RDONLY)
    except OSError:
        return limit() or 0
    os.close(number)
    return number


class TurnedAwayLog:
    """Who was turned away, and when it was said last."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._since, self._said = clock, 0, float("-inf")

    def turned_away(self, people: int = 1) -> None:
        """Some more; a line a minute at most."""
        self._since += people
        if self._clock() - self._said >= MINUTE:
            _log.warning(TURNED_AWAY, self._since, limit())
            self._since, self._said = 0, self._clock()

    def handle(self, loop: AbstractEventLoop, context: dict[str, Any]) -> None:
        """What nobody caught in the loop of the server: that there is no file for another connection is no trace."""
        error = context.get("exception")
        if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE) and "socket" in context:
            self.turned_away(1 + _drop_waiting(context["socket"]))
        else:
            loop.default_exception_handler(context)


_crowd = TurnedAwayLog()
_spare: list[int] = []  # a file to give up when there is no other, so that the queue can be taken


def _drop_waiting(listening: Any) -> int:
    """Take everybody who waits at a socket, as there is no file for any of them, and hang up; how many they were.
    asyncio would ask for each of them again, and find the same error.
    """
    people = 0
    if _spare:
        os.close(_spare.pop())
        queue = socket.socket(fileno=listening.fileno())
        with suppress(OSError):  # nobody waits any more
            while people < QUEUE:
                queue.accept()[0].close()
                people += 1
        queue.detach()
        _put_by()
    return people


def _put_by() -> None:
    with suppress(OSError):
        _spare.append(os.open(os.devnull, os.O_RDONLY))


class Room:
    """Middleware: no websocket where the files run out, since behind each stands a tab with three of its own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._coming = 0  # tabs that were let in a moment ago, and may not have theirs yet

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the websocket, or pass everything on."""
        if scope["type"] == "websocket":
            if scarce(_fresh() + OF_A_TAB * self._coming):
                _crowd.turned_away()
                await send({"type": "websocket.close", "code": 1013})
                return
            self._coming += 1
            get_running_loop().call_later(MOMENT, self._come)
        await self._app(scope, receive, send)

    def _come(self) -> None:
        self._coming -= 1


@contextmanager
def _watched() -> Iterator[None]:
    """Look at every connection when it comes. uvicorn has a bound for requests, none for connections that never make
    one.
    """
    kind: Any = AutoHTTPProtocol
    plain = kind.connection_made

    def connection_made(protocol: Any, transport: Transport) -> None:
        plain(protocol, transport)
        if scarce(transport.get_extra_info("socket").fileno()):
            _crowd.turned_away()
            transport.abort()
        else:
            get_running_loop().call_later(PATIENCE, _silent, ref(protocol))

    kind.connection_made = connection_made
    try:
        yield
    finally:
        kind.connection_made = plain


def _silent(known: ref[Any]) -> None:
    """Close a connection that has not said yet what it wants; one that became a websocket has another protocol by
    now.
    """
    protocol = known()
    if protocol and protocol.cycle is None and protocol.transport.get_protocol() is protocol:
        protocol.transport.abort()


@asynccontextmanager
async def bounded() -> AsyncIterator[None]:
    """As long as the server lives."""
    widen()
    _put_by()
    get_running_loop().set_exception_handler(_crowd.handle)
    try:
        with _watched():
            yield
    finally:
        while _spare:
            os.close(_spare.pop())

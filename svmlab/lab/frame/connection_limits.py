"""Limit connections by open files: present visitors keep theirs, new ones are refused, and the log says so in one line.

A server that accepts connections until it has no file left cannot open a module or a script either, and asyncio
writes a traceback for every connection in the queue. A connection is therefore closed at once if it takes one of the
last files. Its number shows that, because the system always gives the lowest free one. A connection that requests
nothing is closed after a while. A fair distribution among new visitors, by their addresses, is the task of a proxy.
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
except ImportError:  # Windows, which has no such limit
    resource = None  # type: ignore[assignment]

RESERVE = 128  # files for present visitors
OF_A_TAB = 3  # files that Streamlit opens for a tab, beside its sockets
MOMENT = 1.0  # seconds until Streamlit has opened them
QUEUE = 4096  # the largest number of connections taken from the queue at once
ENOUGH = 65_536  # files, if the system has no limit
PATIENCE = 20.0  # seconds within which a connection must request something
MINUTE = 60.0
TURNED_AWAY = (
    "Connections turned away: %d. Nearly all of the %d files that this process may have open are in use. Who is here "
    "stays. Allow more (LimitNOFILE=, ulimit -n), or let a proxy limit the connections of an address."
)
_log = logging.getLogger(__name__)


def file_limit() -> int | None:
    """Return how many files the process may have open, or None if no limit is known."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0] if resource else -1
    return None if most < 0 else most


def raise_file_limit() -> None:
    """Raise the limit to what the system allows without special rights, because services start with 1024 files."""
    if resource:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = ENOUGH if hard < 0 else min(hard, ENOUGH)
        with suppress(ValueError, OSError):
            if 0 <= soft < wanted:
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def files_are_scarce(number: int) -> bool:
    """Return whether files are running out, judged by the number of a new one."""
    most = file_limit()
    return most is not None and number >= most - min(RESERVE, most // 2)


def _next_file_number() -> int:
    """Return the number that a new file would get now, or one beyond all numbers if it would get none."""
    try:
        number = os.open(os.devnull, os.O_RDONLY)
    except OSError:
        return file_limit() or 0
    os.close(number)
    return number


class TurnedAwayLog:
    """The count of refused connections, and the time of the last line in the log."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._since, self._said = clock, 0, float("-inf")

    def turned_away(self, people: int = 1) -> None:
        """Count more refused connections, and write at most one line a minute."""
        self._since += people
        if self._clock() - self._said >= MINUTE:
            _log.warning(TURNED_AWAY, self._since, file_limit())
            self._since, self._said = 0, self._clock()

    def handle(self, loop: AbstractEventLoop, context: dict[str, Any]) -> None:
        """Handle exceptions of the server's event loop. A missing file for another connection gets no traceback."""
        error = context.get("exception")
        if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE) and "socket" in context:
            self.turned_away(1 + _drop_waiting(context["socket"]))
        else:
            loop.default_exception_handler(context)


_turned_away_log = TurnedAwayLog()
_spare: list[int] = []  # one spare file, given up so that the queue can be emptied


def _drop_waiting(listening: Any) -> int:
    """Accept and close every connection that waits at a socket, and return their number.

    There is no file for any of them. asyncio would try each of them again and meet the same error.
    """
    people = 0
    if _spare:
        os.close(_spare.pop())
        queue = socket.socket(fileno=listening.fileno())
        with suppress(OSError):  # the queue is empty
            while people < QUEUE:
                queue.accept()[0].close()
                people += 1
        queue.detach()
        _keep_spare_file()
    return people


def _keep_spare_file() -> None:
    with suppress(OSError):
        _spare.append(os.open(os.devnull, os.O_RDONLY))


class WebSocketLimit:
    """Middleware that refuses a websocket when files run out, because a tab behind it needs three more files."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._coming = 0  # tabs admitted a moment ago, which may not have opened their files yet

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the websocket, or pass everything on."""
        if scope["type"] == "websocket":
            if files_are_scarce(_next_file_number() + OF_A_TAB * self._coming):
                _turned_away_log.turned_away()
                await send({"type": "websocket.close", "code": 1013})
                return
            self._coming += 1
            get_running_loop().call_later(MOMENT, self._has_opened_files)
        await self._app(scope, receive, send)

    def _has_opened_files(self) -> None:
        self._coming -= 1


@contextmanager
def _watched() -> Iterator[None]:
    """Check every new connection. uvicorn limits requests, but not connections that never make one."""
    kind: Any = AutoHTTPProtocol
    plain = kind.connection_made

    def connection_made(protocol: Any, transport: Transport) -> None:
        plain(protocol, transport)
        if files_are_scarce(transport.get_extra_info("socket").fileno()):
            _turned_away_log.turned_away()
            transport.abort()
        else:
            get_running_loop().call_later(PATIENCE, _close_if_silent, ref(protocol))

    kind.connection_made = connection_made
    try:
        yield
    finally:
        kind.connection_made = plain


def _close_if_silent(known: ref[Any]) -> None:
    """Close a connection that has not requested anything yet.

    One that became a websocket has another protocol by now.
    """
    protocol = known()
    if protocol and protocol.cycle is None and protocol.transport.get_protocol() is protocol:
        protocol.transport.abort()


@asynccontextmanager
async def limited_connections() -> AsyncIterator[None]:
    """Limit the connections during the lifespan of the server."""
    raise_file_limit()
    _keep_spare_file()
    get_running_loop().set_exception_handler(_turned_away_log.handle)
    try:
        with _watched():
            yield
    finally:
        while _spare:
            os.close(_spare.pop())

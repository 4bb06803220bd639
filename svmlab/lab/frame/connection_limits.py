"""Limit connections by open files: present visitors keep theirs, new ones are refused, and the log says so in one line.

A server that accepts connections until it has no file left cannot open a module or a script either, and asyncio
writes a traceback for every connection in the queue. A connection is therefore closed at once if it takes one of the
last files. Its number shows that, because the system always gives the lowest free one. First the connection that has
waited longest for the rest of a request gives up its place, because whoever comes now may ask for something.

A connection is closed if it sends no whole request for a while, whether it is new or has sent others before. A body may
take longer, and its size is bounded. A fair distribution among new visitors, by their addresses, is the task of a
proxy.
"""

from __future__ import annotations

import errno
import logging
import os
import socket
import time
from asyncio import AbstractEventLoop, Transport, get_running_loop, sleep
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import Any
from weakref import ref

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from svmlab.lab.streamlit_internals import awaited, is_open, on_each_connection

try:
    import resource
except ImportError:  # Windows, which has no such limit
    resource = None  # type: ignore[assignment]

RESERVE = 128  # files for present visitors
OF_A_TAB = 3  # files that Streamlit opens for a tab, beside its sockets
MOMENT = 1.0  # seconds until Streamlit has opened them
QUEUE = 4096  # the largest number of connections taken from the queue at once
WANTED_FILES = 65_536  # files, if the system has no limit
PATIENCE = 20.0  # seconds within which a connection must request something, and once more after each answer
BODY_PATIENCE = 3  # times PATIENCE, within which the body of a request must arrive
MOST_BODY = 1_200_000  # bytes of a body: a file of 1 MB (.streamlit/config.toml) in its envelope
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
        wanted = WANTED_FILES if hard < 0 else min(hard, WANTED_FILES)
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
                _make_room(OF_A_TAB)
                await sleep(0)  # until the connections are closed
                await sleep(0)
            if files_are_scarce(_next_file_number() + OF_A_TAB * self._coming):
                _turned_away_log.turned_away()
                await send({"type": "websocket.close", "code": 1013})
                return
            self._coming += 1
            get_running_loop().call_later(MOMENT, self._has_opened_files)
        await self._app(scope, receive, send)

    def _has_opened_files(self) -> None:
        self._coming -= 1


class BodyLimit:
    """Middleware that refuses a body of more than MOST_BODY bytes, or one whose size is not said beforehand."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 413 or 411, or pass everything on."""
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            size = headers.get("Content-Length", "0")
            if "Transfer-Encoding" in headers or not size.isdecimal() or int(size) > MOST_BODY:
                status = 413 if size.isdecimal() and int(size) > MOST_BODY else 411
                answer = PlainTextResponse("", status, headers={"Connection": "close"})
                await answer(scope, receive, send)
                return
        await self._app(scope, receive, send)


_connections: dict[int, tuple[float, ref[Any]]] = {}  # by a number: when each was made, the oldest first
_made = count()


def _make_room(places: int) -> int:
    """Close the oldest connections that wait for a request or for the rest of one; return how many, at most `places`.

    Those of the last moment stay, because their request may be on its way.
    """
    now, closed = time.monotonic(), 0
    for number, (since, known) in list(_connections.items()):
        if closed == places or now - since <= MOMENT:
            break
        protocol: Any = known()
        if not is_open(protocol):
            del _connections[number]
        elif awaited(protocol) is not None:
            del _connections[number]
            protocol.transport.abort()
            closed += 1
    return closed


def _check(protocol: Any, transport: Transport) -> None:
    """Close a new connection that takes one of the last files, or else watch it."""
    if files_are_scarce(transport.get_extra_info("socket").fileno()) and not _make_room(1):
        _turned_away_log.turned_away()
        transport.abort()
    else:
        number = next(_made)
        _connections[number] = time.monotonic(), ref(protocol)
        get_running_loop().call_later(PATIENCE, _close_if_silent, number, None, 1)


def _close_if_silent(number: int, earlier: Any, times: int) -> None:
    """Close a connection that waits for the same request, or for the same body, as at the last check or checks.

    earlier: its exchange of request and answer at the last check. A request that came since then has another.
    """
    protocol: Any = _connections[number][1]() if number in _connections else None
    if not is_open(protocol):
        _connections.pop(number, None)
        return
    times = times if protocol.cycle is earlier else 1
    waits = awaited(protocol)
    if protocol.cycle is earlier and (waits == "request" or (waits == "body" and times >= BODY_PATIENCE)):
        protocol.transport.abort()
    get_running_loop().call_later(PATIENCE, _close_if_silent, number, protocol.cycle, times + 1)


@asynccontextmanager
async def limited_connections() -> AsyncIterator[None]:
    """Limit the connections during the lifespan of the server."""
    raise_file_limit()
    _keep_spare_file()
    get_running_loop().set_exception_handler(_turned_away_log.handle)
    try:
        with on_each_connection(_check):
            yield
    finally:
        while _spare:
            os.close(_spare.pop())

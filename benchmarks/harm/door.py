"""Strangers who take every descriptor or stand in the door, while people work."""

import asyncio
import resource
import struct
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from frontend import GONE
from server import HOST, Server, cpu, rss
from streamlit.proto.BackMsg_pb2 import BackMsg
from tab import Tab
from websockets.asyncio.client import connect

from harm.crowd import Crowd, Fault, Found, crowd, megabytes

LONG, AFTER, MORE, TALK = 20.0, 10.0, 400.0, 200  # seconds, seconds, MB, lines a minute
Greed = Callable[[int, Crowd], Awaitable[None]]  # at a port, until it is cancelled


async def _hold(port: int, n: int) -> None:
    """So many connections that say half of something."""
    writers = []
    with suppress(*GONE):
        for _ in range(n):
            async with asyncio.timeout(5):
                _reader, writer = await asyncio.open_connection(HOST, port)
            writer.write(b"GET /lab HTTP/1.1\r\nHost: ")
            writers.append(writer)
    try:
        await asyncio.Event().wait()
    finally:
        for writer in writers:
            writer.transport.abort()


async def _many(port: int, people: Crowd) -> None:
    await _hold(port, 2000)


async def _half_again(port: int, people: Crowd) -> None:
    """As many connections as there are places, each with one whole request and then half of another, for good."""
    whole = f"GET /_stcore/health HTTP/1.1\r\nHost: {HOST}:{port}\r\n\r\n".encode()

    async def one() -> None:
        while True:
            with suppress(*GONE):
                reader, writer = await asyncio.open_connection(HOST, port)
                try:
                    writer.write(whole)
                    await reader.readuntil(b"ok")
                    writer.write(b"GET /lab HTTP/1.1\r\nHost: ")
                    await reader.read()
                finally:
                    writer.transport.abort()
            await asyncio.sleep(1)

    await asyncio.gather(*(one() for _ in range(881)))


async def _sockets(port: int, people: Crowd) -> None:
    """Two thousand sockets for pictures, each with garbage in it, again and again where they are closed."""
    boots = ["", "nobody", *(tab.board["boot"] for tab in people.tabs)]

    async def one(k: int) -> None:
        while True:
            with suppress(*GONE):
                async with connect(f"ws://{HOST}:{port}/live?boot={boots[k % len(boots)]}", open_timeout=30) as socket:
                    await socket.send("[" * 90_000 if k % 2 else b"\xff" * 1000)
                    await socket.wait_closed()
            await asyncio.sleep(10)

    await asyncio.gather(*(one(k) for k in range(2000)))


async def _frames(port: int, people: Crowd) -> None:
    """Frames for the page that are garbage, and some that are larger than any page sends."""

    async def one(k: int) -> None:
        while True:
            with suppress(*GONE):
                address = f"ws://{HOST}:{port}/_stcore/stream"
                async with connect(address, max_size=None, open_timeout=30, compression=None) as socket:
                    await socket.send(b"\xff" * (8_000_000 if k % 10 == 0 else 1000))
                    await socket.wait_closed()
            await asyncio.sleep(2)

    await asyncio.gather(*(one(k) for k in range(50)))


async def _slow(port: int, people: Crowd) -> None:
    """Visitors who ask for the page again and again and read nothing."""
    run = BackMsg(rerun_script={"widget_states": {}, "page_name": "lab"}).SerializeToString()
    frame = struct.pack("!BBI", 0x82, 0x80 | len(run), 0) + run
    head = f"GET /_stcore/stream HTTP/1.1\r\nHost: {HOST}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    head += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"

    async def one() -> None:
        reader, writer = await asyncio.open_connection(HOST, port, limit=1024)
        await reader.readuntil(b"\r\n\r\n")
        writer.transport.pause_reading()
        try:
            while True:
                writer.write(frame)
                await asyncio.sleep(0.5)
        finally:
            writer.transport.abort()

    await asyncio.gather(*(one() for _ in range(20)), return_exceptions=True)
    await asyncio.Event().wait()


async def _beside(server: Server, greed: Greed, sessions: int, most_said: int, let_in: bool) -> Found:
    async with crowd(sessions, server.port) as people:
        memory, lines, used = rss(server.pid), server.lines, cpu(server.pid)
        people.begin()
        strangers = asyncio.create_task(greed(server.port, people))
        began, most, shut_out = time.perf_counter(), memory, False
        while time.perf_counter() < began + LONG:
            await asyncio.sleep(1)
            most = max(most, rss(server.pid))
        meanwhile = Tab(198)
        try:
            await meanwhile.open(server.port, wait=AFTER)
        except TimeoutError:
            shut_out = True
        await meanwhile.close()
        talk = (server.lines - lines) * 60 / LONG
        used = (cpu(server.pid) - used) / LONG
        silent = sum(not tab.heard or tab.heard[-1] < began + LONG / 2 for tab in people.tabs)
        blank = await people.pictures()
        strangers.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await strangers
        left = time.perf_counter()
        newcomer, failed = Tab(199), [f"{silent} of {sessions} unanswered meanwhile"] if silent else []
        try:
            await newcomer.open(server.port, wait=AFTER)
        except TimeoutError:
            failed.append(f"a newcomer waits longer than {AFTER:g} s after it")
        came = time.perf_counter() - left
        await newcomer.close()
        lost = await people.rest()
        failed += [lost] if lost else []
        failed += [f"a newcomer waits longer than {AFTER:g} s meanwhile"] if shut_out and let_in else []
        failed += [f"{most - memory:.0f} MB more"] if most - memory > MORE else []
        failed += [f"{talk:.0f} lines a minute"] if talk > most_said else []
        said = (
            f"{100 * used:.0f} % of a core, {blank} of {sessions} without pictures meanwhile, a newcomer "
            f"{came:.1f} s after it{', one shut out meanwhile' * shut_out}"
        )
        return Found(sessions, lost, (), megabytes(memory, most), f"{talk:.0f} a minute", tuple(failed), (said,))


def _fault(name: str, done: str, greed: Greed, descriptors: int = 0, said: int = TALK, let_in: bool = False) -> Fault:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

    def do(folder: Path, sessions: int) -> Found:
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        with Server(folder / "log", limit=limit if descriptors else None) as server:
            return asyncio.run(_beside(server, greed, sessions, said, let_in))

    held = (
        f"people inside are answered, at most {MORE:g} MB more and {said} lines a minute, a newcomer "
        f"{AFTER:g} s after it{' and meanwhile' * let_in}"
    )
    return Fault(name, f"{done}, for {LONG:g} s", held, do, 10)


FAULTS = (
    _fault("files-1024", "1024 descriptors, 2000 connections that hold them", _many, 1024),
    _fault("files-256", "256 descriptors, 2000 connections that hold them", _many, 256),
    _fault("half", "2000 half requests", _many),
    _fault(
        "half-again",
        "1024 descriptors, 881 connections that send one request and then half of another, again where they are closed",
        _half_again,
        1024,
        let_in=True,
    ),
    _fault("live", "2000 sockets at `live` with garbage, of sessions and of none", _sockets),
    _fault("frames", "50 sockets at the page's door with garbage and frames of 8 MB", _frames, said=10_000),
    _fault("deaf", "20 visitors who ask for the page twice a second and read nothing", _slow),
)

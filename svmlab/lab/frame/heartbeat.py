"""The heartbeat for the service manager, which ends and restarts a process whose event loop hangs (WatchdogSec=)."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

BEATS = 3  # heartbeats in the time after which one is missed


def _interval() -> float | None:
    """Return the seconds between two heartbeats, or None if nobody waits for them.

    The variables are those of sd_watchdog_enabled(3).
    """
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    meant = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    if not (microseconds.isdecimal() and int(microseconds) and meant and os.environ.get("NOTIFY_SOCKET")):
        return None
    return int(microseconds) / 1e6 / BEATS


async def _beat(address: str, seconds: float) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.setblocking(False)
        while True:
            with suppress(OSError):  # a manager that starts again itself has no socket for a moment
                manager.sendto(b"WATCHDOG=1", address)
            await asyncio.sleep(seconds)


@asynccontextmanager
async def beating() -> AsyncIterator[None]:
    """Tell the service manager during the lifespan of the server that the event loop runs, if it waits for that."""
    seconds = _interval()
    if seconds is None:
        yield
        return
    address = os.environ["NOTIFY_SOCKET"]
    address = "\0" + address[1:] if address.startswith("@") else address  # an abstract socket of Linux
    task = asyncio.create_task(_beat(address, seconds))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

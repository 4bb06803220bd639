"""Tabs whose connection is lost: they are kept for a visitor who returns, and are shut down after some time.

They are shut down even if nobody else comes.
"""

from __future__ import annotations

import asyncio
import ctypes
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import streamlit as st

from svmlab.lab.frame.connection_limits import file_limit
from svmlab.lab.session.unexpected_errors import to_svm_error
from svmlab.lab.streamlit_internals import SessionInfo, SessionStorage, shut_down, use_session_storage

EVERY = 30.0  # seconds between two checks
MAX_TABS = 512  # tabs that are kept: about four for each seat of a large class, of 1.5 MB each
SHARE = 8  # one tab is kept for this many files of the process's limit; a tab holds three files


class DisconnectedSessions(SessionStorage):
    """A storage of lost tabs, used instead of Streamlit's own, within the event loop of the server.

    Streamlit's storage looks at the clock only when somebody else leaves, drops sessions without shutting them down,
    and keeps 128. A class behind a network that was cut has more.
    """

    def __init__(self, seconds: float, most: int = MAX_TABS, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._most, self._clock = seconds, most, clock
        self.shut_down = 0  # tabs since memory was last given back to the system
        self._gone: dict[str, tuple[float, SessionInfo]] = {}  # the time of the loss and the session, the oldest first

    def get(self, session_id: str) -> SessionInfo | None:
        """Return the session of a visitor who returns in time, else None."""
        self.release()
        return self._gone[session_id][1] if session_id in self._gone else None

    def save(self, session_info: SessionInfo) -> None:
        """Store the session of a visitor whose connection was lost."""
        self.delete(session_info.session.id)
        self._gone[session_info.session.id] = self._clock(), session_info
        self.release()

    def delete(self, session_id: str) -> None:
        """Remove a session, because its visitor has returned or it is shut down."""
        self._gone.pop(session_id, None)

    def list(self) -> list[SessionInfo]:
        """Return all sessions whose visitors may still return."""
        return [info for _, info in self._gone.values()]

    def release(self) -> None:
        """Shut down the sessions that were lost too long ago, and the oldest ones if there are too many."""
        now = self._clock()
        while self._gone:
            since, info = next(iter(self._gone.values()))
            if now - since < self._seconds and len(self._gone) <= self._most:
                return
            self.delete(info.session.id)
            try:
                shut_down(info.session)
            except Exception as error:  # only for the log, because this visitor has gone; the others continue
                to_svm_error(error)
            self.shut_down += 1


@asynccontextmanager
async def released() -> AsyncIterator[None]:
    """During the lifespan of the server, keep no lost tab longer than `server.disconnectedSessionTTL` and EVERY."""
    most = min(MAX_TABS, (file_limit() or SHARE * MAX_TABS) // SHARE)
    storage = DisconnectedSessions(st.get_option("server.disconnectedSessionTTL"), most)
    use_session_storage(storage)
    looking = asyncio.create_task(_release_regularly(storage))
    try:
        yield
    finally:
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking


async def _release_regularly(storage: DisconnectedSessions) -> None:
    while True:
        await asyncio.sleep(EVERY)
        storage.release()
        if storage.shut_down:
            storage.shut_down = 0
            await asyncio.to_thread(_return_memory)


def _return_memory() -> None:
    """Give free memory back to the system, which the C library keeps otherwise; only glibc can be asked for it."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)

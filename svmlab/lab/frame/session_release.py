"""Tabs whose connection is gone: kept for whoever comes back, then shut down, whether or not anybody else comes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import streamlit as st
from streamlit.runtime import get_instance
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.session_manager import SessionInfo, SessionStorage

from svmlab.lab.frame.connection_limits import limit
from svmlab.lab.session.unexpected_errors import to_svm_error

EVERY = 30.0  # seconds between two looks
MOST = 512  # tabs kept: a large class has some four for each of its seats, of 1.5 MB
SHARE = 8  # at most a tab for so many files that the process may have: each holds three


class DisconnectedSessions(SessionStorage):
    """In the place of Streamlit's own storage, which looks at the clock only when somebody else leaves, drops whom it
    finds without shutting him down, and keeps 128: a class behind a network that was cut is more. Lives in the loop of
    the server.
    """

    def __init__(self, seconds: float, most: int = MOST, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._most, self._clock = seconds, most, clock
        self._gone: dict[str, tuple[float, SessionInfo]] = {}  # since when, the longest first

    def get(self, session_id: str) -> SessionInfo | None:
        """Whoever comes back in time; None else."""
        self.release()
        return self._gone[session_id][1] if session_id in self._gone else None

    def save(self, session_info: SessionInfo) -> None:
        """Somebody has gone."""
        self.delete(session_info.session.id)
        self._gone[session_info.session.id] = self._clock(), session_info
        self.release()

    def delete(self, session_id: str) -> None:
        """Somebody is back, or shut down."""
        self._gone.pop(session_id, None)

    def list(self) -> list[SessionInfo]:
        """Everybody who may still come back."""
        return [info for _, info in self._gone.values()]

    def release(self) -> None:
        """Shut down who has been away too long, and the longest away where there are too many."""
        now = self._clock()
        while self._gone:
            since, info = next(iter(self._gone.values()))
            if now - since < self._seconds and len(self._gone) <= self._most:
                return
            self.delete(info.session.id)
            _shut_down(info.session)


def _shut_down(session: AppSession) -> None:
    """Let everything go that a tab has, at once. Runs and components tie its state and its fragments into knots, which
    would wait for the garbage collector: that does not come while nobody does, and stops everybody for half a second
    when sixty are there.
    """
    try:
        session.shutdown()
        session.session_state.clear()
        session.session_state._new_widget_state.widget_metadata.clear()
        session._fragment_storage.clear()
    except Exception as error:  # of one who has gone: it is for the log, and the others go on
        to_svm_error(error)


@asynccontextmanager
async def released() -> AsyncIterator[None]:
    """As long as the server lives, nobody who has left is kept longer than `server.disconnectedSessionTTL` and
    EVERY.
    """
    most = min(MOST, (limit() or SHARE * MOST) // SHARE)
    storage = DisconnectedSessions(st.get_option("server.disconnectedSessionTTL"), most)
    manager: Any = get_instance()._session_mgr
    manager._session_storage = storage  # no setting says it; nobody is there yet
    looking = asyncio.create_task(_look(storage))
    try:
        yield
    finally:
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking


async def _look(storage: DisconnectedSessions) -> None:
    while True:
        await asyncio.sleep(EVERY)
        storage.release()

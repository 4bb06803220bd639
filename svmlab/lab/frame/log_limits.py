"""The log of the server stays readable: what somebody sends over and over is not written over and over."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

MOST, MINUTE = 5, 60.0
# What writes a line, or a trace, for each thing that a stranger does.
LOGGERS = (
    "asyncio",
    "uvicorn.error",
    "streamlit.web.server.starlette.starlette_websocket",
    "streamlit.web.server.starlette.starlette_routes",
    "streamlit.runtime.websocket_session_manager",
    "streamlit.runtime.runtime",
)


class Bounded(logging.Filter):
    """MOST lines a minute that begin alike; the first after them says how many were left out."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._lines: dict[tuple[str, str, str], tuple[float, int]] = {}  # since when, how many

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error and (error.__context__ or error), UnicodeDecodeError):
            return False  # somebody called bytes a text, which only ends his socket
        # Before it is filled in, and of a word that is none the beginning: so that there are no more kinds than lines
        # of code.
        like = record.name, str(record.msg).split("\n", 1)[0][:80], type(error).__name__
        since, times = self._lines.get(like, (float("-inf"), 0))
        if self._clock() - since < MINUTE:
            self._lines[like] = since, times + 1
            return times < MOST
        self._lines[like] = self._clock(), 1
        if times > MOST:
            record.msg = f"{record.msg} ({times - MOST} more like it were left out)"
        return True


def kept_short() -> None:
    """Once, when the server starts."""
    bounded = Bounded()
    for name in LOGGERS:
        logging.getLogger(name).addFilter(bounded)

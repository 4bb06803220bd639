"""Keep the log of the server readable.

A message that a visitor causes again and again is not written every time. What he sends that Streamlit cannot read is a
line and no traceback, because the traceback says nothing about svmlab.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from svmlab.lab.streamlit_internals import LOGGERS

MAX_LINES, MINUTE = 5, 60.0
MOST_CHARACTERS = 200  # of what an error says


class RepetitionFilter(logging.Filter):
    """A filter that passes MAX_LINES similar lines a minute. The first line after that says how many were left out."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._lines: dict[tuple[str, str, str], tuple[float, int]] = {}  # the start of the minute, and the count since

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is written."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error and (error.__context__ or error), UnicodeDecodeError):
            return False  # somebody sent bytes as text, which only ends his own socket
        if error and record.name.startswith("streamlit."):
            said = " ".join(f"{type(error).__name__}: {error}".split())
            record.msg, record.args = f"{record.getMessage()} ({said[:MOST_CHARACTERS]})", ()
            record.exc_info = record.exc_text = None
        # The template is used, or the beginning of a message that has none, so that there are no more kinds of lines
        # than lines of code.
        kind = record.name, str(record.msg).split("\n", 1)[0][:80], type(error).__name__
        since, times = self._lines.get(kind, (float("-inf"), 0))
        if self._clock() - since < MINUTE:
            self._lines[kind] = since, times + 1
            return times < MAX_LINES
        self._lines[kind] = self._clock(), 1
        if times > MAX_LINES:
            record.msg = f"{record.msg} ({times - MAX_LINES} more like it were left out)"
        return True


def install() -> None:
    """Install the filter once, when the server starts."""
    bounded = RepetitionFilter()
    for name in LOGGERS:
        logging.getLogger(name).addFilter(bounded)

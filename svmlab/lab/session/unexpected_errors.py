"""Unexpected errors: each becomes a message with a number, under which the log keeps the traceback."""

from __future__ import annotations

import logging
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from threading import Lock

import streamlit as st

from svmlab import SvmError
from svmlab.lab import words
from svmlab.lab.streamlit_internals import FragmentHandledException
from svmlab.lab.words import N_

UNFORESEEN = N_(
    "Something went wrong that was not foreseen. Change a point or a setting, or reload the page. The link keeps "
    "your points. The administrator of this server finds the error in the log under number {number}."
)
_log = logging.getLogger(__name__)
_times: Counter[str] = Counter()  # uses of each number; no more numbers than lines of code
_counting = Lock()


def to_svm_error(error: BaseException) -> SvmError:
    """Return an error that people can read: svmlab's own errors as they are, and for any other the number in the log.

    The log gets the whole traceback the first time, then one line for the 10th, 100th, ... time, because an error may
    occur at every frame of a drag. Streamlit's own control flow (stop, rerun) does not derive from Exception and
    never comes here.
    """
    if isinstance(error, SvmError):
        return error
    number = _number(error)
    with _counting:
        _times[number] += 1
        times = _times[number]
    if times == 1:
        _log.error("Error %s, unforeseen:", number, exc_info=error)
    elif str(times).strip("0") == "1":
        _log.error("Error %s, unforeseen, for the %dth time", number, times)
    return SvmError(UNFORESEEN, number=number)


@contextmanager
def showing_errors() -> Iterator[None]:
    """Show the message of an error in place of the rest of this part of a page, so that the page continues."""
    try:
        yield
    except FragmentHandledException:
        pass  # a nested part has already shown its message
    except Exception as error:
        st.warning(words.message_of(to_svm_error(error)))


def show_uncaught(error: Exception) -> bool:
    """Show the message of an error that no part of a page has caught, instead of Streamlit's own message."""
    st.warning(words.message_of(to_svm_error(error)))
    return True


def unexpected_count() -> int:
    """Return how many unexpected errors there have been so far."""
    return _times.total()


def _number(error: BaseException) -> str:
    """Return six hexadecimal digits for the type of an error and where it happened.

    The place is the last line of svmlab, or of a page, in its traceback.
    """
    steps = list(traceback.walk_tb(error.__traceback__))
    ours = [s for s in steps if s[0].f_globals.get("__name__", "").split(".")[0] in ("svmlab", "__main__")] or steps
    where = [(Path(frame.f_code.co_filename).name, line_number) for frame, line_number in ours[-1:]]
    return blake2b(repr((type(error).__name__, where)).encode(), digest_size=3).hexdigest()

"""What nobody foresaw: an error becomes a message with a number, under which the log keeps its trace."""

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
from streamlit.errors import FragmentHandledException

from svmlab import SvmError
from svmlab.lab import words
from svmlab.lab.words import N_

MISHAP = N_(
    "Something went wrong that nobody foresaw. Change a point or a setting, or reload the page: the "
    "link keeps your points. Who runs this server finds the error in the log, number {number}."
)
_log = logging.getLogger(__name__)
_times: Counter[str] = Counter()  # how often each number was given out: no more of them than lines of code
_counting = Lock()


def to_svm_error(error: BaseException) -> SvmError:
    """What to tell people of an error: svmlab's own speak for themselves, of any other the number in the log.

    The log takes the whole trace the first time, then a line the 10th, 100th, ... time: what fails fails at every frame
    of a drag. Streamlit's own jumps (stop, rerun) are no Exceptions and never come here.
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
    return SvmError(MISHAP, number=number)


@contextmanager
def showing_errors() -> Iterator[None]:
    """A part of a page: where it fails, its rest is replaced by the message, and the page goes on."""
    try:
        yield
    except FragmentHandledException:
        pass  # a part of this part has shown its own
    except Exception as error:
        st.warning(words.message_of(to_svm_error(error)))


def escaped(error: Exception) -> bool:
    """For what no part of a page has caught: the message stands in the place of Streamlit's own."""
    st.warning(words.message_of(to_svm_error(error)))
    return True


def count() -> int:
    """How many errors that nobody foresaw there were so far."""
    return _times.total()


def _number(error: BaseException) -> str:
    """Six hexadecimal digits for the kind of error and the last line of svmlab, or of a page, that it went through."""
    steps = list(traceback.walk_tb(error.__traceback__))
    ours = [s for s in steps if s[0].f_globals.get("__name__", "").split(".")[0] in ("svmlab", "__main__")] or steps
    where = [(Path(frame.f_code.co_filename).name, line) for frame, line in ours[-1:]]
    return blake2b(repr((type(error).__name__, where)).encode(), digest_size=3).hexdigest()

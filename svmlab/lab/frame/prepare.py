"""From the start of the server until its loops are machine code: read back in a blink, or compiled while pages answer.

What an installation has not compiled yet is compiled in a process of its own, for numba holds the interpreter's lock. Until
then loops run as they are written: the answers are the same, the exact ones, and a quiet line says why they take longer.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import count
from threading import Event, Thread

import streamlit as st

from svmlab import codecache, compiled
from svmlab.lab import text
from svmlab.lab.frame import rehearsal

EVERY = 1.0  # seconds between two looks whether it is over
ITSELF = "The loops could not be compiled in another process (%s): the server compiles them, after the first picture."
_log = logging.getLogger(__name__)


class Preparation:
    """The work of one start of the server, in a thread; what it waits for, and what waits for it."""

    def __init__(self) -> None:
        self.going = False  # whether something has to be compiled, and is not yet
        self.known = Event()  # whether that is known
        self.seen = Event()  # whether anybody has a picture
        self._stopped = False
        self._compiler: subprocess.Popen[bytes] | None = None
        compiled.leave()
        self.thread = Thread(target=self._work, daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """The server stops, and nothing goes on without it."""
        self._stopped = True
        self.seen.set()
        self._let_go()

    def _work(self) -> None:
        try:
            if not self._kept():
                self.going = True
                self.known.set()
                if not self._compiled():
                    self.seen.wait()  # this process is slow for everybody while it compiles
                compiled.take_over()
                if not self._stopped:
                    rehearsal.rehearse()
        finally:
            compiled.resume()
            self.going = False
            self.known.set()

    def _kept(self) -> bool:
        """Whether every loop could be read back; the first that could not is enough to know."""
        return not codecache.unkept() and not any(compiled.waiting() for _ in rehearsal.rehearsal())

    def _compiled(self) -> bool:
        """Compile in another process; it ends when its standard input does, so never later than this one."""
        if codecache.unkept():
            return False
        try:
            self._compiler = subprocess.Popen(
                [sys.executable, "-m", rehearsal.__name__],
                stdin=subprocess.PIPE,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
                start_new_session=True,  # a Ctrl+C is for the server
            )
            if self._stopped:
                self._let_go()
            code = self._compiler.wait()
        except OSError as error:
            _log.warning(ITSELF, error)
            return False
        if code and not self._stopped:
            _log.warning(ITSELF, f"it ended with {code}")
        return not code

    def _let_go(self) -> None:
        if self._compiler is not None and self._compiler.stdin is not None:
            self._compiler.stdin.close()


_preparation: Preparation | None = None  # of this server; none where pages run without one


@asynccontextmanager
async def prepared(_app: object) -> AsyncIterator[None]:
    """The lifespan of the server."""
    global _preparation
    _preparation = Preparation()
    try:
        yield
    finally:
        _preparation.stop()


def line() -> None:
    """On a page: a quiet line as long as something is being compiled."""
    if _preparation is not None:
        _preparation.known.wait()
    going = _preparation is not None and _preparation.going
    with st.container(key="preparing"):  # there in any case: what comes after it keeps its place
        st.fragment(_line, run_every=EVERY if going else None)(_preparation if going else None, count())


def _line(preparation: Preparation | None, runs: Iterator[int]) -> None:
    if preparation is None:
        return
    if next(runs):  # asked for by a browser that has drawn the page
        preparation.seen.set()
    if not preparation.going:
        st.rerun()  # the page, without this line
    st.html(f'<p class="sv-preparing" role="status">{text.PREPARING}</p>')

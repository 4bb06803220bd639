"""Compile the loops from the start of the server: they are read from the cache, or compiled while pages answer.

Loops that an installation has not compiled yet are compiled in another process, because numba holds the interpreter's
lock. Until then the loops run in plain Python. The answers are the same exact ones, and a line on the page says why
they take longer.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event, Thread

import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from svmlab import warmup
from svmlab.jit import cache, compiler
from svmlab.lab.streamlit_internals import path_below_base
from svmlab.lab.words import N_, _

PREPARING = N_("The solver is being compiled. Until then, it is slower.")
PATH, READY = "preparing", "ready"
GOING, OVER = "going", "over"
NO_OTHER_PROCESS = (
    "The loops could not be compiled in another process (%s): the server compiles them, after the first picture."
)
_log = logging.getLogger(__name__)


class Preparation:
    """The compilation at one start of the server, in a thread, with the events for which it and others wait."""

    def __init__(self) -> None:
        self.going = False  # whether something is still being compiled
        self.known = Event()  # set when `going` is known
        self.picture_shown = Event()  # set when somebody has a picture
        self._stopped = False
        self._compiler: subprocess.Popen[bytes] | None = None
        compiler.leave_compiling_to_others()
        self.thread = Thread(target=self._work, daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Stop with the server, so that nothing continues without it."""
        self._stopped = True
        self.picture_shown.set()
        self._end_compiler()

    def _work(self) -> None:
        try:
            if not self._is_cached():
                self.going = True
                self.known.set()
                if not self._compile_elsewhere():
                    self.picture_shown.wait()  # compiling slows this process down for everybody
                compiler.compile_in_this_thread()
                if not self._stopped:
                    warmup.warm_up()
        finally:
            compiler.resume_compiling()
            self.going = False
            self.known.set()

    def _is_cached(self) -> bool:
        """Return whether every loop could be read from the cache. The first one that could not decides."""
        return not cache.has_unsaved_code() and not any(compiler.has_run_uncompiled() for _ in warmup.warm_up_steps())

    def _compile_elsewhere(self) -> bool:
        """Compile in another process, and return whether that succeeded.

        The process ends when its standard input is closed, so it never outlives this one. Where its code cannot be
        kept, nobody could read it, and it is not even begun.
        """
        if cache.has_unsaved_code() or not cache.has_room():
            return False
        try:
            self._compiler = subprocess.Popen(
                [sys.executable, "-m", warmup.__name__, "--tied"],
                stdin=subprocess.PIPE,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
                start_new_session=True,  # so that Ctrl+C reaches only the server
            )
            if self._stopped:
                self._end_compiler()
            code = self._compiler.wait()
        except OSError as error:
            _log.warning(NO_OTHER_PROCESS, error)
            return False
        if code and not self._stopped:
            _log.warning(NO_OTHER_PROCESS, f"it ended with {code}")
        return not code

    def _end_compiler(self) -> None:
        if self._compiler is not None and self._compiler.stdin is not None:
            self._compiler.stdin.close()


_preparation: Preparation | None = None  # the one of this server; None if pages run without a server


@asynccontextmanager
async def prepared(_app: object) -> AsyncIterator[None]:
    """Run the preparation during the lifespan of the server."""
    global _preparation
    _preparation = Preparation()
    try:
        yield
    finally:
        _preparation.stop()


def _state(_request: Request) -> PlainTextResponse:
    """Answer the line of a page that is shown."""
    return _answer(GOING if _going() else OVER)


def _ready(_request: Request) -> PlainTextResponse:
    """Answer whoever starts servers and sends visitors to them: 503 until every loop is compiled."""
    known = _preparation is None or _preparation.known.is_set()
    return _answer(READY) if known and not _going() else _answer(PATH, 503)


def _going() -> bool:
    """Return whether something is being compiled.

    A request means that somebody has a page, so compiling need not wait.
    """
    going = _preparation is not None and _preparation.going
    if going and _preparation is not None:
        _preparation.picture_shown.set()
    return going


def _answer(word: str, status: int = 200) -> PlainTextResponse:
    return PlainTextResponse(word, status, headers={"Cache-Control": "no-store"})


def routes() -> list[Route]:
    """Return the routes of these answers: beside the pages, below the server's base path if it has one."""
    answers = {PATH: _state, READY: _ready}
    return [Route(path_below_base(path), answer) for path, answer in answers.items()]


# The line asks the server by itself. A fragment that runs every second would also send the values of all widgets, even
# of those that Python has just changed. Now and then a preset would then put back a point that was dragged.
_line = st.components.v2.component(
    "svmlab_preparing",
    html='<p class="sv-preparing" role="status"></p>',
    js=(Path(__file__).parent / "compile_in_background.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def show_compiling_line() -> None:
    """Show a line on a page as long as something is being compiled."""
    if _preparation is not None:
        _preparation.known.wait()
    with st.container(key="preparing"):  # always there, so that the elements after it keep their position
        if _preparation is not None and _preparation.going:
            _line(data={"ask": PATH, "going": GOING, "text": _(PREPARING)}, key="preparing_line")

"""From the start of the server until its loops are machine code: read back in a blink, or compiled while pages answer.

What an installation has not compiled yet is compiled in a process of its own, for numba holds the interpreter's lock.
Until then loops run as they are written: the answers are the same, the exact ones, and a quiet line says why they take
longer.
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
from svmlab.lab.words import N_, _

PREPARING = N_("The solver is being compiled, once for each installation: slower until then, no less exact.")
PATH, READY = "preparing", "ready"
GOING, OVER = "going", "over"
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
        compiler.leave_compiling_to_others()
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
                compiler.take_over()
                if not self._stopped:
                    warmup.warm_up()
        finally:
            compiler.resume()
            self.going = False
            self.known.set()

    def _kept(self) -> bool:
        """Whether every loop could be read back; the first that could not is enough to know."""
        return not cache.has_unsaved_code() and not any(compiler.has_run_uncompiled() for _ in warmup.warm_up_steps())

    def _compiled(self) -> bool:
        """Compile in another process; it ends when its standard input does, so never later than this one."""
        if cache.has_unsaved_code():
            return False
        try:
            self._compiler = subprocess.Popen(
                [sys.executable, "-m", warmup.__name__, "--tied"],
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


def _state(_request: Request) -> PlainTextResponse:
    """To the line of a page that is drawn."""
    return _said(GOING if _going() else OVER)


def _ready(_request: Request) -> PlainTextResponse:
    """To who starts servers and sends visitors to them: 503 until every loop is machine code."""
    known = _preparation is None or _preparation.known.is_set()
    return _said(READY) if known and not _going() else _said(PATH, 503)


def _going() -> bool:
    """Whether something is being compiled; whoever asks that need not wait for a first picture."""
    going = _preparation is not None and _preparation.going
    if going and _preparation is not None:
        _preparation.seen.set()
    return going


def _said(word: str, status: int = 200) -> PlainTextResponse:
    return PlainTextResponse(word, status, headers={"Cache-Control": "no-store"})


def routes() -> list[Route]:
    """Where these are asked: beside the pages, below the server's base path if it has one."""
    base = st.get_option("server.baseUrlPath").strip("/")
    asked = {PATH: _state, READY: _ready}
    return [Route(f"/{base}/{path}" if base else f"/{path}", answer) for path, answer in asked.items()]


# The line asks by itself. A fragment that runs every second would send the values of all widgets along, those too that
# Python has
# just changed: now and then a point that was dragged would be put back by its preset.
_line = st.components.v2.component(
    "svmlab_preparing",
    html='<p class="sv-preparing" role="status"></p>',
    js=(Path(__file__).parent / "compile_in_background.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def show_compiling_line() -> None:
    """On a page: a quiet line as long as something is being compiled."""
    if _preparation is not None:
        _preparation.known.wait()
    with st.container(key="preparing"):  # there in any case: what comes after it keeps its place
        if _preparation is not None and _preparation.going:
            _line(data={"ask": PATH, "going": GOING, "text": _(PREPARING)}, key="preparing_line")

"""Pictures while something is dragged, without a run of the page: a socket that takes {share, ops} and answers with the picture.

A run of a page takes Streamlit and the browser some 50 ms, a picture 5. The board therefore asks here for every frame and
lets the page follow a few times a second. A socket remembers nothing but its last solution, where the next solve starts:
that makes it faster, never different.
"""

from __future__ import annotations

import json
from asyncio import Semaphore, to_thread
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache

import streamlit as st
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from svmlab import BadInput, Solution
from svmlab.scene import scene
from svmlab.ui import share, state
from svmlab.ui.cache import Outcome, attempt
from svmlab.ui.mishap import told
from svmlab.ui.payload import picture
from svmlab.ui.state import History

PATH = "live"
# What a malformed request raises; RecursionError where brackets are nested a thousand deep.
WRONG = (BadInput, AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError)
LARGEST = 100_000  # characters of a request: 300 points take some 10,000
MALFORMED = 1007  # the code with which a socket is closed over a message that makes no sense
AT_ONCE = 2  # drawings of all boards together: pages come first when a class is busy, and one slow problem stops nobody

_turns = Semaphore(AT_ONCE)
_decode = lru_cache(64)(share.decode)


def draw(request: str, start: Solution | None) -> tuple[str, Solution | None]:
    """The picture, as JSON, of a linked state after some operations, and the solution to start from next time.

    Raises one of WRONG for a request that makes no sense.
    """
    if len(request) > LARGEST:
        raise BadInput(f"request: {len(request)} characters are more than {LARGEST}.")
    message = json.loads(request)
    history = History(_decode(message["share"]))
    for op in message["ops"]:
        history = state.apply(history, op)
    lab = history.present
    history, solution = replace(history, held=lab), None
    try:
        outcome = attempt(lab.problem, start) if lab.points else None
        solution = outcome.solution if outcome else None
        data = picture(history, outcome, scene(solution, lab.view) if solution else None)
    except Exception as error:
        data = picture(history, Outcome(None, told(error)), None)
    return json.dumps(data), solution or start


async def _serve(socket: WebSocket) -> None:
    await socket.accept()
    last: Solution | None = None
    with suppress(WebSocketDisconnect):  # nobody is there any more to be answered
        async for request in socket.iter_text():
            try:
                async with _turns:
                    answer, last = await to_thread(draw, request, last)
            except WRONG:
                await socket.close(MALFORMED)  # the page says what is wrong, in words
                return
            await socket.send_text(answer)


def route() -> WebSocketRoute:
    """Where the board finds its socket: beside the pages, below the server's base path if it has one."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return WebSocketRoute(f"/{base}/{PATH}" if base else f"/{PATH}", _serve)

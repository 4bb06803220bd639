"""Pictures during a drag without a run of the page: a socket that receives {share, ops} and answers with the picture.

If the request contains {second}, the answer has the pictures of both boards. In a lesson the picture includes what
the open step draws. The page leaves that in the session as a function of the board and the sliders of the lesson. It
is called here in a thread, and nothing of the session is written.

A run of a page takes Streamlit and the browser about 50 ms, and a picture 5 ms. The board therefore asks here for
every frame and lets the page follow a few times a second. A socket remembers nothing but its last solution, from
which the next solve starts. That makes the solve faster and never changes its result.

A socket names the session whose board it serves. A socket is refused before it can send anything if it names no
session, if a foreign page opens it, or if there are too many. Sessions are visitors, and addresses are not, because a
class shares the address of its school.
"""

from __future__ import annotations

import json
from asyncio import to_thread
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

import streamlit as st
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from streamlit.web.server.starlette.starlette_websocket import _is_origin_allowed

from svmlab import BadInput, Solution
from svmlab.lab import words
from svmlab.lab.board import second_board, task_picture
from svmlab.lab.board.held_out_points import overlay
from svmlab.lab.board.payload import picture
from svmlab.lab.session import controls, lesson_inputs, share, state
from svmlab.lab.session.cache import Outcome, Result, Solved, attempt, attempt_task
from svmlab.lab.session.fair_turns import FairTurns, TurnTaker
from svmlab.lab.session.held_out import compute_held_out
from svmlab.lab.session.state import History, Lab
from svmlab.lab.session.tab import SESSIONS, Session
from svmlab.lab.session.unexpected_errors import to_svm_error
from svmlab.plane.contours import draw_solution

PreviousSolution = Solution | Solved | None
PATH = "live"
LAB = "lab"  # the page whose boards show test points; on other pages the step decides what is drawn
# The exceptions that a malformed request can raise. RecursionError: a thousand nested brackets.
MALFORMED_ERRORS = (BadInput, AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError)
MAX_BYTES = 100_000  # characters of a request; 300 points take about 10,000
OPS = ("points", "view", "set", "dial")  # a drag needs no others, and a full request of them takes no time
BINARY, MALFORMED, FAILED = 1003, 1007, 1011  # the codes with which a socket is closed
# Drawings at the same time, of all boards. Pages come first in a busy class, and one slow problem blocks nobody.
AT_ONCE = 2
# Sockets of one session (a board has one, and one that the network has lost lingers for a minute), and of all sessions.
SOCKETS_PER_SESSION, SOCKETS_IN_TOTAL = 4, 500

_turns = FairTurns(AT_ONCE)
_visitors: dict[str, TurnTaker] = {}
_sockets: Counter[str] = Counter()
_decode = lru_cache(64)(share.decode)


def socket_address(boot: str) -> str:
    """Return the address of the socket of a session's board, relative to its page."""
    return f"{PATH}?boot={boot}"


def draw(request: str, start: PreviousSolution, session: Session | None = None) -> tuple[str, PreviousSolution]:
    """Return the picture, as JSON, of a linked Lab after some operations, and the solution as the next start.

    session: its page may draw another SVM, and its open step may add to the picture.

    Raises one of WRONG for a malformed request.
    """
    if len(request) > MAX_BYTES:
        raise BadInput("request: {size} characters are more than {most}.", size=len(request), most=MAX_BYTES)
    message = json.loads(request)
    lab, dials = _decode(message["share"]), dict(session.dials) if session else {}
    for op in message["ops"]:
        if op["op"] not in OPS:
            raise BadInput("op: {op!r} is none of {choices}.", op=op["op"], choices=", ".join(OPS))
        if op["op"] == "dial":
            dials |= lesson_inputs.read_input(op)["values"]
        else:
            lab = state.apply_to_lab(lab, op)
    requested = History(lab, before_drag=lab)
    lab_to_draw = session.lab_to_draw if session else None
    lab = lab_to_draw(lab) if lab_to_draw else lab
    history, solution, outcome = replace(requested, present=lab), None, None
    if lab.task != controls.BINARY:
        solved = _of_task(lab, start)
        data = _drawn(history, solved) | _overlay_of_step(session, requested, dials, solved)
        return json.dumps(data), (solved.solution if solved else None) or start
    start_solution = start if isinstance(start, Solution) else None
    try:
        outcome = attempt(lab.problem, start_solution) if lab.points else None
        solution = outcome.solution if outcome else None
        data = picture(history, outcome, draw_solution(solution, lab.view) if solution else None)
        if session is None or session.page == LAB:
            data |= overlay(lab, compute_held_out(lab, solution))
    except Exception as error:
        data = picture(history, Outcome(None, to_svm_error(error)), None)
    last = solution or start_solution
    if message.get("second"):
        data |= second_board.second_picture(
            requested, lambda other: attempt(other.problem, last), draw_solution, compute_held_out
        )
    return json.dumps(data | _overlay_of_step(session, requested, dials, outcome)), last


def _of_task(lab: Lab, start: PreviousSolution) -> Result[Solved] | None:
    """Return the result for a board of several classes or of values, or None without points."""
    return attempt_task(lab, None if isinstance(start, Solution) else start) if lab.points else None


def _drawn(history: History, outcome: Result[Solved] | None) -> dict[str, Any]:
    """Return the picture of such a board."""
    try:
        return task_picture.picture(history, outcome)
    except Exception as error:
        return task_picture.picture(history, Result(None, to_svm_error(error)))


def _overlay_of_step(
    session: Session | None, history: History, dials: dict[str, float], found: Result[Any] | None
) -> dict[str, Any]:
    """Return what the open step adds, or a message if that fails."""
    step_overlay = session.step_overlay if session else None
    try:
        return step_overlay(history, dials, found) if step_overlay else {}
    except Exception as error:
        return {"message": {"tone": "warn", "text": words.message_of(to_svm_error(error))}}


@contextmanager
def _reserved_socket(boot: str) -> Iterator[TurnTaker | None]:
    """Reserve one more socket of a session; the value is None if there is no room or no such session."""
    if boot not in SESSIONS or _sockets[boot] >= SOCKETS_PER_SESSION or _sockets.total() >= SOCKETS_IN_TOTAL:
        yield None
        return
    _sockets[boot] += 1
    try:
        yield _visitors.setdefault(boot, TurnTaker())
    finally:
        _sockets[boot] -= 1
        if not _sockets[boot]:
            del _sockets[boot], _visitors[boot]


def _has_own_origin(socket: WebSocket) -> bool:
    """Return whether Streamlit would accept this socket as one of its own.

    It must be opened by a page of the app or of a host that the app trusts.
    """
    try:
        return _is_origin_allowed(socket.headers.get("origin"), socket.headers.get("host"))
    except ValueError:  # the origin is not an address
        return False


async def _serve(socket: WebSocket) -> None:
    # The server raises RuntimeError if it has closed a socket whose other side broke the protocol.
    with _reserved_socket(socket.query_params.get("boot", "")) as visitor, suppress(WebSocketDisconnect, RuntimeError):
        # In a thread, because Streamlit may have to ask the network for its own address.
        if visitor is None or not await to_thread(_has_own_origin, socket):
            await socket.close()
        else:
            await socket.accept()
            await socket.close(await _answer(socket, visitor, socket.query_params["boot"]))


async def _answer(socket: WebSocket, visitor: TurnTaker, boot: str) -> int:
    """Send a picture for each request, and return the closing code for the first request that gets none.

    Raises WebSocketDisconnect when the other side closes the socket.
    """
    last: PreviousSolution = None
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message["code"])
        request = message.get("text")
        if request is None:
            return BINARY
        try:
            async with _turns.turn(visitor):
                session = SESSIONS.get(boot)
                words.set_translations(session.translations if session else words.ENGLISH)
                answer, last = await to_thread(draw, request, last, session)
        except MALFORMED_ERRORS:
            return MALFORMED  # the page shows the message
        except Exception as error:
            to_svm_error(error)
            return FAILED
        await socket.send_text(answer)


def route() -> WebSocketRoute:
    """Return the route of the socket: beside the pages, below the server's base path if it has one."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return WebSocketRoute(f"/{base}/{PATH}" if base else f"/{PATH}", _serve)

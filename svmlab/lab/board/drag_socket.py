"""Pictures while something is dragged, without a run of the page: a socket that takes {share, ops} and answers with the
picture, or with those of both boards where {second} asks for that.

In a lesson the picture includes what the open step draws: the page leaves that with the session as a function of the
board and the sliders of the lesson, to be called here in a thread, and nothing of the session is written.

A run of a page takes Streamlit and the browser some 50 ms, a picture 5. The board therefore asks here for every frame
and lets the page follow a few times a second. A socket remembers nothing but its last solution, where the next solve
starts: that makes it faster, never different.

A socket names the session whose board it serves. One that names none, that a foreign page opens, or that is one too
many is refused before it can send anything. Sessions, not addresses, are visitors: a class shares the address of its
school.
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
from svmlab.plane.contours import scene

Start = Solution | Solved | None
PATH = "live"
LAB = "lab"  # the page whose boards show points that are held out: a step draws what it says
# What a malformed request raises; RecursionError where brackets are nested a thousand deep.
WRONG = (BadInput, AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError)
LARGEST = 100_000  # characters of a request: 300 points take some 10,000
OPS = ("points", "view", "set", "dial")  # a drag knows no others, and as many as fit into a request take no time
BINARY, MALFORMED, FAILED = 1003, 1007, 1011  # the codes with which a socket is closed
AT_ONCE = 2  # drawings of all boards together: pages come first when a class is busy, and one slow problem stops nobody
EACH, IN_ALL = 4, 500  # sockets of a session (a board has one; those that a network lost linger a minute), and of all

_turns = FairTurns(AT_ONCE)
_visitors: dict[str, TurnTaker] = {}
_sockets: Counter[str] = Counter()
_decode = lru_cache(64)(share.decode)


def socket_address(boot: str) -> str:
    """Where the board of a session finds its socket, from the page it is on."""
    return f"{PATH}?boot={boot}"


def draw(request: str, start: Start, session: Session | None = None) -> tuple[str, Start]:
    """The picture, as JSON, of a linked state after some operations, and the solution to start from next time.

    session: whose page may draw another machine, and adds what its step draws.

    Raises one of WRONG for a request that makes no sense.
    """
    if len(request) > LARGEST:
        raise BadInput("request: {size} characters are more than {most}.", size=len(request), most=LARGEST)
    message = json.loads(request)
    lab, dials = _decode(message["share"]), dict(session.dials) if session else {}
    for op in message["ops"]:
        if op["op"] not in OPS:
            raise BadInput("op: {op!r} is none of {choices}.", op=op["op"], choices=", ".join(OPS))
        if op["op"] == "dial":
            dials |= lesson_inputs.read_input(op)["values"]
        else:
            lab = state.apply_to_lab(lab, op)
    stands = History(lab, before_drag=lab)
    machine = session.lab_to_draw if session else None
    lab = machine(lab) if machine else lab
    history, solution, outcome = replace(stands, present=lab), None, None
    if lab.task != controls.BINARY:
        solved = _of_task(lab, start)
        data = _drawn(history, solved) | _added(session, stands, dials, solved)
        return json.dumps(data), (solved.solution if solved else None) or start
    begun = start if isinstance(start, Solution) else None
    try:
        outcome = attempt(lab.problem, begun) if lab.points else None
        solution = outcome.solution if outcome else None
        data = picture(history, outcome, scene(solution, lab.view) if solution else None)
        if session is None or session.page == LAB:
            data |= overlay(lab, compute_held_out(lab, solution))
    except Exception as error:
        data = picture(history, Outcome(None, to_svm_error(error)), None)
    last = solution or begun
    if message.get("second"):
        data |= second_board.second_picture(stands, lambda other: attempt(other.problem, last), scene, compute_held_out)
    return json.dumps(data | _added(session, stands, dials, outcome)), last


def _of_task(lab: Lab, start: Start) -> Result[Solved] | None:
    """What comes of a board of several classes or values; None without points."""
    return attempt_task(lab, None if isinstance(start, Solution) else start) if lab.points else None


def _drawn(history: History, outcome: Result[Solved] | None) -> dict[str, Any]:
    """The picture of such a board."""
    try:
        return task_picture.picture(history, outcome)
    except Exception as error:
        return task_picture.picture(history, Result(None, to_svm_error(error)))


def _added(
    session: Session | None, history: History, dials: dict[str, float], found: Result[Any] | None
) -> dict[str, Any]:
    """What the open step adds: a message where that fails."""
    lane = session.step_overlay if session else None
    try:
        return lane(history, dials, found) if lane else {}
    except Exception as error:
        return {"message": {"tone": "warn", "text": words.message_of(to_svm_error(error))}}


@contextmanager
def _reserved_socket(boot: str) -> Iterator[TurnTaker | None]:
    """Room for one more socket of a session; None where there is none, or no such session."""
    if boot not in SESSIONS or _sockets[boot] >= EACH or _sockets.total() >= IN_ALL:
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
    """Whether Streamlit would let this socket in as one of its own: opened by a page of the app, or of a host it
    trusts.
    """
    try:
        return _is_origin_allowed(socket.headers.get("origin"), socket.headers.get("host"))
    except ValueError:  # no address at all
        return False


async def _serve(socket: WebSocket) -> None:
    # The server raises RuntimeError over a socket whose other side broke the rules and was hung up on.
    with _reserved_socket(socket.query_params.get("boot", "")) as visitor, suppress(WebSocketDisconnect, RuntimeError):
        # In a thread, as Streamlit may have to ask the network for its own address.
        if visitor is None or not await to_thread(_has_own_origin, socket):
            await socket.close()
        else:
            await socket.accept()
            await socket.close(await _answer(socket, visitor, socket.query_params["boot"]))


async def _answer(socket: WebSocket, visitor: TurnTaker, boot: str) -> int:
    """A picture for each request, up to one that gets none: the code to close over it. WebSocketDisconnect at the
    end.
    """
    last: Start = None
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
        except WRONG:
            return MALFORMED  # the page says what is wrong, in words
        except Exception as error:
            to_svm_error(error)
            return FAILED
        await socket.send_text(answer)


def route() -> WebSocketRoute:
    """Where the board finds its socket: beside the pages, below the server's base path if it has one."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return WebSocketRoute(f"/{base}/{PATH}" if base else f"/{PATH}", _serve)

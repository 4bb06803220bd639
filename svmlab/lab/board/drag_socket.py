"""Pictures during a drag without a run of the page: a socket that receives {share, ops} and answers with the picture.

If the request contains {second}, the answer has the pictures of both boards. In a lesson the picture includes what
the open step draws. The page leaves that in the session as a function of the board and the sliders of the lesson. It
is called here in a thread, and nothing of the session is written.

A run of a page takes Streamlit and the browser about 50 ms, and a picture 5 ms. The board therefore asks here for
every frame and lets the page follow a few times a second. A socket remembers nothing but its last solution, from
which the next solve starts. That makes the solve faster and never changes its result.

A socket names the session whose board it serves. A socket is refused before it can send anything if it names no
session, if a foreign page opens it, or if there are too many. All tabs of a visitor share the turns at drawing of one
(session/visitors.py).
"""

from __future__ import annotations

import json
from asyncio import to_thread
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import TypeVar

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from svmlab import BadInput, Solution
from svmlab.generalisation import HeldOut
from svmlab.lab import words
from svmlab.lab.board.board_picture import Additions, StepPart, board_picture
from svmlab.lab.session import lesson_inputs, share, state
from svmlab.lab.session.cache import Outcome, Result, Solved, solve_task_within_limit, solve_within_limit
from svmlab.lab.session.fair_turns import FairTurns, TurnTaker
from svmlab.lab.session.held_out import compute_held_out
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.origins import is_own_page
from svmlab.lab.session.state import History
from svmlab.lab.session.tab import SESSIONS, Session
from svmlab.lab.session.unexpected_errors import to_svm_error
from svmlab.lab.session.visitors import TurnTakers, name_of
from svmlab.lab.streamlit_internals import limit_socket, path_below_base
from svmlab.multiclass import OneVsRestSolution
from svmlab.plane.contours import SolutionDrawing, draw_solution
from svmlab.regression import Fit

T = TypeVar("T")
PreviousSolution = Solution | Solved | None
PATH = "live"
LAB = "lab"  # the page whose boards show test points; on other pages the step decides what is drawn
# The exceptions that a malformed request can raise. RecursionError: a thousand nested brackets.
MALFORMED_ERRORS = (BadInput, AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError)
MAX_BYTES = 100_000  # characters of a request; 300 points take about 10,000
MAX_HELD = 4 * MAX_BYTES  # bytes of a request that is not finished
OPS = ("points", "view", "set", "dial")  # a drag needs no others, and a full request of them takes no time
CLOSE_BINARY, CLOSE_MALFORMED, CLOSE_FAILED = 1003, 1007, 1011  # the codes with which a socket is closed
# Drawings at the same time, of all boards. Pages come first in a busy class, and one slow problem blocks nobody.
CONCURRENT_SOLVES = 2
# Sockets of one session (a board has one, and one that the network has lost lingers for a minute), and of all sessions.
SOCKETS_PER_SESSION, SOCKETS_IN_TOTAL = 4, 500

_turns = FairTurns(CONCURRENT_SOLVES)
_visitors = TurnTakers()
_sockets: Counter[str] = Counter()
_decode = lru_cache(64)(share.decode)


def socket_address(boot: str) -> str:
    """Return the address of the socket of a session's board, relative to its page."""
    return f"{PATH}?boot={boot}"


def draw(request: str, start: PreviousSolution, session: Session | None = None) -> tuple[str, PreviousSolution]:
    """Return the picture, as JSON, of a linked Lab after some operations, and the solution as the next start.

    session: its page may draw another SVM, and its open step may add to the picture.

    Raises one of MALFORMED_ERRORS for a malformed request.
    """
    if len(request) > MAX_BYTES:
        raise BadInput("request: {size} characters are more than {most}.", size=len(request), most=MAX_BYTES)
    message = json.loads(request)
    lab, dials = _decode(message["share"]), dict(session.lessons.dials) if session else {}
    for op in message["ops"]:
        if op["op"] not in OPS:
            raise BadInput("op: {op!r} is none of {choices}.", op=op["op"], choices=", ".join(OPS))
        if op["op"] == "dial":
            dials |= lesson_inputs.read_input(op)["values"]
        else:
            lab = state.apply_to_lab(lab, op)
    if session is not None:  # a link does not say which point is selected
        lab = state.apply_to_lab(lab, {"op": "select", "id": session.lab.selected})
    solver = DragSolver(start)
    added = Additions(
        hidden=session.link.hidden if session else (),
        test_points=session is None or session.page == LAB,
        second=bool(message.get("second")),
        lab_to_draw=session.lessons.lab_to_draw if session else None,
        step_part=_step_part(session, dials),
    )
    return json.dumps(board_picture(History(lab, before_drag=lab), solver, added)), solver.first or start


def _step_part(session: Session | None, dials: dict[str, float]) -> StepPart | None:
    """Return what the open step draws with these dials."""
    step_overlay = session.lessons.step_overlay if session else None
    return None if step_overlay is None else lambda history, result: step_overlay(history, dials, result)


class DragSolver:
    """The solver of a drag, which keeps nothing but solutions to start from: `first` is that of the first board."""

    def __init__(self, start: PreviousSolution) -> None:
        self._start, self.first = start, None  # type: PreviousSolution, PreviousSolution

    def outcome(self, lab: Lab) -> Outcome:
        """Return the result of a problem of two classes."""
        return self._counted(
            solve_within_limit(lab.problem, self._start if isinstance(self._start, Solution) else None)
        )

    def task_outcome(self, lab: Lab) -> Result[Solved]:
        """Return the result of a problem of several classes or of values."""
        return self._counted(solve_task_within_limit(lab, None if isinstance(self._start, Solution) else self._start))

    def _counted(self, result: Result[T]) -> Result[T]:
        if self.first is None and isinstance(result.solution, Solution | OneVsRestSolution | Fit):
            self._start = self.first = result.solution
        return result

    def drawing(self, solution: Solution, half: float) -> SolutionDrawing:
        """Return the level lines of a solution."""
        return draw_solution(solution, half)

    def held_out(self, lab: Lab, solution: Solution | None) -> HeldOut | None:
        """Return how a solution classifies test points, or None if none are wanted."""
        return compute_held_out(lab, solution)


@contextmanager
def _reserved_socket(boot: str, visitor: str) -> Iterator[TurnTaker | None]:
    """Reserve one more socket of a session of this visitor; the value is None if there is no room or no session."""
    if boot not in SESSIONS or _sockets[boot] >= SOCKETS_PER_SESSION or _sockets.total() >= SOCKETS_IN_TOTAL:
        yield None
        return
    _sockets[boot] += 1
    try:
        yield _visitors.of(visitor)
    finally:
        _sockets[boot] -= 1
        if not _sockets[boot]:
            del _sockets[boot]


async def _serve(socket: WebSocket) -> None:
    # The server raises RuntimeError if it has closed a socket whose other side broke the protocol.
    name = name_of(socket.cookies, socket.client.host if socket.client else None)
    boot = socket.query_params.get("boot", "")
    with _reserved_socket(boot, name) as visitor, suppress(WebSocketDisconnect, RuntimeError):
        limit_socket(socket.scope, MAX_HELD)
        if visitor is None or not await is_own_page(socket.headers):
            await socket.close()
        else:
            await socket.accept()
            await socket.close(await _answer(socket, visitor, boot))


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
            return CLOSE_BINARY
        try:
            async with _turns.turn(visitor):
                session = SESSIONS.get(boot)
                words.set_translations(session.view.translations if session else words.ENGLISH)
                answer, last = await to_thread(draw, request, last, session)
        except MALFORMED_ERRORS:
            return CLOSE_MALFORMED  # the page shows the message
        except Exception as error:
            to_svm_error(error)
            return CLOSE_FAILED
        await socket.send_text(answer)
        if session is not None and session.on_drag_picture is not None:
            session.on_drag_picture(request, answer)


def route() -> WebSocketRoute:
    """Return the route of the socket: beside the pages, below the server's base path if it has one."""
    return WebSocketRoute(path_below_base(PATH), _serve)

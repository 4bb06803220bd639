"""The board: the two-dimensional picture with its toolbar and legend. It draws its data and reports what people do."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from svmlab.lab.board import component, payload, second_board, task_picture
from svmlab.lab.board.board_picture import Additions, CachedSolver, board_picture
from svmlab.lab.board.component import Component
from svmlab.lab.board.hidden_parts import without_hidden
from svmlab.lab.board.payload import Data
from svmlab.lab.board.rules import RULES, words_for_script
from svmlab.lab.session import inbox
from svmlab.lab.session.controls import BINARY
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.state import History
from svmlab.lab.session.tab import Session

component.guard_events()
NOTHING_ADDED = Additions()
_component = Component("board", html='<div class="svmlab-board"></div>', css="board.css")


def display(data: dict[str, Any], key: str, on_event: Callable[[], None]) -> None:
    """Show the board. While `on_event` runs, the message {boot, seq, ops} is in ``st.session_state[key].event``.

    With ``data["hidden"]`` no board is drawn. The link in the address bar is still kept up to date, and two buttons
    project and share the page.
    """
    _component(data=encoded(data), key=key, on_event_change=on_event)


def encoded(data: dict[str, Any]) -> bytes:
    """Return the data as JSON in bytes, as they are sent.

    Rules and words are left out once the browser has acknowledged a message, because it has them already. The result
    is bytes, because Streamlit would convert a dictionary to JSON twice, once to distinguish its components.
    """
    constants = {} if data["ack"] else {"rules": RULES, "text": words_for_script()}
    return json.dumps(data | constants, separators=(",", ":"), ensure_ascii=False).encode(errors="replace")


def board_data(session: Session, lab: Lab | None = None, added: Additions = NOTHING_ADDED) -> dict[str, Any]:
    """Return the data of the board together with the wire data. `lab` draws another SVM on the present points.

    The shading and the lines f = 0 and f = +-1 are those of `svmlab.plane.contours.draw_solution`.
    """
    history = replace(session.history, present=lab or session.lab)
    drawn = replace(history, present=added.lab_to_draw(history.present)) if added.lab_to_draw else history
    turning = session.lessons.inputs.get("dial", {}).get("live")  # a drag too, although the Lab stays as it is
    dragged = replace(history, before_drag=history.before_drag or history.present) if turning else history
    picture = board_picture(dragged, CachedSolver(session.cache), replace(added, hidden=session.link.hidden))
    data = without_hidden(_described(session, drawn, added.second), session.link.hidden)
    data["can"]["reset"] = session.is_changed
    if "points" in session.link.locked:
        data |= {"tool": "locked", "hint": None}
    lessons = session.lessons
    film = lessons.inputs.get("film") if lessons.input_scopes.get("film") == session.step else None
    data["alone"] = session.link.only is not None
    data |= inbox.wire_data(session) | {"filmPlace": film and {"key": film["key"], "at": film["at"]}}
    if picture.get("second") and data["second"]:
        picture["second"] = data["second"] | picture["second"]
    return data | picture


def _described(session: Session, history: History, pair: bool) -> Data:
    """Return the words and controls beside the picture, without those of the solution if that cannot be solved."""
    lab, hidden, view = history.present, session.link.hidden, session.view
    try:
        if lab.task != BINARY:
            outcome = session.cache.task_outcome(lab) if lab.points else None
            described = payload.descriptions(history, None, view.projector, view.type_size, hidden)
            return described | task_picture.descriptions(history, outcome, hidden)
        solution = session.solve(lab).solution if lab.points else None
        data = payload.descriptions(history, solution, view.projector, view.type_size, hidden)
        pinned = session.pinned_solution
        if pinned is not None:
            data["pin"] = payload.lines(session.cache.drawing(pinned, session.lab.view))
    except Exception:  # the picture has the message
        data = payload.descriptions(history, None, view.projector, view.type_size, hidden)
    return data | (second_board.descriptions(history, session.solve, hidden) if pair else {})

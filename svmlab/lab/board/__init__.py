"""The board: the two-dimensional scene with its toolbar and legend. It draws what it is given and reports what people
do.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from svmlab.lab.board import malformed_events, payload, second_board, task_picture
from svmlab.lab.board.component import Component
from svmlab.lab.board.held_out_points import overlay
from svmlab.lab.board.rules import RULES, words_for_script
from svmlab.lab.session import compare, held_out
from svmlab.lab.session.cache import Outcome
from svmlab.lab.session.controls import BINARY
from svmlab.lab.session.state import History, Lab
from svmlab.lab.session.tab import Session
from svmlab.lab.session.unexpected_errors import to_svm_error

SLIDER = {"value": "price"}  # what hides a slider; the others are the kernel's

malformed_events.guard()
_component = Component("board", html='<div class="svmlab-board"></div>', css="board.css")


def display(data: dict[str, Any], key: str, on_event: Callable[[], None]) -> None:
    """Show the board. Messages arrive in ``st.session_state[key].event`` while ``on_event`` runs: {boot, seq, ops}.

    With ``data["hidden"]`` the link in the address bar is kept up to date, and two buttons project and share the page.
    """
    _component(data=encoded(data), key=key, on_event_change=on_event)


def encoded(data: dict[str, Any]) -> bytes:
    """The data as they are sent: JSON. Rules and words are left out where the browser has them, as it has spoken
    already.

    As bytes: of a dictionary Streamlit makes JSON twice, once to tell its components apart.
    """
    lasting = {} if data["ack"] else {"rules": RULES, "text": words_for_script()}
    return json.dumps(data | lasting, separators=(",", ":"), ensure_ascii=False).encode(errors="replace")


def board_data(session: Session, lab: Lab | None = None) -> dict[str, Any]:
    """The data for the board, the wire included; `lab` draws another machine on the present points."""
    history = replace(session.history, present=lab or session.lab)
    try:
        data = _drawn(session, history)
    except Exception as error:  # the points stay
        data = payload.payload(history, Outcome(None, to_svm_error(error)), None, session.projector, session.type_size)
    data["can"]["given"] = session.is_changed
    data["sliders"] = _visible_sliders(session, data["sliders"])
    if "points" in session.locked_parts:
        data["tool"] = "locked"
    film = session.board_inputs.get("film") if session.input_scopes.get("film") == session.step else None
    return data | session.wire_data() | {"frame": film and {"key": film["key"], "at": film["at"]}}


def held_out_data(session: Session) -> dict[str, Any]:
    """What comes to the data of the board where points that are held out are shown."""
    lab = session.lab
    with suppress(Exception):  # the board says it
        solution = session.outcome.solution if session.outcome else None
        return overlay(lab, held_out.cached_held_out(session.cache, lab, solution))
    return {}


def second_board_data(session: Session) -> dict[str, Any]:
    """What comes to the data of the board where a second stands beside it; nothing where none does."""
    data = second_board.pair(
        session.history, session.solve, session.cache.scene, partial(held_out.cached_held_out, session.cache)
    )
    for each in (data, data["second"]) if data else ():
        each["sliders"] = _visible_sliders(session, each["sliders"])
    return data


def _visible_sliders(session: Session, sliders: list[dict[str, Any]]) -> list[dict[str, Any]]:
    of = {each["key"]: each["key"].removeprefix(compare.OF_B) for each in sliders}
    return [each for each in sliders if SLIDER.get(of[each["key"]], "kernel") not in session.hidden_controls]


def _drawn(session: Session, history: History) -> dict[str, Any]:
    lab = history.present
    if lab.task != BINARY:
        data = payload.payload(history, None, None, session.projector, session.type_size)
        found = session.cache.task_outcome(lab) if lab.points else None
        return data | task_picture.shown(history, found) | task_picture.picture(history, found)
    outcome = session.solve(lab) if lab.points else None
    solution = outcome.solution if outcome else None
    drawn = session.cache.scene(solution, lab.view) if solution else None
    data = payload.payload(history, outcome, drawn, session.projector, session.type_size)
    pinned = session.pinned_solution
    if pinned is not None:
        data["pin"] = payload.lines(session.cache.scene(pinned, session.lab.view))
    return data

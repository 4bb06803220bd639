"""The board: the two-dimensional picture with its toolbar and legend. It draws its data and reports what people do."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from svmlab.lab.board import component, payload, second_board, task_picture
from svmlab.lab.board.component import Component
from svmlab.lab.board.held_out_points import overlay
from svmlab.lab.board.rules import RULES, words_for_script
from svmlab.lab.session import compare, held_out
from svmlab.lab.session.cache import Outcome
from svmlab.lab.session.controls import BINARY
from svmlab.lab.session.state import History, Lab
from svmlab.lab.session.tab import Session
from svmlab.lab.session.unexpected_errors import to_svm_error

SLIDER = {"value": "price"}  # the control that hides a slider with it; all other sliders belong to "kernel"

component.guard_events()
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


def board_data(session: Session, lab: Lab | None = None) -> dict[str, Any]:
    """Return the data of the board together with the wire data. `lab` draws another SVM on the present points.

    The shading and the lines f = 0 and f = +-1 are those of `svmlab.plane.contours.scene`.
    """
    history = replace(session.history, present=lab or session.lab)
    try:
        data = _drawn(session, history)
    except Exception as error:  # the points must remain visible
        data = payload.payload(history, Outcome(None, to_svm_error(error)), None, session.projector, session.type_size)
    data["can"]["reset"] = session.is_changed
    data["sliders"] = _visible_sliders(session, data["sliders"])
    if "points" in session.locked_parts:
        data["tool"] = "locked"
    film = session.board_inputs.get("film") if session.input_scopes.get("film") == session.step else None
    return data | session.wire_data() | {"filmPlace": film and {"key": film["key"], "at": film["at"]}}


def held_out_data(session: Session) -> dict[str, Any]:
    """Return what the data of the board also contain if test points are shown."""
    lab = session.lab
    with suppress(Exception):  # `board_data` has already turned the error into a message
        solution = session.outcome.solution if session.outcome else None
        return overlay(lab, held_out.cached_held_out(session.cache, lab, solution))
    return {}


def second_board_data(session: Session) -> dict[str, Any]:
    """Return what the data of the board also contain if a second board stands beside it, else an empty dictionary."""
    data = second_board.pair_data(
        session.history, session.solve, session.cache.scene, partial(held_out.cached_held_out, session.cache)
    )
    for each in (data, data["second"]) if data else ():
        each["sliders"] = _visible_sliders(session, each["sliders"])
    return data


def _visible_sliders(session: Session, sliders: list[dict[str, Any]]) -> list[dict[str, Any]]:
    setting_names = {each["key"]: each["key"].removeprefix(compare.PREFIX_OF_B) for each in sliders}
    return [each for each in sliders if SLIDER.get(setting_names[each["key"]], "kernel") not in session.hidden_controls]


def _drawn(session: Session, history: History) -> dict[str, Any]:
    lab = history.present
    if lab.task != BINARY:
        data = payload.payload(history, None, None, session.projector, session.type_size)
        outcome_of_task = session.cache.task_outcome(lab) if lab.points else None
        return (
            data | task_picture.descriptions(history, outcome_of_task) | task_picture.picture(history, outcome_of_task)
        )
    outcome = session.solve(lab) if lab.points else None
    solution = outcome.solution if outcome else None
    drawn = session.cache.scene(solution, lab.view) if solution else None
    data = payload.payload(history, outcome, drawn, session.projector, session.type_size)
    pinned = session.pinned_solution
    if pinned is not None:
        data["pin"] = payload.lines(session.cache.scene(pinned, session.lab.view))
    return data

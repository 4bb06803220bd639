"""The button with which a member hands in the board of a task that the lecturer has set to the room.

The session of the member judges the board and seals it. The browser carries it to the process of the room, which may be
another one. So no browser can change what was judged, and the room need not judge anything.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import streamlit as st

from svmlab import Solution, SvmError
from svmlab.core.arrays import Array
from svmlab.lab.board.component import Component
from svmlab.lab.room import keys
from svmlab.lab.room.task import MAX_SKETCH, Fixed, HandIn
from svmlab.lab.session import link, share
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.tab import Session
from svmlab.lab.words import N_, _
from svmlab.plane.contours import boundary

WORDS = {
    "hand": N_("Hand in"),
    "again": N_("Hand in again"),
    "sending": N_("Handing in ..."),
    "often": N_("You can hand in as often as you like. The last board counts."),
    "passed": N_("Handed in at {time} as number {n}. The goal is reached."),
    "open": N_("Handed in at {time} as number {n}. The goal is not reached yet."),
    "closed": N_("This task is closed, so your board was not handed in."),
    "changed": N_(
        "The board does not have the points of the task, so it does not pass. Undo your changes, or open the task "
        "again from the page of the room."
    ),
    "away": N_("The room cannot be reached, so your board was not handed in. Try again."),
}
GRID = 48  # grid values along a side of the board, from which a curved boundary is sketched
MAX_CORNERS, MAX_LINES = 40, 8  # of the boundary in a sketch
Lines = Sequence[Array]
Judged = tuple[bool, Lines | None]
_component = Component("hand_in", html='<div class="sv-hand-in"></div>', css="hand_in.css")


def task_of(session: Session, name: str) -> tuple[str, str] | None:
    """Return the code of the room and the id of its task, if the link of the page has one for this "page.name".

    A link in which something that the task fixes was changed has none. The points are not among that, because the
    address follows what is done on the board. `has_task_points` compares them.
    """
    asked, (code, _dot, id_) = session.link, (session.link.room or "").partition(".")
    goal = asked.goal if link.is_own_goal(name.partition(".")[2]) else None
    valid = keys.is_task_id(id_, code, Fixed(name, asked.hidden, asked.locked, asked.exam, goal))
    return (code, id_) if valid else None


def has_task_points(session: Session, task: tuple[str, str]) -> bool:
    """Return whether the board has the points that the task lends, or whether the task lends none."""
    code, id_ = task
    return keys.has_task_points(id_, code, session.lab.rows)


def show(session: Session, task: tuple[str, str], judge: Callable[[], Judged]) -> None:
    """Show the button and what was handed in last.

    task: see `task_of`. judge: returns whether the goal is reached, and the lines that were placed by hand. If these
    are None, the boundary of the present board is handed in.
    """
    code, id_ = task
    data: dict[str, Any] = {"code": code, "task": id_, "boot": session.boot}
    data["changed"] = not has_task_points(session, task)
    data["words"] = {name: _(text) for name, text in WORDS.items()}

    def said() -> None:
        event = st.session_state["hand_in"].said
        press = event.get("hand") if isinstance(event, Mapping) else None
        if isinstance(press, str) and len(press) <= 20:
            made = ticket_of(session, task, judge())
            st.session_state["hand_in_answer"] = {"ticket": made.as_json, "press": press}

    data |= st.session_state.get("hand_in_answer") or {}
    _component(data=data, key="hand_in", on_said_change=said)


def ticket_of(session: Session, task: tuple[str, str], judged: Judged, now: Callable[[], float] = time.time) -> HandIn:
    """Return the present board as it is handed in, sealed by this server."""
    passed, lines = judged
    if lines is None:
        outcome = session.outcome
        lines = boundary_of(session.lab, outcome.solution if outcome else None)
    sketch = sketch_of(session.lab, lines)
    return keys.ticket(*task, passed, int(1000 * now()), share.encode(session.lab), sketch)


def boundary_of(lab: Lab, solution: Solution | None) -> Lines:
    """Return the polylines (k, 2) of the boundary, none if there is no solution."""
    try:
        return boundary(solution, lab.view, GRID) if solution is not None else ()
    except SvmError:
        return ()


def sketch_of(lab: Lab, lines: Lines) -> str:
    """Return the points and some lines for a small drawing, as JSON in hundredths of a unit.

    {half, points: [x, y, label, ...], lines: [[x, y, x, y, ...], ...]}. Lines that are too long are left out.
    """
    points = [value for p in lab.points for value in (round(p.x / 10), round(p.y / 10), p.label)]
    for drawn in ([_corners(line) for line in lines[:MAX_LINES]], []):
        text = json.dumps({"half": round(100 * lab.view), "points": points, "lines": drawn}, separators=(",", ":"))
        if len(text) <= MAX_SKETCH:
            return text
    raise AssertionError("a board has too many points")  # pragma: no cover


def _corners(line: Array) -> list[int]:
    """Return at most MAX_CORNERS corners of a polyline (k, 2), in hundredths."""
    at = np.unique(np.linspace(0, len(line) - 1, min(len(line), MAX_CORNERS)).round().astype(int))
    return [int(value) for value in np.rint(100 * np.asarray(line)[at]).ravel()]

"""The lecturer's side of a room: opening it, the strip that stays on the page, and what the page publishes.

The browser of the lecturer keeps the key, so that it leads the room again after a reload or a restart of the server. It
has a socket of its own to the room. What is published goes from the session to the room within the process.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import streamlit as st

from svmlab.core.rich_text import rich_text
from svmlab.lab.board.component import Component
from svmlab.lab.room import keys, live_room
from svmlab.lab.room.offers import OpeningLimit
from svmlab.lab.room.room import CODE, Stop
from svmlab.lab.room.task import Fixed, Handed, Task
from svmlab.lab.session import link, share
from svmlab.lab.session.controls import BINARY
from svmlab.lab.session.tab import ClassWork, LedRoom, Session
from svmlab.lab.session.visitors import current_address, current_visitor
from svmlab.lab.streamlit_internals import rerun
from svmlab.lab.words import N_, _

PRACTICE = "practice"  # the page of tasks
MANY = 60  # boundaries, of which each is drawn more faintly
OFFERED = 8  # codes of which the browser takes the first one that leads to its own process
WORDS = {
    "open": N_("Room for the class"),
    "room": N_("Room"),
    "here": N_("{n} here"),
    "join": N_("Join at"),
    "qr": N_("QR code (Q)"),
    "picture": N_("QR code of the address"),
    "close": N_("Close the room"),
    "sure": N_("Close it for all members?"),
    "away": N_("Connecting ..."),
    "ask": N_("Ask the class"),
    "again": N_("Ask again"),
    "close_question": N_("Close the question"),
    "bars": N_("Show the bars"),
    "answered": N_("{n} of {members} answered"),
    "answer": N_("Show the answer"),
    "rounds": N_("The first number and the grey line are the round before."),
    "lost": N_("lost: {n}"),
    "slower": N_("slower: {n}"),
    "faster": N_("faster: {n}"),
    "fold": N_("Hide the bars"),
    "assistant": N_("Assistant link"),
    "copied": N_("Copied"),
    "assist": N_("Give this address to your assistant, who can close questions and take boards off the wall."),
    "refused": N_("This room could not be continued, because its key is no longer valid. Open a new room."),
    "wall": N_("Wall: {n} handed in, {passed} passed"),
    "wall_title": N_("Boards of the class"),
    "none": N_("No board has been handed in yet."),
    "sort": N_("Order"),
    "passed_first": N_("Passed first"),
    "newest_first": N_("Newest first"),
    "by_number": N_("By number"),
    "select": N_("Show"),
    "all": N_("All boards"),
    "only_passed": N_("Passed"),
    "only_open": N_("Not passed"),
    "csv": N_("Save as CSV"),
    "lines": N_("Draw all boundaries on the board"),
    "close_task": N_("Close the task"),
    "open_task": N_("Open the task again"),
    "end_task": N_("End the task"),
    "sure_task": N_("Forget all boards?"),
    "back": N_("Back"),
    "project": N_("Project board {n}, handed in at {time}"),
    "passed": N_("passed"),
    "remove": N_("Remove board {n}"),
    "columns": N_("number,passed,time,link"),
    "elsewhere": N_("No room could be opened. Try again in a minute."),
    "often": N_("Rooms were opened too often. Try again in {n} seconds."),
    "many": N_("This browser leads {n} rooms already. Close one of them first."),
}
OPENING_LIMIT = OpeningLimit()
_component = Component("room", html='<div class="sv-room"></div>', css="room.css")


@dataclass(frozen=True)
class Place:
    """Where a room can be joined: the address, its QR code as SVG, and what must be known about it.

    is_loopback: whether only this computer can open the address.
    """

    address: str
    code: str
    note: str
    is_loopback: bool


def show(session: Session, place_of: Callable[[str], Place], turn_to: Callable[[str], None]) -> None:
    """Show the strip of the room that this tab leads, or offer to open one.

    place_of: returns where the room can be joined whose path below the address of the app is given. turn_to: opens
    another page in the next run.
    """
    data: dict[str, Any] = {"process": live_room.PROCESS, "words": {name: _(text) for name, text in WORDS.items()}}
    data["open"], session.wants_room = session.wants_room, False
    session.on_drag_picture = None
    if session.room is not None:
        code = session.room.code
        place = place_of(f"r/{code}")
        data |= {"led": code, "address": place.address, "code": place.code, "note": place.note}
        data["loopback"] = place.is_loopback
        data["follows"] = _draws_lines(session)
        data["assistant"] = f"{place.address}#{keys.assistant_key(code, session.room.key)}"
        session.on_drag_picture = _publisher_of_drags(code, session.room.key)

    def said() -> None:
        before, event = session.page, st.session_state["room"].said
        if _draws_lines(session) and isinstance(event, Mapping) and event.get("follow") is True:
            rerun("board")  # it draws the lines of the class again, and an open dialog stays
            return
        answer = handle(session, event)
        if session.page != before:
            turn_to(session.page)
        st.session_state["room_answer"] = answer

    data |= st.session_state.pop("room_answer", None) or {}
    _component(data=data, key="room", on_said_change=said)


def handle(session: Session, event: Any, now: Callable[[], float] = time.time) -> dict[str, Any]:
    """Do what the browser asks for, and return what it must be told. Any other message does nothing.

    {"open": true} asks for codes, which are given sparingly. {"lead": code, "key": key, "address": query} leads a room,
    perhaps again. {"close": code} leads it no longer. {"project": number} shows a board that was handed in, and
    {"lines": true} all boundaries, both on the page of the task.
    """
    if not isinstance(event, Mapping):
        return {}
    if event.get("open") is True:
        browser = current_visitor()
        if live_room.rooms_led_by(browser) >= live_room.ROOMS_OF_A_BROWSER:
            return {"denied": ["many", live_room.ROOMS_OF_A_BROWSER]}
        if wait := OPENING_LIMIT.may_open(browser, current_address()):
            return {"denied": ["often", ceil(wait)]}
        codes = {code for code in (keys.new_code() for _code in range(OFFERED)) if code not in live_room.ROOMS}
        return {"offered": [[code, keys.key_of(code, int(now()))] for code in codes]}
    if "project" in event or "lines" in event:
        _show_class_work(session, event.get("project"))
        return {}
    code, key, address = event.get("lead"), event.get("key"), event.get("address")
    if isinstance(code, str) and CODE.fullmatch(code):
        if not keys.is_key(code, key, now()):
            return {"refused": code}
        session.room = LedRoom(code, str(key), address if isinstance(address, str) else None)
    if session.room is not None and event.get("close") == session.room.code:
        session.room = None
    return {}


def publish_stop(session: Session, stop: Stop, right: int | None = None, board_alone: bool = False) -> None:
    """Show the class where this tab is.

    right: the index of the right choice if the page shows it, else None. board_alone: whether members can open the
    board alone, because the page itself would show the answer to a question.
    """
    if session.room is not None and _is_back(session):
        board = _board_link(session) or stop.board_link
        stop = replace(stop, link=board if board_alone else stop.link, board_link=board)
        live_room.soon(session.room.code, session.room.key, lambda room: room.publish_stop(stop, right))


def publish_board(session: Session, data: Mapping[str, Any] | None) -> None:
    """Show the class the board of this tab from the data that the page shows, or no board."""
    if session.room is None or not _is_back(session):
        return
    # Written and read once, because the page may change its data later.
    board = None if data is None else json.loads(json.dumps(live_room.published_board(_with_frame(data))))
    moving = session.moving
    live_room.soon(session.room.code, session.room.key, lambda room: room.publish_board(board, moving))


def _handed_in(session: Session) -> tuple[str, str, list[Handed]]:
    """Return the page and the name of the task that is set in the room of this tab, and what was handed in for it."""
    live = live_room.ROOMS.get(session.room.code) if session.room is not None else None
    # Another key of the same code leads nothing.
    if live is None or live.room.task is None or session.room is None or live.key != session.room.key:
        return "", "", []
    page, _mark, query = live.room.task.link.partition("?")
    name = link.parse_query(query, page)[0].step or ""
    return page, name, sorted(live.room.handed.values(), key=lambda each: each.number)


def _show_class_work(session: Session, number: Any) -> None:
    """Show one board that was handed in, or with no number all boundaries, on the page of the task."""
    page, name, handed = _handed_in(session)
    selected = next((each for each in handed if type(number) is int and each.number == number), None)
    if not name or (number is not None and selected is None):
        return
    session.open_page(page)
    session.lessons.open_steps[page], session.lessons.prepared_step = name, None
    work = ClassWork(f"{page}.{name}", number, has_lines=page != PRACTICE or selected is None)
    if selected is not None and page == PRACTICE:
        made = selected.hand_in
        work = replace(work, board=share.decode(made.board), passed=made.passed, seal=made.seal)
    session.class_work = work


def _draws_lines(session: Session) -> bool:
    """Return whether the open page draws lines of the class."""
    return session.class_work is not None and session.class_work.has_lines


def class_lines(session: Session) -> list[dict[str, Any]]:
    """Return the lines of the class as items of an overlay, if they are to be shown on the open page.

    They are the boundaries of the boards that were handed in, or lines that were placed by hand.
    """
    work = session.class_work
    if work is None or not work.has_lines or work.task != session.step:
        return []
    page, name, handed = _handed_in(session)
    shown = [each for each in handed if work.number in (None, each.number) and f"{page}.{name}" == work.task]
    style = "class-line many" if len(shown) > MANY else "class-line"
    return [
        {"kind": "line", "style": style, "pts": [value / 100 for value in line]}
        for each in shown
        for line in json.loads(each.hand_in.sketch)["lines"]
    ]


def set_task(session: Session, name: str, title: str, aim: str, hide: tuple[str, ...], lock: tuple[str, ...]) -> None:
    """Set a task of the page Practice to the class.

    name: the task in links. title, aim: its words, the second in Markdown. hide, lock: what members do not see, and
    what they cannot change.
    """
    goal = session.link.goal if link.is_own_goal(name) else None
    place = link.Location(hide=hide, lock=lock, exam=bool(hide), goal=goal)
    _set_to_class(session, PRACTICE, name, title, aim, place)


def set_step(session: Session, title: str, aim: str) -> None:
    """Set the open step to the class, with the points that are on the board now."""
    page, _dot, name = session.step.partition(".")
    place = link.Location(lent=share.encode(session.lab))
    _set_to_class(session, page, name, title, aim, place, session.lab.rows)


def _set_to_class(
    session: Session, page: str, name: str, title: str, aim: str, place: link.Location, points: keys.Rows | None = None
) -> None:
    if session.room is None:
        return
    code = session.room.code
    id_ = keys.task_id(code, Fixed(f"{page}.{name}", place.hide, place.lock, place.exam, place.goal), points)
    query = link.query_string(replace(place, step=name, room=f"{code}.{id_}"))
    task = Task(id_, title, tuple(rich_text(aim)), f"{page}?{query}")
    live_room.soon(code, session.room.key, lambda room: room.publish_task(task))


def _publisher_of_drags(code: str, key: str) -> Callable[[str, str], None]:
    def publish(request: str, picture: str) -> None:
        room = live_room.ROOMS.get(code)
        if room is not None and room.key == key:
            room.publish_drag(request, picture)

    return publish


def _is_back(session: Session) -> bool:
    """Return whether the session has the board that its browser shows.

    A session that replaces a lost one has the board of its address until the browser has sent the newer one. Then it
    has handled a message.
    """
    room = session.room
    if room is None or room.address is None or session.ack > 0:
        return True
    if room.address.lstrip("?") != link.query_string(link.location_of(session)):
        return False
    session.room = replace(room, address=None)
    return True


def _board_link(session: Session) -> str:
    """Return the address of the board alone, relative to that of the app, or "" if only its step can show it."""
    return f"lab?s={share.encode(session.lab)}" if session.lab.task == BINARY else ""


def _with_frame(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the data of a board with the frame of its film, at which the lecturer is, as a part of the overlay."""
    film, place = data.get("film"), data.get("filmPlace")
    if not film:
        return data
    at = place["at"] if place and place["key"] in (None, film["key"]) else film.get("at") or 0
    frame = film["frames"][max(0, min(at, len(film["frames"]) - 1))]
    return {**data, "overlay": [*(data.get("overlay") or ()), *frame["items"]]}

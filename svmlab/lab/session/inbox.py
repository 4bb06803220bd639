"""Messages between the board of a tab and its session: what the board reports, and what every answer contains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from svmlab import BadInput
from svmlab.core.phrase import N_
from svmlab.lab.session import kept_history, link, share, state
from svmlab.lab.session.kept_notation import asked_notation
from svmlab.lab.session.lesson_state import LessonState
from svmlab.lab.session.operations import LOCKED, begin_in_notation, perform
from svmlab.lab.session.tab import BoardState, LinkState, Session

# The exceptions that a malformed operation can raise. RecursionError: its brackets are nested too deeply.
MALFORMED = (AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError)
GARBLED = N_("A message from the board could not be read and was ignored. Reload the page. The link keeps your points.")
MAX_NUMBER = 2**53  # message numbers stay below 2**53, the limit of exact integers in a browser


def wire_data(session: Session) -> dict[str, Any]:
    """Return what every answer to the board contains.

    It contains the acknowledgement, the key of the board that is shown, its link, and what belongs in the
    address.
    """
    session.rev += 1
    moves = session.history.before_drag is not None
    return {
        "rev": session.rev,
        "ack": session.ack,
        "boot": session.boot,
        "board": session.boards.shown,
        "share": share.encode(session.history.before_drag or session.lab),
        "address": link.query_string(link.location_of(session)),
        "began": None if moves else share.encode(session.boards.initial[session.boards.shown]),
        "history": None if moves else kept_history.encode(session.history),
        "unread": session.boards.own.unread_link is not None,
    }


def do(session: Session, op: Mapping[str, Any], strict: bool = False) -> None:
    """Perform one operation. A bad one changes nothing and becomes a message on the board.

    With `strict`, BadInput is raised instead.
    """
    before = session.history
    try:
        perform(session, op)
        if "points" in session.link.locked and op["op"] != "restore" and session.lab.points != before.present.points:
            session.history = before
            raise BadInput(LOCKED)
    except BadInput as error:
        if strict:
            raise
        session.show_failure(error)
    except MALFORMED:
        session.note(GARBLED)
    except Exception as error:
        session.show_failure(error)


def receive(session: Session, message: Any) -> bool:
    """Handle a message of the board once, and return whether the whole page must run and not only its fragments.

    A message that one operation causes is still shown after the operations that follow it. A message from the
    browser names its board, because the end of a drag may arrive when another board is shown already.
    """
    session.needs_full_run = False
    _receive(session, message)
    return session.needs_full_run


def _receive(session: Session, message: Any) -> None:
    if isinstance(message, Mapping) and message.get("boot") != session.boot:
        return
    seq, ops = (message.get("seq"), message.get("ops")) if isinstance(message, Mapping) else (None, None)
    if type(seq) is not int or not 0 <= seq < MAX_NUMBER or not isinstance(ops, list):
        session.note(GARBLED)
        return
    if seq <= session.ack:
        return
    session.ack = seq
    target, shown = message.get("board", session.boards.shown), session.boards.shown
    if target is not None and (not isinstance(target, str) or target not in session.boards.lent):
        return  # the lent board no longer exists
    session.boards.shown = target
    _perform_all(session, ops)
    if not any(isinstance(op, Mapping) and op.get("op") == "restore" for op in ops):
        session.boards.shown = shown


def _perform_all(session: Session, ops: list[Any]) -> None:
    note, is_success = None, False
    for op in ops:
        if not isinstance(op, Mapping):
            session.note(GARBLED)
        elif op.get("op") not in ("began", "history"):  # the browser reports these by itself, and a message stays
            session.note(None)
        if isinstance(op, Mapping):
            do(session, op)
        if not note:
            note, is_success = session.history.note, session.history.note_is_success
    if not ops:
        note, is_success = session.history.note, session.history.note_is_success
    session.note(note, touched=True, is_success=is_success)


def current_session(page: str) -> Session:
    """Return the session of this tab with `page` open.

    A new session starts from the link with which the tab was opened, in the notation of the link or of the browser.
    """
    if "lab" not in st.session_state:
        session = st.session_state["lab"] = Session(state.initial_history(), page=page)
        if st.query_params:
            link.restore(session, urlencode(st.query_params.to_dict()))
        begin_in_notation(session, asked_notation(), from_link="s" in st.query_params)
    session = st.session_state["lab"]
    session.open_page(page)
    return session


def open_afresh(session: Session, page: str, address: str) -> None:
    """Put the session into the state of a tab that opens an address of a page anew.

    The answers to other steps stay, and undo brings the own board of before back. So do the projector mode and, unless
    the address has another one, the notation.
    """
    own, answers, notation = session.boards.own, session.lessons.answers, session.view.notation
    session.open_page(page)
    session.leave_job()
    session.lessons = LessonState(answers=answers, pages=session.lessons.pages)
    session.boards, session.link, session.draft = BoardState(state.initial_history()), LinkState(), None
    link.restore(session, address)
    begin_in_notation(session, session.view.notation if "notation=" in address else notation, "s=" in address)
    opened = session.boards.own
    if not state.same_content(own.present, opened.present):
        session.boards.own = replace(opened, past=(*own.past, own.before_drag or own.present)[-200:])

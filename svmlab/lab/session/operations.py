"""The effect of an operation on a session: `state.apply` handles those of the Lab, and this module all others."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from svmlab import BadInput
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.lab.notation import Notation
from svmlab.lab.session import files, kept_history, lesson_inputs, link, share, state, table
from svmlab.lab.session.axes import Axes
from svmlab.lab.session.c_and_lambda import switch_C_and_lambda_exactly
from svmlab.lab.session.controls import BINARY, DEFAULT_TYPE_SIZE
from svmlab.lab.session.lab import Point, smallest_view
from svmlab.lab.session.state import History
from svmlab.lab.session.tab import Session

ROUNDED = N_("Some coordinates were rounded to thousandths.")
RETURN = N_("Undo brings your earlier points back.")
LOCKED = N_("The link that opened this page does not allow you to change the points.")


def perform(session: Session, op: Mapping[str, Any]) -> None:
    """Perform one operation.

    Raises BadInput if it breaks a rule, and any exception in `inbox.MALFORMED` if it is malformed.
    """
    name = str(op.get("op"))
    if name == "file":
        open_file(session, str(op["name"]), str(op["text"]))
        session.needs_full_run = session.draft is not None
    elif name in lesson_inputs.READERS:
        report = session.lessons.inputs[name] = lesson_inputs.read_input(op)
        session.lessons.dials.update(report.get("values", {}))
        session.lessons.record_scope(name, session.page, report.get("values", {}))
    elif name == "project":
        session.view.projector, session.needs_full_run = bool(op["on"]), True
        session.view.type_size = min(max(round(op.get("type", DEFAULT_TYPE_SIZE)), 12), 96)
    elif name == "notation":
        choose_notation(session, Notation(bool(op["minus_b"]), str(op["label"]), str(op["first"])))
    elif name == "turn":
        session.lessons.turn = link.read_turn(op["az"], op["el"])
        session.lessons.record_scope("turn", session.page)
    elif name == "began":  # the browser remembers the board with which this tab began
        with suppress(BadInput):  # another version may have written it, and the person has not asked for anything
            began = share.decode(str(op["share"]))
            if began.task == session.lab.task:
                session.boards.initial[session.boards.shown] = began
    elif name == "history":  # the browser kept the steps of undo and redo over a reload
        session.history = kept_history.with_kept_steps(session.history, str(op["share"]), str(op["text"]))
    elif name == "share":
        session.view.sharing, session.needs_full_run = bool(op.get("full")), True
    elif name == "restore":
        link.restore(session, str(op["share"]), op.get("points", []))
        if not session.needs_full_run:
            session.show_board(None)
    elif name == "given":
        session.history = session.history.commit(
            replace(session.boards.initial[session.boards.shown], label=session.lab.label)
        )
    else:
        session.history = state.apply(session.history, op)


def choose_notation(session: Session, notation: Notation) -> None:
    """Use a notation. If another parameter comes first, the own board shows the same SVM by that one."""
    before, own = session.view.notation.first, session.boards.own
    session.use_notation(notation)
    if notation.first not in (before, own.present.face):
        session.boards.own = own.commit(switch_C_and_lambda_exactly(own, notation.first))


def begin_in_notation(session: Session, notation: Notation, from_link: bool) -> None:
    """Begin a session in a notation. A board that no link has set is set by the first parameter."""
    session.use_notation(notation)
    own = session.boards.own
    if not from_link and notation.first != own.present.face:
        session.boards.own = History(switch_C_and_lambda_exactly(own, notation.first))
        session.boards.initial[None] = session.boards.own.present


def open_file(session: Session, name: str, content: str | bytes) -> None:
    """Put the points of a file on the board.

    A table of another form becomes a draft, from which a person chooses points. So do points that do not fit on the
    board. A file that cannot be read becomes a message.
    """
    session.draft = None
    if "points" in session.link.locked:
        session.note(LOCKED)
        return
    name = files.printable_name(name)
    try:
        text = files.text_of(name, content)
        data, draft = files.open_points(name, text, session.lab.task, session.boards.shown)
    except BadInput as error:
        session.note(error.message, touched=True)
        return
    session.draft = draft
    if data is not None:
        points, exact = files.to_thousandths(data)
        sentences: list[str] = [Phrase("Opened {name}: {m} points.", name=name, m=data.m), RETURN]
        _put_on_board(session, sentences if exact else [*sentences, ROUNDED], points)


OPENED = N_("“{name}” is open now. Undo brings your previous board back.")
UNCHANGED = N_("“{name}” has the same points and settings as your board.")


def open_kept(session: Session, name: str, board: str) -> None:
    """Put a board that the browser has kept in place of the own board. Undo brings the previous one back.

    board: the board as a link. A link that cannot be read becomes a message and changes nothing.
    """
    session.show_board(None)
    own = session.boards.own
    try:
        if "points" in session.link.locked:
            raise BadInput(LOCKED)
        lab = share.decode(board)
        if lab.task != BINARY:
            raise BadInput(link.ELSEWHERE)
    except BadInput as error:
        session.note(error.message, touched=True)
        return
    template = UNCHANGED if state.same_content(own.before_drag or own.present, lab) else OPENED
    session.history = own.commit(lab, Phrase(template, name=files.printable_name(name)))


def accept(session: Session) -> None:
    """Put the points of the draft on the board. Raises BadInput, and keeps the draft, if nothing can be put there."""
    draft = session.draft
    if draft is not None:
        prepared = table.prepare(draft)
        opened = Phrase("Opened {name}: {m} points.", name=draft.name, m=len(prepared.points))
        _put_on_board(session, [opened, RETURN], prepared.points, prepared.axes)
        session.draft = None


def _put_on_board(session: Session, sentences: list[str], points: tuple[Point, ...], axes: Axes | None = None) -> None:
    view = smallest_view(points)
    lab = replace(session.lab, points=points, axes=axes, selected=None, view=view)
    session.history = session.history.commit(lab, join_phrases(*sentences))

"""The effect of an operation on a session: `state.apply` handles those of the Lab, and this module all others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from svmlab import BadInput
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.lab.session import files, lesson_inputs, link, state
from svmlab.lab.session.controls import BINARY, EDGE
from svmlab.lab.session.files import Offer

if TYPE_CHECKING:
    from svmlab.lab.session.tab import Session

LOCKED = N_("The link that opened this page keeps the points as they are.")
DEFAULT_TYPE_SIZE = 24  # font size in px in projector mode on a screen of 1080 px: about 2.2 % of its height


def perform(session: Session, op: Mapping[str, Any]) -> None:
    """Perform one operation.

    Raises BadInput if it breaks a rule, and any exception in `tab.MALFORMED` if it is malformed.
    """
    name = str(op.get("op"))
    if name == "file":
        open_file(session, str(op["name"]), str(op["text"]))
    elif name in lesson_inputs.READERS:
        report = session.board_inputs[name] = lesson_inputs.read_input(op)
        session.dials.update(report.get("values", {}))
        session.input_scopes.update(link.input_scopes(session, name, report.get("values", {})))
    elif name == "project":
        session.projector, session.needs_full_run = bool(op["on"]), True
        session.type_size = min(max(round(op.get("type", DEFAULT_TYPE_SIZE)), 12), 96)
    elif name == "share":
        session.sharing, session.needs_full_run = bool(op.get("full")), True
    elif name == "restore":
        link.restore(session, str(op["share"]), op.get("points", []))
        if not session.needs_full_run:
            session.show_board(None)
    elif name == "given":
        session.history = session.history.commit(
            replace(session.initial_labs[session.board_key], label=session.lab.label)
        )
    else:
        session.history = state.apply(session.history, op)


def open_file(session: Session, name: str, content: str | bytes) -> None:
    """Put the points of a file on the board.

    A file whose points fit only after scaling becomes an offer. A file that cannot be read becomes a message.
    """
    session.offer = None
    if "points" in session.locked_parts:
        session.note(LOCKED)
        return
    name = files.printable_name(name)
    try:
        data = files.read_points(name, content, session.lab.task)
    except BadInput as error:
        session.note(error.message, touched=True)
        return
    if files.fits_on_board(data):
        _put_on_board(session, name, data, 1.0)
    else:
        session.offer = Offer(name, data)
        template = files.OUTSIDE if session.lab.task == BINARY else files.OUTSIDE_IN_LESSON
        session.note(Phrase(template, name=name, edge=EDGE // 1000), touched=True)


def accept(session: Session) -> None:
    """Accept the offer: put the file on the board, scaled to fit."""
    if session.offer is not None:
        _put_on_board(session, session.offer.name, session.offer.data, files.scale_factor(session.offer.data))
        session.offer = None


def _put_on_board(session: Session, name: str, data: files.PlanarData, scale: float) -> None:
    points, exact = files.to_thousandths(data, scale)
    sentences: list[str] = [Phrase("Opened {name}: {m} points.", name=name, m=data.m)]
    if scale != 1:
        sentences.append(Phrase("All coordinates were multiplied by {factor}.", factor=f"{scale:g}"))
    if not exact:
        sentences.append(N_("Some coordinates were rounded to thousandths."))
    lab = replace(session.lab, points=points, selected=None, view=state.smallest_view(points))
    session.history = session.history.commit(lab, join_phrases(*sentences))

"""Convert a session to an address and back.

The address lets a session survive a reload, Back, a restarted server or a sleeping phone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from svmlab.core.errors import BadInput, quoted
from svmlab.core.phrase import N_, join_phrases
from svmlab.lab.session import share, state
from svmlab.lab.session.controls import BINARY, CONTROLS
from svmlab.lab.session.location import Answer, Location, decode_pick, encode_pick, parse_query
from svmlab.lab.session.machine import SVM_SETTING_NAMES
from svmlab.lab.session.state import History, Lab

if TYPE_CHECKING:
    from svmlab.lab.session.tab import Session

ELSEWHERE = N_(
    "This link is of a board with several classes or with values, which stands in its lesson and not by itself."
)
SAME = "same"  # the pinned fit has the settings and the points of the board


def location_of(session: Session) -> Location:
    """Return the location that describes the session. A drag that has not ended is not part of it yet."""
    own = session.own_history.before_drag or session.own_history.present
    present = session.history.before_drag or session.lab
    answer, prefix = session.answers.get(session.step, Answer()), f"{session.page}."
    hand, film, scopes = session.board_inputs.get("hand"), session.board_inputs.get("film"), session.input_scopes
    # If the link could not be read, the address keeps describing points that are not on the board.
    unread = session.board_key is None and session.own_history.unread_link is not None
    own_link, link = share.encode(own), share.encode(present)
    lent = session.board_key is not None and session.given_links.get(session.board_key) != (own_link, link)
    return Location(
        step=session.open_steps.get(session.page),
        choice=answer.choice,
        shown=answer.shown,
        dials={key: v for key, v in session.dials.items() if scopes.get(f"dial {key}") == session.page},
        picks={key.removeprefix(prefix): v for key, v in session.picks.items() if key.startswith(prefix)},
        line=(*hand["a"], *hand["b"]) if hand and scopes.get("hand") == session.page else None,
        film=film["at"] if film and scopes.get("film") == session.step else None,
        select=None
        if unread
        else next((row for row, p in enumerate(present.points) if p.id == present.selected), None),
        pin=_encode_pin(session.pinned_lab, own, session.own_history.unread_link is not None)
        if session.pinned_lab
        else None,
        hide=session.hidden_controls,
        lock=session.locked_parts,
        own=session.own_history.unread_link or own_link,
        lent=link if lent else None,
    )


def input_scopes(session: Session, name: str, values: Mapping[str, Any]) -> dict[str, str]:
    """Return the scope of each input that the board keeps beside the Lab.

    The scope of a dial and of the line is a page, and the scope of a film is a step.
    """
    scope = session.step if name == "film" else session.page
    return {f"dial {key}": scope for key in values} if name == "dial" else {name: scope}


def restore(session: Session, address: str, visible_points: Any = ()) -> None:
    """Put the session into the state that an address describes.

    What the address says about the board of a step is kept until that board is shown (`Session.show_board`).

    drawn: the points that the browser shows, used if the server cannot read the link. Raises as `history_from_link`
    does.
    """
    place, notes = parse_query(address if "=" in address else f"s={quote(address)}")
    if place.own is not None:
        session.own_history = history_from_link(place.own, visible_points)
    session.initial_labs[None], session.board_key, session.prepared_step = session.own_history.present, None, None
    session.needs_full_run |= place.step is not None or (place.hide, place.lock) != (
        session.hidden_controls,
        session.locked_parts,
    )
    session.hidden_controls, session.locked_parts = place.hide, place.lock
    if place.pin is not None:
        try:
            session.pinned_lab = _decode_pin(place.pin, session.own_history.present)
        except BadInput as error:
            notes.append(error.message)
    _restore_inputs(session, place)
    session.pending_from_link = place.select, join_phrases(session.own_history.note or "", *notes)
    if place.lent is not None and place.step is not None:
        try:
            _restore_lent_board(session, place.lent)
        except BadInput as error:
            session.pending_from_link = place.select, join_phrases(session.pending_from_link[1], error.message)


def _restore_inputs(session: Session, place: Location) -> None:
    """Restore the step, its answer, and the inputs that the board keeps beside the Lab."""
    page, inputs = session.page, session.board_inputs
    if place.step is not None:
        session.open_steps[page] = place.step
        session.answers[session.step] = Answer(place.choice, place.shown)
    session.dials.update(place.dials)
    session.input_scopes.update(input_scopes(session, "dial", place.dials))
    session.picks.update({f"{page}.{name}": value for name, value in place.picks.items()})
    if place.line is not None:
        inputs["hand"] = {"op": "hand", "live": False, "a": list(place.line[:2]), "b": list(place.line[2:])}
        session.input_scopes["hand"] = page
    if place.film is not None:
        inputs["film"] = {"op": "film", "live": False, "key": None, "at": place.film}
        session.input_scopes["film"] = session.step


def _restore_lent_board(session: Session, link: str) -> None:
    """Show the lent board of the step as the link describes it."""
    lab, name = share.decode(link), session.step
    session.lent_histories[name], session.initial_labs[name] = History(lab, touched=True), lab
    session.given_links.pop(name, None)
    session.prepared_step = name
    session.show_board(name)


def _encode_pin(pin: Lab, own: Lab, unread: bool) -> str:
    """Return the pinned fit as a link stores it.

    If it has the points of the own board, only the settings that differ are stored. If it has other points, or if one
    of these settings is a text, the whole Lab is stored.
    """
    if unread or [p[1:] for p in pin.points] != [p[1:] for p in own.points]:
        return share.encode(pin)
    differing = {name: getattr(pin, name) for name in SVM_SETTING_NAMES if getattr(pin, name) != getattr(own, name)}
    if any(CONTROLS[name].read for name in differing):  # a text may contain "," or ":"
        return share.encode(pin)
    return ",".join(f"{name}:{encode_pick(value)}" for name, value in differing.items()) or SAME


def _decode_pin(text: str, own: Lab) -> Lab:
    """Return the fit that `_encode_pin` stored. Raises BadInput that names the setting and the rule."""
    if text[:1].isdigit():
        return share.decode(text)
    if text == SAME:
        return own
    settings = {}
    for part in text.split(","):
        name, _colon, value = part.partition(":")
        if name not in SVM_SETTING_NAMES:
            raise BadInput("The link pins a fit by {name}, which is no setting of a machine.", name=quoted(name))
        settings[name] = CONTROLS[name].check(_value(value))
    return replace(own, **settings)


def _value(text: str) -> Any:
    try:
        return decode_pick(text)
    except ValueError:
        return text


def history_from_link(link: str, visible_points: Any = ()) -> History:
    """Return the history that starts with the Lab of a link.

    If the link cannot be read, the history starts with the points in `drawn` and a message.

    drawn: rows [id, x, y, label]. Raises BadInput, TypeError or ValueError if they are needed and are not valid
    points.
    """
    try:
        lab = share.decode(link)
        if lab.task != BINARY:
            raise BadInput(ELSEWHERE)
        return History(lab, touched=True)
    except BadInput as error:
        points = state.apply(History(Lab()), {"op": "points", "points": visible_points}).present.points
        note = join_phrases(error.message, share.KEPT if points else share.EMPTY)
        return History(
            replace(Lab(), points=points, view=state.smallest_view(points)), note=note, touched=True, unread_link=link
        )

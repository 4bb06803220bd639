"""A session as an address, and an address as a session: what survives a reload, Back, a killed server, a sleeping
phone.
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
from svmlab.lab.session.machine import NAMES
from svmlab.lab.session.state import History, Lab

if TYPE_CHECKING:
    from svmlab.lab.session.tab import Session

ELSEWHERE = N_(
    "This link is of a board with several classes or with values, which stands in its lesson and not by itself."
)
SAME = "same"  # a pinned fit of the machine and the points that are on the board


def location_of(session: Session) -> Location:
    """Where the session is. A drag that goes on is not in it yet."""
    own, stands = (
        session.own_history.before_drag or session.own_history.present,
        session.history.before_drag or session.lab,
    )
    answer, within = session.answers.get(session.step, Answer()), f"{session.page}."
    hand, film, turned = session.board_inputs.get("hand"), session.board_inputs.get("film"), session.input_scopes
    unread = (
        session.board_key is None and session.own_history.unread_link is not None
    )  # then the address speaks of other points
    own_link, link = share.encode(own), share.encode(stands)
    lent = session.board_key is not None and session.given_links.get(session.board_key) != (own_link, link)
    return Location(
        step=session.open_steps.get(session.page),
        choice=answer.choice,
        shown=answer.shown,
        dials={key: v for key, v in session.dials.items() if turned.get(f"dial {key}") == session.page},
        picks={key.removeprefix(within): v for key, v in session.picks.items() if key.startswith(within)},
        line=(*hand["a"], *hand["b"]) if hand and turned.get("hand") == session.page else None,
        film=film["at"] if film and turned.get("film") == session.step else None,
        select=None if unread else next((row for row, p in enumerate(stands.points) if p.id == stands.selected), None),
        pin=_encode_pin(session.pinned_lab, own, session.own_history.unread_link is not None)
        if session.pinned_lab
        else None,
        hide=session.hidden_controls,
        lock=session.locked_parts,
        own=session.own_history.unread_link or own_link,
        lent=link if lent else None,
    )


def input_scopes(session: Session, name: str, values: Mapping[str, Any]) -> dict[str, str]:
    """Where what the board keeps beside the Lab was done: dials and the line on a page, a film in a step."""
    where = session.step if name == "film" else session.page
    return {f"dial {key}": where for key in values} if name == "dial" else {name: where}


def restore(session: Session, address: str, drawn: Any = ()) -> None:
    """Be where an address says. What it says of the board that will stand is said when it does (`Session.stand`).

    drawn: points that the browser shows, for a server that cannot read the link. Raises as `linked` does.
    """
    found, notes = parse_query(address if "=" in address else f"s={quote(address)}")
    if found.own is not None:
        session.own_history = history_from_link(found.own, drawn)
    session.initial_labs[None], session.board_key, session.prepared_step = session.own_history.present, None, None
    session.needs_full_run |= found.step is not None or (found.hide, found.lock) != (
        session.hidden_controls,
        session.locked_parts,
    )
    session.hidden_controls, session.locked_parts = found.hide, found.lock
    if found.pin is not None:
        try:
            session.pinned_lab = _decode_pin(found.pin, session.own_history.present)
        except BadInput as error:
            notes.append(error.message)
    _where(session, found)
    session.pending_from_link = found.select, join_phrases(session.own_history.note or "", *notes)
    if found.lent is not None and found.step is not None:
        try:
            _lend(session, found.lent)
        except BadInput as error:
            session.pending_from_link = found.select, join_phrases(session.pending_from_link[1], error.message)


def _where(session: Session, found: Location) -> None:
    """Step, answer, and what was done with the hand."""
    page, aside = session.page, session.board_inputs
    if found.step is not None:
        session.open_steps[page] = found.step
        session.answers[session.step] = Answer(found.choice, found.shown)
    session.dials.update(found.dials)
    session.input_scopes.update(input_scopes(session, "dial", found.dials))
    session.picks.update({f"{page}.{name}": value for name, value in found.picks.items()})
    if found.line is not None:
        aside["hand"] = {"op": "hand", "live": False, "a": list(found.line[:2]), "b": list(found.line[2:])}
        session.input_scopes["hand"] = page
    if found.film is not None:
        aside["film"] = {"op": "film", "live": False, "key": None, "at": found.film}
        session.input_scopes["film"] = session.step


def _lend(session: Session, link: str) -> None:
    """The step's board as it was left."""
    lab, name = share.decode(link), session.step
    session.lent_histories[name], session.initial_labs[name] = History(lab, touched=True), lab
    session.given_links.pop(name, None)
    session.prepared_step = name
    session.show_board(name)


def _encode_pin(pin: Lab, own: Lab, unread: bool) -> str:
    """The pinned fit: on the points of the own board the settings that are others, else, or where one is a text, the
    whole of it.
    """
    if unread or [p[1:] for p in pin.points] != [p[1:] for p in own.points]:
        return share.encode(pin)
    others = {name: getattr(pin, name) for name in NAMES if getattr(pin, name) != getattr(own, name)}
    if any(CONTROLS[name].read for name in others):  # a text may hold what separates settings
        return share.encode(pin)
    return ",".join(f"{name}:{encode_pick(value)}" for name, value in others.items()) or SAME


def _decode_pin(said: str, own: Lab) -> Lab:
    """The fit that `_pin` wrote. Raises BadInput naming the setting and the rule."""
    if said[:1].isdigit():
        return share.decode(said)
    if said == SAME:
        return own
    settings = {}
    for part in said.split(","):
        name, _colon, value = part.partition(":")
        if name not in NAMES:
            raise BadInput("The link pins a fit by {name}, which is no setting of a machine.", name=quoted(name))
        settings[name] = CONTROLS[name].check(_value(value))
    return replace(own, **settings)


def _value(said: str) -> Any:
    try:
        return decode_pick(said)
    except ValueError:
        return said


def history_from_link(link: str, drawn: Any = ()) -> History:
    """The history that a link starts; one that cannot be read leaves the points that are `drawn`, with a message.

    drawn: rows [id, x, y, label]. Raises BadInput, TypeError or ValueError where they are needed and no points.
    """
    try:
        lab = share.decode(link)
        if lab.task != BINARY:
            raise BadInput(ELSEWHERE)
        return History(lab, touched=True)
    except BadInput as error:
        points = state.apply(History(Lab()), {"op": "points", "points": drawn}).present.points
        said = join_phrases(error.message, share.KEPT if points else share.EMPTY)
        return History(
            replace(Lab(), points=points, view=state.smallest_view(points)), note=said, touched=True, unread_link=link
        )

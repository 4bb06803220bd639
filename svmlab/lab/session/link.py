"""A session as an address, and an address as a session: what survives a reload, Back, a killed server, a sleeping phone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from svmlab.core.errors import BadInput, quoted
from svmlab.core.phrase import N_, together
from svmlab.lab.session import share, state
from svmlab.lab.session.controls import BINARY, CONTROLS
from svmlab.lab.session.location import Answer, Place, picked, read, written
from svmlab.lab.session.machine import NAMES
from svmlab.lab.session.state import History, Lab

if TYPE_CHECKING:
    from svmlab.lab.session.tab import Session

ELSEWHERE = N_(
    "This link is of a board with several classes or with values, which stands in its lesson and not by itself."
)
SAME = "same"  # a pinned fit of the machine and the points that are on the board


def place(session: Session) -> Place:
    """Where the session is. A drag that goes on is not in it yet."""
    own, stands = session.own.held or session.own.present, session.history.held or session.lab
    answer, within = session.answers.get(session.step, Answer()), f"{session.page}."
    hand, film, turned = session.aside.get("hand"), session.aside.get("film"), session.turned
    unread = session.on is None and session.own.unread is not None  # then the address speaks of other points
    own_link, link = share.encode(own), share.encode(stands)
    lent = session.on is not None and session.given.get(session.on) != (own_link, link)
    return Place(
        step=session.steps.get(session.page),
        choice=answer.choice,
        shown=answer.shown,
        dials={key: v for key, v in session.dials.items() if turned.get(f"dial {key}") == session.page},
        picks={key.removeprefix(within): v for key, v in session.picks.items() if key.startswith(within)},
        line=(*hand["a"], *hand["b"]) if hand and turned.get("hand") == session.page else None,
        film=film["at"] if film and turned.get("film") == session.step else None,
        select=None if unread else next((row for row, p in enumerate(stands.points) if p.id == stands.selected), None),
        pin=_pin(session.pin, own, session.own.unread is not None) if session.pin else None,
        hide=session.hides,
        lock=session.locks,
        own=session.own.unread or own_link,
        lent=link if lent else None,
    )


def turned(session: Session, name: str, values: Mapping[str, Any]) -> dict[str, str]:
    """Where what the board keeps beside the Lab was done: dials and the line on a page, a film in a step."""
    where = session.step if name == "film" else session.page
    return {f"dial {key}": where for key in values} if name == "dial" else {name: where}


def adopt(session: Session, address: str, drawn: Any = ()) -> None:
    """Be where an address says. What it says of the board that will stand is said when it does (`Session.stand`).

    drawn: points that the browser shows, for a server that cannot read the link. Raises as `linked` does.
    """
    found, notes = read(address if "=" in address else f"s={quote(address)}")
    if found.own is not None:
        session.own = linked(found.own, drawn)
    session.first[None], session.on, session.settled = session.own.present, None, None
    session.whole |= found.step is not None or (found.hide, found.lock) != (session.hides, session.locks)
    session.hides, session.locks = found.hide, found.lock
    if found.pin is not None:
        try:
            session.pin = _pinned(found.pin, session.own.present)
        except BadInput as error:
            notes.append(error.said)
    _where(session, found)
    session.upon = found.select, together(session.own.note or "", *notes)
    if found.lent is not None and found.step is not None:
        try:
            _lend(session, found.lent)
        except BadInput as error:
            session.upon = found.select, together(session.upon[1], error.said)


def _where(session: Session, found: Place) -> None:
    """Step, answer, and what was done with the hand."""
    page, aside = session.page, session.aside
    if found.step is not None:
        session.steps[page] = found.step
        session.answers[session.step] = Answer(found.choice, found.shown)
    session.dials.update(found.dials)
    session.turned.update(turned(session, "dial", found.dials))
    session.picks.update({f"{page}.{name}": value for name, value in found.picks.items()})
    if found.line is not None:
        aside["hand"] = {"op": "hand", "live": False, "a": list(found.line[:2]), "b": list(found.line[2:])}
        session.turned["hand"] = page
    if found.film is not None:
        aside["film"] = {"op": "film", "live": False, "key": None, "at": found.film}
        session.turned["film"] = session.step


def _lend(session: Session, link: str) -> None:
    """The step's board as it was left."""
    lab, name = share.decode(link), session.step
    session.lent[name], session.first[name] = History(lab, touched=True), lab
    session.given.pop(name, None)
    session.settled = name
    session.stand(name)


def _pin(pin: Lab, own: Lab, unread: bool) -> str:
    """The pinned fit: on the points of the own board the settings that are others, else, or where one is a text, the whole of it."""
    if unread or [p[1:] for p in pin.points] != [p[1:] for p in own.points]:
        return share.encode(pin)
    others = {name: getattr(pin, name) for name in NAMES if getattr(pin, name) != getattr(own, name)}
    if any(CONTROLS[name].read for name in others):  # a text may hold what separates settings
        return share.encode(pin)
    return ",".join(f"{name}:{written(value)}" for name, value in others.items()) or SAME


def _pinned(said: str, own: Lab) -> Lab:
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
        return picked(said)
    except ValueError:
        return said


def linked(link: str, drawn: Any = ()) -> History:
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
        said = together(error.said, share.KEPT if points else share.EMPTY)
        return History(replace(Lab(), points=points, view=state.fit(points)), note=said, touched=True, unread=link)

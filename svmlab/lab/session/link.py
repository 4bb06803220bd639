"""The address of a page: what it describes (a Location), and how a session becomes an address and is restored from it.

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
from svmlab.lab.session.machine import SVM_SETTING_NAMES
from svmlab.lab.session.state import History, Lab

if TYPE_CHECKING:
    from svmlab.lab.session.tab import Session
import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from svmlab.core.phrase import Phrase
from svmlab.lab.session.lesson_inputs import LARGE, MAX_COORDINATE

PickValue = int | float | str | bool
Line = tuple[float, float, float, float]

NOTHING = N_("The link says {name} = {value}, which means nothing here: it is left out.")
STEP = re.compile(r"[a-z0-9-]{1,40}")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
PICK = "pick."
MAX_ENTRIES = 40  # the largest number of dials, and of options beside charts
HIDEABLE = ("data", "kernel", "price", "hard", "bias", "pin", "more")  # the controls that a link can hide
LOCKS = ("points",)  # the parts that a link can lock
FOREIGN = ("embed", "embed_options")  # parameters of Streamlit itself


@dataclass(frozen=True)
class Answer:
    """The answer to the question of a step: the choice that is marked, and whether the right answer is shown."""

    choice: int | None = None
    shown: bool = False


@dataclass(frozen=True)
class Location:
    """Everything that an address describes. A field that is None or empty is not in the address.

    choice: the index of the choice in the step's question, from 0. line: the handles (x, y, x, y) placed by hand.
    film: the number of a frame. select: the row of the selected point, from 0. pin: the pinned fit (see link.py).
    hide: names from HIDEABLE. lock: names from LOCKS. own, lent: the person's board and the one that a step lent, as
    links of share.py that are not read yet.
    """

    step: str | None = None
    choice: int | None = None
    shown: bool = False
    dials: Mapping[str, float] = field(default_factory=dict)
    picks: Mapping[str, PickValue] = field(default_factory=dict)
    line: Line | None = None
    film: int | None = None
    select: int | None = None
    pin: str | None = None
    hide: tuple[str, ...] = ()
    lock: tuple[str, ...] = ()
    own: str | None = None
    lent: str | None = None


def query_string(place: Location) -> str:
    """Return the location as the query string of an address, always in the same order.

    A dial or an option whose name does not match NAME is left out.
    """
    parameters: list[tuple[str, str]] = []
    if place.step is not None:
        parameters.append(("step", place.step))
    if place.choice is not None:
        parameters.append(("choice", str(place.choice + 1)))
    if place.shown:
        parameters.append(("shown", "1"))
    parameters += [(key, _short(place.dials[key])) for key in sorted(place.dials) if _is_dial(key)]
    parameters += [(PICK + key, encode_pick(place.picks[key])) for key in sorted(place.picks) if NAME.fullmatch(key)]
    if place.line is not None:
        parameters.append(("line", ",".join(map(_short, place.line))))
    if place.film is not None:
        parameters.append(("film", str(place.film)))
    if place.select is not None:
        parameters.append(("select", str(place.select + 1)))
    for name, values in (("hide", place.hide), ("lock", place.lock)):
        parameters += [(name, ",".join(values))] if values else []
    for name, link in (("pin", place.pin), ("b", place.lent), ("s", place.own)):
        parameters += [(name, link)] if link is not None else []
    return "&".join(f"{name}={quote(value, safe=',:-_.')}" for name, value in parameters)


def parse_query(address: str) -> tuple[Location, list[str]]:
    """Return the location that an address describes, and a sentence for each part that cannot be read."""
    place, notes = Location(), list[str]()
    for name, value in parse_qsl(address.lstrip("?"), keep_blank_values=True)[: 3 * MAX_ENTRIES]:
        if name in FOREIGN:
            continue
        try:
            place = _with_parameter(place, name, value)
        except ValueError:
            notes.append(Phrase(NOTHING, name=quoted(name), value=quoted(value)))
    return place, notes


def is_lab_address(address: str) -> bool:
    """Return whether an address at "/" is an old address of the Lab.

    The Lab stood at "/" before there was a first screen. The first screen's own addresses name a step.
    """
    names = {name for name, _value in parse_qsl(address.lstrip("?"), keep_blank_values=True)}
    return "step" not in names and not names.isdisjoint(READERS)


def _with_parameter(place: Location, name: str, value: str) -> Location:
    """Return the location with one more parameter. Raises ValueError if the parameter cannot be read."""
    if name in READERS:
        field_, reader = READERS[name]
        return replace(place, **{field_: reader(value)})
    if name.startswith(PICK) and NAME.fullmatch(name[len(PICK) :]) and len(place.picks) < MAX_ENTRIES:
        return replace(place, picks={**place.picks, name[len(PICK) :]: decode_pick(value)})
    if _is_dial(name) and len(place.dials) < MAX_ENTRIES:
        return replace(place, dials={**place.dials, name: _number(value, LARGE)})
    raise ValueError(name)


def _is_dial(name: str) -> bool:
    return bool(NAME.fullmatch(name)) and name not in READERS and name not in FOREIGN


def _short(value: float) -> str:
    """Return the shorter of two decimals, if it is read as the same number, else the exact one."""
    return next(s for s in (f"{value:g}", repr(value)) if float(s) == value)


def encode_pick(value: PickValue) -> str:
    """Return a word as it is, and anything else as JSON, also a word that would be read as a number or truth value."""
    return value if isinstance(value, str) and decode_pick(value) == value else json.dumps(value)


def decode_pick(value: str) -> PickValue:
    """Return the value that `encode_pick` wrote.

    Raises ValueError for anything but a number, a word or a truth value.
    """
    if len(value) > 200:
        raise ValueError(value)
    try:
        decoded: Any = json.loads(value)
    except (ValueError, RecursionError):
        return value
    if isinstance(decoded, int | float | str) and (isinstance(decoded, str) or abs(decoded) <= LARGE):
        return decoded
    raise ValueError(value)


def _number(value: str, most: float) -> float:
    number = float(value)
    if not abs(number) <= most:
        raise ValueError(value)
    return number


def _from_zero(value: str, least: int = 1) -> int:
    """Return a whole number that is written counted from `least`, as counted from 0."""
    if not re.fullmatch(r"[0-9]{1,9}", value) or int(value) < least:
        raise ValueError(value)
    return int(value) - least


def _step(value: str) -> str:
    if not STEP.fullmatch(value):
        raise ValueError(value)
    return value


def _shown(value: str) -> bool:
    if value not in ("0", "1"):
        raise ValueError(value)
    return value == "1"


def _line(value: str) -> Line:
    ax, ay, bx, by = (_number(part, MAX_COORDINATE) for part in value.split(","))
    if math.dist((ax, ay), (bx, by)) < 1e-6:
        raise ValueError(value)
    return ax, ay, bx, by


def _among(options: tuple[str, ...]) -> Callable[[str], tuple[str, ...]]:
    def reader(value: str) -> tuple[str, ...]:
        names = value.split(",")
        if not set(names) <= set(options):
            raise ValueError(value)
        return tuple(name for name in options if name in names)

    return reader


READERS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "step": ("step", _step),
    "choice": ("choice", _from_zero),
    "shown": ("shown", _shown),
    "line": ("line", _line),
    "film": ("film", lambda value: _from_zero(value, 0)),
    "select": ("select", _from_zero),
    "hide": ("hide", _among(HIDEABLE)),
    "lock": ("lock", _among(LOCKS)),
    "pin": ("pin", str),
    "b": ("lent", str),
    "s": ("own", str),
}


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

    visible_points: the points that the browser shows, used if the server cannot read the link. Raises as
    `history_from_link` does.
    """
    place, messages = parse_query(address if "=" in address else f"s={quote(address)}")
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
            messages.append(error.message)
    _restore_inputs(session, place)
    session.pending_from_link = place.select, join_phrases(session.own_history.note or "", *messages)
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

    If the link cannot be read, the history starts with the points in `visible_points` and a message.

    visible_points: rows [id, x, y, label]. Raises BadInput, TypeError or ValueError if they are needed and are not
    valid points.
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

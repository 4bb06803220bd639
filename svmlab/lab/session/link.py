"""The address of a page: what it describes (a Location), and how a session becomes an address and is restored from it.

The address lets a session survive a reload, Back, a restarted server or a sleeping phone.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl, quote

from svmlab.core.errors import BadInput, quoted
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.lab.notation import USUAL, Notation
from svmlab.lab.session import share, state
from svmlab.lab.session.address_names import FOREIGN, PICK, RENAMED_DIALS, RESERVED
from svmlab.lab.session.controls import BINARY, CONTROLS
from svmlab.lab.session.lab import Lab, smallest_view
from svmlab.lab.session.lesson_inputs import LARGE, MAX_COORDINATE
from svmlab.lab.session.lesson_state import Answer, PickValue
from svmlab.lab.session.state import History
from svmlab.lab.session.svm_settings import SVM_SETTING_NAMES
from svmlab.lab.session.tab import Filters, LinkState, Session

Line = tuple[float, float, float, float]
Turn = tuple[float, float]

NOTHING = N_("The link has {name} = {value}, which has no meaning here. It was left out.")
STEP = re.compile(r"[a-z0-9-]{1,40}")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
MAKE_GOAL = "make"  # the step of the page Practice with the form for a goal
ROOM = re.compile(r"[2-9A-Z]{4}\.[0-9a-f]{40}")
OWN_GOAL = "own"  # the step of the page Practice that opens the goal in the address, alone or before a hyphen
MAX_ENTRIES = 40  # the largest number of dials, and of options beside charts
HIDEABLE = ("data", "kernel", "price", "hard", "bias", "pin", "more")  # the controls that a link can hide
LOCKS = ("points",)  # the parts that a link can lock
BOARD, STEP_ALONE, QUESTIONS, ANSWERS = "board", "step", "questions", "answers"
# What a link can show alone: the board, a step without menus, a lesson on paper without and with its answers.
ALONE = (BOARD, STEP_ALONE, QUESTIONS, ANSWERS)
MAX_ANGLE = 10.0  # radians
MAX_QUERY = 100  # characters of a search


@dataclass(frozen=True)
class Location:
    """Everything that an address describes. A field that is None or empty is not in the address.

    choice: the index of the choice in the step's question, from 0. line: the handles (x, y, x, y) placed by hand.
    film: the number of a frame. select: the row of the selected point, from 0. pin: the pinned fit (see link.py).
    hide: names from HIDEABLE. lock: names from LOCKS. projector: in projector mode. exam: nothing offers to show what
    is hidden. only: one of ALONE. room: the room and the id of its task, as "CODE.id". tab: the open tab under the
    board of the Lab. turn: azimuth and elevation in radians from which raised points are seen. search, lesson,
    verdict: the fields of Filters. own, lent: the person's board and the one that a step lent, as links of share.py
    that are not read yet. goal: a goal that somebody has made, as `Goal.to_link` writes it, not read yet either.
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
    projector: bool = False
    exam: bool = False
    only: str | None = None
    room: str | None = None
    tab: str | None = None
    turn: Turn | None = None
    search: str = ""
    lesson: str | None = None
    verdict: str | None = None
    own: str | None = None
    lent: str | None = None
    goal: str | None = None
    notation: Notation = USUAL

    @property
    def filters(self) -> Filters:
        """Return what the page Statements lists."""
        return Filters(self.search, self.lesson, self.verdict)


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
    parameters += [("notation", place.notation.as_word)] if place.notation != USUAL else []
    for name, is_set in (("projector", place.projector), ("exam", place.exam)):
        parameters += [(name, "1")] if is_set else []
    words = {"only": place.only, "room": place.room, "tab": place.tab, "q": place.search or None}
    words |= {"lesson": place.lesson, "verdict": place.verdict}
    for name, text in words.items():
        parameters += [(name, text)] if text is not None else []
    if place.turn is not None:
        parameters.append(("turn", ",".join(f"{angle:.2f}" for angle in place.turn)))
    for name, link in (("goal", place.goal), ("pin", place.pin), ("b", place.lent), ("s", place.own)):
        parameters += [(name, link)] if link is not None else []
    return "&".join(f"{name}={quote(value, safe=',:-_.')}" for name, value in parameters)


def parse_query(address: str, page: str = "") -> tuple[Location, list[str]]:
    """Return the location that an address of a page describes, and a sentence for each part that cannot be read."""
    place, notes = Location(), list[str]()
    for name, value in parse_qsl(address.lstrip("?"), keep_blank_values=True)[: 3 * MAX_ENTRIES]:
        if name in FOREIGN:
            continue
        try:
            place = _with_parameter(place, _present_name(name, value, page), value)
        except ValueError:
            notes.append(Phrase(NOTHING, name=quoted(name), value=quoted(value)))
        else:
            options = {"hide": HIDEABLE, "lock": LOCKS}.get(name)
            unknown = [each for each in value.split(",") if each not in options] if options else []
            notes += [Phrase(NOTHING, name=quoted(name), value=quoted(each)) for each in unknown]
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


def _present_name(name: str, value: str, page: str) -> str:
    """Return the present name of a dial that an old link names, and any other name as it is.

    The value of a dial is one number, so a direction such as turn=0.6,0.36 is no dial.
    """
    try:
        float(value)
    except ValueError:
        return name
    return RENAMED_DIALS.get(page, {}).get(name, name)


def is_own_goal(step: str | None) -> bool:
    """Return whether a step of the page Practice is a goal that somebody has made, which the address holds itself."""
    return step is not None and step.partition("-")[0] == OWN_GOAL


def _is_dial(name: str) -> bool:
    return bool(NAME.fullmatch(name)) and name not in RESERVED


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


def _from_zero(value: str, first: int = 1) -> int:
    """Return a whole number that is written counted from `first`, as counted from 0."""
    if not re.fullmatch(r"[0-9]{1,9}", value) or int(value) < first:
        raise ValueError(value)
    return int(value) - first


def _step(value: str) -> str:
    if not STEP.fullmatch(value):
        raise ValueError(value)
    return value


def _shown(value: str) -> bool:
    if value not in ("0", "1"):
        raise ValueError(value)
    return value == "1"


def _flag(value: str) -> bool:
    """Return whether a flag is set, which may have no value: ?projector."""
    return value == "" or _shown(value)


def _one_of(options: tuple[str, ...]) -> Callable[[str], str]:
    def reader(value: str) -> str:
        if value not in options:
            raise ValueError(value)
        return value

    return reader


def _word(value: str) -> str:
    if not re.fullmatch("[a-z]{1,20}", value):
        raise ValueError(value)
    return value


def _room(value: str) -> str:
    if not ROOM.fullmatch(value):
        raise ValueError(value)
    return value


def _turn(value: str) -> Turn:
    azimuth, elevation = map(float, value.split(","))
    return read_turn(azimuth, elevation)


def read_turn(azimuth: float, elevation: float) -> Turn:
    """Return a direction in radians. Raises ValueError if it is none."""
    if not (abs(azimuth) <= MAX_ANGLE and abs(elevation) <= MAX_ANGLE):
        raise ValueError(azimuth, elevation)
    return float(azimuth), float(elevation)


def _search(value: str) -> str:
    if not value.strip() or len(value) > MAX_QUERY:
        raise ValueError(value)
    return value


def _line(value: str) -> Line:
    ax, ay, bx, by = (_number(part, MAX_COORDINATE) for part in value.split(","))
    if math.dist((ax, ay), (bx, by)) < 1e-6:
        raise ValueError(value)
    return ax, ay, bx, by


def _among(options: tuple[str, ...]) -> Callable[[str], tuple[str, ...]]:
    def reader(value: str) -> tuple[str, ...]:
        """Return the names that are known, each on its own, so that one mistake does not show everything."""
        known = tuple(name for name in options if name in value.split(","))
        if not known:
            raise ValueError(value)
        return known

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
    "notation": ("notation", Notation.of_word),
    "projector": ("projector", _flag),
    "exam": ("exam", _flag),
    "only": ("only", _one_of(ALONE)),
    "room": ("room", _room),
    "tab": ("tab", _word),
    "turn": ("turn", _turn),
    "q": ("search", _search),
    "lesson": ("lesson", _word),
    "verdict": ("verdict", _word),
    "pin": ("pin", str),
    "b": ("lent", str),
    "s": ("own", str),
    "goal": ("goal", str),
}


ELSEWHERE = N_(
    "This link is of a board with several classes or with values. Such a board can be opened in its lesson only."
)
SAME = "same"  # the pinned fit has the settings and the points of the board


def location_of(session: Session) -> Location:
    """Return the location that describes the session. A drag that has not ended is not part of it yet."""
    own = session.boards.own.before_drag or session.boards.own.present
    present = session.history.before_drag or session.lab
    answer, prefix = session.lessons.answers.get(session.step, Answer()), f"{session.page}."
    inputs, scopes = session.lessons.inputs, session.lessons.input_scopes
    hand, film = inputs.get("hand"), inputs.get("film")
    # If the link could not be read, the address keeps describing points that are not on the board.
    unread = session.boards.shown is None and session.boards.own.unread_link is not None
    own_link, link = share.encode(own), share.encode(present)
    lent = session.boards.shown is not None and session.boards.given.get(session.boards.shown) != (own_link, link)
    return Location(
        step=session.lessons.open_steps.get(session.page),
        choice=answer.choice,
        shown=answer.shown,
        dials={key: v for key, v in session.lessons.dials.items() if scopes.get(f"dial {key}") == session.page},
        picks={
            key.removeprefix(prefix): v
            for key, v in session.lessons.picks.items()
            if key.startswith(prefix) and scopes.get(f"pick {key}", session.step) == session.step
        },
        line=(*hand["a"], *hand["b"]) if hand and scopes.get("hand") == session.page else None,
        film=film["at"] if film and scopes.get("film") == session.step else None,
        select=None
        if unread
        else next((row for row, p in enumerate(present.points) if p.id == present.selected), None),
        pin=_encode_pin(session.boards.pinned, own, session.boards.own.unread_link is not None)
        if session.boards.pinned
        else None,
        hide=session.link.hidden,
        lock=session.link.locked,
        exam=session.link.exam,
        only=session.link.only,
        room=session.link.room,
        tab=session.view.open_tab if session.page == "lab" else None,
        turn=session.lessons.turn if scopes.get("turn") == session.page else None,
        **(asdict(session.view.filters) if session.page == "statements" else {}),
        own=session.boards.own.unread_link or own_link,
        lent=link if lent else None,
        goal=session.link.goal if is_own_goal(session.lessons.open_steps.get(session.page)) else None,
        notation=session.view.notation,
    )


def restore(session: Session, address: str, visible_points: Any = ()) -> None:
    """Put the session into the state that an address describes.

    What the address says about the board of a step is kept until that board is shown (`Session.show_board`).

    visible_points: the points that the browser shows, used if the server cannot read the link. Raises as
    `history_from_link` does.
    """
    place, messages = parse_query(address if "=" in address else f"s={quote(address)}", session.page)
    if place.own is not None:
        session.boards.own = history_from_link(place.own, visible_points)
    boards = session.boards
    boards.initial[None], boards.shown, session.lessons.prepared_step = boards.own.present, None, None
    asked = LinkState(
        place.hide, place.lock, place.exam, place.only, place.room, place.tab, session.link.filters, goal=place.goal
    )
    session.needs_full_run |= place.step is not None or place.tab is not None
    session.needs_full_run |= asked.restrictions != session.link.restrictions
    session.link = asked
    session.view.projector |= place.projector  # a link can turn the projector on, and only the person turns it off
    session.view.open_tab = place.tab
    if session.page == "statements":
        session.needs_full_run |= place.filters != session.view.filters
        session.view.filters = place.filters
        session.link = replace(session.link, filters=place.filters)
    session.use_notation(place.notation)
    if place.pin is not None:
        try:
            boards.pinned = _decode_pin(place.pin, boards.own.present)
        except BadInput as error:
            messages.append(error.message)
    _restore_inputs(session, place)
    message = join_phrases(boards.own.note or "", *messages)
    session.link = replace(session.link, pending=(place.select, message))
    if place.lent is not None and place.step is not None:
        try:
            _restore_lent_board(session, place.lent)
        except BadInput as error:
            session.link = replace(session.link, pending=(place.select, join_phrases(message, error.message)))


def _restore_inputs(session: Session, place: Location) -> None:
    """Restore the step, its answer, and the inputs that the board keeps beside the Lab."""
    page, inputs = session.page, session.lessons.inputs
    if place.step is not None:
        session.lessons.open_steps[page] = place.step
        session.lessons.answers[session.step] = Answer(place.choice, place.shown)
    session.lessons.dials.update(place.dials)
    session.lessons.record_scope("dial", page, place.dials)
    session.lessons.picks.update({f"{page}.{name}": value for name, value in place.picks.items()})
    if place.line is not None:
        inputs["hand"] = {"op": "hand", "live": False, "a": list(place.line[:2]), "b": list(place.line[2:])}
        session.lessons.record_scope("hand", page)
    if place.turn is not None:
        session.lessons.turn = place.turn
        session.lessons.record_scope("turn", page)
    if place.film is not None:
        inputs["film"] = {"op": "film", "live": False, "key": None, "at": place.film}
        session.lessons.record_scope("film", page)


def _restore_lent_board(session: Session, link: str) -> None:
    """Show the lent board of the step as the link describes it."""
    lab, name = share.decode(link), session.step
    session.boards.lent[name], session.boards.initial[name] = History(lab, touched=True), lab
    session.boards.given.pop(name, None)
    session.lessons.prepared_step = name
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
            raise BadInput(
                "The link pins a fit with {name}, which is not a setting of a classifier.", name=quoted(name)
            )
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
            replace(Lab(), points=points, view=smallest_view(points)), note=note, touched=True, unread_link=link
        )

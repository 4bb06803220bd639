"""The location that an address describes: step, answer, sliders, options, selection, pinned fit, and boards as links.

    /margin?step=scaling&choice=1&shown=1&c=2&select=3&s=...

A dial stands under its own name, and an option beside a chart under "pick.NAME". Choices and points are counted from
1. A part that cannot be read is left out and reported. Whether the step, dial or point exists is checked by the
callers, which know them.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl, quote

from svmlab.core.errors import quoted
from svmlab.core.phrase import N_, Phrase
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

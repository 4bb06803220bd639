"""Where somebody is, as the address says it: step, answer, sliders, choices, selection, pin, and the boards as links.

    /margin?step=scaling&choice=1&shown=1&c=2&select=3&s=...

A dial stands under its own name, a choice beside a chart under "pick.NAME"; choices and points are counted from 1. What
cannot be read is left out, and told. Whether there is such a step, dial or point is for those to say who know them.
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

Picked = int | float | str | bool
Line = tuple[float, float, float, float]

NOTHING = N_("The link says {name} = {value}, which means nothing here: it is left out.")
STEP = re.compile(r"[a-z0-9-]{1,40}")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
PICK = "pick."
MOST = 40  # dials, and choices beside charts
HIDEABLE = ("data", "kernel", "price", "hard", "bias", "pin", "more")  # what a link can hide
LOCKS = ("points",)  # what a link can lock
FOREIGN = ("embed", "embed_options")  # Streamlit's own


@dataclass(frozen=True)
class Answer:
    """What was answered to a step's question: the choice that is marked, and whether the answer is shown."""

    choice: int | None = None
    shown: bool = False


@dataclass(frozen=True)
class Location:
    """Everything that the address says; None and empty: it says nothing of it.

    choice: of the step's question, from 0. line: the handles (x, y, x, y) placed by hand. film: the number of a frame.
    select: the row of the selected point, from 0. pin: the pinned fit (see link.py). hide, lock: of CONTROLS, of LOCKS.
    own, lent: the person's board and the one that a step lent, as links of share.py, unread.
    """

    step: str | None = None
    choice: int | None = None
    shown: bool = False
    dials: Mapping[str, float] = field(default_factory=dict)
    picks: Mapping[str, Picked] = field(default_factory=dict)
    line: Line | None = None
    film: int | None = None
    select: int | None = None
    pin: str | None = None
    hide: tuple[str, ...] = ()
    lock: tuple[str, ...] = ()
    own: str | None = None
    lent: str | None = None


def query_string(place: Location) -> str:
    """The place as what stands behind "?" in an address, always in the same order. A dial with another name than NAME
    is left out.
    """
    said: list[tuple[str, str]] = []
    if place.step is not None:
        said.append(("step", place.step))
    if place.choice is not None:
        said.append(("choice", str(place.choice + 1)))
    if place.shown:
        said.append(("shown", "1"))
    said += [(key, _short(place.dials[key])) for key in sorted(place.dials) if _is_dial(key)]
    said += [(PICK + key, encode_pick(place.picks[key])) for key in sorted(place.picks) if NAME.fullmatch(key)]
    if place.line is not None:
        said.append(("line", ",".join(map(_short, place.line))))
    if place.film is not None:
        said.append(("film", str(place.film)))
    if place.select is not None:
        said.append(("select", str(place.select + 1)))
    for name, values in (("hide", place.hide), ("lock", place.lock)):
        said += [(name, ",".join(values))] if values else []
    for name, link in (("pin", place.pin), ("b", place.lent), ("s", place.own)):
        said += [(name, link)] if link is not None else []
    return "&".join(f"{name}={quote(value, safe=',:-_.')}" for name, value in said)


def parse_query(address: str) -> tuple[Location, list[str]]:
    """The place that an address means, and a sentence for each part of it that cannot be read and is left out."""
    place, notes = Location(), list[str]()
    for name, value in parse_qsl(address.lstrip("?"), keep_blank_values=True)[: 3 * MOST]:
        if name in FOREIGN:
            continue
        try:
            place = _with_parameter(place, name, value)
        except ValueError:
            notes.append(Phrase(NOTHING, name=quoted(name), value=quoted(value)))
    return place, notes


def is_lab_address(address: str) -> bool:
    """Whether an address at "/" is one of the lab, which stood there before there was a first screen: that one says its
    step.
    """
    said = {name for name, _value in parse_qsl(address.lstrip("?"), keep_blank_values=True)}
    return "step" not in said and not said.isdisjoint(READERS)


def _with_parameter(place: Location, name: str, value: str) -> Location:
    """The place with one more thing said. Raises ValueError where it makes no sense."""
    if name in READERS:
        field_, reader = READERS[name]
        return replace(place, **{field_: reader(value)})
    if name.startswith(PICK) and NAME.fullmatch(name[len(PICK) :]) and len(place.picks) < MOST:
        return replace(place, picks={**place.picks, name[len(PICK) :]: decode_pick(value)})
    if _is_dial(name) and len(place.dials) < MOST:
        return replace(place, dials={**place.dials, name: _number(value, LARGE)})
    raise ValueError(name)


def _is_dial(name: str) -> bool:
    return bool(NAME.fullmatch(name)) and name not in READERS and name not in FOREIGN


def _short(value: float) -> str:
    """The shortest decimal that is read as the same number."""
    return next(s for s in (f"{value:g}", repr(value)) if float(s) == value)


def encode_pick(value: Picked) -> str:
    """A word as it is, anything else, and a word that would be read as anything else, as JSON."""
    return value if isinstance(value, str) and decode_pick(value) == value else json.dumps(value)


def decode_pick(value: str) -> Picked:
    """What `written` wrote. Raises ValueError for what is no number, word or truth value."""
    if len(value) > 200:
        raise ValueError(value)
    try:
        found: Any = json.loads(value)
    except (ValueError, RecursionError):
        return value
    if isinstance(found, int | float | str) and (isinstance(found, str) or abs(found) <= LARGE):
        return found
    raise ValueError(value)


def _number(value: str, most: float) -> float:
    number = float(value)
    if not abs(number) <= most:
        raise ValueError(value)
    return number


def _counted(value: str, least: int = 1) -> int:
    """A whole number from `least` on, counted from 0 within."""
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


def _among(known: tuple[str, ...]) -> Callable[[str], tuple[str, ...]]:
    def reader(value: str) -> tuple[str, ...]:
        named = value.split(",")
        if not set(named) <= set(known):
            raise ValueError(value)
        return tuple(name for name in known if name in named)

    return reader


READERS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "step": ("step", _step),
    "choice": ("choice", _counted),
    "shown": ("shown", _shown),
    "line": ("line", _line),
    "film": ("film", lambda value: _counted(value, 0)),
    "select": ("select", _counted),
    "hide": ("hide", _among(HIDEABLE)),
    "lock": ("lock", _among(LOCKS)),
    "pin": ("pin", str),
    "b": ("lent", str),
    "s": ("own", str),
}

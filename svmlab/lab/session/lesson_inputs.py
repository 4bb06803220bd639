"""What the board reports beside the Lab, checked: the line placed by hand, the place in a film, the sliders of the
lessons.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from svmlab.core.errors import BadInput, quoted

MAX_COORDINATE = 1000.0  # how far out a handle may lie; the board itself puts none beyond its edge
LARGE = 1e12  # how large a slider's value may be: a lesson multiplies w by 1 over the smallest margin


def read_input(op: Mapping[str, Any]) -> dict[str, Any]:
    """An operation of READERS as it is kept. Raises BadInput naming the field, its value and the rule; else as Python
    does.
    """
    name = str(op["op"])
    return {"op": name, "live": bool(op.get("live")), **READERS[name](op)}


def _hand(op: Mapping[str, Any]) -> dict[str, Any]:
    a, b = _place("a", op["a"]), _place("b", op["b"])
    if math.dist(a, b) < 1e-6:
        raise BadInput("hand: both handles lie at {a}. Pull them apart.", a=a)
    return {"a": a, "b": b}


def _film(op: Mapping[str, Any]) -> dict[str, Any]:
    key, at = op["key"], op["at"]
    if not isinstance(key, str) or type(at) is not int or not 0 <= at < 2**31:
        raise BadInput("film: {frame} of {film} is not the number of a frame.", frame=quoted(at), film=quoted(key))
    return {"key": key, "at": at}


def _dial(op: Mapping[str, Any]) -> dict[str, Any]:
    return {"values": {key: _number(key, value, LARGE) for key, value in op["values"].items()}}


def _place(name: str, place: Any) -> list[float]:
    x, y = place
    return [_number(name, x, MAX_COORDINATE), _number(name, y, MAX_COORDINATE)]


def _number(name: Any, value: Any, most: float) -> float:
    if not isinstance(name, str) or len(name) > 40:
        raise BadInput("dial: {name} is not the name of a slider.", name=quoted(name))
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= most:
        raise BadInput(
            "{name}: {value} is not a number from {least:g} to {most:g}.",
            name=name,
            value=quoted(value),
            least=-most,
            most=most,
        )
    return float(value)


READERS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {"hand": _hand, "film": _film, "dial": _dial}

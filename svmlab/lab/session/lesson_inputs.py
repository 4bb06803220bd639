"""Check the inputs that the board reports beside the Lab: the line placed by hand, the frame of a film, and sliders."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from svmlab.core.errors import BadInput, quoted

MAX_COORDINATE = 1000.0  # the largest coordinate of a handle; the board itself keeps handles within its edge
LARGE = 1e12  # the largest value of a slider: a lesson multiplies w by 1 over the smallest margin


def read_input(op: Mapping[str, Any]) -> dict[str, Any]:
    """Return an operation of READERS in the form in which it is kept.

    Raises BadInput that names the field, its value and the rule, or an exception of Python if the operation is
    malformed.
    """
    name = str(op["op"])
    return {"op": name, "live": bool(op.get("live")), **READERS[name](op)}


def _hand(op: Mapping[str, Any]) -> dict[str, Any]:
    a, b = _coordinates("a", op["a"]), _coordinates("b", op["b"])
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


def _coordinates(name: str, point: Any) -> list[float]:
    x, y = point
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

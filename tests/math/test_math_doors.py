"""Every door of the package against values that do not fit: BadInput that names the argument, or a right answer, and nothing else.

A function, class or method that is public and has no line in DOORS fails, and so does a parameter without a good value there.
"""

from __future__ import annotations

import inspect
import math
import warnings
from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from svmlab import (
    BadInput,
    SvmError,
)
from tests.doors import DOORS, MADE, ROOMS, TRUSTED

NEVER = {  # no door has a use for these
    "an object": object(),
    "complex": 1j,
    "nan": math.nan,
    "minus infinity": -math.inf,
    "a huge whole number": 10**400,
    "a dict": {"a": 1},
    "ragged": [[1.0], [1.0, 2.0]],
    "complex places": np.array([[1j, 0.0]]),
    "objects": np.array([object(), None]),
    "nan places": [[math.nan, 1.0]],
    "far places": np.full((2, 2), 1e160),
    "text": "no",
}
PERHAPS = {  # some have
    "nothing": None,
    "yes": True,
    "zero": 0,
    "minus one": -1,
    "denormal": 5e-324,
    "tiny": 1e-200,
    "large": 1e200,
    "infinity": math.inf,
    "an empty list": [],
    "a number without axes": np.array(1.0),
    "a short float": np.float32(0.5),
    "a short whole number": np.int8(1),
    "no rows": np.zeros((0, 3)),
    "one row": np.ones((1, 2)),
    "three axes": np.ones((1, 1, 1)),
    "half": 0.5,
    "bytes": b"no",
}
ALWAYS_FINE = {("generalisation.Blobs.measured", "decision"), ("generalisation.cloud", "machine")}


def _public() -> set[str]:
    seen, found = set(), set()
    for room, module in ROOMS.items():
        for name in module.__all__:
            one = getattr(module, name)
            if id(one) in seen or not (inspect.isfunction(one) or inspect.isclass(one)):
                continue
            seen.add(id(one))
            if inspect.isfunction(one):
                found.add(f"{room}.{name}")
            elif not issubclass(one, BaseException | Warning):
                found.add(f"{room}.{name}")
                found |= {
                    f"{room}.{name}.{key}"
                    for key, value in vars(one).items()
                    if not key.startswith("_") and isinstance(value, classmethod | type(_public))
                }
    return found


def test_every_door_is_in_the_table():
    public = {
        name
        for name in _public() - MADE - TRUSTED
        if name.rpartition(".")[2] not in TRUSTED and not name.rpartition(".")[2].startswith("to_")
    }
    assert public == set(DOORS)


def _door(name: str):
    room = next(room for room in sorted(ROOMS, key=len, reverse=True) if name.startswith(f"{room}."))
    one = ROOMS[room]
    for part in name.removeprefix(f"{room}.").split("."):
        one = getattr(one, part)
    return one


@pytest.mark.parametrize("name", DOORS)
def test_every_parameter_has_a_good_value(name):
    door, good = _door(name), DOORS[name]
    assert list(inspect.signature(door).parameters) == list(good)
    door(**good)


def _numbers(value, depth=0):
    if isinstance(value, float | np.floating):
        yield float(value)
    elif isinstance(value, np.ndarray) and value.dtype.kind == "f":
        yield from value.ravel().tolist()
    elif isinstance(value, tuple | list) and depth < 3:
        for part in value:
            yield from _numbers(part, depth + 1)
    elif is_dataclass(value) and not isinstance(value, type) and depth < 2:
        for field in fields(value):
            yield from _numbers(getattr(value, field.name), depth + 1)


@pytest.mark.parametrize("name", DOORS)
def test_what_does_not_fit_is_named_and_nothing_else_happens(name):
    door, good, wrong = _door(name), DOORS[name], []
    gaps = any(math.isnan(number) for number in _numbers(door(**good)))  # what was not asked for
    for field in good:
        if field == "self" or (name, field) in ALWAYS_FINE:
            continue
        for kind, value in (NEVER | PERHAPS).items():
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    result = door(**good | {field: value})
            except BadInput as error:
                if not str(error) or len(str(error)) > 400 or "\n" in str(error):
                    wrong.append((field, kind, "message", str(error)))
                elif not (field in str(error) or field in ("text", "name", "recipe") or field == "objective"):
                    wrong.append((field, kind, "unnamed", str(error)))
            except SvmError as error:
                if kind in NEVER:
                    wrong.append((field, kind, repr(error)))
            except Exception as error:  # what a person would see as a stack trace
                wrong.append((field, kind, repr(error)[:150]))
            else:
                if kind in NEVER:
                    wrong.append((field, kind, "accepted", repr(result)[:60]))
                elif not gaps and any(math.isnan(number) for number in _numbers(result)):
                    wrong.append((field, kind, "nan"))
    assert not wrong, "\n".join(map(str, wrong))

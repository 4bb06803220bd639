"""The one state of a session: what is on the board and how the machine is set. Pure: apply(history, op) -> history."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from svmlab import BadInput, Dataset, Problem, make_dataset
from svmlab.errors import quoted
from svmlab.lab.session import compare
from svmlab.lab.session.controls import CONTROLS, EDGE, LIMIT, ROOM, VIEWS
from svmlab.lab.session.machine import Machine, values


class Point(NamedTuple):
    """A point in whole thousandths, so that what is drawn, solved and linked is the same number."""

    id: int
    x: int
    y: int
    label: int


@dataclass(frozen=True)
class Lab(Machine):
    """Points and settings. `value` belongs to `face` (C or lambda) and stays when the number of points changes.

    second: the machine of a second board B beside this one, A, on the same points. active: whose machine the controls change.
    """

    points: tuple[Point, ...] = ()
    preset: str = CONTROLS["preset"].default
    size: int = CONTROLS["size"].default
    noise: float = CONTROLS["noise"].default
    seed: int = CONTROLS["seed"].default
    unseen: bool = CONTROLS["unseen"].default
    view: float = CONTROLS["view"].default
    label: int = CONTROLS["label"].default
    selected: int | None = None
    second: Machine | None = None
    active: str = CONTROLS["active"].default

    @cached_property
    def data(self) -> Dataset:
        """The points as a dataset."""
        X = [(p.x / 1000, p.y / 1000) for p in self.points]
        return Dataset(X, [p.label for p in self.points], [p.id for p in self.points])

    @property
    def C(self) -> float:
        """C of the C-form: inf for the hard margin, 1/(lambda m) where lambda is the face."""
        if self.hard:
            return math.inf
        return self.value if self.face == "C" else 1.0 / (self.value * max(len(self.points), 1))

    @property
    def lam(self) -> float:
        """Lambda of the mean form, 0 for the hard margin."""
        if self.hard:
            return 0.0
        return self.value if self.face == "lambda" else 1.0 / (self.value * max(len(self.points), 1))

    @cached_property
    def problem(self) -> Problem:
        """The machine on these points, not yet solved."""
        return Problem(self.data, self.machine, self.C, self.bias, self.costs)

    @cached_property
    def other(self) -> Lab | None:
        """The same points under the second machine; None where there is none."""
        return None if self.second is None else replace(self, second=None, **values(self.second))

    @property
    def shown(self) -> Lab:
        """The points under the machine that the controls change."""
        return self.other or self if self.active == compare.B else self

    @property
    def is_preset(self) -> bool:
        """Whether the points are still the ones that the preset makes."""
        return with_preset(self).points == self.points

    @property
    def settings(self) -> tuple[Any, ...]:
        """What the controls show: everything but the points and how one looks at them."""
        return *(getattr(self, name) for name in SETTINGS if name not in LOOKS), self.second


# What a step of undo brings back; the rest (selection, class, view, whose controls) is how one looks, not what one did.
LOOKS = ("selected", "label", "view", "active")
SETTINGS = tuple(CONTROLS)


@dataclass(frozen=True)
class History:
    """The present with what came before and after; `held` is the Lab from before a drag that is still going on."""

    present: Lab
    past: tuple[Lab, ...] = ()
    future: tuple[Lab, ...] = ()
    held: Lab | None = None
    note: str | None = field(default=None)  # a message about the last thing done
    touched: bool = False
    unread: str | None = None  # the link that could not be read: the address keeps it until the first step

    def commit(self, lab: Lab, note: str | None = None) -> History:
        """`lab` as one step that undo takes back (nothing when only the looks differ)."""
        before = self.held or self.present
        if _content(before) == _content(lab):
            return replace(self, present=lab, held=None, note=note)
        return History(lab, (*self.past, before)[-200:], (), None, note, True)


def begin() -> History:
    """The first board: the default preset, solved at once."""
    return History(with_preset(Lab()))


def with_preset(lab: Lab) -> Lab:
    """`lab` with the points of its preset, size, noise and seed."""
    data = make_dataset(lab.preset, lab.size, lab.noise, lab.seed)
    points = tuple(
        Point(i, round(1000 * x), round(1000 * y), int(label))
        for i, ((x, y), label) in enumerate(zip(data.X.tolist(), data.y, strict=True), start=1)
    )
    return replace(lab, points=points, selected=None, view=fit(points))


def fit(points: tuple[Point, ...]) -> float:
    """The smallest view that holds all points with a little room."""
    reach = max((max(abs(p.x), abs(p.y)) for p in points), default=0) / 1000
    return next((v for v in VIEWS if v >= 4.0 and reach <= ROOM * v), VIEWS[-1])


def apply(history: History, op: Mapping[str, Any]) -> History:
    """The history after one operation; an operation that does not make sense leaves it as it is, or raises BadInput.

    From the board: add, move, delete, clear, points, select, label, view, active, undo, redo, action.
    From the controls: set (several values at once; compare.py names them), preset, reset, reseed, load.
    """
    lab, name = history.present, str(op.get("op"))
    if name in ("undo", "redo"):
        return _travel(history.commit(lab) if history.held else history, name)
    if name in ("move", "points", "set") and op.get("live"):
        moved = _edit(lab, name, op)
        return history if moved is lab else replace(history, present=moved, held=history.held or lab, touched=True)
    return history.commit(_edit(lab, name, op))


def _edit(lab: Lab, name: str, op: Mapping[str, Any]) -> Lab:
    if name == "move":
        return _move(lab, op)
    if name == "add":
        point = _point([op["id"], op["x"], op["y"], op["label"]])
        if len(lab.points) >= LIMIT or any(p.id == point.id for p in lab.points):
            return lab
        return replace(lab, points=(*lab.points, point), selected=point.id if op.get("select") else lab.selected)
    if name == "delete":
        gone = set(op["ids"])
        selected = None if lab.selected in gone else lab.selected
        return replace(lab, points=tuple(p for p in lab.points if p.id not in gone), selected=selected)
    if name == "clear":
        return replace(lab, points=(), selected=None)
    if name == "points":
        points = tuple(_point(p) for p in op["points"])[:LIMIT]
        if len({p.id for p in points}) < len(points):
            raise BadInput("points: two of them have the same id. Reload the page; the link keeps your points.")
        return replace(lab, points=points, selected=lab.selected if any(p.id == lab.selected for p in points) else None)
    if name == "select":
        return replace(lab, selected=next((p.id for p in lab.points if p.id == op["id"]), None))
    if name == "label":
        return replace(lab, label=CONTROLS["label"].check(op["label"]))
    if name == "view":
        return replace(lab, view=CONTROLS["view"].check(float(op["half"])))
    if name == "action" and op.get("id") == "preset":
        return with_preset(lab)
    if name == "active":
        return replace(lab, active=CONTROLS["active"].check(op["on"]))
    if name == "set":
        return compare.changed(lab, _values(op))
    if name == "preset":
        return with_preset(replace(lab, **_values(op)))
    if name == "load":
        loaded = op["lab"]
        return loaded if isinstance(loaded, Lab) else lab
    return lab


def face(lab: Lab, to: str) -> Lab:
    """The same machine seen from the other face: C = 1/(lambda m)."""
    if to == lab.face:
        return lab
    value = 1.0 / (lab.value * max(len(lab.points), 1))
    limits = CONTROLS["value"]
    return replace(lab, face=to, value=min(max(value, limits.low), limits.high))


def _values(op: Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(op["values"], Mapping):
        raise BadInput("values: {values} are not named settings.", values=quoted(op["values"]))
    return {k: compare.check(k, v) for k, v in op["values"].items()}


def _move(lab: Lab, op: Mapping[str, Any]) -> Lab:
    at = next((i for i, p in enumerate(lab.points) if p.id == op["id"]), None)
    if at is None:
        return lab
    old = lab.points[at]
    new = _point([old.id, op["x"], op["y"], old.label])
    return lab if new == old else replace(lab, points=(*lab.points[:at], new, *lab.points[at + 1 :]))


def _point(row: Any) -> Point:
    """[id, x, y, label] from outside, coordinates rounded to thousandths within the board."""
    id_, x, y, label = row
    if not (type(id_) is int and 0 <= id_ < 2**31 and label in (1, -1)):
        raise BadInput("point: {point} needs a whole id and the label 1 or -1.", point=quoted(row))
    if not (isinstance(x, int | float) and isinstance(y, int | float) and math.isfinite(x) and math.isfinite(y)):
        raise BadInput("point: {point} needs finite coordinates.", point=quoted(row))
    return Point(id_, min(max(round(1000 * x), -EDGE), EDGE), min(max(round(1000 * y), -EDGE), EDGE), int(label))


def _travel(history: History, way: str) -> History:
    lab, past, future = history.present, history.past, history.future
    if way == "undo" and past:
        back = _looking_like(past[-1], lab)
        return History(back, past[:-1], (lab, *future), touched=True)
    if way == "redo" and future:
        return History(_looking_like(future[0], lab), (*past, lab), future[1:], touched=True)
    return history


def _looking_like(lab: Lab, now: Lab) -> Lab:
    """An earlier Lab looked at as one looks now; a view too small for its points grows."""
    keep = now.selected if any(p.id == now.selected for p in lab.points) else None
    view = now.view if fit(lab.points) <= now.view else fit(lab.points)
    return replace(lab, selected=keep, label=now.label, view=view, active=now.active)


def alike(lab: Lab, other: Lab) -> bool:
    """Whether two Labs differ in no more than how one looks at them."""
    return _content(lab) == _content(other)


def _content(lab: Lab) -> tuple[Any, ...]:
    return lab.points, lab.settings

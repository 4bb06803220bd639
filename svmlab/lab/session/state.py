"""The state of a session as pure functions of frozen objects: apply(history, op) returns a new history."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from svmlab import BadInput
from svmlab.core.errors import quoted
from svmlab.lab.session import compare
from svmlab.lab.session.controls import CONTROLS, EDGE, LABELS, MAX_POINTS
from svmlab.lab.session.lab import Lab, Point, smallest_view, with_preset, with_valid_labels


@dataclass(frozen=True)
class History:
    """The present Lab with the earlier and later ones that undo and redo restore.

    `before_drag` is the Lab from before a drag that has not ended yet.
    """

    present: Lab
    past: tuple[Lab, ...] = ()
    future: tuple[Lab, ...] = ()
    before_drag: Lab | None = None
    note: str | None = field(default=None)  # a message about the last operation
    touched: bool = False
    unread_link: str | None = None  # a link that could not be read; the address keeps it until the first change
    note_is_success: bool = False  # whether the note says that the operation succeeded, so it is no warning

    def commit(self, lab: Lab, note: str | None = None) -> History:
        """Return the history with `lab` as one step that undo takes back.

        If only fields in VIEW_FIELDS differ, no step is added. note: what the operation did.
        """
        before, is_success = self.before_drag or self.present, note is not None
        if _content(before) == _content(lab):
            return replace(self, present=lab, before_drag=None, note=note, note_is_success=is_success)
        return History(lab, (*self.past, before)[-200:], (), None, note, True, note_is_success=is_success)


def initial_history() -> History:
    """Return the history with which a session starts: the default preset and nothing to undo."""
    return History(with_preset(Lab()))


def history_of_active(history: History) -> History:
    """Return the present and the last step as seen on the active board, whose SVM the controls change."""
    active = history.present.active
    past = tuple(replace(lab, active=active).active_lab for lab in history.past[-1:])
    return replace(history, present=history.present.active_lab, past=past)


def apply(history: History, op: Mapping[str, Any]) -> History:
    """Return the history after one operation.

    An operation that does not apply leaves the history as it is or raises BadInput.

    From the board: add, move, delete, clear, points, select, label, view, active, undo, redo, action. From the
    controls: set (several values at once, with the names that compare.py defines), preset, load. Any other changes
    nothing.
    """
    lab, name = history.present, str(op.get("op"))
    if name in ("undo", "redo"):
        return _undo_or_redo(history.commit(lab) if history.before_drag else history, name)
    if name in ("move", "points", "set") and op.get("live"):
        moved = apply_to_lab(lab, op)
        return (
            history
            if moved is lab
            else replace(history, present=moved, before_drag=history.before_drag or lab, touched=True)
        )
    return history.commit(apply_to_lab(lab, op))


def apply_to_lab(lab: Lab, op: Mapping[str, Any]) -> Lab:
    """Return the Lab after an operation that needs no history, and the same Lab after any other.

    Raises BadInput as `apply` does.
    """
    name = str(op.get("op"))
    if name == "move":
        return _move(lab, op)
    if name == "add":
        point = _point([op["id"], op["x"], op["y"], op["label"]], lab.task)
        if len(lab.points) >= MAX_POINTS or any(p.id == point.id for p in lab.points):
            return lab
        return replace(lab, points=(*lab.points, point), selected=point.id if op.get("select") else lab.selected)
    if name == "delete":
        deleted = set(op["ids"])
        selected = None if lab.selected in deleted else lab.selected
        return replace(lab, points=tuple(p for p in lab.points if p.id not in deleted), selected=selected)
    if name == "clear":
        return replace(lab, points=(), axes=None, selected=None)
    if name == "points":
        points = tuple(_known(lab, p) or _point(p, lab.task) for p in op["points"])[:MAX_POINTS]
        if len({p.id for p in points}) < len(points):
            raise BadInput("points: two of them have the same id. Reload the page. The link keeps your points.")
        return replace(lab, points=points, selected=lab.selected if any(p.id == lab.selected for p in points) else None)
    if name == "select":
        return replace(lab, selected=next((p.id for p in lab.points if p.id == op["id"]), None))
    if name == "label":
        return with_valid_labels(replace(lab, label=CONTROLS["label"].check(op["label"])))
    if name == "view":
        return replace(lab, view=CONTROLS["view"].check(float(op["half"])))
    if name == "action" and op.get("id") == "preset":
        return with_preset(lab)
    if name == "active":
        return replace(lab, active=CONTROLS["active"].check(op["on"]))
    if name == "set":
        return with_valid_labels(compare.with_settings(lab, _values(op)))
    if name == "preset":
        return with_preset(replace(lab, **_values(op)))
    if name == "load":
        loaded = op["lab"]
        return loaded if isinstance(loaded, Lab) else lab
    return lab


def switch_C_and_lambda(lab: Lab, to: str) -> Lab:
    """Return the same SVM with its regularisation given by the other parameter: C = 1/(lambda m)."""
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
    index = next((i for i, p in enumerate(lab.points) if p.id == op["id"]), None)
    if index is None:
        return lab
    old = lab.points[index]
    new = _point([old.id, op["x"], op["y"], old.label], lab.task)
    return lab if new == old else replace(lab, points=(*lab.points[:index], new, *lab.points[index + 1 :]))


def _known(lab: Lab, row: Any) -> Point | None:
    """Return the point that a row describes if it is already on the board.

    During a drag this is true of all rows but a few.
    """
    try:
        return lab.point_by_row.get(tuple(row))
    except TypeError:  # not a row: `_point` raises the error
        return None


def _point(row: Any, task: str) -> Point:
    """Return the point of a row [id, x, y, label] from outside, rounded to thousandths and clipped to the board."""
    id_, x, y, label = row
    if not (type(id_) is int and 0 <= id_ < 2**31 and label in LABELS[task]):
        labels = ", ".join(map(str, LABELS[task]))
        raise BadInput(
            "point: {point} needs a whole id and one of the labels {labels}.", point=quoted(row), labels=labels
        )
    if not (isinstance(x, int | float) and isinstance(y, int | float) and math.isfinite(x) and math.isfinite(y)):
        raise BadInput("point: {point} needs finite coordinates.", point=quoted(row))
    return Point(id_, min(max(round(1000 * x), -EDGE), EDGE), min(max(round(1000 * y), -EDGE), EDGE), int(label))


def _undo_or_redo(history: History, direction: str) -> History:
    lab, past, future = history.present, history.past, history.future
    if direction == "undo" and past:
        back = _with_view_of(past[-1], lab)
        return History(back, past[:-1], (lab, *future), touched=True)
    if direction == "redo" and future:
        return History(_with_view_of(future[0], lab), (*past, lab), future[1:], touched=True)
    return history


def _with_view_of(lab: Lab, current: Lab) -> Lab:
    """Return an earlier Lab with the selection, label, view and active board of the current one.

    A view outside which some points lie is enlarged.
    """
    selected = current.selected if any(p.id == current.selected for p in lab.points) else None
    shows_all = all(max(abs(p.x), abs(p.y)) <= 1000 * current.view for p in lab.points)
    view = current.view if shows_all else smallest_view(lab.points)
    return replace(lab, selected=selected, label=current.label, view=view, active=current.active)


def same_content(lab: Lab, other: Lab) -> bool:
    """Return whether two Labs differ in nothing but the fields in VIEW_FIELDS."""
    return _content(lab) == _content(other)


def _content(lab: Lab) -> tuple[Any, ...]:
    return lab.points, lab.undoable_settings

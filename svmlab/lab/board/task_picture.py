"""The picture of a board whose points are of several classes or values.

Pages and the drag socket use only this module.
"""

from __future__ import annotations

from svmlab.lab import words
from svmlab.lab.board import classes_picture, tube_picture
from svmlab.lab.board.payload import Data, empty
from svmlab.lab.session.cache import Result, Solved
from svmlab.lab.session.controls import CLASSES
from svmlab.lab.session.state import History
from svmlab.lab.words import _
from svmlab.multiclass import Machines
from svmlab.regression import Fit


def picture(history: History, outcome: Result[Solved] | None) -> Data:
    """Return the part of the data that follows from the solution; `outcome` is None if there are no points."""
    lab, with_values = history.present, history.before_drag is None
    solved = outcome.solution if outcome else None
    data: Data = {"marks": None, "shade": None, "lines": None, "slack": [], "witness": None}
    data["legend"] = classes_picture.legend(None) if lab.task == CLASSES else tube_picture.legend(None)
    if isinstance(solved, Machines):
        data = classes_picture.picture(lab, solved, with_values)
    elif isinstance(solved, Fit):
        data = tube_picture.picture(lab, solved, with_values)
    return data | {"message": _message(history, outcome)}


def descriptions(history: History, outcome: Result[Solved] | None) -> Data:
    """Return what else depends on the solution: the caption, the announcements, and the card of an empty board."""
    lab, solved = history.present, outcome.solution if outcome else None
    if lab.task == CLASSES:
        machines = solved if isinstance(solved, Machines) else None
        caption, heard = classes_picture.caption(lab, machines), classes_picture.announcements(lab, machines)
        text = _(
            "Click to add a point of the chosen class (keys 1 to 4). The regions appear with the first two classes."
        )
    else:
        fit = solved if isinstance(solved, Fit) else None
        caption, heard = tube_picture.caption(lab, fit), tube_picture.announcements(lab, fit)
        text = _("Click to add a point: x₁ is what is known, x₂ the value to be told from it.")
    card = None if lab.points else empty() | {"text": text}
    return {"caption": caption.as_json, "heard": heard, "hint": None, "empty": card}


def _message(history: History, outcome: Result[Solved] | None) -> dict[str, str] | None:
    """Return the message about the last operation and a missing solution, else about the solution, or None."""
    warnings = [_(history.note)] if history.note else []
    if outcome is not None and outcome.error is not None:
        warnings.append(words.message_of(outcome.error))
    if warnings:
        return {"tone": "warn", "text": " ".join(warnings)}
    solved = outcome.solution if outcome else None
    text = (
        classes_picture.message(solved)
        if isinstance(solved, Machines)
        else tube_picture.message(solved)
        if isinstance(solved, Fit)
        else None
    )
    return {"tone": "info", "text": text} if text else None

"""The picture of a board whose points are of several classes or values.

Pages and the drag socket use only this module.
"""

from __future__ import annotations

from collections.abc import Collection

from svmlab.lab import words
from svmlab.lab.board import board_message, classes_picture, tube_picture
from svmlab.lab.board.payload import NO_LEGEND, Data, empty
from svmlab.lab.session.cache import Result, Solved
from svmlab.lab.session.controls import CLASSES
from svmlab.lab.session.state import History
from svmlab.lab.words import _
from svmlab.multiclass import OneVsRestSolution
from svmlab.regression import Fit


def picture(history: History, outcome: Result[Solved] | None) -> Data:
    """Return the part of the data that follows from the solution; `outcome` is None if there are no points."""
    lab, with_values = history.present, history.before_drag is None
    solved = outcome.solution if outcome else None
    data: Data = {"marks": None, "shade": None, "lines": None, "slack": [], "witness": None}
    data["legend"] = NO_LEGEND
    if isinstance(solved, OneVsRestSolution):
        data = classes_picture.picture(lab, solved, with_values)
    elif isinstance(solved, Fit):
        data = tube_picture.picture(lab, solved, with_values)
    return data | {"message": _message(history, outcome)}


def descriptions(history: History, outcome: Result[Solved] | None, hidden: Collection[str] = ()) -> Data:
    """Return what else depends on the solution: the caption, the announcements, and the card of an empty board."""
    lab, solved = history.present, outcome.solution if outcome else None
    if lab.task == CLASSES:
        machines = solved if isinstance(solved, OneVsRestSolution) else None
        caption, heard = classes_picture.caption(lab, machines, hidden), classes_picture.announcements(lab, machines)
        text = _(
            "Click to add a point of the chosen class (keys 1 to 4). The regions appear when two classes have points."
        )
    else:
        fit = solved if isinstance(solved, Fit) else None
        caption, heard = tube_picture.caption(lab, fit, hidden), tube_picture.announcements(lab, fit)
        text = _("Click to add a point. The value x₂ is to be predicted from x₁.")
    card = None if lab.points else empty() | {"text": text}
    return {"caption": caption.as_json, "heard": heard, "hint": None, "empty": card}


def _message(history: History, outcome: Result[Solved] | None) -> dict[str, str] | None:
    """Return the message about the last operation and a missing solution, else about the solution, or None."""
    error = None if outcome is None or outcome.error is None else words.message_of(outcome.error)
    if history.note or error:
        return board_message.of_operation(history, error)
    solved = outcome.solution if outcome else None
    text = (
        classes_picture.message(solved)
        if isinstance(solved, OneVsRestSolution)
        else tube_picture.message(solved)
        if isinstance(solved, Fit)
        else None
    )
    return {"tone": "info", "text": text} if text else None

"""What the board shows where its points are not of two classes: of several, or values. One door for pages and the
socket.
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
    """What follows from the machine of a board of another task; `outcome` is None where there are no points."""
    lab, told = history.present, history.before_drag is None
    solved = outcome.solution if outcome else None
    data: Data = {"marks": None, "shade": None, "lines": None, "slack": [], "witness": None}
    data["legend"] = classes_picture.legend(None) if lab.task == CLASSES else tube_picture.legend(None)
    if isinstance(solved, Machines):
        data = classes_picture.picture(lab, solved, told)
    elif isinstance(solved, Fit):
        data = tube_picture.picture(lab, solved, told)
    return data | {"message": _message(history, outcome)}


def shown(history: History, outcome: Result[Solved] | None) -> Data:
    """What else of the board speaks of its machine: the picture's caption, what is heard, the card where nothing is."""
    lab, solved = history.present, outcome.solution if outcome else None
    if lab.task == CLASSES:
        machines = solved if isinstance(solved, Machines) else None
        caption, heard = classes_picture.caption(lab, machines), classes_picture.announcements(lab, machines)
        said = _(
            "Click to add a point of the chosen class (keys 1 to 4). The regions appear with the first two classes."
        )
    else:
        fit = solved if isinstance(solved, Fit) else None
        caption, heard = tube_picture.caption(lab, fit), tube_picture.announcements(lab, fit)
        said = _("Click to add a point: x₁ is what is known, x₂ the value to be told from it.")
    card = None if lab.points else empty() | {"text": said}
    return {"caption": caption.as_json, "heard": heard, "hint": None, "empty": card}


def _message(history: History, outcome: Result[Solved] | None) -> dict[str, str] | None:
    """About the last thing done and why there is no machine, else about the machine."""
    warnings = [_(history.note)] if history.note else []
    if outcome is not None and outcome.error is not None:
        warnings.append(words.message_of(outcome.error))
    if warnings:
        return {"tone": "warn", "text": " ".join(warnings)}
    solved = outcome.solution if outcome else None
    said = (
        classes_picture.message(solved)
        if isinstance(solved, Machines)
        else tube_picture.message(solved)
        if isinstance(solved, Fit)
        else None
    )
    return {"tone": "info", "text": said} if said else None

"""The rules of Python that the script of the board must know. They are defined only here and sent once to a session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from svmlab import Category
from svmlab.lab.board import classes_picture, tube_picture
from svmlab.lab.board.payload import CATEGORY_TEXT
from svmlab.lab.session.controls import EDGE, FILLED_FRACTION, MAX_POINTS, VIEWS
from svmlab.lab.session.files import MAX_BYTES, MAX_SIZE_TEXT
from svmlab.lab.words import N_, _
from svmlab.plot.palette import dark_to_light_colours

# Every operation that the board reports, by its effect. "opaque": only Python knows the result. "quiet": no line
# changes. "drawn": the picture changes and the points do not.
OPERATIONS_BY_EFFECT = {
    "points": ("add", "move", "delete", "clear", "points"),
    "opaque": ("undo", "redo", "given", "action", "file", "restore"),
    "quiet": ("select", "label", "active", "project", "share", "turn", "began", "history"),
    "drawn": ("view", "set", "dial", "hand", "film"),
}
# The operations that may be unacknowledged when the drag socket is asked for a picture. A request contains the points,
# the view, the settings and the dials, and the picture shows nothing of the others.
DRAG_OPERATIONS = ("move", "view", "set", "dial", "select", "label", "active", "turn")


FULL = N_("The board holds at most {limit} points. Delete some to make room.")
BOARD: Mapping[str, str] = {
    "class_binary_1": N_("class +1"),
    "class_binary_-1": N_("class −1"),
    "short_binary_1": "+1",
    "short_binary_-1": "−1",
    "new_binary_1": N_("New points get class +1, a disc (key 1)"),
    "new_binary_-1": N_("New points get class −1, a square (key 2)"),
    "class_classes_1": N_("class 1"),
    "class_classes_2": N_("class 2"),
    "class_classes_3": N_("class 3"),
    "class_classes_4": N_("class 4"),
    "short_classes_1": "1",
    "short_classes_2": "2",
    "short_classes_3": "3",
    "short_classes_4": "4",
    "new_classes_1": N_("New points get class 1, a disc (key 1)"),
    "new_classes_2": N_("New points get class 2, a square (key 2)"),
    "new_classes_3": N_("New points get class 3, a triangle (key 3)"),
    "new_classes_4": N_("New points get class 4, a diamond (key 4)"),
    "eraser": N_("Eraser: tap or drag over points to remove them (E)"),
    "bin": N_("Delete the selected point (Delete)"),
    "undo": N_("Undo (Ctrl+Z)"),
    "given": N_("Back to the board of the link"),
    "share": N_("Share: link and QR code (Q for full screen)"),
    "redo": N_("Redo (Ctrl+Shift+Z)"),
    "clear": N_("Remove all points"),
    "zoomIn": N_("Zoom in (+)"),
    "zoomOut": N_("Zoom out (−)"),
    "fit": N_("Show all points (0)"),
    "noPoints": N_("No points yet"),
    "rings": N_("rings"),
    "ringsHide": N_("Hide rings and slack except for the selected point (R)"),
    "ringsShow": N_("Show rings and slack (R)"),
    "help": N_("Marks, keys and gestures"),
    "project": N_("Projector mode: large type (P, or Esc to leave)"),
    "save": N_("Save picture, print"),
    "saveSvg": N_("Picture as SVG, for print"),
    "savePng": N_("Picture as PNG, for slides"),
    "saveCsv": N_("Numbers as CSV"),
    "saveChart": N_("Save this chart"),
    "copyPng": N_("Copy the picture"),
    "filmWebm": N_("Film, as WebM: {course}"),
    "print": N_("Print the page"),
    "handoutQuestions": N_("Handout of the lesson: questions only"),
    "handoutAnswers": N_("Handout of the lesson: with answers"),
    "toolbar": N_("Board tools"),
    "sweep": N_("Play {course}"),
    "sweepCourse": N_("{name} from {low} to {high} and back"),
    "scene_binary": N_("Board with points of two classes"),
    "scene_classes": N_("Board with points of several classes"),
    "scene_values": N_("Board with a value x₂ for each x₁"),
    "f_binary": "f",
    "f_classes": "f",
    "f_values": "y − f",
    "alpha_binary": "α",
    "alpha_classes": "α",
    "alpha_values": "α − α*",
    "sceneKeys": N_(
        "Press N or Shift+N to go from point to point. Arrow keys move a cursor or the selected point. Enter adds "
        "a point. The key ? lists all keys."
    ),
    "heard_binary_1": N_("disc, class +1"),
    "heard_binary_-1": N_("square, class −1"),
    "heard_classes_1": N_("disc, class 1"),
    "heard_classes_2": N_("square, class 2"),
    "heard_classes_3": N_("triangle, class 3"),
    "heard_classes_4": N_("diamond, class 4"),
    "heard_values_1": N_("value"),
    "blank": N_("The screen is blank. Press any key to show it again."),
    "close": N_("Close"),
    "locked": N_("The points of this board are locked. You cannot add, move or delete them."),
    "full": FULL,
    "away": N_(
        "The server is away. You can go on working. Your changes are kept, and the classifier follows when the server "
        "is back."
    ),
    "copied": N_("The picture is on the clipboard. Paste it into your slides or your notes."),
    "copyRefused": N_("This browser does not let the page copy a picture. Save it as PNG instead."),
    "recording": N_("Recording the film: {percent} %. Close this message to cancel."),
    "filmSaved": N_("The film is saved. It plays as fast as on the board."),
    "noFilm": N_("This browser cannot record a film. Use a current version of Firefox, Chrome, Edge or Safari."),
    "lost": N_("The server does not answer. Your change is kept and will be sent again."),
    "fileTooBig": N_("This file is larger than {size}. Delete rows or columns and open it again."),
    "fileNotText": N_("This is not a text file. Save a spreadsheet as CSV and open that file."),
}
ROLE = {  # the role of a point in words, for screen readers
    Category.OUTSIDE: N_("no support vector, outside the margin"),
    Category.MARGIN_IDLE: N_("no support vector, on its margin line"),
    Category.MARGIN_FREE: N_("free support vector, on its margin line"),
    Category.MARGIN_FULL: N_("support vector at {C}, on its margin line"),
    Category.INSIDE: N_("support vector at {C}, inside the margin"),
    Category.ON_LINE: N_("support vector at {C}, on the boundary"),
    Category.WRONG: N_("support vector at {C}, on the wrong side"),
}
HELP_CARD = (
    (N_("× in a point"), N_("it is misclassified (y f ≤ 0)")),
    (N_("one ring, two rings"), N_("a support vector, and one whose multiplier α is at its bound C")),
    (N_("click, tap"), N_("add a point of the chosen class")),
    (N_("Shift+click, right-click, long press"), N_("add a point of the other class, or of the next of several")),
    (N_("drag"), N_("move a point; drop it outside or on the bin to delete it")),
    (N_("click a point"), N_("select it, or deselect it")),
    (N_("1 to 4"), N_("choose the class")),
    (N_("arrows"), N_("move the cursor or the selected point (Shift: small steps, Alt: ten times as far)")),
    (N_("Enter"), N_("add a point at the cursor")),
    (N_("N, Shift+N"), N_("go from point to point; Esc deselects")),
    (N_("Tab, Shift+Tab"), N_("go to the next part; arrow keys move along the buttons")),
    (N_("Delete"), N_("delete the selected point")),
    (N_("Ctrl+Z, Ctrl+Shift+Z"), N_("undo, redo")),
    (N_("Q"), N_("QR code of this screen")),
    ("R", N_("rings and slack hidden, or shown")),
    ("E", N_("eraser on or off")),
    ("+, −, 0", N_("zoom in, zoom out, show all points")),
    (N_("P, Esc"), N_("projector mode on, off")),
    (N_("PageDown, PageUp"), N_("in a lesson: show the answer, then go on; go back")),
    (N_("Space"), N_("play or stop the film")),
    ("B", N_("blank screen; any key shows it again")),
)


def words_for_script() -> dict[str, Any]:
    """Return all words of the script in the session's language, with the limits of the board filled in.

    What stands in braces then is filled in by the script.
    """
    by_script = {name: f"{{{name}}}" for name in ("percent", "course", "name", "low", "high")}
    values = {"limit": MAX_POINTS, "size": MAX_SIZE_TEXT} | by_script
    words = {name: _(word).format(**values) for name, word in BOARD.items()}
    words |= {f"is_{category.value}": _(where) for category, where in CATEGORY_TEXT.items()}
    words |= {f"role_{category.value}": _(does) for category, does in ROLE.items()}
    others = {classes_picture.key(category): text for category, text in classes_picture.DESCRIPTION.items()}
    others |= {tube_picture.key(category): text for category, text in tube_picture.DESCRIPTION.items()}
    words |= {f"{kind}_{name}": _(text) for name, text in others.items() for kind in ("is", "role")}
    return words | {"helpCard": [[_(what), _(does)] for what, does in HELP_CARD]}


RULES = {
    "limit": MAX_POINTS,
    "edge": EDGE / 1000,
    "views": VIEWS,
    "room": FILLED_FRACTION,
    "file": MAX_BYTES,
    "paper": dark_to_light_colours(),
    "ops": OPERATIONS_BY_EFFECT,
    "dragOps": DRAG_OPERATIONS,
}

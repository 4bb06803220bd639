"""What the script of the board must know of Python's rules: said here alone, and sent once to a session."""

from __future__ import annotations

from svmlab.lab.charts.palette import on_paper
from svmlab.lab.session.controls import EDGE, LIMIT, ROOM, VIEWS
from svmlab.lab.session.files import LARGEST

# Every operation that the board reports, by what it does. "opaque": only Python knows what follows; "quiet": no line changes.
OPS = {
    "points": ("add", "move", "delete", "clear", "points"),
    "opaque": ("undo", "redo", "given", "action", "file", "restore"),
    "quiet": ("select", "label", "active", "project", "share"),
    "drawn": ("view", "set", "dial", "hand", "film"),
}
# What may be unsaid while the lane is asked: it is told of points, view, settings and dials, and shows nothing of the rest.
LANE = ("move", "view", "set", "dial", "select", "label", "active")

RULES = {
    "limit": LIMIT,
    "edge": EDGE / 1000,
    "views": VIEWS,
    "room": ROOM,
    "file": LARGEST,
    "paper": on_paper(),
    "ops": OPS,
    "lane": LANE,
}

"""Goals of the lesson on extensions."""

from __future__ import annotations

from svmlab.core.phrase import N_
from svmlab.practice.board import Board
from svmlab.practice.conditions import ChangeLimit, Count, Keep, Value
from svmlab.practice.goal import Goal
from svmlab.practice.hint import Hint

MIDDLE = Board(((0, 1, 1), (0, -1, 1), (-3, 1, -1), (-3, -1, -1)), C=1)
CLASS_IN_THE_MIDDLE = Goal(
    key="a-class-in-the-middle",
    title=N_("A class between two others"),
    lesson="extensions",
    level=2,
    start=MIDDLE,
    situation=N_(
        "One-vs-rest trains an SVM for each class against all others. Here class −1 stands for all others, and you can "
        "put its points on both sides of class +1."
    ),
    conditions=(Value("norm", "at most", 0.01), Count("plus", "exactly", 2), ChangeLimit(added=2), Keep()),
    hints=(
        Hint(N_("If the rest lies on both sides in the same way, no direction of w is better than its opposite.")),
        Hint(N_("The step on a class between two others shows the result."), step="extensions.middle"),
    ),
    witness=MIDDLE.with_points((3, 1, -1), (3, -1, -1)),
)

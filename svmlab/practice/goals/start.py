"""Goals of the first lesson."""

from __future__ import annotations

import math

from svmlab.core.phrase import N_
from svmlab.practice.board import Board
from svmlab.practice.conditions import ChangeLimit, Count, Keep
from svmlab.practice.goal import Goal
from svmlab.practice.hint import Hint

TWO_CARRY = Board(((-2, 0, -1), (2, 0, 1), (3, 2, 1), (-3, -2, -1), (4, -1, 1)), C=math.inf)
THREE_SUPPORT_VECTORS = Goal(
    key="three-support-vectors",
    title=N_("Exactly three support vectors"),
    lesson="start",
    level=1,
    start=TWO_CARRY,
    situation=N_("Two support vectors determine the boundary of this hard-margin SVM."),
    conditions=(Count("support", "exactly", 3), Keep()),
    hints=(
        Hint(N_("A third support vector lies on a margin line, as the two others do. Which point can you move there?")),
        Hint(N_("The step on support vectors shows what the boundary depends on."), step="start.holders"),
    ),
    witness=TWO_CARRY.moved({3: (1.5, 2)}),
    fewest=1,
)

OUTLIER = Board(((-3, 1, -1), (-2, -1, -1), (-3, -2, -1), (2, 1, 1), (3, -1, 1), (2, -2, 1), (-5, 0, 1)), C=1)
ONE_DELETION = Goal(
    key="no-error-after-one-deletion",
    title=N_("Delete one point, and no error remains"),
    lesson="start",
    level=1,
    start=OUTLIER,
    situation=N_("A soft margin allows training errors. One point of this board lies among points of the other class."),
    conditions=(Count("errors", "exactly", 0), ChangeLimit(deleted=1), Keep()),
    hints=(
        Hint(N_("A training error is a point on the wrong side of the decision boundary. Which point is that?")),
        Hint(N_("The step on the soft margin shows such a point."), step="start.overlap"),
    ),
    witness=OUTLIER.without(7),
    fewest=1,
)
BUSY = Board(((-2, 2, -1), (-2, -2, -1), (-4, 0, -1), (1, 0, 1), (4, 2, 1), (4, -2, 1)), C=math.inf)
TWO_SUPPORT_VECTORS = Goal(
    key="two-support-vectors",
    title=N_("Exactly two support vectors"),
    lesson="start",
    level=1,
    start=BUSY,
    situation=N_("Three support vectors determine the boundary of this hard-margin SVM."),
    conditions=(Count("support", "exactly", 2), ChangeLimit(changed=1), Keep()),
    hints=(
        Hint(N_("Two points that face each other are enough. Which point can come closer to the other class?")),
        Hint(N_("The step on support vectors shows what the boundary depends on."), step="start.holders"),
    ),
    witness=BUSY.moved({3: (-1, 0)}),
    fewest=1,
)

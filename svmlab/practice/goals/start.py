"""Goals of the first lesson."""

from __future__ import annotations

import math

from svmlab.core.phrase import N_
from svmlab.practice.board import Board
from svmlab.practice.conditions import Count, Keep
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

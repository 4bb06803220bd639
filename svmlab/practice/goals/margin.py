"""Goals of the lesson on the margin."""

from __future__ import annotations

import math

from svmlab.core.phrase import N_
from svmlab.practice.board import Board
from svmlab.practice.conditions import AtMost, Keep, Ratio
from svmlab.practice.goal import Goal
from svmlab.practice.hint import Hint

NARROW = Board(((-2, 1, -1), (-2, -1, -1), (-0.5, 0, -1), (0.5, 0, 1), (2, 1, 1), (2, -1.5, 1)), C=math.inf)
DOUBLE_MARGIN = Goal(
    key="double-margin",
    title=N_("Double the margin with one point"),
    lesson="margin",
    level=1,
    start=NARROW,
    situation=N_("The margin of this hard-margin SVM is narrow, because two points lie close to each other."),
    conditions=(Ratio("width", "at least", 2), AtMost(changed=1), Keep()),
    hints=(
        Hint(N_("Only a support vector limits the margin. Move one of the two away from the other class.")),
        Hint(N_("The step on the direction of largest margin shows what limits the width."), step="margin.turn"),
    ),
    witness=NARROW.moved({4: (2, 0)}),
    fewest=1,
)

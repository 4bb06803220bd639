"""Goals of the lesson on duality."""

from __future__ import annotations

import math

from svmlab.core.phrase import N_
from svmlab.practice.board import Board
from svmlab.practice.conditions import AtMost, Count, Keep
from svmlab.practice.goal import Goal
from svmlab.practice.hint import Hint

PAIR = Board(((-2, 0, -1), (1, 0, 1), (3, 1, 1), (-4, -2, -1)), C=math.inf)
IDLE_ON_MARGIN = Goal(
    key="on-margin-without-multiplier",
    title=N_("On the margin line, but α = 0"),
    lesson="duality",
    level=2,
    start=PAIR,
    situation=N_("A support vector of this hard-margin SVM lies on a margin line. The converse can be false."),
    conditions=(Count("idle_on_margin", "at least", 1), AtMost(added=1), Keep()),
    hints=(
        Hint(N_("A point can lie on a margin line without being needed to hold it. Where is such a position?")),
        Hint(N_("The statement compares points on the margin with support vectors."), statement="H10"),
    ),
    witness=PAIR.with_points((1, 3, 1)),
    fewest=1,
)

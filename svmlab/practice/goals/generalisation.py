"""Goals of the lesson on generalisation."""

from __future__ import annotations

import math
from dataclasses import replace

from svmlab.core.phrase import N_
from svmlab.practice.board import Board
from svmlab.practice.conditions import ChangeLimit, Count, Keep, Separable
from svmlab.practice.goal import Goal
from svmlab.practice.hint import Hint

CORNERS = Board(((2, 2, 1), (-2, 2, 1), (-2, -2, 1), (2, -2, -1)), C=1)
FORBIDDEN_LABELLING = Goal(
    key="the-labelling-no-line-makes",
    title=N_("The labelling that no line makes"),
    lesson="generalisation",
    level=1,
    start=CORNERS,
    situation=N_("Give one point the other class. Four points in the plane have labellings that no line makes."),
    conditions=(Separable("line", False), ChangeLimit(changed=1), Keep()),
    hints=(
        Hint(N_("Two diagonals of a square cross. Which classes must their ends have?")),
        Hint(N_("The step on the VC dimension of lines shows all labellings."), step="generalisation.four"),
    ),
    witness=replace(CORNERS, points=((2, 2, 1), (-2, 2, -1), (-2, -2, 1), (2, -2, -1))),
    fewest=1,
)
FEW_OF_MANY = Board(((-1, 1, -1), (-1, -1, -1), (1, 0, 1), (3, 0, 1)), C=math.inf)
SMALL_BOUND = Goal(
    key="a-small-leave-one-out-bound",
    title=N_("A leave-one-out bound of one fifth"),
    lesson="generalisation",
    level=2,
    start=FEW_OF_MANY,
    situation=N_(
        "The leave-one-out error is at most the number of support vectors divided by the number of points. "
        "Here this bound is 3/4."
    ),
    conditions=(
        Count("points", "exactly", 10),
        Count("support", "exactly", 2),
        Separable("line", True),
        ChangeLimit(added=6),
        Keep(),
    ),
    hints=(
        Hint(N_("One new point can make two support vectors needless. The other new points must change nothing.")),
        Hint(N_("The step on the leave-one-out bound counts."), step="generalisation.leave-one-out"),
    ),
    witness=FEW_OF_MANY.with_points((0, 0, -1), (-3, 0, -1), (-4, 2, -1), (4, 2, 1), (5, 0, 1), (4, -2, 1)),
    fewest=6,
)

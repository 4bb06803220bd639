"""Goals of the lesson on duality."""

from __future__ import annotations

import math

from svmlab.core.phrase import N_
from svmlab.practice.board import Board
from svmlab.practice.conditions import ChangeLimit, Count, Keep, Unique, Value
from svmlab.practice.goal import Goal
from svmlab.practice.hint import Hint

PAIR = Board(((-2, 0, -1), (1, 0, 1), (3, 1, 1), (-4, -2, -1)), C=math.inf)
IDLE_ON_MARGIN = Goal(
    key="on-margin-without-multiplier",
    title=N_("On the margin line, but α = 0"),
    lesson="duality",
    level=2,
    start=PAIR,
    situation=N_("Every support vector of this hard-margin SVM lies on a margin line. The converse can be false."),
    conditions=(Count("idle_on_margin", "at least", 1), ChangeLimit(added=1), Keep()),
    hints=(
        Hint(
            N_(
                "A point can lie on a margin line although the boundary does not depend on it. Where is such a "
                "position?"
            )
        ),
        Hint(N_("The statement compares points on the margin with support vectors."), statement="H10"),
    ),
    witness=PAIR.with_points((1, 3, 1)),
    fewest=1,
)

THREE_CORNERS = Board(((1, 1, 1), (1, -1, 1), (-1, 1, -1), (-3, 3, -1), (3, -3, 1)), C=math.inf)
MANY_ALPHA = Goal(
    key="alpha-not-unique",
    title=N_("One boundary, many multipliers"),
    lesson="duality",
    level=2,
    start=THREE_CORNERS,
    situation=N_("The vector w of this hard-margin SVM is unique. The multipliers α are not always unique."),
    conditions=(Unique("alpha", False), ChangeLimit(added=1), Keep()),
    hints=(
        Hint(N_("The same w must be a sum of support vectors in two ways. Think of the four corners of a square.")),
        Hint(N_("The statement on uniqueness says what is unique."), statement="H12"),
    ),
    witness=THREE_CORNERS.with_points((-1, -1, -1)),
    fewest=1,
)
SQUARE = Board(((1, 1, 1), (1, -1, 1), (-1, 1, -1), (-1, -1, -1)), C=math.inf)
ONE_ALPHA = Goal(
    key="alpha-unique-again",
    title=N_("Four points on the margin lines, one α"),
    lesson="duality",
    level=3,
    start=SQUARE,
    situation=N_("All four corners lie on the margin lines, and several α are optimal."),
    conditions=(Count("on_margin", "exactly", 4), Unique("alpha", True), ChangeLimit(changed=1), Keep()),
    hints=(
        Hint(N_("Slide a point along its margin line. When does only one pair of points face each other?")),
        Hint(N_("The step on the dual and convex hulls shows which points are closest."), step="duality.hulls"),
    ),
    witness=SQUARE.moved({4: (-1, 5)}),
    fewest=1,
)
FACING = Board(((-2, 0, -1), (2, 0, 1), (-4, 2, -1), (4, -2, 1)), C=math.inf)
SUM_OF_ALPHA = Goal(
    key="sum-of-multipliers",
    title=N_("Multipliers with the sum 2"),
    lesson="duality",
    level=3,
    start=FACING,
    situation=N_("The two support vectors are 4 apart, and the sum of the multipliers is 1/4."),
    conditions=(Value("sum_alpha", "about", 2), ChangeLimit(changed=1), Keep()),
    hints=(
        Hint(N_("For the hard margin $\\sum_i \\alpha_i = \\|w\\|^2$. How far apart must the margin lines be?")),
        Hint(N_("The statement on strong duality explains this sum."), statement="H3"),
    ),
    witness=FACING.moved({2: (-0.586, 0)}),
    fewest=1,
)
IDLE_PAIR = Goal(
    key="two-of-four-on-the-margin",
    title=N_("Four points on the margin, two multipliers"),
    lesson="duality",
    level=3,
    start=FACING,
    situation=N_("The dual program of this hard-margin SVM has two positive multipliers."),
    conditions=(Count("on_margin", "exactly", 4), Count("support", "exactly", 2), ChangeLimit(changed=2), Keep()),
    hints=(
        Hint(N_("Each margin line can contain two points. Only two that face each other need a positive multiplier.")),
        Hint(N_("The step on points on margin lines shows which of them have α = 0."), step="duality.weights"),
    ),
    witness=FACING.moved({2: (0, 2)}),
    fewest=1,
)

"""Goals of the lesson on the margin."""

from __future__ import annotations

import math
from dataclasses import replace

from svmlab.core.phrase import N_
from svmlab.practice.board import Board
from svmlab.practice.conditions import ChangeLimit, Count, Keep, Ratio, Separable, Value
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
    conditions=(Ratio("width", "at least", 2), ChangeLimit(changed=1), Keep()),
    hints=(
        Hint(N_("Only a support vector limits the margin. Move one of the two away from the other class.")),
        Hint(N_("The step on the direction of largest margin shows what limits the width."), step="margin.turn"),
    ),
    witness=NARROW.moved({4: (2, 0)}),
    fewest=1,
)

WIDE = Board(((-2, 0, -1), (2, 0, 1), (-3, 2, -1), (3, 2, 1), (-4, -2, -1), (4, -2, 1)), C=math.inf)
HALF_MARGIN = Goal(
    key="half-margin",
    title=N_("Halve the margin with one more point"),
    lesson="margin",
    level=2,
    start=WIDE,
    situation=N_("The margin lines of this hard-margin SVM are 4 apart."),
    conditions=(Ratio("width", "about", 0.5), ChangeLimit(added=1), Keep()),
    hints=(
        Hint(N_("A new point can become a support vector. How close to the other class must it be?")),
        Hint(N_("The step on the direction of largest margin shows what limits the width."), step="margin.turn"),
    ),
    witness=WIDE.with_points((0, 0, 1)),
    fewest=1,
)
ONE_POINT_TOO_MANY = Goal(
    key="one-point-too-many",
    title=N_("One more point, and no line separates"),
    lesson="margin",
    level=1,
    start=replace(WIDE, C=1),
    situation=N_("A line separates the two classes of this board."),
    conditions=(Separable("line", False), ChangeLimit(added=1), Keep()),
    hints=(
        Hint(N_("No line separates the classes if their convex hulls meet. Where must the new point be?")),
        Hint(N_("The statement on convex hulls explains when a line exists."), statement="M10"),
    ),
    witness=replace(WIDE, C=1).with_points((-3, 0.5, 1)),
    fewest=1,
)
CAUGHT = Board(((-2, 2, -1), (-3, -1, -1), (2, 0, -1), (1, 2, 1), (1, -2, 1), (3, 1, 1)), C=1)
SEPARABLE_AND_WIDE = Goal(
    key="separable-with-a-margin",
    title=N_("One move to a wide margin"),
    lesson="margin",
    level=2,
    start=CAUGHT,
    situation=N_("No line separates these classes, because one point of class −1 lies among the points of class +1."),
    conditions=(
        Separable("line", True),
        Count("violations", "exactly", 0),
        Value("width", "at least", 2.5),
        ChangeLimit(changed=1),
        Keep(),
    ),
    hints=(
        Hint(N_("Move the point to its own class. It must also not limit the margin there.")),
        Hint(N_("The step on linear separability shows when a line exists."), step="margin.exists"),
    ),
    witness=CAUGHT.moved({3: (-4, 1)}),
    fewest=1,
)
NOTHING_CHANGES = Goal(
    key="points-that-change-nothing",
    title=N_("Four more points, and the same margin"),
    lesson="margin",
    level=1,
    start=WIDE,
    situation=N_("This hard-margin SVM has two support vectors and six points."),
    conditions=(
        Count("points", "exactly", 10),
        Count("support", "exactly", 2),
        Ratio("width", "about", 1),
        ChangeLimit(added=4),
        Keep(),
    ),
    hints=(
        Hint(N_("The boundary depends on the support vectors only. Where is a new point no support vector?")),
        Hint(N_("The statement on deleting points says the same in the other direction."), statement="H9"),
    ),
    witness=WIDE.with_points((5, 1, 1), (6, 0, 1), (-5, 1, -1), (-6, 0, -1)),
    fewest=4,
)
BIAS_OF_ONE = Goal(
    key="bias-of-one",
    title=N_("A decision function with b = 1"),
    lesson="margin",
    level=3,
    start=WIDE,
    situation=N_("The decision function of this SVM is $f(x) = \\langle w, x\\rangle + b$ with $b = 0$."),
    conditions=(Value("bias", "about", 1), ChangeLimit(changed=1), Keep()),
    hints=(
        Hint(N_("The value of $f$ at the origin is b. On which line must the origin lie so that $f = 1$ there?")),
        Hint(N_("The step on functional and geometric margins explains the values of f."), step="margin.scaling"),
    ),
    witness=WIDE.moved({2: (0, 0)}),
    fewest=1,
)
NORM_OF_TWO = Goal(
    key="norm-of-two",
    title=N_("A weight vector of norm 2"),
    lesson="margin",
    level=2,
    start=WIDE,
    situation=N_("The norm of w is 1/2 at the start, because the margin lines are 4 apart."),
    conditions=(Value("norm", "about", 2), ChangeLimit(changed=1), Keep()),
    hints=(
        Hint(N_("The margin width is $2/\\|w\\|$. Which width belongs to the norm 2?")),
        Hint(N_("The statement on canonical scaling derives the width."), statement="M5"),
    ),
    witness=WIDE.moved({2: (-1, 0)}),
    fewest=1,
)

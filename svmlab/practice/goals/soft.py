"""Goals of the lesson on the soft margin."""

from __future__ import annotations

from dataclasses import replace

from svmlab.core.phrase import N_
from svmlab.practice.board import Board
from svmlab.practice.conditions import ChangeLimit, Count, Keep, Ratio, Separable, Unique, Value
from svmlab.practice.goal import Goal
from svmlab.practice.hint import Hint

APART = Board(((-2, 0, -1), (-3, 1, -1), (-3, -1, -1), (2, 0, 1), (3, 1, 1), (3, -1, 1)), C=1)
SLACK_WITHOUT_ERRORS = Goal(
    key="slack-without-errors",
    title=N_("Slack without a training error"),
    lesson="soft",
    level=2,
    start=APART,
    situation=N_("The soft margin with C = 1 allows slack. Slack and training error are not the same."),
    conditions=(Count("inside", "at least", 2), Count("errors", "exactly", 0), Keep(("kernel", "C", "bias"))),
    hints=(
        Hint(N_("A point with a slack between 0 and 1 is inside the margin and still on its side of the boundary.")),
        Hint(N_("The step on slack and hinge loss shows these points."), step="soft.slack"),
    ),
    witness=APART.moved({1: (0.8, 0)}),
    fewest=1,
)

ALL_AT_BOUND = Goal(
    key="all-at-the-bound",
    title=N_("Every multiplier at its bound C"),
    lesson="soft",
    level=1,
    start=APART,
    situation=N_("Each multiplier of the soft margin is between 0 and C. You may change only C."),
    conditions=(Count("at_bound", "exactly", 6), Keep(("kernel", "bias", "points"))),
    hints=(
        Hint(N_("A point with slack has α = C. Which C allows a margin so wide that all points are inside?")),
        Hint(N_("The step on multipliers as functions of C shows them all."), step="soft.multipliers"),
    ),
    witness=replace(APART, C=0.01),
    fewest=0,
)
NO_SLACK_BY_C = Goal(
    key="no-slack-by-c",
    title=N_("No slack, by C alone"),
    lesson="soft",
    level=1,
    start=replace(APART, C=0.02),
    situation=N_("A line separates these classes, but with this small C some points have slack."),
    conditions=(Count("violations", "exactly", 0), Keep(("kernel", "bias", "points"))),
    hints=(
        Hint(N_("The parameter C is the penalty of slack. In which direction must you change it?")),
        Hint(N_("The step from soft to hard margin shows what a large C does."), step="soft.hard"),
    ),
    witness=replace(APART, C=10),
    fewest=0,
)
WIDER_BY_C = Goal(
    key="wider-by-c",
    title=N_("Twice the margin width, by C alone"),
    lesson="soft",
    level=1,
    start=APART,
    situation=N_("At the start no point has slack. A wider margin must accept some."),
    conditions=(Ratio("width", "at least", 2), Count("errors", "exactly", 0), Keep(("kernel", "bias", "points"))),
    hints=(
        Hint(N_("The objective weighs the norm of w against the slack. Which C gives slack a small penalty?")),
        Hint(N_("The step on the soft margin and C shows the trade-off."), step="soft.price"),
    ),
    witness=replace(APART, C=0.01),
    fewest=0,
)
MANY_BIASES = Goal(
    key="bias-not-unique",
    title=N_("A whole interval of optimal b"),
    lesson="soft",
    level=2,
    start=APART,
    situation=N_("The vector w of the soft margin is always unique. Its bias b is not always unique."),
    conditions=(Unique("b", False), Keep(("kernel", "bias", "points"))),
    hints=(
        Hint(N_("A free support vector determines b. Find a C for which no support vector is free.")),
        Hint(N_("The step on computing b with slack shows the interval."), step="soft.offset"),
    ),
    witness=replace(APART, C=0.02),
    fewest=0,
)
ONE_ERROR = Goal(
    key="one-error-and-no-other-slack",
    title=N_("One error, and no other slack"),
    lesson="soft",
    level=3,
    start=replace(APART, C=0.5),
    situation=N_("No point of this board has slack. You may add one point."),
    conditions=(Count("errors", "exactly", 1), Count("violations", "exactly", 1), ChangeLimit(added=1), Keep()),
    hints=(
        Hint(N_("The new point turns the boundary. Where does it do so while all other points keep $y f ≥ 1$?")),
        Hint(N_("The step on slack and hinge loss shows how far a point violates the margin."), step="soft.slack"),
    ),
    witness=replace(APART, C=0.5).with_points((-3, 2, 1)),
    fewest=1,
)
SLACK_SUM = Goal(
    key="slack-sum-of-three",
    title=N_("Slacks with the sum 3"),
    lesson="soft",
    level=3,
    start=replace(APART, C=0.001),
    situation=N_("With this very small C every point has slack, and the sum of the slacks is large. Change only C."),
    conditions=(Value("slack", "about", 3), Keep(("kernel", "bias", "points"))),
    hints=(
        Hint(N_("The sum of the slacks cannot grow when C grows. Approach the right C from both sides.")),
        Hint(N_("The statement on the regularisation path says how solutions change with C."), statement="S11"),
    ),
    witness=replace(APART, C=0.0117),
    fewest=0,
)
ON_THE_BOUNDARY = Goal(
    key="two-on-the-boundary",
    title=N_("Two points on the decision boundary"),
    lesson="soft",
    level=2,
    start=APART,
    situation=N_("A point with $y f = 0$ has the slack ξ = 1 and lies exactly on the decision boundary."),
    conditions=(Count("on_boundary", "exactly", 2), ChangeLimit(added=2), Keep()),
    hints=(
        Hint(N_("Use the symmetry of the board. One new point moves the boundary, and a second one brings it back.")),
        Hint(N_("The step on slack and hinge loss shows the slack of a point."), step="soft.slack"),
    ),
    witness=APART.with_points((0, 0, 1), (0, 0, -1)),
)
ALL_BUT_ONE = Board(
    ((1, 1, 1), (2, 3, 1), (3, 2, 1), (1, 3, 1), (-1, 2, -1), (-2, 3, -1), (-3, 2, -1)), C=10, bias=False
)
BIAS_DECIDES = Goal(
    key="the-missing-bias-decides",
    title=N_("Separable, but not without a bias"),
    lesson="soft",
    level=2,
    start=ALL_BUT_ONE,
    situation=N_("This SVM has no bias, so its boundary goes through the origin."),
    conditions=(Separable("line", True), Count("errors", "at least", 1), ChangeLimit(changed=1), Keep()),
    hints=(
        Hint(N_("The classes must be separable by a line, but by none through the origin.")),
        Hint(N_("The step on the kinds of bias compares them."), step="soft.biases"),
    ),
    witness=ALL_BUT_ONE.moved({1: (-2, -1)}),
    fewest=1,
)
WIDE_CLASSES = Board(
    ((-3, 2, -1), (-3, 0, -1), (-3, -2, -1), (-5, 0, -1), (3, 2, 1), (3, 0, 1), (3, -2, 1), (5, 0, 1)), C=0.5
)
MOST_AT_BOUND = Goal(
    key="six-at-the-bound-without-errors",
    title=N_("Six multipliers at C, and no error"),
    lesson="soft",
    level=3,
    start=WIDE_CLASSES,
    situation=N_("Many margin violations are possible although every point is classified correctly."),
    conditions=(
        Count("at_bound", "at least", 6),
        Count("errors", "exactly", 0),
        Count("points", "exactly", 8),
        Keep(),
    ),
    hints=(
        Hint(N_("A multiplier is at C if its point has slack. Bring both classes close to each other.")),
        Hint(N_("The step on multipliers in the soft margin shows which points have α = C."), step="soft.places"),
    ),
    witness=WIDE_CLASSES.moved({1: (-0.5, 2), 2: (-0.5, 0), 3: (-0.5, -2), 5: (0.5, 2), 6: (0.5, 0), 7: (0.5, -2)}),
)

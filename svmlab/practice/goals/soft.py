"""Goals of the lesson on the soft margin."""

from __future__ import annotations

from svmlab.core.phrase import N_
from svmlab.practice.board import Board
from svmlab.practice.conditions import Count, Keep
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

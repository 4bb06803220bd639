"""Goals of the lesson on Pegasos."""

from __future__ import annotations

from svmlab.core.phrase import N_
from svmlab.practice.board import Board
from svmlab.practice.conditions import ChangeLimit, Keep, Value
from svmlab.practice.goal import Goal
from svmlab.practice.hint import Hint

NO_BIAS = Board(((2, 0, 1), (-2, 0, -1)), C=2, bias=False)
LARGEST_NORM = Goal(
    key="norm-reaches-its-bound",
    title=N_("The norm of w reaches its bound"),
    lesson="pegasos",
    level=3,
    start=NO_BIAS,
    situation=N_(
        "Pegasos uses the bound $\\|w^*\\| \\le 1/\\sqrt{\\lambda}$ with $C = 1/(\\lambda m)$. "
        "Here $m = 2$ and $C = 2$, so it is 2."
    ),
    conditions=(Value("norm", "at least", 1.98), ChangeLimit(changed=2), Keep()),
    hints=(
        Hint(N_("All points must be on the margin lines. The width $2/\\|w\\|$ tells you how far apart these are.")),
        Hint(N_("The statement on the bound says when it is reached."), statement="T3"),
    ),
    witness=NO_BIAS.moved({1: (0.5, 0), 2: (-0.5, 0)}),
)
SMALL_NORM = Goal(
    key="opposite-points-cancel",
    title=N_("Updates that cancel"),
    lesson="pegasos",
    level=1,
    start=NO_BIAS,
    situation=N_("Pegasos adds a multiple of y x at each margin violation, so w is a sum of such vectors."),
    conditions=(Value("norm", "at most", 0.01), ChangeLimit(changed=1), Keep()),
    hints=(
        Hint(N_("The vector w is $\\sum_i \\alpha_i y_i x_i$. For which two points do the terms cancel?")),
        Hint(N_("The step on w as a sum shows these vectors."), step="pegasos.pushes"),
    ),
    witness=NO_BIAS.moved({2: (2, 0)}),
    fewest=1,
)

"""Goals of the lesson on kernels."""

from __future__ import annotations

from svmlab.core.phrase import N_
from svmlab.kernels.standard import Polynomial
from svmlab.practice.board import Board
from svmlab.practice.conditions import AtMost, Count, Keep, Separable
from svmlab.practice.goal import Goal
from svmlab.practice.hint import Hint

PARABOLA = Board(
    ((-2, -1, -1), (0, -2, -1), (2, -1, -1), (-1, 1, 1), (1, 1, 1), (0, 2, 1)), Polynomial(2, 1.0, 0.5), C=1
)
KERNEL_SEPARATES = Goal(
    key="only-the-kernel-separates",
    title=N_("Separable by the kernel, not by a line"),
    lesson="kernels",
    level=2,
    start=PARABOLA,
    situation=N_("The kernel is a polynomial of degree 2, so its boundary is a conic section."),
    conditions=(
        Separable("line", False),
        Separable("kernel", True),
        Count("errors", "exactly", 0),
        AtMost(changed=2),
        Keep(),
    ),
    hints=(
        Hint(N_("A parabola or an ellipse can separate classes that no line separates. Bend the gap between them.")),
        Hint(N_("The step on the feature map lifts the points above the plane."), step="kernels.lift"),
    ),
    witness=PARABOLA.moved({6: (0, -3.5)}),
    fewest=1,
)

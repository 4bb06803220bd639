"""Goals of the lesson on kernels."""

from __future__ import annotations

from dataclasses import replace

from svmlab.core.phrase import N_
from svmlab.kernels.standard import Gaussian, Linear, Polynomial
from svmlab.practice.board import Board
from svmlab.practice.conditions import ChangeLimit, Count, Keep, Separable
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
        ChangeLimit(changed=2),
        Keep(),
    ),
    hints=(
        Hint(N_("A parabola or an ellipse can separate classes that no line separates. Bend the gap between them.")),
        Hint(N_("The step on the feature map lifts the points above the plane."), step="kernels.lift"),
    ),
    witness=PARABOLA.moved({6: (0, -3.5)}),
    fewest=1,
)

XOR = Board(((2, 2, 1), (-2, -2, 1), (2, -2, -1), (-2, 2, -1)), Linear(), C=1)
KERNEL_FOR_XOR = Goal(
    key="a-kernel-for-xor",
    title=N_("A kernel for XOR"),
    lesson="kernels",
    level=1,
    start=XOR,
    situation=N_("The points of each class lie at opposite corners of a square. You may change only the kernel."),
    conditions=(Separable("kernel", True), Count("errors", "exactly", 0), Keep(("C", "bias", "points"))),
    hints=(
        Hint(N_("The product of both coordinates separates these classes. Which kernel has it as a feature?")),
        Hint(N_("The step on the polynomial kernel lists its features."), step="kernels.coordinates"),
    ),
    witness=replace(XOR, kernel=Polynomial(2, 1.0, 1.0)),
    fewest=0,
)
MIXED = Board(
    ((-2, 1, 1), (-1, -1, -1), (0, 1.5, -1), (0, -2, 1), (1, 0, 1), (2, 2, -1), (3, -1, 1), (-3, -2, -1)),
    Gaussian(4.0),
    C=10,
)
GAUSSIAN_OVERFITS = Goal(
    key="every-point-a-support-vector",
    title=N_("No error, and every point a support vector"),
    lesson="kernels",
    level=2,
    start=MIXED,
    situation=N_(
        "The labels of this board follow no rule. A kernel can still classify every training point correctly."
    ),
    conditions=(Count("errors", "exactly", 0), Count("support", "exactly", 8), Keep(("C", "bias", "points"))),
    hints=(
        Hint(N_("With a narrow Gaussian kernel, only the nearest training point decides. How small must σ be?")),
        Hint(N_("The step on the Gaussian kernel and the hard margin shows such a σ."), step="kernels.anything"),
    ),
    witness=replace(MIXED, kernel=Gaussian(0.3)),
    fewest=0,
)
NOT_EVEN_GAUSSIAN = Goal(
    key="no-gaussian-separates",
    title=N_("Not even a Gaussian kernel separates"),
    lesson="kernels",
    level=2,
    start=replace(MIXED, kernel=Gaussian(0.5)),
    situation=N_("A Gaussian kernel separates these classes. It separates all classes under one condition."),
    conditions=(Separable("kernel", False), ChangeLimit(added=1), Keep()),
    hints=(
        Hint(N_("A classifier gives one value of f to each position. Which new point makes this a contradiction?")),
        Hint(N_("The statement on the Gaussian kernel names the condition."), statement="K11"),
    ),
    witness=replace(MIXED, kernel=Gaussian(0.5)).with_points((1, 0, -1)),
    fewest=1,
)

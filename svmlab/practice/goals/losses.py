"""Goals of the lesson on losses."""

from __future__ import annotations

from svmlab.core.phrase import N_
from svmlab.practice.board import Board
from svmlab.practice.conditions import ChangeLimit, Count, Keep, Ratio
from svmlab.practice.goal import Goal
from svmlab.practice.hint import Hint

CLUSTERS = Board(((-1, 1, -1), (-1, -1, -1), (-2, 0, -1), (1, 1, 1), (1, -1, 1), (2, 0, 1)), C=1)
FAR_OUTLIER = Goal(
    key="one-outlier-three-errors",
    title=N_("One outlier causes three errors"),
    lesson="losses",
    level=2,
    start=CLUSTERS,
    situation=N_(
        "The hinge loss of a point grows with its distance on the wrong side. This SVM makes no training error."
    ),
    conditions=(Count("errors", "at least", 3), ChangeLimit(added=1), Keep()),
    hints=(
        Hint(
            N_("A far point on the wrong side has a large hinge loss. The SVM may accept three smaller losses instead.")
        ),
        Hint(N_("The step on outliers and loss functions compares what an outlier does."), step="losses.far"),
    ),
    witness=CLUSTERS.with_points((8, 0, -1)),
    fewest=1,
)
HARMLESS_POINT = Goal(
    key="far-points-without-loss",
    title=N_("Three far points without a loss"),
    lesson="losses",
    level=1,
    start=CLUSTERS,
    situation=N_(
        "The hinge loss is 0 beyond the margin line. The squared loss also punishes points far on their own side."
    ),
    conditions=(
        Count("points", "exactly", 9),
        Count("outside", "at least", 5),
        Ratio("width", "about", 1),
        Count("violations", "exactly", 0),
        ChangeLimit(added=3),
        Keep(),
    ),
    hints=(
        Hint(N_("A point with $y f > 1$ has the hinge loss 0, wherever it lies beyond its margin line.")),
        Hint(N_("The step on surrogate losses draws the loss over y f."), step="losses.curves"),
    ),
    witness=CLUSTERS.with_points((6, 0, 1), (6, 3, 1), (-6, 0, -1)),
    fewest=3,
)

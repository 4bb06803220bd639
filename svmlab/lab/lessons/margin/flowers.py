"""What the steps share: their flowers, their needs, and the largest margin."""

from __future__ import annotations

from svmlab.lab.teach.boards import flowers
from svmlab.lab.teach.requirements import BIAS, BOTH_CLASSES, HARD, LINE_EXISTS, LINEAR, SEPARABLE
from svmlab.lab.teach.stage import Stage
from svmlab.lab.words import _

SEPARABLE_POINTS = (BOTH_CLASSES, LINEAR, BIAS, LINE_EXISTS, HARD, SEPARABLE)

# Eighteen flowers with three support vectors. Many lines separate them, and the perceptron stops on other ones.
SEPALS, EVERY = ("sepal_length", "sepal_width"), 6
BOARD = flowers("setosa", "versicolor", SEPALS, (5.5, 3.0), EVERY, hard=True, view=2.0)
UNCENTRED = flowers("setosa", "versicolor", SEPALS, (0.0, 0.0), EVERY, hard=True, view=8.0)  # in plain centimetres


def largest_margin(stage: Stage) -> float:
    """Return the largest margin 1/|w|, that of the SVM on the board."""
    return 1.0 / stage.solution.norm_w


def class_names() -> tuple[str, str]:
    """Return the names of the classes."""
    return _("class +1"), _("class −1")

"""The widest street: what the steps on it need, the board that they lend, and its margin."""

from __future__ import annotations

from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.requirements import BIAS, BOTH_CLASSES, HARD, LINE_EXISTS, LINEAR, SEPARABLE
from svmlab.lab.teach.stage import Stage
from svmlab.lab.words import _

STREET = (BOTH_CLASSES, LINEAR, BIAS, LINE_EXISTS, HARD, SEPARABLE)

# Sixteen points with a tilted street some way beside the origin: three of them hold it, and the perceptron misses it
# widely.
BOARD = board_of_points(
    (
        (-1.3, 1.6, 1),
        (2.3, -1.8, -1),
        (-0.7, 2.3, 1),
        (0.7, 2.9, -1),
        (2.9, -1.7, -1),
        (2.0, 1.1, -1),
        (0.8, -2.3, 1),
        (1.6, 0.5, -1),
        (1.4, -0.3, -1),
        (-0.4, 0.1, 1),
        (-1.0, 1.1, 1),
        (-1.4, -3.0, 1),
        (1.8, -2.1, -1),
        (1.1, 0.2, -1),
        (-1.4, 0.2, 1),
        (-0.7, -0.5, 1),
    ),
    hard=True,
)


def widest(stage: Stage) -> float:
    """The margin 1/|w| of the machine on the board."""
    return 1.0 / stage.solution.norm_w


def names_of_classes() -> tuple[str, str]:
    """What the rows of a chart are called."""
    return _("class +1"), _("class −1")

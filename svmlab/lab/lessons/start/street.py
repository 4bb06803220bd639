"""What the steps share: their points, what they need, a board without symbols, and the points by their distance to a
line.
"""

from __future__ import annotations

import numpy as np

from svmlab import Dataset
from svmlab.lab.board.payload import flat_coordinates
from svmlab.lab.charts.rows import rows_chart
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import POINTS_ONLY, select_point
from svmlab.lab.teach.requirements import BIAS, BOTH_CLASSES, HARD, LINE_EXISTS, LINEAR, SEPARABLE
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data
from svmlab.lab.words import _
from svmlab.plane.geometry import Line

ROWS = (  # a tilted street that a disc and two squares hold
    (-3.0, 2.2, 1),
    (-1.9, 3.1, 1),
    (-2.4, 0.6, 1),
    (-1.1, 1.9, 1),
    (-0.5, 3.2, 1),
    (-3.2, -0.6, 1),
    (-0.9, 0.5, 1),
    (0.6, 2.6, 1),
    (2.9, 1.9, -1),
    (1.1, -0.6, -1),
    (2.2, 0.4, -1),
    (0.2, -2.1, -1),
    (3.1, -0.9, -1),
    (1.6, -2.4, -1),
    (2.4, -3.1, -1),
    (-1.2, -2.9, -1),
)
BOARD = board_of_points(ROWS, hard=True)
STREET = (BOTH_CLASSES, LINEAR, BIAS, LINE_EXISTS, HARD, SEPARABLE)
SCENE: Data = {"marks": None, "legend": None, "slack": [], "sliders": []}  # points, the street and nothing to read
POINTS_ALONE: Data = {**SCENE, **POINTS_ONLY}


def the_line(line: Line, stage: Stage) -> Data:
    """The line alone, without its street."""
    return {"zero": [flat_coordinates(ends) for ends in line.clipped(stage.lab.view)], "plus": [], "minus": []}


def names() -> tuple[str, str]:
    """What the two kinds are called."""
    return _("discs"), _("squares")


def across(stage: Stage, line: Line, half: float, data: Dataset | None = None) -> Chart:
    """The points by how far they are from a line, those on the side of the discs to the right; dashed: its street's
    edges.
    """
    points = data or stage.data
    borders = {0.0: "solid"} | ({half: "dash", -half: "dash"} if half > 0 else {})
    ways = line.margins(points.X, np.ones(points.m))
    figure = rows_chart(ways, points, stage.lab.selected, borders, _("how far from the line"), names(), stage.palette)
    return Chart(figure, select_point)

"""What the steps share: their flowers, their needs, a board without symbols, and the chart of signed distances."""

from __future__ import annotations

import numpy as np

from svmlab import Dataset
from svmlab.lab.board.payload import flat_coordinates
from svmlab.lab.charts.rows import rows_chart
from svmlab.lab.teach.boards import flowers, has_points_of
from svmlab.lab.teach.overlay import POINTS_ONLY, select_point
from svmlab.lab.teach.requirements import BIAS, BOTH_CLASSES, HARD, LINE_EXISTS, LINEAR, SEPARABLE
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line

# Eighteen flowers: neither feature alone separates the species, and both together do.
SEPALS, CENTRE, EVERY = ("sepal_length", "sepal_width"), (5.5, 3.0), 6
BOARD = flowers("setosa", "versicolor", SEPALS, CENTRE, EVERY, hard=True, view=2.0)
SEPARABLE_POINTS = (BOTH_CLASSES, LINEAR, BIAS, LINE_EXISTS, HARD, SEPARABLE)
SCENE: Data = {"marks": None, "legend": None, "slack": [], "sliders": []}  # points and lines, without numbers
POINTS_ALONE: Data = {**SCENE, **POINTS_ONLY}
DISTANCE = N_("distance from the line")


def has_flowers(stage: Stage) -> bool:
    """Return whether the flowers are on the board."""
    return has_points_of(stage.lab, BOARD)


def without_margin_lines(line: Line, stage: Stage) -> Data:
    """Return the lines of the board's data with the boundary alone."""
    return {"zero": [flat_coordinates(ends) for ends in line.clipped(stage.lab.view)], "plus": [], "minus": []}


def class_names() -> tuple[str, str]:
    """Return the names of the classes."""
    return _("discs"), _("squares")


def distance_chart(
    stage: Stage, line: Line, margin: float = 0.0, data: Dataset | None = None, title: str = DISTANCE
) -> Chart:
    """Return the chart of the points by their distance from a line, which is negative on the side of the squares.

    margin: the distance of the margin lines, which are dashed. data: the points, or those on the board.
    """
    points = data or stage.data
    borders = {0.0: "solid"} | ({margin: "dash", -margin: "dash"} if margin > 0 else {})
    distances = line.margins(points.X, np.ones(points.m))
    figure = rows_chart(distances, points, stage.lab.selected, borders, _(title), class_names(), stage.palette)
    return Chart(figure, select_point)

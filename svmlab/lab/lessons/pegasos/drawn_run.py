"""A short run of Pegasos, and vectors on the board of points."""

from __future__ import annotations

import numpy as np

from svmlab import pegasos
from svmlab.core.arrays import Array
from svmlab.lab.lessons.pegasos.runs import seed
from svmlab.lab.teach.overlay import POINTS_ONLY, stroke
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data
from svmlab.pegasos import RecordedSteps, replay

NO_BOUNDARY: Data = POINTS_ONLY | {"message": None, "legend": None}  # a board with the points alone
FULL = 0.8  # a vector that is longer than others for a short time may reach the edge of the board
ORIGIN = np.zeros(2)
TURN = np.linspace(0.0, 2 * np.pi, 91)


def steps_of_run(stage: Stage, T: int) -> RecordedSteps:
    """Return the steps 1 to T of a run on the points of the board."""
    data, lam = stage.data, stage.lab.lam
    return stage.cached(f"run {T} {seed(stage)}", lambda: replay(pegasos(data, lam, T, seed=seed(stage)), 0, 1, T + 1))


def arrow(start: Array, end: Array, style: str) -> list[Data]:
    """Return an arrow between two positions (2,) on the board, or nothing if they are equal."""
    return [stroke(np.stack([start, end]), style, "arrow")] if (start != end).any() else []


def circle(radius: float, style: str) -> Data:
    """Return a circle around the origin of the board."""
    return stroke(radius * np.stack([np.cos(TURN), np.sin(TURN)], axis=1), style)

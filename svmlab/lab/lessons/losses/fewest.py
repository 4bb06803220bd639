"""The line with the fewest errors on the board: at once where points are few, else in the worker.

All lines are tried on whole thousandths, which is what the board is made of: three points that are seen on one line are on one,
while rounded to binary fractions they would leave a gap of 1e-16 for a line to slip through.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from svmlab.arrays import frozen
from svmlab.data import Dataset
from svmlab.lab.teach.stage import Report, Stage, Working
from svmlab.losses import Fewest, fewest_errors

FEW = 24  # points up to which all lines are tried within a picture
THOUSANDTHS = 1000


def whole(data: Dataset, tell: Report | None = None) -> Fewest:
    """Fewest errors of points of thousandths, found on whole numbers. <w, 1000 x> + b is <1000 w, x> + b."""
    found = fewest_errors(Dataset(np.rint(THOUSANDTHS * data.X), data.y), tell)
    return replace(found, w=frozen(THOUSANDTHS * found.w))


def fewest(stage: Stage) -> Fewest:
    """A line with the fewest errors, w = 0 where calling all points by one label has as few. Raises Working."""
    data = stage.data
    if data.m <= FEW:
        return stage.for_points("fewest errors", lambda: whole(data))
    return stage.result(("fewest errors", data.key), lambda tell: whole(data, tell))


def fewest_so_far(stage: Stage) -> Fewest | None:
    """The same, None while it is worked on or points are dragged."""
    try:
        return fewest(stage)
    except Working:
        return None

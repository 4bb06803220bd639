"""The line with the fewest errors on the board: at once where points are few, else in the worker."""

from __future__ import annotations

from svmlab.lab.teach.stage import Stage, Working
from svmlab.losses import Fewest, fewest_errors

FEW = 24  # points up to which all lines are tried within a picture


def fewest(stage: Stage) -> Fewest:
    """A line with the fewest errors, w = 0 where calling all points by one label has as few. Raises Working."""
    data = stage.data
    if data.m <= FEW:
        return stage.cached_for_points("fewest errors", lambda: fewest_errors(data))
    return stage.background_result(("fewest errors", data.key), lambda tell: fewest_errors(data, tell))


def fewest_so_far(stage: Stage) -> Fewest | None:
    """The same, None while it is worked on or points are dragged."""
    try:
        return fewest(stage)
    except Working:
        return None

"""The line with the fewest errors on the board, at once if there are few points, and otherwise in the background."""

from __future__ import annotations

from svmlab.lab.teach.stage import Stage, Working
from svmlab.losses import FewestErrors, fewest_errors

FEW = 40  # points up to which all lines are tried within a picture


def fewest(stage: Stage) -> FewestErrors:
    """Return a line with the fewest errors, with w = 0 if a constant prediction has as few. Raises Working."""
    data = stage.data
    if data.m <= FEW:
        return stage.cached_for_points("fewest errors", lambda: fewest_errors(data))
    return stage.background_result(("fewest errors", data.key), lambda tell: fewest_errors(data, tell))


def fewest_so_far(stage: Stage) -> FewestErrors | None:
    """Return the same, or None until it is known or while points are dragged."""
    try:
        return fewest(stage)
    except Working:
        return None

"""What two steps see of the source of the points: fresh ones behind the board's own, and the true error of its
machine.
"""

from __future__ import annotations

from svmlab import Dataset
from svmlab.core.arrays import Mask
from svmlab.generalisation import Estimate
from svmlab.generalisation.blobs import FRESH_COUNT
from svmlab.lab.board.held_out_points import test_point_marks
from svmlab.lab.session import held_out
from svmlab.lab.teach.requirements import source_of
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data

AT_HAND = 2_000  # by which an error is measured at every move


def missed(stage: Stage) -> tuple[Dataset, Mask]:
    """The fresh points behind the board's own, the same as in the lab, and which of them (k,) the machine on the board
    has wrong.
    """
    data = held_out.test_points_of(source_of(stage))
    return data, data.y * stage.solution.decision(data.X) <= 0


def behind(stage: Stage) -> list[Data]:
    """Faint, those that go wrong less so."""
    return test_point_marks(*missed(stage))


def true_error(stage: Stage) -> Estimate:
    """The error of the machine at its source; while something moves, that of a machine that is no line by fewer
    points.
    """
    n = AT_HAND if stage.moving else FRESH_COUNT
    return stage.cached(f"true error {n}", lambda: source_of(stage).true_error(stage.solution, n))

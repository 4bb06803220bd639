"""Test points behind the points of the board, and the error of the SVM on the board at its source."""

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
from svmlab.lab.teach.tumours import find_sample

WHILE_MOVING = 2_000  # test points by which an error is measured while something moves


def misclassified_test_points(stage: Stage) -> tuple[Dataset, Mask]:
    """Return the test points, and which of them (k,) the SVM on the board misclassifies.

    They are the other tumours of the data set, or the same new points as in the lab.
    """
    sample = find_sample(stage.lab)
    data = sample.test() if sample else held_out.test_points_of(source_of(stage))
    return data, data.y * stage.solution.decision(data.X) <= 0


def overlay_of_test_points(stage: Stage) -> list[Data]:
    """Return the test points as faint marks, less faint if they are misclassified."""
    return test_point_marks(*misclassified_test_points(stage))


def true_error(stage: Stage) -> Estimate:
    """Return the error on the other tumours, or the true error at the source of the points.

    While something moves, the error of a nonlinear SVM is measured on fewer points.
    """
    n = WHILE_MOVING if stage.moving else FRESH_COUNT

    def measure() -> Estimate:
        if find_sample(stage.lab):
            wrong = misclassified_test_points(stage)[1]
            return Estimate.counted(int(wrong.sum()), len(wrong))
        return source_of(stage).true_error(stage.solution, n)

    return stage.cached(f"test error {n}", measure)

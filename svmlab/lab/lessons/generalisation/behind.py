"""What two steps see of the source of the points: fresh ones behind the board's own, and the true error of its machine."""

from __future__ import annotations

from functools import lru_cache

from svmlab import Dataset
from svmlab.arrays import Mask
from svmlab.generalisation import Estimate, Source
from svmlab.generalisation.blobs import FRESH
from svmlab.lab.teach.needs import source_of
from svmlab.lab.teach.overlay import fresh
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data

FAINT = 400  # fresh points that are drawn
AT_HAND = 2_000  # by which an error is measured at every move


@lru_cache(8)
def unseen(source: Source, n: int = FAINT) -> Dataset:
    """The fresh points behind the board's own, always the same."""
    return source.fresh(n)


def missed(stage: Stage) -> tuple[Dataset, Mask]:
    """These points, and which of them (k,) the machine on the board has wrong."""
    data = unseen(source_of(stage))
    return data, data.y * stage.solution.decision(data.X) <= 0


def behind(stage: Stage) -> list[Data]:
    """Faint, those that go wrong less so."""
    data, wrong = missed(stage)
    return [*fresh(data.X[~wrong], data.y[~wrong]), *fresh(data.X[wrong], data.y[wrong], "missed")]


def true_error(stage: Stage) -> Estimate:
    """The error of the machine at its source; while something moves, that of a machine that is no line by fewer points."""
    n = AT_HAND if stage.moving else FRESH
    return stage.once(f"true error {n}", lambda: source_of(stage).true_error(stage.solution, n))

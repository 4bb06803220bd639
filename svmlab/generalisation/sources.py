"""The distributions from which the points of a board come, so that fresh points can be drawn: two blobs, or a preset.

A source draws samples and can compute the true error of a classifier. The points themselves show which source they
come from, even after some of them have been moved. Moving points of a sample changes the sample, but not its
distribution. Points placed by hand have no source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np

from svmlab.binary.solution import Solution
from svmlab.core.rules import SampleSize, Seed, Size, UnitInterval
from svmlab.core.validate import validate_fields, validated
from svmlab.data import DATASETS, Dataset, fresh_points, make_dataset
from svmlab.data.generators import known_preset
from svmlab.data.sized import PlanarDataset
from svmlab.generalisation.blobs import FRESH_COUNT, Blobs, Estimate, measured_error

KNOWN_SEEDS = 40  # the samples of the blobs with the seeds 0, 1, ... are recognised
MAX_BOARD_POINTS = 300  # number of points that a board can hold
CHANCE_MATCHES = 1  # so many points may coincide with a sample by chance

Known = Annotated[str, known_preset]
Row = tuple[int, int, int]  # a point of a board: its coordinates in thousandths, and its label


@validated
def board_rows(data: PlanarDataset) -> list[Row]:
    """Return the points with coordinates in whole thousandths, as on a board.

    Raises BadInput for points that are not in the plane.
    """
    coordinates = np.rint(1000 * data.X).astype(int).tolist()
    return [(x, y, int(label)) for (x, y), label in zip(coordinates, data.y, strict=True)]


@validated
def rounded_to_board(data: Dataset) -> Dataset:
    """Return the dataset with its points rounded as on a board."""
    return data.moved(np.rint(1000 * data.X) / 1000)


@dataclass(frozen=True)
class BlobSource:
    """The two blobs of `Blobs`, for which the true error of a line has a formula."""

    blobs: Blobs

    def __post_init__(self) -> None:
        validate_fields(self)

    @property
    def bayes_error(self) -> float | None:
        """The least possible true error, the Bayes error."""
        return self.blobs.bayes_error

    @validated
    def draw(self, m: SampleSize, seed: Seed = 0) -> Dataset:
        """Return a sample of m points, rounded as on a board."""
        return rounded_to_board(self.blobs.draw(m, seed))

    @validated
    def fresh(self, n: SampleSize) -> Dataset:
        """Return points that no sample contains."""
        return self.blobs.fresh(n)

    @validated
    def true_error(self, solution: Solution, n: SampleSize = FRESH_COUNT, seed: Seed = 0) -> Estimate:
        """Return the true error, by the formula for a line, else on n fresh points."""
        return self.blobs.true_error(solution, n, seed)


@dataclass(frozen=True)
class PresetSource:
    """A preset whose points are independent draws, except for the sizes of its classes, which are equal."""

    name: Known
    noise: UnitInterval

    def __post_init__(self) -> None:
        validate_fields(self)

    @property
    def bayes_error(self) -> float | None:
        """None, because no formula is known."""
        return None

    @validated
    def draw(self, m: SampleSize, seed: Seed = 0) -> Dataset:
        """Return a sample of m points."""
        return make_dataset(self.name, m, self.noise, seed)

    @validated
    def fresh(self, n: SampleSize) -> Dataset:
        """Return points that no board contains, equally many in both classes."""
        return _unseen(self.name, n, self.noise)

    @validated
    def true_error(self, solution: Solution, n: SampleSize = FRESH_COUNT, seed: Seed = 0) -> Estimate:
        """Return the error rate on n fresh points, y f(x) <= 0; they are the same for every seed."""
        return measured_error(self.fresh(n), solution.decision)


Source = BlobSource | PresetSource
_unseen = lru_cache(16)(fresh_points)


@validated
def blobs_with_flipped_labels(eta: float) -> BlobSource:
    """Return the blobs of the lesson with the fraction eta of their labels flipped."""
    return BlobSource(Blobs(eta=eta))


CLEAN, NOISY = BlobSource(Blobs((3.0, 0.0), 1.0, 0.0)), BlobSource(Blobs((2.0, 0.0), 1.0, 0.3))
KNOWN_BLOBS = (
    blobs_with_flipped_labels(0.1),
    blobs_with_flipped_labels(0.3),
    blobs_with_flipped_labels(0.0),
    NOISY,
    CLEAN,
)  # recognised blobs; of equal ones the first counts


@dataclass(frozen=True)
class IdentifiedSample:
    """The sample from which points come: the one that a source draws with this seed.

    moved_count: how many points were placed, moved, relabelled or deleted by hand, or come from elsewhere.
    """

    source: Source
    seed: int
    moved_count: int


@validated
def identify_sample(
    points: Sequence[Row], name: Known, size: Size, noise: UnitInterval, seed: Seed
) -> IdentifiedSample | None:
    """Return the sample from which the points most probably come, or None.

    Of the samples of KNOWN_BLOBS, the one with the most common points counts if it has at least two of the
    points and at least half of them. The sample of the preset with these settings counts if at least half of the
    larger set is common. Of both, the one with fewer moved points is returned.
    """
    matches = [
        match for match in (_match_blobs(points), _match_preset(points, name, size, noise, seed)) if match is not None
    ]
    return min(matches, key=lambda match: match.moved_count, default=None)


@lru_cache(maxsize=1)
def _known_rows() -> dict[Row, list[tuple[int, int]]]:
    """Return every point of every draw of KNOWN_BLOBS, with the positions of its sources there and their seeds."""
    known_rows: dict[Row, list[tuple[int, int]]] = {}
    for k, source in enumerate(KNOWN_BLOBS):
        for seed in range(KNOWN_SEEDS):
            for row in board_rows(source.draw(MAX_BOARD_POINTS, seed)):
                known_rows.setdefault(row, []).append((k, seed))
    return known_rows


def _match_blobs(points: Sequence[Row]) -> IdentifiedSample | None:
    known_rows = _known_rows()
    votes = Counter(draw for row in dict.fromkeys(points) for draw in known_rows.get(row, ()))
    if not votes:
        return None
    (k, seed), count = min(votes.items(), key=lambda item: (-item[1], item[0]))
    if count <= CHANCE_MATCHES or 2 * count < len(points):
        return None
    source, m = KNOWN_BLOBS[k], len(points)  # a smaller draw is the first part of a larger one
    return IdentifiedSample(source, seed, m - _count_common(points, board_rows(source.draw(m, seed))))


def _match_preset(points: Sequence[Row], name: str, size: int, noise: float, seed: int) -> IdentifiedSample | None:
    if not DATASETS[name].population or size < DATASETS[name].smallest:
        return None
    most, common = max(len(points), size), _count_common(points, _preset_rows(name, size, noise, seed))
    return IdentifiedSample(PresetSource(name, noise), seed, most - common) if 2 * common >= most else None


def _count_common(points: Sequence[Row], others: Sequence[Row]) -> int:
    return (Counter(points) & Counter(others)).total()


@lru_cache(maxsize=8)
def _preset_rows(name: str, size: int, noise: float, seed: int) -> tuple[Row, ...]:
    return tuple(board_rows(make_dataset(name, size, noise, seed)))

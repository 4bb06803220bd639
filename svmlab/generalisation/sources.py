"""Where the points of a board come from, so that more can be had from there: two blobs with flipped labels, or a
preset.

A source draws samples and knows the true error of a machine. Which one it is the points say themselves, and they still
do while some of them are moved: who moves points of a sample changes the sample, not what it is a sample of. Points
placed by hand have no source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np

from svmlab.binary.solution import Solution
from svmlab.core.rules import SampleSize, Seed, Share, Size
from svmlab.core.validate import validate_fields, validated
from svmlab.data import DATASETS, Dataset, make_dataset, unseen
from svmlab.data.generators import known
from svmlab.data.sized import InPlane
from svmlab.generalisation.blobs import FRESH, Blobs, Estimate, measured_error

SEEDS = 40  # draws of the blobs that are known again, 0 first
MOST = 300  # points of a draw that a board can hold
ALONE = 1  # one point may stand where some draw has one too

Known = Annotated[str, known]
Row = tuple[int, int, int]  # a point of a board: its place in thousandths, and its label


@validated
def rows(data: InPlane) -> list[Row]:
    """The points as a board holds them, their places in whole thousandths. Raises BadInput for points that are not in
    the plane.
    """
    places = np.rint(1000 * data.X).astype(int).tolist()
    return [(x, y, int(label)) for (x, y), label in zip(places, data.y, strict=True)]


@validated
def on_board(data: Dataset) -> Dataset:
    """The same points, rounded as a board rounds them."""
    return data.moved(np.rint(1000 * data.X) / 1000)


@dataclass(frozen=True)
class BlobSource:
    """The two blobs of `Blobs`, whose true error has a formula for a line."""

    blobs: Blobs

    def __post_init__(self) -> None:
        validate_fields(self)

    @property
    def bayes_error(self) -> float | None:
        """The least true error that there is."""
        return self.blobs.bayes_error

    @validated
    def draw(self, m: SampleSize, seed: Seed = 0) -> Dataset:
        """A sample of m points, as a board holds it."""
        return on_board(self.blobs.draw(m, seed))

    @validated
    def fresh(self, n: SampleSize) -> Dataset:
        """Points that no sample holds."""
        return self.blobs.fresh(n)

    @validated
    def true_error(self, solution: Solution, n: SampleSize = FRESH, seed: Seed = 0) -> Estimate:
        """By the formula for a line, else by n fresh points."""
        return self.blobs.true_error(solution, n, seed)


@dataclass(frozen=True)
class PresetSource:
    """A preset whose points are independent draws, but for the sizes of its classes, which are equal."""

    name: Known
    noise: Share

    def __post_init__(self) -> None:
        validate_fields(self)

    @property
    def bayes_error(self) -> float | None:
        """Nobody has worked it out."""
        return None

    @validated
    def draw(self, m: SampleSize, seed: Seed = 0) -> Dataset:
        """A sample of m points."""
        return make_dataset(self.name, m, self.noise, seed)

    @validated
    def fresh(self, n: SampleSize) -> Dataset:
        """Points that no board holds, in both classes equally many."""
        return _unseen(self.name, n, self.noise)

    @validated
    def true_error(self, solution: Solution, n: SampleSize = FRESH, seed: Seed = 0) -> Estimate:
        """The share of n fresh points with y f(x) <= 0; they are the same for every seed."""
        return measured_error(self.fresh(n), solution.decision)


Source = BlobSource | PresetSource
_unseen = lru_cache(16)(unseen)


@validated
def flipped(eta: float) -> BlobSource:
    """The blobs of the lesson, that share of their labels flipped."""
    return BlobSource(Blobs(eta=eta))


CLEAN, NOISY = BlobSource(Blobs((3.0, 0.0), 1.0, 0.0)), BlobSource(Blobs((2.0, 0.0), 1.0, 0.3))
KNOWN = (flipped(0.1), flipped(0.3), flipped(0.0), NOISY, CLEAN)  # blobs that are known again; of equals the first


@dataclass(frozen=True)
class Drawn:
    """What the points are: the draw `seed` of a source, of which `moved` were placed, labelled or taken away by hand,
    or come from elsewhere.
    """

    source: Source
    seed: int
    moved: int


@validated
def drawn(points: Sequence[Row], name: Known, size: Size, noise: Share, seed: Seed) -> Drawn | None:
    """The draw that at least half of the points, and two of them, belong to: of KNOWN, or the preset with these
    settings. Or None.
    """
    found = [
        each for each in (_match_blobs(points), _match_preset(points, name, size, noise, seed)) if each is not None
    ]
    return min(found, key=lambda each: each.moved, default=None)


@lru_cache(maxsize=1)
def _places() -> dict[Row, list[tuple[int, int]]]:
    """Every point of every draw of KNOWN: which of them, and the seed."""
    known: dict[Row, list[tuple[int, int]]] = {}
    for k, source in enumerate(KNOWN):
        for seed in range(SEEDS):
            for row in rows(source.draw(MOST, seed)):
                known.setdefault(row, []).append((k, seed))
    return known


def _match_blobs(points: Sequence[Row]) -> Drawn | None:
    known = _places()
    votes = Counter(each for row in dict.fromkeys(points) for each in known.get(row, ()))
    if not votes:
        return None
    (k, seed), count = min(votes.items(), key=lambda item: (-item[1], item[0]))
    if count <= ALONE or 2 * count < len(points):
        return None
    source, m = KNOWN[k], len(points)  # a smaller draw is the beginning of a larger one
    return Drawn(source, seed, m - _common(points, rows(source.draw(m, seed))))


def _match_preset(points: Sequence[Row], name: str, size: int, noise: float, seed: int) -> Drawn | None:
    if not DATASETS[name].population or size < DATASETS[name].smallest:
        return None
    most, common = max(len(points), size), _common(points, _made(name, size, noise, seed))
    return Drawn(PresetSource(name, noise), seed, most - common) if 2 * common >= most else None


def _common(points: Sequence[Row], others: Sequence[Row]) -> int:
    return (Counter(points) & Counter(others)).total()


@lru_cache(maxsize=8)
def _made(name: str, size: int, noise: float, seed: int) -> tuple[Row, ...]:
    return tuple(rows(make_dataset(name, size, noise, seed)))

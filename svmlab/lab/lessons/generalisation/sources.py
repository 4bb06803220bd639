"""Where the points of a board come from, so that more can be had from there: two blobs with flipped labels, or a preset.

A source draws samples and knows the true error of a machine. Points placed by hand have none: of them nothing can be said.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from svmlab.data import DATASETS, Dataset, make_dataset
from svmlab.generalisation import Blobs, Estimate
from svmlab.generalisation.blobs import FRESH
from svmlab.solution import Solution

ETAS = (0.1, 0.3, 0.0)  # shares of flipped labels that boards are drawn with
SEEDS = 40  # draws of each, 0 first
MOST = 300  # points of a draw that a board can hold
UNSEEN, TAKEN = 10_000_000, 5_000  # seeds that no board has; the most points that a preset makes at once

Row = tuple[int, int, int]  # a point of a board: its place in thousandths, and its label


def rows(data: Dataset) -> list[Row]:
    """The points as a board holds them, their places in whole thousandths."""
    places = np.rint(1000 * data.X).astype(int).tolist()
    return [(x, y, int(label)) for (x, y), label in zip(places, data.y, strict=True)]


def on_board(data: Dataset) -> Dataset:
    """The same points, rounded as a board rounds them."""
    return Dataset(np.rint(1000 * data.X) / 1000, data.y)


@dataclass(frozen=True)
class Flipped:
    """The two blobs of svmlab.generalisation, a share eta of the labels flipped."""

    eta: float

    @property
    def blobs(self) -> Blobs:
        """The distribution."""
        return Blobs(eta=self.eta)

    @property
    def best(self) -> float | None:
        """The least true error that there is."""
        return self.blobs.best

    def draw(self, m: int, seed: int = 0) -> Dataset:
        """A sample of m points, as a board holds it."""
        return on_board(self.blobs.draw(m, seed))

    def fresh(self, n: int) -> Dataset:
        """Points that no sample holds."""
        return self.blobs.fresh(n)

    def true_error(self, solution: Solution, n: int = FRESH, seed: int = 0) -> Estimate:
        """By the formula for a line, else by n fresh points."""
        return self.blobs.true_error(solution, n, seed)


@dataclass(frozen=True)
class Preset:
    """A preset whose points are independent draws, but for the size of its classes, which are equal."""

    name: str
    noise: float

    @property
    def best(self) -> float | None:
        """Nobody has worked it out."""
        return None

    def draw(self, m: int, seed: int = 0) -> Dataset:
        """A sample of m points."""
        return make_dataset(self.name, m, self.noise, seed)

    def fresh(self, n: int) -> Dataset:
        """Points that no board holds, in both classes equally many."""
        parts = [self.draw(min(TAKEN, n - at), UNSEEN + at // TAKEN) for at in range(0, n, TAKEN)]
        return Dataset(np.vstack([part.X for part in parts]), np.concatenate([part.y for part in parts]))

    def true_error(self, solution: Solution, n: int = FRESH, seed: int = 0) -> Estimate:
        """The share of n fresh points with y f(x) <= 0; they are the same for every seed."""
        data = _unseen(self, n)
        share = float(np.mean(data.y * solution.decision(data.X) <= 0))
        return Estimate(share, math.sqrt(share * (1 - share) / n))


Source = Flipped | Preset


@lru_cache(maxsize=4)
def _unseen(source: Preset, n: int) -> Dataset:
    return source.fresh(n)


@dataclass(frozen=True)
class Drawn:
    """What the points are: the draw `seed` of a source, but for `moved` that were placed, labelled or taken away by hand."""

    source: Source
    seed: int
    moved: int


def drawn(points: Sequence[Row], name: str, size: int, noise: float, seed: int) -> Drawn | None:
    """The draw that more than half of the points belong to: one of the blobs, or the preset with these settings. None: no such draw."""
    found = [each for each in (_flipped(points), _preset(points, name, size, noise, seed)) if each is not None]
    best = min(found, key=lambda each: each.moved, default=None)
    return best if best is not None and 2 * best.moved < len(points) else None


@lru_cache(maxsize=1)
def _places() -> dict[tuple[int, int], list[tuple[int, tuple[int, ...]]]]:
    """Every place of every draw of the blobs: its seeds, and the labels there under each of ETAS. Labels flip, places stay."""
    known: dict[tuple[int, int], list[tuple[int, tuple[int, ...]]]] = {}
    for seed in range(SEEDS):
        same = [Flipped(eta).blobs.draw(MOST, seed) for eta in ETAS]
        labels = np.stack([each.y for each in same], 1).astype(int).tolist()
        for (x, y, _label), own in zip(rows(same[0]), labels, strict=True):
            known.setdefault((x, y), []).append((seed, tuple(own)))
    return known


def _flipped(points: Sequence[Row]) -> Drawn | None:
    known = _places()
    votes = Counter(
        (seed, k)
        for x, y, label in points
        for seed, labels in known.get((x, y), ())
        for k, own in enumerate(labels)
        if own == label
    )
    if not votes:
        return None
    (seed, k), _count = min(votes.items(), key=lambda item: (-item[1], item[0][1], item[0][0]))
    source, m = Flipped(ETAS[k]), len(points)
    return Drawn(source, seed, m - _common(points, rows(source.draw(m, seed))))


def _preset(points: Sequence[Row], name: str, size: int, noise: float, seed: int) -> Drawn | None:
    if not DATASETS[name].independent:
        return None
    common = _common(points, _made(name, size, noise, seed))
    return Drawn(Preset(name, noise), seed, max(len(points), size) - common)


def _common(points: Sequence[Row], others: Sequence[Row]) -> int:
    return sum((Counter(points) & Counter(others)).values())


@lru_cache(maxsize=8)
def _made(name: str, size: int, noise: float, seed: int) -> tuple[Row, ...]:
    return tuple(rows(make_dataset(name, size, noise, seed)))

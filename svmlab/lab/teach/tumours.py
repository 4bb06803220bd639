"""Breast tumours on a board: random training samples of a measured data set, and all other tumours as test points.

x1 and x2 are the standardised radius and texture of a tumour. All ten measurements of the same tumours give the result
in ten dimensions. Sample number `seed` of m tumours is the first m rows of the data set after a shuffle with this seed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

import numpy as np

from svmlab import Dataset
from svmlab.core.arrays import Array, Index, Mask, frozen
from svmlab.data import breast_cancer
from svmlab.data.measured import MEASUREMENTS
from svmlab.generalisation import board_rows, rounded_to_board
from svmlab.lab.session.lab import Lab, Point, smallest_view
from svmlab.lab.teach.step import Board

SEEDS = 40  # the samples with the seeds 0, 1, ... are recognised
CHANCE_MATCHES = 1  # so many points may be on a board by chance
SIZES = 10  # by how many points a board may be smaller or larger than its sample
# The mean and the standard deviation of each measurement over all 569 tumours, rounded: (x - CENTRE)/UNIT
CENTRE = np.array([14.0, 19.0, 92.0, 650.0, 0.096, 0.104, 0.089, 0.049, 0.181, 0.063])
UNIT = np.array([3.5, 4.3, 24.0, 350.0, 0.014, 0.053, 0.08, 0.039, 0.027, 0.007])
TWO, TEN = 2, len(MEASUREMENTS)  # how many measurements, the first ones


@cache
def standardised() -> tuple[Array, Index]:
    """Return all tumours: their standardised measurements (569, 10), and y (569,), +1 for malignant."""
    X, y = breast_cancer()
    return frozen((X - CENTRE) / UNIT), y


def tumours(selected: Mask | Index, measurements: int = TWO) -> Dataset:
    """Return some tumours, given by a mask or by their rows, with the first measurements, or with all of them.

    Two measurements are rounded as on a board.
    """
    X, y = standardised()
    data = Dataset(X[selected, :measurements], y[selected])
    return rounded_to_board(data) if measurements == TWO else data


@dataclass(frozen=True)
class Sample:
    """A random sample of m tumours, of which `moved_count` were placed, relabelled or deleted by hand."""

    m: int
    seed: int
    moved_count: int = 0

    @property
    def rows(self) -> Index:
        """The rows of the sample in the data set, (m,)."""
        return _shuffled(self.seed)[: self.m]

    @property
    def other_rows(self) -> Index:
        """The rows of all other tumours."""
        return _shuffled(self.seed)[self.m :]

    def training(self, measurements: int = TWO) -> Dataset:
        """Return the tumours of the sample."""
        return tumours(self.rows, measurements)

    def test(self, measurements: int = TWO) -> Dataset:
        """Return all other tumours of the data set."""
        return _test(self.m, self.seed, measurements)


@lru_cache(16)
def _test(m: int, seed: int, measurements: int) -> Dataset:
    return tumours(Sample(m, seed).other_rows, measurements)


@lru_cache(SEEDS)
def _shuffled(seed: int) -> Index:
    order = np.random.Generator(np.random.Philox(seed)).permutation(len(standardised()[1]))
    return frozen(order, np.intp)


def with_tumours(lab: Lab, data: Dataset) -> Lab:
    """Return the board with these tumours instead of its own points."""
    points = tuple(Point(i, *row) for i, row in enumerate(board_rows(data), start=1))
    return replace(lab, points=points, selected=None, view=smallest_view(points))


def sample_board(m: int, seed: int, **settings: Any) -> Board:
    """Return a function that makes the board of a sample. settings: any fields of a Lab."""
    return lambda: replace(with_tumours(Lab(), Sample(m, seed).training()), **settings)


def find_sample(lab: Lab) -> Sample | None:
    """Return the sample to which at least half of the points, and two of them, belong, or None."""
    return _find(tuple(point[1:] for point in lab.points))


@lru_cache(64)
def _find(points: tuple[tuple[int, int, int], ...]) -> Sample | None:
    n, on_the_board = len(points), Counter(points)
    if (on_the_board & _all_rows()).total() <= max(CHANCE_MATCHES, n // 2 - 1):
        return None

    def common(m: int, seed: int) -> int:
        return (on_the_board & Counter(board_rows(Sample(m, seed).training()))).total()

    seed = max(range(SEEDS), key=lambda each: common(n, each))
    sizes = [m for m in range(n - SIZES, n + SIZES + 1) if 0 < m <= len(standardised()[1])]
    m = max(sizes, key=lambda each: common(each, seed))  # the smallest of equally good ones
    count = common(m, seed)
    if count <= CHANCE_MATCHES or 2 * count < n:
        return None
    return Sample(m, seed, max(m, n) - count)


@cache
def _all_rows() -> Counter[tuple[int, int, int]]:
    return Counter(board_rows(tumours(np.arange(len(standardised()[1])))))

"""Seeded generators of example boards, each of which shows one fact about support vector machines.

Every generator is a function (m, noise, rng) -> (X, y) in the square [-4, 4]^2, with coordinates rounded to thousandths
and classes as equal in size as m allows. The fixed boards ignore m, noise and the seed, and `uses_randomness` is then
False.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.errors import BadInput, quoted
from svmlab.core.phrase import N_
from svmlab.core.rules import Seed, UnitInterval, WholeNumber
from svmlab.core.validate import validated
from svmlab.data.dataset import Dataset

PointsAndLabels = tuple[Array, Array]
LARGEST_M = 5000  # number of points of a board
FRESH_SEED = np.random.SeedSequence(0, spawn_key=(1,))  # a stream of random numbers that no seed of a board uses


@dataclass(frozen=True)
class Preset:
    """A named board: its title, its generator, and whether m, noise and seed matter to it.

    population: whether its points are a random sample of a distribution, independent except for the equal sizes of the
    classes, so that test points can be drawn. A board with one exceptional point, of points in a row, or without
    randomness has no population.
    """

    title: str
    make: Callable[[int, float, np.random.Generator], PointsAndLabels]
    population: bool
    uses_randomness: bool = True
    smallest: int = 2


@validated
def make_dataset(name: Annotated[str, known_preset], m: int = 60, noise: UnitInterval = 0.1, seed: Seed = 0) -> Dataset:
    """Return the board `name` with m points.

    noise: a fraction, 0 (clean) to 1. seed: any non-negative integer; equal arguments give equal points.
    Raises BadInput for an unknown name, m outside 2..5000 or noise outside 0..1.
    """
    recipe = DATASETS[name]
    WholeNumber(recipe.smallest, LARGEST_M)("m", m)
    return _make_board(recipe, m, noise, np.random.Philox(seed))


@validated
def fresh_points(
    name: Annotated[str, known_preset], n: Annotated[int, WholeNumber(4, 10**6)] = 400, noise: UnitInterval = 0.1
) -> Dataset:
    """Return n test points, n from 4 to 10^6, of the distribution from which the board `name` is drawn.

    The points are always the same, half of them in each class, as on the board. No board contains them, whatever its
    seed. Raises BadInput for an unknown name, and for a board without a population.
    """
    recipe = DATASETS[name]
    if not recipe.population:
        raise BadInput(
            "name: {name} has no distribution, so no further points of it can be drawn. Choose another dataset.",
            name=name,
        )
    return _make_board(recipe, n, noise, np.random.Philox(FRESH_SEED))


def _make_board(recipe: Preset, m: int, noise: float, numbers: np.random.BitGenerator) -> Dataset:
    X, y = recipe.make(m, noise, np.random.Generator(numbers))
    return Dataset(np.round(np.clip(X, -4, 4), 3) + 0.0, y)


def known_preset(field: str, name: object) -> str:
    """Return `name` if it is a name of DATASETS. Raises BadInput."""
    if not isinstance(name, str) or name not in DATASETS:
        raise BadInput(
            "{field}: {name} is not a dataset. Choose one of {choices}.",
            field=field,
            name=quoted(name),
            choices=", ".join(DATASETS),
        )
    return name


def _labels(m: int) -> Array:
    return np.where(np.arange(m) < (m + 1) // 2, 1.0, -1.0)


def _blobs(distance: float) -> Callable[[int, float, np.random.Generator], PointsAndLabels]:
    def make(m: int, noise: float, rng: np.random.Generator) -> PointsAndLabels:
        y = _labels(m)
        X = np.outer(y, [distance, 0.55 * distance]) + (0.75 + 1.5 * noise) * rng.standard_normal((m, 2))
        return X, y

    return make


def _separable(m: int, noise: float, rng: np.random.Generator) -> PointsAndLabels:
    """Return two blobs on opposite sides of a strip of width 1, so that they are separable whatever the noise."""
    X, y = _blobs(1.9)(m, noise, rng)
    normal = np.array([1.0, 0.55]) / np.hypot(1.0, 0.55)
    along = X @ normal
    return X + np.outer(y * np.maximum(0.0, 0.5 - y * along), normal), y


def _xor(m: int, noise: float, rng: np.random.Generator) -> PointsAndLabels:
    quadrant = np.arange(m) % 4
    centre = np.array([[1.7, 1.7], [-1.7, 1.7], [-1.7, -1.7], [1.7, -1.7]])[quadrant]
    return centre + (0.4 + noise) * rng.standard_normal((m, 2)), np.where(quadrant % 2 == 0, 1.0, -1.0)


def _circles(m: int, noise: float, rng: np.random.Generator) -> PointsAndLabels:
    y = _labels(m)
    angle, radius = rng.uniform(0, 2 * np.pi, m), np.where(y > 0, 1.1, 2.8)
    return (radius * np.array([np.cos(angle), np.sin(angle)])).T + 1.2 * noise * rng.standard_normal((m, 2)), y


def _moons(m: int, noise: float, rng: np.random.Generator) -> PointsAndLabels:
    y = _labels(m)
    angle = rng.uniform(0, np.pi, m)
    X = np.where(
        y[:, None] > 0,
        np.stack([2 * np.cos(angle) - 1, 2 * np.sin(angle) - 0.5], 1),
        np.stack([1 - 2 * np.cos(angle), 0.5 - 2 * np.sin(angle)], 1),
    )
    return X + 1.5 * noise * rng.standard_normal((m, 2)), y


def _spirals(m: int, noise: float, rng: np.random.Generator) -> PointsAndLabels:
    y = _labels(m)
    angle = np.sqrt(rng.uniform(0.02, 1, m)) * 3.2 * np.pi
    radius = 3.5 * angle / (3.2 * np.pi)
    X = (y * radius * np.array([np.cos(angle), np.sin(angle)])).T
    return X + noise * rng.standard_normal((m, 2)), y


def _one_against_many(m: int, noise: float, rng: np.random.Generator) -> PointsAndLabels:
    X = 0.9 * rng.standard_normal((m, 2)) * (0.8 + noise) + [-1.0, -0.6]
    y = -np.ones(m)
    X[0], y[0] = [2.2, 1.4], 1.0
    return X, y


def _collinear(m: int, noise: float, rng: np.random.Generator) -> PointsAndLabels:
    """Return points on one line whose classes overlap by two points if m allows it, exact in thousandths."""
    t = 2 * np.round(np.linspace(-1.5, 1.5, m), 3)
    middle = (m + 1) // 2
    y = np.where(np.arange(m) < middle, -1.0, 1.0)
    if m >= 6:
        y[[middle - 1, middle]] = y[[middle, middle - 1]]
    return np.stack([t, 0.5 * t], 1).round(3), y


def _lattice(m: int, noise: float, rng: np.random.Generator) -> PointsAndLabels:
    a, b = np.meshgrid(np.arange(5.0), np.arange(-2.0, 3.0))
    right = np.stack([a.ravel() * 0.75 + 0.5, b.ravel() * 0.75], 1)
    return np.vstack([right, right * [-1, 1]]), _labels(50)


def _four_corners(m: int, noise: float, rng: np.random.Generator) -> PointsAndLabels:
    X = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1.0]])
    return X, X[:, 0].copy()


def _interval(m: int, noise: float, rng: np.random.Generator) -> PointsAndLabels:
    """Return one class on an interval of the axis x2 = 0, and the other class on both sides of it."""
    inner = (m + 1) // 2
    left = (m - inner + 1) // 2
    parts = (np.linspace(-1, 1, inner), np.linspace(-3.2, -1.6, left), np.linspace(1.6, 3.2, m - inner - left))
    t = np.concatenate(parts)
    return np.stack([t, np.zeros(m)], 1), _labels(m)


def _idle_margin(m: int, noise: float, rng: np.random.Generator) -> PointsAndLabels:
    """Return a board where (1, 2) is on a margin line of the hard margin, with multiplier 0 in every dual optimum."""
    X = np.array([[1, 0], [-1, 0], [1, 2], [2.5, 1], [2, -1.5], [-2, 1.5], [-3, -1], [-2.5, 0.5]])
    return X, np.where(X[:, 0] > 0, 1.0, -1.0)


DATASETS: dict[str, Preset] = {
    "overlapping": Preset(N_("Two blobs, overlapping"), _blobs(1.35), population=True),
    "separable": Preset(N_("Two blobs, separable"), _separable, population=True),
    "moons": Preset(N_("Moons"), _moons, population=True),
    "circles": Preset(N_("Circles"), _circles, population=True),
    "xor": Preset(N_("XOR"), _xor, population=True, smallest=4),
    "spirals": Preset(N_("Two spirals"), _spirals, population=True),
    "one_against_many": Preset(N_("One against many"), _one_against_many, population=False),
    "collinear": Preset(N_("All on one line"), _collinear, population=False),
    "interval": Preset(N_("An interval and its outside"), _interval, population=False, smallest=4),
    "lattice": Preset(N_("Lattice"), _lattice, population=False, uses_randomness=False),
    "four_corners": Preset(N_("Four corners (α not unique)"), _four_corners, population=False, uses_randomness=False),
    "idle_margin": Preset(N_("On the margin with α = 0"), _idle_margin, population=False, uses_randomness=False),
}

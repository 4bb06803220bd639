"""Seeded example boards of several classes, each of which shows one fact that needs more than two classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.errors import BadInput
from svmlab.core.phrase import N_
from svmlab.core.rules import Seed, WholeNumber
from svmlab.core.validate import validated
from svmlab.multiclass.classes import Classes

HALF_WIDTH = 8.0  # of the square that contains all points


@dataclass(frozen=True)
class Preset:
    """A named board: its title, its number of classes, and the function that draws n points of class k >= 0, (n, 2).

    n, seed: the number of points of each class and the seed by default.
    """

    title: str
    classes: int
    draw: Callable[[int, int, np.random.Generator], Array]
    n: int = 12
    seed: int = 0


@validated
def make_classes(name: str, n: Annotated[int, WholeNumber(1, 500)] | None = None, seed: Seed | None = None) -> Classes:
    """Return the board `name` with n points of each class, class by class, in whole thousandths within +-8.

    seed: any whole number from 0; equal arguments give equal points. By default both are those of the recipe. Raises
    BadInput for an unknown name and n outside 1..500.
    """
    if name not in BOARDS:
        raise BadInput("name: {name!r} is not a board. Choose one of {choices}.", name=name, choices=", ".join(BOARDS))
    recipe = BOARDS[name]
    n, seed = recipe.n if n is None else n, recipe.seed if seed is None else seed
    rng = np.random.Generator(np.random.Philox(seed))
    X = np.vstack([recipe.draw(n, k, rng) for k in range(recipe.classes)])
    y = np.repeat(np.arange(1, recipe.classes + 1), n)
    return Classes(np.round(np.clip(X, -HALF_WIDTH, HALF_WIDTH), 3) + 0.0, y)


def _blobs(deviation: float, *centres: tuple[float, float]) -> Callable[[int, int, np.random.Generator], Array]:
    def draw(n: int, k: int, rng: np.random.Generator) -> Array:
        return np.array(centres[k]) + deviation * rng.standard_normal((n, 2))

    return draw


def _rings(n: int, k: int, rng: np.random.Generator) -> Array:
    """Return points of a disc of radius 0.7, or of rings of radius 2 and 3.4 around it that are 0.4 wide."""
    angle = rng.uniform(0, 2 * np.pi, n)
    radius = (0.7 * np.sqrt(rng.uniform(0, 1, n)), rng.uniform(1.8, 2.2, n), rng.uniform(3.2, 3.6, n))[k]
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)


BOARDS: dict[str, Preset] = {
    "blobs": Preset(N_("Three blobs"), 3, _blobs(0.6, (-2, -1.5), (2, -1.5), (0, 2)), seed=22),
    "four_blobs": Preset(N_("Four blobs"), 4, _blobs(0.6, (-2, -1.5), (2, -1.5), (2, 2), (-2, 2))),
    "row": Preset(N_("Three in a row"), 3, _blobs(0.3, (-3, 0), (0, 0), (3, 0)), n=10, seed=50),
    "rings": Preset(N_("Three rings"), 3, _rings),
}

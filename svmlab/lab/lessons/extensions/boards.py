"""Boards of several classes and of targets, and what steps require of them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from svmlab.data import iris
from svmlab.data.measured import SPECIES
from svmlab.lab.session.controls import CLASSES, VALUES
from svmlab.lab.session.lab import Lab
from svmlab.lab.teach import boards
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Board, Need
from svmlab.lab.words import N_
from svmlab.multiclass import make_classes

OF_CLASSES = Need(
    lambda stage: stage.lab.task == CLASSES, N_("This step needs a board of several classes."), {"task": CLASSES}
)
OF_VALUES = Need(
    lambda stage: stage.lab.task == VALUES,
    N_("This step needs a board of targets, where x₂ is predicted from x₁."),
    {"task": VALUES},
)
THREE = Need(
    lambda stage: len(stage.lab.multiclass_problem.data.classes) > 2,
    N_("The board has fewer than three classes. Choose another class in the toolbar and click to add points."),
    {},
)
SOLVED = Need(
    lambda stage: stage.cache.task_outcome(stage.lab).solution is not None,
    N_("There is no solution for these points."),
    {"hard": False},
)


def species(features: tuple[str, str], centre: tuple[float, float], every: int) -> list[tuple[float, float, int]]:
    """Return every so-many-th iris flower of each species: two lengths in cm minus the centre, and the class, 1 to 3.

    features: their names in `svmlab.data.measured`.
    """
    rows = []
    for k, name in enumerate(SPECIES, start=1):
        X, y = iris(name, SPECIES[k % len(SPECIES)], features)
        rows += [(x1 - centre[0], x2 - centre[1], k) for x1, x2 in X[y == 1][::every].tolist()]
    return rows


def classes(name: str, **settings: Any) -> Board:
    """Return a function that makes an example board of several classes. settings: any fields of a Lab."""
    return partial(_classes, name, settings)


def _classes(name: str, settings: dict[str, Any]) -> Lab:
    data = make_classes(name)
    rows = [(x, y, int(label)) for (x, y), label in zip(data.X.tolist(), data.y, strict=True)]
    return boards.board_of_points(rows, task=CLASSES, **settings)()


def values(rows: Iterable[tuple[float, float]], **settings: Any) -> Board:
    """Return a function that makes a board of inputs x1 with targets x2. settings: any fields of a Lab."""
    return boards.board_of_points([(x, y, 1) for x, y in rows], task=VALUES, **settings)


PETALS, PETAL_CENTRE = ("petal_length", "petal_width"), (3.8, 1.2)
FLOWERS = boards.board_of_points(species(("petal_length", "sepal_width"), (3.8, 3.0), 5), task=CLASSES, value=10.0)
FLOWERS_IN_A_ROW = boards.board_of_points(species(PETALS, PETAL_CENTRE, 7), task=CLASSES, value=10.0)
# C = 1 and eps = 0.2: of these 15 flowers, eight lie inside the tube, two on an edge and five outside
PETAL_WIDTHS = [(x, y) for x, y, _k in species(PETALS, PETAL_CENTRE, 10)]
ON_EDGE, NEAR_THE_LINE = 5, 9  # the ids of a flower on the upper edge, and of one inside the tube


def flower_values(selected: int | None = None) -> Board:
    """Return a function that makes the board of petal widths over petal lengths, with a selected flower."""
    return values(PETAL_WIDTHS, eps=0.2, value=1.0, selected=selected)


def shows_flower_values(stage: Stage) -> bool:
    """Return whether the points are the petal widths."""
    return boards.has_points_of(stage.lab, flower_values())

"""Boards of several classes and of values, and what steps ask of them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from svmlab.lab.session.controls import CLASSES, VALUES
from svmlab.lab.session.state import Lab
from svmlab.lab.teach import boards
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Board, Need
from svmlab.lab.words import N_
from svmlab.multiclass import make_classes

OF_CLASSES = Need(lambda stage: stage.lab.task == CLASSES, N_("This step is about several classes."), {"task": CLASSES})
OF_VALUES = Need(
    lambda stage: stage.lab.task == VALUES,
    N_("This step is about values: of each point x₁ is known, and x₂ is to be told from it."),
    {"task": VALUES},
)


def _many(stage: Stage) -> bool:
    return len(stage.lab.multiclass_problem.data.classes) > 2


NEAR_A_LINE = (  # .7 x + .5 and noise of deviation .4 at 15 even places
    (-3, -1.524),
    (-2.571, -1.509),
    (-2.143, -1.165),
    (-1.714, -1.677),
    (-1.286, 0.32),
    (-0.857, 0.358),
    (-0.429, 0.07),
    (0, 0.81),
    (0.429, 0.912),
    (0.857, 0.878),
    (1.286, 1.791),
    (1.714, 1.576),
    (2.143, 1.868),
    (2.571, 1.983),
    (3, 2.782),
)


THREE = Need(
    _many, N_("Fewer than three classes are on the board. Choose another above it and click to add points."), {}
)
SOLVED = Need(
    lambda stage: stage.cache.task_outcome(stage.lab).solution is not None,
    N_("The machine on the board has no solution on these points."),
    {"hard": False},
)


def classes(name: str, **settings: Any) -> Board:
    """The points of a board of several classes, and the machine: any fields of a Lab."""
    return partial(_classes, name, settings)


def values(places: Iterable[tuple[float, float]], **settings: Any) -> Board:
    """Values x2 at places x1, and the machine."""
    return boards.board_of_points([(x, y, 1) for x, y in places], task=VALUES, **settings)


def _classes(name: str, settings: dict[str, Any]) -> Lab:
    data = make_classes(name)
    rows = [(x, y, int(label)) for (x, y), label in zip(data.X.tolist(), data.y, strict=True)]
    return boards.board_of_points(rows, task=CLASSES, **settings)()
